# SPDX-License-Identifier: MIT
"""The published tables of tasks, from the installed definitions; only numbers of reference rows are of runs."""

from collections import Counter

from m4bench.analysis.paper.arms import PaperRuns
from m4bench.analysis.paper.cells import PaperTable, Row, columns, definition, figure
from m4bench.analysis.paper.measures import (
    Runs,
)
from m4bench.analysis.paper.tasks import FAMILY_LABELS, paper_tasks
from m4bench.model.task import Task

DATABASES = {"mimic-iv": "MIMIC-IV", "eicu": "eICU"}
TOTAL = "Total"


def reference_rows(runs: Runs) -> int | None:
    """Return the number of reference rows that all runs of a task agree on, None where they do not."""
    found = {run.truth_rows for run in runs}
    return found.pop() if len(found) == 1 else None


def task_details(runs: PaperRuns) -> PaperTable:
    """Return mode, database, grain, value columns and reference rows of each task."""
    rows: list[Row] = []
    for name, task in paper_tasks().items():
        rows.append(
            {
                "task": name,
                "mode": definition(task.mode),
                "database": definition(DATABASES[task.site]),
                "key_grain": definition(task.grain),
                "scored_columns": definition(len(task.scoring.values)),
                "reference_rows": figure(runs.primary.select(tasks=[name]), reference_rows),
            }
        )
    return PaperTable(
        "task_details",
        "Tasks",
        ("task",),
        columns("task mode database key_grain scored_columns reference_rows"),
        tuple(rows),
        note="`scored_columns` counts value columns; the published rewards are over a wider set in six families.",
    )


def _row(label: str, tasks: list[Task]) -> Row:
    modes = Counter(task.mode for task in tasks)
    sites = {task.site for task in tasks}
    return {
        "family": label,
        "tasks": definition(len(tasks)),
        "standard": definition(modes["standard"]),
        "raw": definition(modes["raw"]),
        "database": definition("/".join(text for site, text in DATABASES.items() if site in sites)),
    }


def task_inventory(runs: PaperRuns) -> PaperTable:
    """Return how many tasks of either mode each family has."""
    tasks = list(paper_tasks().values())
    rows = [
        _row(label, [task for task in tasks if task.family == family])
        for family, label in FAMILY_LABELS.items()
    ]
    return PaperTable(
        "task_inventory",
        "Families of tasks",
        ("family",),
        columns("family tasks standard raw database"),
        (*rows, _row(TOTAL, tasks)),
    )
