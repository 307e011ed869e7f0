# SPDX-License-Identifier: MIT
"""The published tables of task deltas: the largest gains, the declines, all of them, and those of the rerun."""

from functools import partial

from m4bench.analysis.paper.arms import CODEX_MODELS, CONTROL, LARGE, MINI, SKILL, PaperRuns
from m4bench.analysis.paper.cells import Cell, PaperTable, Row, columns, definition, figure
from m4bench.analysis.paper.measures import (
    Runs,
    mean_delta,
    task_deltas,
)
from m4bench.analysis.paper.tasks import (
    CONTROL_TEN,
    SENTINEL_EIGHT,
    paper_tasks,
)

DATABASES = {"mimic-iv": "MIMIC-IV", "eicu": "eICU-CRD"}
GAINS, DECLINES = 10, 8
# The published choice: the largest changes between deltas before and after the replacement runs.
RERUN = {
    "codex": (
        "mimic-oasis-24h",
        "mimic-oasis-24h-raw",
        "eicu-oasis",
        "mimic-creatinine-baseline-raw",
        "mimic-vasopressor-equivalents-raw",
        "mimic-creatinine-baseline",
        "mimic-urine-output-rate",
        "eicu-gcs",
        "mimic-gcs-24h-raw",
        "mimic-sapsii-24h",
    ),
    "claude": ("mimic-oasis-24h", "mimic-creatinine-baseline-raw"),
}


def _ranked(runs: Runs, *, falling: bool) -> list[str]:
    """Return tasks by their delta."""
    deltas = task_deltas(runs, SKILL, CONTROL)
    sign = -1 if falling else 1
    return sorted(deltas, key=lambda task: (sign * deltas[task], task))


def _order(runs: Runs, *, falling: bool, count: int | None) -> str:
    return "\n".join(_ranked(runs, falling=falling)[:count])


def _delta(runs: PaperRuns, task: str, models: tuple[str, ...] = CODEX_MODELS) -> Cell:
    selection = runs.primary.select(CONTROL, SKILL, tasks=[task], models=models)
    return figure(selection, partial(mean_delta, treatment=SKILL, control=CONTROL))


def _extremes(runs: PaperRuns, name: str, title: str, *, falling: bool, count: int) -> PaperTable:
    both = runs.primary.select(CONTROL, SKILL)
    tasks = _ranked(both, falling=falling)[:count]
    return PaperTable(
        name,
        title,
        ("task",),
        columns("task mean_delta"),
        tuple({"task": task, "mean_delta": _delta(runs, task)} for task in tasks),
        order=figure(both, partial(_order, falling=falling, count=count)),
    )


def gains(runs: PaperRuns) -> PaperTable:
    """Return the ten tasks that the skill helps most."""
    title = "The ten largest task deltas"
    return _extremes(runs, "codex_skill_gains", title, falling=True, count=GAINS)


def declines(runs: PaperRuns) -> PaperTable:
    """Return the eight tasks that the skill helps least."""
    title = "The eight smallest task deltas"
    return _extremes(runs, "codex_skill_declines", title, falling=False, count=DECLINES)


def membership(runs: PaperRuns) -> PaperTable:
    """Return every task's delta, over both models and by model, and which controls it was in."""
    both = runs.primary.select(CONTROL, SKILL)
    rows: list[Row] = []
    for task in _ranked(both, falling=True):
        defined = paper_tasks()[task]
        rows.append(
            {
                "task": task,
                "mode": definition(defined.mode),
                "database": definition(DATABASES[defined.site]),
                "delta": _delta(runs, task),
                "delta_gpt_5_4_mini": _delta(runs, task, (MINI,)),
                "delta_gpt_5_5": _delta(runs, task, (LARGE,)),
                "decoy_rawsql": definition("yes" if task in CONTROL_TEN else "no"),
                "operational_spec": definition("yes" if task in SENTINEL_EIGHT else "no"),
            }
        )
    names = (
        "task mode database delta delta_gpt_5_4_mini delta_gpt_5_5 decoy_rawsql operational_spec"
    )
    return PaperTable(
        "codex_task_deltas_and_control_membership",
        "Task deltas and membership in the controls",
        ("task",),
        columns(names),
        tuple(rows),
        order=figure(both, partial(_order, falling=True, count=None)),
    )


def rerun_changes(runs: PaperRuns) -> PaperTable:
    """Return the final deltas of the tasks whose deltas moved most by the replacement runs of 4 May."""
    return PaperTable(
        "rerun_changes",
        "Deltas before and after the replacement runs",
        ("arm", "task"),
        columns("arm task delta_2_may final_delta change"),
        tuple(
            {
                "arm": arm,
                "task": task,
                **({"final_delta": _delta(runs, task)} if arm == "codex" else {}),
            }
            for arm, tasks in RERUN.items()
            for task in tasks
        ),
        note="Which tasks moved most cannot be computed again; the rows are the published ones.",
    )
