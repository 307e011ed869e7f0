# SPDX-License-Identifier: MIT
"""The Glasgow Coma Scale as charted, in words and seldom complete, and the pressure in the skull.

Teasdale and Jennett, Lancet 1974. A tube makes the verbal answer `No Response-ETT`. Knows no other sign.
"""

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import FloatArray, IntArray, dealt, grid, rounded
from m4bench.data.synthetic.mimic.charting import Charted, item_rows
from m4bench.data.synthetic.mimic.vitals import artefact
from m4bench.data.synthetic.mimic.words import worded
from m4bench.data.synthetic.physiology import CIRCULATORY, HEPATIC, ILLNESSES, NEUROLOGIC
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
LONGEST = 8.0
"""Hours between two checks at most, however thin the charting."""
SKULL_PRESSURE, SKULL_PRESSURE_SECOND = 220765, 227989

_IN_THE_HEAD = [
    i for i, each in enumerate(ILLNESSES) if each.name in {"intracranial haemorrhage", "trauma"}
]
NO_DEFICIT, APHASIA, PARALYSIS, SWOLLEN_LIDS, STUPOR_WITHOUT_SPEECH = range(5)


def _grade(rng: np.random.Generator, depth: FloatArray, worst: float, top: int) -> IntArray:
    """Return an answer from 1 (none) to `top` for a depth of coma; `worst` is the depth at which it is 1."""
    fall = (top - 1) * np.clip(depth / worst, 0.0, 1.2)
    return np.clip(np.rint(top - fall + rng.normal(0, 0.3, len(depth))), 1, top).astype(np.int64)


def _rounds(
    rng: np.random.Generator, cohort: Cohort, density: float
) -> tuple[IntArray, FloatArray]:
    """Return stay and hour of the neurological checks: four-hourly, two-hourly in brain disease."""
    stays = cohort.stays
    brain = stays.course.level[:, NEUROLOGIC]
    step = np.where(brain > 0.5, 2.0, np.where(stays.sparse, 8.0, 4.0)) / density
    step = np.minimum(step, LONGEST)
    start = rng.uniform(0.1, 2.0, len(stays))
    owner, hours = grid(rng, start, stays.course.los, step)
    moved = hours + np.where(rng.random(len(owner)) < 0.1, rng.uniform(-0.5, 0.5, len(owner)), 0.0)
    return owner, moved


def _depth(
    rng: np.random.Generator, cohort: Cohort, support: Support, stay: IntArray, hours: FloatArray
) -> FloatArray:
    """Return depth of coma, 0 (awake) to above 1: brain, sedation under a tube, sepsis, liver, poison, sugar."""
    course = cohort.stays.course
    brain = course.severity(NEUROLOGIC, stay, hours)
    haze = 0.12 * course.severity(CIRCULATORY, stay, hours)
    haze = haze + 0.22 * course.severity(HEPATIC, stay, hours)
    haze = haze + 0.95 * course.in_crisis("opioid poisoning", stay, hours)
    haze = haze + 0.80 * course.in_crisis("hypoglycaemia", stay, hours)
    haze = haze + 0.55 * course.in_crisis("hypothermia", stay, hours)
    tube = support.intubated(stay, hours)
    sedation = np.where(tube, rng.uniform(0.0, 0.6, len(cohort.stays))[stay], 0.0)
    noise = rng.normal(0, 0.05, len(stay))
    return np.clip(np.maximum(brain, sedation) * 1.1 + haze - 0.25 + noise, 0, 1.2)


def _answers(
    rng: np.random.Generator, cohort: Cohort, stay: IntArray, depth: FloatArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Return motor, verbal and eye answers.

    One stay in twenty-five has a deficit beside its depth of coma (aphasia, paralysis, swollen lids, mutism),
    so that the three do not always fall together.
    """
    head = np.isin(cohort.stays.course.illness, _IN_THE_HEAD)
    deficit = dealt(rng, [0.955, 0.018, 0.011, 0.008, 0.008], len(head))
    stroke = head & (deficit == NO_DEFICIT) & (rng.random(len(head)) < 0.3)
    deficit = np.where(stroke, rng.integers(1, 5, len(head)), deficit)[stay]
    eyes = _grade(rng, depth, 0.85, 4)
    verbal = _grade(rng, depth + 0.03, 0.75, 5)
    motor = _grade(rng, depth - 0.05, 0.85, 6)
    worst = rng.integers(1, 4, len(head))[stay]
    verbal = np.where(deficit == APHASIA, np.minimum(verbal, worst), verbal)
    motor = np.where(deficit == PARALYSIS, np.minimum(motor, worst + 1), motor)
    eyes = np.where(deficit == SWOLLEN_LIDS, 1, eyes)
    mute = deficit == STUPOR_WITHOUT_SPEECH
    return motor, np.where(mute, 1, verbal), np.where(mute, np.minimum(eyes, worst), eyes)


def coma_scale(
    rng: np.random.Generator, cohort: Cohort, support: Support, density: float = 1.0
) -> list[Charted]:
    """Return the coma scale of a block.

    A component is left out once in twenty-five rounds, and some stays never have one of them charted. The
    same minute sometimes holds the tube's answer and a spoken one; a few answers lack their number.

    Args:
        rng: the stream of these items.
        cohort, support: the block.
        density: share of the rounds to chart, above 0 and at most 1.
    """
    stay, hours = _rounds(rng, cohort, density)
    n = len(stay)
    tube = support.intubated(stay, hours)
    depth = _depth(rng, cohort, support, stay, hours)
    motor, verbal, eyes = _answers(rng, cohort, stay, depth)
    spoken = np.where(tube, len(VERBAL_ANSWERS), verbal - 1)
    verbal_number = np.where(tube, 1.0, verbal)
    habit = rng.random((len(cohort.stays), 3)) < 0.012
    rows = []
    for which, (itemid, number, words, codes) in enumerate(
        (
            (MOTOR, motor.astype(np.float64), MOTOR_ANSWERS, motor - 1),
            (VERBAL, verbal_number, (*VERBAL_ANSWERS, TUBE_ANSWER), spoken),
            (EYES, eyes.astype(np.float64), EYE_ANSWERS, eyes - 1),
        )
    ):
        kept = (rng.random(n) > 0.04) & ~habit[stay, which]
        number = np.where(rng.random(n) < 0.0015, np.nan, number)
        text = worded(words, codes[kept])
        rows.append(item_rows(itemid, stay[kept], hours[kept], number[kept], text))
    both = tube & (rng.random(n) < 0.008)
    text = worded(VERBAL_ANSWERS, verbal[both] - 1)
    rows.append(item_rows(VERBAL, stay[both], hours[both], verbal[both].astype(np.float64), text))
    return rows


def skull_pressure(rng: np.random.Generator, cohort: Cohort, density: float = 1.0) -> list[Charted]:
    """Return intracranial pressures, hourly in a third of bleeding and injured heads, some by two probes.

    About 5 to 25 mmHg, higher in worse disease (Carney et al., Neurosurgery 2017); an unlevelled probe reads
    zero or less, a flushed one 100 and more.

    Args:
        rng: the stream of these items.
        cohort: the block.
        density: share of the readings to chart, above 0 and at most 1.
    """
    course = cohort.stays.course
    n = len(cohort.stays)
    head = np.isin(course.illness, _IN_THE_HEAD) & (course.level[:, NEUROLOGIC] > 0.45)
    probe = head & (rng.random(n) < 0.45) & (course.los > 6)
    start = np.where(probe, rng.uniform(0.5, 5, n), np.nan)
    stay, hours = grid(rng, start, np.minimum(course.los, 170), np.full(n, 1.0 / density))
    level = 4 + 13 * course.severity(NEUROLOGIC, stay, hours) + rng.normal(0, 3.5, len(stay))
    level = level + np.where(rng.random(len(stay)) < 0.03, rng.gamma(2.0, 12, len(stay)), 0.0)
    first = artefact(rng, rounded(level), (0.0, -4.0, 100.0, 155.0), 0.01)
    two = (rng.random(n) < 0.3)[stay]
    other = artefact(rng, rounded(level + rng.normal(2, 3, len(stay))), (0.0, 121.0), 0.01)
    return [
        item_rows(SKULL_PRESSURE, stay, hours, first),
        item_rows(SKULL_PRESSURE_SECOND, stay[two], hours[two], other[two]),
    ]
