# SPDX-License-Identifier: MIT
"""What patients live with and what befell them in an admission, read off `conditions.csv`. Knows no score.

A condition either lasts (its share is that of patients of 65 years) or follows something of the admission:
an organ's severity, a disturbance, or nothing in particular. Shares are textbook orders of magnitude,
brought near the number of codes and of comorbidities an admission has in the open demo.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import BoolArray, FloatArray, sigmoid
from m4bench.data.synthetic.mimic.disturbances import Disturbances
from m4bench.data.synthetic.physiology import ORGANS

ACUTE = "acute: "
"""Marks the principal diagnosis of an illness among the conditions."""
ANY = "any"
"""What a condition follows that comes in any admission."""


class Condition(NamedTuple):
    """A condition: its share, what it follows ('' when it lasts), and its codes by ICD version, commonest first."""

    name: str
    share: float
    follows: str
    codes: dict[int, tuple[str, ...]]


@cache
def condition_table() -> tuple[dict[str, str], ...]:
    """Return the rows of `conditions.csv`."""
    place = files("m4bench.data.synthetic.mimic").joinpath("conditions.csv")
    return tuple(csv.DictReader(place.read_text(encoding="utf-8").splitlines()))


def codes_of(condition: str) -> dict[int, tuple[str, ...]]:
    """Return the codes of a condition by ICD version, in the order of the file."""
    rows = [row for row in condition_table() if row["condition"] == condition]
    return {
        version: tuple(row["icd_code"] for row in rows if int(row["icd_version"]) == version)
        for version in (9, 10)
    }


@cache
def conditions() -> tuple[Condition, ...]:
    """Return all conditions but the principal diagnoses, in the order of the file."""
    heads = {row["condition"]: row for row in condition_table() if row["share"]}
    return tuple(
        Condition(name, float(row["share"]), row["follows"], codes_of(name))
        for name, row in heads.items()
    )


@dataclass(frozen=True)
class Conditions:
    """Who has what: `lasting` by patient, `present` by admission, each shape (n, conditions)."""

    lasting: BoolArray
    present: BoolArray

    def lives_with(self, name: str) -> BoolArray:
        """Return which patients live with a condition, shape (patients,)."""
        number = [condition.name for condition in conditions()].index(name)
        return np.asarray(self.lasting[:, number], dtype=np.bool_)


def _burden(cohort: Cohort) -> FloatArray:
    """Return the worst severity of each organ in each admission, shape (admissions, 6)."""
    worst = np.full((len(cohort.admissions.hadm_id), len(ORGANS)), 0.1)
    np.maximum.at(worst, cohort.stays.admission, cohort.stays.course.level)
    return worst


def _chance(
    condition: Condition, cohort: Cohort, disturbed: Disturbances, burden: FloatArray
) -> FloatArray:
    """Return the chance of a condition that follows something, by admission."""
    if condition.follows == ANY:
        return np.full(len(burden), condition.share)
    if condition.follows in ORGANS:
        severity = burden[:, ORGANS.index(condition.follows)]
        return condition.share * sigmoid(9.0 * (severity - 0.42))
    worst = np.zeros(len(burden))
    deep = disturbed.deepest(cohort, condition.follows)
    np.maximum.at(worst, cohort.stays.admission, deep)
    return np.where(worst > 0, condition.share, 0.004)


def draw_conditions(
    rng: np.random.Generator, cohort: Cohort, disturbed: Disturbances
) -> Conditions:
    """Draw the conditions of a block; nearly all of those that last are told in an admission.

    Some patients have much more than others, and some admissions are coded more thoroughly.
    """
    age, owner = cohort.patients.anchor_age, cohort.admissions.patient
    people, admissions = len(age), len(owner)
    burden = _burden(cohort)
    frail = 0.3 + rng.gamma(1.6, 0.68, people)
    thorough = 0.4 + rng.gamma(1.3, 1.5, admissions)
    lasting = np.zeros((people, len(conditions())), dtype=np.bool_)
    present = np.zeros((admissions, len(conditions())), dtype=np.bool_)
    for number, condition in enumerate(conditions()):
        if condition.follows:
            chance = _chance(condition, cohort, disturbed, burden)
            if condition.follows == ANY:
                chance = chance * thorough
            present[:, number] = rng.random(admissions) < chance
        else:
            chance = condition.share * np.clip(age / 65, 0.3, 1.5) * frail
            lasting[:, number] = rng.random(people) < chance
            told = rng.random(admissions) < 0.93
            present[:, number] = lasting[owner, number] & told
    return Conditions(lasting, present)
