# SPDX-License-Identifier: MIT
"""Which runs may be taken together: of one convention, data, access and drops. Knows no contrast and no figure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from m4bench.analysis.held import hidden_by, short_hashes, told
from m4bench.analysis.order import convention_key
from m4bench.analysis.runs import CellKey, RunRow
from m4bench.analysis.words import joined

Cells = Mapping[CellKey, tuple[RunRow, ...]]
"""The convention that is told first."""


class Pool(NamedTuple):
    """What cells that are taken together have in common; empty where the sides of a contrast name it."""

    convention: str
    dataset: str
    drops: str
    access: str


class DatasetPools:
    """Which data sets may be covered together.

    Those of one access whose tasks do not overlap, as MIMIC-IV's and eICU's, are one: the task says which
    it runs on. Where a task has runs on two of them, each data set of that access stands alone, as does each
    content of one, by its hash.
    """

    def __init__(self, cells: Iterable[CellKey]) -> None:
        """Look which data sets share a task, and which there are under each condition and schema."""
        tasks: dict[tuple[str, str], set[tuple[str, str]]] = {}
        self._presented: dict[tuple[str, ...], set[str]] = {}
        self._hashes: dict[tuple[str, str], set[str]] = {}
        for key in cells:
            setting = key.setting
            data = (setting.dataset, setting.dataset_hash)
            tasks.setdefault((setting.access, key.task), set()).add(data)
            for presented in ((setting.access, key.condition, key.schema), (setting.access,)):
                self._presented.setdefault(presented, set()).add(setting.dataset)
            self._hashes.setdefault((setting.access, setting.dataset), set()).add(
                setting.dataset_hash
            )
        self._overlapping = {access for (access, _), found in tasks.items() if len(found) > 1}
        self._short = {place: short_hashes(hashes) for place, hashes in self._hashes.items()}

    def of(self, key: CellKey) -> str:
        """Return the name of the cell's data set, or of all that its condition and schema pool."""
        return self._name(key, (key.setting.access, key.condition, key.schema))

    def of_any_condition(self, key: CellKey) -> str:
        """Return the name of the cell's data set, or of all that are pooled with it."""
        return self._name(key, (key.setting.access,))

    def _name(self, key: CellKey, presented: tuple[str, ...]) -> str:
        setting = key.setting
        if setting.access not in self._overlapping:
            return " + ".join(sorted(self._presented[presented] - {""}))
        place = (setting.access, setting.dataset)
        if setting.dataset_hash and len(self._hashes[place]) > 1:
            return f"{setting.dataset} {self._short[place][setting.dataset_hash]}".strip()
        return setting.dataset

    def notes(self) -> list[str]:
        """Say which data sets are taken as one though their content is known to differ."""
        return [
            f"{dataset or 'a dataset without a name'} is taken as one, though its runs tell {len(hashes)} contents "
            f"({joined(sorted(self._short[access, dataset][one] for one in hashes))}): no task has runs on two of them"
            for (access, dataset), every in sorted(self._hashes.items())
            if access not in self._overlapping and len(hashes := every - {""}) > 1
        ]


class Pools:
    """The pools of a table's cells, each with a name; the name is empty where there is one alone."""

    def __init__(self, cells: Cells) -> None:
        """Look which data sets are one."""
        self._cells = cells
        self._datasets = DatasetPools(cells)

    def apart(self, named: frozenset[str] = frozenset()) -> dict[str, Cells]:
        """Return the cells of each pool by its name, pools in order, those of the published convention first.

        Args:
            named: the fields that the sides of a contrast name, and by which nothing is kept apart.
        """
        found: dict[Pool, dict[CellKey, tuple[RunRow, ...]]] = {}
        for key, runs in self._cells.items():
            found.setdefault(self._pool(key, hidden_by(named)), {})[key] = runs
        pools = sorted(found, key=lambda pool: (convention_key(pool.convention), pool))
        names = _names(pools)
        return {names[pool]: found[pool] for pool in pools}

    def notes(self) -> list[str]:
        """Say what is taken together though it is known to differ."""
        return self._datasets.notes()

    def _pool(self, key: CellKey, hidden: frozenset[str]) -> Pool:
        setting = key.setting
        every = Pool(
            setting.convention,
            self._datasets.of_any_condition(key),
            setting.drops,
            setting.access,
        )
        return Pool(*("" if name in hidden else value for name, value in every._asdict().items()))


def _names(pools: list[Pool]) -> dict[Pool, str]:
    """Return the values in which pools differ; access only where the others do not tell two apart."""
    differing = [name for name in Pool._fields if len({getattr(pool, name) for pool in pools}) > 1]
    for fields in ([name for name in differing if name != "access"], differing):
        names = {
            pool: ", ".join(told(name, getattr(pool, name)) for name in fields) for pool in pools
        }
        if max(Counter(names.values()).values(), default=1) == 1:
            return names
    return {
        pool: ", ".join(f"{name} {getattr(pool, name)!r}" for name in differing) for pool in pools
    }
