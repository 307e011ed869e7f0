# SPDX-License-Identifier: MIT
"""The hidden state of a patient that all charted values are drawn from: six organs over time, and rare crises.

It knows illnesses, organs and crises, no item, no table and no clock: hours count from ICU admission.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from m4bench.data.synthetic.draws import BoolArray, FloatArray, IntArray, dealt, sigmoid
from m4bench.data.synthetic.elementary import exp, power, sin

RESPIRATORY, CIRCULATORY, RENAL, HEPATIC, NEUROLOGIC, MARROW = range(6)
ORGANS = ("respiratory", "circulatory", "renal", "hepatic", "neurologic", "marrow")


class Illness(NamedTuple):
    """What brings a patient to the ICU: how common, how long, and how hard it hits each organ (0 to 1)."""

    name: str
    share: float
    los: float
    organs: tuple[float, float, float, float, float, float]


ILLNESSES = (
    Illness("monitoring", 0.13, 26, (0.05, 0.08, 0.05, 0.02, 0.03, 0.03)),
    Illness("elective surgery", 0.13, 34, (0.20, 0.28, 0.08, 0.04, 0.08, 0.14)),
    Illness("septic shock", 0.14, 80, (0.50, 0.75, 0.50, 0.28, 0.30, 0.38)),
    Illness("pneumonia", 0.13, 75, (0.80, 0.38, 0.24, 0.08, 0.18, 0.14)),
    Illness("obstructive lung disease", 0.07, 55, (0.55, 0.15, 0.10, 0.04, 0.18, 0.05)),
    Illness("cardiogenic shock", 0.10, 65, (0.40, 0.60, 0.36, 0.16, 0.12, 0.10)),
    Illness("liver failure", 0.08, 70, (0.28, 0.40, 0.46, 0.80, 0.42, 0.50)),
    Illness("kidney failure", 0.07, 50, (0.24, 0.22, 0.86, 0.06, 0.14, 0.12)),
    Illness("intracranial haemorrhage", 0.06, 85, (0.24, 0.16, 0.06, 0.04, 0.72, 0.08)),
    Illness("trauma", 0.03, 60, (0.35, 0.35, 0.10, 0.06, 0.40, 0.25)),
    Illness("cardiac arrest", 0.03, 60, (0.55, 0.65, 0.40, 0.30, 0.88, 0.18)),
    Illness("haematologic malignancy", 0.03, 65, (0.35, 0.35, 0.24, 0.16, 0.12, 0.90)),
)


class Crisis(NamedTuple):
    """A rare acute state beside the illness: how common, and hours in which it halves once treated."""

    name: str
    share: float
    half_life: float


CRISES = (
    Crisis("none", 0.885, 1.0),
    Crisis("hypothermia", 0.014, 6.0),
    Crisis("heat stroke", 0.010, 5.0),
    Crisis("heart block", 0.011, 5.0),
    Crisis("tachyarrhythmia", 0.012, 3.0),
    Crisis("hypertensive emergency", 0.013, 4.0),
    Crisis("circulatory collapse", 0.011, 1.5),
    Crisis("status asthmaticus", 0.010, 7.0),
    Crisis("opioid poisoning", 0.010, 5.0),
    Crisis("diabetes insipidus", 0.010, 30.0),
    Crisis("ketoacidosis", 0.008, 9.0),
    Crisis("hypoglycaemia", 0.006, 2.5),
)
"""States that reach the ends of the physiological range, each seen in about one intensive care patient of a
hundred; shares are orders of magnitude from textbooks."""


@dataclass(frozen=True)
class Course:
    """The course of n stays.

    Attributes:
        illness: index into ILLNESSES, shape (n,).
        level: worst severity of each organ, 0 (well) to 1, shape (n, 6).
        peak: hour of the worst, shape (n, 6).
        recovery: hours in which severity halves after its peak, shape (n,).
        dies: whether the stay ends in death, shape (n,).
        los: length of the stay in hours, shape (n,).
        phase: phases of the two slow oscillations around the course, shape (n, 6, 2).
        crisis: index into CRISES, shape (n,).
        crisis_from: hour at which the crisis begins, shape (n,).
        crisis_depth: how deep it is at its worst, 0 to 1, shape (n,).
    """

    illness: IntArray
    level: FloatArray
    peak: FloatArray
    recovery: FloatArray
    dies: BoolArray
    los: FloatArray
    phase: FloatArray
    crisis: IntArray
    crisis_from: FloatArray
    crisis_depth: FloatArray

    def severity(self, organ: int, stay: IntArray, hours: FloatArray) -> FloatArray:
        """Return the severity of an organ, 0 to 1, of each stay at each hour (arrays of one length).

        It rises to the peak, then halves every `recovery` hours towards a rest, or climbs on in those who
        die; two slow oscillations make neighbouring values resemble each other.
        """
        since = hours - self.peak[stay, organ]
        rise = 0.35 + 0.65 * exp(-((since / 12.0) ** 2))
        fall = 0.18 + 0.82 * power(0.5, np.maximum(since, 0.0) / self.recovery[stay])
        worsening = 1.0 + 0.3 * np.clip(since / np.maximum(self.los[stay], 1.0), 0.0, 1.0)
        after = np.where(self.dies[stay], worsening, fall)
        first, second = self.phase[stay, organ, 0], self.phase[stay, organ, 1]
        sway = 0.05 * sin(hours / 1.75 + first) + 0.03 * sin(hours / 0.7 + second)
        level = self.level[stay, organ]
        course = level * np.where(since < 0, rise, after) + sway * (0.25 + level)
        return np.asarray(np.clip(course, 0.0, 1.0), dtype=np.float64)

    def in_crisis(self, name: str, stay: IntArray, hours: FloatArray) -> FloatArray:
        """Return how deep each stay is in the named crisis at each hour, 0 (not at all) to 1.

        It begins at once, and halves every half-life under treatment.

        Raises:
            ValueError: no crisis has this name.
        """
        which = [crisis.name for crisis in CRISES].index(name)
        since = hours - self.crisis_from[stay]
        left = self.crisis_depth[stay] * power(
            0.5, np.maximum(since, 0.0) / CRISES[which].half_life
        )
        there = (self.crisis[stay] == which) & (since >= 0)
        return np.asarray(np.where(there, left, 0.0), dtype=np.float64)


def draw_course(rng: np.random.Generator, illness: IntArray, last: BoolArray) -> Course:
    """Draw the courses of stays with the given illnesses; only a patient's last stay can end in death.

    Lengths of stay have the median and the long right tail of the open MIMIC-IV demo (2.2 days, mean 3.7).
    """
    n = len(illness)
    typical = np.array([i.organs for i in ILLNESSES])[illness]
    overall = rng.normal(0.0, 0.13, (n, 1))
    own = rng.normal(0.0, 0.17, (n, 6))
    level = np.clip(typical + overall * (0.3 + typical) + own * (0.35 + typical), 0.0, 1.0)
    burden = level.sum(axis=1)
    dies = last & (rng.random(n) < sigmoid(1.6 * (burden - 3.3)))
    typical_los = np.array([i.los for i in ILLNESSES])[illness] * exp(0.4 * (burden - 1.8))
    los = np.clip(8.0 + typical_los * exp(rng.normal(-0.2, 0.93, n)), 3.0, 900.0)
    brief = dealt(rng, [0.98, 0.02], n) == 1
    los = np.where(brief, rng.uniform(2.0, 5.8, n), los)
    return Course(
        illness=illness,
        level=level,
        peak=rng.gamma(2.0, 4.5, (n, 6)) - 2.0,
        recovery=rng.uniform(20.0, 70.0, n) * power(np.maximum(los / 96.0, 1.0), 0.6),
        dies=dies,
        los=los,
        phase=rng.uniform(0.0, 2 * np.pi, (n, 6, 2)),
        crisis=dealt(rng, [crisis.share for crisis in CRISES], n),
        crisis_from=rng.uniform(-2.0, 5.0, n),
        crisis_depth=rng.uniform(0.3, 1.0, n),
    )
