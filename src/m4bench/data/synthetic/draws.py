# SPDX-License-Identifier: MIT
"""Drawing by chance, reproducibly: seeded streams, dealt categories, ragged rows. Knows nothing clinical."""

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from m4bench.data.synthetic.elementary import exp

IntArray: TypeAlias = NDArray[np.int64]
FloatArray: TypeAlias = NDArray[np.float64]
BoolArray: TypeAlias = NDArray[np.bool_]
TextArray: TypeAlias = NDArray[np.object_]

HOUR = 3600
DAY = 24 * HOUR


def stream(seed: int, block: int, name: str) -> np.random.Generator:
    """Return the PCG64 generator of one purpose in one block, independent of every other stream.

    It is seeded with a SHA-256 digest: a seed may be of any size, and who works a stream's state out from
    the rows that were drawn of it has learnt neither the seed nor any other stream.
    """
    digest = sha256(f"{seed}/{block}/{name}".encode()).digest()
    sequence = np.random.SeedSequence(int.from_bytes(digest, "big"))
    return np.random.Generator(np.random.PCG64(sequence))


def dealt(rng: np.random.Generator, weights: Sequence[float] | FloatArray, n: int) -> IntArray:
    """Return n category indices, in proportion to the weights and each at least once when n allows.

    A small hospital drawn by chance alone would lack its rare categories; a dealt one has them all.
    """
    share = np.asarray(weights, dtype=np.float64)
    first = rng.permutation(len(share))[:n]
    rest = rng.choice(len(share), size=n - len(first), p=share / share.sum())
    return rng.permutation(np.concatenate([first, rest]).astype(np.int64))


def texts(options: Sequence[str | None], codes: IntArray) -> TextArray:
    """Return the option of each code as an array of texts."""
    return np.array([*options, None], dtype=object)[:-1][codes]


def when(chosen: BoolArray, word: str) -> TextArray:
    """Return the word where chosen and None elsewhere."""
    return texts((word, None), np.where(chosen, 0, 1))


def constant(word: str, n: int) -> TextArray:
    """Return the word n times."""
    return np.full(n, word, dtype=object)


def plain(values: FloatArray) -> TextArray:
    """Return numbers as they are typed, without a trailing zero."""
    return np.array([f"{value:g}" for value in values] + [None], dtype=object)[:-1]


def rounded(values: FloatArray, places: int = 0) -> FloatArray:
    """Return values rounded to a number of decimals, without a negative zero."""
    return np.asarray(np.round(values, places) + 0.0, dtype=np.float64)


def ragged(counts: IntArray) -> tuple[IntArray, IntArray]:
    """Return owner and position of each row when owner i has counts[i] rows."""
    owner = np.repeat(np.arange(len(counts)), counts)
    position = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    return owner, position


def grid(
    rng: np.random.Generator,
    start: FloatArray,
    end: FloatArray,
    step: FloatArray,
    *,
    jitter: float = 0.0,
) -> tuple[IntArray, FloatArray]:
    """Return owner and hour of rows every `step` hours within [start, end), each moved by up to `jitter` steps.

    Owners with end ≤ start, or with a start that is not finite, have no rows.
    """
    span = np.where(np.isfinite(start) & (end > start), end - start, 0.0)
    owner, position = ragged(np.ceil(span / step).astype(np.int64))
    hours = start[owner] + position * step[owner]
    moved = hours + jitter * step[owner] * rng.random(len(owner))
    return owner, np.minimum(moved, end[owner])


def sigmoid(x: FloatArray) -> FloatArray:
    """Return the logistic function."""
    return np.asarray(1.0 / (1.0 + exp(-x)), dtype=np.float64)
