# SPDX-License-Identifier: MIT
"""A block of a hospital: the stays that are drawn together, whatever the site. Knows no table."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from m4bench.data.synthetic.cohort import Cohort, draw_cohort
from m4bench.data.synthetic.draws import stream
from m4bench.data.synthetic.support import Support, draw_support
from m4bench.data.synthetic.tables import Columns


@dataclass(frozen=True)
class Block:
    """One block, reproducible by itself: it depends on no other block.

    Attributes:
        seed: seed of the hospital; never shown, because it may be a sealed one.
        number: which block, from 0.
        stays: how many ICU stays it holds.
        first: number of stays in earlier blocks; identifiers are counted on from it.
        density: share of the rows of events to draw, 0.001 to 1; registers are never thinned.
    """

    seed: int = field(repr=False)
    number: int
    stays: int
    first: int
    density: float = 1.0

    def rng(self, name: str) -> np.random.Generator:
        """Return the stream of random numbers of one purpose, independent of every other."""
        return stream(self.seed, self.number, name)

    @cached_property
    def cohort(self) -> Cohort:
        """Return who is here and when."""
        return draw_cohort(self.rng("cohort"), self.stays, self.first)

    @cached_property
    def support(self) -> Support:
        """Return what is done for them."""
        return draw_support(self.rng("support"), self.cohort)


class Site(Protocol):
    """What a hospital's database looks like: how patients become rows of its tables."""

    @property
    def name(self) -> str:
        """Return the name of the site in the catalogue."""

    def dictionaries(self) -> Iterator[tuple[str, Columns]]:
        """Yield the tables that are the same in every hospital, by `schema.table`."""

    def rows(self, block: Block) -> Iterator[tuple[str, Columns]]:
        """Yield the rows of a block, table by table; no table twice."""
