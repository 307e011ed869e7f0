# SPDX-License-Identifier: MIT
"""Laboratory results as they leave an analyser, before they are filed: numbers and words. Knows no patient's state."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from m4bench.data.synthetic.draws import FloatArray, IntArray
from m4bench.data.synthetic.mimic.analytes import FINDINGS

NO_WORD = -1
GAS_WORDS = ("ART.", "VEN.", "CENTRAL VENOUS.", "MIX.", "INTUBATED.", "NOT INTUBATED.", "INTUBATED")
EXCEPTIONS = ("___", ">150", ">20.0", "<0.01", "<0.1", "<5", ">50000", "ERROR", "UNABLE TO REPORT")
WORDS: tuple[str, ...] = tuple(
    dict.fromkeys(
        [
            *GAS_WORDS,
            *EXCEPTIONS,
            *(word for panel in FINDINGS.values() for finding in panel for word in finding.words),
        ]
    )
)
"""All results that are words; a result holds its place in them, or NO_WORD."""
WORD = {word: place for place, word in enumerate(WORDS)}
REMARKS = (
    "SPECIMEN CLOTTED.  NOTIFIED ___.",
    "HEMOLYSIS FALSELY ELEVATES THIS TEST.",
    "MODERATELY HEMOLYZED SPECIMEN.",
    "IF FASTING, 70-100 NORMAL, >125 PROVISIONAL DIABETES.",
    "VERIFIED.",
    "VERIFIED BY REPLICATE ANALYSIS.",
    "RANDOM.",
    "LIPEMIC SPECIMEN.",
    "NO CALLS MADE - NOT ARTERIAL BLOOD.",
    "MANUAL DIFFERENTIAL.",
)
REMARK = {remark: place for place, remark in enumerate(REMARKS)}


@dataclass(frozen=True)
class Results:
    """Laboratory results, arrays of one length.

    Attributes:
        patient: index of the patient.
        admission: index of the admission the result is filed under, NO_OWNER when under none.
        time: when the specimen was taken, seconds since 1970.
        specimen: number of the specimen within its own source.
        itemid: the item.
        number: the value as a number, NaN when it has none.
        word: place in WORDS of the value as text; NO_WORD: the number written out.
        remark: place in REMARKS of the comment beside the value, NO_WORD when there is none.
    """

    patient: IntArray
    admission: IntArray
    time: IntArray
    specimen: IntArray
    itemid: IntArray
    number: FloatArray
    word: IntArray
    remark: IntArray


FIELDS = ("patient", "admission", "time", "itemid", "number", "word", "remark")


def merged(parts: Sequence[Results]) -> Results:
    """Return all results as one, their specimens renumbered apart."""
    offset, specimens = 0, []
    for part in parts:
        specimens.append(part.specimen + offset)
        offset += int(part.specimen.max(initial=-1)) + 1
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in FIELDS}
    return Results(specimen=np.concatenate(specimens), **joined)
