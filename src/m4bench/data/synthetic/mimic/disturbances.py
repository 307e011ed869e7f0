# SPDX-License-Identifier: MIT
"""Rare disturbances of blood and metabolism beside the illness, with their course. Knows no item and no score.

Each reaches the end of a physiological range, as in a patient in some hundred; what a disturbance does to
an analyte is known where the analyte is. Sizes and speeds of recovery are textbook ones.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from m4bench.data.synthetic.cohort import NO_OWNER, Cohort
from m4bench.data.synthetic.draws import FloatArray, IntArray, dealt
from m4bench.data.synthetic.elementary import power
from m4bench.data.synthetic.physiology import CRISES

NONE = "none"


class Disturbance(NamedTuple):
    """What befalls a stay: its share of stays, and the hours in which it halves once treated."""

    name: str
    share: float
    half_life: float


DISTURBANCES = (
    Disturbance(NONE, 0.69, 1.0),
    Disturbance("hyponatraemia", 0.120, 50.0),
    Disturbance("dehydration", 0.018, 45.0),
    Disturbance("hyperkalaemia", 0.018, 10.0),
    Disturbance("hypokalaemia", 0.022, 20.0),
    Disturbance("neutropenia", 0.014, 120.0),
    Disturbance("leukaemoid reaction", 0.018, 90.0),
    Disturbance("polycythaemia", 0.014, 400.0),
    Disturbance("haemorrhage", 0.016, 24.0),
    Disturbance("metabolic alkalosis", 0.016, 40.0),
    Disturbance("uraemia", 0.014, 60.0),
    Disturbance("hypercapnia", 0.014, 60.0),
    Disturbance("hyperventilation", 0.014, 24.0),
    Disturbance("chronic hypoxaemia", 0.014, 4000.0),
    Disturbance("hyperosmolar state", 0.012, 14.0),
    Disturbance("ischaemic hepatitis", 0.014, 50.0),
)
_NAMES = tuple(each.name for each in DISTURBANCES)


@dataclass(frozen=True)
class Disturbances:
    """Disturbances of n stays; the crises of the course are told beside them.

    Attributes:
        which: index into DISTURBANCES, shape (n,).
        depth: how deep it is at its worst, 0 to 1, shape (n,).
        since: hour at which it begins to recover, shape (n,).
    """

    which: IntArray
    depth: FloatArray
    since: FloatArray

    def at(self, cohort: Cohort, name: str, stay: IntArray, hours: FloatArray) -> FloatArray:
        """Return how deep each stay is in the named disturbance or crisis at each hour, 0 to 1.

        It was there before the ICU, and halves every half-life from its turn on. Rows without a stay
        (NO_OWNER) are in none.
        """
        if name not in _NAMES:
            within = cohort.stays.course.in_crisis(name, np.maximum(stay, 0), hours)
            return np.where(stay == NO_OWNER, 0.0, within)
        number = _NAMES.index(name)
        passed = np.maximum(hours - self.since[stay], 0.0) / DISTURBANCES[number].half_life
        there = (stay != NO_OWNER) & (self.which[stay] == number)
        left = self.depth[stay] * power(np.full(len(passed), 0.5), passed)
        return np.asarray(np.where(there, left, 0.0), dtype=np.float64)

    def deepest(self, cohort: Cohort, name: str) -> FloatArray:
        """Return how deep each stay gets into the named disturbance or crisis, 0 to 1, shape (n,)."""
        if name in _NAMES:
            return np.where(self.which == _NAMES.index(name), self.depth, 0.0)
        course = cohort.stays.course
        number = [crisis.name for crisis in CRISES].index(name)
        return np.where(course.crisis == number, course.crisis_depth, 0.0)


def draw_disturbances(rng: np.random.Generator, cohort: Cohort) -> Disturbances:
    """Draw the disturbances of a block's stays; all kinds occur in a block that is large enough."""
    n = len(cohort.stays)
    return Disturbances(
        which=dealt(rng, [each.share for each in DISTURBANCES], n),
        depth=0.2 + 0.8 * rng.beta(1.3, 1.3, n),
        since=rng.uniform(-3.0, 10.0, n),
    )
