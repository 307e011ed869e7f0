# SPDX-License-Identifier: MIT
"""Vital signs and bedside glucose as nurses chart them. Knows no laboratory and no ventilator.

Medians and quartiles are near those of the open MIMIC-IV demo (heart rate 78, 90, 104; mean pressure 66, 75,
84; breaths 16, 20, 23); the ends of the range come from rare crises. Artefacts (zero, overscale, a Celsius
value under the Fahrenheit item, systolic and diastolic exchanged) come at the rates of ordinary charts.
"""

from typing import NamedTuple

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import (
    BoolArray,
    FloatArray,
    IntArray,
    dealt,
    grid,
    rounded,
)
from m4bench.data.synthetic.elementary import exp, log
from m4bench.data.synthetic.mimic.charting import Charted, item_rows
from m4bench.data.synthetic.mimic.rhythm import heart_rhythm
from m4bench.data.synthetic.mimic.words import worded
from m4bench.data.synthetic.physiology import (
    CIRCULATORY,
    HEPATIC,
    ILLNESSES,
    MARROW,
    NEUROLOGIC,
    RESPIRATORY,
)
from m4bench.data.synthetic.support import INVASIVE, Support

HEART_RATE = 220045
CUFF = (220179, 220180, 220181)
ARTERY = (220050, 220051, 220052)
ARTERY_OTHER_MONITOR = (225309, 225310, 225312)
RESPIRATORY_RATE = 220210
FAHRENHEIT, CELSIUS, TEMPERATURE_SITE = 223761, 223762, 224642
SITES = ("Oral", "Axillary", "Blood", "Rectal", "Temporal", "Esophogeal")
SPO2 = 220277
GLUCOSES = (225664, 220621, 226537)
POTASSIUM_SERUM = 227442

_ARREST = next(i for i, illness in enumerate(ILLNESSES) if illness.name == "cardiac arrest")


WATCHED = 6.0
"""Hours for which a crisis is watched closely, however thin the charting."""


class Rounds(NamedTuple):
    """The rounds of a block: stay and hour of each, with the hidden state then, arrays of one length."""

    stay: IntArray
    hours: FloatArray
    shock: FloatArray
    lungs: FloatArray

    def some(self, chosen: BoolArray) -> "Rounds":
        """Return the chosen rounds."""
        return Rounds(self.stay[chosen], self.hours[chosen], self.shock[chosen], self.lungs[chosen])


def charting_hours(
    rng: np.random.Generator, cohort: Cohort, density: float = 1.0, every: float = 1.0
) -> tuple[IntArray, FloatArray]:
    """Return stay and hour of the rounds of a block: hourly, four-hourly in sparse stays.

    Two stays in three are charted on the clock hour, the others at odd minutes; the first round comes up
    to an hour after admission, in one stay of twenty before it. Restless hours have a second round a quarter
    or half an hour later, a crisis is watched half-hourly at
    first, and one stay in sixteen has a hole of some hours. A density below 1 lengthens the intervals.
    """
    stays = cohort.stays
    n = len(stays)
    step = np.where(stays.sparse, 4.0, every) / density
    start = np.where(rng.random(n) < 0.05, -rng.uniform(0.1, 1.2, n), rng.uniform(0.02, 0.9, n))
    owner, hours = grid(rng, start, stays.course.los, step)
    on_hour = rng.random(n) < 0.66
    fraction = (stays.intime % 3600) / 3600
    snapped = rounded(hours + fraction[owner]) - fraction[owner]
    loose = hours + rng.uniform(-0.2, 0.2, len(hours))
    regular = np.where(on_hour[owner], snapped, loose)
    unrest = rng.beta(0.6, 2.0, n)
    between = (rng.random(len(hours)) < unrest[owner]) & (regular + 0.6 < stays.course.los[owner])
    extra = regular[between] + rng.choice([0.25, 0.5], int(between.sum()))
    owner, hours = np.concatenate([owner, owner[between]]), np.concatenate([regular, extra])
    crisis = np.where(stays.course.crisis > 0, np.maximum(stays.course.crisis_from, 0.05), np.nan)
    closely = np.minimum(crisis + WATCHED, stays.course.los)
    watched, at = grid(rng, crisis, closely, np.full(n, 0.5), jitter=0.1)
    owner, hours = np.concatenate([owner, watched]), np.concatenate([hours, at])
    hole = np.where(rng.random(n) < 0.06, rng.uniform(3, 50, n), np.inf)[owner]
    seen = (hours < hole) | (hours > hole + rng.uniform(3, 9, n)[owner])
    return owner[seen], hours[seen]


def artefact(
    rng: np.random.Generator, values: FloatArray, wrong: tuple[float, ...], rate: float
) -> FloatArray:
    """Return values with one in 1/rate of them replaced by one of the wrong ones."""
    hit = rng.random(len(values)) < rate
    return np.where(hit, rng.choice(np.array(wrong), len(values)), values)


def _pressures(
    rng: np.random.Generator, cohort: Cohort, support: Support, rounds: Rounds
) -> list[Charted]:
    course = cohort.stays.course
    stay, hours, shock, _ = rounds
    n = len(stay)
    emergency = course.in_crisis("hypertensive emergency", stay, hours)
    collapse = course.in_crisis("circulatory collapse", stay, hours)
    own = rng.normal(0.0, 1.0, (len(cohort.stays), 2))
    treated = np.where(shock > 0.45, 8.0, 0.0)
    mean = 83.5 - 29 * shock + treated + 9 * own[stay, 0] + rng.normal(0, 8, n)
    mean = np.clip((mean + 100 * emergency) * (1 - 0.92 * collapse), 9, 190)
    pulse = np.clip(62 - 16 * shock + 14 * own[stay, 1] + rng.normal(0, 9, n), 14, 110)
    pulse = (pulse + 118 * emergency) * (1 - 0.75 * collapse)
    triple = (mean + pulse * 0.66, mean - pulse * 0.34, mean)
    triple = (triple[0], np.maximum(triple[1], 5.0), triple[2])
    swapped = rng.random(n) < 0.0005
    triple = (
        np.where(swapped, triple[1], triple[0]),
        np.where(swapped, triple[0], triple[1]),
        triple[2],
    )
    line = support.arterial_line[stay]
    other_monitor = dealt(rng, [0.9, 0.1], len(cohort.stays)) == 1
    by_cuff = rng.random(n) < np.where(line, 0.15, 0.95)
    rows = []
    for which, pressure in enumerate(triple):
        cuff = rounded(pressure + rng.normal(0, 3, n))
        cuff = artefact(rng, cuff, (0.0, 400.0, 905.0), 0.0012)
        kept = by_cuff & (rng.random(n) < 0.998)
        rows.append(item_rows(CUFF[which], stay[kept], hours[kept], cuff[kept]))
        wave = artefact(rng, rounded(pressure), (0.0, -15.0, 400.0), 0.002)
        for items, chosen in (
            (ARTERY, line & ~other_monitor[stay]),
            (ARTERY_OTHER_MONITOR, line & other_monitor[stay]),
        ):
            kept = chosen & (rng.random(n) < 0.95)
            rows.append(item_rows(items[which], stay[kept], hours[kept], wave[kept]))
    return rows


def _core_temperature(
    rng: np.random.Generator, cohort: Cohort, support: Support, rounds: Rounds
) -> FloatArray:
    """Return body temperature in °C; half of those resuscitated are cooled to 33 to 36 °C for a day."""
    course = cohort.stays.course
    stay, hours, shock, lungs = rounds
    stays = len(cohort.stays)
    warm = rng.normal(0.30, 0.75, stays)
    celsius = 36.75 + warm[stay] * (shock + lungs) + rng.normal(0, 0.33, len(stay))
    cooled = (course.illness == _ARREST) & (rng.random(stays) < 0.5)
    target = rng.choice([33.0, 33.5, 34.0, 36.0], stays)
    during = cooled[stay] & (hours > 1.5) & (hours < 26) & support.intubated(stay, hours)
    celsius = np.where(during, target[stay] + rng.normal(0, 0.25, len(stay)), celsius)
    celsius = celsius - 10.5 * course.in_crisis("hypothermia", stay, hours)
    return np.clip(celsius + 4.6 * course.in_crisis("heat stroke", stay, hours), 25.5, 42.6)


def _temperature(
    rng: np.random.Generator, cohort: Cohort, support: Support, rounds: Rounds
) -> list[Charted]:
    stay, hours = rounds.stay, rounds.hours
    n = len(stay)
    celsius = _core_temperature(rng, cohort, support, rounds)
    in_celsius = rng.random(len(cohort.stays)) < 0.12
    fahrenheit = artefact(rng, rounded(celsius * 1.8 + 32, 1), (37.1, 9.8, 0.0), 0.003)
    metric = artefact(rng, rounded(celsius, 1), (98.4, 3.7), 0.003)
    chosen = in_celsius[stay] | (rng.random(n) < 0.015)
    site = worded(SITES, dealt(rng, [0.6, 0.15, 0.12, 0.04, 0.05, 0.04], n))
    plain = ~in_celsius[stay]
    return [
        item_rows(FAHRENHEIT, stay[plain], hours[plain], fahrenheit[plain]),
        item_rows(CELSIUS, stay[chosen], hours[chosen], metric[chosen]),
        item_rows(TEMPERATURE_SITE, stay, hours, text=site),
    ]


def _glucose(rng: np.random.Generator, cohort: Cohort, rounds: Rounds) -> list[Charted]:
    course = cohort.stays.course
    stay, hours = rounds.stay, rounds.hours
    n = len(stay)
    diabetic = rng.random(len(cohort.stays)) < 0.35
    low = course.severity(HEPATIC, stay, hours)
    level = log(128.0) + 0.42 * diabetic[stay] - 0.2 * low + rng.normal(0, 0.29, n)
    sugar = exp(level) * (1 - 0.84 * course.in_crisis("hypoglycaemia", stay, hours))
    sugar = sugar + 560 * course.in_crisis("ketoacidosis", stay, hours)
    value = artefact(rng, rounded(sugar), (0.0, 999999.0), 0.002)
    which = dealt(rng, [0.62, 0.3, 0.08], n)
    rows = [
        item_rows(itemid, stay[which == i], hours[which == i], value[which == i])
        for i, itemid in enumerate(GLUCOSES)
    ]
    some = rng.random(n) < 0.3
    potassium = rounded(rng.normal(4.1, 0.5, n), 1)
    return [*rows, item_rows(POTASSIUM_SERUM, stay[some], hours[some], potassium[some])]


def _heart(rng: np.random.Generator, cohort: Cohort, rounds: Rounds) -> FloatArray:
    """Return heart rates per minute before anything is written down."""
    course = cohort.stays.course
    stay, hours, shock, lungs = rounds
    anaemia = course.severity(MARROW, stay, hours)
    own = rng.normal(0.0, 15.0, len(cohort.stays))
    heart = 80 + 26 * shock + 10 * lungs + 8 * anaemia + own[stay] + rng.normal(0, 4.5, len(stay))
    heart = heart + 32 * course.in_crisis("heat stroke", stay, hours)
    heart = heart + 26 * course.in_crisis("circulatory collapse", stay, hours)
    heart = heart - 38 * course.in_crisis("hypothermia", stay, hours)
    block = course.in_crisis("heart block", stay, hours)
    racing = course.in_crisis("tachyarrhythmia", stay, hours)
    heart = heart + block * np.minimum(17 - heart, 0) + racing * np.maximum(195 - heart, 0)
    return np.asarray(np.clip(heart, 16, 215), dtype=np.float64)


def _breaths(rng: np.random.Generator, cohort: Cohort, rounds: Rounds) -> FloatArray:
    """Return breaths per minute before anything is written down."""
    course = cohort.stays.course
    stay, hours, _, lungs = rounds
    brain = course.severity(NEUROLOGIC, stay, hours)
    own = rng.normal(0.0, 3.0, len(cohort.stays))
    breaths = 17.4 + 12 * lungs + own[stay] - 4 * brain + rng.normal(0, 3.4, len(stay))
    breaths = breaths + 40 * course.in_crisis("status asthmaticus", stay, hours)
    breaths = breaths + 19 * course.in_crisis("ketoacidosis", stay, hours)
    poisoned = course.in_crisis("opioid poisoning", stay, hours)
    breaths = breaths + poisoned * np.minimum(2 - breaths, 0)
    return np.asarray(np.clip(breaths, 3, 62), dtype=np.float64)


def vital_signs(
    rng: np.random.Generator, cohort: Cohort, support: Support, density: float = 1.0
) -> list[Charted]:
    """Return heart rate and rhythm, pressures, breathing, saturation, temperature and bedside glucose.

    Args:
        rng: the stream of these items.
        cohort, support: the block.
        density: share of the rounds to chart, above 0 and at most 1.
    """
    course = cohort.stays.course
    stay, hours = charting_hours(rng, cohort, density)
    n = len(stay)
    rounds = Rounds(
        stay,
        hours,
        course.severity(CIRCULATORY, stay, hours),
        course.severity(RESPIRATORY, stay, hours),
    )
    beating = _heart(rng, cohort, rounds)
    heart = artefact(rng, rounded(beating), (0.0, 300.0, -1.0), 0.0008)
    heart = np.where(rng.random(n) < 0.0008, np.nan, heart)
    breaths = artefact(rng, rounded(_breaths(rng, cohort, rounds)), (0.0, 70.0, 186.0), 0.001)
    tube = support.airway_at(stay, hours) == INVASIVE
    saturation = (
        97.6 - 5 * rounds.lungs * np.sqrt(rounds.lungs) + 1.2 * tube + rng.normal(0, 2.0, n)
    )
    saturation = saturation - 22 * course.in_crisis("opioid poisoning", stay, hours)
    saturation = artefact(rng, rounded(np.clip(saturation, 55, 100)), (0.0, 101.0, 981.0), 0.001)
    rows = []
    for itemid, values, share in (
        (HEART_RATE, heart, 0.985),
        (RESPIRATORY_RATE, breaths, 0.96),
        (SPO2, saturation, 0.96),
    ):
        kept = rng.random(n) < share
        rows.append(item_rows(itemid, stay[kept], hours[kept], values[kept]))
    rows += heart_rhythm(rng, cohort, stay, hours, beating)
    rows += _pressures(rng, cohort, support, rounds)
    rows += _temperature(rng, cohort, support, rounds.some(rng.random(n) < 0.29))
    sugar = course.in_crisis("hypoglycaemia", stay, hours)
    sugar = sugar + course.in_crisis("ketoacidosis", stay, hours)
    return rows + _glucose(rng, cohort, rounds.some((rng.random(n) < 0.22) | (sugar > 0.1)))
