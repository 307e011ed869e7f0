# SPDX-License-Identifier: MIT
"""Finding the reference row a submitted key belongs to, and counting the keys that belong to none.

A key of one or more components is coded as one 64-bit integer that keeps the order of the reference, so
that an output in the reference's own order is looked up almost sequentially. Knows neither files nor
value columns.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from m4bench.model.errors import InputError
from m4bench.suites.derivation.scoring.buffers import Bools, compute, integers_of
from m4bench.suites.derivation.scoring.cells import Cells
from m4bench.suites.derivation.scoring.submission import RefusedError

Codes = NDArray[np.int64]
NOWHERE = -1

_ROOM = 1 << 62
_SAMPLE = 1_000
_SECOND = 1_000_000  # instants that are whole seconds, as most are, need fewer codes
_MOST_EXTRA_KEYS = 64_000_000
_COMPACT_AT = 4_000_000


class _Component:
    """One component of the reference's keys: which values it takes, as integers from 0 upwards.

    Values on a regular lattice (stays, whole seconds) are coded by arithmetic; others by their rank.
    """

    def __init__(self, cells: Cells) -> None:
        self._words = cells.values.unique() if cells.kind == "text" else None
        self._ranks: Codes | None = None
        values = self._integers(cells)
        self._lowest, self._highest = int(values.min()), int(values.max())
        if self._highest - self._lowest < _ROOM:
            offsets = values - self._lowest
            seconds = cells.kind == "instant" and _divisible(offsets, _SECOND)
            self._step = _SECOND if seconds else 1
            self.count = (self._highest - self._lowest) // self._step + 1
        else:
            self.rank(cells)

    def rank(self, cells: Cells) -> None:
        """Code by rank from now on: never more codes than rows."""
        self._ranks = np.unique(self._integers(cells))
        self.count = len(self._ranks)

    def codes(self, cells: Cells) -> tuple[Codes, Bools]:
        """Return the codes of n values and which of them the reference could hold at all."""
        values = self._integers(cells)
        if self._ranks is not None:
            places = np.minimum(np.searchsorted(self._ranks, values), len(self._ranks) - 1)
            return places, self._ranks[places] == values
        inside = (values >= self._lowest) & (values <= self._highest)
        codes = values - self._lowest
        if self._step > 1:
            offsets, codes = codes, codes // self._step
            inside &= codes * self._step == offsets
        return codes, inside

    def _integers(self, cells: Cells) -> Codes:
        """Return values as integers, equal where the values are and only there."""
        if self._words is not None:
            found = compute().index_in(cells.values, value_set=self._words).fill_null(NOWHERE)
            return integers_of(found.cast(pa.int64()))
        if cells.kind == "number":
            return np.asarray(cells.values + 0.0, dtype=np.float64).view(np.int64)
        return np.asarray(cells.values, dtype=np.int64)


def _divisible(values: Codes, step: int) -> bool:
    few = values[:_SAMPLE]
    return bool((few // step * step == few).all() and (values // step * step == values).all())


class KeyIndex:
    """The keys of a reference: N distinct rows."""

    def __init__(self, columns: Sequence[Cells]) -> None:
        """Index the key columns of a reference.

        Raises:
            InputError: a key occurs twice, or lacks a component.
        """
        if any(column.empty is not None or column.unreadable is not None for column in columns):
            raise InputError("a key of the reference is empty")
        with ThreadPoolExecutor(len(columns)) as pool:
            self._components = list(pool.map(_Component, columns))
        for component, column in zip(self._components, columns, strict=True):
            if self._product() >= _ROOM:
                component.rank(column)
        if self._product() >= _ROOM:
            raise InputError("the keys of the reference have too many components")
        with ThreadPoolExecutor(len(columns)) as pool:
            parts = pool.map(_Component.codes, self._components, columns)
            codes = self._together([codes for codes, _ in parts])
        self._order: Codes | None = None
        if not (codes[1:] > codes[:-1]).all():
            self._order = np.argsort(codes, kind="stable")
            codes = codes[self._order]
            if (codes[1:] == codes[:-1]).any():
                raise InputError("a key occurs more than once in the reference")
        self._sorted = codes

    def __len__(self) -> int:
        return len(self._sorted)

    def locate(self, columns: Sequence[Cells]) -> Codes:
        """Return, for n submitted keys, the row of each in the reference or NOWHERE."""
        codes, possible = self._codes(columns)
        for column in columns:
            for mask in (column.empty, column.unreadable):
                if mask is not None:
                    possible &= ~mask
        if not possible.any():
            return np.full(len(codes), NOWHERE, dtype=np.int64)
        if not possible.all():
            codes = np.where(possible, codes, codes[np.argmax(possible)])
        places = self._places(codes)
        possible &= self._sorted[places] == codes
        rows = places if self._order is None else self._order[places]
        return rows if possible.all() else np.where(possible, rows, NOWHERE)

    def _places(self, codes: Codes) -> Codes:
        """Return where each code stands among the sorted ones, or would; near codes are sought together."""
        if not (codes[1:] >= codes[:-1]).all():
            order = np.argsort(codes)
            places = np.empty_like(codes)
            places[order] = self._places(codes[order])
            return places
        start, stop = np.searchsorted(self._sorted, codes[[0, -1]])
        found: Codes = np.searchsorted(self._sorted[start : stop + 1], codes) + start
        return np.minimum(found, len(self._sorted) - 1)

    def _product(self) -> int:
        product = 1
        for component in self._components:
            product *= component.count
        return product

    def _codes(self, columns: Sequence[Cells]) -> tuple[Codes, Bools]:
        parts = [
            component.codes(column)
            for component, column in zip(self._components, columns, strict=True)
        ]
        possible = parts[0][1]
        for _, fits in parts[1:]:
            possible = possible & fits
        return self._together([codes for codes, _ in parts]), possible

    def _together(self, parts: Sequence[Codes]) -> Codes:
        """Return one code a key from the codes of its components."""
        codes = parts[0]
        for component, more in zip(self._components[1:], parts[1:], strict=True):
            codes = codes * component.count
            codes += more
        return codes


class ExtraKeys:
    """Distinct submitted keys that the reference does not hold, kept as 64-bit hashes."""

    def __init__(self) -> None:
        self._distinct = np.empty(0, dtype=np.uint64)
        self._waiting: list[NDArray[np.uint64]] = []
        self._count = 0

    def add(self, hashes: NDArray[np.uint64]) -> None:
        """Take the hashes of some more keys.

        Raises:
            RefusedError: there are absurdly many.
        """
        self._waiting.append(hashes)
        self._count += len(hashes)
        if self._count >= _COMPACT_AT:
            self._compact()

    def distinct(self) -> int:
        """Return how many different keys there were."""
        self._compact()
        return len(self._distinct)

    def _compact(self) -> None:
        self._distinct = np.unique(np.concatenate([self._distinct, *self._waiting]))
        self._waiting, self._count = [], 0
        if len(self._distinct) > _MOST_EXTRA_KEYS:
            raise RefusedError(f"more than {_MOST_EXTRA_KEYS:,} keys are not in the reference")


def key_hashes(columns: Sequence[Cells], rows: NDArray[Any]) -> NDArray[np.uint64]:
    """Return a 64-bit hash of the key in each of these rows, all of them readable."""
    hashes = np.full(len(rows), 0x9E3779B97F4A7C15, dtype=np.uint64)
    for column in columns:
        chosen = column.take(rows)
        if column.kind == "text":
            words = np.array([hash(word) for word in chosen.values.to_pylist()], dtype=np.int64)
        elif column.kind == "number":
            words = np.asarray(chosen.values + 0.0, dtype=np.float64).view(np.int64)
        else:
            words = np.asarray(chosen.values, dtype=np.int64)
        hashes = _mix(hashes ^ _mix(words.view(np.uint64)))
    return hashes


def _mix(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return well-spread 64-bit words (the finaliser of SplitMix64)."""
    mixed = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
