# SPDX-License-Identifier: MIT
"""The leaderboard: a static site of many systems' runs, in tie groups. Knows no formula."""

from m4bench.report.site.build import write_site

__all__ = ["write_site"]
