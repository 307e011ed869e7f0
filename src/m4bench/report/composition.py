# SPDX-License-Identifier: MIT
"""What a report consists of: from runs to the content of every file. Writes none.

A folder of runs has a page a task, what went wrong, and rows that disagree; runs in tables have their comparison
alone.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from m4bench.analysis.analyse import analyse
from m4bench.analysis.plan import default_plan
from m4bench.analysis.progress import Progress, unheard
from m4bench.analysis.reading import REPORTED, read_run_table
from m4bench.analysis.results import Analysis
from m4bench.analysis.run_csv import csv_text
from m4bench.analysis.runs import RunTable
from m4bench.analysis.task_facts import facts_of, installed_tasks
from m4bench.data.store import Store
from m4bench.harness.finished.results import Results, read_results
from m4bench.model.analysis import AnalysisPlan
from m4bench.model.task import Task
from m4bench.report import latex, markup
from m4bench.report.campaign.figures import campaign_figures
from m4bench.report.campaign.page import CampaignPart, campaign_page, part_context
from m4bench.report.campaign.sections import is_worth_showing
from m4bench.report.campaign.tables import campaign_tables
from m4bench.report.disagreements import examine
from m4bench.report.drawing import draw, for_paper, pixels, print_ready
from m4bench.report.exhibits import Figure, Table
from m4bench.report.facts import holds_credentialed, is_for_its_owner
from m4bench.report.figures import front_figures, task_figures
from m4bench.report.merged_runs import runs_table
from m4bench.report.page import Drawn, Study, front_page, slugs, task_page
from m4bench.report.paper import on_paper
from m4bench.report.provenance import provenances
from m4bench.report.summary import summarise
from m4bench.report.table_set import all_tables, without_free_text
from m4bench.report.trouble import troubles

PAGE = "index.html"
ANALYSIS = "analysis.json"
SHARPNESS = 2.0


@dataclass
class Composition:
    """The files of a report by name, and whether it is for its owner alone."""

    files: dict[str, bytes] = field(default_factory=dict)
    private: bool = False
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)

    def drawn(self, wanted: Sequence[Figure]) -> list[Drawn]:
        """Draw figures, keep their files, and return them for a page."""
        done = []
        for figure in wanted:
            one = Drawn(
                figure,
                draw(figure.specification, figure.title, figure.alt),
                draw(figure.narrow, figure.title, figure.alt),
            )
            filed = on_paper(figure, one.svg, one.narrow)
            for named, drawing in filed:
                self._file(named, drawing)
            parts = tuple(drawing for _, drawing in filed[1:])
            done.append(replace(one, printed=parts))
        return done

    def _file(self, figure: Figure, drawn: str) -> None:
        """Keep a drawing in each form, and what its caption is."""
        name = f"figures/{figure.name}"
        self.files[f"{name}.svg"] = for_paper(drawn).encode()
        self.files[f"{name}.pdf"] = print_ready(drawn)
        self.files[f"{name}.png"] = pixels(drawn, SHARPNESS)
        self.figures.append(figure)

    def add_tables(self, tables: Sequence[Table], *, guarded: bool = False) -> None:
        """Keep tables as CSV, Markdown and LaTeX; where `guarded`, what others wrote stands in the CSV alone."""
        for table in tables:
            name = f"tables/{table.name}"
            passed_on = without_free_text(table) if guarded else table
            self.tables.append(passed_on)
            self.files[f"{name}.csv"] = csv_text(table.rows).encode()
            self.files[f"{name}.md"] = markup.table(passed_on).encode()
            self.files[f"{name}.tex"] = latex.table(passed_on).encode()

    def add_campaign(
        self, table: RunTable, analysis: Analysis, tasks: Mapping[str, Task]
    ) -> CampaignPart:
        """Keep the figures, tables and record of an analysis, and return what its part of a page shows."""
        part = CampaignPart(analysis, table, self.drawn(campaign_figures(analysis, table)), tasks)
        self.add_tables(campaign_tables(analysis, table))
        record = json.dumps(analysis.model_dump(mode="json"), indent=1, allow_nan=False)
        self.files[ANALYSIS] = f"{record}\n".encode()
        return part

    def finish(self, front: str) -> "Composition":
        """Keep the captions and the front page, which comes last."""
        self.files["captions.md"] = markup.captions(self.figures, self.tables).encode()
        self.files[PAGE] = front.encode()
        return self


def is_folder_of_runs(source: Path) -> bool:
    """Tell whether a source is a folder of runs and not a table or the folder of a report."""
    return source.is_dir() and not (source / REPORTED).is_file()


def compose_folder(
    results: Path,
    tasks: Mapping[str, Task],
    store: Store | None,
    plan: AnalysisPlan | None,
    progress: Progress | None,
) -> Composition:
    """Return the report on a folder of runs.

    Raises:
        InputError: there is nothing to report, or the declared analysis cannot be made of the runs.
    """
    told = progress or unheard
    if results.is_dir():
        told(f"reading {results.resolve().name}", 0, 1)
    found = read_results(results, tasks)
    told("comparing", 0, 1)
    summary = summarise(found.runs)
    proven = provenances(found.runs, store)
    examination = examine(summary, results, tasks, store, proven)
    trouble = troubles(found, summary)
    named = slugs(summary.questions)
    study = Study(found, summary, tasks, examination, trouble, proven, named)
    made = Composition(private=is_for_its_owner(summary.runs, proven))
    told("drawing", 0, 1)
    fronts = made.drawn(front_figures(summary))
    own_tables = all_tables(found, summary, tasks, examination, trouble)
    part = _compared(made, results, found, tasks, plan, told)
    names = [table.name for table in (*own_tables, *made.tables)]
    front = front_page(study, fronts, names, part_context(part) if part else None)
    for place, (question, slug) in enumerate(named.items()):
        told("writing pages", place, len(named))
        page = task_page(study, question, made.drawn(task_figures(summary, question, slug)), names)
        made.files[f"tasks/{slug}.html"] = page.encode()
    compared, made.tables = made.tables, []
    made.add_tables(own_tables, guarded=holds_credentialed(summary.runs))
    made.tables += compared
    return made.finish(front)


def compose_tables(
    sources: Sequence[Path],
    tasks: Mapping[str, Task],
    plan: AnalysisPlan | None,
    progress: Progress | None,
) -> Composition:
    """Return the report on runs of several sources, or of tables: their comparison alone.

    Raises:
        InputError: a source cannot be read, or the declared analysis cannot be made of the runs.
    """
    told = progress or unheard
    read = read_run_table(sources, progress=reading(told))
    table = read.versions_apart()
    told("comparing", 0, 1)
    analysis = analyse(table, plan or default_plan(table), told)
    made = Composition(private=any(run.setting.access == "credentialed" for run in table))
    told("drawing", 0, 1)
    part = made.add_campaign(table, analysis, tasks)
    made.add_tables([runs_table(read)])
    return made.finish(campaign_page(part, [one.name for one in made.tables]))


def reading(told: Progress) -> Progress:
    """Return what is told the name of a source that is read, as progress that says so."""
    return lambda name, done, total: told(f"reading {name}", done, total)


def _compared(
    made: Composition,
    results: Path,
    found: Results,
    tasks: Mapping[str, Task],
    plan: AnalysisPlan | None,
    told: Progress,
) -> CampaignPart | None:
    """Return the part that compares the runs of a folder, or None where there is nothing to compare."""
    known = facts_of(installed_tasks() | dict(tasks))
    if plan is None and not any(run.cell.task in known for run in found.runs):
        return None
    table = read_run_table([results], known).versions_apart()
    analysis = analyse(table, plan or default_plan(table), told)
    if plan is None and not is_worth_showing(analysis):
        return None
    return made.add_campaign(table, analysis, tasks)
