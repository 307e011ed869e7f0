# SPDX-License-Identifier: MIT
"""Points that would hide one another lie beside one another or are numbered; scales hold what is drawn on them."""

import random
from itertools import combinations
from math import hypot

import pytest

from m4bench.report.campaign.figures.scatter_chart import (
    PITCHES,
    Axis,
    Plot,
    Point,
    axis_of,
    numbered,
    rates_axis,
    swarms,
)
from m4bench.report.sheet import Sheet
from tests.report.campaign.figures.reading_marks import records

UNIT = Axis(0.0, 1.0, "x")
PLOT = Plot(0.0, 0.0, 220.0, 140.0, UNIT, Axis(-0.16, 1.16, "y"))


def test_a_swarm_keeps_points_apart_near_their_places() -> None:
    """Eighty points on three levels: no two closer than the distance told, none far from where it belongs."""
    drawn = random.Random(7)
    points = [Point(drawn.random(), drawn.choice([0.0, 0.4, 1.0]), "p") for _ in range(80)]
    pitch, (places,) = swarms([points], PLOT)
    assert pitch == PITCHES[0]
    for one, other in combinations(places, 2):
        assert hypot(one[0] - other[0], one[1] - other[1]) >= pitch - 1e-9
    for point, (x, y) in zip(points, places, strict=True):
        own = PLOT.place(point.x, point.y)
        assert 0 <= own[0] - x <= 2 * pitch
        assert abs(own[1] - y) <= 140 * 0.2  # half the way to the next level


def test_a_lone_point_stays_where_it_is() -> None:
    """Nothing is moved that hides nothing."""
    _, (places,) = swarms([[Point(0.3, 0.5, "p")]], PLOT)
    assert places == [PLOT.place(0.3, 0.5)]


def test_dots_are_smaller_where_there_are_very_many() -> None:
    """Three thousand on one level have the smallest distance, and each has a place."""
    many = [Point(place / 3000, 0.0, "p") for place in range(3000)]
    pitch, (places,) = swarms([many], PLOT)
    assert pitch == PITCHES[-1]
    assert len(places) == 3000


@pytest.mark.parametrize(
    ("values", "log"),
    [([0.5, 4.0], False), ([0.5, 5.0], True), ([0.0, 5.0], False), ([0.0], False)],
)
def test_a_scale_is_logarithmic_from_a_factor_of_ten(values: list[float], log: bool) -> None:
    """Never with a 0, which such a scale cannot hold; all values lie on the scale."""
    axis = axis_of(values, "USD")
    assert axis.log is log
    assert axis.low <= min(values) <= max(values) < axis.high
    assert ("logarithmic" in axis.title) is log
    assert all(axis.low <= mark <= axis.high for mark in axis.marks(4))
    assert len(axis.marks(4)) >= 2


@pytest.mark.parametrize(
    ("values", "ends", "title"),
    [
        ([0.42, 0.81], (0.3, 0.9), "Reward, from 0.3"),
        ([0.03, 0.5], (0.0, 0.6), "Reward"),
        ([1.0], (0.9, 1.0), "Reward, from 0.9"),
    ],
)
def test_a_scale_of_rates_says_where_it_begins(
    values: list[float], ends: tuple[float, float], title: str
) -> None:
    """A tenth or nearly around the values, never beyond 0 and 1; the name tells a beginning that is not 0."""
    axis = rates_axis(values, "Reward")
    assert (axis.low, axis.high) == pytest.approx(ends)
    assert axis.title == title


@pytest.mark.parametrize("most", [1, 2, 3, 4, 8])
def test_a_scale_of_differences_names_zero(most: int) -> None:
    """However few values a scale has room for, 0 is one of them."""
    marks = Axis(-0.2, 0.15, "difference").marks(most)
    assert 0 in marks
    assert len(marks) <= most


def test_numbers_of_points_stand_apart_and_are_joined_to_them() -> None:
    """Nine points on one spot: no two numbers stand on each other, and a line leads to each that stands far off."""
    sheet = Sheet(300)
    plot = Plot(0.0, 0.0, 300.0, 230.0, UNIT, UNIT)
    numbered(sheet, plot, [Point(0.5, 0.5, "p", number) for number in range(1, 10)], [])
    drawn = sheet.finished(230)
    numbers = [(row["x"], row["y"]) for row in records(drawn) if "text" in row]
    assert len(numbers) == 9
    assert all(
        abs(a[0] - b[0]) >= 15 or abs(a[1] - b[1]) >= 13 for a, b in combinations(numbers, 2)
    )
    far = sum(hypot(x - 150, y - 115) > 15 for x, y in numbers)
    assert far == sum("x2" in row for row in records(drawn)) > 0
