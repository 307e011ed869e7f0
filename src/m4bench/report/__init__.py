# SPDX-License-Identifier: MIT
"""Floor 6: tables and the HTML report."""

from m4bench.harness.finished.results import read_runs
from m4bench.report.contents import listed
from m4bench.report.destination import named_folder, named_site
from m4bench.report.write import write_report

__all__ = ["listed", "named_folder", "named_site", "read_runs", "write_report"]
