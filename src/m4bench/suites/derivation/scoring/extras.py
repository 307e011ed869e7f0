# SPDX-License-Identifier: MIT
"""Counting the distinct submitted keys that the reference does not hold. Knows neither files nor references.

Keys are told apart by 64-bit hashes under a secret of this process: whoever wrote the file cannot know it,
so no choice of keys makes two of them count as one.
"""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from m4bench.suites.derivation.scoring.cells import Cells
from m4bench.suites.derivation.scoring.submission import RefusedError

Hashes = NDArray[np.uint64]

_COMPACT_AT = 1_000_000
_SECRETS = np.frombuffer(os.urandom(24), dtype=np.uint64)
_TEXT_SECRET = os.urandom(16)
_MASK = 2**64 - 1


class ExtraKeys:
    """Distinct keys, as hashes. Adding n of them takes time in proportion to n log n, in any portions."""

    def __init__(self, most: int) -> None:
        """Begin with none; more than `most` are refused."""
        self._most = most
        self._distinct = np.empty(0, dtype=np.uint64)
        self._waiting: list[Hashes] = []
        self._count = 0

    def add(self, hashes: Hashes) -> None:
        """Take the hashes of some more keys.

        Raises:
            RefusedError: there are absurdly many.
        """
        self._waiting.append(hashes)
        self._count += len(hashes)
        if self._count >= max(_COMPACT_AT, len(self._distinct)):
            self._compact()

    def distinct(self) -> int:
        """Return how many different keys there were.

        Raises:
            RefusedError: there are absurdly many.
        """
        self._compact()
        return len(self._distinct)

    def _compact(self) -> None:
        hashes = np.sort(np.concatenate([self._distinct, *self._waiting]))
        self._distinct = hashes[np.append(hashes[:-1] != hashes[1:], True)[: len(hashes)]]
        self._waiting, self._count = [], 0
        if len(self._distinct) > self._most:
            raise RefusedError(f"more than {self._most:,} keys are not in the reference")


def key_hashes(columns: Sequence[Cells], rows: NDArray[Any]) -> Hashes:
    """Return a 64-bit hash of the key in each of these rows, all of them readable."""
    hashes: Hashes = np.full(len(rows), _SECRETS[0], dtype=np.uint64)
    for column in columns:
        chosen = column.take(rows)
        if column.kind == "text":
            words = np.array([_text_hash(word) for word in chosen.values.to_pylist()], np.uint64)
        elif column.kind == "number":
            words = np.asarray(chosen.values + 0.0, dtype=np.float64).view(np.uint64)
        else:
            words = np.asarray(chosen.values, dtype=np.int64).view(np.uint64)
        hashes = _mix(_mix(hashes ^ words ^ _SECRETS[1]) + _SECRETS[2])
    return hashes


def _text_hash(word: bytes) -> int:
    return hash(_TEXT_SECRET + word) & _MASK


def _mix(words: Hashes) -> Hashes:
    """Return well-spread 64-bit words (the finaliser of SplitMix64)."""
    mixed = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
