# SPDX-License-Identifier: MIT
"""Measure whether AI coding agents can rebuild the derived variables of critical-care research."""
