# SPDX-License-Identifier: MIT
"""Runs as boards: the systems that were asked alike, with what the analysis says of them. Knows no page.

A board is a condition and a schema in one setting. What differs in any of them is never on one board, and what
may not be published is beside a board, not on it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from m4bench.analysis.arms import arms, usual_trials
from m4bench.analysis.order import condition_key, convention_key, schema_key
from m4bench.analysis.pairing import metrics
from m4bench.analysis.progress import Progress
from m4bench.analysis.results import ArmResult, Pair, Standing
from m4bench.analysis.runs import NOT_TOLD as NOT_TOLD
from m4bench.analysis.runs import CellKey, RunRow, RunTable, Setting, System, entering
from m4bench.analysis.standings import standings
from m4bench.model.analysis import AnalysisPlan
from m4bench.model.errors import InputError

SIGN = re.compile(r"[a-zA-Z]\d*")  # of many groups a sign is a letter with a number


class Place(NamedTuple):
    """What systems on one board have in common."""

    condition: str
    schema: str
    setting: Setting


@dataclass(frozen=True)
class CellFigures:
    """A task by a system at a place: the mean over the runs that enter, and how many stand behind it."""

    reward: float | None
    strict_passes: int
    entering: int
    runs: int
    publishable: bool


@dataclass(frozen=True)
class Entry:
    """A system at a place; `standing` is None beside the board, where nothing is compared."""

    system: System
    arm: ArmResult
    standing: Standing | None = None
    cells: Mapping[str, CellFigures] = field(default_factory=dict)

    @property
    def reward(self) -> float | None:
        """The mean the system stands with."""
        return self.arm.reward if self.standing is None else self.standing.reward

    @property
    def tasks(self) -> int:
        """How many tasks that mean is over."""
        return self.arm.tasks if self.standing is None else self.standing.tasks

    @property
    def trials(self) -> int:
        """How many trials of a task usually count."""
        return usual_trials([cell.entering for cell in self.cells.values()])


@dataclass(frozen=True)
class Board:
    """The systems at a place, highest reward first, and beside them those that may not be published."""

    place: Place
    entries: tuple[Entry, ...]
    aside: tuple[Entry, ...]
    pairs: tuple[Pair, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def tasks(self) -> int:
        """How many tasks the systems on the board stand with; one with fewer is marked."""
        return max((entry.tasks for entry in self.entries), default=0)

    @property
    def runs(self) -> int:
        """How many runs stand behind the board."""
        return sum(entry.arm.runs for entry in self.entries)

    @property
    def letters(self) -> dict[str, tuple[System, ...]]:
        """The systems of each tie group by its letter, in the order of the board."""
        found: dict[str, list[System]] = {}
        for entry in self.entries:
            for letter in SIGN.findall(entry.standing.letters) if entry.standing else ():
                found.setdefault(letter, []).append(entry.system)
        return {letter: tuple(systems) for letter, systems in found.items()}

    @property
    def has_ties(self) -> bool:
        """Whether two systems share a letter and others do not."""
        sizes = [len(systems) for systems in self.letters.values()]
        return len(sizes) > 1 and max(sizes) > 1


def boards(
    table: RunTable, plan: AnalysisPlan, progress: Progress | None = None
) -> tuple[Board, ...]:
    """Return a board a place, those of most systems first, and of as many as places are told everywhere.

    Args:
        table: all runs, of any settings.
        plan: how tasks weigh and intervals are made; its contrasts are not made here.
        progress: told each place as it is begun.

    Raises:
        InputError: two systems would be written alike.
    """
    _refuse_alike({run.system for run in table})
    runs: dict[Place, list[RunRow]] = {}
    for run in table:
        runs.setdefault(Place(run.condition, run.schema, run.setting), []).append(run)
    found = []
    for number, place in enumerate(sorted(runs, key=place_order)):
        if progress is not None:
            progress("comparing", number, len(runs))
        found.append(_board(place, replace(table, runs=tuple(runs[place])), plan))
    return tuple(sorted(found, key=lambda board: -len(board.entries)))


def comparable(table: RunTable) -> RunTable:
    """Return the table, in the same order, in which what may be taken together is together and nothing else.

    A task of which there are several versions is a task a version. Datasets are one where no task has runs on
    two of them, as MIMIC-IV's and eICU's tasks. Runs of several sandboxes stand together, as those that were
    not isolated are not publishable.
    """
    named = table.versions_apart().runs
    pools = dataset_pools(named)
    return replace(
        table,
        runs=tuple(
            replace(run, setting=run.setting._replace(sandbox="", **pools[_data(run)]._asdict()))
            for run in named
        ),
    )


class Dataset(NamedTuple):
    """What runs were made on: the name of a dataset or of several together, and their hashes."""

    dataset: str
    dataset_hash: str


def dataset_pools(runs: Sequence[RunRow]) -> dict[tuple[str, Dataset], Dataset]:
    """Return by access and dataset what a run's dataset is together with others that no task tells apart.

    Where any task has runs on two datasets of one access, each stands alone.
    """
    of_task: dict[tuple[str, str], set[Dataset]] = {}
    every: dict[str, set[Dataset]] = {}
    for run in runs:
        access, dataset = _data(run)
        of_task.setdefault((access, run.task), set()).add(dataset)
        every.setdefault(access, set()).add(dataset)
    apart = {access for (access, _), found in of_task.items() if len(found) > 1}
    pools = {}
    for access, found in every.items():
        together = Dataset(
            " + ".join(sorted({one.dataset for one in found} - {""})),
            " + ".join(sorted({one.dataset_hash for one in found} - {""})),
        )
        for one in found:
            pools[access, one] = one if access in apart else together
    return pools


def _data(run: RunRow) -> tuple[str, Dataset]:
    return run.setting.access, Dataset(run.setting.dataset, run.setting.dataset_hash)


def is_measured(run: RunRow) -> bool:
    """Tell whether a run is a measurement."""
    return run.valid and run.reward is not None


def _refuse_alike(systems: Iterable[System]) -> None:
    written: dict[str, System] = {}
    for system in sorted(systems):
        if written.setdefault(str(system), system) != system:
            raise InputError(
                "two systems would be written alike, with agent, model and effort divided otherwise",
                remedy="rename one of them, or leave its runs out",
            )


def _divided(table: RunTable) -> tuple[RunTable, RunTable]:
    """Return the runs of a place that are on its board and those beside it.

    On the board: those that may be published, and of the same systems those without a measurement, which are
    counted there.
    """
    shown = {run.system for run in table if run.publishable and is_measured(run)}

    def is_official(run: RunRow) -> bool:
        return run.system in shown and (run.publishable or not is_measured(run))

    return table.where(is_official), table.where(lambda run: not is_official(run))


def _board(place: Place, table: RunTable, plan: AnalysisPlan) -> Board:
    on, beside = _divided(table)
    entries, aside = _entries(on, plan), _entries(beside, plan)
    compared = standings(on.cells(), metrics(on)["reward"], plan)
    found = compared[0] if compared else None
    standing = {one.system: one for one in found.standings} if found else {}
    seated = [replace(entry, standing=standing.get(str(entry.system))) for entry in entries]
    return Board(
        place,
        tuple(sorted(seated, key=_reward_order)),
        tuple(sorted(aside, key=_reward_order)),
        found.pairs if found else (),
        found.notes if found else (),
    )


def _entries(table: RunTable, plan: AnalysisPlan) -> list[Entry]:
    cells: dict[System, dict[str, CellFigures]] = {}
    for key, figures in _cells(table, plan):
        cells.setdefault(key.system, {})[key.task] = figures
    found = []
    for arm in arms(table.cells(), metrics(table), plan):
        system = System(arm.agent, arm.model, arm.effort)
        found.append(Entry(system, arm, cells=cells[system]))
    return found


def _cells(table: RunTable, plan: AnalysisPlan) -> Iterator[tuple[CellKey, CellFigures]]:
    for key, runs in table.cells().items():
        standing = entering(runs)
        rewards = [run.reward or 0.0 for run in standing]
        if plan.denominator == "all":
            rewards += [0.0 for run in runs if not is_measured(run)]
        yield (
            key,
            CellFigures(
                reward=sum(rewards) / len(rewards) if rewards else None,
                strict_passes=sum(run.strict for run in standing),
                entering=len(standing),
                runs=len(runs),
                publishable=bool(standing) and all(run.publishable for run in standing),
            ),
        )


def _reward_order(entry: Entry) -> tuple[float, str]:
    return -(entry.reward if entry.reward is not None else -1.0), str(entry.system)


def place_order(place: Place) -> tuple[object, ...]:
    """Return by what places are ordered: setting, then schema and condition as they are told everywhere."""
    return (
        convention_key(place.setting.convention),
        place.setting,
        schema_key(place.schema),
        condition_key(place.condition),
    )
