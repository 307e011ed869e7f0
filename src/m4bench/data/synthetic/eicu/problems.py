# SPDX-License-Identifier: MIT
"""Tables diagnosis, treatment, pasthistory and note: what physicians tick in their notes. Knows no measurement.

About 10, 15, 5 and 10 rows a stay at full density, as in the open demo.
"""

from typing import Any

import numpy as np

from m4bench.data.synthetic.draws import IntArray
from m4bench.data.synthetic.eicu.bedside import Bedside
from m4bench.data.synthetic.eicu.rows import (
    first_known,
    minutes,
    narrow_ids,
    shifted,
    truths,
    words,
)
from m4bench.data.synthetic.eicu.timing import moments, shared_out
from m4bench.data.synthetic.eicu.vocabulary import vocabulary

_PRIORITIES = ("Primary", "Major", "Other")
_HISTORY_NOTES = (
    "Admission", "Comprehensive Progress", "Past History Edit", "Re-Admission",
    "Follow-up Consultation/Other", "Initial Consultation/Other",
)  # fmt: skip
_HISTORY_ROOT = "notes/Progress Notes/Past History/"


def _repeats(rng: np.random.Generator, stay: IntArray, entry: IntArray) -> IntArray:
    """Return entries where about half repeat the stay's earlier entry: a list is carried from day to day."""
    previous = np.roll(entry, 1)
    same = (np.diff(stay, prepend=-1) == 0) & (rng.random(len(stay)) < 0.4)
    return np.where(same, previous, entry)


def diagnosis_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of diagnosis of a block; codes are of both revisions in one text, or missing."""
    stays = bedside.stays
    rng = stays.block.rng("diagnosis")
    known = vocabulary("problems")
    stay = shared_out(rng, bedside, "notes", 9.91, share=0.9, power=0.6, spread=0.8)
    which = _repeats(rng, stay, known.choose(rng, bedside.level(), stay))
    n = len(stay)
    first = np.diff(stay, prepend=-1) != 0
    priority = np.where(first, 0, rng.choice(3, n, p=[0.1, 0.47, 0.43]))
    active = rng.random(n) < 0.3
    return {
        "diagnosisid": narrow_ids(stays.block, n),
        "patientunitstayid": stays.ids(stay),
        "activeupondischarge": truths(active),
        "diagnosisoffset": shifted(
            minutes(moments(rng, bedside, stay, early=0.45, typical=2.5)) + 3
        ),
        "diagnosisstring": known.words("string", which),
        "icd9code": known.words("codes", which),
        "diagnosispriority": words(_PRIORITIES, priority),
    }


def treatment_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of treatment of a block."""
    stays = bedside.stays
    rng = stays.block.rng("treatment")
    known = vocabulary("treatments")
    stay = shared_out(rng, bedside, "treatment", 15.2, share=0.93, power=0.7, spread=0.9)
    which = _repeats(rng, stay, known.choose(rng, bedside.level(), stay))
    n = len(stay)
    return {
        "treatmentid": narrow_ids(stays.block, n),
        "patientunitstayid": stays.ids(stay),
        "treatmentoffset": shifted(
            minutes(moments(rng, bedside, stay, early=0.4, typical=3.0)) + 5
        ),
        "treatmentstring": known.words("string", which),
        "activeupondischarge": truths(rng.random(n) < 0.285),
    }


def pasthistory_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of pasthistory of a block: first that a history was taken, then its entries."""
    stays = bedside.stays
    rng = stays.block.rng("pasthistory")
    known = vocabulary("history")
    stay = shared_out(rng, bedside, "notes", 4.8, share=0.93, power=0.0, spread=0.5, thinned=False)
    n, count = len(stay), len(known)
    first = np.diff(stay, prepend=-1) != 0
    healthy = rng.random(n) < 0.075
    entry = known.choose(rng, bedside.level(), stay)
    entry = np.where(first, count + healthy, entry)
    values = [*known.column["value"], "Performed", "No Health Problems"]
    paths = [f"{_HISTORY_ROOT}Organ Systems/{path}" for path in known.column["path"]]
    paths += [f"{_HISTORY_ROOT}Past History Obtain Options/{value}" for value in values[count:]]
    taken = minutes(moments(rng, bedside, np.arange(len(stays)), early=0.8, typical=1.5))[stay] - 10
    kind = rng.choice(len(_HISTORY_NOTES), len(stays), p=[0.6, 0.29, 0.055, 0.03, 0.016, 0.009])
    return {
        "pasthistoryid": narrow_ids(stays.block, n),
        "patientunitstayid": stays.ids(stay),
        "pasthistoryoffset": shifted(taken),
        "pasthistoryenteredoffset": shifted(
            taken + rng.gamma(1.5, 15.0, len(stays))[stay].astype(np.int64)
        ),
        "pasthistorynotetype": words(_HISTORY_NOTES, kind[stay]),
        "pasthistorypath": words(paths, entry),
        "pasthistoryvalue": words(values, entry),
        "pasthistoryvaluetext": words(values, entry),
    }


def note_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of note of a block: structured entries, never sentences about a person."""
    stays = bedside.stays
    rng = stays.block.rng("note")
    known = vocabulary("notes")
    stay = shared_out(rng, bedside, "notes", 9.83, share=0.95, power=0.25, spread=0.5)
    which = known.choose(rng, bedside.level(), stay)
    n = len(stay)
    offset = minutes(moments(rng, bedside, stay, early=0.75, typical=1.6)) - 8
    paths = [
        f"notes/{path}/{value}"
        for path, value in zip(known.column["path"], known.column["value"], strict=True)
    ]
    text = first_known(known.words("text", which), known.words("value", which))
    return {
        "noteid": narrow_ids(stays.block, n),
        "patientunitstayid": stays.ids(stay),
        "noteoffset": shifted(offset),
        "noteenteredoffset": shifted(offset + rng.gamma(1.5, 18.0, n).astype(np.int64)),
        "notetype": known.words("kind", which),
        "notepath": words(paths, which),
        "notevalue": known.words("value", which),
        "notetext": text,
    }
