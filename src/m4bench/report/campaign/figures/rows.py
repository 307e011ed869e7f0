# SPDX-License-Identifier: MIT
"""What a chart of rows consists of: marks, intervals, names and figures on one scale. Knows no drawing."""

from dataclasses import dataclass

CIRCLE, DIAMOND = "circle", "diamond"
LARGE, MIDDLE, SMALL = 120, 62, 34


@dataclass(frozen=True)
class Dot:
    """A mark at a value; `about` is what a reader sees on pointing at it.

    One `below` lies under its row's others, which it would hide or be hidden by.
    """

    at: float
    about: str
    shape: str = CIRCLE
    size: int = MIDDLE
    filled: bool = True
    soft: bool = False
    below: bool = False


@dataclass(frozen=True)
class Span:
    """An interval; `weight` is a key of `SPANS`."""

    low: float
    high: float
    about: str
    weight: str = "strong"


@dataclass(frozen=True)
class Row:
    """One row: its name, its marks, the figures beside them, and what stands for these where it is narrow.

    `level` sets the name in; `parted` leaves room above; `rule` is where a thin upright stroke begins that
    reaches down to the last row before the next one with a rule of its own.
    """

    name: str
    dots: tuple[Dot, ...] = ()
    spans: tuple[Span, ...] = ()
    numbers: tuple[str, ...] = ()
    brief: str = ""
    level: int = 0
    parted: bool = False
    soft: bool = False
    rule: float | None = None


@dataclass(frozen=True)
class Scale:
    """The scale of all rows: its ends, its name, what each column of figures is, and words to both sides of 0.

    `margins` are values at which a dashed line stands through all rows.
    """

    low: float
    high: float
    title: str
    heads: tuple[str, ...] = ()
    sides: tuple[str, str] | None = None
    margins: tuple[float, ...] = ()
