# SPDX-License-Identifier: MIT
"""Table nursecharting: rounds of nurses at the bedside, each hospital in its own way. Knows no device's record.

About 590 rows a stay at full density, as published for the open demo.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from m4bench.data.synthetic.draws import FloatArray, IntArray, dealt, grid, rounded
from m4bench.data.synthetic.eicu.bedside import Bedside
from m4bench.data.synthetic.eicu.coma import coma_parts
from m4bench.data.synthetic.eicu.flowsheet import (
    ARTERIAL_MAP,
    BREATHS,
    CELSIUS,
    COMA_EYES,
    COMA_MOTOR,
    COMA_SCORE,
    COMA_TOTAL,
    COMA_VERBAL,
    CUFF_DIASTOLIC,
    CUFF_MEAN,
    CUFF_SYSTOLIC,
    DELIRIUM,
    DELIRIUM_SCALE,
    DEVICE,
    FAHRENHEIT,
    GLUCOSE,
    HEART,
    LINE_DIASTOLIC,
    LINE_MEAN,
    LINE_SYSTOLIC,
    MAP,
    OTHER,
    OXYGEN,
    PAIN,
    PAIN_GOAL,
    PLACE,
    SATURATION,
    SCORES,
    SEDATION,
    SEDATION_GOAL,
    SEDATION_SCALE,
    SPO2,
    VENOUS,
    VITALS,
    Flowsheet,
)  # fmt: skip
from m4bench.data.synthetic.eicu.hospitals import (
    CELSIUS_ONLY,
    FAHRENHEIT_ONLY,
    LINE_LABEL,
    MAP_LABEL,
    MONITOR_LABEL,
    NURSES_BOTH,
    NURSES_TOTAL,
    NURSES_TOTAL_AND_PARTS,
    OTHER_HEADING,
    PHYSICIANS_ONLY,
)
from m4bench.data.synthetic.eicu.rows import said, typed, words
from m4bench.data.synthetic.elementary import exp, log
from m4bench.data.synthetic.physiology import CIRCULATORY, HEPATIC, RESPIRATORY
from m4bench.data.synthetic.support import LOW_FLOW, ROOM_AIR, inspired_oxygen

_PLACES = ("ORAL", "TEMPORAL ARTERY", "AXILLARY", "BLADDER", "RECTAL", "Oral", "Core", "TYMPANIC")
_SCALES = ("RASS", "Ramsay", "Riker", "Richmond Agitation Sedation Scale (RASS)")
_DEVICES = (
    "room air", "nasal cannula", "HFNC", "BiPAP/CPAP", "ventilator", "trach collar", "RA", "NC", "high flow",
    "BiPAP", "vent", "trach mask",
)  # fmt: skip
UNABLE = "Unable to score due to medication"


def _rounds(
    rng: np.random.Generator, bedside: Bedside, every: float, *, early: float = 0.08
) -> tuple[IntArray, FloatArray]:
    """Return stay and hour of rounds; some charts begin in the emergency room, up to nine hours before."""
    stays = bedside.stays
    n = len(stays)
    sparse = np.where(stays.block.cohort.stays.sparse, 4.0, 1.0)
    step = every * stays.habits.every[stays.hospital] * sparse / stays.density
    start = np.where(rng.random(n) < early, -rng.uniform(0.1, 9.0, n), rng.uniform(0.0, 0.7, n))
    start = start + np.minimum(step, stays.hours) * rng.random(n) * 0.3
    start = np.where(stays.charted, start, np.nan)
    return grid(rng, start, np.maximum(stays.hours, 0.2), step, jitter=0.3)


def _pressures(sheet: Flowsheet, bedside: Bedside, stay: IntArray, hours: FloatArray) -> None:
    """Chart cuff and arterial line; the line's mean under the hospital's own label."""
    rng, n = sheet.rng, len(stay)
    mean = np.clip(bedside.mean_pressure(stay, hours) + rng.normal(0, 4.0, n), 6, 190)
    pulse = 52 - 0.2 * (88 - mean) + 11 * bedside.own[stay, 4] + rng.normal(0, 6, n)
    pulse = np.clip(pulse, 9, 120)
    line = bedside.stays.block.support.arterial_line[stay] & (bedside.own[stay, 7] > -0.35)
    # a cuff of the wrong size misreads for the whole stay
    misfit = 24.0 * np.sign(bedside.own[stay, 6]) * (np.abs(bedside.own[stay, 6]) > 1.9)
    cuff = np.maximum(mean + misfit, 20) + rng.normal(0, 4.0, n)
    taken = rng.random(n) < np.where(line, 0.2, 0.8)
    for cell, part in ((CUFF_SYSTOLIC, 0.66), (CUFF_DIASTOLIC, -0.34), (CUFF_MEAN, 0.0)):
        sheet.number(cell, stay, hours, rounded(cuff + part * pulse), taken, (0.0, 400.0, 8.0))
    read = line & (rng.random(n) < 0.94)
    # a line that is flushed or damped reads far from the truth for a moment
    damped = rng.random(n) < 0.002
    wave = np.where(damped, mean * 0.3, mean)
    for cell, part in ((LINE_SYSTOLIC, 0.66), (LINE_DIASTOLIC, -0.34)):
        sheet.number(cell, stay, hours, rounded(wave + part * pulse), read, (0.0, -5.0, 305.0))
    label = bedside.stays.habits.mean_label[bedside.stays.hospital[stay]]
    for cell, kind in ((LINE_MEAN, MONITOR_LABEL), (MAP, MAP_LABEL), (ARTERIAL_MAP, LINE_LABEL)):
        sheet.number(cell, stay, hours, rounded(wave), read & (label == kind), (0.0, -5.0, 305.0))
    central = line & (rng.random(n) < 0.25)
    shock = bedside.severity(CIRCULATORY, stay, hours)
    sheet.number(VENOUS, stay, hours, rounded(8 + 5 * shock + rng.normal(0, 2, n)), central)


def _vital_signs(sheet: Flowsheet, bedside: Bedside) -> None:
    rng = sheet.rng
    stay, hours = _rounds(rng, bedside, 0.88)
    n = len(stay)
    rate = np.clip(bedside.pulse(stay, hours) + rng.normal(0, 4.5, n), 0, 210)
    sheet.number(HEART, stay, hours, rounded(rate), 0.97, (0.0, 7.0, 250.0, 888.0))
    breaths = np.clip(bedside.breaths(stay, hours) + rng.normal(0, 1.9, n), 0, 66)
    sheet.number(BREATHS, stay, hours, rounded(breaths), 0.95, (0.0, 72.0, 180.0))
    oxygen = rounded(np.clip(bedside.saturation(stay, hours) + rng.normal(0, 1.2, n), 40, 100))
    other = bedside.stays.habits.interface[bedside.stays.hospital[stay]] == 4
    kept = rng.random(n) < 0.94
    sheet.number(SATURATION, stay, hours, oxygen, kept & ~other, (0.0, 101.0, 9.0))
    sheet.number(SPO2, stay, hours, oxygen, kept & other, (0.0, 101.0))
    _pressures(sheet, bedside, stay, hours)


def _temperatures(sheet: Flowsheet, bedside: Bedside) -> None:
    """Chart temperatures in the scale or scales of the hospital; a few are typed under the other scale."""
    rng = sheet.rng
    stay, hours = _rounds(rng, bedside, 3.3)
    n = len(stay)
    habit = bedside.stays.habits.temperature[bedside.stays.hospital[stay]]
    degrees = bedside.temperature(stay, hours) + rng.normal(0, 0.25, n)
    celsius, fahrenheit = rounded(degrees, 1), rounded(degrees * 1.8 + 32, 1)
    swapped = rng.random(n) < 0.003
    metric, imperial = (
        np.where(swapped, fahrenheit, celsius),
        np.where(swapped, celsius, fahrenheit),
    )
    sheet.number(CELSIUS, stay, hours, metric, habit != FAHRENHEIT_ONLY, (3.7, 0.0, 63.8))
    sheet.number(FAHRENHEIT, stay, hours, imperial, habit != CELSIUS_ONLY, (9.8, 0.0))
    place = words(_PLACES, dealt(rng, [0.42, 0.15, 0.12, 0.06, 0.03, 0.12, 0.05, 0.05], n))
    sheet.add(PLACE, stay, hours, place)


def _coma(sheet: Flowsheet, bedside: Bedside) -> None:
    """Chart the coma scale: total, parts, both, or the total alone, in the way of the hospital.

    Parts are left out now and then, one total in sixty is a sentence, one in four hundred cannot be.
    """
    rng, stays = sheet.rng, bedside.stays
    stay, hours = _rounds(rng, bedside, 3.4)
    habit = stays.habits.coma[stays.hospital[stay]]
    kept = habit != PHYSICIANS_ONLY
    stay, hours, habit = stay[kept], hours[kept], habit[kept]
    n = len(stay)
    coma = coma_parts(rng, bedside, stay, hours)
    heading = np.where(stays.habits.coma_under[stays.hospital[stay]] == 1, OTHER, SCORES)
    heading = np.where(habit == OTHER_HEADING, VITALS, heading)
    unable = (bedside.sedated(stay, hours) > 0) & (rng.random(n) < 0.12)
    total = typed(
        np.where(rng.random(n) < 0.0025, rng.choice([0.0, 2.0, 16.0, 30.0], n), coma.total)
    )
    total = pc.if_else(pa.array(unable), said(UNABLE, n), total)
    parted = (habit == NURSES_TOTAL_AND_PARTS) | (habit == NURSES_BOTH) | (habit == OTHER_HEADING)
    rows = [(COMA_TOTAL, total, parted & (rng.random(n) < 0.94))]
    worded = (coma.verbal == 5) & (rng.random(n) < 0.004)
    spoken = pc.if_else(pa.array(worded), said("Oriented", n), typed(coma.verbal))
    rows += [
        (cell, text, parted & ~unable & (rng.random(n) < 0.93))
        for cell, text in (
            (COMA_MOTOR, typed(coma.motor)),
            (COMA_VERBAL, spoken),
            (COMA_EYES, typed(coma.eyes)),
        )
    ]
    second = np.clip(coma.total + rng.choice([-1, 0, 0, 0, 1], n), 3, 15)
    rows.append((COMA_SCORE, typed(second), (habit == NURSES_TOTAL) | (habit == NURSES_BOTH)))
    for cell, text, chosen in rows:
        sheet.add(cell, stay[chosen], hours[chosen], text.filter(pa.array(chosen)), heading[chosen])


def _comfort(sheet: Flowsheet, bedside: Bedside) -> None:
    """Chart pain, sedation and delirium."""
    rng, stays = sheet.rng, bedside.stays
    stay, hours = _rounds(rng, bedside, 2.1)
    n = len(stay)
    pain = np.where(rng.random(n) < 0.62, 0, rng.integers(1, 11, n)) * 1.0
    goal = rounded(np.clip(2 + bedside.own[stay, 2], 0, 4))
    sheet.add(PAIN, stay, hours, typed(pain), SCORES)
    kept = rng.random(n) < 0.6
    sheet.add(PAIN_GOAL, stay[kept], hours[kept], typed(goal[kept]), SCORES)
    stay, hours = _rounds(rng, bedside, 3.6)
    scale = stays.habits.interface[stays.hospital[stay]] % len(_SCALES)
    depth = bedside.sedated(stay, hours)
    score = rounded(np.clip(-6 * depth + rng.normal(0, 0.5, len(stay)), -5, 3))
    kept = (depth > 0) | (rng.random(len(stay)) < 0.45)
    for cell, text in (
        (SEDATION_SCALE, words(_SCALES, scale)),
        (SEDATION, typed(score)),
        (SEDATION_GOAL, typed(rounded(np.minimum(score + 1, 0)))),
    ):
        sheet.add(cell, stay[kept], hours[kept], text.filter(pa.array(kept)), SCORES)
    kept = rng.random(len(stay)) < 0.3
    sheet.add(DELIRIUM_SCALE, stay[kept], hours[kept], said("CAM-ICU", int(kept.sum())), SCORES)
    answer = dealt(rng, [0.7, 0.18, 0.12], int(kept.sum()))
    sheet.add(DELIRIUM, stay[kept], hours[kept], words(("No", "Yes", "N/A"), answer), SCORES)


def _oxygen_and_sugar(sheet: Flowsheet, bedside: Bedside) -> None:
    """Chart oxygen as litres or percent in one column, its device in the hospital's words, and sugar."""
    rng, stays = sheet.rng, bedside.stays
    stay, hours = _rounds(rng, bedside, 2.2)
    n = len(stay)
    airway = bedside.airway(stay, hours)
    lungs = bedside.severity(RESPIRATORY, stay, hours)
    percent = inspired_oxygen(airway, lungs, rng.normal(size=n))
    amount = np.where(airway == LOW_FLOW, rounded((percent - 20) / 4), percent)
    kept = (airway != ROOM_AIR) & (rng.random(n) < 0.95)
    sheet.number(OXYGEN, stay, hours, amount, kept, (0.4, 100.0, 0.0))
    second = stays.habits.interface[stays.hospital[stay]] >= 2
    sheet.add(DEVICE, stay, hours, words(_DEVICES, airway + 6 * second), OTHER)
    stay, hours = _rounds(rng, bedside, 4.6)
    n = len(stay)
    sugar = log(126.0) + 0.3 * (bedside.own[stay, 6] > 0.4) + rng.normal(0, 0.22, n)
    sugar -= 0.25 * bedside.severity(HEPATIC, stay, hours)
    sheet.number(GLUCOSE, stay, hours, rounded(exp(sugar)), 0.8, (0.0, 999.0))


def nursing_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of nursecharting of a block."""
    sheet = Flowsheet(bedside.stays.block.rng("nursecharting"), bedside.stays)
    _vital_signs(sheet, bedside)
    _temperatures(sheet, bedside)
    _coma(sheet, bedside)
    _comfort(sheet, bedside)
    _oxygen_and_sugar(sheet, bedside)
    return sheet.columns()
