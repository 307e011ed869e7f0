# SPDX-License-Identifier: MIT
"""Infusions and procedures as documented: vasoactive drugs in segments, fluids, dialysis. Knows no pressure.

Rates are the usual clinical ones; segments change with the hidden state of the circulation.
"""

from typing import Any, NamedTuple

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import (
    FloatArray,
    IntArray,
    TextArray,
    constant,
    dealt,
    grid,
    rounded,
    texts,
)
from m4bench.data.synthetic.mimic.dialysis import (
    KCL_CRRT,
    Ranges,
    replacement_infusions,
)
from m4bench.data.synthetic.physiology import CIRCULATORY, ILLNESSES
from m4bench.data.synthetic.support import Support


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
PROPOFOL = Drug(222168, 10, 60, "mcg/kg/min", "mg", 1)
SALINE = Drug(225158, 50, 150, "mL/hour", "mL", 0)
DRUGS = (
    NOREPINEPHRINE, EPINEPHRINE, DOPAMINE, DOBUTAMINE, PHENYLEPHRINE, VASOPRESSIN, MILRINONE,
    PROPOFOL, SALINE,
)  # fmt: skip
STATUSES = ("ChangeDose/Rate", "FinishedRunning", "Stopped", "Paused", "Rewritten")

_CARDIAC = next(i for i, illness in enumerate(ILLNESSES) if illness.name == "cardiogenic shock")


class Segments(NamedTuple):
    """Segments of infusions, arrays of one length; `rate` is NaN for a bolus."""

    stay: IntArray
    begin: FloatArray
    end: FloatArray
    itemid: IntArray
    rate: FloatArray
    unit: TextArray
    weight: FloatArray

    def taken(self, index: IntArray) -> "Segments":
        """Return the segments at the given places."""
        return Segments(
            self.stay[index],
            self.begin[index],
            self.end[index],
            self.itemid[index],
            self.rate[index],
            self.unit[index],
            self.weight[index],
        )


def _given(rng: np.random.Generator, cohort: Cohort, support: Support) -> dict[Drug, Any]:
    """Return which stays are given which drug.

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
    chance = rng.random((n, 6))
    return {
        NOREPINEPHRINE: pressor & (chance[:, 0] < 0.88),
        EPINEPHRINE: pressor & (chance[:, 1] < np.where(heart, 0.35, 0.1)),
        PHENYLEPHRINE: (shock > 0.22) & (chance[:, 2] < 0.38) & ~alone,
        VASOPRESSIN: pressor & (shock > 0.68) & (chance[:, 3] < 0.7),
        DOBUTAMINE: low_output & (chance[:, 4] < 0.55),
        DOPAMINE: low_output & (chance[:, 4] > 0.45),
        MILRINONE: heart & (chance[:, 5] < 0.25),
        PROPOFOL: np.isfinite(support.begins[:, 1]) & (support.airway[:, 1] == 4),
        SALINE: chance[:, 0] < 0.4,
    }


def _segments(rng: np.random.Generator, cohort: Cohort, drug: Drug, given: Any) -> Segments:
    """Return the segments of one drug: one to five hours each, the rate following the circulation."""
    course = cohort.stays.course
    n = len(course.los)
    peak = course.peak[:, CIRCULATORY]
    start = np.where(given, np.maximum(peak - rng.gamma(2.0, 3.0, n), -0.5), np.nan)
    start = np.minimum(start, course.los - 0.5)
    stop = np.minimum(np.maximum(peak, 0) + rng.gamma(2.0, 12.0, n) + 1, course.los)
    stop = np.where(course.dies, course.los, stop)
    step = rng.uniform(1.0, 5.0, n)
    stay, begin = grid(rng, start, stop, step)
    following = np.append(stay[1:] == stay[:-1], False) if len(stay) else np.zeros(0, bool)
    end = np.where(following, np.append(begin[1:], 0.0), stop[stay])
    shock = course.severity(CIRCULATORY, stay, begin)
    fraction = np.clip(1.2 * shock**3 + rng.normal(0, 0.06, len(stay)), 0, 1.4)
    rate = rounded(drug.low + (drug.high - drug.low) * fraction, drug.decimals)
    weight = rounded(np.clip(cohort.patients.weight[cohort.stays.patient[stay]], 40, 200), 1)
    oddity = dealt(rng, [0.98, 0.012, 0.008], len(stay))
    rate = np.choose(oddity, [rate, np.zeros(len(stay)), np.full(len(stay), np.nan)])
    unit = np.full(len(stay), drug.unit, dtype=object)
    return Segments(
        stay, begin, end, np.full(len(stay), drug.itemid), rate, unit, weight.astype(np.float64)
    )


def _mislabelled(rng: np.random.Generator, segments: Segments) -> Segments:
    """Return norepinephrine with the rare unit slips: mg/kg/min with a weight of 1, or truly in milligrams."""
    n = len(segments.stay)
    slip = dealt(rng, [0.992, 0.005, 0.003], n)
    unit = segments.unit.copy()
    unit[slip > 0] = "mg/kg/min"
    rate = np.where(slip == 2, segments.rate / 1000, segments.rate)
    return segments._replace(unit=unit, rate=rate, weight=np.where(slip == 1, 1.0, segments.weight))


def _replacement(cohort: Cohort, ranges: Ranges, rng: np.random.Generator) -> Segments:
    n = len(ranges.stay)
    potassium = ranges.itemid == KCL_CRRT
    return Segments(
        ranges.stay,
        ranges.begin,
        ranges.end,
        ranges.itemid,
        np.where(rng.random(n) < 0.06, 0.0, np.where(potassium, 4.0, 1.2)),
        np.where(potassium, "mEq./hour", "grams/hour").astype(object),
        rounded(cohort.patients.weight[cohort.stays.patient[ranges.stay]], 1),
    )


def _amounts(segments: Segments) -> FloatArray:
    """Return the amount of each segment in the drug's unit; a bolus (no rate) has a small fixed one."""
    hours = np.maximum(segments.end - segments.begin, 0.0)
    per_hour = np.where(
        np.char.startswith(segments.unit.astype(str), "mcg/kg"),
        segments.rate * segments.weight * 60 / 1000,
        np.where(segments.unit == "mg/kg/min", segments.rate * segments.weight * 60, segments.rate),
    )
    return np.where(np.isnan(segments.rate), 0.1, rounded(per_hour * hours, 4))


def input_columns(
    rng: np.random.Generator, cohort: Cohort, support: Support, first: int
) -> dict[str, Any]:
    """Return the columns of inputevents of a block; `first` is the first order number."""
    parts = []
    for drug, given in _given(rng, cohort, support).items():
        segments = _segments(rng, cohort, drug, given)
        parts.append(_mislabelled(rng, segments) if drug is NOREPINEPHRINE else segments)
    parts.append(_replacement(cohort, replacement_infusions(rng, cohort, support), rng))
    merged = Segments(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    kept = ~cohort.stays.silent[merged.stay] & (merged.end > merged.begin)
    merged = merged.taken(np.flatnonzero(kept))
    merged = merged.taken(np.lexsort((merged.begin, merged.itemid, merged.stay)))
    stays, n = cohort.stays, len(merged.stay)
    run = np.append(True, (np.diff(merged.stay) != 0) | (np.diff(merged.itemid) != 0))[:n]
    begin, end = (
        stays.at(merged.stay, merged.begin) // 60 * 60,
        stays.at(merged.stay, merged.end) // 60 * 60,
    )
    mass = {drug.itemid: drug.mass for drug in DRUGS} | {KCL_CRRT: "mEq"}
    unit = np.array([mass.get(int(i), "grams") for i in merged.itemid] + [None], dtype=object)[:-1]
    amount = _amounts(merged)
    status = dealt(rng, [0.55, 0.25, 0.12, 0.05, 0.03], n)
    orders = first + np.arange(n)
    bolus = np.isnan(merged.rate)
    unit_of_rate = merged.unit.copy()
    unit_of_rate[bolus] = None
    return {
        "subject_id": cohort.patients.subject_id[stays.patient[merged.stay]],
        "hadm_id": cohort.admissions.hadm_id[stays.admission[merged.stay]],
        "stay_id": stays.stay_id[merged.stay],
        "caregiver_id": 1000 + (merged.stay * 104_729) % 9000,
        "starttime": begin,
        "endtime": np.maximum(end, begin + 60),
        "storetime": end + rng.integers(1, 240, n) * 60,
        "itemid": merged.itemid,
        "amount": amount,
        "amountuom": unit,
        "rate": merged.rate,
        "rateuom": unit_of_rate,
        "orderid": orders,
        "linkorderid": orders[np.maximum.accumulate(np.where(run, np.arange(n), 0))]
        if n
        else orders,
        "ordercategoryname": constant("01-Drips", n),
        "ordercomponenttypedescription": constant("Main order parameter", n),
        "ordercategorydescription": np.where(bolus, "Drug Push", "Continuous Med").astype(object),
        "patientweight": merged.weight,
        "totalamount": np.full(n, 250.0),
        "totalamountuom": constant("ml", n),
        "isopenbag": np.zeros(n, np.int64),
        "continueinnextdept": np.zeros(n, np.int64),
        "statusdescription": texts(STATUSES, status),
        "originalamount": amount,
        "originalrate": np.where(bolus, 0.0, merged.rate),
    }
