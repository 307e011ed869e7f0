# SPDX-License-Identifier: MIT
"""P-values adjusted for how many were looked at. Knows no test that made them.

Holm 1979, Scand J Statist 6(2), bounds the chance of any false finding; Benjamini and Hochberg 1995, J R Stat Soc
B 57(1), the expected share of false ones among the findings (for independent or positively dependent tests).
"""

from collections.abc import Sequence
from math import isnan


def _told(p_values: Sequence[float | None]) -> list[tuple[float, int]]:
    """Return the p-values that exist with their positions, smallest first."""
    told = [(p, place) for place, p in enumerate(p_values) if p is not None and not isnan(p)]
    if any(not 0 <= p <= 1 for p, _ in told):
        raise ValueError("a p-value lies between 0 and 1")
    return sorted(told)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Holm's adjusted p-values in the order given; None and NaN stay and do not count as tests.

    Raises:
        ValueError: for a p-value outside 0..1.
    """
    adjusted = list(p_values)
    told = _told(p_values)
    floor = 0.0
    for rank, (p, place) in enumerate(told):
        floor = max(floor, min(1.0, (len(told) - rank) * p))
        adjusted[place] = floor
    return adjusted


def benjamini_hochberg(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Benjamini and Hochberg's adjusted p-values in the order given; None and NaN stay and do not count.

    Raises:
        ValueError: for a p-value outside 0..1.
    """
    adjusted = list(p_values)
    told = _told(p_values)
    ceiling = 1.0
    for rank, (p, place) in reversed(list(enumerate(told, start=1))):
        ceiling = min(ceiling, len(told) * p / rank)
        adjusted[place] = ceiling
    return adjusted
