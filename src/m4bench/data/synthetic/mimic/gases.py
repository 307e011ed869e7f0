# SPDX-License-Identifier: MIT
"""Blood gases: arterial, venous, unlabelled, with or without the oxygen they were breathed on.

Follows the lungs, the circulation and the support; knows no bedside chart.
"""

import numpy as np

from m4bench.data.synthetic.cohort import NO_OWNER, Cohort
from m4bench.data.synthetic.draws import (
    BoolArray,
    FloatArray,
    IntArray,
    TextArray,
    dealt,
    grid,
    rounded,
    texts,
)
from m4bench.data.synthetic.mimic.labs import Results
from m4bench.data.synthetic.physiology import CIRCULATORY, HEPATIC, RENAL, RESPIRATORY
from m4bench.data.synthetic.support import INVASIVE, ROOM_AIR, Support, inspired_oxygen

SPECIMEN_TYPE, LACTATE, FIO2, PO2, PCO2, PH = 52033, 50813, 50816, 50821, 50818, 50820
GRADIENT = 50801
BASE_EXCESS = 50802
BICARBONATE = 50803
TOTAL_CO2 = 50804
CARBOXYHEMOGLOBIN = 50805
CHLORIDE = 50806
COMMENTS = 50807
FREE_CALCIUM = 50808
GLUCOSE = 50809
HEMATOCRIT = 50810
HEMOGLOBIN = 50811
METHEMOGLOBIN = 50814
OXYGEN_FLOW = 50815
OXYGEN_SATURATION = 50817
PEEP = 50819
POTASSIUM = 50822
REQUIRED_OXYGEN = 50823
SODIUM = 50824
TEMPERATURE = 50825
SPECIMENS = ("ART.", "VEN.", None, "CENTRAL VENOUS.", "MIX.")
ARTERIAL = 0
PATM_LESS_WATER = 713.0
"""Barometric pressure less water vapour, mmHg."""


def _times(
    rng: np.random.Generator, cohort: Cohort, support: Support
) -> tuple[IntArray, FloatArray]:
    """Return stay and hour of each gas: often with a tube or a line, seldom without, some just before the ICU."""
    stays = cohort.stays
    n = len(stays)
    lungs = stays.course.level[:, RESPIRATORY]
    watched = support.arterial_line | (support.airway[:, 1] == INVASIVE)
    none = stays.silent | (rng.random(n) < np.where(watched, 0.04, 0.55 - 0.4 * lungs))
    step = np.where(watched, rng.uniform(4, 9, n), rng.uniform(9, 20, n))
    start = np.where(none, np.nan, rng.uniform(-6.5, 3.0, n))
    owner, hours = grid(rng, start, stays.course.los, step, jitter=0.5)
    return owner, rounded(hours * 60) / 60


def _tension(
    rng: np.random.Generator, kind: IntArray, lungs: FloatArray, oxygen: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return pO2 and pCO2 in mmHg: arterial from the P/F ratio of the lungs, venous around 40."""
    n = len(kind)
    ratio = 470 * np.exp(-2.25 * lungs + rng.normal(0, 0.13, n))
    dioxide = np.clip(39 + 14 * lungs**2 + rng.normal(0, 4.5, n), 17, 120)
    ceiling = np.maximum(oxygen / 100 * PATM_LESS_WATER - dioxide / 0.8 - 3, 30)
    arterial = np.clip(ratio * oxygen / 100, 34, ceiling)
    venous = np.clip(rng.normal(41, 6, n), 19, 75)
    unlabelled = np.where(rng.random(n) < 0.6, arterial, venous)
    tension = np.choose(kind, [arterial, venous, unlabelled, venous, venous])
    return rounded(tension), rounded(dioxide + np.where(kind == ARTERIAL, 0.0, 4.0))


def _recorded_oxygen(rng: np.random.Generator, oxygen: FloatArray, airway: IntArray) -> FloatArray:
    """Return the FiO2 recorded with the gas: mostly percent, one in twelve a fraction, a few slips."""
    n = len(oxygen)
    slip = dealt(rng, [0.895, 0.08, 0.01, 0.005, 0.005, 0.005], n)
    typed = np.choose(
        slip,
        [
            oxygen,
            rounded(oxygen / 100, 2),
            np.full(n, 20.0),
            rounded(oxygen / 10),
            np.full(n, 0.2),
            np.zeros(n),
        ],
    )
    share = np.where(airway == ROOM_AIR, 0.35, 0.6)
    return np.where(rng.random(n) < share, typed, np.nan)


def _panel(
    rng: np.random.Generator, cohort: Cohort, stay: IntArray, hours: FloatArray, support: Support
) -> tuple[dict[int, FloatArray], IntArray]:
    """Return every measured quantity by item (NaN: not measured) and the kind of specimen."""
    course, n = cohort.stays.course, len(stay)
    lungs, shock, kidney, liver = (
        course.severity(organ, stay, hours) for organ in (RESPIRATORY, CIRCULATORY, RENAL, HEPATIC)
    )
    airway = support.airway_at(stay, hours)
    oxygen = inspired_oxygen(airway, lungs, rng.normal(0, 1, n))
    kind = dealt(rng, [0.76, 0.13, 0.07, 0.025, 0.015], n)
    po2, pco2 = _tension(rng, kind, lungs, oxygen)
    bicarbonate = np.clip(25 - 9 * shock - 6 * kidney + 4 * lungs**2 + rng.normal(0, 1.5, n), 5, 46)
    ph = 6.1 + np.log10(bicarbonate / (0.0307 * pco2))
    po2 = np.where(rng.random(n) < 0.06, np.nan, po2)
    gas, always = ~np.isnan(po2), np.ones(n, dtype=bool)
    lactate = np.exp(np.log(1.2) + 2.0 * shock + 0.5 * liver + rng.normal(0, 0.22, n))
    recorded = np.where(gas, _recorded_oxygen(rng, oxygen, airway), np.nan)
    measured = np.where(gas & (kind == ARTERIAL), recorded, np.nan)
    gradient = oxygen / 100 * PATM_LESS_WATER - pco2 / 0.8 - po2
    noise = rng.normal(0, 1, (n, 12))
    values = {
        PO2: po2,
        PCO2: np.where(gas, pco2, np.nan),
        PH: np.where(gas, rounded(np.clip(ph, 6.8, 7.7), 2), np.nan),
        BASE_EXCESS: np.where(gas, rounded(bicarbonate - 25), np.nan),
        BICARBONATE: _some(rng, gas, 0.1, rounded(bicarbonate)),
        TOTAL_CO2: np.where(gas, rounded(bicarbonate + 1.2), np.nan),
        LACTATE: np.where((rng.random(n) < 0.6) | ~gas, rounded(lactate, 1), np.nan),
        FIO2: recorded,
        GRADIENT: np.where(~np.isnan(measured) & (rng.random(n) < 0.3), rounded(gradient), np.nan),
        CARBOXYHEMOGLOBIN: _some(rng, gas, 0.05, rounded(np.maximum(1 + 0.6 * noise[:, 0], 0))),
        METHEMOGLOBIN: _some(rng, gas, 0.05, rounded(np.maximum(0.6 + 0.5 * noise[:, 1], 0))),
        CHLORIDE: _some(rng, always, 0.35, rounded(104 + 4 * noise[:, 2])),
        FREE_CALCIUM: _some(rng, always, 0.5, rounded(1.13 - 0.06 * shock + 0.06 * noise[:, 3], 2)),
        GLUCOSE: _some(rng, always, 0.45, rounded(130 * np.exp(0.25 * noise[:, 4]))),
        HEMATOCRIT: _some(rng, always, 0.3, rounded(31 + 5 * noise[:, 5])),
        HEMOGLOBIN: _some(rng, always, 0.3, rounded(10.3 + 1.6 * noise[:, 6], 1)),
        OXYGEN_FLOW: _some(
            rng,
            gas & (airway < INVASIVE) & (airway > ROOM_AIR),
            0.2,
            rounded(4 + 2 * noise[:, 7] ** 2),
        ),
        OXYGEN_SATURATION: _some(
            rng, gas, 0.35, rounded(np.clip(100 - 900 / np.maximum(po2, 20) ** 1.15, 30, 101))
        ),
        PEEP: _some(rng, gas & (airway == INVASIVE), 0.35, rounded(6 + 8 * lungs)),
        POTASSIUM: _some(rng, always, 0.5, rounded(4.1 + 1.2 * kidney + 0.35 * noise[:, 8], 1)),
        REQUIRED_OXYGEN: _some(rng, gas & (airway == INVASIVE), 0.05, rounded(oxygen)),
        SODIUM: _some(rng, always, 0.4, rounded(138 - 7 * liver + 3 * noise[:, 9])),
        TEMPERATURE: _some(rng, gas, 0.25, rounded(37 + 0.7 * noise[:, 10], 1)),
    }
    return values, kind


def _some(
    rng: np.random.Generator, possible: BoolArray, share: float, values: FloatArray
) -> FloatArray:
    return np.where(possible & (rng.random(len(values)) < share), values, np.nan)


def blood_gases(rng: np.random.Generator, cohort: Cohort, support: Support) -> Results:
    """Return the gases of a block; one in thirty is a pair of specimens taken in the same minute."""
    stay, hours = _times(rng, cohort, support)
    pair = rng.random(len(stay)) < 0.03
    stay, hours = np.concatenate([stay, stay[pair]]), np.concatenate([hours, hours[pair]])
    values, kind = _panel(rng, cohort, stay, hours, support)
    number = np.arange(len(stay))
    rows, items, numbers = [], [], []
    for itemid, value in values.items():
        present = np.flatnonzero(~np.isnan(value))
        rows.append(present)
        items.append(np.full(len(present), itemid))
        numbers.append(value[present])
    labels = texts(SPECIMENS, kind)
    labelled = np.flatnonzero(labels != None)  # noqa: E711 - elementwise on an array of texts
    intubated = np.flatnonzero(support.intubated(stay, hours) & (rng.random(len(stay)) < 0.25))
    for itemid, chosen in ((SPECIMEN_TYPE, labelled), (COMMENTS, intubated)):
        rows.append(chosen)
        items.append(np.full(len(chosen), itemid))
        numbers.append(np.full(len(chosen), np.nan))
    row, item = np.concatenate(rows), np.concatenate(items)
    text: TextArray = np.full(len(row), None, dtype=object)
    text[item == SPECIMEN_TYPE] = labels[labelled]
    text[item == COMMENTS] = "INTUBATED"
    stays = cohort.stays
    time = stays.at(stay, hours) // 60 * 60
    unfiled = (time < cohort.admissions.admitted[stays.admission[stay]]) | (
        rng.random(len(stay)) < 0.03
    )
    admission = np.where(unfiled, NO_OWNER, stays.admission[stay])
    return Results(
        patient=stays.patient[stay][row],
        admission=admission[row],
        time=time[row],
        specimen=number[row],
        itemid=item,
        number=np.concatenate(numbers),
        text=text,
        comment=np.full(len(row), None, dtype=object),
    )
