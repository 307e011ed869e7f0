# SPDX-License-Identifier: MIT
"""Engines other than DuckDB in which a library of derivations can be built."""
