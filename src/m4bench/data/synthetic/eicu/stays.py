# SPDX-License-Identifier: MIT
"""The unit stays of a block as eICU sees them: where, when, why and how they end. Knows no measurement.

Hours count from unit admission. Stays are somewhat shorter than in a single academic centre: with the median
of 1.5 and mean of 2.4 days of the open demo in mind, survivors leave after two thirds of their course.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from m4bench.data.synthetic.block import Block
from m4bench.data.synthetic.draws import BoolArray, FloatArray, IntArray, dealt
from m4bench.data.synthetic.eicu.admission_diagnoses import admission_diagnoses, draw_diagnoses
from m4bench.data.synthetic.eicu.hospitals import HOSPITALS, Hospitals, hospitals
from m4bench.data.synthetic.elementary import exp
from m4bench.data.synthetic.physiology import ILLNESSES

STAYS_FROM, HOSPITAL_STAYS_FROM = 50_000_000, 70_000_000

SURVIVOR_SHARE = 0.68
"""Share of the course that survivors spend in the unit."""

EMERGENCY, FLOOR, THEATRE, RECOVERY, PACU, DIRECT, STEP_DOWN, ACUTE, OTHER_ICU, OTHER_HOSPITAL, ICU, \
    ICU_TO_STEP_DOWN, CHEST_PAIN, UNKNOWN_SOURCE = range(14)  # fmt: skip
SOURCES = (
    "Emergency Department", "Floor", "Operating Room", "Recovery Room", "PACU", "Direct Admit",
    "Step-Down Unit (SDU)", "Acute Care/Floor", "Other ICU", "Other Hospital", "ICU", "ICU to SDU",
    "Chest Pain Center", None,
)  # fmt: skip
_MEDICAL = (0.66, 0.15, 0, 0, 0, 0.075, 0.03, 0.03, 0.012, 0.015, 0, 0.012, 0.003, 0.013)
_OPERATIVE = (0.03, 0.03, 0.66, 0.19, 0.045, 0.005, 0, 0, 0, 0.005, 0, 0, 0, 0.035)
_RETURN = (0.05, 0.25, 0.06, 0.02, 0, 0, 0.13, 0.06, 0.02, 0, 0.16, 0.24, 0, 0.01)

NOT_OPERATED, EMERGENCY_SURGERY, ELECTIVE_SURGERY = range(3)


@dataclass(frozen=True)
class UnitStays:
    """The stays of a block; every array has one entry a stay.

    Attributes:
        block: what they are drawn from.
        habits: the hospitals of the network, indexed by `hospital`.
        patient: number of the patient, 0 upward within the hospital's network.
        admission: number of the hospital stay within the block.
        visit: 1 for the first unit stay of a hospital stay, and so on.
        hospital, ward: where; `ward` counts within the hospital.
        diagnosis: index into the list of admission diagnoses.
        recorded: whether the registration desk has it.
        surgery: NOT_OPERATED, EMERGENCY_SURGERY or ELECTIVE_SURGERY.
        source: index into SOURCES.
        age: in years; 91 stands for every age above 89.
        follows: whether it begins where the unit stay before it ends, as when a bed is renamed.
        hours: length of the unit stay.
        dies_here: whether it ends in death in the unit.
        dies_later: whether the hospital stay ends in death, though not here.
        admitted, discharged: hour of hospital admission (usually negative) and discharge.
    """

    block: Block
    habits: Hospitals
    patient: IntArray
    admission: IntArray
    visit: IntArray
    hospital: IntArray
    ward: IntArray
    diagnosis: IntArray
    recorded: BoolArray
    surgery: IntArray
    source: IntArray
    age: IntArray
    follows: BoolArray
    hours: FloatArray
    dies_here: BoolArray
    dies_later: BoolArray
    admitted: FloatArray
    discharged: FloatArray

    def __len__(self) -> int:
        return len(self.visit)

    @property
    def density(self) -> float:
        """Return the share of event rows to draw."""
        return self.block.density

    @property
    def charted(self) -> BoolArray:
        """Tell which stays have any chart."""
        return ~self.block.cohort.stays.silent

    @property
    def weight(self) -> FloatArray:
        """Return the weight at rest, in kg."""
        cohort = self.block.cohort
        return cohort.patients.weight[cohort.stays.patient]

    @property
    def height(self) -> FloatArray:
        """Return the height, in cm."""
        cohort = self.block.cohort
        return cohort.patients.height[cohort.stays.patient]

    def documents(self, table: str) -> BoolArray:
        """Tell which stays are charted by a hospital that fills a table."""
        return self.charted & self.habits.documents[table][self.hospital]

    def ids(self, stay: IntArray) -> IntArray:
        """Return the identifier of the unit stay of each row."""
        return self.stay_id[stay]

    @cached_property
    def stay_id(self) -> IntArray:
        """Return the identifiers of the unit stays, in no order of time."""
        rng = self.block.rng("unit stay numbers")
        n = len(self)
        return STAYS_FROM + self.block.first * 3 + rng.permutation(n * 3)[:n]


def _runs(owner: IntArray) -> IntArray:
    """Return the place of each row among those of its owner (rows of an owner follow each other)."""
    n = len(owner)
    begins = np.flatnonzero(np.diff(owner, prepend=-1))
    return np.arange(n) - begins[np.searchsorted(begins, np.arange(n), side="right") - 1]


def _lead(rng: np.random.Generator, operated: BoolArray) -> FloatArray:
    """Return hours in hospital before the first unit stay.

    Some are brought to the unit directly; as in the open demo one in a hundred and fifty is registered only
    afterwards, half of these by more than half a day. Most wait some hours in the emergency room, others fall
    ill on the ward after days, a few after weeks.
    """
    n = len(operated)
    way = np.where(
        operated, 4 + dealt(rng, [0.75, 0.25], n), dealt(rng, [0.1, 0.007, 0.673, 0.22], n)
    )
    choices = np.stack(
        [
            rng.uniform(0.0, 0.3, n),
            -rng.gamma(0.6, 45.0, n),
            exp(rng.normal(1.1, 0.8, n)),
            4.0 + rng.gamma(0.75, 78.0, n),
            exp(rng.normal(1.95, 0.45, n)),
            20.0 + rng.gamma(1.0, 60.0, n),
        ]
    )
    return np.asarray(choices[way, np.arange(n)])


def _source(
    rng: np.random.Generator,
    operated: BoolArray,
    visit: IntArray,
    follows: BoolArray,
    lead: FloatArray,
) -> IntArray:
    n = len(visit)
    medical = rng.choice(len(SOURCES), n, p=np.array(_MEDICAL) / sum(_MEDICAL))
    medical = np.where((medical == EMERGENCY) & (lead > 30.0), FLOOR, medical)
    after = rng.choice(len(SOURCES), n, p=np.array(_OPERATIVE) / sum(_OPERATIVE))
    again = rng.choice(len(SOURCES), n, p=np.array(_RETURN) / sum(_RETURN))
    renamed = np.where(rng.random(n) < 0.7, ICU_TO_STEP_DOWN, ICU)
    again = np.where(follows, renamed, again)
    return np.where(visit > 1, again, np.where(operated, after, medical)).astype(np.int64)


def _ages(rng: np.random.Generator, block: Block) -> IntArray:
    """Return ages at admission; one patient in thirty more is young than in the cohort at large."""
    patients = block.cohort.patients
    n = len(patients.anchor_age)
    age = np.where(dealt(rng, [0.967, 0.033], n) == 1, rng.integers(18, 31, n), patients.anchor_age)
    return np.asarray(age[block.cohort.stays.patient], dtype=np.int64)


def _followed(
    rng: np.random.Generator, block: Block, visit: IntArray
) -> tuple[BoolArray, FloatArray]:
    """Return which stays the next one of the hospital stay follows at once, and the hours until that.

    In half of the transfers to another unit the patient is nowhere else in between, and often has not even
    moved: a bed of the unit counts as step-down from then on.
    """
    intime = block.cohort.stays.intime
    until = np.append((intime[1:] - intime[:-1]) / 3600.0, np.inf)
    again = np.append(visit[1:] > 1, False)
    return again & (until < 240.0) & (rng.random(len(visit)) < 0.6), until


def _discharges(block: Block, hours: FloatArray) -> FloatArray:
    """Return the hour of hospital discharge of each stay, the same moment for all stays of an admission.

    What follows the last unit stay is halved: the network's hospitals keep patients for less long.
    """
    stays, admissions = block.cohort.stays, block.cohort.admissions
    left = stays.intime / 3600.0 + hours
    last = np.full(len(admissions.hadm_id), -np.inf)
    np.maximum.at(last, stays.admission, left)
    after = np.maximum(admissions.discharged / 3600.0 - last, 0.2)[stays.admission]
    return np.asarray(last[stays.admission] + 0.5 * after - stays.intime / 3600.0)


def draw_unit_stays(block: Block) -> UnitStays:
    """Draw the unit stays of a block."""
    rng = block.rng("unit stays")
    cohort = block.cohort
    stays, admissions = cohort.stays, cohort.admissions
    n = len(stays)
    visit = _runs(stays.admission) + 1
    illness = stays.course.illness
    first = np.arange(n) - (visit - 1)
    diagnosis, recorded = draw_diagnoses(rng, block, illness, first)
    operated = admission_diagnoses().operative[diagnosis]
    elective = np.array([i.name for i in ILLNESSES])[illness] == "elective surgery"
    planned = rng.random(n) < np.where(elective, 0.94, 0.25)
    surgery = np.where(operated, np.where(planned, ELECTIVE_SURGERY, EMERGENCY_SURGERY), 0)
    dies = stays.course.dies
    here = dies & (rng.random(n) < 0.66)
    hours = np.where(dies & here, stays.course.los, SURVIVOR_SHARE * stays.course.los)
    followed, until = _followed(rng, block, visit)
    hours = np.where(followed, until, hours)
    lead = _lead(rng, operated)[first]
    since = (stays.intime - stays.intime[first]) / 3600.0
    expired = admissions.died[stays.admission]
    network = hospitals()
    hospital = (rng.permutation(n + HOSPITALS)[:n] % HOSPITALS)[first]
    _, patient = np.unique(stays.patient, return_inverse=True)
    _, hospital_stay = np.unique(stays.admission, return_inverse=True)
    return UnitStays(
        block=block,
        habits=network,
        patient=np.asarray(block.first + rng.permutation(n)[patient], dtype=np.int64),
        admission=np.asarray(hospital_stay, dtype=np.int64),
        visit=visit,
        hospital=hospital,
        ward=(rng.random(n) * network.wards[hospital]).astype(np.int64),
        diagnosis=diagnosis,
        recorded=recorded,
        surgery=surgery.astype(np.int64),
        source=_source(rng, operated, visit, np.append(False, followed[:-1]), lead + since),
        age=_ages(rng, block),
        follows=np.append(False, followed[:-1]),
        hours=hours,
        dies_here=here,
        dies_later=expired & ~here,
        admitted=-(lead + since),
        discharged=np.where(here, hours, _discharges(block, hours)),
    )
