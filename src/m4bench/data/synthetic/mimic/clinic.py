# SPDX-License-Identifier: MIT
"""What outpatient clinics write down, as omr: weight, height, mass index, pressures. Knows no admission's course.

About three patients in four are seen in a clinic; how often, and what is measured, is near the open demo. A few
values are mistyped, in the other unit, or told twice in a day.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import DAY, FloatArray, IntArray, ragged, rounded
from m4bench.data.synthetic.elementary import exp
from m4bench.data.synthetic.mimic.words import worded

NAMES = (
    "Weight (Lbs)", "Blood Pressure", "BMI (kg/m2)", "Height (Inches)", "Blood Pressure Sitting",
    "Blood Pressure Lying", "Blood Pressure Standing (1 min)", "Blood Pressure Standing (3 mins)", "eGFR",
)  # fmt: skip
_SHARES = (0.88, 0.8, 0.72, 0.34, 0.004, 0.003, 0.002, 0.002, 0.05)
SEEN, VISITS, TWICE, SLIPPED = 0.78, 12.5, 0.06, 0.004


def _visits(rng: np.random.Generator, cohort: Cohort, density: float) -> tuple[IntArray, IntArray]:
    """Return patient and day (seconds since 1970) of visits, spread over the years about the first admission."""
    people = cohort.patients
    n = len(people.subject_id)
    often = rng.gamma(0.9, VISITS / 0.9, n) * density
    counts = np.where(rng.random(n) < SEEN, np.ceil(often), 0).astype(np.int64)
    patient, _ = ragged(counts)
    zero = (people.anchor_year - 1970).astype("datetime64[Y]").astype("datetime64[s]")
    days = rng.uniform(-900, 1100, len(patient)).astype(np.int64)
    return patient, zero.astype(np.int64)[patient] + days * DAY


def _joined(high: FloatArray, low: FloatArray) -> pa.Array:
    texts = (pc.cast(pa.array(part.astype(np.int64)), pa.string()) for part in (high, low))
    return pc.binary_join_element_wise(*texts, "/")


def _values(
    rng: np.random.Generator, cohort: Cohort, patient: IntArray, kind: IntArray
) -> pa.Array:
    """Return what is written: a number, or two pressures with a stroke between them."""
    n, people = len(patient), cohort.patients
    drift = exp(rng.normal(0, 0.045, n))
    kilograms = people.weight[patient] * drift
    height = people.height[patient] + rng.normal(0, 0.8, n)
    numbers = (
        rounded(kilograms * 2.2046, 1),
        np.zeros(n),
        rounded(kilograms / (height / 100) ** 2, 1),
        rounded(height / 2.54 * 4) / 4,
    )
    value = np.select([kind == place for place in range(4)], numbers, 0.0)
    value = np.where(kind == len(NAMES) - 1, rounded(rng.normal(62, 18, n).clip(8, 120)), value)
    slip = rng.random(n) < SLIPPED
    value = np.where(slip & (kind == 0), rounded(kilograms, 1), value)
    value = np.where(slip & (kind == 3), rounded(height), value)
    usual = np.where(people.female[patient], 126, 129) + rng.normal(0, 17, n)
    pressures = _joined(np.clip(rounded(usual), 78, 230), np.clip(rounded(usual * 0.57), 38, 130))
    pressed = np.asarray((kind == 1) | ((kind > 3) & (kind < len(NAMES) - 1)), dtype=np.bool_)
    return pc.if_else(pa.array(pressed), pressures, pc.cast(pa.array(value), pa.string()))


def clinic_columns(rng: np.random.Generator, cohort: Cohort, density: float) -> dict[str, Any]:
    """Return the columns of omr, in order of patient and day; a few measurements have two results in a day."""
    patient, day = _visits(rng, cohort, density)
    visit, kind = np.nonzero(rng.random((len(patient), len(NAMES))) < np.array(_SHARES))
    twice = rng.random(len(visit)) < TWICE
    visit, kind = np.concatenate([visit, visit[twice]]), np.concatenate([kind, kind[twice]])
    order = np.lexsort((kind, day[visit], patient[visit]))
    visit, kind = visit[order], kind[order]
    who, when = patient[visit], day[visit]
    new = np.append(True, (np.diff(who) != 0) | (np.diff(when) != 0) | (np.diff(kind) != 0))[
        : len(who)
    ]
    group = np.cumsum(new) - 1
    sequence = np.arange(len(who)) - np.flatnonzero(new)[group] + 1
    return {
        "subject_id": cohort.patients.subject_id[who],
        "chartdate": when,
        "seq_num": sequence,
        "result_name": worded(NAMES, kind),
        "result_value": _values(rng, cohort, who, kind),
    }
