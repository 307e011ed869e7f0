# SPDX-License-Identifier: MIT
"""What an admission is billed for besides diagnoses: procedures, case groups, services by the hour. Knows no score.

Procedures follow what was done and how ill the patient was; how many an admission has is near that of the open
demo. Case groups carry the federal numbers and, for the refined groups, words of our own.
"""

import csv
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import pyarrow as pa

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import DAY, BoolArray, FloatArray, IntArray, ragged, sigmoid
from m4bench.data.synthetic.elementary import power
from m4bench.data.synthetic.mimic.diagnoses import icd_versions
from m4bench.data.synthetic.mimic.words import worded
from m4bench.data.synthetic.physiology import ILLNESSES, ORGANS
from m4bench.data.synthetic.support import CATHETER_ONLY, INVASIVE, NO_DIALYSIS, Support
from m4bench.data.synthetic.tables import NO_ID


@cache
def _table() -> tuple[dict[str, str], ...]:
    place = files("m4bench.data.synthetic.mimic").joinpath("billed_procedures.csv")
    return tuple(csv.DictReader(place.read_text(encoding="utf-8").splitlines()))


@cache
def _codes() -> tuple[tuple[int, str], ...]:
    """Return version and code of every procedure, sorted, each once."""
    return tuple(sorted({(int(row["icd_version"]), row["icd_code"]) for row in _table()}))


def procedure_dictionary() -> dict[str, Any]:
    """Return the columns of d_icd_procedures: every code that can occur, and some that look alike."""
    titles = {(int(row["icd_version"]), row["icd_code"]): row["long_title"] for row in _table()}
    return {
        "icd_code": pa.array([code for _, code in _codes()], pa.string()),
        "icd_version": np.array([version for version, _ in _codes()]),
        "long_title": pa.array([titles[key] for key in _codes()], pa.string()),
    }


def _occasions(cohort: Cohort, support: Support) -> dict[str, FloatArray]:
    """Return how likely each occasion for a procedure is, by admission, 0 to 1."""
    admissions, stays = cohort.admissions, cohort.stays
    m = len(admissions.hadm_id)
    chances = {"any": np.ones(m)}
    for name, there in (
        ("ventilated", (support.airway == INVASIVE).any(axis=1)),
        (
            "dialysed",
            (support.dialysis != NO_DIALYSIS) & (support.dialysis != CATHETER_ONLY),
        ),
    ):
        chances[name] = np.zeros(m)
        np.maximum.at(chances[name], stays.admission, there.astype(np.float64))
    for organ, name in enumerate(ORGANS):
        worst = np.full(m, 0.05)
        np.maximum.at(worst, stays.admission, stays.course.level[:, organ])
        chances[name] = sigmoid(9.0 * (worst - 0.45))
    for name, illness in (("surgery", "elective surgery"), ("arrest", "cardiac arrest")):
        number = [each.name for each in ILLNESSES].index(illness)
        chances[name] = (admissions.illness == number).astype(np.float64)
    return chances


def procedure_columns(rng: np.random.Generator, cohort: Cohort, support: Support) -> dict[str, Any]:
    """Return the columns of procedures_icd: what was done, in the ICD version of the admission."""
    admissions = cohort.admissions
    m = len(admissions.hadm_id)
    version = icd_versions(cohort)
    chances = _occasions(cohort, support)
    busy = 0.35 + rng.gamma(1.5, 0.75, m)
    place = {key: number for number, key in enumerate(_codes())}
    rows, codes = [], []
    for name in dict.fromkeys(row["procedure"] for row in _table()):
        mine = [row for row in _table() if row["procedure"] == name]
        share = float(mine[0]["share"])
        chance = chances[mine[0]["follows"]] * share * busy
        for icd in (9, 10):
            options = np.array(
                [place[icd, row["icd_code"]] for row in mine if int(row["icd_version"]) == icd]
            )
            done = np.flatnonzero((version == icd) & (rng.random(m) < chance))
            weights = power(np.full(len(options), 0.6), np.arange(len(options)))
            rows.append(done)
            codes.append(rng.choice(options, len(done), p=weights / weights.sum()))
    row, code = np.concatenate(rows), np.concatenate(codes)
    order = np.lexsort((rng.random(len(row)), row))
    row, code = row[order], code[order]
    _, position = ragged(np.bincount(row, minlength=m))
    length = admissions.discharged[row] - admissions.admitted[row]
    when = admissions.admitted[row] + (rng.beta(1, 2.5, len(row)) * length).astype(np.int64)
    return {
        "subject_id": cohort.patients.subject_id[admissions.patient[row]],
        "hadm_id": admissions.hadm_id[row],
        "seq_num": position + 1,
        "chartdate": when // DAY * DAY,
        "icd_code": worded([text for _, text in _codes()], code),
        "icd_version": version[row],
    }


GROUPS = {
    # illness: federal group with and without major complications, refined group
    "monitoring": (("313", "CHEST PAIN"), ("312", "SYNCOPE & COLLAPSE"), ("203", "Chest pain")),
    "elective surgery": (
        ("235", "CORONARY BYPASS W/O CARDIAC CATH W MCC"),
        ("236", "CORONARY BYPASS W/O CARDIAC CATH W/O MCC"),
        ("166", "Coronary bypass without catheterization"),
    ),
    "septic shock": (
        ("871", "SEPTICEMIA OR SEVERE SEPSIS W/O MV >96 HOURS W MCC"),
        ("872", "SEPTICEMIA OR SEVERE SEPSIS W/O MV >96 HOURS W/O MCC"),
        ("720", "Septicemia and disseminated infection"),
    ),
    "pneumonia": (
        ("193", "SIMPLE PNEUMONIA & PLEURISY W MCC"),
        ("194", "SIMPLE PNEUMONIA & PLEURISY W CC"),
        ("139", "Other pneumonia"),
    ),
    "obstructive lung disease": (
        ("190", "CHRONIC OBSTRUCTIVE PULMONARY DISEASE W MCC"),
        ("191", "CHRONIC OBSTRUCTIVE PULMONARY DISEASE W CC"),
        ("140", "Obstructive lung disease"),
    ),
    "cardiogenic shock": (
        ("291", "HEART FAILURE & SHOCK W MCC"),
        ("292", "HEART FAILURE & SHOCK W CC"),
        ("194", "Heart failure"),
    ),
    "liver failure": (
        ("432", "CIRRHOSIS & ALCOHOLIC HEPATITIS W MCC"),
        ("433", "CIRRHOSIS & ALCOHOLIC HEPATITIS W CC"),
        ("279", "Hepatic failure and other major liver disease"),
    ),
    "kidney failure": (
        ("682", "RENAL FAILURE W MCC"),
        ("683", "RENAL FAILURE W CC"),
        ("469", "Acute kidney injury"),
    ),
    "intracranial haemorrhage": (
        ("064", "INTRACRANIAL HEMORRHAGE OR CEREBRAL INFARCTION W MCC"),
        ("065", "INTRACRANIAL HEMORRHAGE OR CEREBRAL INFARCTION W CC"),
        ("044", "Intracranial haemorrhage"),
    ),
    "trauma": (
        ("963", "OTHER MULTIPLE SIGNIFICANT TRAUMA W MCC"),
        ("964", "OTHER MULTIPLE SIGNIFICANT TRAUMA W CC"),
        ("930", "Multiple significant trauma"),
    ),
    "cardiac arrest": (
        ("296", "CARDIAC ARREST, UNEXPLAINED W MCC"),
        ("297", "CARDIAC ARREST, UNEXPLAINED W CC"),
        ("196", "Cardiac arrest and shock"),
    ),
    "haematologic malignancy": (
        ("834", "ACUTE LEUKEMIA W/O MAJOR O.R. PROCEDURE W MCC"),
        ("835", "ACUTE LEUKEMIA W/O MAJOR O.R. PROCEDURE W CC"),
        ("690", "Acute leukaemia"),
    ),
}
GROUPED = 0.9
"""Share of admissions that are grouped, in either scheme."""


def case_group_columns(rng: np.random.Generator, cohort: Cohort) -> dict[str, Any]:
    """Return the columns of drgcodes: a federal and a refined group of most admissions, some with two of a scheme."""
    admissions, stays = cohort.admissions, cohort.stays
    m = len(admissions.hadm_id)
    burden = np.full(m, 0.6)
    np.maximum.at(burden, stays.admission, stays.course.level.sum(axis=1))
    grade = np.clip(np.rint(1.2 + 0.9 * burden + rng.normal(0, 0.6, m)), 1, 4).astype(np.int64)
    risk = np.clip(grade + rng.choice([-1, 0, 1], m, p=[0.3, 0.55, 0.15]), 1, 4)
    every = [group for illness in ILLNESSES for group in GROUPS[illness.name]]
    rows, groups, refined = [], [], []
    for scheme, share in ((0, GROUPED), (1, GROUPED), (1, 0.08)):
        row = np.flatnonzero(rng.random(m) < share)
        which = 2 if scheme else (grade[row] < 3).astype(np.int64)
        rows.append(row)
        groups.append(admissions.illness[row] * 3 + which)
        refined.append(np.full(len(row), scheme))
    row, group, scheme_of = (np.concatenate(part) for part in (rows, groups, refined))
    order = np.lexsort((scheme_of, row))
    row, group, scheme_of = row[order], group[order], scheme_of[order]
    return {
        "subject_id": cohort.patients.subject_id[admissions.patient[row]],
        "hadm_id": admissions.hadm_id[row],
        "drg_type": worded(("HCFA", "APR"), scheme_of),
        "drg_code": worded([code for code, _ in every], group),
        "description": worded([text for _, text in every], group),
        "drg_severity": np.where(scheme_of == 1, grade[row], NO_ID),
        "drg_mortality": np.where(scheme_of == 1, risk[row], NO_ID),
    }


SERVICES = (
    # code of level II, category, long and short words; the first four occur, the others only look alike
    ("G0378", 12, "Hospital observation service, each hour", "Hospital observation per hr"),
    ("G0379", 12, "Direct admission to hospital observation", "Direct refer hospital observ"),
    ("C9600", 4, "Drug-eluting stent in a single coronary artery or branch", "Coronary stent, drug-eluting"),
    ("C9602", 4, "Atherectomy with drug-eluting stent, single coronary artery", "Coronary atherectomy and stent"),
    ("C1751", 4, "Catheter, infusion, inserted centrally or peripherally", "Infusion catheter"),
    ("C1752", 4, "Catheter, haemodialysis, short-term", "Dialysis catheter, short-term"),
    ("C1769", 4, "Guide wire", "Guide wire"),
    ("C1785", 4, "Pacemaker, dual chamber, rate-responsive", "Pacemaker, dual chamber"),
    ("C1874", 4, "Stent, coated or covered, with delivery system", "Coated stent"),
    ("C8929", 4, "Transthoracic echocardiography with contrast", "Echocardiography with contrast"),
    ("A0427", 1, "Ambulance service, advanced life support, emergency", "Ambulance, advanced, emergency"),
    ("A0429", 1, "Ambulance service, basic life support, emergency", "Ambulance, basic, emergency"),
    ("A4216", 1, "Sterile water or saline, 10 mL", "Water or saline, 10 mL"),
    ("A4351", 1, "Intermittent urinary catheter, straight tip", "Straight urinary catheter"),
    ("E0424", 5, "Stationary compressed oxygen system, rental", "Stationary oxygen"),
    ("E0470", 5, "Respiratory assist device, bi-level, without backup rate", "Bi-level device"),
    ("E0601", 5, "Continuous airway pressure device", "Continuous airway pressure"),
    ("G0257", 12, "Unscheduled dialysis for a patient with end-stage disease", "Unscheduled dialysis"),
    ("G0463", 12, "Hospital outpatient clinic visit", "Outpatient clinic visit"),
    ("G0480", 12, "Drug test, definitive, 1 to 7 classes", "Definitive drug test"),
    ("J0690", 8, "Injection, cefazolin, 500 mg", "Cefazolin injection"),
    ("J0696", 8, "Injection, ceftriaxone, 250 mg", "Ceftriaxone injection"),
    ("J1170", 8, "Injection, hydromorphone, up to 4 mg", "Hydromorphone injection"),
    ("J1644", 8, "Injection, heparin, per 1000 units", "Heparin injection"),
    ("J1885", 8, "Injection, ketorolac, per 15 mg", "Ketorolac injection"),
    ("J1940", 8, "Injection, furosemide, up to 20 mg", "Furosemide injection"),
    ("J2270", 8, "Injection, morphine, up to 10 mg", "Morphine injection"),
    ("J2405", 8, "Injection, ondansetron, per 1 mg", "Ondansetron injection"),
    ("J3010", 8, "Injection, fentanyl, 0.1 mg", "Fentanyl injection"),
    ("J3370", 8, "Injection, vancomycin, 500 mg", "Vancomycin injection"),
    ("J7030", 8, "Infusion, normal saline, 1000 mL", "Normal saline infusion"),
    ("J7120", 8, "Ringer's lactate infusion, up to 1000 mL", "Ringer's lactate infusion"),
    ("P9016", 11, "Red blood cells, leukocytes reduced, each unit", "Red cells, leukoreduced"),
    ("P9035", 11, "Platelets, pheresis, leukocytes reduced, each unit", "Platelets, pheresis"),
    ("P9017", 11, "Fresh frozen plasma, single donor, each unit", "Fresh frozen plasma"),
    ("Q9967", 13, "Low osmolar contrast, 300-399 mg/mL iodine, per mL", "Low osmolar contrast"),
)  # fmt: skip
BILLED = (0.68, 0.2, 0.07, 0.05)
"""Shares of the first codes among the billed services."""


def service_dictionary() -> dict[str, Any]:
    """Return the columns of d_hcpcs."""
    code, category, long, short = (list(part) for part in zip(*SERVICES, strict=True))
    return {
        "code": pa.array(code, pa.string()),
        "category": np.array(category),
        "long_description": pa.array(long, pa.string()),
        "short_description": pa.array(short, pa.string()),
    }


def service_event_columns(
    rng: np.random.Generator, cohort: Cohort, observed: BoolArray
) -> dict[str, Any]:
    """Return the columns of hcpcsevents: mostly hours under observation.

    Args:
        rng: the stream.
        cohort: the block.
        observed: which admissions began as an observation.
    """
    admissions = cohort.admissions
    m = len(admissions.hadm_id)
    counts = np.where(observed, rng.choice(4, m, p=[0.3, 0.48, 0.15, 0.07]), 0)
    counts = np.where(~observed & (rng.random(m) < 0.04), 1, counts)
    row, position = ragged(counts)
    code: IntArray = rng.choice(len(BILLED), len(row), p=BILLED)
    code = np.where(position == 0, np.where(observed[row], 0, code), code)
    return {
        "subject_id": cohort.patients.subject_id[admissions.patient[row]],
        "hadm_id": admissions.hadm_id[row],
        "chartdate": admissions.admitted[row] // DAY * DAY,
        "hcpcs_cd": worded([each[0] for each in SERVICES], code),
        "seq_num": position + 1,
        "short_description": worded([each[3] for each in SERVICES], code),
    }
