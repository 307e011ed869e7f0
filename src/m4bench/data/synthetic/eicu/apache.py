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
from m4bench.data.synthetic.physiology import CIRCULATORY, HEPATIC, MARROW

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
    urine = np.where(rng.random(n) < 0.008, 0.0, urine)
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


def _ticked(rng: np.random.Generator, share: FloatArray | float, n: int) -> IntArray:
    """Return 1 for a share of n rows, else 0."""
    return np.asarray(rng.random(n) < share, dtype=np.int64)


def _chronic(rng: np.random.Generator, level: FloatArray) -> dict[str, IntArray]:
    """Return the chronic diseases that an abstracter ticks, for rows with the given organ severities."""
    shares: dict[str, FloatArray | float] = {
        "aids": 0.002,
        "hepaticfailure": 0.06 * level[:, HEPATIC],
        "lymphoma": 0.006,
        "metastaticcancer": 0.022,
        "leukemia": 0.03 * level[:, MARROW],
        "immunosuppression": 0.02 + 0.03 * level[:, MARROW],
        "cirrhosis": 0.07 * level[:, HEPATIC],
        "diabetes": 0.22,
    }
    return {name: _ticked(rng, share, len(level)) for name, share in shares.items()}


def _ventilation(rng: np.random.Generator, day: DayOne, who: IntArray) -> dict[str, IntArray]:
    """Return the three flags of ventilation on the first day; they do not always agree."""
    n = len(who)
    machine, tube = day.ventilated[who].astype(np.int64), day.intubated[who].astype(np.int64)
    seen = _ticked(rng, 0.97, n) * tube + _ticked(rng, 0.03, n)
    return {
        "ventday1": machine,
        "oobventday1": np.maximum(machine, _ticked(rng, 0.06, n)),
        "oobintubday1": np.minimum(seen, 1),
    }


def _heart(rng: np.random.Generator, stays: UnitStays, who: IntArray) -> dict[str, Any]:
    """Return what is asked about hearts: infarction, its place, grafts, ejection fraction."""
    n = len(who)
    infarction = np.array([("MI" in t or "myocardial" in t) for t in admission_diagnoses().text])
    attack = infarction[stays.diagnosis[who]]
    operated = attack & (stays.surgery[who] != NOT_OPERATED)
    return {
        "graftcount": np.where(operated, rng.integers(1, 6, n), 3),
        "thrombolytics": _ticked(rng, 0.013, n),
        "ima": _ticked(rng, 0.02, n),
        "midur": attack.astype(np.int64) * _ticked(rng, 0.2, n),
        "ejectfx": np.where(rng.random(n) < 0.014, rng.integers(4, 15, n) * 5.0, _MISSING),
        "amilocation": shifted(np.where(attack, rng.integers(1, 7, n), -1)),
    }


def apachepredvar_columns(abstract: Abstract) -> dict[str, Any]:
    """Return the columns of apachepredvar of a block; elective surgery is empty unless there was any."""
    stays = abstract.bedside.stays
    rng = stays.block.rng("apachepredvar")
    who = np.flatnonzero(abstract.done)
    n, level = len(who), abstract.bedside.level()[who]
    female = stays.block.cohort.patients.female[stays.block.cohort.stays.patient][who]
    elective = (stays.surgery[who] == ELECTIVE_SURGERY).astype(np.int64)
    zero, one = np.zeros(n, np.int64), np.ones(n, np.int64)
    coma, gas = _coma(abstract, who), abstract.results
    codes = [
        text[:9].upper().replace(",", "").replace(" ", "") for text in admission_diagnoses().text
    ]
    coded = np.where(rng.random(n) < 0.034, -1, stays.diagnosis[who])
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
        **coma,
        "age": np.where(stays.age[who] > 89, -1, stays.age[who]),
        "admitdiagnosis": words(codes, coded),
        "diedinhospital": (stays.dies_here | stays.dies_later)[who].astype(np.int64),
        **_chronic(rng, level),
        **_heart(rng, stays, who),
        **_ventilation(rng, abstract.day, who),
        "electivesurgery": np.where(stays.surgery[who] == NOT_OPERATED, -1, elective),
        "activetx": _ticked(rng, 0.3 + 0.5 * level[:, CIRCULATORY], n),
        "readmit": (stays.visit[who] > 1).astype(np.int64) * _ticked(rng, 0.6, n),
        "managementsystem": one,
        "var03hspxlos": np.zeros(n),
        "creatinine": gas["creatinine"][who],
        "dischargelocation": shifted(_DISCHARGED[dealt(rng, _DISCHARGE_SHARES, n)]),
        "visitnumber": stays.visit[who],
    }
    for day in ("", "day1"):
        columns |= {f"{day}{name}": gas[name][who] for name in ("pao2", "fio2")}
        columns |= {f"{day}{name}": values for name, values in coma.items()}
    return columns


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
