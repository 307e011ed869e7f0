# SPDX-License-Identifier: MIT
"""A chart too high for a paper's page is parted between its groups, into parts that each fit."""

import re
from dataclasses import replace

import pytest

from m4bench.report.campaign.figures.row_chart import row_figure, rows_in_parts
from m4bench.report.campaign.figures.row_places import COMPACT_ROWS, parted
from m4bench.report.campaign.figures.rows import Dot, Row, Scale
from m4bench.report.drawing import draw, fits_a_page, is_legible_on_paper
from tests.report.campaign.figures.reading_marks import words

SCALE = Scale(0.0, 1.0, "Mean", ("control → treatment", "difference"))


def group(name: str, count: int) -> list[Row]:
    """Return a heading with so many rows below it."""
    rows = [
        Row(f"{name}-{number}", (Dot(0.5, "mark"),), (), ("0.500 → 0.600", "+0.100"), level=1)
        for number in range(count)
    ]
    return [Row(name, parted=True), *rows]


@pytest.mark.parametrize(
    ("counts", "parts"),
    [
        ([5, 5], [[5, 5]]),
        ([20, 20, 20, 20], [[20, 20], [20, 20]]),
        ([9] * 9, [[9, 9, 9, 9, 9], [9, 9, 9, 9]]),
        ([38, 3, 40], [[38, 3], [40]]),
    ],
    ids=["fits", "halves", "as even as groups allow", "unequal groups"],
)
def test_groups_stay_whole_in_the_fewest_parts(counts: list[int], parts: list[list[int]]) -> None:
    """No group is cut, none is drawn twice, and a part that is full does not leave another one nearly empty."""
    rows = [row for number, count in enumerate(counts) for row in group(f"g{number}", count)]
    found = parted(rows, SCALE, COMPACT_ROWS)
    assert [row for part in found for row in part] == rows
    sizes = [[] for _ in found]  # type: list[list[int]]
    for place, part in enumerate(found):
        for row in part:
            if row.parted:
                sizes[place].append(0)
            else:
                sizes[place][-1] += 1
    assert sizes == parts


def test_a_group_longer_than_a_page_goes_on_under_its_heading() -> None:
    """A hundred and twenty rows of one group: each later part begins with the heading, continued."""
    found = parted(group("all", 120), SCALE, COMPACT_ROWS)
    assert len(found) == 3
    assert [part[0].name for part in found] == ["all", "all (continued)", "all (continued)"]
    assert sum(bool(row.dots) for part in found for row in part) == 120


@pytest.mark.parametrize("long", [4, 30, 90])
def test_parts_fit_a_page_with_letters_that_can_be_read(long: int) -> None:
    """Whatever names are called: 7 points at the width of a paper's text, and no higher than its page."""
    rows = [
        row for number in range(5) for row in group(f"{'long-name-' * 9}"[:long] + str(number), 24)
    ]
    drawn = [draw(part, "t", "about") for part in rows_in_parts(rows, SCALE, COMPACT_ROWS)]
    assert len(drawn) == 3
    assert all(fits_a_page(one) and is_legible_on_paper(one) for one in drawn)
    assert len({re.findall(r'width="([\d.]+)"', one)[0] for one in drawn}) == 1
    plots = {re.findall(r"translate\((\d+)", one)[0] for one in drawn}
    assert len(plots) == 1  # the parts' scales stand below each other


def test_parts_are_as_wide_as_each_other() -> None:
    """The second part lacks the long figures of the first, and its letters are of the same size all the same."""
    rows = [row for number in range(4) for row in group(f"g{number}", 24)]
    rows[1] = replace(rows[1], numbers=("0.500 → 0.600", "+0.100 [0.050, 0.150]"))
    drawn = [draw(part, "t", "about") for part in rows_in_parts(rows, SCALE, COMPACT_ROWS)]
    assert len(drawn) == 2
    assert "[0.050, 0.150]" not in drawn[1]
    widths = [float(re.findall(r'width="([\d.]+)"', one)[0]) for one in drawn]
    assert widths[0] == pytest.approx(widths[1], abs=8)


def test_names_shortened_for_a_paper_stay_apart() -> None:
    """Two names alike at both ends have a number where they are too long to stand whole."""
    names = [f"mimic-{'very-' * 20}{letter}{'-long' * 20}" for letter in "ab"]
    rows = [Row(name, (Dot(0.5, "mark"),), (), ("0.500 → 0.600", "+0.100")) for name in names]
    figure = row_figure("f", "t", "c", "a", rows, SCALE)
    assert figure.compact is not None
    shown = [text for text in words(figure.compact()) if text.startswith("mimic")]
    assert len(set(shown)) == 2
    assert len(shown) == 2
