# SPDX-License-Identifier: MIT
"""When blood is drawn: in the ICU, on the wards, on arrival and between admissions. Knows no result."""

from dataclasses import dataclass

import numpy as np

from m4bench.data.synthetic.cohort import NO_OWNER, Cohort
from m4bench.data.synthetic.draws import DAY, HOUR, BoolArray, FloatArray, IntArray, grid
from m4bench.data.synthetic.elementary import power
from m4bench.data.synthetic.physiology import ORGANS

STEPS, STEP_WEIGHTS = np.array([4.0, 6.0, 8.0, 12.0, 24.0]), (0.08, 0.16, 0.26, 0.34, 0.16)
"""Hours between draws in the ICU, and how many stays keep to them."""
UNFILED = 0.05
"""Share of draws of an admission that are filed under none."""
VISITS, VISIT_WEIGHTS = (0, 1, 3, 8, 20), (0.42, 0.22, 0.18, 0.13, 0.05)
"""Draws as an outpatient before the first admission: how many, and of which share of the patients."""


@dataclass(frozen=True)
class BloodDraws:
    """Blood draws; `stay` is NO_OWNER where no ICU stay tells the hidden state, then `hours` means nothing."""

    patient: IntArray
    admission: IntArray
    stay: IntArray
    hours: FloatArray
    time: IntArray

    def severities(self, cohort: Cohort) -> FloatArray:
        """Return the severity of each organ at each draw, shape (draws, 6); slight where there is no stay."""
        course = cohort.stays.course
        known = self.stay != NO_OWNER
        result = np.full((len(self.stay), len(ORGANS)), 0.04)
        for organ in range(len(ORGANS)):
            result[known, organ] = course.severity(organ, self.stay[known], self.hours[known])
        return result


def _never_drawn(rng: np.random.Generator, cohort: Cohort) -> BoolArray:
    """Tell which stays never have blood drawn."""
    return np.asarray(cohort.stays.silent | (rng.random(len(cohort.stays)) < 0.01), dtype=np.bool_)


def _in_the_icu(
    rng: np.random.Generator, cohort: Cohort, never: BoolArray, density: float
) -> tuple[IntArray, FloatArray]:
    n = len(cohort.stays)
    start = np.where(never, np.nan, -rng.uniform(0.5, 7.5, n))
    step = rng.choice(STEPS, n, p=STEP_WEIGHTS) / float(power(density, 0.8))
    return grid(rng, start, cohort.stays.course.los, step, jitter=0.25)


def _on_wards(
    rng: np.random.Generator, cohort: Cohort, silent: BoolArray, density: float
) -> tuple[IntArray, FloatArray]:
    """Return admission and hour from admission of draws each morning, and on arrival."""
    admissions = cohort.admissions
    m = len(admissions.hadm_id)
    length = (admissions.discharged - admissions.admitted) / HOUR
    morning = (30.0 - admissions.admitted % DAY / HOUR) % 24.0
    step = np.full(m, 22.0 / float(power(density, 1.1)))
    ward, hours = grid(rng, np.where(silent, np.nan, morning), length, step, jitter=0.04)
    arrival = np.flatnonzero(~silent & (rng.random(m) < 0.9))
    arrived = rng.uniform(-3.0, 1.0, len(arrival))
    return np.concatenate([ward, arrival]), np.concatenate([hours, arrived])


def _visits(rng: np.random.Generator, cohort: Cohort, density: float) -> tuple[IntArray, IntArray]:
    """Return patient and time of draws as an outpatient, in the ten months before the first admission."""
    people, admissions = cohort.patients, cohort.admissions
    n = len(people.subject_id)
    counts = rng.choice(VISITS, n, p=VISIT_WEIGHTS) * min(1.0, 1.4 * density)
    patient = np.repeat(np.arange(n), np.ceil(counts).astype(np.int64))
    earliest = np.full(n, np.iinfo(np.int64).max)
    np.minimum.at(earliest, admissions.patient, admissions.admitted)
    new_year = (people.anchor_year - 1970).astype("datetime64[Y]").astype("datetime64[s]")
    earliest = np.minimum(earliest, new_year.astype(np.int64) + 300 * DAY)
    before = (rng.uniform(3, 300, len(patient)) * DAY).astype(np.int64)
    return patient, earliest[patient] - before


def draw_blood(rng: np.random.Generator, cohort: Cohort, density: float) -> BloodDraws:
    """Return all draws of a block: in the ICU every 4 to 24 h, on the ward each morning, some as outpatients.

    A draw before formal admission, and one in twenty of the others, is filed under no admission.

    Args:
        rng: the stream.
        cohort: the block.
        density: share of results to draw; the intervals lengthen with it, the first draw of a stay remains.
    """
    stays, admissions = cohort.stays, cohort.admissions
    n, m = len(stays), len(admissions.hadm_id)
    never = _never_drawn(rng, cohort)
    stay, hours = _in_the_icu(rng, cohort, never, density)
    first = np.full(m, NO_OWNER)
    first[stays.admission[::-1]] = np.arange(n)[::-1]
    ward, ward_hours = _on_wards(rng, cohort, np.append(never, False)[first], density)
    ward_time = admissions.admitted[ward] + (ward_hours * HOUR).astype(np.int64)
    known = first[ward] != NO_OWNER
    since = np.where(known, (ward_time - np.append(stays.intime, 0)[first[ward]]) / HOUR, 0.0)
    visitor, visited = _visits(rng, cohort, density)
    nowhere = np.full(len(visitor), NO_OWNER)
    admission = np.concatenate([stays.admission[stay], ward, nowhere])
    time = np.concatenate([stays.at(stay, hours), ward_time, visited]) // 60 * 60
    early = time < np.append(admissions.admitted, 0)[admission]
    unfiled = early | (rng.random(len(time)) < UNFILED)
    return BloodDraws(
        patient=np.concatenate([stays.patient[stay], admissions.patient[ward], visitor]),
        admission=np.where(unfiled, NO_OWNER, admission),
        stay=np.concatenate([stay, first[ward], nowhere]),
        hours=np.concatenate([hours, since, np.zeros(len(visitor))]),
        time=time,
    )
