# SPDX-License-Identifier: MIT
"""A long chart can be read far from its scale: values stand on top too, and lines run to each row, not into letters."""

import re
from xml.etree import ElementTree

import pytest

from m4bench.report import palette
from m4bench.report.campaign.figures.row_chart import row_figure
from m4bench.report.campaign.figures.rows import Dot, Row, Scale
from m4bench.report.drawing import draw
from m4bench.report.exhibits import Figure

SVG = "{http://www.w3.org/2000/svg}"


def figure_of(rows: int, low: float = 0.0) -> Figure:
    """Return a figure of so many rows on a scale up to 1."""
    found = [Row(f"row-{n}", (Dot(0.5, "mark"),), (), ("0.500",)) for n in range(rows)]
    return row_figure("f", "t", "c", "a", found, Scale(low, 1.0, "Mean", ("mean",)))


def texts(drawn: str) -> list[str]:
    """Return all words of a drawing."""
    root = ElementTree.fromstring(drawn)
    return [one.text or "" for one in root.iter(f"{SVG}text")]


@pytest.mark.parametrize(("rows", "times"), [(5, 1), (40, 2)])
def test_a_long_chart_has_its_scale_on_top_too(rows: int, times: int) -> None:
    """On a page and on a phone alike: the values below the last row stand above the first one where that is far."""
    figure = figure_of(rows)
    for specification in (figure.specification, figure.narrow):
        found = texts(draw(specification, "t", "a"))
        assert [found.count(value) for value in ("0.2", "0.4", "0.8")] == [times] * 3


def test_a_phone_has_a_line_for_each_value_and_none_through_a_name() -> None:
    """Six values have six lines, and each name is set on a copy of itself in the paper's colour, which stops lines."""
    drawn = draw(figure_of(5).narrow, "t", "a")
    lines = re.findall(rf'<line [^>]*stroke="{palette.RULE}"', drawn)
    assert len(lines) == 6
    root = ElementTree.fromstring(drawn)
    below = [one for one in root.iter(f"{SVG}text") if one.get("stroke") == palette.PAPER]
    assert {one.text for one in below} >= {f"row-{n}" for n in range(5)}


def test_values_that_have_no_room_leave_0() -> None:
    """From −0.4 to 1 a paper's plot beside long figures has room for every second value, and 0 is one of them."""
    rows = [
        Row(f"a name of some length {n}", (Dot(0.5, "mark"),), (), ("0.500 → 0.600 " * 4,))
        for n in range(3)
    ]
    figure = row_figure("f", "t", "c", "a", rows, Scale(-0.4, 1.0, "Mean", ("mean",)))
    assert figure.compact is not None
    found = texts(draw(figure.compact(), "t", "a"))
    assert {"−0.4", "0", "0.4", "0.8"} <= set(found)
    assert not {"−0.2", "0.2", "0.6", "1"} & set(found)
