# SPDX-License-Identifier: MIT
"""Vital signs, bedside glucose, weight and height as nurses chart them. Knows no laboratory and no ventilator.

Ranges are textbook ones; artefacts (zero, overscale, a Celsius value under the Fahrenheit item) come at the
rates of ordinary charts.
"""

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import FloatArray, IntArray, dealt, grid, rounded, texts
from m4bench.data.synthetic.mimic.charting import Charted, item_rows
from m4bench.data.synthetic.physiology import (
    CIRCULATORY,
    HEPATIC,
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
ADMISSION_WEIGHT, ADMISSION_WEIGHT_POUNDS, DAILY_WEIGHT = 226512, 226531, 224639
HEIGHT_CM, HEIGHT_INCH = 226730, 226707


def charting_hours(
    rng: np.random.Generator, cohort: Cohort, every: float = 1.0
) -> tuple[IntArray, FloatArray]:
    """Return stay and hour of the rounds of a block: hourly, four-hourly in sparse stays.

    Two stays in three are charted on the clock hour, the others at odd minutes; the first round comes up
    to an hour after admission, in one stay of twenty before it.
    """
    stays = cohort.stays
    n = len(stays)
    step = np.where(stays.sparse, 4.0, every)
    start = np.where(rng.random(n) < 0.05, -rng.uniform(0.1, 1.2, n), rng.uniform(0.02, 0.9, n))
    owner, hours = grid(rng, start, stays.course.los, step)
    on_hour = rng.random(n) < 0.66
    fraction = (stays.intime % 3600) / 3600
    snapped = rounded(hours + fraction[owner]) - fraction[owner]
    loose = hours + rng.uniform(-0.2, 0.2, len(hours))
    return owner, np.where(on_hour[owner], snapped, loose)


def _artefact(
    rng: np.random.Generator, values: FloatArray, wrong: tuple[float, ...], rate: float
) -> FloatArray:
    hit = rng.random(len(values)) < rate
    return np.where(hit, rng.choice(np.array(wrong), len(values)), values)


def _pressures(
    rng: np.random.Generator, cohort: Cohort, support: Support, stay: IntArray, hours: FloatArray
) -> list[Charted]:
    course = cohort.stays.course
    shock = course.severity(CIRCULATORY, stay, hours)
    own = rng.normal(0.0, 7.0, len(cohort.stays))
    treated = np.where(shock > 0.45, 9.0, 0.0)
    mean = 87 - 36 * shock + treated + own[stay] + rng.normal(0, 4.5, len(stay))
    mean = np.clip(mean, 31, 160)
    pulse = np.clip(46 - 16 * shock + rng.normal(0, 5, len(stay)), 14, 95)
    triple = (mean + pulse * 0.66, mean - pulse * 0.34, mean)
    line = support.arterial_line[stay]
    other_monitor = dealt(rng, [0.9, 0.1], len(cohort.stays)) == 1
    rows = []
    for which, pressure in enumerate(triple):
        cuff = rounded(pressure + rng.normal(0, 3, len(stay)))
        cuff = _artefact(rng, cuff, (0.0, 400.0, 905.0), 0.0012)
        by_cuff = rng.random(len(stay)) < np.where(line, 0.12, 0.93)
        rows.append(item_rows(CUFF[which], stay[by_cuff], hours[by_cuff], cuff[by_cuff]))
        wave = _artefact(rng, rounded(pressure), (0.0, -15.0, 400.0), 0.002)
        for items, chosen in (
            (ARTERY, line & ~other_monitor[stay]),
            (ARTERY_OTHER_MONITOR, line & other_monitor[stay]),
        ):
            kept = chosen & (rng.random(len(stay)) < 0.95)
            rows.append(item_rows(items[which], stay[kept], hours[kept], wave[kept]))
    return rows


def _temperature(
    rng: np.random.Generator, cohort: Cohort, stay: IntArray, hours: FloatArray
) -> list[Charted]:
    course = cohort.stays.course
    n = len(stay)
    sick = course.severity(CIRCULATORY, stay, hours) + course.severity(RESPIRATORY, stay, hours)
    warm = rng.normal(0.45, 0.6, len(cohort.stays))
    celsius = 36.75 + warm[stay] * sick + rng.normal(0, 0.3, n)
    in_celsius = rng.random(len(cohort.stays)) < 0.14
    fahrenheit = _artefact(rng, rounded(celsius * 1.8 + 32, 1), (37.1, 9.8, 0.0), 0.003)
    metric = _artefact(rng, rounded(celsius, 1), (98.4, 3.7), 0.003)
    chosen = in_celsius[stay] | (rng.random(n) < 0.015)
    site = texts(SITES, dealt(rng, [0.6, 0.15, 0.12, 0.04, 0.05, 0.04], n))
    return [
        item_rows(
            FAHRENHEIT,
            stay[~in_celsius[stay]],
            hours[~in_celsius[stay]],
            fahrenheit[~in_celsius[stay]],
        ),
        item_rows(CELSIUS, stay[chosen], hours[chosen], metric[chosen]),
        item_rows(TEMPERATURE_SITE, stay, hours, text=site),
    ]


def _glucose(
    rng: np.random.Generator, cohort: Cohort, stay: IntArray, hours: FloatArray
) -> list[Charted]:
    n = len(stay)
    diabetic = rng.random(len(cohort.stays)) < 0.3
    low = cohort.stays.course.severity(HEPATIC, stay, hours)
    level = np.log(118) + 0.38 * diabetic[stay] - 0.3 * low + rng.normal(0, 0.2, n)
    value = _artefact(rng, rounded(np.exp(level)), (0.0, 999999.0), 0.002)
    which = dealt(rng, [0.7, 0.22, 0.08], n)
    rows = [
        item_rows(itemid, stay[which == i], hours[which == i], value[which == i])
        for i, itemid in enumerate(GLUCOSES)
    ]
    some = rng.random(n) < 0.3
    potassium = rounded(rng.normal(4.1, 0.5, n), 1)
    return [*rows, item_rows(POTASSIUM_SERUM, stay[some], hours[some], potassium[some])]


def vital_signs(rng: np.random.Generator, cohort: Cohort, support: Support) -> list[Charted]:
    """Return heart rate, pressures, breathing, saturation, temperature and bedside glucose of a block."""
    course = cohort.stays.course
    stay, hours = charting_hours(rng, cohort)
    n = len(stay)
    shock = course.severity(CIRCULATORY, stay, hours)
    lungs = course.severity(RESPIRATORY, stay, hours)
    anaemia = course.severity(MARROW, stay, hours)
    brain = course.severity(NEUROLOGIC, stay, hours)
    own = rng.normal(0.0, 1.0, (len(cohort.stays), 2))
    heart = 76 + 38 * shock + 9 * lungs + 9 * anaemia + 9 * own[stay, 0] + rng.normal(0, 4, n)
    heart = _artefact(rng, rounded(np.clip(heart, 28, 190)), (0.0, 300.0, -1.0), 0.0008)
    heart = np.where(rng.random(n) < 0.0008, np.nan, heart)
    breaths = 16 + 15 * lungs + 2.5 * own[stay, 1] - 4 * brain + rng.normal(0, 2, n)
    breaths = _artefact(rng, rounded(np.clip(breaths, 4, 58)), (0.0, 70.0, 186.0), 0.001)
    tube = support.airway_at(stay, hours) == INVASIVE
    saturation = 98.2 - 6 * lungs**1.5 + 1.2 * tube + rng.normal(0, 1.1, n)
    saturation = _artefact(rng, rounded(np.clip(saturation, 60, 100)), (0.0, 101.0, 981.0), 0.001)
    rows = []
    for itemid, values, share in (
        (HEART_RATE, heart, 0.985),
        (RESPIRATORY_RATE, breaths, 0.96),
        (SPO2, saturation, 0.96),
    ):
        kept = rng.random(n) < share
        rows.append(item_rows(itemid, stay[kept], hours[kept], values[kept]))
    rows += _pressures(rng, cohort, support, stay, hours)
    seldom = rng.random(n) < 0.24
    rows += _temperature(rng, cohort, stay[seldom], hours[seldom])
    seldom = rng.random(n) < 0.14
    return rows + _glucose(rng, cohort, stay[seldom], hours[seldom])


def body_size(rng: np.random.Generator, cohort: Cohort) -> list[Charted]:
    """Return weights and heights of a block.

    Seven stays in ten have an admission weight, some of them a second one or one charted late; half are
    weighed daily; about one in sixteen never is. A few weights are typing slips (0, or grams for kilograms).
    """
    stays = cohort.stays
    n = len(stays)
    real = cohort.patients.weight[stays.patient] + rng.normal(0, 1.5, n)
    never = dealt(rng, [0.94, 0.06], n) == 1
    on_admission = ~never & (rng.random(n) < 0.74)
    who = np.flatnonzero(on_admission)
    late = np.where(
        rng.random(len(who)) < 0.08, rng.uniform(12, 60, len(who)), rng.gamma(1.5, 1.5, len(who))
    )
    late = np.minimum(late, stays.course.los[who])
    slip = dealt(rng, [0.98, 0.01, 0.01], len(who))
    weight = np.choose(slip, [rounded(real[who], 1), 0.0 * real[who], rounded(real[who] * 10)])
    rows = [item_rows(ADMISSION_WEIGHT, who, late, weight)]
    second = rng.random(len(who)) < 0.06
    rows.append(
        item_rows(
            ADMISSION_WEIGHT,
            who[second],
            late[second] + rng.gamma(1.0, 8.0, int(second.sum())),
            rounded(real[who][second] + 1.5, 1),
        )
    )
    pounds = who[rng.random(len(who)) < 0.5]
    rows.append(
        item_rows(
            ADMISSION_WEIGHT_POUNDS,
            pounds,
            np.full(len(pounds), 1.0),
            rounded(real[pounds] * 2.2046, 1),
        )
    )
    daily = ~never & ((rng.random(n) < 0.45) | ~on_admission)
    start = np.where(daily, (30.0 - stays.intime % 86_400 / 3600) % 24.0, np.nan)
    day, hours = grid(rng, start, stays.course.los, np.full(n, 24.0), jitter=0.06)
    kept = rng.random(len(day)) < 0.85
    day, hours = day[kept], hours[kept]
    gain = np.cumsum(rng.normal(0.1, 0.7, len(day)))
    gain -= gain[np.searchsorted(day, day)]
    measured = _artefact(rng, rounded(real[day] + 2 + gain, 1), (0.0, 1685.0), 0.004)
    rows.append(item_rows(DAILY_WEIGHT, day, hours, measured))
    rows += _heights(rng, cohort)
    return rows


def _heights(rng: np.random.Generator, cohort: Cohort) -> list[Charted]:
    stays = cohort.stays
    n = len(stays)
    height = cohort.patients.height[stays.patient]
    metric = np.flatnonzero(rng.random(n) < 0.55)
    both = metric[rng.random(len(metric)) < 0.7]
    hours = np.minimum(rng.gamma(1.2, 3.0, n), stays.course.los)
    wrong = _artefact(rng, height, (17.0, 5.8), 0.006)
    return [
        item_rows(HEIGHT_CM, metric, hours[metric], wrong[metric]),
        item_rows(HEIGHT_INCH, both, hours[both], rounded(height[both] / 2.54)),
    ]
