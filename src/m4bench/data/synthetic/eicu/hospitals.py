# SPDX-License-Identifier: MIT
"""The hospitals of the synthetic network, their wards and how each of them charts. Knows no patient.

The network is the same for every seed, as its dictionary table is. That eICU joins some two hundred hospitals
of all sizes with charting habits of their own, and that most of them leave some tables empty, is described by
Pollard et al., Scientific Data 2018;5:180178; shares here are rounded from the open demo's aggregates.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from m4bench.data.synthetic.draws import BoolArray, FloatArray, IntArray, stream
from m4bench.data.synthetic.eicu.rows import words
from m4bench.data.synthetic.elementary import exp

HOSPITALS = 186
HOSPITALS_FROM, WARDS_FROM = 9_001, 90_001
"""First identifiers, above all of the release's."""
MOST_WARDS = 3

BEDS = ("<100", "100 - 249", "250 - 499", ">= 500", None)
REGIONS = ("Midwest", "South", "West", "Northeast", None)
UNIT_TYPES = (
    "Med-Surg ICU", "MICU", "Cardiac ICU", "SICU", "CCU-CTICU", "CSICU", "Neuro ICU", "CTICU",
)  # fmt: skip
_UNIT_SHARES = (0.75, 0.06, 0.05, 0.035, 0.033, 0.026, 0.026, 0.02)

NURSES_TOTAL_AND_PARTS, NURSES_TOTAL, NURSES_BOTH, PHYSICIANS_ONLY, OTHER_HEADING = range(5)
"""How the coma scale is charted: nurses' total and its parts, their total alone under another label, both, by
physicians only, or by nurses under the heading of the vital signs."""
MONITOR_LABEL, MAP_LABEL, LINE_LABEL = range(3)
"""Under which label the mean pressure of an arterial line is charted."""
BOTH_SCALES, CELSIUS_ONLY, FAHRENHEIT_ONLY = range(3)

_DOCUMENTED = {
    "intakeoutput": 0.93,
    "infusiondrug": 0.62,
    "medication": 0.76,
    "respiratorycharting": 0.8,
    "respiratorycare": 0.4,
    "nurseassessment": 0.05,
    "careplangoal": 0.08,
    "careplaninfectiousdisease": 0.25,
    "customlab": 0.03,
    "microlab": 0.035,
    "admissiondrug": 0.32,
    "allergy": 0.5,
    "treatment": 0.82,
    "notes": 0.95,
    "periodic": 0.97,
}
"""Share of hospitals that fill a table at all."""


@dataclass(frozen=True)
class Hospitals:
    """The hospitals, arrays of one length; `ward_type` indexes UNIT_TYPES, shape (n, MOST_WARDS).

    `every`, `fluids_every` and `pumps_every` are the usual numbers of hours between two rounds, two sums of
    fluids and two readings of a pump; `coma_under` and `vitals_under` index the headings
    of the flowsheet, `documents` tells by table whether the hospital fills it.
    """

    wards: IntArray
    ward_type: IntArray
    coma: IntArray
    coma_under: IntArray
    vitals_under: IntArray
    mean_label: IntArray
    temperature: IntArray
    every: FloatArray
    fluids_every: FloatArray
    pumps_every: FloatArray
    interface: IntArray
    documents: dict[str, BoolArray]

    def ward_id(self, hospital: IntArray, ward: IntArray) -> IntArray:
        """Return the identifier of each ward."""
        return np.asarray(WARDS_FROM + hospital * MOST_WARDS + ward)


def _exactly(rng: np.random.Generator, share: float) -> BoolArray:
    """Return a share of the hospitals, drawn without chance in their number."""
    return np.asarray(rng.permutation(HOSPITALS) < round(share * HOSPITALS))


def _habit(rng: np.random.Generator, shares: tuple[float, ...]) -> IntArray:
    """Return a habit of each hospital, dealt so that the shares hold and each habit occurs."""
    edges = np.cumsum(shares) / sum(shares)
    return np.searchsorted(edges, (rng.permutation(HOSPITALS) + 0.5) / HOSPITALS).astype(np.int64)


@cache
def hospitals() -> Hospitals:
    """Return the hospitals of the network."""
    rng = stream(0, 0, "hospitals of the network")
    ward_type = rng.choice(len(_UNIT_SHARES), (HOSPITALS, MOST_WARDS), p=_UNIT_SHARES)
    ward_type[: len(UNIT_TYPES), 0] = np.arange(len(UNIT_TYPES))
    return Hospitals(
        wards=_habit(rng, (0.55, 0.3, 0.15)) + 1,
        ward_type=ward_type.astype(np.int64),
        coma=_habit(rng, (0.66, 0.13, 0.06, 0.12, 0.03)),
        coma_under=_habit(rng, (0.8, 0.2)),
        vitals_under=_habit(rng, (0.87, 0.09, 0.04)),
        mean_label=_habit(rng, (0.66, 0.2, 0.14)),
        temperature=_habit(rng, (0.74, 0.14, 0.12)),
        every=exp(rng.normal(0.0, 0.3, HOSPITALS)),
        fluids_every=np.array([1.0, 2.0, 4.0, 8.0, 12.0])[
            _habit(rng, (0.07, 0.15, 0.28, 0.35, 0.15))
        ],
        pumps_every=exp(rng.normal(0.1, 0.4, HOSPITALS)),
        interface=_habit(rng, (0.3, 0.25, 0.2, 0.15, 0.1)),
        documents={table: _exactly(rng, share) for table, share in _DOCUMENTED.items()},
    )


def hospital_columns() -> dict[str, Any]:
    """Return the columns of the table of hospitals."""
    rng = stream(0, 0, "what is known of the hospitals")
    size = _habit(rng, (0.21, 0.33, 0.19, 0.12, 0.15))
    teaching = rng.random(HOSPITALS) < np.array([0.01, 0.03, 0.1, 0.5, 0.05])[size]
    return {
        "hospitalid": HOSPITALS_FROM + np.arange(HOSPITALS),
        "numbedscategory": words(BEDS, size),
        "teachingstatus": pa.array(teaching),
        "region": words(REGIONS, _habit(rng, (0.33, 0.29, 0.21, 0.07, 0.1))),
    }
