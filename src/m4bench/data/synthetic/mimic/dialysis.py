# SPDX-License-Identifier: MIT
"""Renal replacement therapy as documented: chart items, procedures and infusions. Knows no laboratory."""

from typing import NamedTuple

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import FloatArray, IntArray, dealt, grid, rounded, texts
from m4bench.data.synthetic.elementary import power
from m4bench.data.synthetic.mimic.charting import Charted, item_rows
from m4bench.data.synthetic.support import (
    CATHETER_ONLY,
    CONTINUOUS,
    INTERMITTENT,
    PERITONEAL,
    Support,
)

KCL_CRRT, CALCIUM_CRRT = 227536, 227525
HEMODIALYSIS, CRRT, CVVHD, PERITONEAL_DIALYSIS, CVVHDF, SCUF = (
    225441, 225802, 225803, 225805, 225809, 225955,
)  # fmt: skip
CATHETER, FILTER_CHANGE = 224270, 225436


class Reading(NamedTuple):
    """A numeric chart item of a kind of dialysis: typical value, spread, and share of rounds it is charted in."""

    itemid: int
    value: float
    spread: float
    share: float


class Remark(NamedTuple):
    """A chart item in words: its texts, commonest first, and share of rounds it is charted in."""

    itemid: int
    options: tuple[str, ...]
    share: float


CONTINUOUS_READINGS = (
    Reading(224144, 150, 35, 0.95),  # Blood Flow (ml/min)
    Reading(224154, 1000, 300, 0.7),  # Dialysate Rate
    Reading(224153, 1500, 400, 0.5),  # Replacement Rate
    Reading(228005, 1200, 300, 0.6),  # PBP (Prefilter) Replacement Rate
    Reading(228006, 300, 100, 0.6),  # Post Filter Replacement Rate
    Reading(228004, 180, 40, 0.4),  # Citrate (ACD-A)
    Reading(224145, 500, 150, 0.1),  # Heparin Dose (per hour)
    Reading(224149, -60, 20, 0.9),  # Access Pressure
    Reading(224150, 110, 25, 0.9),  # Filter Pressure
    Reading(224151, 70, 25, 0.9),  # Effluent Pressure
    Reading(224152, 80, 20, 0.9),  # Return Pressure
    Reading(224191, 150, 60, 0.7),  # Hourly Patient Fluid Removal
    Reading(225183, 100, 50, 0.4),  # Current Goal
    Reading(226457, 250, 90, 0.8),  # Ultrafiltrate Output
    Reading(227438, 20, 15, 0.05),  # Volume not removed
)
INTERMITTENT_READINGS = (
    Reading(226499, 2000, 600, 0.9),  # Hemodialysis Output
    Reading(224144, 350, 40, 0.4),  # Blood Flow (ml/min)
    Reading(224404, 1.5, 0.2, 0.3),  # ART Lumen Volume
    Reading(224406, 1.5, 0.2, 0.3),  # VEN Lumen Volume
)
PERITONEAL_READINGS = (
    Reading(225806, 2000, 200, 0.9),  # Volume In (PD)
    Reading(225807, 2200, 300, 0.9),  # Volume Out (PD)
    Reading(225810, 4, 1, 0.6),  # Dwell Time (Peritoneal Dialysis)
    Reading(225959, 500, 200, 0.15),  # Medication Added Amount #1 (PD)
    Reading(227639, 4, 1, 0.08),  # Medication Added Amount #2 (PD)
)
CONTINUOUS_REMARKS = (
    Remark(
        224146,  # System Integrity
        (
            "Active", "No Clot Present", "Clots Present", "Recirculating", "Initiated", "Reinitiated",
            "New Filter", "Clots Increasing", "Clot Increasing", "Clotted", "Discontinued",
            "Line pressure inconsistent",
        ),
        0.9,
    ),
    Remark(225976, ("Prismasate K4", "Prismasate K2", "B22K0"), 0.5),  # Replacement Fluid
    Remark(225977, ("Prismasate K4", "Prismasate K2", "B22K0"), 0.4),  # Dialysate Fluid
    Remark(225958, ("Not used", "1000", "500"), 0.2),  # Heparin Concentration (units/mL)
    Remark(225956, ("Clotted", "Scheduled change", "Procedure"), 0.1),  # Reason for CRRT Filter Change
)  # fmt: skip
CATHETER_REMARKS = (
    Remark(
        224135, ("Right IJ", "Left IJ", "Right Femoral", "Left Femoral", "AV fistula"), 0.3
    ),  # Dialysis Access Site
    Remark(224139, ("WNL", "Oozing", "Red"), 0.3),  # Dialysis Site Appearance
    Remark(225323, ("WNL", "Oozing", "Red"), 0.3),  # Dialysis Catheter Site Appear
    Remark(225776, ("Transparent", "Gauze", "Bio-Patch"), 0.3),  # Dialysis Catheter Dressing Type
    Remark(227357, ("1", "0"), 0.3),  # Dialysis Catheter Dressing Occlusive
    Remark(227124, ("Temporary", "Tunneled"), 0.25),  # Dialysis Catheter Type
    Remark(225954, ("Catheter", "AV fistula", "AV graft"), 0.2),  # Dialysis Access Type
    Remark(227753, ("1",), 0.1),  # Dialysis Catheter Placement Confirmed by X-ray
    Remark(226118, ("1", "0"), 0.1),  # Dialysis Catheter placed in outside facility
    Remark(225725, ("1", "0"), 0.06),  # Dialysis Catheter Tip Cultured
    Remark(225740, ("1",), 0.05),  # Dialysis Catheter Discontinued
)
PERITONEAL_REMARKS = (
    Remark(
        225965, ("In use", "Capped", "Clamped", "Not in use"), 0.9
    ),  # Peritoneal Dialysis Catheter Status
    Remark(225951, ("Clear", "Cloudy", "Pink tinged"), 0.6),  # Peritoneal Dialysis Fluid Appearance
    Remark(
        225953, ("1.5% Dextrose", "2.5% Dextrose", "4.25% Dextrose"), 0.6
    ),  # Solution (Peritoneal Dialysis)
    Remark(225963, ("Tenckhoff", "Other"), 0.4),  # Peritoneal Dialysis Catheter Type
    Remark(225952, ("Heparin", "Vancomycin", "None"), 0.15),  # Medication Added #1 (PD)
    Remark(225961, ("units", "mg"), 0.15),  # Medication Added Units #1 (PD)
    Remark(227638, ("Potassium Chloride", "None"), 0.08),  # Medication Added #2 (PD)
    Remark(227640, ("mEq", "mg"), 0.08),  # Medication Added Units #2 (PD)
)
CRRT_MODE = 227290
CRRT_MODES = ("CVVHDF", "CVVH", "CVVHD", "SCUF")


def _readings(
    rng: np.random.Generator, readings: tuple[Reading, ...], stay: IntArray, hours: FloatArray
) -> list[Charted]:
    rows = []
    for reading in readings:
        kept = rng.random(len(stay)) < reading.share
        kept[: 1 + len(kept) // 20] = True
        values = reading.value + reading.spread * rng.normal(0, 1, int(kept.sum()))
        values = rounded(values, 1 if abs(reading.value) < 10 else 0)
        rows.append(item_rows(reading.itemid, stay[kept], hours[kept], values))
    return rows


def _remarks(
    rng: np.random.Generator, remarks: tuple[Remark, ...], stay: IntArray, hours: FloatArray
) -> list[Charted]:
    rows = []
    for remark in remarks:
        kept = np.flatnonzero(rng.random(len(stay)) < remark.share)
        weights = power(0.55, np.arange(len(remark.options)))
        chosen = dealt(rng, weights, max(len(kept), min(len(stay), 1)))
        kept = kept if len(kept) else np.arange(len(chosen))
        rows.append(
            item_rows(remark.itemid, stay[kept], hours[kept], text=texts(remark.options, chosen))
        )
    return rows


def dialysis_charting(
    rng: np.random.Generator, cohort: Cohort, support: Support, density: float = 1.0
) -> list[Charted]:
    """Return what is charted of dialysis: circuits hourly, sessions six-hourly, a catheter twice a day.

    Args:
        rng: the stream of these items.
        cohort, support: the block.
        density: share of the readings to chart, above 0 and at most 1.
    """
    n = len(cohort.stays)
    kind, start, stop = support.dialysis, support.dialysis_from, support.dialysis_to
    rows = []
    for which, step, readings, remarks in (
        (CONTINUOUS, 1.0, CONTINUOUS_READINGS, CONTINUOUS_REMARKS),
        (INTERMITTENT, 6.0, INTERMITTENT_READINGS, ()),
        (PERITONEAL, 4.0, PERITONEAL_READINGS, PERITONEAL_REMARKS),
    ):
        begin = np.where(kind == which, start, np.nan)
        stay, hours = grid(rng, begin, stop, np.full(n, step / density), jitter=0.1)
        rows += _readings(rng, readings, stay, hours)
        rows += _remarks(rng, remarks, stay, hours)
        if which == CONTINUOUS:
            day, spell = np.unique(
                stay * 1000 + (hours // 24).astype(np.int64), return_inverse=True
            )
            mode = texts(CRRT_MODES, dealt(rng, [0.6, 0.2, 0.15, 0.05], len(day)))
            some = rng.random(len(stay)) < 0.6
            some[np.unique(spell, return_index=True)[1]] = True
            rows.append(item_rows(CRRT_MODE, stay[some], hours[some], text=mode[spell][some]))
    begin = np.where((kind > 0) & (kind != PERITONEAL), start - 2, np.nan)
    until = np.where(kind == CATHETER_ONLY, cohort.stays.course.los, stop + 12)
    stay, hours = grid(rng, begin, np.minimum(until, cohort.stays.course.los), np.full(n, 12.0))
    return rows + _remarks(rng, CATHETER_REMARKS, stay, hours)


class Ranges(NamedTuple):
    """Treatments from one hour to another, arrays of one length."""

    stay: IntArray
    begin: FloatArray
    end: FloatArray
    itemid: IntArray


def dialysis_procedures(rng: np.random.Generator, cohort: Cohort, support: Support) -> Ranges:
    """Return treatments and catheters documented as procedures, circuits day by day.

    A tenth of the treatments is charted but not entered as a procedure.
    """
    n = len(cohort.stays)
    los = cohort.stays.course.los
    kind, start, stop = support.dialysis, support.dialysis_from, support.dialysis_to
    entered = rng.random(n) < 0.9
    circuit = np.where((kind == CONTINUOUS) & entered, start, np.nan)
    running, running_from = grid(rng, circuit, stop, np.full(n, 24.0))
    treatments = np.array([CRRT, CVVHD, CVVHDF, SCUF])
    treatment = treatments[dealt(rng, [0.7, 0.12, 0.12, 0.06], len(running))]
    water = np.flatnonzero((kind == PERITONEAL) & entered & np.isfinite(start))
    begin = np.where((kind == INTERMITTENT) & entered, start, np.nan)
    session, session_hours = grid(rng, begin, stop, np.full(n, 36.0))
    line = np.flatnonzero(
        (kind > 0) & (kind != PERITONEAL) & (rng.random(n) < 0.75) & np.isfinite(start)
    )
    change = np.flatnonzero(np.isfinite(circuit) & (rng.random(n) < 0.6))
    parts = (
        (running, running_from, np.minimum(running_from + 24, stop[running]), treatment),
        (water, start[water], stop[water], np.full(len(water), PERITONEAL_DIALYSIS)),
        (
            session,
            session_hours,
            session_hours + rng.uniform(2.5, 4, len(session)),
            np.full(len(session), HEMODIALYSIS),
        ),
        (line, np.maximum(start[line] - 3, 0.1), los[line], np.full(len(line), CATHETER)),
        (
            change,
            (start[change] + stop[change]) / 2,
            (start[change] + stop[change]) / 2 + 0.02,
            np.full(len(change), FILTER_CHANGE),
        ),
    )
    stay, first, last, itemid = (np.concatenate([part[i] for part in parts]) for i in range(4))
    return Ranges(stay, first, np.minimum(last, los[stay]), itemid.astype(np.int64))


def replacement_infusions(rng: np.random.Generator, cohort: Cohort, support: Support) -> Ranges:
    """Return the potassium and calcium infusions of continuous circuits, in segments of about six hours."""
    n = len(cohort.stays)
    begin = np.where(support.dialysis == CONTINUOUS, support.dialysis_from, np.nan)
    stay, hours = grid(rng, begin, support.dialysis_to, np.full(n, 6.0))
    itemid = np.where(rng.random(len(stay)) < 0.5, KCL_CRRT, CALCIUM_CRRT)
    end = np.minimum(hours + 6, cohort.stays.course.los[stay])
    return Ranges(stay, hours, end, itemid.astype(np.int64))
