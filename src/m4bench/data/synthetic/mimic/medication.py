# SPDX-License-Identifier: MIT
"""Which drugs are ordered for an admission, and from when to when. Knows no table; the formulary knows the drugs.

Antibiotics follow the infection, infusions the ICU stay, the rest the admission's length and what the patient lives
with. Numbers of orders, and how they fall on groups of drugs, are near those of the open demo.
"""

from dataclasses import dataclass

import numpy as np

from m4bench.data.synthetic.cohort import NO_OWNER, Cohort
from m4bench.data.synthetic.draws import (
    HOUR,
    BoolArray,
    FloatArray,
    IntArray,
    dealt,
    ragged,
    rounded,
)
from m4bench.data.synthetic.elementary import exp, power
from m4bench.data.synthetic.mimic.comorbidity import Conditions
from m4bench.data.synthetic.mimic.formulary import formulary, group_members, groups
from m4bench.data.synthetic.mimic.infections import Infections
from m4bench.data.synthetic.physiology import CIRCULATORY, ILLNESSES
from m4bench.data.synthetic.tables import NO_TIME

_WEIGHTS = {
    # how often a group is ordered without the ICU, and with it
    "antibiotic seldom": (1.4, 1.4), "antibiotic look-alike": (2.6, 2.6), "renin": (0.9, 0.6),
    "antiinflammatory": (2.8, 2.4), "cardiac": (16.0, 15.0), "drip": (0.2, 9.0),
    "electrolyte": (9.0, 17.0), "glucose": (9.0, 10.0), "bowel": (14.0, 11.0),
    "analgesic": (13.0, 12.0), "clotting": (7.0, 6.5), "line": (9.0, 9.0), "breathing": (4.0, 4.0),
    "mind": (5.5, 5.0), "other": (9.0, 6.5),
}  # fmt: skip
_FOLLOWS = {
    # conditions under which a group is ordered more often, and how much
    "renin": ("hypertension", 2.0), "cardiac": ("coronary disease", 1.5),
    "glucose": ("diabetes without complication", 1.8), "clotting": ("atrial fibrillation", 1.4),
    "breathing": ("chronic pulmonary disease", 2.0),
}  # fmt: skip
REVERSED, OPEN_ENDED, UNDATED, TWICE = 0.035, 0.004, 0.0006, 0.004
"""Shares of orders that stop before they start, have no stop, have no start, and are entered twice."""


@dataclass(frozen=True)
class MedicationOrders:
    """Orders of drugs, arrays of one length, in order of admission and start.

    Attributes:
        admission: index of the admission.
        drug: place in the formulary.
        ordered: when it was ordered, seconds since 1970.
        start: when it starts, NO_TIME for a few.
        stop: when it stops, NO_TIME for a few; for a few it is before the start.
    """

    admission: IntArray
    drug: IntArray
    ordered: IntArray
    start: IntArray
    stop: IntArray

    def __len__(self) -> int:
        return len(self.drug)


def _counts(rng: np.random.Generator, cohort: Cohort, density: float) -> IntArray:
    """Return how many orders an admission has besides the antibiotics of an infection."""
    admissions, stays = cohort.admissions, cohort.stays
    m = len(admissions.hadm_id)
    days = (admissions.discharged - admissions.admitted) / (24 * HOUR)
    in_icu = np.zeros(m)
    np.add.at(in_icu, stays.admission, stays.course.los / 24)
    typical = 11 + 8.0 * power(days, 0.8) + np.where(admissions.has_stay, 10 + 7.0 * in_icu, 0)
    drawn = typical * rng.gamma(6.0, 1 / 6.0, m) * density
    return np.asarray(np.floor(drawn + rng.random(m)), dtype=np.int64)


def _drugs(
    rng: np.random.Generator, cohort: Cohort, conditions: Conditions, admission: IntArray
) -> IntArray:
    """Return a drug for each order: a group that suits the admission, then a drug of the group."""
    names = [group for group in groups() if group in _WEIGHTS]
    owner = cohort.admissions.patient
    weights = np.empty((len(owner), len(names)))
    worst = np.zeros(len(owner))
    np.maximum.at(worst, cohort.stays.admission, cohort.stays.course.level[:, CIRCULATORY])
    for column, group in enumerate(names):
        ward, icu = _WEIGHTS[group]
        weights[:, column] = np.where(cohort.admissions.has_stay, icu, ward)
        if group in _FOLLOWS:
            condition, more = _FOLLOWS[group]
            weights[:, column] *= np.where(conditions.lives_with(condition)[owner], more, 1.0)
        if group == "drip":
            weights[:, column] *= 0.25 + 1.8 * worst
    shares = np.cumsum(weights, axis=1) / weights.sum(axis=1, keepdims=True)
    chosen = (shares[admission] < rng.random(len(admission))[:, None]).sum(axis=1)
    drug = np.zeros(len(admission), dtype=np.int64)
    for column, group in enumerate(names):
        mine = np.flatnonzero(chosen == column)
        places, often = group_members(group)
        drug[mine] = places[dealt(rng, often, len(mine))]
    return drug


def _starts(
    rng: np.random.Generator, cohort: Cohort, admission: IntArray, drug: IntArray
) -> IntArray:
    """Return when orders start: on arrival, on entry to the ICU, or any time; infusions in the ICU."""
    admissions, stays = cohort.admissions, cohort.stays
    n, m = len(admission), len(admissions.hadm_id)
    first = np.full(m, NO_OWNER)
    first[stays.admission[::-1]] = np.arange(len(stays))[::-1]
    stay = first[admission]
    there = stay != NO_OWNER
    length = admissions.discharged[admission] - admissions.admitted[admission]
    arrival = admissions.admitted[admission] + (rng.exponential(3.5, n) * HOUR).astype(np.int64)
    entry = np.append(stays.intime, 0)[stay] + (rng.exponential(5, n) * HOUR).astype(np.int64)
    course = np.append(stays.outtime - stays.intime, 0)[stay]
    during = np.append(stays.intime, 0)[stay] + (rng.random(n) * 0.8 * course).astype(np.int64)
    anytime = admissions.admitted[admission] + (rng.random(n) * 0.92 * length).astype(np.int64)
    kind = rng.random(n)
    start = np.where(kind < 0.38, arrival, anytime)
    start = np.where(there & (kind > 0.8), entry, start)
    infused = np.array([each.group == "drip" for each in formulary()])[drug]
    start = np.where(there & infused, np.where(kind < 0.6, entry, during), start)
    return np.minimum(start, admissions.discharged[admission] - HOUR)


def _against_infection(
    rng: np.random.Generator, cohort: Cohort, infections: Infections, density: float
) -> tuple[IntArray, IntArray, IntArray]:
    """Return admission, drug and start of antibiotics: at once for an infection, changed later, or as a prophylaxis."""
    admissions = cohort.admissions
    m = len(admissions.hadm_id)
    surgery = np.array([i.name == "elective surgery" for i in ILLNESSES])[admissions.illness]
    wanted = np.where(
        infections.infected, 2 + rng.poisson(1.9, m), rng.choice(3, m, p=[0.8, 0.14, 0.06])
    )
    wanted = np.where(surgery & ~infections.infected, rng.integers(0, 4, m), wanted)
    row, place = ragged(wanted)
    kept = (place == 0) | (rng.random(len(row)) < density)
    row, place = row[kept], place[kept]
    n = len(row)
    at_once = (exp(rng.normal(0.9, 0.8, n)) * HOUR).astype(np.int64)
    changed = (rng.uniform(14, 160, n) * HOUR).astype(np.int64)
    since = np.where(place < 2, at_once, changed)
    start = np.where(
        infections.infected[row],
        infections.onset[row] + since,
        admissions.admitted[row] + (rng.random(n) * 40 * HOUR).astype(np.int64),
    )
    kept = start < admissions.discharged[row] - HOUR // 2
    places, often = group_members("antibiotic")
    drug = places[dealt(rng, often, n)]
    cefazolin = next(i for i, each in enumerate(formulary()) if each.drug == "CefazoLIN")
    drug = np.where(
        surgery[row] & ~infections.infected[row] & (rng.random(n) < 0.8), cefazolin, drug
    )
    return row[kept], drug[kept], start[kept]


def _stops(
    rng: np.random.Generator, cohort: Cohort, admission: IntArray, drug: IntArray, start: IntArray
) -> IntArray:
    """Return when orders stop: a dose within the day, the others after days or at discharge, a few before the start."""
    n = len(start)
    end = cohort.admissions.discharged[admission]
    once = np.array([each.hours == 0 for each in formulary()])[drug]
    hours = np.where(once, rng.choice([1.0, 4.0, 14.0, 24.0], n), exp(rng.normal(3.5, 1.0, n)))
    stop = start + (rounded(hours) * HOUR).astype(np.int64)
    to_the_end = ~once & (rng.random(n) < 0.33)
    stop = np.where(to_the_end, end, np.minimum(stop, end + 2 * HOUR))
    back = start - rng.integers(1, 14, n) * HOUR
    stop = np.where(rng.random(n) < REVERSED, back, stop)
    return np.where(rng.random(n) < OPEN_ENDED, NO_TIME, stop)


def draw_medication(
    rng: np.random.Generator,
    cohort: Cohort,
    conditions: Conditions,
    infections: Infections,
    density: float,
) -> MedicationOrders:
    """Draw all orders of drugs of a block; most start on the clock hour."""
    admission = np.repeat(np.arange(len(cohort.admissions.hadm_id)), _counts(rng, cohort, density))
    drug = _drugs(rng, cohort, conditions, admission)
    start = _starts(rng, cohort, admission, drug)
    other, antibiotic, since = _against_infection(rng, cohort, infections, density)
    admission = np.concatenate([admission, other])
    drug = np.concatenate([drug, antibiotic])
    start = np.concatenate([start, since])
    n = len(start)
    on_hour: BoolArray = rng.random(n) < 0.93
    start = np.where(on_hour, start // HOUR * HOUR, start // 60 * 60)
    order = np.lexsort((drug, start, admission))
    admission, drug, start = admission[order], drug[order], start[order]
    stop = _stops(rng, cohort, admission, drug, start)
    delay: FloatArray = rng.exponential(0.6, n) * HOUR
    ordered = start - delay.astype(np.int64)
    start = np.where(rng.random(n) < UNDATED, NO_TIME, start)
    twice = np.flatnonzero(rng.random(n) < TWICE)
    again = np.sort(np.concatenate([np.arange(n), twice]))
    return MedicationOrders(
        admission[again], drug[again], ordered[again], start[again], stop[again]
    )
