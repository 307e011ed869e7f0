# SPDX-License-Identifier: MIT
"""The APACHE tables: admissiondx, apacheapsvar, apachepredvar, apachepatientresult. Knows no flowsheet.

An abstracter writes them from the first day; what is not found is -1, as Pollard et al. describe. Nine stays in
ten are abstracted, fewer have results. The score itself belongs to a vendor: it is drawn, not computed.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from m4bench.data.synthetic.draws import (
    BoolArray,
    FloatArray,
    IntArray,
    dealt,
    ragged,
    rounded,
    sigmoid,
)
from m4bench.data.synthetic.eicu.admission_diagnoses import admission_diagnoses
from m4bench.data.synthetic.eicu.bedside import Bedside
from m4bench.data.synthetic.eicu.day_one import DayOne, sum_up
from m4bench.data.synthetic.eicu.laboratory import analyte, result
from m4bench.data.synthetic.eicu.rows import narrow_ids, shifted, typed, words
from m4bench.data.synthetic.eicu.stays import ELECTIVE_SURGERY, NOT_OPERATED, SOURCES, UnitStays

_MISSING = -1.0
_RESULTS = {
    "wbc": ("WBC x 1000", 0.73, 2), "sodium": ("sodium", 0.74, 0), "ph": ("pH", 0.22, 3),
    "hematocrit": ("Hct", 0.72, 1), "creatinine": ("creatinine", 0.73, 2),
    "albumin": ("albumin", 0.38, 1), "pao2": ("paO2", 0.22, 1), "pco2": ("paCO2", 0.22, 1),
    "bun": ("BUN", 0.73, 0), "glucose": ("glucose", 0.86, 0), "bilirubin": ("total bilirubin", 0.35, 1),
    "fio2": ("FiO2", 0.22, 0),
}  # fmt: skip
_SPECIALTIES = (
    "internal medicine", "hospitalist", "critical care medicine (CCM)", "pulmonary/CCM", "cardiology",
    "surgery-general", "family practice", "pulmonary", "surgery-cardiac", "neurology", "nephrology",
    "surgery-vascular", "surgery-neuro", "surgery-trauma", "unknown", "Specialty Not Specified",
)  # fmt: skip
_DISCHARGED = np.array([4, 8, 7, 9, 6, 5, -1])
_DISCHARGE_SHARES = (0.6, 0.18, 0.12, 0.05, 0.04, 0.008, 0.002)
INTERVENTIONS = ("Unknown", "I", "II", "III", "IV")


@dataclass(frozen=True)
class Abstract:
    """What the abstracter found: who is abstracted, the first day, coma answers or -1, results or -1."""

    bedside: Bedside
    done: BoolArray
    day: DayOne
    unscored: IntArray
    results: dict[str, FloatArray]

    def found(self, rng: np.random.Generator, values: FloatArray, share: float) -> FloatArray:
        """Return values as found, -1 in the rest."""
        return np.where(rng.random(len(values)) < share, values, _MISSING)


def draw_abstract(bedside: Bedside) -> Abstract:
    """Draw what the abstracter of each stay writes down."""
    stays = bedside.stays
    rng = stays.block.rng("apache abstraction")
    n = len(stays)
    day = sum_up(rng, bedside)
    everyone, hours = np.arange(n), np.minimum(stays.hours, 12.0)
    results = {}
    for name, (measured, share, places) in _RESULTS.items():
        values = result(rng, bedside, everyone, hours, np.full(n, analyte(measured)))
        blood_gas = name in ("ph", "pao2", "pco2", "fio2")
        chance = np.where(blood_gas, 0.08 + 0.62 * day.ventilated, share)
        results[name] = np.where(rng.random(n) < chance, rounded(values, places), _MISSING)
    gas = results["ph"] > 0
    for name in ("pao2", "pco2", "fio2"):
        fresh = result(rng, bedside, everyone, hours, np.full(n, analyte(_RESULTS[name][0])))
        results[name] = np.where(gas, rounded(fresh, 1), _MISSING)
    sedated = bedside.sedated(everyone, hours) > 0.5
    unscored = np.where(sedated & (rng.random(n) < 0.1), 1, 0)
    unscored = np.where(rng.random(n) < 0.034, -1, unscored)
    done = stays.charted & (rng.random(n) < 0.895)
    return Abstract(bedside, done, day, unscored, results)


def _coma(abstract: Abstract, who: IntArray) -> dict[str, Any]:
    """Return eyes, motor and verbal as abstracted; -1 when medication forbids scoring."""
    scored = abstract.unscored[who] == 0
    coma = abstract.day.coma
    return {
        "eyes": shifted(np.where(scored, coma.eyes[who], -1)),
        "motor": shifted(np.where(scored, coma.motor[who], -1)),
        "verbal": shifted(np.where(scored, coma.verbal[who], -1)),
        "meds": shifted(abstract.unscored[who]),
    }


def apacheapsvar_columns(abstract: Abstract) -> dict[str, Any]:
    """Return the columns of apacheapsvar of a block; urine is found in about half."""
    stays = abstract.bedside.stays
    rng = stays.block.rng("apacheapsvar")
    who = np.flatnonzero(abstract.done)
    day, n = abstract.day, len(who)
    urine = abstract.found(rng, np.maximum(day.urine[who], 0.0), 0.48)
    urine = np.where(rng.random(n) < 0.004, 0.0, urine)
    flags = {
        "intubated": day.intubated * (abstract.bedside.own[:, 6] < 0.3),
        "vent": day.ventilated,
        "dialysis": day.dialysed * (abstract.bedside.own[:, 6] < 0.2),
    }
    return {
        "apacheapsvarid": narrow_ids(stays.block, n),
        "patientunitstayid": stays.ids(who),
        **{name: flag[who].astype(np.int64) for name, flag in flags.items()},
        **_coma(abstract, who),
        "urine": urine,
        "temperature": abstract.found(rng, day.temperature[who], 0.93),
        "respiratoryrate": abstract.found(rng, np.maximum(day.breaths[who], 1), 0.985),
        "heartrate": abstract.found(rng, np.maximum(day.pulse[who], 1), 0.99),
        "meanbp": abstract.found(rng, np.maximum(day.pressure[who], 5), 0.99),
        **{name: values[who] for name, values in abstract.results.items()},
    }


def _sourced(stays: UnitStays, who: IntArray) -> IntArray:
    """Return the code of the source of admission: 1 theatre, 2 recovery, 3 direct … 8 emergency room."""
    codes = {
        "Operating Room": 1, "Recovery Room": 2, "PACU": 2, "Chest Pain Center": 3, "Floor": 4,
        "Acute Care/Floor": 4, "Other ICU": 5, "ICU": 5, "Other Hospital": 6, "Direct Admit": 7,
        "Emergency Department": 8,
    }  # fmt: skip
    return np.array([codes.get(str(source), -1) for source in SOURCES])[stays.source[who]]


def apachepredvar_columns(abstract: Abstract) -> dict[str, Any]:
    """Return the columns of apachepredvar of a block; elective surgery is empty unless there was any."""
    bedside = abstract.bedside
    stays = bedside.stays
    rng = stays.block.rng("apachepredvar")
    who = np.flatnonzero(abstract.done)
    n, day = len(who), abstract.day
    people = stays.block.cohort.patients
    female = people.female[stays.block.cohort.stays.patient][who]
    surgery = stays.surgery[who]
    elective = np.where(surgery == NOT_OPERATED, -1, (surgery == ELECTIVE_SURGERY).astype(np.int64))
    known = admission_diagnoses()
    heart_attack = np.array(["MI" in text or "myocardial" in text for text in known.text])
    attack = heart_attack[stays.diagnosis[who]]
    level = bedside.level()[who]
    zero, one = np.zeros(n, np.int64), np.ones(n, np.int64)
    lost = -one

    def chance(share: FloatArray | float) -> IntArray:
        return np.asarray(rng.random(n) < share, dtype=np.int64)

    later_intubated = chance(0.97) * day.intubated[who].astype(np.int64) + chance(0.03)
    coma = _coma(abstract, who)
    gas = abstract.results
    columns: dict[str, Any] = {
        "apachepredvarid": narrow_ids(stays.block, n),
        "patientunitstayid": stays.ids(who),
        "sicuday": one,
        "saps3day1": zero,
        "saps3today": zero,
        "saps3yesterday": zero,
        "gender": female.astype(np.int64),
        "teachtype": zero,
        "region": 3 * one,
        "bedcount": 6 + stays.hospital[who] * 7 % 46,
        "admitsource": shifted(_sourced(stays, who)),
        "graftcount": np.where(attack & (surgery > 0), rng.integers(1, 6, n), 3),
        **coma,
        "age": np.where(stays.age[who] > 89, -1, stays.age[who]),
        "admitdiagnosis": words(
            [f"{text[:9].upper().replace(',', '').replace(' ', '')}" for text in known.text],
            np.where(rng.random(n) < 0.034, -1, stays.diagnosis[who]),
        ),
        "thrombolytics": chance(0.013),
        "diedinhospital": (stays.dies_here | stays.dies_later)[who].astype(np.int64),
        "aids": chance(0.002),
        "hepaticfailure": chance(0.06 * level[:, 3]),
        "lymphoma": chance(0.006),
        "metastaticcancer": chance(0.022),
        "leukemia": chance(0.03 * level[:, 5]),
        "immunosuppression": chance(0.02 + 0.03 * level[:, 5]),
        "cirrhosis": chance(0.07 * level[:, 3]),
        "electivesurgery": elective,
        "activetx": chance(0.3 + 0.5 * level[:, 1]),
        "readmit": (stays.visit[who] > 1).astype(np.int64) * chance(0.6),
        "ima": chance(0.02),
        "midur": attack.astype(np.int64) * chance(0.2),
        "ventday1": day.ventilated[who].astype(np.int64),
        "oobventday1": np.maximum(day.ventilated[who].astype(np.int64), chance(0.06)),
        "oobintubday1": np.minimum(later_intubated, 1),
        "diabetes": chance(0.22),
        "managementsystem": one,
        "var03hspxlos": np.zeros(n),
        "pao2": gas["pao2"][who],
        "fio2": gas["fio2"][who],
        "ejectfx": np.where(rng.random(n) < 0.014, rng.integers(4, 15, n) * 5.0, _MISSING),
        "creatinine": gas["creatinine"][who],
        "dischargelocation": shifted(
            rng.choice([4, 8, 7, 9, 6, 5, -1], n, p=[0.6, 0.18, 0.12, 0.05, 0.04, 0.008, 0.002])
        ),
        "visitnumber": stays.visit[who],
        "amilocation": shifted(np.where(attack, rng.integers(1, 7, n), lost)),
        "day1pao2": gas["pao2"][who],
        "day1fio2": gas["fio2"][who],
    }
    return columns | {f"day1{name}": values for name, values in coma.items()}


def apachepatientresult_columns(abstract: Abstract) -> dict[str, Any]:
    """Return the columns of apachepatientresult of a block: two rows a stay, one of each version."""
    bedside = abstract.bedside
    stays = bedside.stays
    rng = stays.block.rng("apachepatientresult")
    n = len(stays)
    chosen = np.flatnonzero(abstract.done & (rng.random(n) < 0.84))
    burden = bedside.level().sum(axis=1) + 0.4 * bedside.own[:, 0]
    physiology = np.clip(rounded(13 + 17 * burden + rng.normal(0, 9, n)), 0, 190)
    total = physiology + np.clip((stays.age - 40) // 4, 0, 17)
    who, version = ragged(np.full(len(chosen), 2))
    who = chosen[who]
    rows = len(who)
    wobble = rng.normal(0, 0.12, rows)
    deadly = sigmoid(0.062 * (total[who] - 92) + wobble)
    unknown = rng.random(n) < 0.06
    days = np.minimum(stays.hours / 24, 50.0)
    hospital = np.maximum(np.minimum((stays.discharged - stays.admitted) / 24, 50.0), 0.05)
    vented = np.where(abstract.day.ventilated > 0, np.maximum(rounded(0.6 * days), 1.0), np.nan)
    likely_vent = np.clip(1 + 0.04 * physiology[who] + 2 * wobble, 0.5, 12)
    status = ("ALIVE", "EXPIRED")
    died = stays.dies_here | stays.dies_later
    predicted = np.where(unknown[who], -1.0, rounded(np.minimum(1.7 * deadly, 0.99), 6))
    return {
        "apachepatientresultsid": narrow_ids(stays.block, rows),
        "patientunitstayid": stays.ids(who),
        "physicianspeciality": words(_SPECIALTIES, rng.integers(0, len(_SPECIALTIES), n)[who]),
        "physicianinterventioncategory": words(
            INTERVENTIONS, dealt(rng, [0.41, 0.16, 0.19, 0.21, 0.03], n)[who]
        ),
        "acutephysiologyscore": shifted(
            np.where(unknown[who], -1, physiology[who]).astype(np.int64)
        ),
        "apachescore": shifted(np.where(unknown[who], -1, total[who]).astype(np.int64)),
        "apacheversion": words(("IV", "IVa"), version),
        "predictedicumortality": typed(rounded(np.where(unknown[who], -1.0, deadly), 6)),
        "actualicumortality": words(status, stays.dies_here[who].astype(np.int64)),
        "predictediculos": rounded(np.clip(0.9 + 0.055 * physiology[who] + 4 * wobble, 0.1, 20), 4),
        "actualiculos": rounded(days, 4)[who],
        "predictedhospitalmortality": typed(predicted),
        "actualhospitalmortality": words(status, died[who].astype(np.int64)),
        "predictedhospitallos": np.where(
            unknown[who],
            -1.0,
            rounded(np.clip(4 + 0.11 * physiology[who] + 6 * wobble, 0.5, 40), 4),
        ),
        "actualhospitallos": rounded(hospital, 4)[who],
        "preopmi": (rng.random(n) < 0.003)[who].astype(np.int64),
        "preopcardiaccath": (rng.random(n) < 0.006)[who].astype(np.int64),
        "ptcawithin24h": (rng.random(n) < 0.045)[who].astype(np.int64),
        "unabridgedunitlos": rounded(stays.hours / 24, 4)[who],
        "unabridgedhosplos": rounded(np.maximum((stays.discharged - stays.admitted) / 24, 0.05), 4)[
            who
        ],
        "actualventdays": vented[who],
        "predventdays": np.where(np.isnan(vented[who]), np.nan, rounded(likely_vent, 4)),
        "unabridgedactualventdays": vented[who],
    }


def admissiondx_columns(abstract: Abstract) -> dict[str, Any]:
    """Return the columns of admissiondx of a block: the path walked to a diagnosis, entry by entry."""
    stays = abstract.bedside.stays
    rng = stays.block.rng("admissiondx")
    known = admission_diagnoses()
    operative = [("Operative" if flag else "Non-operative") for flag in known.operative]
    systems = [
        f"admission diagnosis|{op} Organ Systems|Organ System|"
        f"{'Neurologic' if system == 'Neurology' else system}"
        for op, system in zip(operative, known.system, strict=True)
    ]
    listed = [
        f"admission diagnosis|All Diagnosis|{op}|Diagnosis|{system}|{text}"
        for op, system, text in zip(operative, known.system, known.text, strict=True)
    ]
    theatre = (
        "admission diagnosis|Was the patient admitted from the O.R. or went to the O.R. "
        "within 4 hours of admission?|"
    )
    extra = "admission diagnosis|Additional APACHE  Information|Thrombolytic Therapy received within 24 hours|"
    paths = [*systems, *listed, f"{theatre}No", f"{theatre}Yes", "admission diagnosis|Elective|Yes",
             "admission diagnosis|Elective|No", f"{extra}No", f"{extra}Yes"]  # fmt: skip
    who = np.flatnonzero(stays.charted & (rng.random(len(stays)) < 0.905))
    count = len(known.text)
    diagnosis, surgery = stays.diagnosis[who], stays.surgery[who]
    operated = surgery != NOT_OPERATED
    asked = rng.random(len(who)) < 0.06
    steps = (
        (diagnosis, np.ones(len(who), bool)),
        (count + diagnosis, np.ones(len(who), bool)),
        (2 * count + operated, np.ones(len(who), bool)),
        (2 * count + 2 + (surgery != ELECTIVE_SURGERY), operated),
        (2 * count + 4 + (rng.random(len(who)) < 0.2), asked & ~operated),
    )
    entry = np.stack([step for step, _ in steps], axis=1)
    shown = np.stack([flag for _, flag in steps], axis=1)
    row, column = np.nonzero(shown)
    code = entry[row, column]
    entered = (rng.gamma(0.9, 80.0, len(who)) - 15).astype(np.int64)
    names = [path.rsplit("|", 1)[-1] for path in paths]
    return {
        "admissiondxid": narrow_ids(stays.block, len(code)),
        "patientunitstayid": stays.ids(who[row]),
        "admitdxenteredoffset": shifted(entered[row]),
        "admitdxpath": words(paths, code),
        "admitdxname": words(names, code),
        "admitdxtext": words(names, code),
    }
