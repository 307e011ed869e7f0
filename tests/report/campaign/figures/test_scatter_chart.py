# SPDX-License-Identifier: MIT
"""Points that would hide one another are gathered or numbered; scales hold what is drawn on them."""

import random
from itertools import combinations, pairwise

import pytest

from m4bench.report.campaign.figures.row_chart import room_around
from m4bench.report.campaign.figures.scatter_chart import (
    NEAR,
    Axis,
    Panel,
    Point,
    axis_of,
    gathered,
    numbered_panels,
)
from tests.report.campaign.figures.reading_marks import records

UNIT = Axis(0.0, 1.0, "x")


def test_gathered_points_keep_their_number_and_their_distance() -> None:
    """Each point is counted once, and no two circles of one level lie closer than their width."""
    drawn = random.Random(7)
    points = [Point(drawn.random(), drawn.choice([0.0, 0.4, 1.0]), "p") for _ in range(80)]
    found = gathered(points, UNIT, 200, 90)
    assert sum(count for _, count in found) == 80
    for level in (0.0, 0.4, 1.0):
        places = sorted(point.x * 200 for point, _ in found if point.y == pytest.approx(level))
        assert all(b - a >= NEAR for a, b in pairwise(places))


def test_a_lone_point_stays_where_it_is() -> None:
    """Nothing is moved that hides nothing."""
    assert gathered([Point(0.3, 0.5, "p")], UNIT, 200, 90) == [(Point(0.3, 0.5, "p"), 1)]


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


def test_numbers_of_points_stand_apart() -> None:
    """Nine points on one spot: no two numbers stand on each other."""
    points = tuple(Point(0.5, 0.5, "p", number) for number in range(1, 10))
    chart = numbered_panels([Panel(points, UNIT)], "y", [("a", "b")], narrow=False)
    numbers = [(row["x"], row["y"]) for row in records(chart) if "text" in row and "x" in row]
    assert len(numbers) == 9
    assert all(
        abs(a[0] - b[0]) > 0.03 or abs(a[1] - b[1]) > 0.01 for a, b in combinations(numbers, 2)
    )


@pytest.mark.parametrize("values", [[], [0.0], [0.4, 0.5], [-0.4, -0.1], [-0.2, 0.3]])
def test_a_scale_of_differences_has_room_to_both_sides_of_zero(values: list[float]) -> None:
    """The words to both sides of 0 have a fifth of the plot or more, and every value is on it."""
    low, high = room_around(values)
    assert low < 0 < high
    assert all(low <= value <= high for value in values)
    assert min(-low, high) >= 0.2 * (high - low)
