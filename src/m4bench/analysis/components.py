# SPDX-License-Identifier: MIT
"""Where rewards vary under one condition and schema: families, tasks, systems, cells, trials. Knows no contrast."""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt
from typing import NamedTuple

from m4bench.analysis.arms import choice_of
from m4bench.analysis.held import BlockLabels
from m4bench.analysis.order import condition_key, schema_key
from m4bench.analysis.pairing import Metric, Reading, is_publishable
from m4bench.analysis.pools import Pools
from m4bench.analysis.results import Component, VarianceComponents
from m4bench.analysis.runs import CellKey, RunRow
from m4bench.analysis.words import joined
from m4bench.model.analysis import AnalysisPlan
from m4bench.stats.variance_components import variance_components

Cells = Mapping[CellKey, tuple[RunRow, ...]]
FAMILY, TASK, SYSTEM, CELL, TRIAL = "family", "task", "system", "task × system", "trial"

DECIMALS = 9
"""An optimum is found to no more decimals on every machine."""


class Found(NamedTuple):
    """The components of every condition and schema, and what could not be told apart where."""

    components: tuple[VarianceComponents, ...]
    notes: tuple[str, ...]


Place = tuple[str, str, str]
"""Condition, schema and the name of the setting."""


def _order(place: Place, settings: Sequence[str]) -> tuple[object, ...]:
    condition, schema, setting = place
    return condition_key(condition), schema_key(schema), settings.index(setting)


def components(cells: Cells, reward: Metric, plan: AnalysisPlan) -> Found:
    """Estimate the components of each condition and schema with two systems or two trials of a cell.

    Conventions, data sets, access and drops are kept apart: the same runs scored in two ways are no two measurements.
    Baselines stand aside beside agents, and cells that are not publishable where others are. A factor that the runs
    cannot tell from what lies below it (one system; one trial a cell) is left out, and a note names it. A system in
    two settings counts as two systems.
    """
    reading = Reading(reward, choice_of(plan))
    grouped: dict[Place, list[tuple[CellKey, list[float]]]] = {}
    names: dict[CellKey, str] = {}
    pools = Pools(cells).apart()
    settings = list(pools)
    for setting, own in pools.items():
        names |= BlockLabels(own).of_systems(own)
        for key, runs in own.items():
            if values := reading.values(runs):
                grouped.setdefault((key.condition, key.schema, setting), []).append((key, values))
    found, notes = [], []
    for (condition, schema, setting), every in sorted(
        grouped.items(), key=lambda one: _order(one[0], settings)
    ):
        of_agents = [one for one in every if not cells[one[0]][0].is_baseline] or every
        filled = [one for one in of_agents if is_publishable([cells[one[0]]])] or of_agents
        systems = {names[key] for key, _ in filled}
        count = sum(len(values) for _, values in filled)
        if count < 2 or (len(systems) < 2 and max(len(values) for _, values in filled) < 2):
            continue
        families = {key: cells[key][0].family for key, _ in filled}
        one, left_out = _of(condition, schema, filled, families, names)
        found.append(one.model_copy(update={"setting": setting}))
        if left_out:
            place = ", ".join(part for part in (condition, f"schema {schema}", setting) if part)
            notes.append(
                f"variance under {place}: these runs cannot tell that of {joined(left_out)} from the rest"
            )
    return Found(tuple(found), tuple(notes))


def _of(
    condition: str,
    schema: str,
    filled: Sequence[tuple[CellKey, list[float]]],
    families: Mapping[CellKey, str],
    systems: Mapping[CellKey, str],
) -> tuple[VarianceComponents, tuple[str, ...]]:
    rows = [(key, value) for key, values in filled for value in values]
    fitted = variance_components(
        [value for _, value in rows],
        {
            FAMILY: [families[key] for key, _ in rows],
            TASK: [key.task for key, _ in rows],
            SYSTEM: [systems[key] for key, _ in rows],
            CELL: [(key.task, systems[key]) for key, _ in rows],
        },
    )
    estimates = {**fitted.estimates, TRIAL: fitted.residual}
    variances = {name: round(variance, DECIMALS) for name, variance in estimates.items()}
    levels = {**fitted.levels, TRIAL: len(rows)}
    return (
        VarianceComponents(
            condition=condition,
            schema_name=schema,
            runs=len(rows),
            cells=fitted.levels[CELL],
            components=tuple(_shares(variances, levels)),
            converged=fitted.converged,
        ),
        fitted.left_out,
    )


def _shares(variances: Mapping[str, float], levels: Mapping[str, int]) -> Iterable[Component]:
    total = fsum(variances.values())
    for name, variance in variances.items():
        yield Component(
            name=name,
            variance=variance,
            deviation=sqrt(variance),
            share=variance / total if total else 0.0,
            levels=levels[name],
        )
