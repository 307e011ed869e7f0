# SPDX-License-Identifier: MIT
"""The hospital's register of a block: patients, admissions, transfers, services, ICU stays. Knows no measurement."""

from typing import Any

import numpy as np

from m4bench.data.synthetic.cohort import YEAR_GROUPS, Cohort
from m4bench.data.synthetic.draws import (
    DAY,
    HOUR,
    IntArray,
    TextArray,
    constant,
    dealt,
    texts,
    when,
)
from m4bench.data.synthetic.physiology import ILLNESSES
from m4bench.data.synthetic.tables import NO_ID, NO_TIME

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
_SERVICE = {"elective surgery": "CSURG", "cardiogenic shock": "CMED", "trauma": "TRAUM"}
_SERVICE |= {"intracranial haemorrhage": "NSURG", "haematologic malignancy": "OMED"}
ADMISSION_TYPES = (
    "EW EMER.", "URGENT", "OBSERVATION ADMIT", "DIRECT EMER.", "SURGICAL SAME DAY ADMISSION", "ELECTIVE",
)  # fmt: skip
RACES = (
    "WHITE", "BLACK/AFRICAN AMERICAN", "HISPANIC/LATINO - PUERTO RICAN", "ASIAN", "OTHER", "UNKNOWN",
)  # fmt: skip


def patient_columns(rng: np.random.Generator, cohort: Cohort) -> dict[str, Any]:
    """Return the columns of patients; a date of death also for some who died after discharge."""
    people, admissions = cohort.patients, cohort.admissions
    n = len(people.subject_id)
    last = np.full(n, NO_TIME)
    np.maximum.at(last, admissions.patient, admissions.discharged)
    in_hospital = np.zeros(n, dtype=bool)
    in_hospital[admissions.patient[admissions.died]] = True
    later = ~in_hospital & (last != NO_TIME) & (rng.random(n) < 0.12)
    death = np.where(later, last + (rng.uniform(2, 360, n) * DAY).astype(np.int64), last)
    return {
        "subject_id": people.subject_id,
        "gender": np.where(people.female, "F", "M").astype(object),
        "anchor_age": people.anchor_age,
        "anchor_year": people.anchor_year,
        "anchor_year_group": texts(YEAR_GROUPS, people.year_group),
        "dod": np.where(in_hospital | later, death // DAY * DAY, NO_TIME),
    }


def admission_columns(rng: np.random.Generator, cohort: Cohort) -> dict[str, Any]:
    """Return the columns of admissions; two thirds come through the emergency department."""
    admissions = cohort.admissions
    m = len(admissions.hadm_id)
    surgery = np.array([i.name == "elective surgery" for i in ILLNESSES])[admissions.illness]
    kind = np.where(surgery, 4 + (rng.random(m) < 0.3), dealt(rng, [0.6, 0.2, 0.12, 0.08], m))
    emergency = (kind == 0) | ((kind == 2) & (rng.random(m) < 0.8))
    wait = rng.integers(60, 9 * 60, m) * 60
    location = np.where(emergency, 0, np.where(surgery, 1, 1 + dealt(rng, [0.5, 0.35, 0.15], m)))
    home = dealt(rng, [0.3, 0.3, 0.22, 0.18], m)
    homes = ("HOME", "HOME HEALTH CARE", "SKILLED NURSING FACILITY", "REHAB")
    discharge: TextArray = np.where(admissions.died, "DIED", texts(homes, home)).astype(object)
    people = len(cohort.patients.subject_id)
    race = texts(RACES, dealt(rng, [0.66, 0.12, 0.05, 0.05, 0.05, 0.07], people))
    return {
        "subject_id": cohort.patients.subject_id[admissions.patient],
        "hadm_id": admissions.hadm_id,
        "admittime": admissions.admitted,
        "dischtime": admissions.discharged // 60 * 60,
        "deathtime": np.where(admissions.died, admissions.discharged // 60 * 60, NO_TIME),
        "admission_type": texts(ADMISSION_TYPES, kind),
        "admission_location": texts(
            (
                "EMERGENCY ROOM",
                "PHYSICIAN REFERRAL",
                "TRANSFER FROM HOSPITAL",
                "WALK-IN/SELF REFERRAL",
            ),
            location,
        ),
        "discharge_location": discharge,
        "insurance": texts(
            ("Medicare", "Private", "Medicaid", "Other", None),
            dealt(rng, [0.5, 0.3, 0.13, 0.05, 0.02], m),
        ),
        "language": texts(
            ("English", "Spanish", "Other", None), dealt(rng, [0.88, 0.06, 0.05, 0.01], m)
        ),
        "marital_status": texts(
            ("MARRIED", "SINGLE", "WIDOWED", "DIVORCED", None),
            dealt(rng, [0.45, 0.28, 0.13, 0.08, 0.06], m),
        ),
        "race": race[admissions.patient],
        "edregtime": np.where(emergency, admissions.admitted - wait, NO_TIME),
        "edouttime": np.where(
            emergency, admissions.admitted + rng.integers(1, 4, m) * 600, NO_TIME
        ),
        "hospital_expire_flag": admissions.died.astype(np.int64),
    }


def _care_units(rng: np.random.Generator, cohort: Cohort) -> tuple[IntArray, IntArray]:
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
    first, last = _care_units(rng, cohort)
    return {
        "subject_id": cohort.patients.subject_id[stays.patient],
        "hadm_id": cohort.admissions.hadm_id[stays.admission],
        "stay_id": stays.stay_id,
        "first_careunit": texts(UNITS, first),
        "last_careunit": texts(UNITS, last),
        "intime": stays.intime,
        "outtime": stays.outtime,
        "los": (stays.outtime - stays.intime) / DAY,
    }


def transfer_columns(cohort: Cohort, first: int) -> dict[str, Any]:
    """Return the columns of transfers: admission, each ICU stay, discharge; `first` is the first number."""
    stays, admissions = cohort.stays, cohort.admissions
    m, n = len(admissions.hadm_id), len(stays)
    admission = np.concatenate([np.arange(m), stays.admission, np.arange(m)])
    begin = np.concatenate([admissions.admitted, stays.intime, admissions.discharged])
    end = np.concatenate([admissions.admitted + HOUR // 2, stays.outtime, np.full(m, NO_TIME)])
    kind = np.repeat([0, 1, 2], [m, n, m])
    order = np.lexsort((kind, begin, admission))
    admission, begin, end, kind = admission[order], begin[order], end[order], kind[order]
    return {
        "subject_id": cohort.patients.subject_id[admissions.patient[admission]],
        "hadm_id": admissions.hadm_id[admission],
        "transfer_id": first + np.arange(len(order)),
        "eventtype": texts(("admit", "transfer", "discharge"), kind),
        "careunit": texts(("Medicine", MICU, None), kind),
        "intime": begin,
        "outtime": end,
    }


def service_columns(rng: np.random.Generator, cohort: Cohort) -> dict[str, Any]:
    """Return the columns of services: one an admission, a change of service in one of eight."""
    admissions = cohort.admissions
    own = np.array([_SERVICE.get(i.name, "MED") for i in ILLNESSES], dtype=object)
    current = own[admissions.illness]
    moved = np.flatnonzero(rng.random(len(current)) < 0.12)
    later = (admissions.admitted[moved] + admissions.discharged[moved]) // 2
    row = np.concatenate([np.arange(len(current)), moved])
    previous = np.concatenate([np.full(len(current), None, dtype=object), current[moved]])
    following = np.concatenate([current, np.where(current[moved] == "MED", "SURG", "MED")])
    return {
        "subject_id": cohort.patients.subject_id[admissions.patient[row]],
        "hadm_id": admissions.hadm_id[row],
        "transfertime": np.concatenate([admissions.admitted + 60, later]),
        "prev_service": previous,
        "curr_service": following.astype(object),
    }


_DRUGS = (
    ("Vancomycin", "IV", "1000", "mg"), ("CefTRIAXone", "IV", "1", "gm"),
    ("Piperacillin-Tazobactam", "IV", "4.5", "g"), ("Meropenem", "IV", "500", "mg"),
    ("Levofloxacin", "PO/NG", "750", "mg"), ("MetRONIDAZOLE (FLagyl)", "IV", "500", "mg"),
    ("Lisinopril", "PO", "10", "mg"), ("Losartan Potassium", "PO", "50", "mg"),
    ("Ketorolac", "IV", "15", "mg"), ("Acetaminophen", "PO", "650", "mg"),
    ("Pantoprazole", "IV", "40", "mg"), ("Heparin", "SC", "5000", "UNIT"),
)  # fmt: skip


def prescription_columns(rng: np.random.Generator, cohort: Cohort, first: int) -> dict[str, Any]:
    """Return the columns of prescriptions: two to nine orders an admission; `first` is the first number."""
    admissions = cohort.admissions
    m = len(admissions.hadm_id)
    row = np.repeat(np.arange(m), rng.integers(2, 10, m))
    n = len(row)
    drug = dealt(rng, [0.1, 0.09, 0.08, 0.05, 0.06, 0.05, 0.06, 0.03, 0.04, 0.2, 0.12, 0.12], n)
    length = (admissions.discharged - admissions.admitted)[row]
    begin = (
        admissions.admitted[row] + (rng.random(n) * length * 0.7).astype(np.int64) // HOUR * HOUR
    )
    end = begin + rng.integers(4, 120, n) * HOUR
    names, routes, doses, units = (
        np.array([entry[i] for entry in _DRUGS], dtype=object) for i in range(4)
    )
    return {
        "subject_id": cohort.patients.subject_id[admissions.patient[row]],
        "hadm_id": admissions.hadm_id[row],
        "pharmacy_id": first + np.arange(n),
        "starttime": begin,
        "stoptime": np.where(rng.random(n) < 0.01, NO_TIME, end),
        "drug_type": constant("MAIN", n),
        "drug": names[drug],
        "dose_val_rx": doses[drug],
        "dose_unit_rx": units[drug],
        "doses_per_24_hrs": rng.choice([1.0, 2.0, 3.0, np.nan], n),
        "route": routes[drug],
    }


_SPECIMENS = ((70012, "BLOOD CULTURE"), (70079, "URINE"), (70062, "SPUTUM"), (70091, "MRSA SCREEN"))
_ORGANISMS = (
    (80002, "ESCHERICHIA COLI"),
    (80023, "STAPH AUREUS COAG +"),
    (80004, "KLEBSIELLA PNEUMONIAE"),
)


def culture_columns(rng: np.random.Generator, cohort: Cohort, first: int) -> dict[str, Any]:
    """Return the columns of microbiologyevents: cultures, one in eight positive; `first` is the first number."""
    admissions = cohort.admissions
    m = len(admissions.hadm_id)
    row = np.repeat(np.arange(m), rng.choice([0, 1, 2, 4], m, p=[0.3, 0.25, 0.25, 0.2]))
    n = len(row)
    length = (admissions.discharged - admissions.admitted)[row]
    time = admissions.admitted[row] + (rng.random(n) * length * 0.5).astype(np.int64) // 60 * 60
    dated_only = rng.random(n) < 0.07
    specimen = dealt(rng, [0.5, 0.25, 0.15, 0.1], n)
    grown = rng.random(n) < 0.125
    organism = dealt(rng, [0.4, 0.35, 0.25], n)
    filed = np.where(rng.random(n) < 0.12, NO_ID, admissions.hadm_id[row])
    return {
        "microevent_id": first + np.arange(n),
        "subject_id": cohort.patients.subject_id[admissions.patient[row]],
        "hadm_id": filed,
        "micro_specimen_id": first + np.arange(n),
        "chartdate": time // DAY * DAY,
        "charttime": np.where(dated_only, NO_TIME, time),
        "spec_itemid": np.array([s[0] for s in _SPECIMENS])[specimen],
        "spec_type_desc": texts([s[1] for s in _SPECIMENS], specimen),
        "test_seq": np.ones(n, np.int64),
        "storedate": (time + 2 * DAY) // DAY * DAY,
        "storetime": time + 2 * DAY,
        "test_itemid": np.full(n, 90201),
        "test_name": constant("Culture", n),
        "org_itemid": np.where(grown, np.array([o[0] for o in _ORGANISMS])[organism], NO_ID),
        "org_name": texts([*(o[1] for o in _ORGANISMS), None], np.where(grown, organism, 3)),
        "isolate_num": np.where(grown, 1, NO_ID),
        "comments": when(~grown, "NO GROWTH."),
    }
