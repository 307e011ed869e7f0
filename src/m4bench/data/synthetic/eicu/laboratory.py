# SPDX-License-Identifier: MIT
"""Tables lab, customlab and microlab: results by panel, from the hidden severities. Knows no bedside chart.

Middles, spreads and units of analytes are textbook ones for an ICU (`vocabulary/analytes.csv`, one coefficient
an organ); about 170 rows a stay at full density, as published for the open demo.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from m4bench.data.synthetic.draws import FloatArray, IntArray, grid, ragged, rounded
from m4bench.data.synthetic.eicu.bedside import Bedside
from m4bench.data.synthetic.eicu.rows import (
    first_known,
    minutes,
    narrow_ids,
    shifted,
    typed,
    wide_ids,
    words,
)
from m4bench.data.synthetic.eicu.vocabulary import Vocabulary, vocabulary
from m4bench.data.synthetic.elementary import exp
from m4bench.data.synthetic.physiology import CIRCULATORY, HEPATIC, ORGANS, RENAL, RESPIRATORY

_TENS = np.array([1.0, 10.0, 100.0, 1000.0])
_REMARKS = ("<0.1", ">500", "see comment", "hemolyzed", "QNS", "Clotted", "<5.0", "CANCELED")


class Panel(NamedTuple):
    """Analytes ordered together: hours between two drawings in health, and the organ that hastens them."""

    name: str
    every: float
    organ: int | None
    share: float


PANELS = (
    Panel("chemistry", 10.5, RENAL, 0.97),
    Panel("blood count", 13.5, CIRCULATORY, 0.96),
    Panel("differential", 24.0, None, 0.66),
    Panel("liver", 32.0, HEPATIC, 0.62),
    Panel("coagulation", 34.0, HEPATIC, 0.55),
    Panel("gas", 21.0, RESPIRATORY, 0.42),
    Panel("lactate", 30.0, CIRCULATORY, 0.3),
    Panel("cardiac", 22.0, None, 0.4),
    Panel("bedside", 5.0, None, 0.62),
    Panel("urine", 90.0, None, 0.4),
    Panel("other", 60.0, None, 0.4),
)


def analytes() -> Vocabulary:
    """Return all analytes."""
    return vocabulary("analytes")


@cache
def _coefficients() -> FloatArray:
    return np.stack([analytes().numbers(organ) for organ in ORGANS], axis=1)


@cache
def analyte(name: str) -> int:
    """Return the index of an analyte."""
    return analytes().column["name"].index(name)


def result(
    rng: np.random.Generator, bedside: Bedside, stay: IntArray, hours: FloatArray, which: IntArray
) -> FloatArray:
    """Return the result of an analyte for each row: what is the patient's own, what is ill, and the assay."""
    known = analytes()
    severity = np.stack(
        [bedside.severity(organ, stay, hours) for organ in range(len(ORGANS))], axis=1
    )
    # one standing deviation a stay and analyte, in all of its results; tails are heavier than normal
    own = bedside.stays.block.rng("own results").normal(size=(len(bedside.stays), len(known)))
    noise = 0.8 * own[stay, which] + 0.55 * rng.normal(size=len(stay))
    noise = noise + 0.06 * noise * noise * noise
    raw = known.numbers("base")[which] + known.numbers("spread")[which] * noise
    raw = raw + (severity * _coefficients()[which]).sum(axis=1)
    value = np.where(known.numbers("log")[which] == 1, exp(np.clip(raw, -9, 12)), raw)
    value = np.clip(value, known.numbers("low")[which], known.numbers("high")[which])
    places = known.numbers("places")[which].astype(np.int64)
    return np.asarray(np.round(value * _TENS[places]) / _TENS[places])


def _drawings(
    rng: np.random.Generator, bedside: Bedside, panel: Panel
) -> tuple[IntArray, FloatArray]:
    """Return stay and hour of a panel's drawings; the first often in the emergency room or on the ward."""
    stays = bedside.stays
    n = len(stays)
    ill = bedside.level()[:, panel.organ] if panel.organ is not None else np.full(n, 0.2)
    ordered = stays.charted & (rng.random(n) < panel.share + 0.3 * (ill - 0.2))
    before = np.minimum(np.maximum(-stays.admitted, 0.0), rng.gamma(1.0, 9.0, n))
    start = np.where(rng.random(n) < 0.6, -before, rng.gamma(1.2, 2.5, n))
    step = panel.every * exp(-1.1 * (ill - 0.2)) / stays.density
    return grid(
        rng, np.where(ordered, start, np.nan), np.maximum(stays.hours, 0.3), step, jitter=0.3
    )


def lab_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of lab of a block.

    One result in seventy is revised later, one in two hundred words without a number, one in two hundred
    filed twice.
    """
    stays = bedside.stays
    rng = stays.block.rng("lab")
    known = analytes()
    parts = []
    for panel in PANELS:
        stay, hours = _drawings(rng, bedside, panel)
        members = known.where("panel", panel.name)
        share = known.numbers("share")[members]
        kept = rng.random((len(stay), len(members))) < share
        row, column = np.nonzero(kept)
        parts.append((stay[row], hours[row], members[column]))
    stay, hours, which = (np.concatenate([part[i] for part in parts]) for i in range(3))
    value = result(rng, bedside, stay, hours, which)
    twice = np.flatnonzero(rng.random(len(stay)) < 0.005)
    order = np.concatenate([np.arange(len(stay)), twice])
    offset = minutes(hours)
    order = order[np.lexsort((which[order], offset[order], stay[order]))]
    stay, which, value, offset = stay[order], which[order], value[order], offset[order]
    n = len(order)
    value = np.where(rng.random(n) < 0.0004, value * 10, value)
    remark = np.where(rng.random(n) < 0.005, rng.integers(0, len(_REMARKS), n), -1)
    value = np.where(remark >= 0, np.nan, value)
    took = rng.gamma(1.3, 40.0, n) + np.where(rng.random(n) < 0.014, rng.uniform(600, 6000, n), 0)
    return {
        "labid": wide_ids(stays.block, n),
        "patientunitstayid": stays.ids(stay),
        "labresultoffset": shifted(offset),
        "labtypeid": known.numbers("kind")[which].astype(np.int64),
        "labname": known.words("name", which),
        "labresult": value,
        "labresulttext": first_known(words(_REMARKS, remark), typed(value)),
        "labmeasurenamesystem": known.words("unit", which),
        "labmeasurenameinterface": known.words("interface", which),
        "labresultrevisedoffset": shifted(offset + took.astype(np.int64)),
    }


def customlab_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of customlab of a block: results that the interface has no name for."""
    stays = bedside.stays
    rng = stays.block.rng("customlab")
    known = vocabulary("custom_results")
    n = len(stays)
    few = stays.documents("customlab") & (rng.random(n) < 0.12)
    stay, _ = ragged(np.where(few, rng.integers(2, 5, n), 0))
    which = known.choose(rng, bedside.level(), stay)
    offset = minutes(rng.random(len(stay)) * stays.hours[stay])
    value = rounded(known.numbers("middle")[which] * exp(rng.normal(0, 0.3, len(stay))), 2)
    return {
        "customlabid": narrow_ids(stays.block, len(stay)),
        "patientunitstayid": stays.ids(stay),
        "labotheroffset": shifted(offset),
        "labothertypeid": known.numbers("kind")[which].astype(np.int64),
        "labothername": known.words("name", which),
        "labotherresult": value,
        "labothervaluetext": first_known(known.words("text", which), typed(value)),
    }


_SENSITIVITY = ("Sensitive", "Resistant", "Intermediate")


def microlab_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of microlab of a block: cultures, and the antibiotics tested when something grew."""
    stays = bedside.stays
    rng = stays.block.rng("microlab")
    sites, drugs = vocabulary("cultures"), vocabulary("tested_antibiotics")
    n = len(stays)
    few = stays.documents("microlab") & (rng.random(n) < 0.85)
    stay, _ = ragged(np.where(few, 1 + rng.poisson(2.8 * np.sqrt(stays.density), n), 0))
    which = sites.choose(rng, bedside.level(), stay)
    offset = minutes(rng.uniform(-20, 1, len(stay)) + rng.random(len(stay)) * stays.hours[stay])
    grew = sites.numbers("grows")[which] == 1
    row, _ = ragged(
        np.where(grew & (rng.random(len(stay)) < 0.45), rng.integers(1, 6, len(stay)), 1)
    )
    tested = rng.integers(0, len(drugs), len(row))
    alone = ~grew[row] | (np.bincount(row, minlength=len(stay))[row] == 1)
    outcome = np.where(alone, -1, rng.choice(3, len(row), p=[0.88, 0.1, 0.02]))
    return {
        "microlabid": narrow_ids(stays.block, len(row)),
        "patientunitstayid": stays.ids(stay[row]),
        "culturetakenoffset": shifted(offset[row]),
        "culturesite": sites.words("site", which[row]),
        "organism": sites.words("organism", which[row]),
        "antibiotic": drugs.words("drug", np.where(alone, -1, tested)),
        "sensitivitylevel": words(_SENSITIVITY, outcome),
    }
