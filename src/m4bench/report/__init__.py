# SPDX-License-Identifier: MIT
"""Floor 5: tables and the HTML report."""

from m4bench.harness.finished.results import read_runs
from m4bench.report.destination import named_folder
from m4bench.report.write import TABLES, write_report

__all__ = ["TABLES", "named_folder", "read_runs", "write_report"]
