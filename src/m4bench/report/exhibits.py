# SPDX-License-Identifier: MIT
"""What a report exhibits: figures and tables, each with its title, caption and definition. Knows no layout."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Table:
    """Rows that share their columns; `caption` says what a row is and how its figures are defined.

    `printed` names the columns that stand in LaTeX, where a page has room for few; none named is all. `in_print` is
    what stands there instead, where rows are put otherwise for a paper; in it rows with one value in `spaced_by`
    belong together, and a value of `headed_by` stands as a heading over the rows that have it, in no column.
    """

    name: str
    title: str
    caption: str
    rows: Sequence[Row]
    printed: tuple[str, ...] = ()
    in_print: "Table | None" = None
    headed_by: str = ""
    spaced_by: str = ""


@dataclass(frozen=True)
class Figure:
    """A Vega-Lite description of a figure, and one of the same for a narrow screen.

    `title` says what it shows, `caption` how its marks and numbers are defined, and `alt` what a reader who
    cannot see it would be told. `compact` describes it for a paper whose text is too narrow for the first one, `parts`
    that in as many pieces as fit a page each.
    """

    name: str
    title: str
    caption: str
    alt: str
    specification: Mapping[str, Any]
    narrow: Mapping[str, Any]
    compact: Callable[[], Mapping[str, Any]] | None = None
    table: str = ""
    parts: Callable[[], Sequence[Mapping[str, Any]]] | None = None
