# SPDX-License-Identifier: MIT
"""Rows of bedside charting, gathered from all who chart and written as chartevents. Knows no item's meaning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import BoolArray, FloatArray, IntArray, TextArray, rounded
from m4bench.data.synthetic.mimic.caregivers import on_duty
from m4bench.data.synthetic.tables import Columns

TWICE, CORRECTED, SLIPPED, WARNED = 0.006, 0.002, 0.0005, 0.02
"""Shares of rows that are charted twice, entered again with another number, mistyped, and marked."""


@dataclass(frozen=True)
class Charted:
    """Rows charted at the bedside, arrays of one length.

    Attributes:
        stay: index of the stay.
        hours: hours from ICU admission.
        itemid: the item.
        number: the value as a number, NaN when it has none.
        text: the value as text (None is null); when absent the number is written out.
    """

    stay: IntArray
    hours: FloatArray
    itemid: IntArray
    number: FloatArray
    text: TextArray | pa.Array | None = None

    def where(self, keep: BoolArray) -> "Charted":
        """Return the rows to keep."""
        text = self.text
        if isinstance(text, pa.Array):
            text = text.filter(pa.array(keep))
        elif text is not None:
            text = text[keep]
        return Charted(
            self.stay[keep], self.hours[keep], self.itemid[keep], self.number[keep], text
        )


def item_rows(
    itemid: int,
    stay: IntArray,
    hours: FloatArray,
    number: FloatArray | None = None,
    text: TextArray | pa.Array | None = None,
) -> Charted:
    """Return the rows of one item; without numbers they are null."""
    numbers = np.full(len(stay), np.nan) if number is None else np.asarray(number, np.float64)
    return Charted(stay, hours, np.full(len(stay), itemid), numbers, text)


def _texts(rows: Sequence[Charted], number: FloatArray, index: IntArray) -> pa.Array:
    """Return the values at the given places as text, numbers in their shortest form."""
    spoken = np.concatenate([np.full(len(each.stay), each.text is not None) for each in rows])
    words = pa.concat_arrays(
        [pa.array(each.text, type=pa.string()) for each in rows if each.text is not None]
        or [pa.array([], type=pa.string())]
    )
    place = np.cumsum(spoken) - 1
    said = spoken[index]
    numbers = pc.cast(pa.array(number[~said], mask=np.isnan(number[~said])), pa.string())
    source = pa.concat_arrays([words, numbers])
    order = np.where(said, place[index], len(words) + np.cumsum(~said) - 1)
    return source.take(pa.array(order))


def _mistyped(rng: np.random.Generator, number: FloatArray) -> FloatArray:
    """Return numbers as they are mistyped: the point one place off, or two digits exchanged."""
    tens, ones = number // 10 % 10, number // 1 % 10
    kinds = [number * 10, rounded(number / 10, 3), number + 9 * (ones - tens)]
    return np.asarray(np.choose(rng.choice(3, len(number), p=[0.4, 0.3, 0.3]), kinds), np.float64)


def _recorded(
    rng: np.random.Generator, number: FloatArray, spoken: BoolArray
) -> tuple[IntArray, FloatArray, BoolArray]:
    """Return which rows are entered, their numbers, and which of them come later as corrections.

    Words are repeated, but neither mistyped nor corrected.
    """
    n = len(number)
    fate = rng.random(n)
    twice = np.flatnonzero(fate < TWICE)
    again = np.flatnonzero((fate > 1 - CORRECTED) & ~spoken & ~np.isnan(number))
    slipped = np.flatnonzero((fate > 0.5) & (fate < 0.5 + SLIPPED) & ~spoken & ~np.isnan(number))
    typed = number.copy()
    typed[slipped] = _mistyped(rng, number[slipped])
    wrong = typed[again]
    typed[again] = rounded(wrong * rng.choice([0.9, 1.1, 10.0, 0.5], len(again)), 1)
    index = np.concatenate([np.arange(n), twice, again])
    value = np.concatenate([typed, typed[twice], wrong])
    later = np.arange(len(index)) >= n + len(twice)
    return index, value, later


def chart_columns(
    rng: np.random.Generator,
    cohort: Cohort,
    rows: Sequence[Charted],
    units: Mapping[int, str | None],
) -> Columns:
    """Return the columns of chartevents, in order of patient and time.

    Charting is to the minute; most rows are stored within the hour, one in a hundred a day late. About one
    in a hundred and fifty is charted twice, one in five hundred numbers is entered wrong and then right at
    the same minute, and one in two thousand is mistyped and stays so. Nothing is charted of the dead, though
    it may be stored after death.

    Args:
        rng: the stream of this table.
        cohort: the block.
        rows: what was charted; rows of silent stays and after a death are left out.
        units: unit text by item.
    """
    stays = cohort.stays
    stay = np.concatenate([each.stay for each in rows])
    hours = np.concatenate([each.hours for each in rows])
    itemid = np.concatenate([each.itemid for each in rows])
    number = np.concatenate([each.number for each in rows])
    spoken = np.concatenate([np.full(len(each.stay), each.text is not None) for each in rows])
    time = stays.at(stay, hours) // 60 * 60
    index, number, later = _recorded(rng, number, spoken)
    kept = ~stays.silent[stay] & cohort.alive(stay, time)
    order = np.flatnonzero(kept[index])
    at = index[order]
    order = order[np.lexsort((order, itemid[at], time[at], stay[at]))]
    index, number, later = index[order], number[order], later[order]
    text = _texts(rows, number, index)
    stay, itemid, time = stay[index], itemid[index], time[index]
    n = len(stay)
    delay = np.where(rng.random(n) < 0.01, rng.uniform(600, 2900, n), rng.gamma(1.3, 12, n))
    delay = np.where(later, delay + rng.uniform(30, 300, n), delay)
    known, item = np.unique(itemid, return_inverse=True)
    unit = pa.array([units.get(int(i)) for i in known], type=pa.string())
    return {
        "subject_id": cohort.patients.subject_id[stays.patient[stay]],
        "hadm_id": cohort.admissions.hadm_id[stays.admission[stay]],
        "stay_id": stays.stay_id[stay],
        "caregiver_id": on_duty(stays.stay_id[stay], time),
        "charttime": time,
        "storetime": time + (delay * 60).astype(np.int64),
        "itemid": itemid,
        "value": text,
        "valuenum": number,
        "valueuom": unit.take(pa.array(item)),
        "warning": (rng.random(n) < WARNED).astype(np.int64),
    }
