# SPDX-License-Identifier: MIT
"""A block a system: its points on scales of reward and of what it takes, and the list of them. Knows no arm."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from math import ceil
from typing import Any

from m4bench.report import palette
from m4bench.report.campaign.figures.lettering import width
from m4bench.report.campaign.figures.scatter_chart import (
    LINE,
    Axis,
    Plot,
    Point,
    listed_columns,
    numbered,
)
from m4bench.report.sheet import Sheet, page_height

AXIS, SCALE = 40, 42
TITLE, UNDER = 22, 22
BETWEEN = 22
COLUMN = 14
MARGIN = 8


@dataclass(frozen=True)
class Block:
    """A system: its points on each scale, and a list with heads; a line begins with its number."""

    system: str
    points: tuple[tuple[Point, ...], ...]
    heads: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class CostLayout:
    """How wide and high a plot is in pixels, how many stand in a block, whether the list stands below them."""

    wide: int
    high: int
    most: int = 0
    below: bool = False


WIDE = CostLayout(250, 160)
COMPACT = CostLayout(160, 150, most=1)
NARROW = CostLayout(268, 140, below=True)


def cost_chart(
    blocks: Sequence[Block], axes: Sequence[Axis], rates: Axis, layout: CostLayout
) -> dict[str, Any]:
    """Return the description of the blocks, one below the other.

    Args:
        blocks: a system each.
        axes: the scale of each of a block's sets of points.
        rates: the upright scale.
        layout: `WIDE`, `COMPACT` for a paper, where the list alone has more than the first measure, or `NARROW`.
    """
    shown = axes[: layout.most] if layout.most else axes
    heads = _heads(blocks)
    listed = sum(heads.values())
    plots = len(shown) * (AXIS + layout.wide + BETWEEN)
    sheet = Sheet(AXIS + layout.wide + 4 if layout.below else plots + listed)
    top = 0.0
    for block in blocks:
        at = top
        sheet.words((0, top + 8), block.system)
        if not layout.below or block is blocks[0]:
            sheet.words((0, top + TITLE + 2), rates.title, colour=palette.SOFT)
        at += TITLE + 14
        low = at
        for place, axis in enumerate(shown):
            left = AXIS + (0 if layout.below else place * (AXIS + layout.wide + BETWEEN))
            plot = Plot(left, low, layout.wide, layout.high, axis, rates)
            plot.frame(sheet)
            others = [one for other in blocks if other is not block for one in other.points[place]]
            numbered(sheet, plot, block.points[place], others)
            if layout.below:
                low += layout.high + SCALE
        beside = (0.0, low + 4) if layout.below else (plots, at - 10)
        end = listed_columns(sheet, beside, heads, block.lines)
        top = max(end, at + layout.high + SCALE, low if layout.below else 0) + UNDER
    return sheet.finished(top - UNDER)


def cost_parts(blocks: Sequence[Block], axes: Sequence[Axis], rates: Axis) -> list[dict[str, Any]]:
    """Return the compact description in pieces of as many blocks as fit a page, much the same in each."""
    high = max(
        TITLE + 14 + COMPACT.high + SCALE + UNDER,
        max(len(block.lines) for block in blocks) * LINE + 2 * LINE + TITLE,
    )
    wide = AXIS + COMPACT.wide + BETWEEN + sum(_heads(blocks).values()) + MARGIN
    room = max(1, int(page_height(wide) // high))
    size = ceil(len(blocks) / ceil(len(blocks) / room))
    pieces = [blocks[start : start + size] for start in range(0, len(blocks), size)]
    return [cost_chart(piece, axes, rates, COMPACT) for piece in pieces]


def _heads(blocks: Sequence[Block]) -> dict[str, float]:
    """Return the width of each column of the lists, the same in all."""
    columns = zip(
        *chain.from_iterable((block.heads, *block.lines) for block in blocks), strict=True
    )
    widths = [max(map(width, column)) + COLUMN for column in columns]
    return dict(zip(blocks[0].heads, widths, strict=True))
