# SPDX-License-Identifier: MIT
"""The hospital's register of a block: patients, admissions and ICU stays. Knows no measurement and no ward.

Shares of admission types, races, ways in and out are near those of the open demo.
"""

from typing import Any

import numpy as np

from m4bench.data.synthetic.cohort import YEAR_GROUPS, Cohort
from m4bench.data.synthetic.draws import DAY, IntArray, dealt
from m4bench.data.synthetic.mimic.providers import providers
from m4bench.data.synthetic.mimic.words import worded
from m4bench.data.synthetic.physiology import ILLNESSES
from m4bench.data.synthetic.tables import NO_TIME

MICU = "Medical Intensive Care Unit (MICU)"
UNITS = (
    MICU,
    "Surgical Intensive Care Unit (SICU)",
    "Medical/Surgical Intensive Care Unit (MICU/SICU)",
    "Coronary Care Unit (CCU)",
    "Cardiac Vascular Intensive Care Unit (CVICU)",
    "Neuro Surgical Intensive Care Unit (Neuro SICU)",
    "Trauma SICU (TSICU)",
)
_USUAL_UNIT = {"elective surgery": 4, "cardiogenic shock": 3, "cardiac arrest": 3, "trauma": 6}
_USUAL_UNIT |= {"intracranial haemorrhage": 5, "kidney failure": 2}
ADMISSION_TYPES = (
    "EW EMER.", "URGENT", "OBSERVATION ADMIT", "DIRECT EMER.", "EU OBSERVATION", "DIRECT OBSERVATION",
    "AMBULATORY OBSERVATION", "SURGICAL SAME DAY ADMISSION", "ELECTIVE",
)  # fmt: skip
_UNPLANNED = (0.44, 0.16, 0.17, 0.06, 0.1, 0.025, 0.02, 0.005, 0.02)
_PLANNED = (0.04, 0.03, 0.02, 0.01, 0.0, 0.0, 0.0, 0.55, 0.35)
"""Shares of admission types, near those of the open demo, without and with planned surgery."""
RACES = (
    "WHITE", "BLACK/AFRICAN AMERICAN", "UNKNOWN", "OTHER", "HISPANIC/LATINO - PUERTO RICAN", "ASIAN",
    "ASIAN - CHINESE", "HISPANIC/LATINO - DOMINICAN", "WHITE - OTHER EUROPEAN", "WHITE - RUSSIAN",
    "BLACK/CAPE VERDEAN", "PORTUGUESE", "UNABLE TO OBTAIN", "PATIENT DECLINED TO ANSWER",
    "HISPANIC OR LATINO", "WHITE - BRAZILIAN", "BLACK/CARIBBEAN ISLAND", "BLACK/AFRICAN",
    "HISPANIC/LATINO - CUBAN", "HISPANIC/LATINO - SALVADORAN", "ASIAN - SOUTH EAST ASIAN",
    "ASIAN - ASIAN INDIAN", "MULTIPLE RACE/ETHNICITY", "AMERICAN INDIAN/ALASKA NATIVE",
    "NATIVE HAWAIIAN OR OTHER PACIFIC ISLANDER", "SOUTH AMERICAN",
)  # fmt: skip
_RACE_SHARES = (
    0.60, 0.13, 0.05, 0.035, 0.025, 0.017, 0.015, 0.014, 0.014, 0.012, 0.011, 0.012, 0.01, 0.008,
    0.008, 0.007, 0.006, 0.005, 0.006, 0.005, 0.004, 0.004, 0.003, 0.002, 0.002, 0.001,
)  # fmt: skip
_FROM = (
    "EMERGENCY ROOM", "PHYSICIAN REFERRAL", "TRANSFER FROM HOSPITAL", "CLINIC REFERRAL",
    "WALK-IN/SELF REFERRAL", "PROCEDURE SITE", "TRANSFER FROM SKILLED NURSING FACILITY", "PACU",
    "INTERNAL TRANSFER TO OR FROM PSYCH", "INFORMATION NOT AVAILABLE",
)  # fmt: skip
_FROM_SHARES = (0.0, 0.45, 0.3, 0.08, 0.06, 0.05, 0.02, 0.02, 0.01, 0.01)
_TO = (
    "HOME", "HOME HEALTH CARE", "SKILLED NURSING FACILITY", "REHAB", "CHRONIC/LONG TERM ACUTE CARE",
    "HOSPICE", "AGAINST ADVICE", "PSYCH FACILITY", "ACUTE HOSPITAL", "OTHER FACILITY", None, "DIED",
)  # fmt: skip
_TO_SHARES = (0.29, 0.29, 0.14, 0.05, 0.035, 0.02, 0.015, 0.007, 0.005, 0.003, 0.145, 0.0)
_DIED = len(_TO) - 1
_INSURANCE = ("Medicare", "Private", "Medicaid", "Other", "No charge", None)
_LANGUAGES = (
    "English",
    "Spanish",
    "Chinese",
    "Russian",
    "Portuguese",
    "Kabuverdianu",
    "Other",
    None,
)
_MARITAL = ("MARRIED", "SINGLE", "WIDOWED", "DIVORCED", None)


def _drawn(rng: np.random.Generator, shares: tuple[float, ...], n: int) -> IntArray:
    """Return n places in proportion to the shares, each share above zero at least once when n allows."""
    weights = np.array(shares)
    possible = np.flatnonzero(weights)
    return np.asarray(possible[dealt(rng, weights[possible], n)], dtype=np.int64)


def patient_columns(rng: np.random.Generator, cohort: Cohort) -> dict[str, Any]:
    """Return the columns of patients; a date of death also for some who died after discharge."""
    people, admissions = cohort.patients, cohort.admissions
    n = len(people.subject_id)
    last = np.full(n, NO_TIME)
    np.maximum.at(last, admissions.patient, admissions.discharged)
    in_hospital = np.zeros(n, dtype=bool)
    in_hospital[admissions.patient[admissions.died]] = True
    later = ~in_hospital & (last != NO_TIME) & (rng.random(n) < 0.16)
    death = np.where(later, last + (rng.uniform(2, 360, n) * DAY).astype(np.int64), last)
    return {
        "subject_id": people.subject_id,
        "gender": worded(("M", "F"), people.female.astype(np.int64)),
        "anchor_age": people.anchor_age,
        "anchor_year": people.anchor_year,
        "anchor_year_group": worded(YEAR_GROUPS, people.year_group),
        "dod": np.where(in_hospital | later, death // DAY * DAY, NO_TIME),
    }


def _admission_types(rng: np.random.Generator, cohort: Cohort) -> IntArray:
    surgery = np.array([i.name == "elective surgery" for i in ILLNESSES])
    planned = surgery[cohort.admissions.illness]
    kind = np.zeros(len(planned), dtype=np.int64)
    for mine, shares in ((~planned, _UNPLANNED), (planned, _PLANNED)):
        kind[mine] = _drawn(rng, shares, int(mine.sum()))
    return kind


def admission_columns(rng: np.random.Generator, cohort: Cohort) -> dict[str, Any]:
    """Return the columns of admissions; two thirds come through the emergency department.

    Race is the patient's, told differently in one admission of twenty-five.
    """
    admissions = cohort.admissions
    m, people = len(admissions.hadm_id), len(cohort.patients.subject_id)
    kind = _admission_types(rng, cohort)
    name = np.array(ADMISSION_TYPES)[kind]
    emergency = (name == "EW EMER.") | (name == "EU OBSERVATION")
    emergency |= (name == "OBSERVATION ADMIT") & (rng.random(m) < 0.8)
    emergency |= (name == "URGENT") & (rng.random(m) < 0.1)
    source = np.where(emergency & (rng.random(m) < 0.8), 0, _drawn(rng, _FROM_SHARES, m))
    wait = rng.integers(60, 11 * 60, m) * 60
    race = _drawn(rng, _RACE_SHARES, people)[admissions.patient]
    race = np.where(rng.random(m) < 0.04, _drawn(rng, _RACE_SHARES, m), race)
    discharged = admissions.discharged // 60 * 60
    home = np.where(admissions.died, _DIED, _drawn(rng, _TO_SHARES, m))
    speech = _drawn(rng, (0.88, 0.03, 0.02, 0.02, 0.015, 0.01, 0.015, 0.01), people)
    return {
        "subject_id": cohort.patients.subject_id[admissions.patient],
        "hadm_id": admissions.hadm_id,
        "admittime": admissions.admitted,
        "dischtime": discharged,
        "deathtime": np.where(admissions.died, discharged, NO_TIME),
        "admission_type": worded(ADMISSION_TYPES, kind),
        "admit_provider_id": providers(admissions.hadm_id % 997),
        "admission_location": worded(_FROM, source),
        "discharge_location": worded(_TO, home),
        "insurance": worded(_INSURANCE, _drawn(rng, (0.46, 0.28, 0.15, 0.07, 0.01, 0.03), m)),
        "language": worded(_LANGUAGES, speech[admissions.patient]),
        "marital_status": worded(
            _MARITAL, _drawn(rng, (0.38, 0.36, 0.14, 0.08, 0.04), people)[admissions.patient]
        ),
        "race": worded(RACES, race),
        "edregtime": np.where(emergency, admissions.admitted - wait, NO_TIME),
        "edouttime": np.where(
            emergency, admissions.admitted + rng.integers(1, 200, m) * 60, NO_TIME
        ),
        "hospital_expire_flag": admissions.died.astype(np.int64),
    }


def care_units(rng: np.random.Generator, cohort: Cohort) -> tuple[IntArray, IntArray]:
    """Return first and last care unit of each stay."""
    usual = np.array([_USUAL_UNIT.get(i.name, 0) for i in ILLNESSES])
    n = len(cohort.stays)
    first = usual[cohort.stays.course.illness]
    anywhere = dealt(rng, [1.0] * len(UNITS), n)
    first = np.where(rng.random(n) < 0.25, anywhere, first)
    return first, np.where(rng.random(n) < 0.06, rng.permutation(anywhere), first)


def stay_columns(rng: np.random.Generator, cohort: Cohort) -> dict[str, Any]:
    """Return the columns of icustays; `los` in days."""
    stays = cohort.stays
    first, last = care_units(rng, cohort)
    return {
        "subject_id": cohort.patients.subject_id[stays.patient],
        "hadm_id": cohort.admissions.hadm_id[stays.admission],
        "stay_id": stays.stay_id,
        "first_careunit": worded(UNITS, first),
        "last_careunit": worded(UNITS, last),
        "intime": stays.intime,
        "outtime": stays.outtime,
        "los": (stays.outtime - stays.intime) / DAY,
    }
