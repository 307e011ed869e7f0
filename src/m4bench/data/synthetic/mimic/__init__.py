# SPDX-License-Identifier: MIT
"""Invented patients as rows of MIMIC-IV's tables."""

from collections.abc import Iterator

from m4bench.data.synthetic.block import Block
from m4bench.data.synthetic.mimic.hosp import hosp_dictionaries, hosp_rows
from m4bench.data.synthetic.mimic.icu import icu_dictionaries, icu_rows
from m4bench.data.synthetic.tables import Columns

__all__ = ["MimicSite"]


class MimicSite:
    """The modules hosp and icu of MIMIC-IV."""

    name = "mimic-iv"

    def dictionaries(self) -> Iterator[tuple[str, Columns]]:
        """Yield the item and code dictionaries."""
        yield from hosp_dictionaries()
        yield from icu_dictionaries()

    def rows(self, block: Block) -> Iterator[tuple[str, Columns]]:
        """Yield the rows of a block, table by table."""
        yield from hosp_rows(block)
        yield from icu_rows(block)
