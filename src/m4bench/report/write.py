# SPDX-License-Identifier: MIT
"""Writing a report: the page and its tables into a folder. Knows no layout and no formula."""

from collections.abc import Mapping
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.files import write_text
from m4bench.model.task import Task
from m4bench.report.page import holds_credentialed, render
from m4bench.report.results import read_results
from m4bench.report.summary import summarise
from m4bench.report.tables import cell_rows, column_rows, run_rows, write_table
from m4bench.suites.suite import load_suites

PAGE = "index.html"
TABLES = ("runs.csv", "cells.csv", "columns.csv")
PRIVATE_FILE = 0o600


def write_report(results: Path, out: Path, *, tasks: Mapping[str, Task] | None = None) -> Path:
    """Write `index.html`, `runs.csv`, `cells.csv` and `columns.csv` into `out` and return the page's path.

    The page comes last, so that one that is there has its tables beside it. Other files in `out` stay.
    Reports on credentialed data are readable by their owner alone.

    Args:
        results: a folder of run folders.
        out: the report's folder, made when missing.
        tasks: the tasks by name, default those of the installed suites.

    Raises:
        InputError: there is no run to report, or `out` is a file.
    """
    found = read_results(results)
    if out.exists() and not out.is_dir():
        raise InputError("is not a folder", file=out, remedy="name a folder with --out")
    known = installed_tasks() if tasks is None else tasks
    summary = summarise(found.runs)
    page = render(found, summary, known)
    mode = PRIVATE_FILE if holds_credentialed(found.runs) else None
    write_table(out / "runs.csv", run_rows(found.runs, known), mode=mode)
    write_table(out / "cells.csv", cell_rows(summary), mode=mode)
    write_table(out / "columns.csv", column_rows(found.runs), mode=mode)
    write_text(out / PAGE, page, mode=mode)
    return out / PAGE


def installed_tasks() -> dict[str, Task]:
    """Return the tasks of the installed suites by name."""
    return {name: task for suite in load_suites().values() for name, task in suite.tasks().items()}
