# SPDX-License-Identifier: MIT
"""Which cells of two arms belong together, and what a cell's runs come to. Knows no interval and no test."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import NDArray

from m4bench.analysis.held import BlockLabels, Held, held_of
from m4bench.analysis.runs import CellKey, RunRow, RunTable, entering
from m4bench.analysis.sides import Sides
from m4bench.model.outcome import COMPLETED

Runs = Sequence[RunRow]
Cells = tuple[tuple[RunRow, ...], ...]
Choice = Callable[[Runs], Runs]
Values = NDArray[np.float64]


@dataclass(frozen=True)
class Pair:
    """Cells of one task that differ in nothing but what the two sides name.

    `block` tells what is held equal, the system first: a unit that weighs as every other in a task's delta.
    """

    task: str
    family: str
    mode: str
    block: str
    treatment: Cells
    control: Cells

    @property
    def cells(self) -> Cells:
        """The cells of both sides."""
        return self.treatment + self.control


def is_publishable(cells: Iterable[Runs]) -> bool:
    """Tell whether figures of these cells stand on publishable runs; cells without a measurement are no objection."""
    chosen = [run for runs in cells for run in entering(runs)]
    return not chosen or any(run.publishable for run in chosen)


@dataclass(frozen=True)
class Pairing:
    """The pairs of a contrast, and what has none: `missing` names it, `notes` say what was not held equal."""

    pairs: tuple[Pair, ...]
    missing: tuple[str, ...]
    notes: tuple[str, ...] = ()


def pair(cells: Mapping[CellKey, tuple[RunRow, ...]], sides: Sides) -> Pairing:
    """Find the cells of both sides that belong together: all equal but what a side names.

    Reasoning effort is held equal too, unless an agent or model is compared and no cells of equal effort are
    there: models have scales of their own. A note then says so.

    Args:
        cells: the runs of each cell, in order.
        sides: the contrast.
    """
    named = sides.treatment.named | sides.control.named
    labels = BlockLabels(cells)
    found = _pair(cells, sides, named, labels)
    if not found.pairs and named & {"agent", "model"} and "effort" not in named:
        relaxed = _pair(cells, sides, named | {"effort"}, labels)
        if relaxed.pairs:
            note = "reasoning effort is not held equal: the two sides have no common one"
            return Pairing(relaxed.pairs, relaxed.missing, (note,))
    return found


def _pair(
    cells: Mapping[CellKey, tuple[RunRow, ...]],
    sides: Sides,
    named: frozenset[str],
    labels: BlockLabels,
) -> Pairing:
    gathered: dict[Held, tuple[list[tuple[RunRow, ...]], list[tuple[RunRow, ...]]]] = {}
    for key, runs in cells.items():
        for index, side in enumerate((sides.treatment, sides.control)):
            if side.matches(runs[0]):
                gathered.setdefault(held_of(key, named), ([], []))[index].append(runs)
    pairs, missing = [], []
    names = labels.of(gathered)
    for held in sorted(gathered):
        treatment, control = gathered[held]
        if treatment and control:
            first = treatment[0][0]
            pairs.append(
                Pair(
                    held.task,
                    first.family,
                    first.mode,
                    names[held],
                    tuple(treatment),
                    tuple(control),
                )
            )
        else:
            absent = sides.control if treatment else sides.treatment
            missing.append(f"{held.task}, {names[held]}: no {absent.label}")
    return Pairing(tuple(pairs), tuple(missing))


@dataclass(frozen=True)
class Metric:
    """A number of a run. `better` is 1 where more is better and -1 where less is; `of` is None where undefined.

    `bounded`: it lies between 0 and 1.
    """

    name: str
    better: int
    of: Callable[[RunRow], float | None]
    bounded: bool = True


def metrics(table: RunTable) -> dict[str, Metric]:
    """Return the metrics of runs by name, reward first.

    Key F1 of a run that left nothing to evaluate is 0 where another run of its cell tells one: keys can be counted
    there, and were. In a cell without any it is not known, whatever other rows of the same file tell, so that runs
    give the same from one file as from several. Ordered nMAE is less the better; it exists for runs with an output
    in tasks with ordered columns only.
    """
    keyed = {run.cell for run in table if run.key_f1 is not None}

    def key_f1(run: RunRow) -> float | None:
        if run.key_f1 is None and run.state != COMPLETED and run.cell in keyed:
            return 0.0
        return run.key_f1

    return {
        metric.name: metric
        for metric in (
            Metric("reward", 1, lambda run: run.reward if run.reward is not None else 0.0),
            Metric("strict", 1, lambda run: float(run.strict)),
            Metric("key_f1", 1, key_f1),
            Metric("ordered_nmae", -1, lambda run: run.ordered_nmae, bounded=False),
        )
    }


def measured(runs: Runs) -> Runs:
    """Choose every measured run, publishable or not."""
    return [run for run in runs if run.valid and run.reward is not None]


def unmeasured(runs: Runs) -> Runs:
    """Choose the runs without a measurement."""
    return [run for run in runs if not run.valid or run.reward is None]


def strict_passes(runs: Runs) -> int:
    """Return how many runs passed strictly; one without a measurement passed nothing, whatever its row says."""
    return sum(run.strict for run in measured(runs))


def completed(runs: Runs) -> Runs:
    """Choose the entering runs that completed: an agent's failures are left out."""
    return [run for run in entering(runs) if run.state == COMPLETED]


def publishable(runs: Runs) -> Runs:
    """Choose the publishable measured runs."""
    return [run for run in measured(runs) if run.publishable]


def with_unmeasured(choose: Choice) -> Choice:
    """Return the choice of the same measured runs and of those without a measurement, which then stand as 0.

    A cell whose measured runs are all left out stays out: it has a measurement, and not of this kind.
    """

    def chosen(runs: Runs) -> Runs:
        kept = choose(runs)
        return (*kept, *unmeasured(runs)) if kept or not measured(runs) else ()

    return chosen


entering_and_unmeasured = with_unmeasured(entering)
"""Chooses the entering runs and those without a measurement."""


@dataclass(frozen=True)
class Reading:
    """What a cell comes to: a metric of the runs that are chosen."""

    metric: Metric
    choose: Choice = entering

    def values(self, runs: Runs) -> list[float]:
        """Return the numbers of a cell's runs; a run without a measurement is 0 in any metric but nMAE."""
        return [value for _, value in self._read(runs)]

    def runs(self, runs: Runs) -> list[RunRow]:
        """Return a cell's runs that have a number."""
        return [run for run, _ in self._read(runs)]

    def _read(self, runs: Runs) -> Iterator[tuple[RunRow, float]]:
        for run in self.choose(runs):
            unmeasured_run = not run.valid or run.reward is None
            value = 0.0 if unmeasured_run and self.metric.better > 0 else self.metric.of(run)
            if value is not None:
                yield run, value


@dataclass(frozen=True)
class BlockEffect:
    """One pair under a reading: the two means, and the numbers of the runs they are means of."""

    treatment: float
    control: float
    treatment_values: Values
    control_values: Values

    @property
    def delta(self) -> float:
        """Treatment minus control."""
        return self.treatment - self.control


@dataclass(frozen=True)
class TaskEffect:
    """One task of a contrast under a reading: a mean over blocks, each equal."""

    task: str
    family: str
    mode: str
    blocks: Mapping[str, BlockEffect]

    @property
    def treatment(self) -> float:
        """The mean of the treatment's means."""
        return mean(block.treatment for block in self.blocks.values())

    @property
    def control(self) -> float:
        """The mean of the control's means."""
        return mean(block.control for block in self.blocks.values())

    @property
    def delta(self) -> float:
        """The mean of the blocks' deltas."""
        return mean(block.delta for block in self.blocks.values())


def mean(values: Iterable[float]) -> float:
    """Return the mean, summed exactly, so that no order of summation shows in it.

    Raises:
        ZeroDivisionError: there is no value.
    """
    listed = list(values)
    return fsum(listed) / len(listed)


def task_effects(pairs: Iterable[Pair], reading: Reading) -> tuple[TaskEffect, ...]:
    """Return the effects by task, in alphabetical order, of the pairs with a number on both sides."""
    found: dict[str, tuple[Pair, dict[str, BlockEffect]]] = {}
    for one in pairs:
        treatment, control = _side(one.treatment, reading), _side(one.control, reading)
        if treatment is None or control is None:
            continue
        _, blocks = found.setdefault(one.task, (one, {}))
        blocks[one.block] = BlockEffect(treatment[0], control[0], treatment[1], control[1])
    return tuple(
        TaskEffect(task, one.family, one.mode, blocks)
        for task, (one, blocks) in sorted(found.items())
    )


def _side(cells: Cells, reading: Reading) -> tuple[float, Values] | None:
    """Return the mean of the cells' means, each cell equal, and all numbers; None where there is none."""
    filled = [values for values in (reading.values(runs) for runs in cells) if values]
    if not filled:
        return None
    return mean(mean(values) for values in filled), np.array(
        [value for values in filled for value in values], dtype=np.float64
    )


def within(effects: Iterable[TaskEffect], block: str) -> tuple[TaskEffect, ...]:
    """Return the effects of one block alone."""
    return tuple(
        TaskEffect(one.task, one.family, one.mode, {block: one.blocks[block]})
        for one in effects
        if block in one.blocks
    )


def blocks(effects: Iterable[TaskEffect]) -> tuple[str, ...]:
    """Return the names of all blocks, in order."""
    return tuple(sorted({block for one in effects for block in one.blocks}))
