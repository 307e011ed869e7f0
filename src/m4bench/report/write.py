# SPDX-License-Identifier: MIT
"""Writing a report: pages, figures and tables into a folder. Knows no layout and no formula."""

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from m4bench.data.store import Store
from m4bench.harness.finished.results import read_results
from m4bench.model.errors import InputError
from m4bench.model.files import PRIVATE, written_beside
from m4bench.model.task import Task
from m4bench.report import markup
from m4bench.report.contents import CONTENTS, listing, retired
from m4bench.report.destination import only_writer, refuse_occupied, refuse_within
from m4bench.report.disagreements import examine
from m4bench.report.exhibits import Figure
from m4bench.report.facts import is_for_its_owner
from m4bench.report.provenance import provenances
from m4bench.report.summary import summarise
from m4bench.report.table_set import NAMES, all_tables
from m4bench.report.tables import csv_text
from m4bench.report.trouble import troubles
from m4bench.suites.suite import load_suites

PAGE = "index.html"
TABLES = tuple(f"tables/{name}.csv" for name in NAMES)
PRIVATE_FILE = 0o600
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
Files = Mapping[str, bytes]


def write_report(
    results: Path,
    out: Path,
    *,
    tasks: Mapping[str, Task] | None = None,
    store: Store | None = None,
) -> Path:
    """Write a report into `out` and return the path of its front page, `index.html`.

    Beside it: a page a task in `tasks/`, each figure as SVG and PDF in `figures/`, each table as CSV and
    Markdown in `tables/`, `captions.md`, and `contents.json` with the size and sha256 of every file. The
    front page comes last, so that one that is there has everything beside it; where one file cannot be
    written none is replaced. Files that the former report listed and this one does not have are removed,
    other files in `out` stay. The same results give the same bytes. Reports on credentialed data, and
    on data whose store cannot prove that they are invented, are readable by their owner alone.

    Args:
        results: a folder of run folders.
        out: the report's folder, made when missing.
        tasks: the tasks by name, default those of the installed suites.
        store: the store the runs were made with, from which rows of synthetic data are shown.

    Raises:
        InputError: there is no run to report, or `out` cannot be written, lies in `results`, or holds a
            folder, a link or anything else where the report has a file or a folder of its own.
    """
    known = installed_tasks() if tasks is None else tasks
    with _naming(out):
        if out.exists() and not out.is_dir():
            raise InputError("is not a folder", file=out, remedy="name a folder with --out")
        refuse_within(out, results)
    files, private = _composed(results, known, store)
    with _naming(out):
        _write(out, files, private=private)
    return out / PAGE


@contextmanager
def _naming(out: Path) -> Iterator[None]:
    """Turn a fault of the disk into bad input that names the folder and what to do."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror})",
            file=out,
            remedy="make room there"
            if error.errno in NO_ROOM
            else "name another folder with --out",
        ) from error


def _composed(
    results: Path, tasks: Mapping[str, Task], store: Store | None
) -> tuple[dict[str, bytes], bool]:
    """Return every file of the report by its name, and whether it is for its owner alone."""
    # Only a report draws figures; the other commands need not load the library for it.
    from m4bench.report.drawing import draw, print_ready
    from m4bench.report.figures import front_figures, task_figures
    from m4bench.report.page import Drawn, Study, front_page, slugs, task_page

    found = read_results(results, tasks)
    summary = summarise(found.runs)
    proven = provenances(found.runs, store)
    examination = examine(summary, results, tasks, store, proven)
    trouble = troubles(found, summary)
    named = slugs(summary.questions)
    study = Study(found, summary, tasks, examination, trouble, proven, named)
    files: dict[str, bytes] = {}
    figures: list[Figure] = []

    def drawn(wanted: list[Figure]) -> list[Drawn]:
        figures.extend(wanted)
        done = [
            Drawn(
                figure,
                draw(figure.specification, figure.title, figure.alt),
                draw(figure.narrow, figure.title, figure.alt),
            )
            for figure in wanted
        ]
        for one in done:
            files[f"figures/{one.figure.name}.svg"] = one.svg.encode()
            files[f"figures/{one.figure.name}.pdf"] = print_ready(one.svg)
        return done

    front = front_page(study, drawn(front_figures(summary)))
    for question, slug in named.items():
        page = task_page(study, question, drawn(task_figures(summary, question, slug)))
        files[f"tasks/{slug}.html"] = page.encode()
    tables = all_tables(found, summary, tasks, examination, trouble)
    for table in tables:
        files[f"tables/{table.name}.csv"] = csv_text(table.rows).encode()
        files[f"tables/{table.name}.md"] = markup.table(table).encode()
    files["captions.md"] = markup.captions(figures, tables).encode()
    files[PAGE] = front.encode()
    return files, is_for_its_owner(summary.runs, proven)


def _write(out: Path, files: Files, *, private: bool) -> None:
    """Prepare all files before any takes its place; the page is begun first and so takes its place last."""
    mode = PRIVATE_FILE if private else None
    whole = {PAGE: files[PAGE], CONTENTS: listing(files), **files}
    refuse_occupied(out, whole)
    old = retired(out, whole)
    out.parent.mkdir(parents=True, exist_ok=True)
    for folder in sorted({(out / name).parent for name in whole}):
        folder.mkdir(mode=PRIVATE if private else 0o777, exist_ok=True)
        if private and folder != out:
            folder.chmod(PRIVATE)
    with only_writer(out), ExitStack() as prepared:
        for name, content in whole.items():
            partial = prepared.enter_context(written_beside(out / name, mode=mode))
            # Private from its first byte: a process that is killed leaves it as it is.
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode or 0o666)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
    for path in old:
        path.unlink(missing_ok=True)


def installed_tasks() -> dict[str, Task]:
    """Return the tasks of the installed suites by name."""
    return {name: task for suite in load_suites().values() for name, task in suite.tasks().items()}
