# SPDX-License-Identifier: MIT
"""All that is given to patients, written as inputevents, and what it is made of, as ingredientevents.

It knows how orders are documented; what is given, to whom and when is known elsewhere.
"""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import FloatArray, IntArray, TextArray, dealt, rounded
from m4bench.data.synthetic.mimic.caregivers import on_duty
from m4bench.data.synthetic.mimic.given import (
    BEFORE,
    BLOOD,
    COLLOID,
    DRIP,
    ENTERAL,
    FLUID_BOLUS,
    HEADINGS,
    ORAL,
    PARENTERAL,
    Given,
    gathered,
)
from m4bench.data.synthetic.mimic.infusions import PROPOFOL, drips
from m4bench.data.synthetic.mimic.intake import DEXTROSE, intake, solutions
from m4bench.data.synthetic.mimic.words import worded
from m4bench.data.synthetic.support import Support
from m4bench.data.synthetic.tables import Columns

FINISHED, CHANGED, STOPPED, PAUSED, BOLUS, REWRITTEN = range(6)
STATUSES = ("FinishedRunning", "ChangeDose/Rate", "Stopped", "Paused", "Bolus", "Rewritten")

WATER_PART, FLUID_PART, ORAL_PART, ENTERAL_PART, BLOOD_PART, PARENTERAL_PART, BEFORE_PART = (
    246001, 246002, 246003, 246004, 246005, 246006, 246007,
)  # fmt: skip
CALORIES, PROTEIN, CALCIUM, CARBOHYDRATE = 246010, 246011, 246012, 246013
CALCIUM_SALTS = (241111, 227525)
VOLUME_PARTS = {ORAL: ORAL_PART, ENTERAL: ENTERAL_PART, BLOOD: BLOOD_PART, COLLOID: BLOOD_PART}
VOLUME_PARTS |= {PARENTERAL: PARENTERAL_PART, BEFORE: BEFORE_PART}


class Orders(NamedTuple):
    """The orders of a block: what was given, in order of stay and time, with numbers and fate of each row."""

    given: Given
    begin: IntArray
    end: IntArray
    order: IntArray
    link: IntArray
    status: IntArray
    stored: IntArray


def _rewritten(rng: np.random.Generator, given: Given) -> tuple[Given, IntArray]:
    """Return the rows with one running drip in eighty entered twice: as first written, and as it was given."""
    again = np.flatnonzero(
        (given.kind == DRIP) & ~np.isnan(given.rate) & (rng.random(len(given.stay)) < 0.012)
    )
    first = given.taken(again)
    first = first._replace(rate=rounded(first.rate * 1.5, 4), amount=rounded(first.amount * 1.5, 4))
    both = Given(*(np.concatenate(pair) for pair in zip(given, first, strict=True)))
    return both, np.concatenate([np.zeros(len(given.stay), int), np.ones(len(again), int)])


def orders_given(
    rng: np.random.Generator, cohort: Cohort, support: Support, first: int, density: float = 1.0
) -> Orders:
    """Return all orders of a block.

    The rows of one order (a drug and its solution, the segments of an infusion) share the number of the first.

    Args:
        rng: the stream of the orders.
        cohort, support: the block.
        first: the first order number.
        density: share of the rows to draw, above 0 and at most 1.
    """
    given = gathered([*drips(rng, cohort, support, density), *intake(rng, cohort, density)])
    given = Given(
        *(np.concatenate(column) for column in zip(given, *solutions(rng, given), strict=True))
    )
    given, rewritten = _rewritten(rng, given)
    stays = cohort.stays
    kept = np.flatnonzero(~stays.silent[given.stay] & (given.end > given.begin))
    kept = kept[
        np.lexsort((rewritten[kept], given.itemid[kept], given.begin[kept], given.stay[kept]))
    ]
    given, rewritten = given.taken(kept), rewritten[kept]
    n = len(given.stay)
    begin = stays.at(given.stay, given.begin) // 60 * 60
    end = np.maximum(stays.at(given.stay, given.end) // 60 * 60, begin + 60)
    order = first + np.arange(n)
    _, opening, member = np.unique(given.run, return_index=True, return_inverse=True)
    _, closing = np.unique(given.run[::-1], return_index=True)
    last = np.arange(n) == (n - 1 - closing)[member]
    status = np.where(
        last, dealt(rng, [0.85, 0.0, 0.15], n), dealt(rng, [0.13, 0.80, 0.0, 0.07], n)
    )
    status = np.where(np.isnan(given.rate), dealt(rng, [0.998, 0, 0, 0, 0.002], n), status)
    status = np.where(rewritten == 1, REWRITTEN, status)
    stored = end + np.rint(rng.gamma(1.2, 50, n) - 6).astype(np.int64) * 60
    return Orders(given, begin, end, order, order[opening][member], status, stored)


def _units(units: TextArray) -> pa.Array:
    """Return texts that repeat themselves as an Arrow array."""
    known = sorted({unit for unit in units if unit is not None})
    code = {unit: place for place, unit in enumerate(known)} | {None: len(known)}
    return worded((*known, None), np.array([code[unit] for unit in units], np.int64))


def _shared(cohort: Cohort, orders: Orders, rows: IntArray) -> Columns:
    """Return the columns that both tables have, for the given rows of the orders."""
    stays, stay = cohort.stays, orders.given.stay[rows]
    return {
        "subject_id": cohort.patients.subject_id[stays.patient[stay]],
        "hadm_id": cohort.admissions.hadm_id[stays.admission[stay]],
        "stay_id": stays.stay_id[stay],
        "caregiver_id": on_duty(stays.stay_id[stay], orders.begin[rows]),
        "starttime": orders.begin[rows],
        "endtime": orders.end[rows],
        "storetime": orders.stored[rows],
        "orderid": orders.order[rows],
        "linkorderid": orders.link[rows],
        "statusdescription": worded(STATUSES, orders.status[rows]),
    }


def input_columns(rng: np.random.Generator, cohort: Cohort, orders: Orders) -> Columns:
    """Return the columns of inputevents; what is given at once has no rate."""
    given = orders.given
    n = len(given.stay)
    bag = rng.choice([50.0, 100.0, 250.0, 500.0, 1000.0], n, p=[0.3, 0.25, 0.35, 0.05, 0.05])
    volume = given.mass == "ml"
    total = np.where(volume & np.isnan(given.rate), given.amount, bag)
    unbagged = np.isnan(given.rate) & ~volume & (rng.random(n) < 0.7)
    unit_of_rate = given.unit.copy()
    unit_of_rate[np.isnan(given.rate)] = None
    heading = {
        name: worded([getattr(each, field) for each in HEADINGS], given.kind)
        for name, field in (
            ("ordercategoryname", "category"),
            ("secondaryordercategoryname", "second"),
            ("ordercomponenttypedescription", "part"),
            ("ordercategorydescription", "manner"),
        )
    }
    return {
        **_shared(cohort, orders, np.arange(n)),
        **heading,
        "itemid": given.itemid,
        "amount": given.amount,
        "amountuom": _units(given.mass),
        "rate": given.rate,
        "rateuom": _units(unit_of_rate),
        "patientweight": given.weight,
        "totalamount": np.where(unbagged, np.nan, total),
        "totalamountuom": worded(("ml", None), unbagged.astype(np.int64)),
        "isopenbag": (rng.random(n) < 0.0003).astype(np.int64),
        "continueinnextdept": np.zeros(n, np.int64),
        "originalamount": np.where(unbagged, given.amount, total),
        "originalrate": np.where(np.isnan(given.rate), given.amount, given.rate),
    }


def ingredient_columns(cohort: Cohort, orders: Orders) -> Columns:
    """Return the columns of ingredientevents: water and kind of volume, energy, protein and calcium of orders."""
    given = orders.given
    volume = given.mass == "ml"
    kind = np.full(len(HEADINGS), FLUID_PART)
    kind[list(VOLUME_PARTS)] = list(VOLUME_PARTS.values())
    sweet = (given.itemid == DEXTROSE) & volume
    fat = (given.itemid == PROPOFOL.itemid) & ~np.isnan(given.rate)
    fed = np.isin(given.kind, (ENTERAL, PARENTERAL)) & volume
    calcium = np.isin(given.itemid, CALCIUM_SALTS)
    energy = np.where(sweet, 0.17, np.where(fat, 0.11, 1.2)) * given.amount
    parts = (
        (volume & (given.kind != BEFORE), np.full(len(volume), WATER_PART), given.amount, "ml"),
        (volume, kind[given.kind], given.amount, "ml"),
        (sweet | fat | fed, np.full(len(volume), CALORIES), rounded(energy, 2), "Kcal"),
        (fed, np.full(len(volume), PROTEIN), rounded(0.06 * given.amount, 2), "grams"),
        (calcium, np.full(len(volume), CALCIUM), rounded(93.0 * given.amount, 2), "mg"),
        (sweet & (given.kind == FLUID_BOLUS), np.full(len(volume), CARBOHYDRATE),
         rounded(50.0 * given.amount, 1), "mg"),
    )  # fmt: skip
    rows = np.concatenate([np.flatnonzero(chosen) for chosen, *_ in parts])
    itemid = np.concatenate([item[chosen] for chosen, item, *_ in parts])
    amount: FloatArray = np.concatenate([much[chosen] for chosen, _, much, _ in parts])
    unit = np.concatenate([np.full(int(c.sum()), place) for place, (c, *_) in enumerate(parts)])
    sort = np.lexsort((itemid, rows))
    rows, itemid, amount, unit = rows[sort], itemid[sort], amount[sort], unit[sort]
    hours = np.maximum(orders.end - orders.begin, 60)[rows] / 3600
    running = ~np.isnan(given.rate[rows])
    rate = np.where(running, rounded(amount / hours, 4), np.nan)
    return {
        **_shared(cohort, orders, rows),
        "itemid": itemid,
        "amount": amount,
        "amountuom": worded([part[-1] for part in parts], unit),
        "rate": rate,
        "rateuom": worded(("mL/hour", None), (~running).astype(np.int64)),
        "originalamount": np.zeros(len(rows)),
        "originalrate": np.where(running, rate, amount),
    }
