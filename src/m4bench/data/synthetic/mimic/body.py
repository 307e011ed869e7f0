# SPDX-License-Identifier: MIT
"""Weight and height as charted: on admission, daily, in two units each, with their typing slips. Knows no organ."""

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import DAY, HOUR, FloatArray, IntArray, dealt, grid, rounded
from m4bench.data.synthetic.mimic.charting import Charted, item_rows
from m4bench.data.synthetic.mimic.vitals import artefact

ADMISSION_WEIGHT, ADMISSION_WEIGHT_POUNDS, DAILY_WEIGHT = 226512, 226531, 224639
FEEDING_WEIGHT = 226846
HEIGHT_CM, HEIGHT_INCH = 226730, 226707
POUNDS, INCH = 2.2046, 2.54


def _admission_weights(
    rng: np.random.Generator, cohort: Cohort, who: IntArray, real: FloatArray
) -> list[Charted]:
    """Return admission weights of the given stays: in kilograms, half also in pounds, some a second time."""
    course = cohort.stays.course
    n = len(who)
    late = np.where(rng.random(n) < 0.08, rng.uniform(12, 60, n), rng.gamma(1.5, 1.5, n))
    late = np.minimum(late, course.los[who])
    slip = dealt(rng, [0.978, 0.01, 0.008, 0.004], n)
    kilograms = real[who]
    weight = np.choose(
        slip,
        [
            rounded(kilograms, 1),
            0.0 * kilograms,
            rounded(kilograms * 10),
            rounded(kilograms * POUNDS, 1),
        ],
    )
    second = rng.random(n) < 0.06
    again = who[second]
    pounds = rng.random(n) < 0.6
    return [
        item_rows(ADMISSION_WEIGHT, who, late, weight),
        item_rows(
            ADMISSION_WEIGHT,
            again,
            late[second] + rng.gamma(1.0, 8.0, len(again)),
            rounded(real[again] + 1.5, 1),
        ),
        item_rows(
            ADMISSION_WEIGHT_POUNDS,
            who[pounds],
            late[pounds],
            rounded(kilograms[pounds] * POUNDS, 1),
        ),
    ]


def body_size(rng: np.random.Generator, cohort: Cohort, density: float = 1.0) -> list[Charted]:
    """Return weights and heights of a block.

    Three stays in four have an admission weight, some of them a second one or one charted late; half are
    weighed daily, a few once more after they have left; about one in sixteen never is. A few weights are
    slips: 0, ten times too much, pounds under kilograms.

    Args:
        rng: the stream of these items.
        cohort: the block.
        density: share of the daily weights to chart, above 0 and at most 1.
    """
    stays = cohort.stays
    n = len(stays)
    los = stays.course.los
    real = cohort.patients.weight[stays.patient] + rng.normal(0, 1.5, n)
    never = dealt(rng, [0.94, 0.06], n) == 1
    on_admission = ~never & (rng.random(n) < 0.78)
    rows = _admission_weights(rng, cohort, np.flatnonzero(on_admission), real)
    daily = ~never & ((rng.random(n) < 0.55) | ~on_admission)
    start = np.where(daily, (30.0 - stays.intime % DAY / HOUR) % 24.0, np.nan)
    day, hours = grid(rng, start, los, np.full(n, 24.0 / density), jitter=0.06)
    kept = rng.random(len(day)) < 0.85
    day, hours = day[kept], hours[kept]
    gain = np.cumsum(rng.normal(0.1, 0.7, len(day)))
    gain -= gain[np.searchsorted(day, day)]
    weight = np.maximum(real[day] + 2 + gain, 25.0)
    measured = artefact(rng, rounded(weight, 1), (0.0, 1685.0), 0.004)
    rows.append(item_rows(DAILY_WEIGHT, day, hours, measured))
    left = np.flatnonzero(daily & (rng.random(n) < 0.03))
    after = los[left] + rng.uniform(0.5, 20, len(left))
    rows.append(item_rows(DAILY_WEIGHT, left, after, rounded(real[left] + 1, 1)))
    fed = np.flatnonzero(~never & (los > 60) & (rng.random(n) < 0.3))
    when = rng.uniform(20, 50, len(fed))
    rows.append(item_rows(FEEDING_WEIGHT, fed, when, rounded(real[fed])))
    return rows + _heights(rng, cohort)


def _heights(rng: np.random.Generator, cohort: Cohort) -> list[Charted]:
    """Return heights: half of the stays have one, most in both units, a tenth in inches only."""
    stays = cohort.stays
    n = len(stays)
    height = cohort.patients.height[stays.patient]
    metric = rng.random(n) < 0.52
    inches = np.where(metric, rng.random(n) < 0.85, rng.random(n) < 0.08)
    hours = np.where(rng.random(n) < 0.93, rng.gamma(1.2, 3.0, n), rng.uniform(20, 60, n))
    hours = np.minimum(hours, stays.course.los)
    apart = np.where(rng.random(n) < 0.04, rng.uniform(0.1, 4, n), 0.0)
    centimetres = artefact(rng, height, (17.0, 5.8, 68.0), 0.012)
    exact = np.where(rng.random(n) < 0.3, rounded(height + rng.uniform(-0.4, 0.4, n), 2), 0.0)
    centimetres = np.where((centimetres == height) & (exact > 0), exact, centimetres)
    typed = artefact(rng, rounded(height / INCH), (5.7, 168.0), 0.012)
    who, also = np.flatnonzero(metric), np.flatnonzero(inches)
    again = who[rng.random(len(who)) < 0.05]
    blank = np.where(rng.random(len(who)) < 0.01, np.nan, centimetres[who])
    return [
        item_rows(HEIGHT_CM, who, hours[who], blank),
        item_rows(HEIGHT_INCH, also, (hours + apart)[also], typed[also]),
        item_rows(HEIGHT_CM, again, hours[again], rounded(height[again] + 1)),
    ]
