# SPDX-License-Identifier: MIT
"""Floor 3: one run, from workspace through sandbox, collection and scoring to its record."""
