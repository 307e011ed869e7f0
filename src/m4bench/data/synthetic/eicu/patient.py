# SPDX-License-Identifier: MIT
"""Table patient: one row a unit stay, with what the registration desk knows. Knows no chart."""

from typing import Any

import numpy as np
import pyarrow as pa

from m4bench.data.synthetic.draws import FloatArray, IntArray, dealt, rounded
from m4bench.data.synthetic.eicu.admission_diagnoses import admission_diagnoses
from m4bench.data.synthetic.eicu.hospitals import HOSPITALS_FROM, UNIT_TYPES
from m4bench.data.synthetic.eicu.rows import minutes, shifted, words
from m4bench.data.synthetic.eicu.stays import HOSPITAL_STAYS_FROM, SOURCES, UnitStays
from m4bench.data.synthetic.elementary import exp, log

DISCHARGED_EARLY = 0.0135
"""Share of stays whose hospital discharge is recorded before that from the unit."""
PERSON_PREFIX = "900-"
"""How persons are numbered: the numbers of the real database begin lower."""
_ETHNICITIES = (
    "Caucasian", "African American", "Hispanic", "Other/Unknown", "Asian", "Native American", None,
)  # fmt: skip
_ETHNIC_SHARES = (0.795, 0.092, 0.046, 0.033, 0.012, 0.006, 0.016)
_HOMES = (
    "Home", "Skilled Nursing Facility", "Other Hospital", "Other External", "Other",
    "Rehabilitation", "Nursing Home", None, "Death",
)  # fmt: skip
_HOME_SHARES = (0.65, 0.135, 0.06, 0.045, 0.042, 0.042, 0.017, 0.009)
_NEXT = (
    "Floor", "Home", "Step-Down Unit (SDU)", "Acute Care/Floor", "Telemetry", "Other Hospital",
    "Other ICU", "Other External", "Skilled Nursing Facility", "Other", "ICU", "Rehabilitation",
    "Nursing Home", "Other Internal", None, "Death",
)  # fmt: skip
_NEXT_SHARES = (
    0.49, 0.135, 0.1, 0.09, 0.062, 0.04, 0.022, 0.013, 0.013, 0.009, 0.006, 0.006, 0.006, 0.004, 0.004,
)  # fmt: skip
_TYPES = ("admit", "stepdown/other", "readmit", "transfer")


def _clock(stays: UnitStays, offset: IntArray) -> pa.Array:
    """Return the time of day, as `HH:MM:SS`, of an offset from unit admission."""
    minute = (stays.block.cohort.stays.intime // 60 + offset) % 1440
    known = np.unique(minute)
    texts = [f"{m // 60:02d}:{m % 60:02d}:00" for m in known.tolist()]
    return words(texts, np.searchsorted(known, minute))


def _ages(age: IntArray, rng: np.random.Generator) -> pa.Array:
    options = [str(years) for years in range(90)] + ["> 89"]
    unread = rng.random(len(age)) < 0.006
    return words(options, np.where(unread, -1, np.minimum(age, 90)))


def _sizes(rng: np.random.Generator, stays: UnitStays) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return height, admission and discharge weight as entered.

    Entered wrongly they are in another unit (pounds or inches) or zero; one in fourteen is never weighed,
    half leave unweighed.
    """
    n = len(stays)
    slip = dealt(rng, [0.981, 0.006, 0.008, 0.005], n)
    height = np.choose(slip, [stays.height, stays.height / 2.54, stays.height * 0, stays.height])
    weight = stays.weight * exp(rng.normal(0, 0.02, n))
    entered = np.choose(slip, [weight, weight, weight * 2.2046, weight * 0])
    leaving = weight + rng.normal(0.4, 2.5, n)
    return (
        np.where(rng.random(n) < 0.025, np.nan, rounded(height, 1)),
        np.where(rng.random(n) < 0.075, np.nan, rounded(entered, 1)),
        np.where(rng.random(n) < 0.51, np.nan, rounded(np.maximum(leaving, 30.0), 1)),
    )


def _fates(rng: np.random.Generator, stays: UnitStays) -> dict[str, Any]:
    """Return where patients go, and whether alive, from the unit and from the hospital."""
    n = len(stays)
    dies = stays.dies_here | stays.dies_later
    unrecorded = rng.random(n) < 0.011
    home = rng.choice(len(_HOME_SHARES), n, p=np.array(_HOME_SHARES) / sum(_HOME_SHARES))
    following = rng.choice(len(_NEXT_SHARES), n, p=np.array(_NEXT_SHARES) / sum(_NEXT_SHARES))
    status = ("Alive", "Expired")
    return {
        "hospitaldischargelocation": words(_HOMES, np.where(dies, len(_HOMES) - 1, home)),
        "hospitaldischargestatus": words(status, np.where(unrecorded & ~dies, -1, dies)),
        "unitdischargelocation": words(_NEXT, np.where(stays.dies_here, len(_NEXT) - 1, following)),
        "unitdischargestatus": words(status, np.where(rng.random(n) < 0.001, -1, stays.dies_here)),
    }


def patient_columns(stays: UnitStays) -> dict[str, Any]:
    """Return the columns of patient.

    About one stay in eight has no admission diagnosis, one in a hundred and fifty a hospital admission recorded
    after that to the unit, and one in seventy a hospital discharge recorded before that from the unit, mostly
    by less than an hour; shares and gaps are those of the open demo.
    """
    rng = stays.block.rng("patient")
    n = len(stays)
    people = stays.block.cohort.patients
    owner = stays.block.cohort.stays.patient
    ethnicity = rng.choice(len(_ETHNICITIES), len(people.subject_id), p=_ETHNIC_SHARES)
    admitted, left = minutes(stays.admitted), np.maximum(minutes(stays.hours), 1)
    discharged = np.maximum(minutes(stays.discharged), left)
    early = rng.random(n) < DISCHARGED_EARLY
    gap = np.minimum(1 + exp(rng.normal(log(29.0), 1.35, n)), 1440.0).astype(np.int64)
    discharged = np.where(early, left - gap, discharged)
    kind = np.where(
        stays.visit == 1,
        rng.choice([0, 1, 3], n, p=[0.955, 0.035, 0.01]),
        np.where(
            stays.follows,
            rng.choice([1, 3], n, p=[0.7, 0.3]),
            rng.choice([1, 2, 3], n, p=[0.1, 0.85, 0.05]),
        ),
    )
    height, weight, leaving = _sizes(rng, stays)
    gender = np.where(people.female[owner], 1, 0)
    gender = np.choose(rng.choice(3, n, p=[0.997, 0.0015, 0.0015]), [gender, 2, 3])
    return {
        "patientunitstayid": stays.stay_id,
        "patienthealthsystemstayid": HOSPITAL_STAYS_FROM + stays.block.first + stays.admission,
        "gender": words(("Male", "Female", "Unknown", None), gender),
        "age": _ages(stays.age, rng),
        "ethnicity": words(_ETHNICITIES, ethnicity[owner]),
        "hospitalid": HOSPITALS_FROM + stays.hospital,
        "wardid": stays.habits.ward_id(stays.hospital, stays.ward),
        "apacheadmissiondx": words(
            admission_diagnoses().text, np.where(stays.recorded, stays.diagnosis, -1)
        ),
        "admissionheight": height,
        "hospitaladmittime24": _clock(stays, admitted),
        "hospitaladmitoffset": shifted(admitted),
        "hospitaladmitsource": words(SOURCES, np.where(rng.random(n) < 0.23, -1, stays.source)),
        "hospitaldischargeyear": rng.integers(2014, 2016, n),
        "hospitaldischargetime24": _clock(stays, discharged),
        "hospitaldischargeoffset": shifted(discharged),
        **_fates(rng, stays),
        "unittype": words(UNIT_TYPES, stays.habits.ward_type[stays.hospital, stays.ward]),
        "unitadmittime24": _clock(stays, np.zeros(n, np.int64)),
        "unitadmitsource": words(SOURCES, stays.source),
        "unitvisitnumber": stays.visit,
        "unitstaytype": words(_TYPES, kind),
        "admissionweight": weight,
        "dischargeweight": leaving,
        "unitdischargetime24": _clock(stays, left),
        "unitdischargeoffset": shifted(left),
        "uniquepid": pa.array(
            [f"{PERSON_PREFIX}{number:06d}" for number in stays.patient.tolist()]
        ),
    }
