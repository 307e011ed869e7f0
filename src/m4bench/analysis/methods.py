# SPDX-License-Identifier: MIT
"""The methods paragraph of an analysis, written from its plan and its data. Knows no figure it found."""

from m4bench.analysis.results import Analysis
from m4bench.analysis.runs import RunTable


def methods(found: Analysis, table: RunTable) -> str:
    """Return the paragraph; it claims nothing that the plan did not say and the runs do not show."""
    return f"{found.runs} runs of {found.tasks} tasks were analysed with m4bench {found.m4bench}."
