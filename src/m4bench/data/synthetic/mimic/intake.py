# SPDX-License-Identifier: MIT
"""Fluids, food, blood and drugs given at once, with the solutions they come in. Knows no infusion of a drug.

Rows a stay by heading are near those of the open MIMIC-IV demo; which item is given is by share alone.
"""

from typing import NamedTuple

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import FloatArray, IntArray, ragged, rounded, when
from m4bench.data.synthetic.mimic.given import (
    ANTIBIOTIC,
    ANTIBIOTIC_SOLUTION,
    BEFORE,
    BLOOD,
    COLLOID,
    DRIP,
    DRIP_SOLUTION,
    ENTERAL,
    FLUID,
    FLUID_ADDITIVE,
    FLUID_BOLUS,
    INSULIN_SHOT,
    ORAL,
    ORAL_ANTIBIOTIC,
    PARENTERAL,
    PROPHYLAXIS,
    PROPHYLAXIS_IV,
    PROPHYLAXIS_SOLUTION,
    PUSH,
    Given,
    constant_units,
)

SALINE, DEXTROSE, RINGER, HALF_SALINE, WATER = 225158, 241020, 241021, 241022, 241023


class Dose(NamedTuple):
    """One choice of what is given: its share, a usual amount, its unit, the step amounts are rounded to."""

    itemid: int
    share: float
    amount: float
    mass: str
    step: float


class Round(NamedTuple):
    """One heading: how often a day, in which share of the stays, in which solution, over how many hours."""

    kind: int
    daily: float
    stays: float
    solution: int | None
    hours: float
    doses: tuple[Dose, ...]


ROUNDS = (
    Round(
        ORAL, 6.1, 0.8, None, 0.0,
        (Dose(241100, 0.38, 150, "ml", 10), Dose(241101, 0.32, 60, "ml", 10), Dose(241102, 0.30, 60, "ml", 10)),
    ),
    Round(
        PUSH, 5.8, 0.85, None, 0.0,
        (
            Dose(241110, 0.17, 20, "mEq", 10), Dose(241111, 0.12, 2, "grams", 1),
            Dose(241112, 0.10, 0.5, "mg", 0.25), Dose(241113, 0.10, 2, "mg", 1),
            Dose(241114, 0.10, 40, "mg", 10), Dose(241115, 0.08, 1000, "mg", 500),
            Dose(241116, 0.08, 1, "mg", 0.5), Dose(241117, 0.08, 2, "grams", 1),
            Dose(241118, 0.06, 5, "mg", 2.5), Dose(241119, 0.04, 4, "mg", 4),
            Dose(221555, 0.0015, 10, "mg", 5), Dose(222062, 0.003, 10, "mg", 5),
            Dose(241120, 0.02, 15, "mmol", 15), Dose(241121, 0.02, 50, "mg", 25),
            Dose(241001, 0.05, 50, "mcg", 25), Dose(222168, 0.015, 30, "mg", 10),
        ),
    ),
    Round(
        ANTIBIOTIC, 3.1, 0.65, SALINE, 0.0,
        (
            Dose(241200, 0.28, 1, "dose", 1), Dose(241201, 0.14, 1, "dose", 1), Dose(241202, 0.14, 1, "dose", 1),
            Dose(241203, 0.13, 1, "dose", 1), Dose(241204, 0.10, 1, "dose", 1), Dose(241205, 0.08, 1, "dose", 1),
            Dose(241206, 0.06, 1, "dose", 1), Dose(241207, 0.04, 1, "dose", 1), Dose(241208, 0.03, 1, "dose", 1),
        ),
    ),
    Round(
        FLUID, 3.6, 0.95, None, 6.0,
        (
            Dose(SALINE, 0.42, 100, "ml", 10), Dose(DEXTROSE, 0.22, 75, "ml", 10), Dose(RINGER, 0.18, 125, "ml", 25),
            Dose(HALF_SALINE, 0.08, 100, "ml", 25), Dose(WATER, 0.10, 50, "ml", 10),
        ),
    ),
    Round(INSULIN_SHOT, 2.1, 0.5, None, 0.0, (Dose(241130, 0.55, 4, "units", 1), Dose(241131, 0.45, 8, "units", 2))),
    Round(PROPHYLAXIS, 1.75, 0.58, None, 0.0, (Dose(241140, 0.85, 1, "dose", 1), Dose(241141, 0.15, 1, "dose", 1))),
    Round(PROPHYLAXIS_IV, 1.3, 0.35, SALINE, 0.0, (Dose(241142, 0.6, 1, "dose", 1), Dose(241143, 0.4, 1, "dose", 1))),
    Round(
        ENTERAL, 3.0, 0.24, None, 6.0,
        (Dose(241300, 0.4, 45, "ml", 5), Dose(241301, 0.35, 40, "ml", 5), Dose(241302, 0.25, 50, "ml", 5)),
    ),
    Round(
        FLUID_BOLUS, 0.9, 0.57, None, 0.0,
        (Dose(SALINE, 0.6, 500, "ml", 250), Dose(RINGER, 0.35, 1000, "ml", 500), Dose(DEXTROSE, 0.05, 250, "ml", 250)),
    ),
    Round(
        BLOOD, 1.5, 0.26, None, 1.6,
        (Dose(241310, 0.55, 190, "ml", 10), Dose(241311, 0.25, 180, "ml", 10), Dose(241312, 0.2, 170, "ml", 10)),
    ),
    Round(COLLOID, 0.9, 0.21, None, 1.0, (Dose(241313, 0.7, 100, "ml", 50), Dose(241314, 0.3, 250, "ml", 250))),
    Round(ORAL_ANTIBIOTIC, 1.4, 0.1, None, 0.0, (Dose(241203, 0.6, 1, "dose", 1), Dose(241209, 0.4, 1, "dose", 1))),
    Round(PARENTERAL, 0.9, 0.05, None, 20.0, (Dose(241320, 0.7, 60, "ml", 5), Dose(241321, 0.3, 10, "ml", 1))),
)  # fmt: skip
BEFORE_ADMISSION = (241330, 241331, 241332)
"""Volumes given before: outside the hospital, in the operating room, in the recovery room."""
ADDITIVES = (241110, 241340, 241341)


def _usual_weight(cohort: Cohort, stay: IntArray) -> FloatArray:
    weight = cohort.patients.weight[cohort.stays.patient[stay]]
    return rounded(np.clip(weight, 40, 200), 1)


def _given(rng: np.random.Generator, cohort: Cohort, each: Round, density: float) -> Given:
    """Return what is given under one heading, at random times over the stay."""
    los = cohort.stays.course.los
    n = len(los)
    has = (rng.random(n) < each.stays) & (los > 4)
    pace = each.daily * density * rng.gamma(2.5, 0.4, n)
    counts = np.where(has, rng.poisson(np.minimum(los, 500.0) / 24 * pace), 0)
    stay, _ = ragged(counts)
    begin = rng.random(len(stay)) * (los[stay] - 0.3)
    shares = np.array([dose.share for dose in each.doses])
    which = rng.choice(len(shares), len(stay), p=shares / shares.sum())
    usual = np.array([dose.amount for dose in each.doses])[which]
    step = np.array([dose.step for dose in each.doses])[which]
    size = np.maximum(rounded(usual * rng.gamma(4.0, 0.25, len(stay)) / step), 1) * step
    size = np.where(usual == 1.0, 1.0, size)
    lasting = (
        each.hours * rng.gamma(2.0, 0.5, len(stay)) if each.hours else np.full(len(stay), 1 / 60)
    )
    end = np.minimum(begin + np.maximum(lasting, 1 / 60), los[stay])
    rate = size if each.hours else np.full(len(stay), np.nan)
    return Given(
        stay=stay,
        begin=begin,
        end=end,
        itemid=np.array([dose.itemid for dose in each.doses])[which],
        amount=rounded(rate * (end - begin), 2) if each.hours else size,
        mass=np.array([dose.mass for dose in each.doses], dtype=object)[which],
        rate=rate,
        unit=constant_units("mL/hour" if each.hours else None, len(stay)),
        weight=_usual_weight(cohort, stay),
        kind=np.full(len(stay), each.kind),
        run=np.arange(len(stay)),
    )


def _before(rng: np.random.Generator, cohort: Cohort) -> Given:
    """Return what was given before the stay, entered on admission in about half of the stays."""
    stay = np.flatnonzero(rng.random(len(cohort.stays)) < 0.48)
    stay = np.concatenate([stay, stay[rng.random(len(stay)) < 0.5]])
    n = len(stay)
    begin = rng.uniform(0.05, 1.0, n)
    return Given(
        stay=stay,
        begin=begin,
        end=begin + 1 / 60,
        itemid=rng.choice(np.array(BEFORE_ADMISSION), n, p=[0.35, 0.5, 0.15]),
        amount=rounded(rng.gamma(2.0, 500, n) / 50) * 50,
        mass=constant_units("ml", n),
        rate=np.full(n, np.nan),
        unit=constant_units(None, n),
        weight=_usual_weight(cohort, stay),
        kind=np.full(n, BEFORE),
        run=np.arange(n),
    )


def _solution(
    given: Given, itemid: IntArray, volume: FloatArray, kind: int, rate: FloatArray
) -> Given:
    n = len(given.stay)
    unit = when(~np.isnan(rate), "mL/hour")
    return given._replace(
        itemid=itemid, amount=volume, mass=constant_units("ml", n), rate=rate, unit=unit,
        kind=np.full(n, kind),
    )  # fmt: skip


def solutions(rng: np.random.Generator, given: Given) -> list[Given]:
    """Return the solutions in which drugs come, as rows of the same order, and additives of fluids."""
    parts = []
    for kind, into in (
        (DRIP, DRIP_SOLUTION),
        (ANTIBIOTIC, ANTIBIOTIC_SOLUTION),
        (PROPHYLAXIS_IV, PROPHYLAXIS_SOLUTION),
    ):
        drug = given.taken(np.flatnonzero(given.kind == kind))
        n = len(drug.stay)
        item = np.where((drug.itemid + drug.stay) % 3 == 0, DEXTROSE, SALINE)
        if kind == DRIP:
            hours = drug.end - drug.begin
            flow = rounded(rng.gamma(2.0, 6.0, n) + 1, 2)
            flow = np.where(np.isnan(drug.rate), np.nan, flow)
            volume = np.where(np.isnan(drug.rate), 5.0, rounded(np.nan_to_num(flow) * hours, 2))
            parts.append(_solution(drug, item, volume, into, flow))
        else:
            bag = rng.choice([50.0, 100.0, 200.0], n, p=[0.35, 0.5, 0.15])
            parts.append(_solution(drug, item, bag, into, np.full(n, np.nan)))
    fluid = given.taken(np.flatnonzero((given.kind == FLUID) & (rng.random(len(given.stay)) < 0.5)))
    n = len(fluid.stay)
    added = _solution(
        fluid, rng.choice(np.array(ADDITIVES), n), rounded(rng.uniform(5, 40, n)), FLUID_ADDITIVE,
        np.full(n, np.nan),
    )  # fmt: skip
    return [*parts, added._replace(mass=constant_units("mEq", n))]


def intake(rng: np.random.Generator, cohort: Cohort, density: float) -> list[Given]:
    """Return all that is given beside infusions of drugs, heading by heading.

    Args:
        rng: the stream of this.
        cohort: the block.
        density: share of it to draw, above 0 and at most 1.
    """
    return [*(_given(rng, cohort, each, density) for each in ROUNDS), _before(rng, cohort)]
