# SPDX-License-Identifier: MIT
"""Laboratory results written as labevents: identifiers, units, ranges, flags. Knows no physiology."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from m4bench.data.synthetic.cohort import NO_OWNER, Cohort
from m4bench.data.synthetic.draws import FloatArray, IntArray
from m4bench.data.synthetic.mimic.analytes import FINDINGS, PANELS
from m4bench.data.synthetic.mimic.providers import ordering_providers
from m4bench.data.synthetic.mimic.results import NO_WORD, REMARKS, WORD, WORDS, Results, merged
from m4bench.data.synthetic.mimic.words import worded
from m4bench.data.synthetic.tables import NO_ID, NO_TIME

RANGES: dict[int, tuple[float, float]] = {
    analyte.itemid: analyte.normal
    for panel in PANELS.values()
    for analyte in panel
    if analyte.normal != (0, 0)
} | {
    # pH, pCO2, pO2, lactate, free calcium, potassium, sodium, chloride, glucose of a gas
    50820: (7.35, 7.45),
    50818: (35, 45),
    50821: (85, 105),
    50813: (0.5, 2.0),
    50808: (1.12, 1.32),
    50822: (3.3, 5.1),
    50824: (133, 145),
    50806: (96, 108),
    50809: (70, 105),
}
_USUAL = {finding.itemid: finding.words[0] for panel in FINDINGS.values() for finding in panel}
NEVER_STORED, STORED_LATE = 0.008, 0.02


def _looked_up(keys: IntArray, values: Mapping[int, float]) -> FloatArray:
    """Return the value of each key, NaN when it has none."""
    known = np.unique(keys)
    found = np.array([values.get(int(key), np.nan) for key in known], dtype=np.float64)
    return found[np.searchsorted(known, keys)]


def _flagged(results: Results, low: FloatArray, high: FloatArray) -> pa.Array:
    """Return `abnormal` where a number is out of range or a word is not the usual one."""
    outside = (results.number < low) | (results.number > high)
    usual = _looked_up(results.itemid, {item: WORD[word] for item, word in _USUAL.items()})
    unusual = (results.word != NO_WORD) & ~np.isnan(usual) & (results.word != usual)
    return worded((None, "abnormal"), (outside | unusual).astype(np.int64))


def _stored(rng: np.random.Generator, time: IntArray) -> IntArray:
    """Return when results are stored: within an hour or two, a few a day late, a few never."""
    n = len(time)
    late = rng.random(n) < STORED_LATE
    delay = np.where(late, rng.uniform(600, 2900, n), rng.gamma(2.0, 33, n) + 3)
    stored = time + (delay * 60).astype(np.int64) // 60 * 60
    return np.where(rng.random(n) < NEVER_STORED, NO_TIME, stored)


def lab_columns(
    rng: np.random.Generator,
    cohort: Cohort,
    parts: Sequence[Results],
    units: Mapping[int, str | None],
    first: int,
) -> dict[str, Any]:
    """Return the columns of labevents of a block, in order of patient and time.

    Results are stored within the hour or two, one in fifty a day late; one row in a hundred or so is not
    stored at all. `first` is the first row number, and that of specimens too.
    """
    every = merged(parts)
    order = np.lexsort((every.itemid, every.specimen, every.time, every.patient))
    results = Results(**{name: getattr(every, name)[order] for name in Results.__annotations__})
    n = len(order)
    number = pa.array(results.number, mask=np.isnan(results.number))
    words = worded((None, *WORDS), results.word + 1)
    value = pc.coalesce(words, pc.cast(number, pa.string()))
    low = _looked_up(results.itemid, {item: normal[0] for item, normal in RANGES.items()})
    high = _looked_up(results.itemid, {item: normal[1] for item, normal in RANGES.items()})
    known = np.unique(results.itemid)
    unit = worded([units.get(int(i)) for i in known], np.searchsorted(known, results.itemid))
    specimens = int(results.specimen.max(initial=-1)) + 1
    shuffled = rng.permutation(specimens)
    filed = results.admission != NO_OWNER
    owners = np.append(cohort.admissions.hadm_id, NO_ID)
    priority = rng.choice(3, specimens, p=[0.53, 0.38, 0.09])[results.specimen]
    return {
        "labevent_id": first + np.arange(n),
        "subject_id": cohort.patients.subject_id[results.patient],
        "hadm_id": np.where(filed, owners[results.admission], NO_ID),
        "specimen_id": first + shuffled[results.specimen],
        "itemid": results.itemid,
        "order_provider_id": ordering_providers(results.patient, results.specimen, share=0.16),
        "charttime": results.time,
        "storetime": _stored(rng, results.time),
        "value": value,
        "valuenum": results.number,
        "valueuom": unit,
        "ref_range_lower": low,
        "ref_range_upper": high,
        "flag": _flagged(results, low, high),
        "priority": worded(("STAT", "ROUTINE", None), priority),
        "comments": worded((None, *REMARKS), results.remark + 1),
    }
