# SPDX-License-Identifier: MIT
"""How many entries a stay gets, and when they are written. Knows no table's content."""

import numpy as np

from m4bench.data.synthetic.draws import FloatArray, IntArray, ragged
from m4bench.data.synthetic.eicu.bedside import Bedside
from m4bench.data.synthetic.elementary import exp, log
from m4bench.data.synthetic.elementary import power as raised

MEAN_HOURS, MEDIAN_HOURS, SPREAD = 57.0, 34.0, 1.02
"""Length of a unit stay, as in the open demo: about log-normal with this mean, median and spread."""

CHARTED = 0.97
"""Share of stays with any chart."""


def _typical(power: float) -> float:
    """Return the mean of (length of stay / its mean) to a power."""
    middle = log(MEDIAN_HOURS / MEAN_HOURS)
    return float(exp(power * middle + 0.5 * (power * SPREAD) ** 2))


def shared_out(
    rng: np.random.Generator,
    bedside: Bedside,
    table: str,
    mean: float,
    *,
    share: float = 1.0,
    power: float = 0.4,
    spread: float = 0.5,
    thinned: bool = True,
) -> IntArray:
    """Return the owners of a table's entries, `mean` a stay over all stays of the network.

    Args:
        rng: the stream of the table.
        bedside: the block.
        table: which hospitals fill it.
        mean: entries a stay, counting stays without any.
        share: share of the stays of those hospitals that have entries.
        power: how entries grow with the length of stay.
        spread: spread between stays, of the logarithm.
        thinned: whether the entries are events, which density thins.
    """
    stays = bedside.stays
    n = len(stays)
    fills = CHARTED * stays.habits.documents[table].mean()
    has = stays.documents(table) & (rng.random(n) < share)
    length = np.clip(stays.hours, 6.0, 400.0) / MEAN_HOURS
    expected: FloatArray = raised(length, power) * exp(
        rng.normal(0, spread, n) - spread * spread / 2
    )
    expected *= mean / (fills * share * _typical(power)) * (stays.density if thinned else 1.0)
    return ragged(np.where(has, rng.poisson(expected), 0))[0]


def moments(
    rng: np.random.Generator, bedside: Bedside, stay: IntArray, *, early: float, typical: float
) -> FloatArray:
    """Return the hour of each entry: a share early, within some hours of arrival, the others at any time."""
    n = len(stay)
    left = bedside.stays.hours[stay]
    soon = np.minimum(rng.gamma(0.8, typical, n), left)
    return np.where(rng.random(n) < early, soon, rng.random(n) * left)
