# SPDX-License-Identifier: MIT
"""The published tables of the exploratory local arm, none of whose runs is publishable. Knows gpt-oss alone."""

from functools import partial

from m4bench.analysis.descriptives import LOCAL_SEED
from m4bench.analysis.paper.arms import (
    CONTROL,
    NATIVE,
    NO_SKILL,
    OBFUSCATED,
    RESTRUCTURED,
    SKILL,
    PaperRuns,
    Side,
)
from m4bench.analysis.paper.cells import Cell, Column, PaperTable, Row, columns, design, figure
from m4bench.analysis.paper.measures import (
    Runs,
    balanced,
    high,
    improved,
    interval,
    low,
    mean_delta,
    task_deltas,
)
from m4bench.analysis.paper.tasks import SENTINEL_EIGHT, SENTINEL_LABELS

LOCAL_LABEL = "gpt-oss-20b local"
PROBED = {
    "mimic-kdigo-48h-raw": "mimic-kdigo-48h-raw",
    "mimic-oasis-24h-raw": "mimic-oasis-24h-raw",
    "SOFA-24h raw": "mimic-sofa-24h-raw",
}


def local_interval(runs: Runs) -> tuple[float, float] | None:
    """Return the published interval of the local arm."""
    return interval(runs, SKILL, CONTROL, seed=LOCAL_SEED)


def local_effect(runs: PaperRuns) -> PaperTable:
    """Return the effect of targeted skills for the local model on eight tasks."""
    selection = runs.local.select(CONTROL, SKILL, tasks=SENTINEL_EIGHT)
    names = (
        "model no_skill with_skill task_paired_delta task_paired_delta_ci_low "
        "task_paired_delta_ci_high positive_tasks"
    )
    return PaperTable(
        "oss_native_skill_effect",
        "Effect of targeted skills, local model",
        ("model",),
        columns(names),
        (
            {
                "model": LOCAL_LABEL,
                "no_skill": figure(
                    runs.local.select(CONTROL, tasks=SENTINEL_EIGHT),
                    partial(balanced, side=CONTROL),
                ),
                "with_skill": figure(
                    runs.local.select(SKILL, tasks=SENTINEL_EIGHT), partial(balanced, side=SKILL)
                ),
                "task_paired_delta": figure(
                    selection, partial(mean_delta, treatment=SKILL, control=CONTROL)
                ),
                "task_paired_delta_ci_low": figure(
                    selection, lambda found: low(local_interval(found))
                ),
                "task_paired_delta_ci_high": figure(
                    selection, lambda found: high(local_interval(found))
                ),
                "positive_tasks": figure(
                    selection, partial(improved, treatment=SKILL, control=CONTROL)
                ),
            },
        ),
        note="Exploratory: 110 local runs, none publishable.",
    )


def _ranked(runs: Runs) -> list[str]:
    deltas = task_deltas(runs, SKILL, CONTROL)
    return sorted(deltas, key=lambda task: (-deltas[task], task))


def _order(runs: Runs) -> str:
    return "\n".join(SENTINEL_LABELS[task] for task in _ranked(runs))


def local_deltas(runs: PaperRuns) -> PaperTable:
    """Return both conditions and the delta of each of the eight tasks, largest first."""
    both = runs.local.select(CONTROL, SKILL, tasks=SENTINEL_EIGHT)
    rows: list[Row] = []
    for task in _ranked(both):
        none, skill = (runs.local.select(side, tasks=[task]) for side in (CONTROL, SKILL))
        rows.append(
            {
                "task": SENTINEL_LABELS[task],
                "no_skill": figure(none, partial(balanced, side=CONTROL)),
                "with_skill": figure(skill, partial(balanced, side=SKILL)),
                "delta": figure(
                    none + skill, partial(mean_delta, treatment=SKILL, control=CONTROL)
                ),
            }
        )
    return PaperTable(
        "oss_task_deltas",
        "Deltas by task, local model",
        ("task",),
        columns("task no_skill with_skill delta"),
        tuple(rows),
        order=figure(both, _order),
    )


def local_schemas(runs: PaperRuns) -> PaperTable:
    """Return rewards without skill on three tasks by schema; two of them have no native runs."""
    rows: list[Row] = []
    for label, task in PROBED.items():
        row: dict[str, Cell] = {"task": label}
        for schema in (NATIVE, OBFUSCATED, RESTRUCTURED):
            side = Side(NO_SKILL, schema)
            found = runs.local.select(side, tasks=[task])
            row[schema] = (
                figure(found, partial(balanced, side=side))
                if found
                else design(found, lambda keys: None)
            )
        rows.append(row)
    return PaperTable(
        "oss_schema_probe",
        "Rewards without skill by schema, local model",
        ("task",),
        (Column("task"), *columns("native obfuscated restructured", absent="NA")),
        tuple(rows),
    )
