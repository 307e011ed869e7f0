# SPDX-License-Identifier: MIT
"""The paper's own analysis, figure by figure, each knowing the runs it depends on. Knows no better analysis."""

from m4bench.analysis.paper.cells import Computed, PaperTable
from m4bench.analysis.paper.published import published_tables
from m4bench.analysis.paper.release import paper_runs
from m4bench.analysis.paper.status import Status, status_of

__all__ = ["Computed", "PaperTable", "Status", "paper_runs", "published_tables", "status_of"]
