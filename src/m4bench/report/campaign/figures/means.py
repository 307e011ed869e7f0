# SPDX-License-Identifier: MIT
"""Means of cells that figures draw, of one convention, by task, condition, schema and system. Knows no chart."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from m4bench.analysis.runs import RunRow, RunTable, entering
from m4bench.model.analysis import Denominator

PREFERRED = "published"
ASIDE = " What may not be published stands aside where other runs are."


class Place(NamedTuple):
    """Where a mean stands: a task under a condition and a schema by a system."""

    task: str
    condition: str
    schema: str
    system: str


@dataclass(frozen=True)
class Mean:
    """The mean reward of a cell's runs, how many of them pass strictly, and whether all may be published."""

    reward: float
    passes: int
    runs: int
    publishable: bool


@dataclass(frozen=True)
class Means:
    """The cells of a table that were scored under one convention.

    `settings` is the largest number of settings that one mean is over: 1 where all else was held equal.
    """

    convention: str
    cells: dict[Place, Mean]
    families: dict[str, str]
    settings: int

    def where(self, keep: Callable[[Place], bool]) -> "Means":
        """Return the means whose place is to be kept."""
        kept = {place: mean for place, mean in self.cells.items() if keep(place)}
        return Means(self.convention, kept, self.families, self.settings)

    def publishable_first(self) -> "Means":
        """Return the means without those that may not be published, under a condition and schema that has others."""
        better = {(at.condition, at.schema) for at, mean in self.cells.items() if mean.publishable}
        return self.where(
            lambda at: self.cells[at].publishable or (at.condition, at.schema) not in better
        )

    def tasks(self) -> list[str]:
        """Return the tasks by family and name."""
        return sorted({place.task for place in self.cells}, key=lambda t: (self.families[t], t))


def conventions(table: RunTable) -> list[str]:
    """Return the conventions runs were scored under, the one the figures show first."""
    counted = Counter(run.setting.convention for run in table if run.valid)
    return sorted(counted, key=lambda name: (name != PREFERRED, -counted[name], name))


def means(
    table: RunTable, denominator: Denominator = "valid", convention: str | None = None
) -> Means:
    """Return the means of cells under a convention, by default the one that figures show.

    Args:
        table: all runs.
        denominator: `valid`, or `all`, where a run without a measurement is a reward of 0.
        convention: the name of one that runs were scored under.
    """
    shown = convention or next(iter(conventions(table)), PREFERRED)
    found: dict[Place, list[tuple[RunRow, ...]]] = {}
    for key, runs in table.cells().items():
        counted = entering(runs)
        if denominator == "all":
            counted += tuple(run for run in runs if not (run.valid and run.reward is not None))
        if counted and key.setting.convention == shown:
            place = Place(key.task, key.condition, key.schema, str(key.system))
            found.setdefault(place, []).append(counted)
    cells = {place: _mean(groups) for place, groups in found.items()}
    return Means(shown, cells, table.families(), max(map(len, found.values()), default=1))


def _mean(groups: Iterable[tuple[RunRow, ...]]) -> Mean:
    """Return the mean over settings, each equal, of the means of their runs."""
    several = list(groups)
    runs = [run for group in several for run in group]
    return Mean(
        fmean(fmean(run.reward or 0.0 for run in group) for group in several),
        sum(run.strict for run in runs),
        len(runs),
        all(run.publishable for run in runs),
    )
