# SPDX-License-Identifier: MIT
"""Who is infected and since when, decided once an admission: antibiotics and cultures follow it. Knows no order.

Shares by illness are clinical orders of magnitude; about half of the intensive care patients are treated for an
infection.
"""

from dataclasses import dataclass

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import HOUR, BoolArray, IntArray
from m4bench.data.synthetic.physiology import ILLNESSES

_SHARE = {
    "septic shock": 0.96, "pneumonia": 0.92, "obstructive lung disease": 0.55, "liver failure": 0.5,
    "haematologic malignancy": 0.7, "trauma": 0.3, "cardiac arrest": 0.4, "elective surgery": 0.12,
    "monitoring": 0.15,
}  # fmt: skip
OTHERWISE, WITHOUT_ICU, ACQUIRED = 0.25, 0.6, 0.22
"""Share infected in other illnesses, how much rarer it is without the ICU, and how many catch it in hospital."""


@dataclass(frozen=True)
class Infections:
    """Infection of each admission: whether, and when it is first thought of (seconds since 1970)."""

    infected: BoolArray
    onset: IntArray


def draw_infections(rng: np.random.Generator, cohort: Cohort) -> Infections:
    """Draw the infections of a block; most are there on arrival, some come with the days in hospital."""
    admissions = cohort.admissions
    m = len(admissions.hadm_id)
    share = np.array([_SHARE.get(illness.name, OTHERWISE) for illness in ILLNESSES])
    chance = share[admissions.illness] * np.where(admissions.has_stay, 1.0, WITHOUT_ICU)
    length = admissions.discharged - admissions.admitted
    early = (rng.uniform(-4, 9, m) * HOUR).astype(np.int64)
    late = (rng.random(m) * 0.8 * length).astype(np.int64)
    since = np.where(rng.random(m) < ACQUIRED, late, early)
    return Infections(
        infected=np.asarray(rng.random(m) < chance, dtype=np.bool_),
        onset=admissions.admitted + np.minimum(since, length // 2),
    )
