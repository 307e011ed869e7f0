# SPDX-License-Identifier: MIT
"""What is done for a patient: airway and oxygen, lines, dialysis. Decided once, charted elsewhere.

It follows the hidden state and knows no item and no table; hours count from ICU admission.
"""

from dataclasses import dataclass

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import BoolArray, FloatArray, IntArray, dealt, rounded, sigmoid
from m4bench.data.synthetic.elementary import exp, log
from m4bench.data.synthetic.physiology import (
    CIRCULATORY,
    ILLNESSES,
    NEUROLOGIC,
    RENAL,
    RESPIRATORY,
)

ROOM_AIR, LOW_FLOW, HIGH_FLOW, MASK_VENTILATION, INVASIVE, TRACHEOSTOMY = range(6)

NO_DIALYSIS, CONTINUOUS, INTERMITTENT, PERITONEAL, CATHETER_ONLY = range(5)

_SURGERY = next(i for i, illness in enumerate(ILLNESSES) if illness.name == "elective surgery")


@dataclass(frozen=True)
class Support:
    """Support of n stays.

    Attributes:
        begins: hours at which each of four consecutive airway supports begins, shape (n, 4), ascending;
            infinite when it never does.
        airway: kind of each (ROOM_AIR … TRACHEOSTOMY), shape (n, 4).
        arterial_line: whether pressures are measured in an artery.
        dialysis: NO_DIALYSIS … CATHETER_ONLY, shape (n,).
        dialysis_from, dialysis_to: its hours, shape (n,), NaN without.
    """

    begins: FloatArray
    airway: IntArray
    arterial_line: BoolArray
    dialysis: IntArray
    dialysis_from: FloatArray
    dialysis_to: FloatArray

    def airway_at(self, stay: IntArray, hours: FloatArray) -> IntArray:
        """Return the airway support of each stay at each hour."""
        passed = (hours[:, None] >= self.begins[stay]).sum(axis=1)
        return np.asarray(self.airway[stay, np.maximum(passed, 1) - 1], dtype=np.int64)

    def intubated(self, stay: IntArray, hours: FloatArray) -> BoolArray:
        """Tell whether an endotracheal tube lies."""
        return np.asarray(self.airway_at(stay, hours) == INVASIVE)

    def ends(self, los: FloatArray) -> FloatArray:
        """Return the hour at which each airway support ends, shape (n, 4)."""
        following = np.concatenate([self.begins[:, 1:], np.full((len(los), 1), np.inf)], axis=1)
        return np.asarray(np.minimum(following, los[:, None]), dtype=np.float64)


def _spontaneous(rng: np.random.Generator, respiratory: FloatArray) -> IntArray:
    """Return the support of a patient without a tube, harder the sicker the lungs."""
    need = respiratory + rng.normal(0.0, 0.12, len(respiratory))
    return np.digitize(need, [0.14, 0.5, 0.62]).astype(np.int64)


def _airway(rng: np.random.Generator, cohort: Cohort) -> tuple[FloatArray, IntArray]:
    course = cohort.stays.course
    n = len(course.los)
    lungs, brain = course.level[:, RESPIRATORY], course.level[:, NEUROLOGIC]
    surgery = course.illness == _SURGERY
    drive = np.maximum(lungs, 0.85 * brain) + 0.15 * course.level[:, CIRCULATORY]
    tube = (rng.random(n) < sigmoid(9.0 * (drive - 0.615))) | (surgery & (rng.random(n) < 0.5))
    waiting = rng.gamma(1.5, 6.0, n) * (1.15 - lungs) + 0.5
    late = np.where(rng.random(n) < 0.55, 0.0, waiting)
    start = np.where(surgery, 0.0, late)
    length = exp(rng.normal(log(14 + 90 * drive), 0.6, n))
    length = np.where(surgery, rng.uniform(2.5, 12, n), length)
    weaning = rng.uniform(0.4, 1.0, n) * course.los
    length = np.where(~surgery & (rng.random(n) < 0.8), np.maximum(length, weaning), length)
    stop = np.where(course.dies, np.inf, start + length)
    tracheostomy = tube & (stop - start > 120) & (rng.random(n) < 0.6)
    arrives = ~tube & (dealt(rng, [0.965, 0.035], n) == 1)
    before = _spontaneous(rng, lungs)
    after = _spontaneous(rng, 0.8 * lungs + 0.08)
    later = _spontaneous(rng, 0.4 * lungs)
    begins = np.stack(
        [
            np.full(n, -48.0),
            np.where(tube, start, rng.gamma(2.0, 14.0, n)),
            np.where(tube, stop, rng.gamma(2.0, 14.0, n) + 60),
            np.where(tube, stop + rng.gamma(2.0, 9.0, n), rng.gamma(2.0, 30, n) + 180),
        ],
        axis=1,
    )
    second = np.where(tube, INVASIVE, np.where(arrives, TRACHEOSTOMY, after))
    third = np.where(tracheostomy, TRACHEOSTOMY, np.where(tube, after, later))
    airway = np.stack([np.where(arrives, TRACHEOSTOMY, before), second, third, later], axis=1)
    airway[:, 3] = np.where(tracheostomy, TRACHEOSTOMY, airway[:, 3])
    return np.sort(begins, axis=1), airway.astype(np.int64)


def draw_support(rng: np.random.Generator, cohort: Cohort) -> Support:
    """Decide the support of every stay of a block.

    Shares are near the open MIMIC-IV demo's: a tube in two stays of five, for half of the stay, an artery
    measured in nearly half, dialysis in one of twenty.
    """
    course = cohort.stays.course
    n = len(course.los)
    begins, airway = _airway(rng, cohort)
    kidney = course.level[:, RENAL]
    wants = (
        ~cohort.stays.silent & (course.los > 16) & (rng.random(n) < sigmoid(16.0 * (kidney - 0.76)))
    )
    dialysis = np.full(n, NO_DIALYSIS)
    dialysis[wants] = CONTINUOUS + dealt(rng, [0.48, 0.4, 0.12], int(wants.sum()))
    catheter = dealt(rng, [0.98, 0.02], n) == 1
    dialysis = np.where(catheter & ~wants, CATHETER_ONLY, dialysis)
    start = np.where(rng.random(n) < 0.75, rng.uniform(0.5, 14, n), rng.uniform(24, 60, n))
    start = np.where(start < course.los, start, 0.3 * course.los)
    start = np.where(dialysis > 0, start, np.nan)
    lasting = np.maximum(rng.gamma(2.0, 30.0, n) + 12, rng.uniform(0.2, 0.95, n) * course.los)
    stop = np.minimum(start + lasting, course.los)
    line = rng.random(n) < 0.16 + 0.7 * course.level[:, CIRCULATORY]
    return Support(
        begins=begins,
        airway=airway,
        arterial_line=line | (course.illness == _SURGERY),
        dialysis=dialysis.astype(np.int64),
        dialysis_from=start,
        dialysis_to=stop,
    )


def inspired_oxygen(airway: IntArray, respiratory: FloatArray, noise: FloatArray) -> FloatArray:
    """Return the inspired oxygen fraction in percent, in steps as it is set.

    Args:
        airway: kind of support of each row.
        respiratory: respiratory severity, 0 to 1.
        noise: standard normal numbers.
    """
    floor = np.array([21.0, 24.0, 40.0, 35.0, 40.0, 30.0])[airway]
    slope = np.array([0.0, 26.0, 50.0, 50.0, 92.0, 30.0])[airway]
    wanted = floor + slope * np.clip(respiratory - 0.3 + 0.08 * noise, 0.0, 1.0)
    stepped = rounded(wanted / 5.0) * 5.0
    exact = np.where(airway == LOW_FLOW, rounded(wanted / 4.0) * 4.0, stepped)
    return np.where(airway == ROOM_AIR, 21.0, np.clip(exact, 24.0, 100.0))
