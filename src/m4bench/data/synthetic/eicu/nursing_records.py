# SPDX-License-Identifier: MIT
"""Tables nurseassessment and nursecare: assessments and care ticked shift by shift. Knows no measurement.

One hospital in twenty fills them, and then at length: hundreds of rows a stay, which makes about 36 and 17 a
stay of the whole network at full density, as in the open demo.
"""

from typing import Any

import numpy as np

from m4bench.data.synthetic.draws import FloatArray, IntArray
from m4bench.data.synthetic.eicu.bedside import Bedside
from m4bench.data.synthetic.eicu.rows import minutes, shifted, wide_ids, words
from m4bench.data.synthetic.eicu.timing import shared_out
from m4bench.data.synthetic.eicu.vocabulary import Vocabulary, vocabulary

_ROOT = "flowsheet|Flowsheet Cell Labels|"


def _entries(
    rng: np.random.Generator, bedside: Bedside, known: Vocabulary, mean: float, spread: float
) -> tuple[IntArray, IntArray, IntArray]:
    """Return stay, offset and entry of each row, in order; entries cluster in rounds four hours apart."""
    stays = bedside.stays
    stay = shared_out(rng, bedside, "nurseassessment", mean, power=0.6, spread=spread)
    which = known.choose(rng, bedside.level(), stay)
    hours: FloatArray = rng.random(len(stay)) * stays.hours[stay]
    starts = rng.random(len(stays)) * 4
    hours = np.floor(hours / 4) * 4 + starts[stay]
    offset = minutes(np.minimum(hours, stays.hours[stay]))
    order = np.lexsort((which, offset, stay))
    return stay[order], offset[order], which[order]


def _paths(known: Vocabulary, section: str) -> list[str]:
    columns = (known.column[name] for name in ("group", "label", "attribute"))
    return [
        f"{_ROOT}{section}|{group}|{label}|{attribute}"
        for group, label, attribute in zip(*columns, strict=True)
    ]


def nurseassessment_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of nurseassessment of a block."""
    rng = bedside.stays.block.rng("nurseassessment")
    known = vocabulary("assessments")
    stay, offset, which = _entries(rng, bedside, known, 36.3, 0.35)
    n = len(stay)
    return {
        "nurseassessid": wide_ids(bedside.stays.block, n),
        "patientunitstayid": bedside.stays.ids(stay),
        "nurseassessoffset": shifted(offset),
        "nurseassessentryoffset": shifted(offset + rng.gamma(1.1, 50.0, n).astype(np.int64)),
        "cellattributepath": words(_paths(known, "Nursing Assessment"), which),
        "celllabel": known.words("label", which),
        "cellattribute": known.words("attribute", which),
        "cellattributevalue": known.words("value", which),
    }


def nursecare_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of nursecare of a block."""
    rng = bedside.stays.block.rng("nursecare")
    known = vocabulary("care")
    stay, offset, which = _entries(rng, bedside, known, 16.7, 0.4)
    n = len(stay)
    return {
        "nursecareid": wide_ids(bedside.stays.block, n),
        "patientunitstayid": bedside.stays.ids(stay),
        "celllabel": known.words("label", which),
        "nursecareoffset": shifted(offset),
        "nursecareentryoffset": shifted(offset + rng.gamma(1.1, 50.0, n).astype(np.int64)),
        "cellattributepath": words(_paths(known, "Nursing Care"), which),
        "cellattribute": known.words("attribute", which),
        "cellattributevalue": known.words("value", which),
    }
