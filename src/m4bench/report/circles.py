# SPDX-License-Identifier: MIT
"""Circles that would hide one another: equal ones become one with a number, near ones part. Knows no chart."""

from collections.abc import Mapping, Sequence
from typing import Any

SINGLE = 42
COUNTED = 150
DIGITS = 3
APART = 9
LANE = 7
LANES = (0, -1, 1)


def gathered(points: Sequence[Mapping[str, Any]], plot: int) -> list[dict[str, Any]]:
    """Return a circle a group of equal points, none hidden where three lanes are enough.

    Args:
        points: `arm`, `reward` (0 to 1), `strict`, `about`.
        plot: the width of the plot in pixels.

    Returns:
        The points with `number` (how many it stands for, as text, empty for one), `size` (the circle's area
        in square pixels) and `lane` (-1 above, 0 on, 1 below the middle of its row).
    """
    groups: dict[tuple[str, float, bool], list[Mapping[str, Any]]] = {}
    for point in points:
        key = (str(point["arm"]), round(float(point["reward"]), DIGITS), bool(point["strict"]))
        groups.setdefault(key, []).append(point)
    found: list[dict[str, Any]] = []
    ends: dict[tuple[str, int], float] = {}
    for (arm, reward, _), members in sorted(groups.items()):
        several = len(members) > 1
        place, reach = reward * plot, APART + 5 * several
        free = (lane for lane in LANES if place - ends.get((arm, lane), -plot) >= reach)
        lane = next(free, min(LANES, key=lambda lane: ends.get((arm, lane), -plot)))
        ends[arm, lane] = place + 5 * several
        found.append(
            {
                **members[0],
                "number": str(len(members)) if several else "",
                "size": COUNTED if several else SINGLE,
                "lane": lane,
                "about": "; ".join(str(member["about"]) for member in members),
            }
        )
    return found
