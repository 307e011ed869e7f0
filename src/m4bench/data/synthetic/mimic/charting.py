# SPDX-License-Identifier: MIT
"""Rows of bedside charting, gathered from all who chart and written as chartevents. Knows no item's meaning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import FloatArray, IntArray, TextArray


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
    text: TextArray | None = None

    def where(self, keep: NDArray[np.bool_]) -> "Charted":
        """Return the rows to keep."""
        return Charted(
            self.stay[keep],
            self.hours[keep],
            self.itemid[keep],
            self.number[keep],
            None if self.text is None else self.text[keep],
        )


def item_rows(
    itemid: int,
    stay: IntArray,
    hours: FloatArray,
    number: FloatArray | None = None,
    text: TextArray | None = None,
) -> Charted:
    """Return the rows of one item; without numbers they are null."""
    numbers = np.full(len(stay), np.nan) if number is None else np.asarray(number, np.float64)
    return Charted(stay, hours, np.full(len(stay), itemid), numbers, text)


def repeated(rows: Charted, chosen: NDArray[np.bool_], number: FloatArray | None = None) -> Charted:
    """Return the chosen rows a second time, with other numbers when given."""
    again = rows.where(chosen)
    if number is None:
        return again
    return Charted(again.stay, again.hours, again.itemid, number[chosen], None)


def _values(rows: Sequence[Charted]) -> pa.Array:
    """Return all values as text, numbers in their shortest form."""
    parts = []
    for each in rows:
        if each.text is None:
            numbers = pa.array(each.number, mask=np.isnan(each.number))
            parts.append(pc.cast(numbers, pa.string()))
        else:
            parts.append(pa.array(each.text, type=pa.string()))
    return pa.concat_arrays(parts)


def chart_columns(
    rng: np.random.Generator,
    cohort: Cohort,
    rows: Sequence[Charted],
    units: Mapping[int, str | None],
) -> dict[str, Any]:
    """Return the columns of chartevents, in order of patient and time.

    Charting is to the minute; most rows are stored within the hour, one in a hundred a day late, and about
    one in a hundred and fifty is charted twice.

    Args:
        rng: the stream of this table.
        cohort: the block.
        rows: what was charted; rows of silent stays are left out.
        units: unit text by item.
    """
    stays = cohort.stays
    stay = np.concatenate([each.stay for each in rows])
    hours = np.concatenate([each.hours for each in rows])
    itemid = np.concatenate([each.itemid for each in rows])
    number = np.concatenate([each.number for each in rows])
    time = stays.at(stay, hours) // 60 * 60
    twice = np.flatnonzero(rng.random(len(stay)) < 0.006)
    index = np.concatenate([np.arange(len(stay)), twice])
    index = index[~stays.silent[stay[index]]]
    order = np.lexsort((index, itemid[index], time[index], stay[index]))
    index = index[order]
    values = _values(rows).take(pa.array(index))
    stay, itemid, number, time = stay[index], itemid[index], number[index], time[index]
    n = len(stay)
    delay = np.where(rng.random(n) < 0.01, rng.uniform(600, 2900, n), rng.gamma(1.3, 12, n))
    known = np.unique(itemid)
    unit = np.array([units.get(int(i)) for i in known] + [None], dtype=object)[:-1]
    return {
        "subject_id": cohort.patients.subject_id[stays.patient[stay]],
        "hadm_id": cohort.admissions.hadm_id[stays.admission[stay]],
        "stay_id": stays.stay_id[stay],
        "caregiver_id": 1000 + (stay * 7919 + time // (12 * 3600)) % 9000,
        "charttime": time,
        "storetime": time + (delay * 60).astype(np.int64),
        "itemid": itemid,
        "value": values,
        "valuenum": number,
        "valueuom": unit[np.searchsorted(known, itemid)],
        "warning": (rng.random(n) < 0.02).astype(np.int64),
    }
