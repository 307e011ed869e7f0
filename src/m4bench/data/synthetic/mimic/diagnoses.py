# SPDX-License-Identifier: MIT
"""Billed diagnoses: the codes, in either ICD version, of an admission's illness and conditions. Knows no score.

The codes are drawn so that each condition's codes occur in either version, beside codes that look alike.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from m4bench.data.synthetic.cohort import ICD10_FROM_GROUP, Cohort
from m4bench.data.synthetic.draws import IntArray, dealt, ragged
from m4bench.data.synthetic.elementary import power
from m4bench.data.synthetic.mimic.comorbidity import (
    ACUTE,
    Conditions,
    codes_of,
    condition_table,
    conditions,
)
from m4bench.data.synthetic.mimic.words import worded
from m4bench.data.synthetic.physiology import ILLNESSES

PADDED = 0.003
"""Share of codes that carry blanks at their end."""


def icd_versions(cohort: Cohort) -> IntArray:
    """Return the ICD version of each admission; in the year group of the change both occur."""
    group = cohort.patients.year_group[cohort.admissions.patient]
    both = group == ICD10_FROM_GROUP - 1
    late = cohort.admissions.hadm_id % 2 == 0
    return np.where((group >= ICD10_FROM_GROUP) | (both & late), 10, 9)


def _coded(
    rng: np.random.Generator, present: Conditions, version: IntArray, place: dict[str, int]
) -> tuple[list[IntArray], list[IntArray]]:
    """Return admissions and code numbers of every condition that is present, part by part."""
    rows, codes = [], []
    for number, condition in enumerate(conditions()):
        for icd, options in condition.codes.items():
            if not options:
                continue
            mine = np.flatnonzero(present.present[:, number] & (version == icd))
            if not condition.follows and len(mine) < len(options):
                mine = np.union1d(mine, np.flatnonzero(version == icd)[: len(options)])
            weights = power(np.full(len(options), 0.6), np.arange(len(options)))
            chosen = dealt(rng, weights, len(mine))
            rows.append(mine)
            codes.append(np.array([place[f"{icd} {code}"] for code in options])[chosen])
    return rows, codes


def diagnosis_columns(
    rng: np.random.Generator, cohort: Cohort, present: Conditions
) -> dict[str, Any]:
    """Return the columns of diagnoses_icd of a block.

    The illness comes first. One admission in forty has no diagnosis at all; one code in three hundred
    carries blanks at its end; no code is told twice in an admission.
    """
    admissions = cohort.admissions
    m = len(admissions.hadm_id)
    version = icd_versions(cohort)
    names = sorted({f"{row['icd_version']} {row['icd_code']}" for row in condition_table()})
    place = {name: number for number, name in enumerate(names)}
    principal = np.array(
        [
            [place[f"{icd} {codes_of(ACUTE + illness.name)[icd][0]}"] for icd in (9, 10)]
            for illness in ILLNESSES
        ]
    )
    rows, codes = _coded(rng, present, version, place)
    admission = np.concatenate([np.arange(m), *rows])
    code = np.concatenate([principal[admissions.illness, (version == 10).astype(np.int64)], *codes])
    rank = np.where(np.arange(len(code)) < m, 0.0, rng.random(len(code)))
    _, once = np.unique(admission * len(names) + code, return_index=True)
    bare = dealt(rng, [0.975, 0.025], m) == 1
    kept = once[~bare[admission[once]]]
    kept = kept[np.lexsort((rank[kept], admission[kept]))]
    admission, code = admission[kept], code[kept]
    padded = dealt(rng, [1 - PADDED, PADDED], len(code)) == 1
    written = [name.split(" ")[1] for name in names]
    options = [*written, *(text.ljust(7) for text in written)]
    _, position = ragged(np.bincount(admission, minlength=m))
    return {
        "subject_id": cohort.patients.subject_id[admissions.patient[admission]],
        "hadm_id": admissions.hadm_id[admission],
        "seq_num": position + 1,
        "icd_code": worded(options, code + len(names) * padded),
        "icd_version": version[admission],
    }


def diagnosis_dictionary() -> dict[str, Any]:
    """Return the columns of d_icd_diagnoses: every code that can occur, in either version."""
    titles = {
        (int(row["icd_version"]), row["icd_code"]): row["long_title"] for row in condition_table()
    }
    keys = sorted(titles)
    return {
        "icd_code": pa.array([code for _, code in keys], pa.string()),
        "icd_version": np.array([icd for icd, _ in keys]),
        "long_title": pa.array([titles[key] for key in keys], pa.string()),
    }
