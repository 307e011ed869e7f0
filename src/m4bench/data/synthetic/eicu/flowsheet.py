# SPDX-License-Identifier: MIT
"""The nurses' flowsheet of eICU: which cells it has, and how its rows are gathered and written.

It knows no physiology. That rows are labelled by heading, label and name is the documentation of eICU; rates of
slips are those of ordinary charts.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from m4bench.data.synthetic.draws import BoolArray, FloatArray, IntArray
from m4bench.data.synthetic.eicu.rows import minutes, shifted, typed, wide_ids, words
from m4bench.data.synthetic.eicu.stays import UnitStays

VITALS, SCORES, OTHER, ELSEWHERE = range(4)
HEADINGS = ("Vital Signs", "Scores", "Other Vital Signs and Infusions", "Other")
_VITALS_UNDER = np.array([VITALS, OTHER, SCORES])


class Cell(NamedTuple):
    """A cell of the flowsheet: label and name."""

    label: str
    name: str


CELLS = (
    Cell("Heart Rate", "Heart Rate"),
    Cell("Respiratory Rate", "Respiratory Rate"),
    Cell("O2 Saturation", "O2 Saturation"),
    Cell("Non-Invasive BP", "Non-Invasive BP Systolic"),
    Cell("Non-Invasive BP", "Non-Invasive BP Diastolic"),
    Cell("Non-Invasive BP", "Non-Invasive BP Mean"),
    Cell("Invasive BP", "Invasive BP Systolic"),
    Cell("Invasive BP", "Invasive BP Diastolic"),
    Cell("Invasive BP", "Invasive BP Mean"),
    Cell("MAP (mmHg)", "Value"),
    Cell("Arterial Line MAP (mmHg)", "Value"),
    Cell("Temperature", "Temperature (C)"),
    Cell("Temperature", "Temperature (F)"),
    Cell("Temperature", "Temperature Location"),
    Cell("Glasgow coma score", "GCS Total"),
    Cell("Glasgow coma score", "Motor"),
    Cell("Glasgow coma score", "Verbal"),
    Cell("Glasgow coma score", "Eyes"),
    Cell("Score (Glasgow Coma Scale)", "Value"),
    Cell("Pain Score/Goal", "Pain Score"),
    Cell("Pain Score/Goal", "Pain Goal"),
    Cell("Sedation Scale/Score/Goal", "Sedation Scale"),
    Cell("Sedation Scale/Score/Goal", "Sedation Score"),
    Cell("Sedation Scale/Score/Goal", "Sedation Goal"),
    Cell("Delirium Scale/Score", "Delirium Scale"),
    Cell("Delirium Scale/Score", "Delirium Score"),
    Cell("O2 L/%", "O2 L/%"),
    Cell("O2 Admin Device", "O2 Admin Device"),
    Cell("Bedside Glucose", "Bedside Glucose"),
    Cell("CVP", "CVP"),
    Cell("SpO2", "Value"),
)
HEART, BREATHS, SATURATION, CUFF_SYSTOLIC, CUFF_DIASTOLIC, CUFF_MEAN, LINE_SYSTOLIC, LINE_DIASTOLIC, \
    LINE_MEAN, MAP, ARTERIAL_MAP, CELSIUS, FAHRENHEIT, PLACE, COMA_TOTAL, COMA_MOTOR, COMA_VERBAL, \
    COMA_EYES, COMA_SCORE, PAIN, PAIN_GOAL, SEDATION_SCALE, SEDATION, SEDATION_GOAL, DELIRIUM_SCALE, \
    DELIRIUM, OXYGEN, DEVICE, GLUCOSE, VENOUS, SPO2 = range(len(CELLS))  # fmt: skip

_WORDS = ("refused", "see note", "unable", "off unit", "--", ">99", "pt in OR")


@dataclass(frozen=True)
class Charted:
    """Rows of one cell: stay, hour, heading and text, arrays of one length."""

    cell: int
    stay: IntArray
    hours: FloatArray
    heading: IntArray
    text: pa.Array


class Flowsheet:
    """The rows of a block while they are gathered."""

    def __init__(self, rng: np.random.Generator, stays: UnitStays) -> None:
        self.rng, self.stays = rng, stays
        self.rows: list[Charted] = []

    def usual(self, stay: IntArray) -> IntArray:
        """Return the heading under which a hospital charts vital signs; a few rows go astray."""
        heading = _VITALS_UNDER[self.stays.habits.vitals_under[self.stays.hospital[stay]]]
        astray = self.rng.choice(4, len(stay), p=[0.2, 0.3, 0.3, 0.2])
        return np.where(self.rng.random(len(stay)) < 0.012, astray, heading)

    def add(
        self,
        cell: int,
        stay: IntArray,
        hours: FloatArray,
        text: pa.Array,
        heading: IntArray | int | None = None,
    ) -> None:
        """Add the rows of a cell, under the usual heading when none is given."""
        under = self.usual(stay) if heading is None else np.broadcast_to(heading, len(stay))
        self.rows.append(Charted(cell, stay, hours, np.asarray(under), text))

    def number(
        self,
        cell: int,
        stay: IntArray,
        hours: FloatArray,
        values: FloatArray,
        kept: BoolArray | float,
        wrong: tuple[float, ...] = (),
    ) -> None:
        """Add numbers where kept; a few are wrong, one in six hundred is a word."""
        chosen = kept if isinstance(kept, np.ndarray) else self.rng.random(len(stay)) < kept
        stay, hours, values = stay[chosen], hours[chosen], values[chosen]
        n = len(stay)
        if wrong:
            slip = self.rng.random(n) < 0.0012
            values = np.where(slip, self.rng.choice(np.array(wrong), n), values)
        word = np.where(self.rng.random(n) < 0.0016, self.rng.integers(0, len(_WORDS), n), -1)
        text = pc.coalesce(words(_WORDS, word), typed(values))
        self.add(cell, stay, hours, text)

    def columns(self) -> dict[str, Any]:
        """Return the columns of nursecharting, in order of stay and time.

        About one row in a hundred and fifty is charted twice, one in a hundred entered a day late.
        """
        rng = self.rng
        stay = np.concatenate([each.stay for each in self.rows])
        offset = minutes(np.concatenate([each.hours for each in self.rows]))
        heading = np.concatenate([each.heading for each in self.rows])
        cell = np.repeat([each.cell for each in self.rows], [len(each.stay) for each in self.rows])
        text = pa.concat_arrays([each.text for each in self.rows])
        index = np.concatenate(
            [np.arange(len(stay)), np.flatnonzero(rng.random(len(stay)) < 0.006)]
        )
        index = index[np.lexsort((cell[index], offset[index], stay[index]))]
        stay, offset = stay[index], offset[index]
        n = len(index)
        late = np.where(rng.random(n) < 0.01, rng.uniform(300, 2900, n), rng.gamma(1.1, 9.0, n))
        return {
            "nursingchartid": wide_ids(self.stays.block, n),
            "patientunitstayid": self.stays.ids(stay),
            "nursingchartoffset": shifted(offset),
            "nursingchartentryoffset": shifted(offset + late.astype(np.int64)),
            "nursingchartcelltypecat": words(HEADINGS, heading[index]),
            "nursingchartcelltypevallabel": words([c.label for c in CELLS], cell[index]),
            "nursingchartcelltypevalname": words([c.name for c in CELLS], cell[index]),
            "nursingchartvalue": text.take(pa.array(index)),
        }
