# SPDX-License-Identifier: MIT
"""Billed diagnoses: codes of both ICD versions for the acute illness and for what patients live with.

The codes are drawn so that each comorbidity group of Charlson's index occurs in either version, beside codes
that look alike and belong to no group. Knows no score.
"""

import csv
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from m4bench.data.synthetic.cohort import ICD10_FROM_GROUP, Cohort
from m4bench.data.synthetic.draws import IntArray, dealt, ragged, texts
from m4bench.data.synthetic.physiology import ILLNESSES


class Condition(NamedTuple):
    """A long-standing condition: its share of patients of 65, and its codes by ICD version, commonest first."""

    name: str
    share: float
    codes: dict[int, tuple[str, ...]]


ACUTE = "acute: "
"""Marks the principal diagnosis of an illness among the conditions."""


@cache
def _table() -> tuple[dict[str, str], ...]:
    text = (
        files("m4bench.data.synthetic.mimic").joinpath("conditions.csv").read_text(encoding="utf-8")
    )
    return tuple(csv.DictReader(text.splitlines()))


def _codes(condition: str) -> dict[int, tuple[str, ...]]:
    rows = [row for row in _table() if row["condition"] == condition]
    return {
        version: tuple(row["icd_code"] for row in rows if int(row["icd_version"]) == version)
        for version in (9, 10)
    }


def conditions() -> list[Condition]:
    """Return the long-standing conditions of `conditions.csv`, in its order."""
    shares = {row["condition"]: row["share"] for row in _table() if row["share"]}
    return [Condition(name, float(share), _codes(name)) for name, share in shares.items()]


def _versions(rng: np.random.Generator, cohort: Cohort) -> IntArray:
    """Return the ICD version of each admission; in the year group of the change both occur."""
    group = cohort.patients.year_group[cohort.admissions.patient]
    chance = rng.random(len(group))
    both = group == ICD10_FROM_GROUP - 1
    return np.where((group >= ICD10_FROM_GROUP) | (both & (chance < 0.5)), 10, 9)


def diagnosis_columns(rng: np.random.Generator, cohort: Cohort) -> dict[str, Any]:
    """Return the columns of diagnoses_icd of a block.

    A patient's conditions come with nine in ten of the admissions, in the version of the admission; one
    admission in forty has no diagnosis at all; one code in three hundred carries blanks at its end.
    """
    admissions = cohort.admissions
    m = len(admissions.hadm_id)
    version = _versions(rng, cohort)
    bare = rng.random(m) < 0.025
    parts: list[tuple[IntArray, Any]] = []
    acute = [_codes(ACUTE + illness.name) for illness in ILLNESSES]
    pairs = np.array([[codes[9][0], codes[10][0]] for codes in acute], dtype=object)
    parts.append((np.arange(m), pairs[admissions.illness, (version == 10).astype(np.int64)]))
    age = cohort.patients.anchor_age
    for condition in conditions():
        weight = condition.share * np.clip(age / 65, 0.3, 1.5)
        has = rng.random(len(age)) < weight
        for icd, codes in condition.codes.items():
            mine = has[admissions.patient] & (rng.random(m) < 0.9)
            rows = np.flatnonzero(mine & (version == icd))
            other = np.flatnonzero(version == icd)[: len(codes)]
            rows = rows if len(rows) >= len(codes) else np.union1d(rows, other)
            chosen = dealt(rng, np.power(0.6, np.arange(len(codes))), len(rows))
            parts.append((rows, texts(codes, chosen)))
    admission = np.concatenate([p[0] for p in parts])
    code = np.concatenate([p[1] for p in parts])
    kept = ~bare[admission]
    admission, code = admission[kept], code[kept]
    order = np.lexsort((np.where(np.arange(len(code)) < m, 0.0, rng.random(len(code))), admission))
    admission, code = admission[order], code[order]
    padded = dealt(rng, [0.997, 0.003], len(code)) == 1
    code = np.where(padded, np.char.ljust(code.astype(str), 7), code).astype(object)
    _, position = ragged(np.bincount(admission, minlength=m))
    return {
        "subject_id": cohort.patients.subject_id[admissions.patient[admission]],
        "hadm_id": admissions.hadm_id[admission],
        "seq_num": position + 1,
        "icd_code": code,
        "icd_version": version[admission],
    }


def diagnosis_dictionary() -> dict[str, Any]:
    """Return the columns of d_icd_diagnoses: every code that can occur, in either version."""
    titles = {(int(row["icd_version"]), row["icd_code"]): row["long_title"] for row in _table()}
    keys = sorted(titles)
    return {
        "icd_code": np.array([code for _, code in keys], dtype=object),
        "icd_version": np.array([icd for icd, _ in keys]),
        "long_title": np.array([titles[key] for key in keys], dtype=object),
    }
