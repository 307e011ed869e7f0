# SPDX-License-Identifier: MIT
"""Vocabularies: the texts a table may hold, how common each is, and with which failing organ it comes.

Kept as CSV files in `vocabulary/`: the text columns of a table under their own names, `weight`, and where it
matters `organ` with the organ that must be ill, and `tilt` for how strongly (negative: must be well). The texts
are terms of the field and of eICU's documented forms; weights are rounded, none is a row of any record.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from m4bench.data.synthetic.draws import FloatArray, IntArray
from m4bench.data.synthetic.eicu.rows import words
from m4bench.data.synthetic.elementary import exp
from m4bench.data.synthetic.physiology import ORGANS


@dataclass(frozen=True)
class Vocabulary:
    """Entries of one file: `column` by name, arrays of one length for weight, organ (-1: none) and tilt."""

    column: dict[str, tuple[str | None, ...]]
    weight: FloatArray
    organ: IntArray
    tilt: FloatArray

    def __len__(self) -> int:
        return len(self.weight)

    def words(self, name: str, codes: IntArray) -> Any:
        """Return a text column of the chosen entries."""
        return words(self.column[name], codes)

    def numbers(self, name: str) -> FloatArray:
        """Return a column of numbers; empty cells are NaN."""
        return np.array([float(cell) if cell else np.nan for cell in self.column[name]])

    def where(self, name: str, value: str) -> IntArray:
        """Return the entries whose column has a value."""
        return np.flatnonzero(np.array(self.column[name], dtype=object) == value)

    def chances(self, level: FloatArray) -> FloatArray:
        """Return the chance of each entry for stays with the given organ severities, shape (stays, entries)."""
        ill = np.where(self.organ >= 0, level[:, np.maximum(self.organ, 0)] - 0.25, 0.0)
        likely = self.weight * exp(self.tilt * ill)
        return np.asarray(likely / likely.sum(axis=1, keepdims=True))

    def choose(self, rng: np.random.Generator, level: FloatArray, owner: IntArray) -> IntArray:
        """Return an entry for each row of an owner, as likely as the owner's organs make it."""
        reached = np.cumsum(self.chances(level), axis=1)
        at = rng.random(len(owner))
        chosen = np.zeros(len(owner), dtype=np.int64)
        for first in range(0, len(owner), 20_000):
            part = slice(first, first + 20_000)
            chosen[part] = (reached[owner[part]] < at[part, None]).sum(axis=1)
        return np.minimum(chosen, len(self) - 1)


@cache
def vocabulary(name: str) -> Vocabulary:
    """Return the vocabulary of a file `vocabulary/<name>.csv`."""
    place = files("m4bench.data.synthetic.eicu").joinpath("vocabulary", f"{name}.csv")
    rows = list(csv.DictReader(place.read_text(encoding="utf-8").splitlines()))
    organs = [row.get("organ") or "" for row in rows]
    return Vocabulary(
        {column: tuple(row[column] or None for row in rows) for column in rows[0]},
        np.array([float(row.get("weight") or 1.0) for row in rows]),
        np.array([ORGANS.index(organ) if organ else -1 for organ in organs], dtype=np.int64),
        np.array([float(row.get("tilt") or (4.0 if row.get("organ") else 0.0)) for row in rows]),
    )
