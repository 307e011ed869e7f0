# SPDX-License-Identifier: MIT
"""The patient at the bedside hour by hour: pulse, pressure, breathing, warmth, wakefulness and urine.

All tables of a stay are read off this one state. It follows the hidden organ severities and a few rare
illnesses at textbook ranges (hypothermia, heat stroke, heart block, poisoning, diabetes insipidus, …), and
knows no table, no score and no threshold of any. Centres and spreads were set by medians of the open demo's
aggregates (vital signs, day-one abstraction, urine of the first day).
"""

from dataclasses import dataclass

import numpy as np

from m4bench.data.synthetic.draws import BoolArray, FloatArray, IntArray, sigmoid
from m4bench.data.synthetic.eicu.stays import UnitStays
from m4bench.data.synthetic.elementary import exp, power, sin
from m4bench.data.synthetic.physiology import (
    CIRCULATORY,
    HEPATIC,
    ILLNESSES,
    MARROW,
    NEUROLOGIC,
    RENAL,
    RESPIRATORY,
)
from m4bench.data.synthetic.support import HIGH_FLOW, INVASIVE

MILDER = 0.86
"""Severities are a little lower than in a tertiary centre, on whose illnesses the cohort was modelled."""

NO_ILLNESS, COLD, HOT, BLOCK, TACHYCARDIA, POISONED, ACIDOTIC, THIRSTY, HYPERTENSIVE, COLLAPSE = (
    range(10)
)
"""A second illness that overshadows the first in some measurement."""
_SHARES = (0.804, 0.02, 0.016, 0.012, 0.035, 0.022, 0.026, 0.018, 0.028, 0.019)


@dataclass(frozen=True)
class Bedside:
    """The state of the stays of a block.

    Attributes:
        stays: the stays.
        rare: NO_ILLNESS … COLLAPSE of each stay, shape (n,).
        own: what is each patient's own, standard normal, shape (n, 8).
        cooled: whether temperature is held down after an arrest, shape (n,).
        spared: whether no tube is placed that a sicker patient would have, shape (n,).
    """

    stays: UnitStays
    rare: IntArray
    own: FloatArray
    cooled: BoolArray
    spared: BoolArray

    def severity(self, organ: int, stay: IntArray, hours: FloatArray) -> FloatArray:
        """Return the severity of an organ, 0 to 1."""
        course = self.stays.block.cohort.stays.course
        return MILDER * course.severity(organ, stay, hours)

    def level(self) -> FloatArray:
        """Return the worst severity of each organ, shape (n, 6)."""
        return MILDER * self.stays.block.cohort.stays.course.level

    def has(self, rare: int, stay: IntArray) -> BoolArray:
        """Tell who has a rare illness."""
        return np.asarray(self.rare[stay] == rare)

    def fading(self, rare: int, stay: IntArray, hours: FloatArray, half: float) -> FloatArray:
        """Return how much of a rare illness is left, 1 to 0; it halves every `half` hours."""
        return self.has(rare, stay) * power(0.5, np.maximum(hours, 0.0) / half)

    def dying(self, stay: IntArray, hours: FloatArray) -> FloatArray:
        """Return how far life has ebbed: 0, rising to 1 in the last hours of those who die here."""
        left = self.stays.hours[stay] - hours
        return np.where(self.stays.dies_here[stay], exp(-np.maximum(left, 0.0) / 1.3), 0.0)

    def collapse(self, stay: IntArray, hours: FloatArray) -> FloatArray:
        """Return how deep in a collapse of two or three hours on the first day patients are, 0 to 1."""
        since = (hours - 5 - 2 * self.own[stay, 7]) / 2.2
        return np.asarray(self.has(COLLAPSE, stay) * exp(-np.square(since)))

    def airway(self, stay: IntArray, hours: FloatArray) -> IntArray:
        """Return the airway support (ROOM_AIR … TRACHEOSTOMY)."""
        kind = self.stays.block.support.airway_at(stay, hours)
        return np.where(self.spared[stay] & (kind == INVASIVE), HIGH_FLOW, kind)

    def sedated(self, stay: IntArray, hours: FloatArray) -> FloatArray:
        """Return the depth of sedation, 0 to 1: deep after intubation, lifted over days."""
        tube = self.airway(stay, hours) == INVASIVE
        depth = 0.55 + 0.22 * self.own[stay, 5] - 0.004 * np.clip(hours, 0.0, 100.0)
        return np.asarray(tube * np.clip(depth, 0.0, 0.95), dtype=np.float64)

    def pulse(self, stay: IntArray, hours: FloatArray) -> FloatArray:
        """Return the heart rate, beats a minute."""
        shock = self.severity(CIRCULATORY, stay, hours)
        lungs = self.severity(RESPIRATORY, stay, hours)
        blood = self.severity(MARROW, stay, hours)
        rate = 78 + 27 * shock + 9 * lungs + 9 * blood + 13.5 * self.own[stay, 0]
        rate += 62 * self.fading(TACHYCARDIA, stay, hours, 9.0)
        rate += 26 * self.fading(HOT, stay, hours, 12.0) - 22 * self.fading(COLD, stay, hours, 9.0)
        # the heart slows down before it stops
        rate *= 1 - np.clip(0.55 + 0.15 * self.own[stay, 6], 0, 0.8) * self.collapse(stay, hours)
        blocked = self.fading(BLOCK, stay, hours, 30.0)
        rate = rate * (1 - blocked) + blocked * (33 + 4 * self.own[stay, 6])
        return np.asarray(rate * (1 - 0.72 * self.dying(stay, hours)), dtype=np.float64)

    def mean_pressure(self, stay: IntArray, hours: FloatArray) -> FloatArray:
        """Return the mean arterial pressure, mmHg."""
        shock = self.severity(CIRCULATORY, stay, hours)
        treated = np.where(shock > 0.45, 8.0, 0.0)
        mean = 88 - 29 * shock + treated + 12.5 * self.own[stay, 1]
        mean += (62 + 11 * self.own[stay, 6]) * self.fading(HYPERTENSIVE, stay, hours, 60.0)
        depth = np.clip(0.72 + 0.12 * self.own[stay, 6], 0, 0.9)
        mean *= 1 - depth * self.collapse(stay, hours)
        return np.asarray(mean * (1 - 0.82 * self.dying(stay, hours)), dtype=np.float64)

    def breaths(self, stay: IntArray, hours: FloatArray) -> FloatArray:
        """Return the respiratory rate, breaths a minute."""
        lungs = self.severity(RESPIRATORY, stay, hours)
        brain = self.severity(NEUROLOGIC, stay, hours)
        rate = 17 + 12 * lungs - 3 * brain + 2.6 * self.own[stay, 2]
        rate += (23 + 4 * self.own[stay, 6]) * self.fading(ACIDOTIC, stay, hours, 60.0)
        rate *= 1 - 0.7 * self.fading(POISONED, stay, hours, 7.0)
        rate += 8 * self.fading(HOT, stay, hours, 14.0)
        return np.asarray(rate * (1 - 0.75 * self.dying(stay, hours)), dtype=np.float64)

    def temperature(self, stay: IntArray, hours: FloatArray) -> FloatArray:
        """Return the temperature, degrees Celsius."""
        sick = self.severity(CIRCULATORY, stay, hours) + self.severity(RESPIRATORY, stay, hours)
        value = 36.72 + (0.35 + 0.5 * self.own[stay, 3]) * sick + 0.14 * self.own[stay, 7]
        wave = sin(hours / 3.8)
        swings = 2.8 * (self.own[stay, 3] > 1.35) * sick * wave * wave * wave
        value = value + swings
        value -= (3.9 + 1.2 * self.own[stay, 6]) * self.fading(COLD, stay, hours, 8.0)
        value += (3.3 + 0.6 * self.own[stay, 6]) * self.fading(HOT, stay, hours, 40.0)
        held = self.cooled[stay] & (hours > 2) & (hours < 30)
        value = np.where(held, 33.6 + 0.5 * self.own[stay, 6], value)
        return np.asarray(value, dtype=np.float64)

    def saturation(self, stay: IntArray, hours: FloatArray) -> FloatArray:
        """Return the oxygen saturation, percent."""
        lungs = self.severity(RESPIRATORY, stay, hours)
        value = 98.1 - 6 * power(lungs, 1.5) + 0.5 * self.own[stay, 4]
        value -= 14 * self.fading(POISONED, stay, hours, 1.5)
        return np.asarray(value * (1 - 0.35 * self.dying(stay, hours)), dtype=np.float64)

    def stupor(self, stay: IntArray, hours: FloatArray) -> FloatArray:
        """Return the loss of wakefulness: 0 alert, about 1 without any response."""
        brain = self.severity(NEUROLOGIC, stay, hours)
        lost = 0.98 * brain + 0.62 * self.sedated(stay, hours)
        lost += 0.75 * self.fading(POISONED, stay, hours, 9.0)
        lost += 0.12 * self.severity(HEPATIC, stay, hours) + 0.05 * self.own[stay, 5]
        return np.asarray(np.maximum(lost, 0.9 * self.dying(stay, hours)), dtype=np.float64)

    def urine(self, stay: IntArray, hours: FloatArray) -> FloatArray:
        """Return the flow of urine, mL a kg and hour."""
        kidney = self.severity(RENAL, stay, hours)
        shock = self.severity(CIRCULATORY, stay, hours)
        flow = 1.15 * exp(0.38 * self.own[stay, 4]) * (1 - sigmoid(8.0 * (kidney - 0.5)))
        flow *= exp(-0.5 * shock)
        flow += (4.6 + 1.3 * self.own[stay, 6]) * self.fading(THIRSTY, stay, hours, 60.0)
        return np.asarray(np.maximum(flow, 0.0) + 0.01, dtype=np.float64)


def draw_bedside(stays: UnitStays) -> Bedside:
    """Draw the state of the stays of a block."""
    rng = stays.block.rng("bedside")
    n = len(stays)
    illness = np.array([kind.name for kind in ILLNESSES])[stays.block.cohort.stays.course.illness]
    rare = rng.choice(len(_SHARES), n, p=np.array(_SHARES) / sum(_SHARES))
    rare = np.where((rare == POISONED) & (stays.surgery > 0), NO_ILLNESS, rare)
    return Bedside(
        stays=stays,
        rare=rare.astype(np.int64),
        own=np.clip(rng.normal(size=(n, 8)), -3.0, 3.0),
        cooled=(illness == "cardiac arrest") & (rng.random(n) < 0.5),
        spared=rng.random(n) < 0.52,
    )
