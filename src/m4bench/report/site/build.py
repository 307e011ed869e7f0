# SPDX-License-Identifier: MIT
"""Building a site from runs CSVs and folders of runs. Knows no layout and no formula."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from m4bench.analysis.plan import default_plan
from m4bench.analysis.progress import Progress, unheard
from m4bench.analysis.reading import read_run_table
from m4bench.analysis.runs import RunTable
from m4bench.analysis.task_facts import facts_of
from m4bench.model.analysis import AnalysisPlan
from m4bench.model.legible import as_meant
from m4bench.model.task import Task
from m4bench.report.placing import naming, place
from m4bench.report.site.publish import SITE, refuse_place

# Of these a page may stand open to everybody; of anything else it is for its owner until that one decides.
UNPROTECTED = {"open", "synthetic"}


def write_site(
    sources: Sequence[Path],
    out: Path,
    *,
    tasks: Mapping[str, Task] | None = None,
    plan: AnalysisPlan | None = None,
    title: str | None = None,
    progress: Progress | None = None,
) -> Path:
    """Build a leaderboard into `out` and return the path of its front page, `index.html`.

    Beside it: a page a system in `systems/`, a page a task in `tasks/`, the figures in `data/`, how to read
    them, what they were made from, and `contents.json` with the size and sha256 of every file. It needs no
    server, no network and no script, which only filters. The front page comes last, so that one that is there
    has everything beside it; where one file cannot be written none is replaced. Pages of the former site that
    this one does not have are removed, other files in `out` stay. The same sources give the same bytes. A site
    with runs on data that are given under an agreement, or of which nobody told, is readable by its owner alone.

    Args:
        sources: runs CSVs and folders of runs, in any mixture.
        out: the site's folder, made when missing.
        tasks: the tasks by name, default those of the installed suites.
        plan: how tasks weigh and intervals are made, default this program's own.
        title: what the site is called.
        progress: told what is read, compared or written, how much of it, and how much there is.

    Raises:
        InputError: a source cannot be read, there is no run, two systems would be written alike, or `out`
            cannot be written, lies in a folder of runs, or holds something else.
    """
    # Templates are only loaded where a site is written.
    from m4bench.report.site.data_files import data_files
    from m4bench.report.site.pages import INDEX, Pages
    from m4bench.report.site.study import build_study

    with naming(out, SITE.option):
        refuse_place(out, sources)
    told = progress or unheard
    table = read_run_table(sources, None if tasks is None else facts_of(tasks), _reading(told))
    called = None if title is None else as_meant(title)
    study = build_study(table, default_plan(table) if plan is None else plan, called, told)
    files = data_files(study)
    pages = Pages(study)
    for number, (name, text) in enumerate(pages.all(), start=1):
        files[name] = text.encode()
        told("writing pages", number, len(pages))
    with naming(out, SITE.option):
        place(out, files, INDEX, SITE, private=_is_for_its_owner(table))
    return out / INDEX


def _reading(told: Progress) -> Progress:
    return lambda name, done, total: told(f"reading {name}", done, total)


def _is_for_its_owner(table: RunTable) -> bool:
    return any(run.setting.access not in UNPROTECTED for run in table)
