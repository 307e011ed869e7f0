# SPDX-License-Identifier: MIT
"""Tables infusiondrug, medication, admissiondrug and allergy. Knows no effect of a drug.

Rates follow the hidden severities; the unit of a rate stands in the drug's name, in the way of the hospital,
and is sometimes missing. About 15, 30, 3 and 1 rows a stay at full density, as in the open demo.
"""

from typing import Any

import numpy as np

from m4bench.data.synthetic.draws import FloatArray, IntArray, grid, ragged, rounded
from m4bench.data.synthetic.eicu.bedside import Bedside
from m4bench.data.synthetic.eicu.rows import (
    first_known,
    minutes,
    narrow_ids,
    shifted,
    truths,
    typed,
    words,
)
from m4bench.data.synthetic.eicu.timing import moments, shared_out
from m4bench.data.synthetic.eicu.vocabulary import vocabulary
from m4bench.data.synthetic.elementary import exp
from m4bench.data.synthetic.physiology import CIRCULATORY, RESPIRATORY

_RATE_WORDS = ("OFF", "30 Deferred", "Documentation undone", "UD")
OPEN_AFTER_DISCHARGE = 0.15
"""Share of orders that are not closed at discharge; one in seven of these runs on for more than a day."""
_PADDED = 255
"""Names of drugs taken at home are padded with blanks to this width, as in the release."""


def infusiondrug_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of infusiondrug of a block.

    Courses of a drug, read off every hour or two. Amount and volume of the bag are there for one row in
    three, the weight for one in ten; a few rates are zero or words.
    """
    stays = bedside.stays
    rng = stays.block.rng("infusiondrug")
    known = vocabulary("infusions")
    level = bedside.level()
    n = len(stays)
    need = 0.5 + 4.6 * level[:, CIRCULATORY] + 3.6 * level[:, RESPIRATORY]
    courses = rng.poisson(need * stays.documents("infusiondrug") * (rng.random(n) < 0.55))
    stay, _ = ragged(courses)
    drug = known.choose(rng, level, stay)
    start = rng.random(len(stay)) * 0.8 * stays.hours[stay] * (rng.random(len(stay)) < 0.55)
    end = np.minimum(start + exp(rng.normal(2.5, 1.0, len(stay))), stays.hours[stay])
    pace = stays.habits.pumps_every[stays.hospital[stay]]
    course, hours = grid(rng, start, end, pace / stays.density, jitter=0.4)
    stay, drug = stay[course], drug[course]
    rows = len(stay)
    sick = bedside.severity(CIRCULATORY, stay, hours)
    potent = known.organ[drug] == CIRCULATORY
    usual = known.numbers("rate")[drug] * exp(rng.normal(0, 0.35, rows))
    rate = np.where(potent, usual * exp(1.6 * (sick - 0.45)), usual)
    rate = np.where(
        rate < 1, rounded(rate, 2), np.where(rate < 30, rounded(rate, 1), rounded(rate))
    )
    rate = np.where(rng.random(rows) < 0.05, 0.0, rate)
    word = np.where(rng.random(rows) < 0.006, rng.integers(0, len(_RATE_WORDS), rows), -1)
    absent = rng.random(rows) < 0.003
    bag = rng.random(rows) < 0.4
    amount, volume = known.numbers("amount")[drug], known.numbers("volume")[drug]
    names = [
        f"{name} ({unit or ''})"
        for name, unit in zip(known.column["drug"], known.column["unit"], strict=True)
    ]
    pumped = np.where(rng.random(rows) < 0.45, rounded(rng.gamma(1.2, 12.0, rows), 1), np.nan)
    return {
        "infusiondrugid": narrow_ids(stays.block, rows),
        "patientunitstayid": stays.ids(stay),
        "infusionoffset": shifted(minutes(hours)),
        "drugname": words(names, drug),
        "drugrate": first_known(words(_RATE_WORDS, word), typed(np.where(absent, np.nan, rate))),
        "infusionrate": typed(pumped),
        "drugamount": typed(np.where(bag, amount, np.nan)),
        "volumeoffluid": typed(np.where(bag, volume, np.nan)),
        "patientweight": typed(
            np.where(rng.random(rows) < 0.105, rounded(stays.weight[stay], 1), np.nan)
        ),
    }


def _padded(texts: tuple[str | None, ...], width: int) -> list[str | None]:
    return [text.ljust(width) if text else text for text in texts]


def medication_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of medication of a block: orders, from days before admission to after discharge.

    Two names in five are missing (the interface sent a code only), one order in thirty is cancelled. The
    pharmacy closes what still runs within five hours of the discharge from the hospital, but for one order in
    seven: in the open demo two in a hundred stop more than a day after it, and about as many here.
    """
    stays = bedside.stays
    rng = stays.block.rng("medication")
    known = vocabulary("medications")
    stay = shared_out(rng, bedside, "medication", 30.0, power=0.45, spread=0.45)
    which = known.choose(rng, bedside.level(), stay)
    rows = len(stay)
    hours = moments(rng, bedside, stay, early=0.5, typical=6.0)
    before = rng.random(rows) < 0.27
    hours = np.where(before, -rng.random(rows) * np.clip(2 - stays.admitted[stay], 0, 80), hours)
    order = minutes(hours)
    start = order + rng.integers(-30, 90, rows) + (rng.random(rows) < 0.1) * 720
    stop = start + (rng.gamma(0.9, 3600.0, rows)).astype(np.int64)
    closed = minutes(np.maximum(stays.discharged, stays.hours))[stay] + rng.integers(0, 300, rows)
    kept_open = rng.random(rows) < OPEN_AFTER_DISCHARGE
    stop = np.where(kept_open, stop, np.maximum(np.minimum(stop, closed), start))
    unnamed = rng.random(rows) < 0.4
    return {
        "medicationid": narrow_ids(stays.block, rows),
        "patientunitstayid": stays.ids(stay),
        "drugorderoffset": shifted(order),
        "drugstartoffset": shifted(start),
        "drugivadmixture": known.words("admixture", which),
        "drugordercancelled": words(("No", "Yes"), (rng.random(rows) < 0.035).astype(np.int64)),
        "drugname": known.words("drug", np.where(unnamed, -1, which)),
        "drughiclseqno": np.where(
            rng.random(rows) < 0.06, -1, known.numbers("code")[which].astype(np.int64)
        ),
        "dosage": known.words("dosage", np.where(rng.random(rows) < 0.12, -1, which)),
        "routeadmin": known.words("route", which),
        "frequency": known.words("frequency", np.where(rng.random(rows) < 0.155, -1, which)),
        "loadingdose": words(_padded(("0 mg",), 100), np.where(rng.random(rows) < 0.0002, 0, -1)),
        "prn": words(("No", "Yes"), (rng.random(rows) < 0.275).astype(np.int64)),
        "drugstopoffset": shifted(stop),
        "gtc": np.where(unnamed, 0, known.numbers("group")[which].astype(np.int64)),
    }


NOTE_KINDS = (
    "Admission", "Comprehensive Progress", "Re-Admission", "Daily Progress",
    "Follow-up Consultation/Other", "Initial Consultation/Other",
)  # fmt: skip
_NOTE_SHARES = (0.6, 0.29, 0.04, 0.04, 0.02, 0.01)
_SPECIALTIES = ("eCM Primary", "critical care medicine (CCM)", "nephrology")
_WRITERS = (
    "THC Nurse", "Attending Physician", "Physician Assistant", "THC Physician", "Resident", "Nurse",
    "Nurse Practitioner", "Staff Physician", "Consultant", "Other", "Fellow",
)  # fmt: skip
_WRITER_SHARES = (0.6, 0.15, 0.06, 0.06, 0.05, 0.035, 0.02, 0.008, 0.006, 0.006, 0.005)


def _note_columns(
    rng: np.random.Generator, bedside: Bedside, stay: IntArray, prefix: str
) -> dict[str, Any]:
    """Return the columns that say in which note an entry stands, one note for all entries of a stay."""
    n, rows = len(bedside.stays), len(stay)
    first = np.minimum(rng.gamma(0.7, 4.0, n), bedside.stays.hours)
    again = rng.random(rows) < 0.28
    hours: FloatArray = np.where(again, rng.random(rows) * bedside.stays.hours[stay], first[stay])
    offset = minutes(hours) - 12
    kind = rng.choice(len(NOTE_KINDS), n, p=_NOTE_SHARES)
    writer = rng.choice(len(_WRITERS), n, p=_WRITER_SHARES)
    specialty = rng.choice(3, n, p=[0.985, 0.01, 0.005])
    return {
        f"{prefix}offset": shifted(offset),
        f"{prefix}enteredoffset": shifted(offset + rng.gamma(1.5, 22.0, n)[stay].astype(np.int64)),
        f"{prefix}notetype": words(NOTE_KINDS, kind[stay]),
        "specialtytype": words(_SPECIALTIES, specialty[stay]),
        "usertype": words(_WRITERS, writer[stay]),
        "rxincluded": truths((rng.random(n) < 0.72)[stay]),
        "writtenineicu": truths((rng.random(n) < 0.66)[stay]),
    }


def admissiondrug_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of admissiondrug of a block: what patients took at home, mostly without a dose."""
    stays = bedside.stays
    rng = stays.block.rng("admissiondrug")
    known = vocabulary("home_drugs")
    stay = shared_out(rng, bedside, "admissiondrug", 2.94, share=0.72, power=0.0, spread=0.6)
    which = known.choose(rng, bedside.level(), stay)
    rows = len(stay)
    dosed = rng.random(rows) < 0.17
    blank = len(known)
    return {
        "admissiondrugid": narrow_ids(stays.block, rows),
        "patientunitstayid": stays.ids(stay),
        **_note_columns(rng, bedside, stay, "drug"),
        "drugname": words(_padded(known.column["drug"], _PADDED), which),
        "drugdosage": np.where(dosed, known.numbers("dosage")[which], 0.0),
        "drugunit": words([*known.column["unit"], " "], np.where(dosed, which, blank)),
        "drugadmitfrequency": words(
            [*known.column["frequency"], " "], np.where(dosed, which, blank)
        ),
        "drughiclseqno": known.numbers("code")[which].astype(np.int64),
    }


def allergy_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of allergy of a block: drugs by code, everything else in free words."""
    stays = bedside.stays
    rng = stays.block.rng("allergy")
    known = vocabulary("allergies")
    stay = shared_out(rng, bedside, "allergy", 0.98, share=0.66, power=0.0, spread=0.6)
    which = known.choose(rng, bedside.level(), stay)
    codes = np.nan_to_num(known.numbers("code"), nan=-1.0)[which]
    return {
        "allergyid": narrow_ids(stays.block, len(stay)),
        "patientunitstayid": stays.ids(stay),
        **_note_columns(rng, bedside, stay, "allergy"),
        "drugname": known.words("drug", which),
        "allergytype": known.words("kind", which),
        "allergyname": known.words("name", which),
        "drughiclseqno": codes.astype(np.int64),
    }
