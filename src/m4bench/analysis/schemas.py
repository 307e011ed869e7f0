# SPDX-License-Identifier: MIT
"""How a contrast of two conditions fares when the same database is presented in another schema. Knows no headline."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from m4bench.analysis.arms import choice_of
from m4bench.analysis.estimate import THRESHOLD, counts, quick_interval, units
from m4bench.analysis.held import BlockLabels
from m4bench.analysis.order import schema_key
from m4bench.analysis.pairing import Metric, Reading, is_publishable, mean, publishable
from m4bench.analysis.pools import Pools
from m4bench.analysis.results import SchemaRobustness
from m4bench.analysis.runs import CellKey, RunRow
from m4bench.analysis.sides import NATIVE
from m4bench.model.analysis import AnalysisPlan

Cells = Mapping[CellKey, tuple[RunRow, ...]]
Means = dict[str, float]


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
    native line is over the tasks that all lines of other schemas share. Each system stands alone. Conventions, data
    sets, access and drops are kept apart, and what is not publishable stands aside as it does in the contrast.
    """
    names = BlockLabels(cells).of_systems(cells)
    reading = Reading(reward, choice_of(plan))
    families = {key.task: runs[0].family for key, runs in cells.items()}
    schemas = sorted({key.schema for key in cells} - {NATIVE}, key=schema_key)
    lines = []
    for one in asked:
        for own in Pools(cells).apart().values():
            means = _means(one, own, names, reading)
            for system in sorted({system for system, _ in means}):
                lines += _lines(one, system, schemas, means, families, plan)
    return tuple(lines)


def _means(
    asked: Asked, cells: Cells, names: Mapping[CellKey, str], reading: Reading
) -> dict[tuple[str, str], Sides]:
    """Return the means of both conditions by system and schema, of the cells that stand in each schema's contrast."""
    found: dict[tuple[str, str], Sides] = {}
    for schema in {key.schema for key in cells}:
        for condition, key, runs in _standing(asked, schema, cells, names):
            if values := reading.values(runs):
                sides = found.setdefault((names[key], schema), Sides({}, {}))
                side = sides.treatment if condition == asked.treatment else sides.control
                side[key.task] = mean(values)
    return found


def _standing(
    asked: Asked, schema: str, cells: Cells, names: Mapping[CellKey, str]
) -> list[tuple[str, CellKey, tuple[RunRow, ...]]]:
    """Return the cells of a schema that figures are made of: the publishable pairs where there are any, else all.

    A schema without any pair, for want of the control, has the publishable cells where there are any.
    """
    conditions = (asked.treatment, asked.control)
    units_of: dict[tuple[str, str], list[tuple[str, CellKey, tuple[RunRow, ...]]]] = {}
    for key, runs in cells.items():
        if key.schema == schema and key.condition in conditions:
            units_of.setdefault((names[key], key.task), []).append((key.condition, key, runs))
    pairs = [one for one in units_of.values() if len(one) == len(conditions)] or units_of.values()
    shows = any(all(publishable(runs) for *_, runs in one) for one in pairs)
    return [
        cell
        for one in units_of.values()
        if not shows or all(is_publishable([runs]) for *_, runs in one)
        for cell in one
    ]


def _lines(
    asked: Asked,
    system: str,
    schemas: Sequence[str],
    means: Mapping[tuple[str, str], Sides],
    families: Mapping[str, str],
    plan: AnalysisPlan,
) -> list[SchemaRobustness]:
    nothing = Sides({}, {})
    native = means.get((system, NATIVE), nothing)
    lines, shared = [], []
    for schema in schemas:
        altered = means.get((system, schema), nothing)
        tasks = native.both & (altered.both or frozenset(altered.treatment))
        if tasks:
            shared.append(tasks)
            line = _line(asked, system, schema, altered, sorted(tasks), families, plan)
            lines.append(_with_ratio(line, native, tasks, families, plan))
    if not lines or not (all_have := frozenset.intersection(*shared)):
        return lines
    own = _line(asked, system, NATIVE, native, sorted(all_have), families, plan)
    return [_with_ratio(own, native, all_have, families, plan), *lines]


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
        positive=counts(deltas)[0] if deltas else None,
        ratio=None,
    )


def _with_ratio(
    line: SchemaRobustness,
    native: Sides,
    tasks: Iterable[str],
    families: Mapping[str, str],
    plan: AnalysisPlan,
) -> SchemaRobustness:
    """Return the line with the native delta, and its own over that one: not where that is zero or its own not known."""
    ordered = sorted(tasks)
    weighed = units(
        [native.treatment[task] - native.control[task] for task in ordered],
        [families[task] for task in ordered],
        plan.weighting,
    )
    reference = mean(weighed.values)
    ratio = None if line.delta is None or abs(reference) <= THRESHOLD else line.delta / reference
    return line.model_copy(update={"native_delta": reference, "ratio": ratio})
