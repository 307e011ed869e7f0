# SPDX-License-Identifier: MIT
"""Laboratory results written as labevents: identifiers, units, ranges, flags. Knows no physiology."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from m4bench.data.synthetic.cohort import NO_OWNER, Cohort
from m4bench.data.synthetic.draws import FloatArray, IntArray, TextArray, when
from m4bench.data.synthetic.mimic.analytes import PANELS
from m4bench.data.synthetic.mimic.labs import Results

RANGES = {a.itemid: a.normal for panel in PANELS.values() for a in panel}


def _looked_up(keys: IntArray, values: Mapping[int, float]) -> FloatArray:
    """Return the value of each key, NaN when it has none."""
    known = np.unique(keys)
    found = np.array([values.get(int(key), np.nan) for key in known])
    return found[np.searchsorted(known, keys)]


def _merged(parts: Sequence[Results]) -> Results:
    """Return all results as one, their specimens renumbered apart."""
    offset, specimens = 0, []
    for part in parts:
        specimens.append(part.specimen + offset)
        offset += int(part.specimen.max(initial=-1)) + 1
    joined = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in ("patient", "admission", "time", "itemid", "number", "text", "comment")
    }
    return Results(specimen=np.concatenate(specimens), **joined)


def lab_columns(
    rng: np.random.Generator,
    cohort: Cohort,
    parts: Sequence[Results],
    units: Mapping[int, str | None],
    first: int,
) -> dict[str, Any]:
    """Return the columns of labevents of a block, in order of patient and time.

    Results are stored within the hour or two, one in fifty a day late; one row in three hundred is not stored
    at all. `first` is the first row number; specimens are numbered from ten times it.
    """
    merged = _merged(parts)
    order = np.lexsort((merged.itemid, merged.specimen, merged.time, merged.patient))
    patient, admission, time = merged.patient[order], merged.admission[order], merged.time[order]
    itemid, number, specimen = merged.itemid[order], merged.number[order], merged.specimen[order]
    text: TextArray = merged.text[order]
    n = len(order)
    written = pc.cast(pa.array(number, mask=np.isnan(number)), pa.string())
    value = pc.coalesce(pa.array(text, type=pa.string()), written)
    low = _looked_up(itemid, {item: normal[0] for item, normal in RANGES.items()})
    high = _looked_up(itemid, {item: normal[1] for item, normal in RANGES.items()})
    abnormal = (number < low) | (number > high)
    known = np.unique(itemid)
    unit = np.array([units.get(int(i)) for i in known] + [None], dtype=object)[:-1]
    delay = np.where(rng.random(n) < 0.02, rng.uniform(600, 2900, n), rng.gamma(2.0, 30, n) + 5)
    shuffled = rng.permutation(int(specimen.max(initial=-1)) + 1)
    return {
        "labevent_id": first + np.arange(n),
        "subject_id": cohort.patients.subject_id[patient],
        "hadm_id": np.where(
            admission == NO_OWNER, NO_OWNER, np.append(cohort.admissions.hadm_id, 0)[admission]
        ),
        "specimen_id": first + shuffled[specimen],
        "itemid": itemid,
        "charttime": time,
        "storetime": time + (delay * 60).astype(np.int64),
        "value": value,
        "valuenum": number,
        "valueuom": unit[np.searchsorted(known, itemid)],
        "ref_range_lower": low,
        "ref_range_upper": high,
        "flag": when(abnormal, "abnormal"),
        "priority": np.where(rng.random(n) < 0.4, "STAT", "ROUTINE").astype(object),
        "comments": merged.comment[order],
    }
