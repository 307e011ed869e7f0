# SPDX-License-Identifier: MIT
"""Writing a report: the page and its tables into a folder. Knows no layout and no formula."""

import errno
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.files import written_beside
from m4bench.model.task import Task
from m4bench.report.page import holds_credentialed, render
from m4bench.report.results import read_results
from m4bench.report.summary import summarise
from m4bench.report.tables import Row, cell_rows, column_rows, run_rows, write_table
from m4bench.suites.suite import load_suites

PAGE = "index.html"
TABLES = ("runs.csv", "cells.csv", "columns.csv")
PRIVATE_FILE = 0o600
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_report(results: Path, out: Path, *, tasks: Mapping[str, Task] | None = None) -> Path:
    """Write `index.html`, `runs.csv`, `cells.csv` and `columns.csv` into `out` and return the page's path.

    The page comes last, so that one that is there has its tables beside it; where one file cannot be written
    none is replaced. Other files in `out` stay.
    Reports on credentialed data are readable by their owner alone.

    Args:
        results: a folder of run folders.
        out: the report's folder, made when missing.
        tasks: the tasks by name, default those of the installed suites.

    Raises:
        InputError: there is no run to report, or `out` cannot be written.
    """
    known = installed_tasks() if tasks is None else tasks
    found = read_results(results, known)
    summary = summarise(found.runs)
    page = render(found, summary, known)
    tables = {
        "runs.csv": run_rows(found.runs, known),
        "cells.csv": cell_rows(summary),
        "columns.csv": column_rows(found.runs),
    }
    try:
        if out.exists() and not out.is_dir():
            raise InputError("is not a folder", file=out, remedy="name a folder with --out")
        _write(out, page, tables, PRIVATE_FILE if holds_credentialed(found.runs) else None)
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror})",
            file=out,
            remedy="make room there"
            if error.errno in NO_ROOM
            else "name another folder with --out",
        ) from error
    return out / PAGE


def _write(out: Path, page: str, tables: Mapping[str, Sequence[Row]], mode: int | None) -> None:
    """Prepare all files before any takes its place; the page was begun first and so takes its place last."""
    with ExitStack() as prepared:
        place = prepared.enter_context(written_beside(out / PAGE, mode=mode))
        for name, rows in tables.items():
            write_table(prepared.enter_context(written_beside(out / name, mode=mode)), rows)
        place.write_text(page, encoding="utf-8")


def installed_tasks() -> dict[str, Task]:
    """Return the tasks of the installed suites by name."""
    return {name: task for suite in load_suites().values() for name, task in suite.tasks().items()}
