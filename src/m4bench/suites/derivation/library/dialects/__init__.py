# SPDX-License-Identifier: MIT
"""Derivations in the SQL of other engines: a translation and, for each dialect, what it needs besides."""
