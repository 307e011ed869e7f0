# SPDX-License-Identifier: MIT
"""The derivation library: SQL files with typed headers, their lineage, and the runner."""
