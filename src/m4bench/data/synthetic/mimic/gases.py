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
    dealt,
    grid,
    rounded,
)
from m4bench.data.synthetic.elementary import exp, log, power
from m4bench.data.synthetic.mimic.disturbances import Disturbances
from m4bench.data.synthetic.mimic.results import NO_WORD, REMARK, WORD, Results
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
INTUBATED = 50812
SPECIMENS = ("ART.", "VEN.", None, "CENTRAL VENOUS.", "MIX.")
ARTERIAL = 0
FRESH = 2.5
"""Hours after intubation, or after a procedure, in which oxygen is still given generously."""
PATM_LESS_WATER = 713.0
"""Barometric pressure less water vapour, mmHg."""


def _times(
    rng: np.random.Generator, cohort: Cohort, support: Support, density: float
) -> tuple[IntArray, FloatArray]:
    """Return stay and hour of each gas: often with a tube or a line, seldom without, some just before the ICU."""
    stays = cohort.stays
    n = len(stays)
    lungs = stays.course.level[:, RESPIRATORY]
    watched = support.arterial_line | (support.airway[:, 1] == INVASIVE)
    none = stays.silent | (rng.random(n) < np.where(watched, 0.04, 0.62 - 0.4 * lungs))
    step = np.where(watched, rng.uniform(5, 13, n), rng.uniform(12, 30, n))
    step = step * np.sqrt(np.maximum(stays.course.los / 72, 1)) / float(power(density, 0.9))
    start = np.where(none, np.nan, rng.uniform(-6.5, 3.0, n))
    owner, hours = grid(rng, start, stays.course.los, step, jitter=0.5)
    return owner, rounded(hours * 60) / 60


def _given_oxygen(
    rng: np.random.Generator,
    support: Support,
    stay: IntArray,
    hours: FloatArray,
    airway: IntArray,
    lungs: FloatArray,
) -> FloatArray:
    """Return the inspired oxygen in percent: generous just after intubation, then as the lungs need it."""
    n = len(stay)
    needed = inspired_oxygen(airway, lungs, rng.normal(0, 1, n))
    since = hours - support.begins[stay, 1]
    fresh = (airway == INVASIVE) & (support.airway[stay, 1] == INVASIVE) & (since < FRESH)
    generous = np.where(rng.random(n) < 0.3, 100.0, np.where(rng.random(n) < 0.7, 50.0, 60.0))
    return np.where(fresh, np.maximum(needed, generous), needed)


def _tension(
    rng: np.random.Generator,
    kind: IntArray,
    lungs: FloatArray,
    oxygen: FloatArray,
    dioxide: FloatArray,
    shunt: FloatArray,
) -> FloatArray:
    """Return pO2 in mmHg: arterial from the P/F ratio of the lungs, at most 50 or so with a shunt, venous around 40."""
    n = len(kind)
    ratio = 640 * exp(-2.3 * lungs + rng.normal(0, 0.24, n))
    ceiling = np.maximum(oxygen / 100 * PATM_LESS_WATER - dioxide / 0.8 - 3, 30)
    arterial = np.clip(ratio * oxygen / 100, 34, ceiling)
    mixed = np.clip(47 - 8 * shunt + rng.normal(0, 2.5, n), 30, 60)
    arterial = np.where(shunt > 0, np.minimum(arterial, mixed), arterial)
    venous = np.clip(rng.normal(41, 6, n), 19, 75)
    unlabelled = np.where(rng.random(n) < 0.6, arterial, venous)
    return rounded(np.choose(kind, [arterial, venous, unlabelled, venous, venous]))


def _carbon_dioxide(
    rng: np.random.Generator,
    cohort: Cohort,
    disturbed: Disturbances,
    stay: IntArray,
    hours: FloatArray,
    bicarbonate: FloatArray,
    lungs: FloatArray,
) -> FloatArray:
    """Return arterial pCO2 in mmHg: of the lungs, of breathing that answers an acidosis, and of disturbances."""
    within = {
        name: disturbed.at(cohort, name, stay, hours)
        for name in ("hypercapnia", "opioid poisoning", "status asthmaticus", "hyperventilation")
    }
    answer = np.where(bicarbonate < 25, 0.75, 0.6) * (bicarbonate - 25)
    value = 39 + answer + 14 * lungs**2 + rng.normal(0, 6.0, len(stay))
    value = value + 75 * within["hypercapnia"] + 55 * within["opioid poisoning"]
    value = value + 34 * within["status asthmaticus"] - 25 * within["hyperventilation"]
    return np.asarray(np.clip(value, 13, 130), dtype=np.float64)


def _bicarbonate(
    rng: np.random.Generator,
    cohort: Cohort,
    disturbed: Disturbances,
    stay: IntArray,
    hours: FloatArray,
) -> FloatArray:
    """Return bicarbonate in mEq/L: lost to shock, kidneys and ketones, kept in alkalosis and long hypercapnia."""
    shock = cohort.stays.course.severity(CIRCULATORY, stay, hours)
    kidney = cohort.stays.course.severity(RENAL, stay, hours)
    value = 26 - 9 * shock - 6 * kidney + rng.normal(0, 2.6, len(stay))
    for name, change in (
        ("ketoacidosis", -19.0),
        ("circulatory collapse", -10.0),
        ("uraemia", -6.0),
        ("metabolic alkalosis", 21.0),
        ("hypercapnia", 9.0),
    ):
        value = value + change * disturbed.at(cohort, name, stay, hours)
    return np.asarray(np.clip(value, 4, 52), dtype=np.float64)


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
    share = np.where(airway == ROOM_AIR, 0.08, 0.3)
    return np.where(rng.random(n) < share, typed, np.nan)


def _lactate(
    rng: np.random.Generator,
    cohort: Cohort,
    disturbed: Disturbances,
    stay: IntArray,
    hours: FloatArray,
) -> FloatArray:
    """Return lactate in mmol/L: of shock and liver, highest in collapse and in ischaemic hepatitis."""
    shock = cohort.stays.course.severity(CIRCULATORY, stay, hours)
    liver = cohort.stays.course.severity(HEPATIC, stay, hours)
    collapse = disturbed.at(cohort, "circulatory collapse", stay, hours)
    hepatitis = disturbed.at(cohort, "ischaemic hepatitis", stay, hours)
    value = log(1.1) + 1.7 * shock + 0.5 * liver + 1.7 * collapse + 1.8 * hepatitis
    return np.minimum(exp(value + rng.normal(0, 0.25, len(stay))), 28.0)


def _whole_blood(
    cohort: Cohort, disturbed: Disturbances, stay: IntArray, hours: FloatArray
) -> dict[int, FloatArray]:
    """Return what whole blood would show without chance: logarithm of glucose, haematocrit, sodium, by item."""
    deep = {
        name: disturbed.at(cohort, name, stay, hours)
        for name in (
            "ketoacidosis", "hypoglycaemia", "hyperosmolar state", "polycythaemia", "haemorrhage",
            "hyponatraemia", "dehydration",
        )
    }  # fmt: skip
    liver = cohort.stays.course.severity(HEPATIC, stay, hours)
    sugar = (
        1.6 * deep["ketoacidosis"] - 1.5 * deep["hypoglycaemia"] + 2.0 * deep["hyperosmolar state"]
    )
    return {
        GLUCOSE: log(130.0) + sugar,
        HEMATOCRIT: 31 + 22 * deep["polycythaemia"] - 14 * deep["haemorrhage"],
        SODIUM: 137.5 - 7 * liver - 22 * deep["hyponatraemia"] + 32 * deep["dehydration"],
    }


def _panel(
    rng: np.random.Generator,
    cohort: Cohort,
    disturbed: Disturbances,
    stay: IntArray,
    hours: FloatArray,
    support: Support,
) -> tuple[dict[int, FloatArray], IntArray]:
    """Return every measured quantity by item (NaN: not measured) and the kind of specimen."""
    course, n = cohort.stays.course, len(stay)
    lungs, shock, kidney = (
        course.severity(organ, stay, hours) for organ in (RESPIRATORY, CIRCULATORY, RENAL)
    )
    airway = support.airway_at(stay, hours)
    oxygen = _given_oxygen(rng, support, stay, hours, airway, lungs)
    kind = dealt(rng, [0.7, 0.19, 0.065, 0.025, 0.02], n)
    bicarbonate = _bicarbonate(rng, cohort, disturbed, stay, hours)
    dioxide = _carbon_dioxide(rng, cohort, disturbed, stay, hours, bicarbonate, lungs)
    shunt = disturbed.at(cohort, "chronic hypoxaemia", stay, hours)
    po2 = _tension(rng, kind, lungs, oxygen, dioxide, shunt)
    pco2 = rounded(dioxide + np.where(kind == ARTERIAL, 0.0, 4.0))
    ph = 6.1 + log(bicarbonate / (0.0307 * pco2)) / 2.302585092994046
    po2 = np.where(rng.random(n) < 0.06, np.nan, po2)
    gas, always = ~np.isnan(po2), np.ones(n, dtype=bool)
    lactate = _lactate(rng, cohort, disturbed, stay, hours)
    recorded = np.where(gas, _recorded_oxygen(rng, oxygen, airway), np.nan)
    measured = np.where(gas & (kind == ARTERIAL), recorded, np.nan)
    gradient = oxygen / 100 * PATM_LESS_WATER - pco2 / 0.8 - po2
    whole = _whole_blood(cohort, disturbed, stay, hours)
    noise = rng.normal(0, 1, (n, 12))
    values = {
        PO2: po2,
        PCO2: np.where(gas, pco2, np.nan),
        PH: np.where(gas, rounded(np.clip(ph, 6.8, 7.7), 2), np.nan),
        BASE_EXCESS: np.where(gas, rounded(bicarbonate - 25), np.nan),
        BICARBONATE: _some(rng, gas, 0.1, rounded(bicarbonate)),
        TOTAL_CO2: np.where(gas, rounded(bicarbonate + 1.2), np.nan),
        LACTATE: np.where((rng.random(n) < 0.8) | ~gas, rounded(lactate, 1), np.nan),
        FIO2: recorded,
        GRADIENT: np.where(~np.isnan(measured) & (rng.random(n) < 0.3), rounded(gradient), np.nan),
        CARBOXYHEMOGLOBIN: _some(rng, gas, 0.05, rounded(np.maximum(1 + 0.6 * noise[:, 0], 0))),
        METHEMOGLOBIN: _some(rng, gas, 0.05, rounded(np.maximum(0.6 + 0.5 * noise[:, 1], 0))),
        CHLORIDE: _some(rng, always, 0.12, rounded(104 + 4 * noise[:, 2])),
        FREE_CALCIUM: _some(rng, always, 0.5, rounded(1.13 - 0.06 * shock + 0.06 * noise[:, 3], 2)),
        GLUCOSE: _some(rng, always, 0.3, rounded(exp(whole[GLUCOSE] + 0.25 * noise[:, 4]))),
        HEMATOCRIT: _some(
            rng, always, 0.17, rounded(np.clip(whole[HEMATOCRIT] + 5 * noise[:, 5], 12, 68))
        ),
        HEMOGLOBIN: _some(
            rng, always, 0.3, rounded(np.clip(whole[HEMATOCRIT] / 3 + 1.6 * noise[:, 6], 4, 22), 1)
        ),
        OXYGEN_FLOW: _some(
            rng,
            gas & (airway < INVASIVE) & (airway > ROOM_AIR),
            0.2,
            rounded(4 + 2 * noise[:, 7] ** 2),
        ),
        OXYGEN_SATURATION: _some(
            rng, gas, 0.35, rounded(np.clip(_saturation(po2) + noise[:, 11], 20, 101))
        ),
        PEEP: _some(rng, gas & (airway == INVASIVE), 0.35, rounded(6 + 8 * lungs)),
        POTASSIUM: _some(rng, always, 0.35, rounded(4.1 + 1.2 * kidney + 0.35 * noise[:, 8], 1)),
        REQUIRED_OXYGEN: _some(rng, gas & (airway == INVASIVE), 0.05, rounded(oxygen)),
        SODIUM: _some(rng, always, 0.18, rounded(whole[SODIUM] + 3 * noise[:, 9])),
        TEMPERATURE: _some(rng, gas, 0.25, rounded(37 + 0.7 * noise[:, 10], 1)),
    }
    return values, kind


def _saturation(tension: FloatArray) -> FloatArray:
    """Return the oxygen saturation in percent of a tension in mmHg, by Severinghaus's curve (1979)."""
    return np.asarray(
        100 / (23_400 / (tension * tension * tension + 150 * tension) + 1), dtype=np.float64
    )


def _some(
    rng: np.random.Generator, possible: BoolArray, share: float, values: FloatArray
) -> FloatArray:
    return np.where(possible & (rng.random(len(values)) < share), values, np.nan)


def _words(
    rng: np.random.Generator, kind: IntArray, intubated: BoolArray
) -> list[tuple[IntArray, int, IntArray]]:
    """Return results that are words: specimens, item, places in WORDS."""
    places = np.array([NO_WORD if name is None else WORD[name] for name in SPECIMENS])[kind]
    labelled = np.flatnonzero(places != NO_WORD)
    commented = np.flatnonzero(intubated & (rng.random(len(kind)) < 0.08))
    told = np.flatnonzero(rng.random(len(kind)) < 0.2)
    tube = np.where(intubated[told], WORD["INTUBATED."], WORD["NOT INTUBATED."])
    return [
        (labelled, SPECIMEN_TYPE, places[labelled]),
        (commented, COMMENTS, np.full(len(commented), WORD["INTUBATED"])),
        (told, INTUBATED, tube),
    ]


def blood_gases(
    rng: np.random.Generator,
    cohort: Cohort,
    support: Support,
    disturbed: Disturbances,
    density: float,
) -> Results:
    """Return the gases of a block; one in thirty is a pair of specimens taken in the same minute."""
    stay, hours = _times(rng, cohort, support, density)
    pair = rng.random(len(stay)) < 0.03
    stay, hours = np.concatenate([stay, stay[pair]]), np.concatenate([hours, hours[pair]])
    values, kind = _panel(rng, cohort, disturbed, stay, hours, support)
    rows, items, numbers, words = [], [], [], []
    for itemid, value in values.items():
        present = np.flatnonzero(~np.isnan(value))
        rows.append(present)
        items.append(np.full(len(present), itemid))
        numbers.append(value[present])
        words.append(np.full(len(present), NO_WORD))
    for chosen, itemid, places in _words(rng, kind, support.intubated(stay, hours)):
        rows.append(chosen)
        items.append(np.full(len(chosen), itemid))
        numbers.append(np.full(len(chosen), np.nan))
        words.append(places)
    row, item = np.concatenate(rows), np.concatenate(items)
    stays = cohort.stays
    time = stays.at(stay, hours) // 60 * 60
    early = time < cohort.admissions.admitted[stays.admission[stay]]
    unfiled = early | (rng.random(len(stay)) < 0.03)
    admission = np.where(unfiled, NO_OWNER, stays.admission[stay])
    venous = (kind != ARTERIAL)[row] & (item == PO2)
    return Results(
        patient=stays.patient[stay][row],
        admission=admission[row],
        time=time[row],
        specimen=row,
        itemid=item,
        number=np.concatenate(numbers),
        word=np.concatenate(words),
        remark=np.where(venous, REMARK["NO CALLS MADE - NOT ARTERIAL BLOOD."], NO_WORD),
    )
