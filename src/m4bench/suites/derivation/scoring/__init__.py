# SPDX-License-Identifier: MIT
"""The comparer: an agent's table against the hidden reference."""

from m4bench.suites.derivation.scoring.compare import score_file

__all__ = ["score_file"]
