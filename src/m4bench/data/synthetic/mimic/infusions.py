# SPDX-License-Identifier: MIT
"""Drugs given by infusion: pressors and inotropes, sedatives, relaxants and others, in segments. Knows no pressure.

Rates are the usual clinical ones; segments change with the hidden state of the circulation. Shares of stays and
segments a stay are near those of the open MIMIC-IV demo.
"""

from typing import NamedTuple

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import BoolArray, FloatArray, dealt, grid, rounded
from m4bench.data.synthetic.elementary import exp
from m4bench.data.synthetic.mimic.dialysis import KCL_CRRT, replacement_infusions
from m4bench.data.synthetic.mimic.given import DRIP, Given, constant_units
from m4bench.data.synthetic.physiology import CIRCULATORY, ILLNESSES, RESPIRATORY
from m4bench.data.synthetic.support import INVASIVE, Support


class Drug(NamedTuple):
    """A drug given by infusion: `low` and `high` are its usual rates in `unit`; `mass` the amount's unit."""

    itemid: int
    low: float
    high: float
    unit: str
    mass: str
    decimals: int


NOREPINEPHRINE = Drug(221906, 0.01, 0.5, "mcg/kg/min", "mg", 4)
EPINEPHRINE = Drug(221289, 0.01, 0.25, "mcg/kg/min", "mg", 4)
DOPAMINE = Drug(221662, 2.0, 20.0, "mcg/kg/min", "mg", 2)
DOBUTAMINE = Drug(221653, 2.0, 15.0, "mcg/kg/min", "mg", 2)
PHENYLEPHRINE = Drug(221749, 0.3, 3.5, "mcg/kg/min", "mg", 3)
VASOPRESSIN = Drug(222315, 1.2, 2.4, "units/hour", "units", 1)
MILRINONE = Drug(221986, 0.2, 0.6, "mcg/kg/min", "mg", 3)
ANGIOTENSIN = Drug(229709, 5.0, 40.0, "ng/kg/min", "mcg", 1)
EPINEPHRINE_OTHER_BAG = Drug(229617, 0.01, 0.2, "mcg/kg/min", "mg", 4)
PHENYLEPHRINE_OTHER_BAG = Drug(229632, 0.3, 3.0, "mcg/kg/min", "mg", 3)
CISATRACURIUM = Drug(221555, 1.0, 6.0, "mcg/kg/min", "mg", 2)
VECURONIUM = Drug(222062, 1.0, 8.0, "mg/hour", "mg", 2)
PROPOFOL = Drug(222168, 10, 60, "mcg/kg/min", "mg", 1)
FENTANYL = Drug(241001, 25, 200, "mcg/hour", "mcg", 0)
MIDAZOLAM = Drug(241002, 1, 10, "mg/hour", "mg", 1)
DEXMEDETOMIDINE = Drug(241003, 0.2, 1.2, "mcg/kg/hour", "mcg", 2)
HEPARIN = Drug(241004, 600, 1800, "units/hour", "units", 0)
INSULIN = Drug(241005, 1, 12, "units/hour", "units", 1)
NITROGLYCERIN = Drug(241006, 0.2, 3.0, "mcg/kg/min", "mg", 2)
AMIODARONE = Drug(241007, 0.5, 1.0, "mg/min", "mg", 2)
FUROSEMIDE = Drug(241008, 2, 20, "mg/hour", "mg", 1)
MORPHINE = Drug(241009, 1, 8, "mg/hour", "mg", 1)
NICARDIPINE = Drug(241010, 0.5, 3.0, "mcg/kg/min", "mg", 2)
DRIPS = (
    NOREPINEPHRINE, EPINEPHRINE, DOPAMINE, DOBUTAMINE, PHENYLEPHRINE, VASOPRESSIN, MILRINONE, ANGIOTENSIN,
    EPINEPHRINE_OTHER_BAG, PHENYLEPHRINE_OTHER_BAG, CISATRACURIUM, VECURONIUM, PROPOFOL, FENTANYL,
    MIDAZOLAM, DEXMEDETOMIDINE, HEPARIN, INSULIN, NITROGLYCERIN, AMIODARONE, FUROSEMIDE, MORPHINE,
    NICARDIPINE,
)  # fmt: skip
WITH_THE_TUBE = (PROPOFOL, FENTANYL, MIDAZOLAM, DEXMEDETOMIDINE, CISATRACURIUM, VECURONIUM)

_CARDIAC = next(i for i, illness in enumerate(ILLNESSES) if illness.name == "cardiogenic shock")


def _vasoactive(rng: np.random.Generator, cohort: Cohort) -> dict[Drug, BoolArray]:
    """Return which stays are given which drug for the circulation.

    Norepinephrine first in shock; epinephrine, vasopressin and phenylephrine beside it; dobutamine, milrinone
    or dopamine for a failing heart, often without any pressor.
    """
    course = cohort.stays.course
    shock = course.level[:, CIRCULATORY]
    n = len(shock)
    heart = course.illness == _CARDIAC
    pressor = shock > rng.normal(0.46, 0.09, n)
    low_output = (heart & (rng.random(n) < 0.6)) | (dealt(rng, [0.965, 0.035], n) == 1)
    alone = low_output & (rng.random(n) < 0.6)
    pressor = pressor & ~alone
    chance = rng.random((n, 8))
    rare = dealt(rng, [0.985, 0.005, 0.005, 0.005], n)
    return {
        NOREPINEPHRINE: pressor & (chance[:, 0] < 0.88),
        EPINEPHRINE: pressor & (chance[:, 1] < np.where(heart, 0.35, 0.1)),
        PHENYLEPHRINE: (shock > 0.22) & (chance[:, 2] < 0.38) & ~alone,
        VASOPRESSIN: pressor & (shock > 0.68) & (chance[:, 3] < 0.7),
        DOBUTAMINE: low_output & (chance[:, 4] < 0.55),
        DOPAMINE: low_output & (chance[:, 4] > 0.45),
        MILRINONE: heart & (chance[:, 5] < 0.25),
        ANGIOTENSIN: rare == 1,
        EPINEPHRINE_OTHER_BAG: rare == 2,
        PHENYLEPHRINE_OTHER_BAG: rare == 3,
    }


def _others(rng: np.random.Generator, cohort: Cohort, support: Support) -> dict[Drug, BoolArray]:
    """Return which stays are given which other drug; sedatives go with a tube, relaxants with the worst lungs."""
    course = cohort.stays.course
    n = len(course.los)
    tube = (support.airway[:, 1] == INVASIVE) & np.isfinite(support.begins[:, 1])
    stiff = tube & (course.level[:, RESPIRATORY] > 0.6)
    charted = ~cohort.stays.silent
    relaxed = np.zeros(n, np.int64)
    relaxed[charted] = dealt(rng, [0.985, 0.009, 0.006], int(charted.sum()))
    chance = rng.random((n, 12))
    sugar = course.in_crisis("ketoacidosis", np.arange(n), course.crisis_from + 0.01) > 0
    pressed = (
        course.in_crisis("hypertensive emergency", np.arange(n), course.crisis_from + 0.01) > 0
    )
    racing = course.in_crisis("tachyarrhythmia", np.arange(n), course.crisis_from + 0.01) > 0
    return {
        PROPOFOL: tube & (chance[:, 0] < 0.8),
        FENTANYL: tube & (chance[:, 1] < 0.72),
        MIDAZOLAM: tube & (chance[:, 2] < 0.28),
        DEXMEDETOMIDINE: tube & (chance[:, 3] < 0.28),
        CISATRACURIUM: (stiff & (chance[:, 4] < 0.1)) | (relaxed == 1),
        VECURONIUM: (stiff & (chance[:, 4] > 0.93)) | (relaxed == 2),
        HEPARIN: chance[:, 5] < 0.13,
        INSULIN: sugar | (chance[:, 6] < 0.16),
        NITROGLYCERIN: pressed | (chance[:, 7] < 0.08),
        AMIODARONE: racing | (chance[:, 8] < 0.06),
        FUROSEMIDE: chance[:, 9] < 0.06,
        MORPHINE: course.dies & (chance[:, 10] < 0.3),
        NICARDIPINE: pressed | (chance[:, 11] < 0.03),
    }


def _times(
    rng: np.random.Generator, cohort: Cohort, support: Support, drug: Drug, given: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Return from when to when a drug runs: around the worst of the circulation, or while the tube lies."""
    course = cohort.stays.course
    n = len(course.los)
    if drug in WITH_THE_TUBE:
        tube = np.where(given, np.maximum(support.begins[:, 1], 0.0), np.nan)
        begin = tube + rng.gamma(1.0, 1.0, n)
        ends = np.where(support.airway[:, 1] == INVASIVE, support.begins[:, 2], begin + 30)
        stop = np.minimum(np.minimum(ends, begin + rng.gamma(2.0, 28.0, n)), course.los)
        return np.minimum(begin, course.los - 0.5), stop
    peak = course.peak[:, CIRCULATORY]
    begin = np.where(given, np.maximum(peak - rng.gamma(2.0, 3.0, n), -0.5), np.nan)
    stop = np.minimum(np.maximum(peak, 0) + rng.gamma(2.0, 15.0, n) + 1, course.los)
    return np.minimum(begin, course.los - 0.5), np.where(course.dies, course.los, stop)


def _segments(
    rng: np.random.Generator,
    cohort: Cohort,
    support: Support,
    drug: Drug,
    given: BoolArray,
    density: float,
) -> Given:
    """Return the segments of one drug: mostly one to six hours each, the rate following the circulation.

    One in thirty is left out (a pause), one in thirty runs on into the next (two bags at once), one in eighty
    is a push without a rate, one in a hundred runs at a rate of zero.
    """
    course = cohort.stays.course
    start, stop = _times(rng, cohort, support, drug, given)
    step = np.clip(exp(rng.normal(1.08, 0.7, len(course.los))), 0.4, 12.0) / density
    stay, begin = grid(rng, start, stop, step, jitter=0.3)
    end = np.where(np.append(stay[1:] == stay[:-1], False), np.append(begin[1:], 0.0), stop[stay])
    n = len(stay)
    run = stay.copy()
    fate = rng.random(n)
    end = np.where(fate < 0.033, np.minimum(end + 0.5, course.los[stay]), end)
    shock = course.severity(CIRCULATORY, stay, begin)
    fraction = np.clip(1.2 * shock * shock * shock + rng.normal(0, 0.06, n), 0, 1.4)
    level = rng.random(len(course.los))[stay] + rng.normal(0, 0.1, n)
    fraction = fraction if drug in DRIPS[:10] else np.clip(level, 0.0, 1.2)
    rate = rounded(drug.low + (drug.high - drug.low) * fraction, drug.decimals)
    oddity = dealt(rng, [0.978, 0.01, 0.012], n)
    rate = np.choose(oddity, [rate, np.zeros(n), np.full(n, np.nan)])
    weight = rounded(np.clip(cohort.patients.weight[cohort.stays.patient[stay]], 40, 200), 1)
    segments = Given(
        stay=stay,
        begin=begin,
        end=np.where(np.isnan(rate), np.minimum(begin + 1 / 60, end), end),
        itemid=np.full(n, drug.itemid),
        amount=_amount(rate, drug.unit, weight, end - begin),
        mass=constant_units(drug.mass, n),
        rate=rate,
        unit=constant_units(drug.unit, n),
        weight=weight,
        kind=np.full(n, DRIP),
        run=run,
    )
    return segments.taken(np.flatnonzero((fate < 0.97) & (segments.end > begin)))


def _amount(rate: FloatArray, unit: str, weight: FloatArray, hours: FloatArray) -> FloatArray:
    """Return the amount of each segment in the drug's mass unit; a push has a small fixed one."""
    quantity, _, rest = unit.partition("/")
    per_hour = rate * (weight if rest.startswith("kg") else 1.0)
    per_hour = per_hour * (60.0 if rest.endswith("min") else 1.0)
    thousandth = quantity in {"ng"} or (quantity == "mcg" and rest.endswith("min"))
    per_hour = per_hour / 1000 if thousandth else per_hour
    return np.where(np.isnan(rate), 0.1, rounded(per_hour * np.maximum(hours, 0.0), 4))


def _mislabelled(rng: np.random.Generator, drug: Drug, segments: Given) -> Given:
    """Return segments with the rare slips of unit.

    Norepinephrine in mg/kg/min, under a weight of 1 or truly in milligrams; vasopressin by the minute;
    phenylephrine without regard to weight; one in three hundred of these has no unit or no weight.
    """
    n = len(segments.stay)
    slip = dealt(rng, [0.986, 0.005, 0.003, 0.003, 0.003], n)
    unit, rate, weight = segments.unit.copy(), segments.rate.copy(), segments.weight.copy()
    if drug is NOREPINEPHRINE:
        unit[(slip == 1) | (slip == 2)] = "mg/kg/min"
        rate = np.where(slip == 2, rate / 1000, rate)
        weight = np.where(slip == 1, 1.0, weight)
    elif drug is VASOPRESSIN:
        unit[slip == 1] = "units/min"
        rate = np.where(slip == 1, rounded(rate / 60, 3), rate)
    else:
        unit[(slip == 1) | (slip == 4)] = "mcg/min"
        rate = np.where((slip == 1) | (slip == 4), rounded(rate * weight, 1), rate)
    unit[slip == 3] = None
    weight = np.where(slip == 4, np.nan, weight)
    return segments._replace(unit=unit, rate=rate, weight=weight)


def _replacement(rng: np.random.Generator, cohort: Cohort, support: Support) -> Given:
    """Return potassium and calcium of continuous circuits; one segment in sixteen gave nothing."""
    ranges = replacement_infusions(rng, cohort, support)
    n = len(ranges.stay)
    potassium = ranges.itemid == KCL_CRRT
    rate = np.where(rng.random(n) < 0.06, 0.0, np.where(potassium, 4.0, 1.2))
    return Given(
        stay=ranges.stay,
        begin=ranges.begin,
        end=ranges.end,
        itemid=ranges.itemid,
        amount=rounded(rate * (ranges.end - ranges.begin), 4),
        mass=np.where(potassium, "mEq", "grams").astype(object),
        rate=rate,
        unit=np.where(potassium, "mEq./hour", "grams/hour").astype(object),
        weight=rounded(cohort.patients.weight[cohort.stays.patient[ranges.stay]], 1),
        kind=np.full(n, DRIP),
        run=ranges.stay * 2 + potassium,
    )


def drips(
    rng: np.random.Generator, cohort: Cohort, support: Support, density: float
) -> list[Given]:
    """Return all infusions of drugs of a block, drug by drug; a density below 1 lengthens the segments."""
    parts = []
    for drug, given in (_vasoactive(rng, cohort) | _others(rng, cohort, support)).items():
        segments = _segments(rng, cohort, support, drug, given, density)
        if drug in {NOREPINEPHRINE, VASOPRESSIN, PHENYLEPHRINE}:
            segments = _mislabelled(rng, drug, segments)
        parts.append(segments)
    return [*parts, _replacement(rng, cohort, support)]
