# SPDX-License-Identifier: MIT
"""What a patient wants done at the worst: code status as charted. Knows no order and no organ."""

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import dealt
from m4bench.data.synthetic.mimic.charting import Charted, item_rows
from m4bench.data.synthetic.mimic.words import worded

CODE_STATUS = 223758
FULL, NO_RESUSCITATION, NEITHER, NO_TUBE, COMFORT, OTHER, BLANK = range(7)
STATUSES = (
    "Full code",
    "DNR (do not resuscitate)",
    "DNR / DNI",
    "DNI (do not intubate)",
    "Comfort measures only",
    "Other",
    None,
)


def code_status(rng: np.random.Generator, cohort: Cohort) -> list[Charted]:
    """Return code status of a block: in half of the stays on admission, changed towards death in most who die."""
    course = cohort.stays.course
    n = len(cohort.stays)
    age = cohort.patients.anchor_age[cohort.stays.patient]
    first = dealt(rng, [0.9, 0.035, 0.035, 0.01, 0.006, 0.007, 0.007], n)
    old = (age > 78) & (first == FULL) & (rng.random(n) < 0.18)
    first = np.where(old, rng.choice([NO_RESUSCITATION, NEITHER], n), first)
    asked = np.flatnonzero((rng.random(n) < 0.54) | course.dies)
    when = np.minimum(rng.gamma(1.2, 3.0, n), course.los)
    dying = np.flatnonzero(course.dies & (rng.random(n) < 0.7) & (course.los > 8))
    limited = dying[rng.random(len(dying)) < 0.7]
    earlier = course.los[limited] * rng.uniform(0.3, 0.8, len(limited))
    comfort = dying[rng.random(len(dying)) < 0.75]
    late = course.los[comfort] * rng.uniform(0.85, 0.99, len(comfort))
    again = asked[rng.random(len(asked)) < 0.3]
    parts = (
        (asked, when[asked], first[asked]),
        (limited, earlier, rng.choice([NO_RESUSCITATION, NEITHER, NO_TUBE], len(limited))),
        (comfort, late, np.full(len(comfort), COMFORT)),
        (again, course.los[again] * rng.uniform(0.1, 0.25, len(again)), first[again]),
    )
    return [
        item_rows(CODE_STATUS, stay, hours, text=worded(STATUSES, status))
        for stay, hours, status in parts
    ]
