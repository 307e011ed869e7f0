# SPDX-License-Identifier: MIT
"""No circle of a figure hides another."""

import pytest

from m4bench.report.circles import gathered

PLOT = 330


def point(reward: float, *, strict: bool = False, arm: str = "a") -> dict[str, object]:
    """Return a circle to be drawn."""
    return {"arm": arm, "reward": reward, "strict": strict, "about": f"{arm} {reward}"}


def test_equal_circles_are_one_with_their_number() -> None:
    """Eight tasks at 1 are a circle with an 8 that names them all; a single one has no number."""
    (circle,) = gathered([point(1.0) for _ in range(8)], PLOT)
    assert circle["number"] == "8"
    assert circle["about"] == "; ".join(["a 1.0"] * 8)
    assert [one["number"] for one in gathered([point(0.2), point(0.9)], PLOT)] == ["", ""]


@pytest.mark.parametrize(
    "points",
    [
        [point(0.5), point(0.505)],
        [point(0.5), point(0.505), point(0.51)],
        [point(1.0), point(1.0, strict=True)],
        [point(0.74), point(0.75), point(0.75)],
    ],
)
def test_near_circles_lie_in_different_lanes(points: list[dict[str, object]]) -> None:
    """What is less than a circle apart is set apart upwards or downwards."""
    found = gathered(points, PLOT)
    assert len({circle["lane"] for circle in found}) == len(found) > 1


def test_far_circles_and_those_of_other_rows_stay_on_their_line() -> None:
    """Nothing is moved that hides nothing."""
    found = gathered([point(0.1), point(0.9), point(0.1, arm="b")], PLOT)
    assert {circle["lane"] for circle in found} == {0}
