# SPDX-License-Identifier: MIT
"""Urine as it is collected and charted, and the drains beside it. Knows no creatinine and no weight item.

Volumes a day are near the quartiles of the open MIMIC-IV demo (1.2, 1.8 and 2.5 L), rows a stay near its counts.
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
    ragged,
    rounded,
    sigmoid,
)
from m4bench.data.synthetic.elementary import exp
from m4bench.data.synthetic.mimic.caregivers import on_duty
from m4bench.data.synthetic.mimic.words import word
from m4bench.data.synthetic.physiology import CIRCULATORY, RENAL
from m4bench.data.synthetic.tables import Columns

FOLEY, VOID, CONDOM, ILEOCONDUIT, SUPRAPUBIC = 226559, 226560, 226561, 226584, 226563
RIGHT_NEPHROSTOMY, LEFT_NEPHROSTOMY, STRAIGHT = 226564, 226565, 226567
RIGHT_STENT, LEFT_STENT = 226557, 226558
IRRIGANT_IN, IRRIGANT_OUT = 227488, 227489
IRRIGANT_AND_URINE, OPERATING_ROOM, RECOVERY_ROOM, CHEST_TUBE = 226566, 226627, 226631, 226588

ROUTES: tuple[tuple[tuple[int, ...], float, float], ...] = (
    ((FOLEY,), 0.70, 1.0),
    ((VOID,), 0.15, 3.6),
    ((VOID, STRAIGHT), 0.03, 5.0),
    ((CONDOM,), 0.04, 3.0),
    ((FOLEY, RIGHT_NEPHROSTOMY), 0.02, 2.0),
    ((RIGHT_NEPHROSTOMY, LEFT_NEPHROSTOMY), 0.015, 2.0),
    ((SUPRAPUBIC,), 0.015, 2.0),
    ((ILEOCONDUIT,), 0.015, 2.0),
    ((FOLEY, RIGHT_STENT, LEFT_STENT), 0.01, 2.0),
    ((FOLEY, IRRIGANT_IN, IRRIGANT_OUT), 0.015, 2.0),
)
"""How urine leaves: the items that share it, how common, and hours between two chartings."""


class Drain(NamedTuple):
    """What else comes out: share of the stays, hours between two rows, usual volume in mL."""

    itemid: int
    share: float
    every: float
    volume: float


DRAINS = (
    Drain(CHEST_TUBE, 0.19, 3.0, 30),
    Drain(243001, 0.05, 4.0, 25),  # a second chest tube
    Drain(243002, 0.17, 4.5, 25),  # residual of tube feeding
    Drain(243003, 0.025, 1.0, 6),  # ventricular drain
    Drain(243004, 0.08, 5.0, 60),  # bulb drain
    Drain(243005, 0.02, 5.0, 30),  # a second bulb drain
    Drain(243006, 0.04, 5.0, 200),  # stoma
    Drain(243007, 0.17, 11.0, 90),  # gastric tube to suction
    Drain(243008, 0.08, 12.0, 250),  # fecal bag
    Drain(243009, 0.03, 8.0, 110),  # pigtail drain
    Drain(243010, 0.10, 30.0, 120),  # vomit
    Drain(243011, 0.10, 30.0, 150),  # stool
    Drain(243012, 0.02, 6.0, 100),  # wound vacuum
)
ONCE = (
    Drain(OPERATING_ROOM, 0.28, 0.0, 450),
    Drain(RECOVERY_ROOM, 0.04, 0.0, 250),
    Drain(243013, 0.15, 0.0, 150),  # blood lost in the operating room
    Drain(243014, 0.13, 0.0, 430),  # before admission
)
"""What is entered once, on admission; `every` means nothing here."""


class _Out(NamedTuple):
    """Rows of output, arrays of one length; hours from ICU admission, volumes in mL."""

    stay: IntArray
    hours: FloatArray
    itemid: IntArray
    volume: FloatArray


def _production(cohort: Cohort, stay: IntArray, hours: FloatArray) -> FloatArray:
    """Return urine production in mL/kg/h: about one in health, nearly none in kidney failure."""
    course = cohort.stays.course
    kidney = course.severity(RENAL, stay, hours)
    shock = course.severity(CIRCULATORY, stay, hours)
    made = 1.42 * (1 - sigmoid(7.5 * (kidney - 0.52))) * exp(-0.5 * shock) + 0.012
    made = made + 9.0 * course.in_crisis("diabetes insipidus", stay, hours)
    return np.asarray(made + 2.0 * course.in_crisis("ketoacidosis", stay, hours), np.float64)


def _collections(
    rng: np.random.Generator, cohort: Cohort, measured: BoolArray, density: float
) -> tuple[IntArray, FloatArray, FloatArray, IntArray]:
    """Return stay, hour, volume and route of each emptying.

    One in fifteen is forgotten (its urine comes with the next), and one stay in eight has a gap of hours.
    """
    stays = cohort.stays
    n = len(stays)
    route = np.zeros(n, np.int64)
    charted = np.flatnonzero(measured & (stays.course.los > 8))
    route[charted] = dealt(rng, [share for _, share, _ in ROUTES], len(charted))
    step = np.array([every for _, _, every in ROUTES])[route] / density
    step = np.where(stays.sparse, step * 4, step) * np.where(rng.random(n) < 0.12, 2.0, 1.0)
    start = rng.gamma(1.5, 1.0, n) + 0.2
    start = np.where(rng.random(n) < 0.04, -rng.uniform(0.1, 1.0, n), start)
    stay, hours = grid(rng, start, stays.course.los, step)
    irregular = (step[stay] > 2.5) | (rng.random(len(stay)) < 0.08)
    moved = np.minimum(step, 4.0)[stay] * rng.uniform(-0.4, 0.4, len(stay))
    hours = hours + np.where(irregular, moved, 0.0)
    gap_from = np.where(rng.random(n) < 0.125, rng.uniform(2, 40, n), np.inf)
    in_gap = (hours > gap_from[stay]) & (hours < gap_from[stay] + 9)
    kept = (rng.random(len(stay)) > 0.065) & ~in_gap
    stay, hours = stay[kept], hours[kept]
    order = np.lexsort((hours, stay))
    stay, hours = stay[order], hours[order]
    gap = np.diff(hours, prepend=hours[:1] - 1.5)
    gap = np.where(np.diff(stay, prepend=-1) != 0, 1.5, np.clip(gap, 0, 12 / density))
    weight = np.minimum(cohort.patients.weight[stays.patient[stay]], 130.0)
    own = exp(rng.normal(-0.05, 0.3, n))
    noise = own[stay] * exp(rng.normal(0, 0.35, len(stay)))
    volume = _production(cohort, stay, hours) * weight * gap * noise
    return stay, hours, volume, route[stay]


def _round_volume(volume: FloatArray) -> FloatArray:
    return np.asarray(np.where(volume < 25, rounded(volume), rounded(volume / 5) * 5))


def _urine(rng: np.random.Generator, cohort: Cohort, measured: BoolArray, density: float) -> _Out:
    """Return urine by route; irrigant goes in and comes out with it, not always at the same minute.

    One volume of irrigant in thirty is entered as nothing, or with its sign turned.
    """
    stay, hours, volume, route = _collections(rng, cohort, measured, density)
    owner, place = ragged(np.array([len(items) for items, _, _ in ROUTES])[route])
    table = np.array([(*items, -1, -1)[:3] for items, _, _ in ROUTES])
    itemid = table[route[owner], place]
    shares = rng.uniform(0.2, 1.0, len(owner))
    total = np.zeros(len(stay))
    np.add.at(total, owner, shares)
    portion = volume[owner] * shares / total[owner]
    irrigated = route[owner] == len(ROUTES) - 1
    irrigant = rounded(rng.uniform(100, 3000, len(stay)) / 50) * 50
    portion = np.where(irrigated, volume[owner], portion)
    portion = np.where(itemid == IRRIGANT_IN, irrigant[owner], portion)
    portion = np.where(itemid == IRRIGANT_OUT, irrigant[owner] + volume[owner] * 0.1, portion)
    odd = np.where(itemid == IRRIGANT_IN, dealt(rng, [0.965, 0.02, 0.015], len(owner)), 0)
    portion = np.choose(odd, [_round_volume(portion), np.zeros(len(owner)), -portion])
    late = (itemid == IRRIGANT_OUT) & (rng.random(len(owner)) < 0.2)
    when = hours[owner] + np.where(late, 0.5, 0.0)
    kept = (itemid != STRAIGHT) | (rng.random(len(owner)) < 0.5)
    return _Out(stay[owner][kept], when[kept], itemid[kept], portion[kept])


def _drained(rng: np.random.Generator, cohort: Cohort, density: float) -> list[_Out]:
    """Return what no urine concept counts: drains, stomach, bowel, and volumes from before admission."""
    los = cohort.stays.course.los
    n = len(los)
    parts = []
    for each in ONCE:
        stay = np.flatnonzero(rng.random(n) < each.share)
        volume = rounded(each.volume * rng.gamma(2, 0.5, len(stay)))
        hours = rng.uniform(0.1, 1.5, len(stay))
        parts.append(_Out(stay, hours, np.full(len(stay), each.itemid), volume))
    for each in DRAINS:
        start = np.where(rng.random(n) < each.share, rng.uniform(0.3, 1.0, n) * each.every, np.nan)
        stay, hours = grid(rng, start, los, np.full(n, each.every / density), jitter=0.2)
        volume = _round_volume(each.volume * rng.gamma(1.5, 0.67, len(stay)))
        parts.append(_Out(stay, hours, np.full(len(stay), each.itemid), volume))
    return parts


def output_columns(rng: np.random.Generator, cohort: Cohort, density: float = 1.0) -> Columns:
    """Return the columns of outputevents of a block, in order of patient and time.

    Several routes share a time; one volume in two hundred is missing, one in five thousand has a digit too
    many, one in five hundred is entered twice. In three stays of a hundred nothing is measured.

    Args:
        rng: the stream of this table.
        cohort: the block.
        density: share of the rows to chart, above 0 and at most 1; volumes collect until the next row.
    """
    stays = cohort.stays
    measured = ~stays.silent & (dealt(rng, [0.03, 0.97], len(stays)) == 1)
    urine = _urine(rng, cohort, measured, density)
    washed = np.flatnonzero(urine.itemid == IRRIGANT_OUT)[::3]
    mixed = _Out._make(column[washed] for column in urine)
    mixed = mixed._replace(itemid=np.full(len(washed), IRRIGANT_AND_URINE))
    twice = np.flatnonzero(rng.random(len(urine.stay)) < 0.002)
    again = _Out._make(column[twice] for column in urine)
    parts = [urine, mixed, again, *_drained(rng, cohort, density)]
    out = _Out(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    oddity = dealt(rng, [0.9948, 0.005, 0.0002], len(out.stay))
    volume = np.choose(oddity, [out.volume, np.full(len(out.stay), np.nan), out.volume * 10])
    time = stays.at(out.stay, out.hours) // 60 * 60
    kept = np.flatnonzero(measured[out.stay] & cohort.alive(out.stay, time))
    order = kept[np.lexsort((out.itemid[kept], out.hours[kept], out.stay[kept]))]
    stay, time = out.stay[order], time[order]
    n = len(order)
    return {
        "subject_id": cohort.patients.subject_id[stays.patient[stay]],
        "hadm_id": cohort.admissions.hadm_id[stays.admission[stay]],
        "stay_id": stays.stay_id[stay],
        "caregiver_id": on_duty(stays.stay_id[stay], time),
        "charttime": time,
        "storetime": time + (rng.gamma(1.3, 25, n) * 60).astype(np.int64),
        "itemid": out.itemid[order],
        "value": volume[order],
        "valueuom": word("mL", n),
    }
