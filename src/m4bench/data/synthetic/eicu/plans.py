# SPDX-License-Identifier: MIT
"""The care plan tables: providers, general items, goals, infections, end of life. Knows no measurement.

About 2, 13, 1.4, 0.04 and 0.006 rows a stay at full density, as in the open demo; few hospitals write goals.
"""

from typing import Any

import numpy as np

from m4bench.data.synthetic.draws import IntArray, dealt
from m4bench.data.synthetic.eicu.apache import INTERVENTIONS
from m4bench.data.synthetic.eicu.bedside import Bedside
from m4bench.data.synthetic.eicu.rows import minutes, narrow_ids, shifted, truths, words
from m4bench.data.synthetic.eicu.timing import moments, shared_out
from m4bench.data.synthetic.eicu.vocabulary import vocabulary

_SPECIALTIES = (
    "internal medicine", "cardiology", "hospitalist", "pulmonary/CCM", "family practice", "unknown",
    "surgery-general", "critical care medicine (CCM)", "pulmonary", "nephrology", "neurology",
    "surgery-cardiac", "infectious disease", "gastroenterology", "surgery-orthopedic", None,
)  # fmt: skip
_SPECIALTY_SHARES = (
    0.18, 0.1, 0.1, 0.065, 0.065, 0.055, 0.055, 0.045, 0.04, 0.03, 0.025, 0.03, 0.035, 0.04, 0.035, 0.1,
)  # fmt: skip
_STATUS = ("Active", "Progressing towards goal", "Resolved", "Deferred")
_RESPONSES = ("No change", "Improving", None)
_TREATMENTS = ("Empiric", "Directed", "Prophylactic", None)
_ASSESSMENTS = ("Definite infection", "Possible infection", "Probable infection")


def careplancareprovider_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of careplancareprovider of a block; the type of provider is never filled."""
    stays = bedside.stays
    rng = stays.block.rng("careplancareprovider")
    stay = shared_out(rng, bedside, "notes", 2.23, share=0.89, power=0.35, spread=0.6)
    n = len(stay)
    first = np.diff(stay, prepend=-1) != 0
    consulting = np.where(first, rng.random(n) < 0.12, rng.random(n) < 0.77)
    return {
        "cplcareprovderid": narrow_ids(stays.block, n),
        "patientunitstayid": stays.ids(stay),
        "careprovidersaveoffset": shifted(
            minutes(moments(rng, bedside, stay, early=0.6, typical=4.0)) - 9
        ),
        "specialty": words(_SPECIALTIES, rng.choice(len(_SPECIALTIES), n, p=_SPECIALTY_SHARES)),
        "interventioncategory": words(
            (*INTERVENTIONS, None), rng.choice(6, n, p=[0.13, 0.2, 0.21, 0.19, 0.02, 0.25])
        ),
        "managingphysician": words(("Managing", "Consulting"), consulting.astype(np.int64)),
        "activeupondischarge": truths(rng.random(n) < 0.565),
    }


def careplangeneral_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of careplangeneral of a block."""
    stays = bedside.stays
    rng = stays.block.rng("careplangeneral")
    known = vocabulary("care_plans")
    stay = shared_out(rng, bedside, "notes", 13.15, power=0.35, spread=0.45)
    which = known.choose(rng, bedside.level(), stay)
    n = len(stay)
    return {
        "cplgeneralid": narrow_ids(stays.block, n),
        "patientunitstayid": stays.ids(stay),
        "activeupondischarge": truths(rng.random(n) < 0.61),
        "cplitemoffset": shifted(minutes(moments(rng, bedside, stay, early=0.7, typical=2.2))),
        "cplgroup": known.words("group", which),
        "cplitemvalue": known.words("value", np.where(rng.random(n) < 0.03, -1, which)),
    }


def careplangoal_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of careplangoal of a block."""
    stays = bedside.stays
    rng = stays.block.rng("careplangoal")
    known = vocabulary("goals")
    stay = shared_out(rng, bedside, "careplangoal", 1.44, share=0.92, power=0.35, spread=0.35)
    which = known.choose(rng, bedside.level(), stay)
    n = len(stay)
    return {
        "cplgoalid": narrow_ids(stays.block, n),
        "patientunitstayid": stays.ids(stay),
        "cplgoaloffset": shifted(minutes(moments(rng, bedside, stay, early=0.15, typical=4.0))),
        "cplgoalcategory": known.words("category", which),
        "cplgoalvalue": known.words("value", np.where(rng.random(n) < 0.41, -1, which)),
        "cplgoalstatus": words(_STATUS, rng.choice(4, n, p=[0.83, 0.095, 0.06, 0.015])),
        "activeupondischarge": truths(rng.random(n) < 0.31),
    }


def careplaninfectiousdisease_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of careplaninfectiousdisease of a block."""
    stays = bedside.stays
    rng = stays.block.rng("careplaninfectiousdisease")
    known = vocabulary("infections")
    stay = shared_out(rng, bedside, "careplaninfectiousdisease", 0.0445, power=0.0, spread=0.3)
    which = known.choose(rng, bedside.level(), stay)
    n = len(stay)
    return {
        "cplinfectid": narrow_ids(stays.block, n),
        "patientunitstayid": stays.ids(stay),
        "activeupondischarge": truths(rng.random(n) < 0.56),
        "cplinfectdiseaseoffset": shifted(
            minutes(moments(rng, bedside, stay, early=0.3, typical=5.0))
        ),
        "infectdiseasesite": known.words("site", which),
        "infectdiseaseassessment": words(_ASSESSMENTS, rng.choice(3, n, p=[0.85, 0.09, 0.06])),
        "responsetotherapy": words(_RESPONSES, rng.choice(3, n, p=[0.06, 0.02, 0.92])),
        "treatment": words(_TREATMENTS, rng.choice(4, n, p=[0.36, 0.18, 0.02, 0.44])),
    }


def careplaneol_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of careplaneol of a block: mostly those who will die."""
    stays = bedside.stays
    rng = stays.block.rng("careplaneol")
    likely = np.where(stays.dies_here | stays.dies_later, 0.045, 0.001)
    stay: IntArray = np.flatnonzero(stays.charted & (rng.random(len(stays)) < likely))
    n = len(stay)
    discussed = np.where(rng.random(n) < 0.8, 0, rng.integers(-1100, 3000, n))
    return {
        "cpleolid": narrow_ids(stays.block, n),
        "patientunitstayid": stays.ids(stay),
        "cpleolsaveoffset": shifted(minutes(rng.random(n) * stays.hours[stay])),
        "cpleoldiscussionoffset": shifted(discussed),
        "activeupondischarge": truths(dealt(rng, [0.15, 0.85], n)),
    }
