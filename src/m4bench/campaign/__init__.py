# SPDX-License-Identifier: MIT
"""Floor 4: planned sets of runs."""
