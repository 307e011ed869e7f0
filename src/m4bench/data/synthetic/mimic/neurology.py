# SPDX-License-Identifier: MIT
"""The Glasgow Coma Scale as charted: three answers in words, seldom all of them. Knows no other sign.

Teasdale and Jennett, Lancet 1974. A tube makes the verbal answer `No Response-ETT`.
"""

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import FloatArray, IntArray, TextArray, grid, texts
from m4bench.data.synthetic.mimic.charting import Charted, item_rows
from m4bench.data.synthetic.physiology import CIRCULATORY, HEPATIC, NEUROLOGIC
from m4bench.data.synthetic.support import Support

MOTOR, VERBAL, EYES = 223901, 223900, 220739
MOTOR_ANSWERS = (
    "No response",
    "Abnormal extension",
    "Abnormal Flexion",
    "Flex-withdraws",
    "Localizes Pain",
    "Obeys Commands",
)
VERBAL_ANSWERS = (
    "No Response",
    "Incomprehensible sounds",
    "Inappropriate Words",
    "Confused",
    "Oriented",
)
EYE_ANSWERS = ("None", "To Pain", "To Speech", "Spontaneously")
TUBE_ANSWER = "No Response-ETT"


def _grade(rng: np.random.Generator, depth: FloatArray, worst: float, top: int) -> IntArray:
    """Return an answer from 1 (none) to `top` for a depth of coma; `worst` is the depth at which it is 1."""
    fall = (top - 1) * np.clip(depth / worst, 0.0, 1.2)
    return np.clip(np.rint(top - fall + rng.normal(0, 0.27, len(depth))), 1, top).astype(np.int64)


def _rounds(rng: np.random.Generator, cohort: Cohort) -> tuple[IntArray, FloatArray]:
    """Return stay and hour of the neurological checks: four-hourly, hourly to two-hourly in brain disease."""
    stays = cohort.stays
    brain = stays.course.level[:, NEUROLOGIC]
    step = np.where(brain > 0.5, 2.0, np.where(stays.sparse, 8.0, 4.0))
    start = rng.uniform(0.1, 2.0, len(stays))
    owner, hours = grid(rng, start, stays.course.los, step)
    moved = hours + np.where(rng.random(len(owner)) < 0.1, rng.uniform(-0.5, 0.5, len(owner)), 0.0)
    return owner, moved


def _words(answers: tuple[str, ...], grade: IntArray) -> TextArray:
    return texts(answers, grade - 1)


def coma_scale(rng: np.random.Generator, cohort: Cohort, support: Support) -> list[Charted]:
    """Return the coma scale of a block.

    A component is left out once in twenty-five rounds, and some stays never have one of them charted. The
    same minute sometimes holds the tube's answer and a spoken one; a few answers lack their number.
    """
    course = cohort.stays.course
    stay, hours = _rounds(rng, cohort)
    n = len(stay)
    brain = course.severity(NEUROLOGIC, stay, hours)
    haze = 0.12 * course.severity(CIRCULATORY, stay, hours) + 0.22 * course.severity(
        HEPATIC, stay, hours
    )
    tube = support.intubated(stay, hours)
    sedation = np.where(tube, rng.uniform(0.0, 0.7, len(cohort.stays))[stay], 0.0)
    depth = np.clip(
        np.maximum(brain, sedation) * 1.1 + haze - 0.17 + rng.normal(0, 0.05, n), 0, 1.2
    )
    eyes = _grade(rng, depth, 0.85, 4)
    verbal = _grade(rng, depth + 0.03, 0.75, 5)
    motor = _grade(rng, depth - 0.05, 0.85, 6)
    spoken = np.where(tube, TUBE_ANSWER, _words(VERBAL_ANSWERS, verbal)).astype(object)
    verbal_number = np.where(tube, 1.0, verbal)
    habit = rng.random((len(cohort.stays), 3)) < 0.012
    rows = []
    for which, (itemid, number, words) in enumerate(
        (
            (MOTOR, motor.astype(np.float64), _words(MOTOR_ANSWERS, motor)),
            (VERBAL, verbal_number, spoken),
            (EYES, eyes.astype(np.float64), _words(EYE_ANSWERS, eyes)),
        )
    ):
        kept = (rng.random(n) > 0.04) & ~habit[stay, which]
        number = np.where(rng.random(n) < 0.0015, np.nan, number)
        rows.append(item_rows(itemid, stay[kept], hours[kept], number[kept], words[kept]))
    both = tube & (rng.random(n) < 0.008)
    rows.append(
        item_rows(
            VERBAL,
            stay[both],
            hours[both],
            verbal[both].astype(np.float64),
            _words(VERBAL_ANSWERS, verbal[both]),
        )
    )
    return rows
