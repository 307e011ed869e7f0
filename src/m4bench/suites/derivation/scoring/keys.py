# SPDX-License-Identifier: MIT
"""Finding the reference row a submitted key belongs to.

A key of one or more components is coded as one 64-bit integer that keeps the order of the reference, so
that an output in the reference's own order is looked up almost sequentially. Knows neither files nor
value columns.
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from m4bench.model.errors import InputError
from m4bench.suites.derivation.scoring.buffers import Bools, compute, integers_of
from m4bench.suites.derivation.scoring.cells import Cells

Codes = NDArray[np.int64]
NOWHERE = -1

_ROOM = 1 << 63
_SAMPLE = 1_000
_STRIDE = 16
_SECOND = 1_000_000  # instants that are whole seconds, as most are, need fewer codes

Bounds = tuple[int, int]


class _Component:
    """One component of the reference's keys: which values it takes, as integers from 0 upwards.

    Values on a regular lattice (stays, whole seconds) are coded by arithmetic; others by their rank.
    """

    def __init__(self, cells: Cells, bounds: Bounds | None = None) -> None:
        """Code the values of some cells, or all integers within bounds of which the cells are a sample."""
        self._words = cells.values.unique() if cells.kind == "text" else None
        self._ranks: Codes | None = None
        values = self._integers(cells)
        self._lowest, self._highest = bounds or (int(values.min()), int(values.max()))
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
        codes = values - self._lowest  # what is below the lowest wraps around to beyond the highest
        inside = codes.view(np.uint64) <= np.uint64(self._highest - self._lowest)
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

    def __init__(
        self, components: Sequence[_Component], sorted_codes: Codes, order: Codes | None = None
    ) -> None:
        """Take N codes in ascending order, and the row of each where that is not its place."""
        self._components, self._sorted, self._order = components, sorted_codes, order

    @classmethod
    def of(cls, columns: Sequence[Cells]) -> "KeyIndex":
        """Index the key columns of a reference.

        Raises:
            InputError: a key occurs twice, or lacks a component.
        """
        _require_whole(columns)
        with ThreadPoolExecutor(len(columns)) as pool:
            components = list(pool.map(_Component, columns))
        for component, column in zip(components, columns, strict=True):
            if _product(components) >= _ROOM:
                component.rank(column)
        if _product(components) >= _ROOM:
            raise InputError("the keys of the reference have too many components")
        codes, _ = _codes(components, columns)
        if ascending(codes):
            return cls(components, codes)
        order = np.argsort(codes, kind="stable")
        codes = codes[order]
        if (codes[1:] == codes[:-1]).any():
            raise InputError("a key occurs more than once in the reference")
        return cls(components, codes, order)

    @classmethod
    def of_stretches(
        cls,
        starts: Codes,
        read: Callable[[int], Sequence[Cells]],
        bounds: Sequence[Bounds],
        threads: int,
    ) -> "KeyIndex | None":
        """Index integer and time keys that are in ascending order, a stretch of rows at a time.

        Args:
            starts: the first row of each stretch, and the number of rows.
            read: returns the key columns of a stretch; called from several threads.
            bounds: the least and greatest value of each component.
            threads: how many.

        Returns:
            The index, with little more memory than it needs; None when the keys are not such.

        Raises:
            InputError: a key lacks a component.
        """
        components = [_Component(*given) for given in zip(read(0), bounds, strict=True)]
        if _product(components) >= _ROOM:
            return None
        codes = np.empty(int(starts[-1]), dtype=np.int64)

        def fill(stretch: int) -> bool:
            columns = read(stretch)
            _require_whole(columns)
            found, inside = _codes(components, columns)
            codes[starts[stretch] : starts[stretch + 1]] = found
            return bool(inside.all()) and ascending(found)

        with ThreadPoolExecutor(threads) as pool:
            fits = all(pool.map(fill, range(len(starts) - 1)))
        seams = starts[1:-1]
        return cls(components, codes) if fits and (codes[seams] > codes[seams - 1]).all() else None

    def __len__(self) -> int:
        return len(self._sorted)

    def locate(self, columns: Sequence[Cells]) -> Codes:
        """Return, for n submitted keys, the row of each in the reference or NOWHERE."""
        codes, possible = _codes(self._components, columns)
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
        found: Codes = _sought(self._sorted[start : stop + 1], codes) + start
        return found


def _sought(held: Codes, codes: Codes) -> Codes:
    """Return where each of some ascending codes stands among those held, or any place when it does not.

    Most codes follow each other as those held do, so only some are searched for and the next are guessed.
    """
    anchors = np.searchsorted(held, codes[::_STRIDE])
    places: Codes = (anchors[:, np.newaxis] + np.arange(_STRIDE)).ravel()[: len(codes)]
    np.minimum(places, len(held) - 1, out=places)
    wrong = np.flatnonzero(held[places] != codes)
    places[wrong] = np.minimum(np.searchsorted(held, codes[wrong]), len(held) - 1)
    return places


def _require_whole(columns: Sequence[Cells]) -> None:
    if any(column.empty is not None or column.unreadable is not None for column in columns):
        raise InputError("a key of the reference is empty")


def ascending(codes: Codes) -> bool:
    """Tell whether each number is greater than the one before."""
    return bool((codes[1:] > codes[:-1]).all())


def _product(components: Sequence[_Component]) -> int:
    return math.prod(component.count for component in components)


def _codes(components: Sequence[_Component], columns: Sequence[Cells]) -> tuple[Codes, Bools]:
    """Return one code a key, and which keys the reference could hold at all."""
    codes, possible = components[0].codes(columns[0])
    for component, column in zip(components[1:], columns[1:], strict=True):
        more, fits = component.codes(column)
        codes = codes * component.count
        codes += more
        possible = possible & fits
    return codes, possible
