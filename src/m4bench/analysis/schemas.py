# SPDX-License-Identifier: MIT
"""How a contrast of two conditions fares when the same database is presented in another schema. Knows no headline."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from m4bench.analysis.arms import choice_of
from m4bench.analysis.estimate import THRESHOLD, counts, quick_interval, units
from m4bench.analysis.pairing import (
    BlockLabels,
    Metric,
    Reading,
    mean,
)
from m4bench.analysis.results import SchemaRobustness
from m4bench.analysis.runs import CellKey, RunRow
from m4bench.analysis.sides import NATIVE
from m4bench.model.analysis import AnalysisPlan

Cells = Mapping[CellKey, tuple[RunRow, ...]]
Means = Mapping[str, float]


class Asked(NamedTuple):
    """Two conditions compared, and the contrast that compares them."""

    contrast: str
    treatment: str
    control: str


class Sides(NamedTuple):
    """Means by task of the two conditions of one system in one schema."""

    treatment: Means
    control: Means

    @property
    def both(self) -> frozenset[str]:
        """The tasks with both."""
        return frozenset(self.treatment) & frozenset(self.control)


def schema_robustness(
    asked: Iterable[Asked], cells: Cells, reward: Metric, plan: AnalysisPlan
) -> tuple[SchemaRobustness, ...]:
    """Return a line for each contrast, system and schema that shares tasks with the native one.

    A line of another schema is over the tasks with both conditions in both schemas; where that schema lacks the
    control, over those with the treatment there and both natively: control and delta are None. The
    native line is over the tasks that all lines of other schemas share. Each system stands alone.
    """
    labels = BlockLabels(cells)
    reading = Reading(reward, choice_of(plan))
    grouped: dict[tuple[str, str, str], dict[str, list[float]]] = {}
    families: dict[str, str] = {}
    for key, runs in cells.items():
        if values := reading.values(runs):
            place = (labels.of_cell(key), key.schema, key.condition)
            grouped.setdefault(place, {}).setdefault(key.task, []).append(mean(values))
            families[key.task] = runs[0].family
    means = {
        place: {task: mean(found) for task, found in tasks.items()}
        for place, tasks in grouped.items()
    }
    systems = sorted({system for system, *_ in means})
    schemas = sorted({schema for _, schema, _ in means} - {NATIVE})
    return tuple(
        line
        for one in asked
        for system in systems
        for line in _lines(one, system, schemas, means, families, plan)
    )


def _lines(
    asked: Asked,
    system: str,
    schemas: Sequence[str],
    means: Mapping[tuple[str, str, str], Means],
    families: Mapping[str, str],
    plan: AnalysisPlan,
) -> list[SchemaRobustness]:
    native = _sides(asked, system, NATIVE, means)
    lines, shared = [], []
    for schema in schemas:
        altered = _sides(asked, system, schema, means)
        tasks = native.both & (altered.both or frozenset(altered.treatment))
        if tasks:
            shared.append(tasks)
            line = _line(asked, system, schema, altered, sorted(tasks), families, plan)
            lines.append(_with_ratio(line, native, tasks, families, plan))
    if not lines or not (all_have := frozenset.intersection(*shared)):
        return lines
    own = _line(asked, system, NATIVE, native, sorted(all_have), families, plan)
    return [_with_ratio(own, native, all_have, families, plan), *lines]


def _sides(
    asked: Asked, system: str, schema: str, means: Mapping[tuple[str, str, str], Means]
) -> Sides:
    return Sides(
        means.get((system, schema, asked.treatment), {}),
        means.get((system, schema, asked.control), {}),
    )


def _line(
    asked: Asked,
    system: str,
    schema: str,
    sides: Sides,
    tasks: Sequence[str],
    families: Mapping[str, str],
    plan: AnalysisPlan,
) -> SchemaRobustness:
    grouped = [families[task] for task in tasks]
    treatment, control = (
        mean(units([side[task] for task in tasks], grouped, plan.weighting).values)
        if all(task in side for task in tasks)
        else None
        for side in sides
    )
    deltas = (
        [sides.treatment[task] - sides.control[task] for task in tasks]
        if treatment is not None and control is not None
        else []
    )
    return SchemaRobustness(
        contrast=asked.contrast,
        schema_name=schema,
        system=system,
        tasks=len(tasks),
        treatment=treatment,
        control=control,
        delta=mean(units(deltas, grouped, plan.weighting).values) if deltas else None,
        interval=quick_interval(deltas, grouped, plan, plan.weighting) if deltas else None,
        positive=counts(deltas)[0],
        ratio=None,
    )


def _with_ratio(
    line: SchemaRobustness,
    native: Sides,
    tasks: Iterable[str],
    families: Mapping[str, str],
    plan: AnalysisPlan,
) -> SchemaRobustness:
    """Return the line with its delta over the native one; none where that is zero or either is not known."""
    ordered = sorted(tasks)
    weighed = units(
        [native.treatment[task] - native.control[task] for task in ordered],
        [families[task] for task in ordered],
        plan.weighting,
    )
    reference = mean(weighed.values)
    if line.delta is None or abs(reference) <= THRESHOLD:
        return line
    return line.model_copy(update={"ratio": line.delta / reference})
