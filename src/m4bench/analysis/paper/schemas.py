# SPDX-License-Identifier: MIT
"""The published tables of transformed schemas, of which the no-skill arm was not released. Knows gpt-5.4-mini alone.

Where a run table does hold that arm, the tables are filled from it.
"""

from collections.abc import Callable, Sequence
from functools import partial

from m4bench.analysis.descriptives import FOLLOW_UP_SEED
from m4bench.analysis.paper.arms import (
    CONTROL,
    MINI,
    NATIVE,
    NO_SKILL,
    OBFUSCATED,
    RESTRUCTURED,
    TRANSFORMED,
    WITH_SKILL,
    PaperRuns,
    Side,
)
from m4bench.analysis.paper.cells import (
    Cell,
    Column,
    PaperTable,
    Row,
    RunKey,
    Value,
    columns,
    definition,
    design,
    figure,
)
from m4bench.analysis.paper.measures import (
    Runs,
    balanced,
    high,
    improved,
    interval,
    low,
    mean_delta,
)
from m4bench.analysis.paper.shape import paired_tasks
from m4bench.analysis.paper.tasks import MIMIC_TASKS
from m4bench.analysis.runs import RunRow

PROBED = {
    "suspected infection": "mimic-suspicion-infection",
    "Sepsis-3 raw": "mimic-sepsis3-raw",
    "KDIGO-48h": "mimic-kdigo-48h",
    "MELD-24h": "mimic-meld-24h",
    "ventilation": "mimic-ventilation",
    "vasopressor equivalents": "mimic-vasopressor-equivalents",
}
AVERAGE = "Average over matched tasks"


def schema_probe(runs: PaperRuns) -> PaperTable:
    """Return rewards without skill by schema; the native ones by the primary campaign stand in a column of ours."""
    rows: list[Row] = []
    for label, tasks in (
        (AVERAGE, MIMIC_TASKS),
        *((name, (task,)) for name, task in PROBED.items()),
    ):
        selection = runs.primary.select(CONTROL, tasks=tasks, models=[MINI])
        row: dict[str, Cell] = {
            "task": label,
            "native_of_primary": figure(selection, partial(balanced, side=CONTROL)),
        }
        for schema in TRANSFORMED:
            found = runs.transformed_control.select(
                Side(NO_SKILL, schema), tasks=tasks, models=[MINI]
            )
            if found:
                row[schema] = figure(found, partial(balanced, side=Side(NO_SKILL, schema)))
        rows.append(row)
    return PaperTable(
        "codex_schema_probe",
        "Rewards without skill by schema, gpt-5.4-mini",
        ("task",),
        (*columns("task native obfuscated restructured"), Column("native_of_primary", added=True)),
        tuple(rows),
        note=(
            "The published native column is of the exploratory runs of April; `native_of_primary` is the primary "
            "campaign's, by which the generalisation table is made."
        ),
    )


def _selection(
    runs: PaperRuns, schema: str, tasks: frozenset[str]
) -> dict[str, tuple[RunRow, ...]]:
    """Return the runs of both sides in a schema on the given tasks."""
    native = schema == NATIVE
    control = runs.primary if native else runs.transformed_control
    skill = runs.primary if native else runs.followup
    return {
        condition: campaign.select(Side(condition, schema), tasks=tasks, models=[MINI])
        for condition, campaign in ((NO_SKILL, control), (WITH_SKILL, skill))
    }


def _comparison(selection: Runs, schema: str, low_name: str, high_name: str) -> dict[str, Cell]:
    """Return what needs both sides."""
    skill, none = Side(WITH_SKILL, schema), Side(NO_SKILL, schema)

    def drawn(end: Callable[[tuple[float, float] | None], float | None]) -> Cell:
        return figure(
            selection, lambda found: end(interval(found, skill, none, seed=FOLLOW_UP_SEED))
        )

    return {
        "skill_delta": figure(selection, partial(mean_delta, treatment=skill, control=none)),
        low_name: drawn(low),
        high_name: drawn(high),
        "positive_tasks": figure(selection, partial(improved, treatment=skill, control=none)),
    }


def _ratio(selection: Runs, schema: str) -> Value:
    transformed = mean_delta(selection, Side(WITH_SKILL, schema), Side(NO_SKILL, schema))
    native = mean_delta(selection, Side(WITH_SKILL), Side(NO_SKILL))
    return transformed / native if transformed is not None and native else None


def _row(
    runs: PaperRuns, schema: str, tasks: frozenset[str], ends: tuple[str, str]
) -> dict[str, Cell]:
    """Return a schema's row on the given tasks: all of it where both sides have runs, else what the one has."""
    sides = _selection(runs, schema, tasks)
    both = sides[NO_SKILL] + sides[WITH_SKILL]
    row: dict[str, Cell] = {"schema": schema}
    for condition, name in ((NO_SKILL, "no_skill"), (WITH_SKILL, "with_skill")):
        if sides[condition]:
            row[name] = figure(sides[condition], partial(balanced, side=Side(condition, schema)))
    if not all(sides.values()):
        return row
    row["tasks"] = design(
        both, partial(paired_tasks, sides=(Side(NO_SKILL, schema), Side(WITH_SKILL, schema)))
    )
    row |= _comparison(both, schema, *ends)
    if schema == NATIVE:
        row["robustness_ratio"] = definition(1.0)
    else:
        native = _selection(runs, NATIVE, tasks)
        selection = both + native[NO_SKILL] + native[WITH_SKILL]
        row["robustness_ratio"] = figure(selection, partial(_ratio, schema=schema))
    return row


def _paired(runs: PaperRuns) -> frozenset[str]:
    """Return the tasks that both transformed sides have."""
    sides = (runs.transformed_control, runs.followup)
    found = [
        {run.task for run in side.select(*(Side(c, s) for s in TRANSFORMED), models=[MINI])}
        for side, c in zip(sides, (NO_SKILL, WITH_SKILL), strict=True)
    ]
    return frozenset(found[0] & found[1])


def _nothing(keys: Sequence[RunKey]) -> None:
    """Return that there is no figure where no task is paired."""


def _unpaired(runs: PaperRuns, schema: str, ends: tuple[str, str]) -> Row:
    """Return the row of a schema where no task has both transformed sides."""
    found = runs.transformed_control.runs + runs.followup.runs
    sides = [Side(condition, one) for one in TRANSFORMED for condition in (NO_SKILL, WITH_SKILL)]
    absent = ("no_skill", "with_skill", "skill_delta", *ends, "robustness_ratio")
    return {
        "schema": schema,
        "tasks": design(found, partial(paired_tasks, sides=sides)),
        **{name: design(found, _nothing) for name in absent},
        "positive_tasks": design(found, partial(_none_of, sides=sides)),
    }


def _none_of(keys: Sequence[RunKey], sides: Sequence[Side]) -> str:
    return f"0/{paired_tasks(keys, sides)}"


def generalisation(runs: PaperRuns) -> PaperTable:
    """Return the release's table: only tasks that have transformed runs with and without skill, here none."""
    ends = ("skill_delta_ci_low", "skill_delta_ci_high")
    tasks = _paired(runs)
    rows: list[Row] = []
    for schema in (NATIVE, OBFUSCATED, RESTRUCTURED):
        if tasks:
            rows.append(_row(runs, schema, tasks, ends))
            continue
        rows.append(_unpaired(runs, schema, ends))
    return PaperTable(
        "codex_schema_skill_generalization",
        "Effect of targeted skills by schema, as released",
        ("schema",),
        (
            *columns("schema tasks"),
            *columns(" ".join(("no_skill with_skill skill_delta", *ends)), absent="NA"),
            Column("positive_tasks"),
            Column("robustness_ratio", absent="NA"),
        ),
        tuple(rows),
        note="The release pairs transformed runs with transformed runs without skill, which it does not hold.",
    )


def camera_ready_generalisation(runs: PaperRuns) -> PaperTable:
    """Return the camera-ready table as far as released runs go: native, and with skill on transformed schemas."""
    skilled = runs.followup.select(
        *(Side(WITH_SKILL, schema) for schema in TRANSFORMED), models=[MINI]
    )
    tasks = _paired(runs) or frozenset(run.task for run in skilled)
    names = "schema tasks no_skill with_skill skill_delta ci_low ci_high positive_tasks robustness_ratio"
    return PaperTable(
        "camera_ready_schema_skill_generalization",
        "Effect of targeted skills by schema, camera-ready",
        ("schema",),
        columns(names),
        tuple(
            _row(runs, schema, tasks, ("ci_low", "ci_high"))
            for schema in (NATIVE, OBFUSCATED, RESTRUCTURED)
        ),
    )
