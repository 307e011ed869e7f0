# SPDX-License-Identifier: MIT
"""What is given to patients, whatever it is: rows of one shape for infusions, pushes, fluids and food.

It knows the headings under which they are documented, and no drug.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from m4bench.data.synthetic.draws import FloatArray, IntArray, TextArray


class Heading(NamedTuple):
    """How an order is filed: its category, a second one, the part of the order it is, and how it is given."""

    category: str
    second: str | None
    part: str
    manner: str


MAIN, SOLUTION, ADDITIVE = "Main order parameter", "Mixed solution", "Additives"
_FLUID = "02-Fluids (Crystalloids)"
HEADINGS = (
    Heading("01-Drips", _FLUID, MAIN, "Continuous Med"),
    Heading("01-Drips", _FLUID, SOLUTION, "Continuous Med"),
    Heading("05-Med Bolus", _FLUID, MAIN, "Drug Push"),
    Heading("08-Antibiotics (IV)", _FLUID, MAIN, "Drug Push"),
    Heading("08-Antibiotics (IV)", _FLUID, SOLUTION, "Drug Push"),
    Heading("02-Fluids (Crystalloids)", "Additive (Crystalloid)", MAIN, "Continuous IV"),
    Heading("02-Fluids (Crystalloids)", "Additive (Crystalloid)", ADDITIVE, "Continuous IV"),
    Heading("14-Oral/Gastric Intake", None, MAIN, "Bolus"),
    Heading("06-Insulin (Non IV)", None, MAIN, "Drug Push"),
    Heading("11-Prophylaxis (Non IV)", None, MAIN, "Drug Push"),
    Heading("10-Prophylaxis (IV)", _FLUID, MAIN, "Drug Push"),
    Heading("10-Prophylaxis (IV)", _FLUID, SOLUTION, "Drug Push"),
    Heading("13-Enteral Nutrition", "Additives (EN)", MAIN, "Continuous IV"),
    Heading("03-IV Fluid Bolus", None, MAIN, "Bolus"),
    Heading("07-Blood Products", None, MAIN, "Continuous IV"),
    Heading("04-Fluids (Colloids)", None, MAIN, "Continuous IV"),
    Heading("16-Pre Admission/Non-ICU", None, MAIN, "Bolus"),
    Heading("09-Antibiotics (Non IV)", None, MAIN, "Non Iv Meds"),
    Heading("12-Parenteral Nutrition", "Additives (PN)", MAIN, "Continuous IV"),
)
(DRIP, DRIP_SOLUTION, PUSH, ANTIBIOTIC, ANTIBIOTIC_SOLUTION, FLUID, FLUID_ADDITIVE, ORAL, INSULIN_SHOT,
 PROPHYLAXIS, PROPHYLAXIS_IV, PROPHYLAXIS_SOLUTION, ENTERAL, FLUID_BOLUS, BLOOD, COLLOID, BEFORE,
 ORAL_ANTIBIOTIC, PARENTERAL) = range(len(HEADINGS))  # fmt: skip


class Given(NamedTuple):
    """What was given, arrays of one length.

    Attributes:
        stay: index of the stay.
        begin, end: hours from ICU admission.
        itemid: the item.
        amount: how much, in `mass`.
        mass: unit of the amount.
        rate: how fast, in `unit`; NaN for what is given at once.
        unit: unit of the rate, None without a rate.
        weight: weight of the patient as ordered, kg.
        kind: index into HEADINGS.
        run: number of the order that the row belongs to, unique within one list of rows.
    """

    stay: IntArray
    begin: FloatArray
    end: FloatArray
    itemid: IntArray
    amount: FloatArray
    mass: TextArray
    rate: FloatArray
    unit: TextArray
    weight: FloatArray
    kind: IntArray
    run: IntArray

    def taken(self, index: IntArray) -> "Given":
        """Return the rows at the given places."""
        return Given._make(column[index] for column in self)


def constant_units(unit: str | None, n: int) -> TextArray:
    """Return one unit n times."""
    return np.full(n, unit, dtype=object)


def gathered(parts: Sequence[Given]) -> Given:
    """Return the rows of all parts, with the numbers of their orders kept apart."""
    apart, first = [], 0
    for part in parts:
        apart.append(part._replace(run=part.run + first))
        first += int(part.run.max(initial=-1)) + 1
    return Given(*(np.concatenate(column) for column in zip(*apart, strict=True)))
