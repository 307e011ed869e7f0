# SPDX-License-Identifier: MIT
"""The published tables of matched controls and of the operational specification. Knows both campaigns of Codex."""

from functools import partial

from m4bench.analysis.descriptives import FOLLOW_UP_SEED
from m4bench.analysis.paper.arms import (
    CONTROL,
    DECOY,
    RAW_SQL,
    SKILL,
    SPECIFICATION,
    PaperRuns,
    Side,
)
from m4bench.analysis.paper.cells import PaperTable, Row, columns, design, figure
from m4bench.analysis.paper.measures import (
    Runs,
    balanced,
    high,
    interval,
    low,
    mean_delta,
)
from m4bench.analysis.paper.shape import paired_tasks
from m4bench.analysis.paper.tasks import CONTROL_TEN, SENTINEL_EIGHT
from m4bench.analysis.runs import RunRow

DECOY_SIDE, RAW_SQL_SIDE, SPECIFICATION_SIDE = Side(DECOY), Side(RAW_SQL), Side(SPECIFICATION)


def matched_controls(runs: PaperRuns) -> PaperTable:
    """Return both controls beside no-skill and with-skill on the ten tasks that had them."""
    rows: list[Row] = []
    for label, side in (("Raw reference SQL", RAW_SQL_SIDE), ("Decoy skill", DECOY_SIDE)):
        none, skill, control = (
            runs.primary.select(one, tasks=CONTROL_TEN) for one in (CONTROL, SKILL, side)
        )
        rows.append(
            {
                "control": label,
                "tasks": design(control, partial(paired_tasks, sides=(side,))),
                "no_skill": figure(none, partial(balanced, side=CONTROL)),
                "targeted": figure(skill, partial(balanced, side=SKILL)),
                "control_mean": figure(control, partial(balanced, side=side)),
                "control_targeted": figure(
                    control + skill, partial(mean_delta, treatment=side, control=SKILL)
                ),
                "control_no_skill": figure(
                    control + none, partial(mean_delta, treatment=side, control=CONTROL)
                ),
            }
        )
    return PaperTable(
        "codex_matched_controls",
        "Raw-SQL and decoy controls on ten tasks",
        ("control",),
        columns("control tasks no_skill targeted control_mean control_targeted control_no_skill"),
        tuple(rows),
        note="The published table names two columns `control`; the second, the control's mean, is `control_mean` here.",
    )


def specification_interval(
    runs: Runs, treatment: Side, control: Side
) -> tuple[float, float] | None:
    """Return the published interval over the eight tasks, drawn in the published order of tasks."""
    return interval(runs, treatment, control, seed=FOLLOW_UP_SEED, order=SENTINEL_EIGHT)


def _low(runs: Runs, treatment: Side, control: Side) -> float | None:
    return low(specification_interval(runs, treatment, control))


def _high(runs: Runs, treatment: Side, control: Side) -> float | None:
    return high(specification_interval(runs, treatment, control))


def specification_sides(
    runs: PaperRuns, tasks: tuple[str, ...] = SENTINEL_EIGHT
) -> tuple[tuple[RunRow, ...], tuple[RunRow, ...], tuple[RunRow, ...]]:
    """Return the runs without skill, with the specification and with the targeted skill on the eight tasks."""
    return (
        runs.primary.select(CONTROL, tasks=tasks),
        runs.followup.select(SPECIFICATION_SIDE, tasks=tasks),
        runs.primary.select(SKILL, tasks=tasks),
    )


def operational_specification(runs: PaperRuns) -> PaperTable:
    """Return the operational specification against no skill, and the targeted skill against it."""
    none, specification, skill = specification_sides(runs)
    rows: list[Row] = []
    comparisons = (
        ("Operational spec-no skill", specification + none, SPECIFICATION_SIDE, CONTROL),
        ("Targeted skill-operational spec", skill + specification, SKILL, SPECIFICATION_SIDE),
    )
    means = {
        CONTROL: ("no_skill", none),
        SPECIFICATION_SIDE: ("operational_spec", specification),
        SKILL: ("targeted_skill", skill),
    }
    for label, selection, treatment, control in comparisons:
        row: Row = {
            "comparison": label,
            "tasks": design(selection, partial(paired_tasks, sides=(treatment, control))),
            **dict.fromkeys(("no_skill", "operational_spec", "targeted_skill"), ""),
            **{
                means[side][0]: figure(means[side][1], partial(balanced, side=side))
                for side in (treatment, control)
            },
            "delta": figure(selection, partial(mean_delta, treatment=treatment, control=control)),
            "delta_ci_low": figure(selection, partial(_low, treatment=treatment, control=control)),
            "delta_ci_high": figure(
                selection, partial(_high, treatment=treatment, control=control)
            ),
        }
        rows.append(row)
    names = (
        "comparison tasks no_skill operational_spec targeted_skill delta delta_ci_low delta_ci_high"
    )
    return PaperTable(
        "codex_operational_spec_control",
        "The operational specification on eight tasks",
        ("comparison",),
        columns(names),
        tuple(rows),
        note="The published bootstrap drew these tasks in the order of the table by task, not alphabetically.",
    )


def specification_by_task(runs: PaperRuns) -> PaperTable:
    """Return the three conditions and both contrasts of each of the eight tasks."""
    rows: list[Row] = []
    for task in SENTINEL_EIGHT:
        none, specification, skill = specification_sides(runs, (task,))
        rows.append(
            {
                "task": task,
                "no_skill": figure(none, partial(balanced, side=CONTROL)),
                "operational_spec": figure(
                    specification, partial(balanced, side=SPECIFICATION_SIDE)
                ),
                "targeted_skill": figure(skill, partial(balanced, side=SKILL)),
                "spec_no": figure(
                    specification + none,
                    partial(mean_delta, treatment=SPECIFICATION_SIDE, control=CONTROL),
                ),
                "targeted_spec": figure(
                    skill + specification,
                    partial(mean_delta, treatment=SKILL, control=SPECIFICATION_SIDE),
                ),
            }
        )
    return PaperTable(
        "codex_operational_spec_by_task",
        "The operational specification by task",
        ("task",),
        columns("task no_skill operational_spec targeted_skill spec_no targeted_spec"),
        tuple(rows),
    )
