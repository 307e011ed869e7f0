# SPDX-License-Identifier: MIT
"""Floor 1: the catalogue of source tables, import, the store, the synthetic hospitals."""
