# SPDX-License-Identifier: MIT
"""Urine as it is collected and charted, and the drains beside it. Knows no creatinine and no weight item."""

from typing import Any

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import (
    FloatArray,
    IntArray,
    constant,
    dealt,
    grid,
    ragged,
    rounded,
    sigmoid,
)
from m4bench.data.synthetic.physiology import CIRCULATORY, RENAL

FOLEY, VOID, CONDOM, ILEOCONDUIT, SUPRAPUBIC = 226559, 226560, 226561, 226584, 226563
RIGHT_NEPHROSTOMY, LEFT_NEPHROSTOMY, STRAIGHT = 226564, 226565, 226567
RIGHT_STENT, LEFT_STENT = 226557, 226558
IRRIGANT_IN, IRRIGANT_OUT = 227488, 227489
IRRIGANT_AND_URINE, OPERATING_ROOM, RECOVERY_ROOM, CHEST_TUBE = 226566, 226627, 226631, 226588

ROUTES: tuple[tuple[tuple[int, ...], float, float], ...] = (
    ((FOLEY,), 0.66, 1.0),
    ((VOID,), 0.16, 4.0),
    ((VOID, STRAIGHT), 0.03, 5.0),
    ((CONDOM,), 0.04, 3.0),
    ((FOLEY, RIGHT_NEPHROSTOMY), 0.02, 2.0),
    ((RIGHT_NEPHROSTOMY, LEFT_NEPHROSTOMY), 0.015, 2.0),
    ((SUPRAPUBIC,), 0.015, 2.0),
    ((ILEOCONDUIT,), 0.015, 2.0),
    ((FOLEY, RIGHT_STENT, LEFT_STENT), 0.01, 2.0),
    ((FOLEY, IRRIGANT_IN, IRRIGANT_OUT), 0.025, 2.0),
)
"""How urine leaves: the items that share it, how common, and hours between two chartings."""


def _production(cohort: Cohort, stay: IntArray, hours: FloatArray) -> FloatArray:
    """Return urine production in mL/kg/h: about one in health, nearly none in kidney failure."""
    course = cohort.stays.course
    kidney = course.severity(RENAL, stay, hours)
    shock = course.severity(CIRCULATORY, stay, hours)
    made = 1.42 * (1 - sigmoid(7.5 * (kidney - 0.52))) * np.exp(-0.5 * shock) + 0.012
    made = made + 9.0 * course.in_crisis("diabetes insipidus", stay, hours)
    return np.asarray(made + 2.0 * course.in_crisis("ketoacidosis", stay, hours), np.float64)


def _collections(
    rng: np.random.Generator, cohort: Cohort
) -> tuple[IntArray, FloatArray, FloatArray, IntArray]:
    """Return stay, hour, volume and route of each emptying.

    One in fifteen is forgotten (its urine comes with the next), and one stay in eight has a gap of hours.
    """
    stays = cohort.stays
    n = len(stays)
    route = dealt(rng, [share for _, share, _ in ROUTES], n)
    step = np.array([every for _, _, every in ROUTES])[route]
    step = np.where(stays.sparse, step * 4, step) * np.where(rng.random(n) < 0.2, 2.0, 1.0)
    start = rng.gamma(1.5, 1.0, n) + 0.2
    start = np.where(rng.random(n) < 0.04, -rng.uniform(0.1, 1.0, n), start)
    start = np.where(rng.random(n) < 0.03, np.nan, start)
    stay, hours = grid(rng, start, stays.course.los, step)
    irregular = (step[stay] > 2.5) | (rng.random(len(stay)) < 0.08)
    hours = hours + np.where(irregular, rng.uniform(-0.4, 0.4, len(stay)) * step[stay], 0.0)
    gap_from = np.where(rng.random(n) < 0.125, rng.uniform(2, 40, n), np.inf)
    in_gap = (hours > gap_from[stay]) & (hours < gap_from[stay] + 9)
    kept = (rng.random(len(stay)) > 0.065) & ~in_gap
    stay, hours = stay[kept], hours[kept]
    order = np.lexsort((hours, stay))
    stay, hours = stay[order], hours[order]
    gap = np.diff(hours, prepend=hours[:1] - 1.5)
    gap = np.where(np.diff(stay, prepend=-1) != 0, 1.5, gap)
    weight = np.minimum(cohort.patients.weight[stays.patient[stay]], 130.0)
    own = np.exp(rng.normal(-0.05, 0.3, n))
    noise = own[stay] * np.exp(rng.normal(0, 0.35, len(stay)))
    volume = _production(cohort, stay, hours) * weight * np.clip(gap, 0, 12) * noise
    return stay, hours, volume, route[stay]


def _round_volume(volume: FloatArray) -> FloatArray:
    return np.asarray(np.where(volume < 25, rounded(volume), rounded(volume / 5) * 5))


def output_columns(rng: np.random.Generator, cohort: Cohort) -> dict[str, Any]:
    """Return the columns of outputevents of a block.

    Several routes share a time; irrigant goes in and comes out with the urine, not always at the same
    minute; one volume in two hundred is missing and one in five thousand has a digit too many.
    """
    stays = cohort.stays
    stay, hours, volume, route = _collections(rng, cohort)
    width = np.array([len(items) for items, _, _ in ROUTES])
    owner, place = ragged(width[route])
    table = np.array([(*items, -1, -1)[:3] for items, _, _ in ROUTES])
    itemid = table[route[owner], place]
    shares = rng.uniform(0.2, 1.0, len(owner))
    total = np.zeros(len(stay))
    np.add.at(total, owner, shares)
    portion = volume[owner] * shares / total[owner]
    irrigated = route[owner] == len(ROUTES) - 1
    irrigant = rounded(rng.uniform(100, 900, len(stay)) / 50) * 50
    portion = np.where(irrigated, volume[owner], portion)
    portion = np.where(itemid == IRRIGANT_IN, irrigant[owner], portion)
    portion = np.where(itemid == IRRIGANT_OUT, irrigant[owner] + volume[owner] * 0.1, portion)
    late = (itemid == IRRIGANT_OUT) & (rng.random(len(owner)) < 0.2)
    when = hours[owner] + np.where(late, 0.5, 0.0)
    kept = (itemid != STRAIGHT) | (rng.random(len(owner)) < 0.5)
    stay, when, itemid, portion = stay[owner][kept], when[kept], itemid[kept], portion[kept]
    stay, when, itemid, portion = _beside(rng, cohort, stay, when, itemid, _round_volume(portion))
    oddity = dealt(rng, [0.9948, 0.005, 0.0002], len(stay))
    portion = np.choose(oddity, [portion, np.full(len(stay), np.nan), portion * 10])
    kept = ~stays.silent[stay]
    order = np.lexsort((itemid[kept], when[kept], stay[kept]))
    stay, when = stay[kept][order], when[kept][order]
    itemid, portion = itemid[kept][order], portion[kept][order]
    time = stays.at(stay, when) // 60 * 60
    n = len(stay)
    return {
        "subject_id": cohort.patients.subject_id[stays.patient[stay]],
        "hadm_id": cohort.admissions.hadm_id[stays.admission[stay]],
        "stay_id": stays.stay_id[stay],
        "caregiver_id": 1000 + (stay * 7919 + time // (12 * 3600)) % 9000,
        "charttime": time,
        "storetime": time + (rng.gamma(1.3, 12, n) * 60).astype(np.int64),
        "itemid": itemid,
        "value": portion,
        "valueuom": constant("mL", n),
    }


def _beside(
    rng: np.random.Generator,
    cohort: Cohort,
    stay: IntArray,
    hours: FloatArray,
    itemid: IntArray,
    volume: FloatArray,
) -> tuple[IntArray, FloatArray, IntArray, FloatArray]:
    """Return the rows with what no urine concept counts added, and with a few rows charted twice."""
    n = len(cohort.stays)
    parts = [(stay, hours, itemid, volume)]
    for other, chance, typical in ((OPERATING_ROOM, 0.08, 300), (RECOVERY_ROOM, 0.03, 150)):
        who = np.flatnonzero(rng.random(n) < chance)
        parts.append(
            (
                who,
                rng.uniform(0.1, 1.5, len(who)),
                np.full(len(who), other),
                rounded(typical * rng.gamma(2, 0.5, len(who))),
            )
        )
    drained = np.where(rng.random(n) < 0.06, 0.5, np.nan)
    who, when = grid(rng, drained, cohort.stays.course.los, np.full(n, 4.0))
    parts.append((who, when, np.full(len(who), CHEST_TUBE), rounded(rng.gamma(1.5, 30, len(who)))))
    washed = itemid == IRRIGANT_OUT
    parts.append(
        (
            stay[washed][::3],
            hours[washed][::3],
            np.full(len(stay[washed][::3]), IRRIGANT_AND_URINE),
            volume[washed][::3],
        )
    )
    twice = rng.random(len(stay)) < 0.002
    parts.append((stay[twice], hours[twice], itemid[twice], volume[twice]))
    first, second, third, fourth = (np.concatenate([p[i] for p in parts]) for i in range(4))
    return first, second, third.astype(np.int64), fourth
