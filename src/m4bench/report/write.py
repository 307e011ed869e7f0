# SPDX-License-Identifier: MIT
"""Writing a report: pages, figures and tables into a folder. Knows no layout and no formula."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from m4bench.data.store import Store
from m4bench.model.analysis import AnalysisPlan
from m4bench.model.errors import InputError
from m4bench.model.task import Task
from m4bench.report.contents import KIND, REPLACEABLE
from m4bench.report.destination import FOLDERS, refuse_over, refuse_within
from m4bench.report.placing import Form, naming, place
from m4bench.suites.suite import load_suites

PAGE = "index.html"
REPORT = Form(KIND, "report", "--out", FOLDERS, REPLACEABLE)


def write_report(
    sources: Path | Sequence[Path],
    out: Path,
    *,
    tasks: Mapping[str, Task] | None = None,
    store: Store | None = None,
    plan: AnalysisPlan | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Path:
    """Write a report into `out` and return the path of its front page, `index.html`.

    Of one folder of runs it has a page a task in `tasks/`, and on the front page, where there is something to
    compare, a part on the campaign. Of runs CSVs, or of several sources, it is that part alone. Beside the
    page: each figure as SVG, PDF and PNG in `figures/`, each table as CSV, Markdown and LaTeX in `tables/`,
    `captions.md`, the analysis in `analysis.json`, and `contents.json` with the size and sha256 of every
    file. The front page comes last, so that one that is there has everything beside it; where one file cannot
    be written none is replaced. Files that the former report listed and this one does not have are removed,
    other files in `out` stay. The same runs give the same bytes. Reports on credentialed data, and on data
    whose store cannot prove that they are invented, are readable by their owner alone; of a table, what it
    says of its data is believed.

    Args:
        sources: a folder of run folders; or runs CSVs, folders of runs and folders of reports.
        out: the report's folder, made when missing.
        tasks: the tasks by name, default those of the installed suites.
        store: the store the runs were made with, from which rows of synthetic data are shown.
        plan: the declared analysis; without one the usual comparisons that the runs hold are made.
        progress: told what is done, such as "reading runs.csv", how much of it and how much there is.

    Raises:
        InputError: there is no run to report, a source cannot be read, the declared analysis cannot be made of
            the runs, or `out` cannot be written, lies in a source, or holds a folder, a link, another's file or
            anything else where the report has a file or a folder of its own.
    """
    # Only a report draws figures; the other commands need not load the library for it.
    from m4bench.report.composition import compose_folder, compose_tables, is_folder_of_runs

    named = [sources] if isinstance(sources, Path) else list(sources)
    known = installed_tasks() if tasks is None else tasks
    with naming(out, REPORT.option):
        if out.exists() and not out.is_dir():
            raise InputError("is not a folder", file=out, remedy="name a folder with --out")
        for source in named:
            refuse_within(out, source)
            refuse_over(out, source)
    if len(named) == 1 and (is_folder_of_runs(named[0]) or not named[0].exists()):
        made = compose_folder(named[0], known, store, plan, progress)
    else:
        made = compose_tables(named, known, plan, progress)
    with naming(out, REPORT.option):
        place(out, made.files, PAGE, REPORT, private=made.private)
    return out / PAGE


def installed_tasks() -> dict[str, Task]:
    """Return the tasks of the installed suites by name."""
    return {name: task for suite in load_suites().values() for name, task in suite.tasks().items()}
