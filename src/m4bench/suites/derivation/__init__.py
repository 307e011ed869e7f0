# SPDX-License-Identifier: MIT
"""The M4Bench suite: rebuild a derived table of critical-care research."""
