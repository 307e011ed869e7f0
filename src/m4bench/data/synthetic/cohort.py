# SPDX-License-Identifier: MIT
"""Who comes to the hospital and when: patients, admissions, ICU stays and their times. Knows no measurement."""

from dataclasses import dataclass

import numpy as np

from m4bench.data.synthetic.draws import (
    DAY,
    HOUR,
    BoolArray,
    FloatArray,
    IntArray,
    dealt,
    ragged,
    rounded,
)
from m4bench.data.synthetic.elementary import exp, log
from m4bench.data.synthetic.physiology import ILLNESSES, Course, draw_course

SUBJECTS_FROM, ADMISSIONS_FROM, STAYS_FROM = 90_000_000, 120_000_000, 150_000_000
"""First identifiers: well outside the ranges of the real database, so that no row can be taken for real."""

OF_AGE = 18
NO_OWNER = -1
WITHOUT_ICU = 0.8
"""Admissions without the ICU to a stay."""
YEAR_GROUPS = ("2008 - 2010", "2011 - 2013", "2014 - 2016", "2017 - 2019", "2020 - 2022")
ICD10_FROM_GROUP = 3
"""Year groups from this one on are coded in ICD-10, earlier ones in ICD-9, the one before in both."""


@dataclass(frozen=True)
class Patients:
    """Patients of a block, arrays of one length; `height` in cm, `weight` in kg at rest."""

    subject_id: IntArray
    female: BoolArray
    anchor_age: IntArray
    anchor_year: IntArray
    year_group: IntArray
    height: FloatArray
    weight: FloatArray


@dataclass(frozen=True)
class Admissions:
    """Hospital admissions of a block; times in seconds since 1970, `patient` indexes Patients."""

    hadm_id: IntArray
    patient: IntArray
    illness: IntArray
    admitted: IntArray
    discharged: IntArray
    died: BoolArray
    has_stay: BoolArray


@dataclass(frozen=True)
class Stays:
    """ICU stays of a block; `admission` and `patient` index the other two.

    `silent` stays have no charted data at all; `sparse` ones are charted every few hours only.
    """

    stay_id: IntArray
    admission: IntArray
    patient: IntArray
    intime: IntArray
    outtime: IntArray
    course: Course
    silent: BoolArray
    sparse: BoolArray

    def __len__(self) -> int:
        return len(self.stay_id)

    def at(self, stay: IntArray, hours: FloatArray) -> IntArray:
        """Return the clock time, in seconds, of hours counted from ICU admission."""
        return self.intime[stay] + np.rint(hours * HOUR).astype(np.int64)


@dataclass(frozen=True)
class Cohort:
    """A block of the hospital."""

    patients: Patients
    admissions: Admissions
    stays: Stays

    def alive(self, stay: IntArray, time: IntArray) -> BoolArray:
        """Tell whether the patient of each stay is not dead yet at a clock time in seconds.

        A death that follows the discharge from the hospital is left out of account.
        """
        admission = self.stays.admission[stay]
        death = self.admissions.discharged[admission] // 60 * 60
        return np.asarray(~self.admissions.died[admission] | (time <= death))


@dataclass(frozen=True)
class _Skeleton:
    """Who owns what, before any time is known; rows are in order of time within their owner."""

    patients: int
    patient_of_admission: IntArray
    admission_of_stay: IntArray
    admissions: int


def _skeleton(rng: np.random.Generator, stays: int) -> _Skeleton:
    """Draw how stays fall into admissions and these into patients.

    About one admission in thirteen has several ICU stays and three patients in ten several admissions with
    one; there is about one admission without the ICU to two stays, most often of those who come often, and
    one patient in twenty never needs the ICU. Shares are near those of the open demo, but for admissions
    without the ICU, of which the demo has twice as many.
    """
    per_admission = rng.choice([1, 2, 3], size=stays, p=[0.93, 0.055, 0.015])
    admissions = int(np.searchsorted(np.cumsum(per_admission), stays) + 1)
    per_admission = per_admission[:admissions]
    per_admission[-1] -= per_admission.sum() - stays
    per_patient = rng.choice([1, 2, 3, 4, 6], size=admissions, p=[0.72, 0.18, 0.06, 0.03, 0.01])
    patients = int(np.searchsorted(np.cumsum(per_patient), admissions) + 1)
    per_patient = per_patient[:patients]
    per_patient[-1] -= per_patient.sum() - admissions
    with_stay, _ = ragged(per_patient)
    never = patients // 20 + 1
    more = max(int(WITHOUT_ICU * stays) - never, 0)
    often = rng.gamma(0.5, 1.0, patients) + 0.02
    other = np.concatenate(
        [rng.choice(patients, size=more, p=often / often.sum()), patients + np.arange(never)]
    )
    owner = np.concatenate([with_stay, other])
    order = np.lexsort((rng.random(len(owner)), owner))
    rank = np.empty(len(owner), dtype=np.int64)
    rank[order] = np.arange(len(owner))
    return _Skeleton(
        patients=patients + never + patients // 40,
        patient_of_admission=owner[order],
        admission_of_stay=rank[ragged(per_admission)[0]],
        admissions=len(owner),
    )


def _last_of(owner: IntArray, owners: int) -> BoolArray:
    """Tell which rows are the last of their owner (rows are in order within it)."""
    last = np.full(owners, -1)
    np.maximum.at(last, owner, np.arange(len(owner)))
    return np.isin(np.arange(len(owner)), last)


def _patients(rng: np.random.Generator, n: int, first: int) -> Patients:
    female = rng.random(n) < 0.45
    age = np.clip(np.rint(rng.normal(62.5, 16.5, n)), OF_AGE, 91).astype(np.int64)
    age = np.where(age > 89, 91, age)
    height = np.where(female, rng.normal(163, 7, n), rng.normal(177, 7.5, n))
    index = exp(rng.normal(log(27.5), 0.2, n))
    return Patients(
        subject_id=SUBJECTS_FROM + first * 4 + rng.permutation(n * 4)[:n],
        female=female,
        anchor_age=age,
        anchor_year=rng.integers(2112, 2190, n),
        year_group=dealt(rng, [0.22, 0.2, 0.22, 0.2, 0.16], n),
        height=rounded(height, 0),
        weight=np.clip(index * (height / 100) ** 2, 38, 230),
    )


def _hours_before(rng: np.random.Generator, n: int) -> FloatArray:
    """Return hours in hospital before the ICU: minutes in some, an hour or two in most, days in a third."""
    kind = dealt(rng, [0.07, 0.56, 0.35, 0.02], n)
    days = exp(rng.normal(log(30.0), 1.15, n))
    drawn = (
        rng.uniform(0.0, 0.16, n),
        exp(rng.normal(log(1.7), 0.45, n)),
        np.minimum(days, 300.0),
        rng.uniform(300.0, 500.0, n),
    )
    return np.asarray(np.choose(kind, drawn), dtype=np.float64)


def _begins(
    rng: np.random.Generator, bones: _Skeleton, length: FloatArray, people: Patients
) -> IntArray:
    """Return when admissions of the given hours begin, in seconds; those of a patient never overlap.

    The first falls into the anchor year, in one patient of nine up to three years before it, but never into a
    year before the patient came of age.
    """
    apart = (rng.gamma(0.9, 150, len(length)) + 2) * 24 + length
    begin = np.cumsum(apart) - apart
    first = np.full(bones.patients, np.inf)
    np.minimum.at(first, bones.patient_of_admission, begin)
    zero = (
        (people.anchor_year - 1970).astype("datetime64[Y]").astype("datetime64[s]").astype(np.int64)
    )
    offset = rng.integers(0, 365 * DAY, bones.patients) // 60 * 60
    earlier = rng.choice([0, 1, 2, 3], bones.patients, p=[0.89, 0.06, 0.03, 0.02])
    offset -= np.minimum(earlier, people.anchor_age - OF_AGE) * 365 * DAY
    since = begin - first[bones.patient_of_admission]
    start = (zero + offset)[bones.patient_of_admission] + (since * 60).astype(np.int64) * 60
    return np.asarray(start, dtype=np.int64)


def _timeline(
    rng: np.random.Generator, bones: _Skeleton, course: Course, people: Patients
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return admission and discharge times of admissions, then start and end of stays, in seconds.

    Two admissions of one patient never overlap, nor do two stays of one admission. Hours before, in and
    after the ICU are near the quantiles of the open demo. Who dies in the ICU leaves it and the hospital at
    the same minute, which is all that the register tells of a discharge.
    """
    n = bones.admissions
    before = _hours_before(rng, n)
    gap = rng.uniform(14, 90, len(bones.admission_of_stay))
    stay_hours = course.los + gap
    stay_start = np.cumsum(stay_hours) - stay_hours
    owner = bones.admission_of_stay
    firsts = np.full(n, np.inf)
    np.minimum.at(firsts, owner, stay_start)
    start = before[owner] + stay_start - firsts[owner]
    total = np.zeros(n)
    np.add.at(total, owner, stay_hours)
    alive = np.ones(n, dtype=bool)
    alive[owner[course.dies]] = False
    ward = np.clip(exp(rng.normal(log(74), 0.95, n)), 5, 1500)
    after = np.where(total > 0, exp(rng.normal(log(66), 0.8, n)), ward)
    before = np.where(total > 0, before, 0.0)
    final_gap = np.zeros(n)
    np.maximum.at(final_gap, owner, np.where(_last_of(owner, n), gap, 0.0))
    length = before + total - final_gap + np.where(alive, after, 0.0)
    admitted = _begins(rng, bones, length, people)
    discharged = admitted + (length * 60).astype(np.int64) * 60
    intime = admitted[owner] + np.rint(start * HOUR).astype(np.int64)
    outtime = intime + np.rint(course.los * HOUR).astype(np.int64)
    outtime = np.where(course.dies, outtime // 60 * 60, outtime)
    return admitted, np.maximum(discharged, admitted + HOUR), intime, outtime


def _deaths_on_wards(
    rng: np.random.Generator, bones: _Skeleton, course: Course, died: BoolArray
) -> BoolArray:
    """Tell which admissions end in death outside the ICU; only a patient's last one can."""
    burden = np.full(bones.admissions, 0.3)
    np.maximum.at(burden, bones.admission_of_stay, course.level.sum(axis=1))
    last = _last_of(bones.patient_of_admission, bones.patients)
    gone = np.zeros(bones.patients, dtype=bool)
    gone[bones.patient_of_admission[died]] = True
    chance = 0.01 + 0.035 * np.maximum(burden - 0.6, 0.0)
    return last & ~gone[bones.patient_of_admission] & (rng.random(len(last)) < chance)


def draw_cohort(rng: np.random.Generator, stays: int, first: int) -> Cohort:
    """Draw a block of exactly `stays` ICU stays.

    Args:
        rng: the stream of this block's cohort.
        stays: how many ICU stays, at least one.
        first: number of stays in earlier blocks, from which identifiers are told apart.
    """
    bones = _skeleton(rng, stays)
    people = _patients(rng, bones.patients, first * 2)
    illness = dealt(rng, [i.share for i in ILLNESSES], bones.admissions)
    owner = bones.admission_of_stay
    order = np.argsort(owner, kind="stable")
    owner = owner[order]
    bones = _Skeleton(bones.patients, bones.patient_of_admission, owner, bones.admissions)
    last_admission = _last_of(bones.patient_of_admission, bones.patients)
    last = _last_of(owner, bones.admissions) & last_admission[owner]
    course = draw_course(rng, illness[owner], last)
    admitted, discharged, intime, outtime = _timeline(rng, bones, course, people)
    died = np.zeros(bones.admissions, dtype=bool)
    died[owner[course.dies]] = True
    discharged[owner[course.dies]] = outtime[course.dies]
    died |= _deaths_on_wards(rng, bones, course, died)
    has_stay = np.isin(np.arange(bones.admissions), owner)
    quiet = dealt(rng, [0.905, 0.07, 0.025], stays)
    return Cohort(
        people,
        Admissions(
            hadm_id=ADMISSIONS_FROM
            + first * 12
            + rng.permutation(bones.admissions * 3)[: bones.admissions],
            patient=bones.patient_of_admission,
            illness=illness,
            admitted=admitted,
            discharged=discharged,
            died=died,
            has_stay=has_stay,
        ),
        Stays(
            stay_id=STAYS_FROM + first * 3 + rng.permutation(stays * 3)[:stays],
            admission=owner,
            patient=bones.patient_of_admission[owner],
            intime=intime,
            outtime=outtime,
            course=course,
            silent=quiet == 2,
            sparse=quiet == 1,
        ),
    )
