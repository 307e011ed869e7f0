# SPDX-License-Identifier: MIT
"""The three answers of the Glasgow Coma Scale as observed at the bedside. Knows no table.

Teasdale and Jennett, Lancet 1974;2(7872):81-84: eyes 1 to 4, words 1 to 5, movement 1 to 6.
"""

from typing import NamedTuple

import numpy as np

from m4bench.data.synthetic.draws import FloatArray, IntArray
from m4bench.data.synthetic.eicu.bedside import Bedside
from m4bench.data.synthetic.support import INVASIVE

_EYES, _WORDS, _MOVEMENT = (
    np.array([0.38, 0.56, 0.74]),
    np.array([0.37, 0.52, 0.64, 0.76]),
    np.array([0.47, 0.62, 0.77, 0.86, 0.93]),
)
"""Loss of wakefulness at which each answer gets one step worse."""


class Coma(NamedTuple):
    """Answers, arrays of one length; `total` is their sum."""

    eyes: IntArray
    verbal: IntArray
    motor: IntArray

    @property
    def total(self) -> IntArray:
        """Return the sum of the answers."""
        return np.asarray(self.eyes + self.verbal + self.motor)


def coma_parts(
    rng: np.random.Generator, bedside: Bedside, stay: IntArray, hours: FloatArray
) -> Coma:
    """Return the answers of each stay at each hour; with a tube in the throat none is spoken."""
    n = len(stay)
    lost = bedside.stupor(stay, hours)[None, :] + rng.normal(0.0, 0.035, (3, n))
    verbal = 5 - np.digitize(lost[1], _WORDS)
    tube = bedside.airway(stay, hours) == INVASIVE
    return Coma(
        4 - np.digitize(lost[0], _EYES),
        np.where(tube, 1, verbal),
        6 - np.digitize(lost[2], _MOVEMENT),
    )
