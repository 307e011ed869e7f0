# SPDX-License-Identifier: MIT
"""Where a scale ends and which values it names, as round numbers. Knows no chart."""

import math
from collections.abc import Sequence

ABOUT = 5  # how many steps a scale has, or nearly
ROUND = 10  # decimals: what is left behind them is noise of floating point
MINUS = "−"


def room_around(values: Sequence[float]) -> tuple[float, float]:
    """Return ends of a scale of differences that hold the values and are named on it, with room to both sides of 0."""
    low, high = min([0.0, *values]), max([0.0, *values])
    if low == high:
        return -0.1, 0.1
    low, high = low - 0.03 * (high - low), high + 0.03 * (high - low)
    return round_ends(min(low, -0.3 * high), max(high, -0.3 * low))


def round_ends(low: float, high: float) -> tuple[float, float]:
    """Return the nearest ends around two values that the scale between them names."""
    while True:
        step = _step(low, high)
        ends = (
            round(math.floor(round(low / step, ROUND)) * step, ROUND),
            round(math.ceil(round(high / step, ROUND)) * step, ROUND),
        )
        if _step(*ends) == step:
            return ends
        low, high = ends


def marks_of(low: float, high: float) -> tuple[float, ...]:
    """Return the round values of a scale from one end to the other."""
    step = _step(low, high)
    first, last = math.ceil(round(low / step, ROUND)), math.floor(round(high / step, ROUND))
    return tuple(round(place * step, ROUND) for place in range(first, last + 1))


def label(value: float) -> str:
    """Write a value of a scale as the drawing's own axis does."""
    return f"{value:g}".replace("-", MINUS)


def _step(low: float, high: float) -> float:
    """Return the step of 1, 2 or 5 times a power of ten of which the scale has about five."""
    about = (high - low) / ABOUT
    power = 10.0 ** math.floor(math.log10(about))
    over = about / power
    times = next((n for n, least in ((10, 50), (5, 10), (2, 2)) if over >= math.sqrt(least)), 1)
    return times * power
