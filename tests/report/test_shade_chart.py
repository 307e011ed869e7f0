# SPDX-License-Identifier: MIT
"""Tables of shades: even columns where they are narrow, pieces that fit a page, what is absent told as such."""

import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from m4bench.report import charts, palette
from m4bench.report.chart_parts import COMPACT, NARROW, WIDE, Layout
from m4bench.report.drawing import draw, fits_a_page, is_legible_on_paper
from m4bench.report.shade_chart import TENTHS, Line, Shade, Shades, shade_chart, shade_parts

LEGEND_ENDS = 60
STYLES = Path(palette.__file__).parent / "templates" / "page.css"


def table(
    rows: int, columns: int, *, gaps: int = 0, groups: int = 1, text: str = "0.500"
) -> Shades:
    """Return a table whose first cells are absent, its rows in groups of the same size."""
    cells = {
        (row, column): Shade(text, f"row {row}, column {column}", 5)
        for row in range(rows)
        for column in range(columns)
        if row * columns + column >= gaps
    }
    return Shades(
        [Line(f"mimic-urine-output-{row}", str(row * groups // rows)) for row in range(rows)],
        [Line(f"with-skill-{column}") for column in range(columns)],
        cells,
        TENTHS,
        "not run",
    )


def texts(specification: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the words of a description with their places; a cell's figures are words, too."""
    return [
        row
        for rows in specification["datasets"].values()
        for row in rows
        if "text" in row and "about" not in row
    ]


def abouts(specification: Mapping[str, Any]) -> list[str]:
    """Return what the boxes of a description say they stand for."""
    boxes = [row for rows in specification["datasets"].values() for row in rows]
    return [row["about"] for row in boxes if row.get("about")]


@pytest.mark.parametrize(
    ("columns", "text", "expected"),
    [
        (8, "0.500", [8]),
        (9, "0.500", [9]),
        (10, "0.500", [5, 5]),
        (12, "0.500", [6, 6]),
        (19, "0.500", [7, 7, 5]),
        (9, ">0.999", [5, 4]),
        (9, "12", [9]),
    ],
)
def test_columns_on_a_phone_stand_in_tables_of_much_the_same_width(
    columns: int, text: str, expected: list[int]
) -> None:
    """Eight have room at three decimals, nine at most; more are shared out, no column stands alone."""
    numbers = [
        row for row in texts(shade_chart(table(1, columns, text=text), NARROW)) if row["x"] > 0
    ]
    heads = [
        row
        for row in numbers
        if row["text"].isdigit() and row["text"] != text and row["y"] > LEGEND_ENDS
    ]
    lines = sorted({row["y"] for row in heads})
    assert [sum(row["y"] == line for row in heads) for line in lines] == expected


@pytest.mark.parametrize(("rows", "columns"), [(28, 8), (28, 12), (60, 12), (48, 3), (5, 2)])
def test_pieces_fit_a_page_and_have_every_cell_once(rows: int, columns: int) -> None:
    """However many rows and columns, each piece is legible on a paper's page, and nothing is lost or told twice."""
    shades = table(rows, columns, groups=max(1, rows // 4))
    pieces = shade_parts(shades)
    for piece in pieces:
        drawn = draw(piece, "", "")
        assert is_legible_on_paper(drawn)
        assert fits_a_page(drawn)
    told = sorted(about for piece in pieces for about in abouts(piece))
    assert told == sorted(shade.about for shade in shades.cells.values())


@pytest.mark.parametrize("layout", [WIDE, COMPACT, NARROW])
@pytest.mark.parametrize("gaps", [0, 3])
def test_what_is_absent_is_told_by_a_sign_and_not_by_a_colour(gaps: int, layout: Layout) -> None:
    """A dash in a dashed box, explained where there is one."""
    words = [row["text"] for row in texts(shade_chart(table(2, 4, gaps=gaps), layout))]
    assert words.count("–") == (gaps + 1 if gaps else 0)
    assert ("not run" in words) is bool(gaps)


def test_a_line_parts_groups_of_rows() -> None:
    """Of six rows in three groups there are two lines."""
    made = shade_chart(table(6, 2, groups=3))
    lines = [
        row
        for rows in made["datasets"].values()
        for row in rows
        if row.get("y") == row.get("y2", 0)
    ]
    assert len(lines) == 2


@pytest.mark.parametrize(
    ("rate", "step"),
    [(0.0, 0), (0.0999, 0), (0.1, 1), (0.3, 3), (0.7, 7), (0.799, 7), (0.8, 8), (1.0, 9)],
)
def test_rewards_have_even_steps_of_a_tenth(rate: float, step: int) -> None:
    """0.5 and 0.799 differ; a tenth begins at its lower end."""
    assert palette.tenth(rate) == step


@pytest.mark.parametrize(
    ("share", "step"),
    [(0.0, 0), (1 / 252, 1), (0.01, 1), (4 / 252, 2), (10 / 252, 3), (0.1, 3), (0.3, 4), (0.31, 5)],
)
def test_one_failure_and_ten_have_different_shades(share: float, step: int) -> None:
    """The steps of shares are fine where failures are few."""
    assert palette.share_step(share) == step


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour as WCAG 2 defines it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2 defines it."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def schemes() -> list[dict[str, str]]:
    """Return the colours of the light page, the dark one and the printed one by their variables."""
    blocks = re.findall(r":root \{(.*?)\}", STYLES.read_text(encoding="utf-8"), re.DOTALL)
    return [dict(re.findall(r"(--[a-z0-9-]+): (#[0-9a-f]{6})\b", block)) for block in blocks]


@pytest.mark.parametrize("scheme", schemes(), ids=["light", "dark", "print"])
def test_parts_of_a_bar_differ_by_three_to_one(scheme: dict[str, str]) -> None:
    """Each kind of loss from the next, and figures upon each by four and a half."""
    colours = [scheme[palette.VARIABLES[colour]] for _, colour in charts.LOSSES.values()]
    assert all(contrast(one, other) >= 3 for one, other in pairwise(colours))
    for _, colour in charts.LOSSES.values():
        ink = "--on-deep" if colour in charts.DEEP else "--on-pale"
        assert contrast(scheme[palette.VARIABLES[colour]], scheme[ink]) >= 4.5


@pytest.mark.parametrize("scheme", schemes(), ids=["light", "dark", "print"])
def test_figures_can_be_read_on_every_shade(scheme: dict[str, str]) -> None:
    """Figures on tenths differ from them by four and a half to one, in every scheme."""
    for step in range(len(palette.TENTHS)):
        ink = "--on-deep" if step in TENTHS.deep else "--on-pale"
        assert contrast(scheme[f"--tenth-{step}"], scheme[ink]) >= 4.5


def test_every_colour_of_the_palette_is_a_variable_of_the_page() -> None:
    """In each scheme; two colours never share a variable."""
    assert len(set(palette.VARIABLES.values())) == len(palette.VARIABLES)
    for scheme in schemes()[:2]:
        assert set(palette.VARIABLES.values()) <= set(scheme)
