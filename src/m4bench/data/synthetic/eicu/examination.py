# SPDX-License-Identifier: MIT
"""Table physicalexam: structured notes of physicians, one row an entry. Knows no nurse's chart.

About 33 rows a stay at full density: one examination on arrival in nine stays of ten, further ones on later
days in some hospitals.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from m4bench.data.synthetic.draws import BoolArray, FloatArray, IntArray, grid, ragged, rounded
from m4bench.data.synthetic.eicu.bedside import Bedside
from m4bench.data.synthetic.eicu.coma import coma_parts
from m4bench.data.synthetic.eicu.rows import minutes, narrow_ids, shifted, typed, words
from m4bench.data.synthetic.eicu.vocabulary import vocabulary
from m4bench.data.synthetic.elementary import exp
from m4bench.data.synthetic.physiology import RESPIRATORY
from m4bench.data.synthetic.support import ROOM_AIR, inspired_oxygen

_ROOT = "notes/Progress Notes/Physical Exam/"
_EXAM = _ROOT + "Physical Exam/"
_VITAL = _EXAM + "Constitutional/Vital Sign and Physiological Data/"
_COMA = _EXAM + "Neurologic/GCS/"
_MEASURED = (
    ("BP (systolic)", "BP (systolic)"),
    ("BP (diastolic)", "BP (diastolic)"),
    ("HR", "HR"),
    ("Resp Rate", "Resp"),
    ("O2 Sat%", "O2 Sat%"),
)
_WHICH = ("Current", "Lowest", "Highest")
_PERFORMED = ("Performed - Structured", "Not Performed", "Performed - Free Text")
_SCORED = ("scored", "unable to score due to meds", "estimated due to meds")

Entry = tuple[IntArray, pa.Array, pa.Array, pa.Array]
"""Rows of one entry: examination, path, value and text."""


def _entry(exam: IntArray, path: str, value: str, text: pa.Array | None = None) -> Entry:
    zero = np.zeros(len(exam), np.int64)
    said = words((value,), zero)
    return exam, words((f"{path}{value}",), zero), said, said if text is None else text


def _exams(rng: np.random.Generator, bedside: Bedside) -> tuple[IntArray, FloatArray]:
    """Return stay and hour of examinations: on arrival, and daily where physicians write structured notes."""
    stays = bedside.stays
    n = len(stays)
    arrival = stays.documents("notes") & (rng.random(n) < 0.95)
    first = np.flatnonzero(arrival)
    hours = np.minimum(rng.gamma(0.8, 1.6, len(first)), stays.hours[first])
    daily = arrival & (rng.random(n) < 0.2)
    start = np.where(daily, rng.uniform(8, 30, n), np.nan)
    later, at = grid(rng, start, stays.hours, np.full(n, 22.0 / stays.density), jitter=0.2)
    again = rng.random(len(first)) < 0.12 * stays.density
    at_once = np.minimum(
        hours[again] + rng.gamma(1.5, 3.0, int(again.sum())), stays.hours[first[again]]
    )
    return np.concatenate([first, first[again], later]), np.concatenate([hours, at_once, at])


def _vital_entries(
    rng: np.random.Generator, bedside: Bedside, stay: IntArray, hours: FloatArray
) -> list[Entry]:
    """Return current, lowest and highest values as the note carries them over from the monitor."""
    n = len(stay)
    exam = np.flatnonzero(rng.random(n) < 0.86)
    who, at = stay[exam], hours[exam]
    mean, pulse = bedside.mean_pressure(who, at), 45 + rng.normal(0, 6, len(exam))
    values = (
        (np.maximum(mean + 0.66 * pulse, 20), 16),
        (np.maximum(mean - 0.34 * pulse, 10), 9),
        (bedside.pulse(who, at), 10),
        (bedside.breaths(who, at), 5),
        (np.minimum(bedside.saturation(who, at), 100), 3),
    )
    rows = []
    for (folder, name), (value, spread) in zip(_MEASURED, values, strict=True):
        away = np.abs(rng.normal(0, spread, (2, len(exam))))
        kept = rng.random(len(exam)) < 0.95
        for which, shown in zip(_WHICH, (value, value - away[0], value + away[1]), strict=True):
            top = 100.0 if folder == "O2 Sat%" else 300.0
            text = typed(rounded(np.clip(shown, 0, top))[kept])
            rows.append(_entry(exam[kept], f"{_VITAL}{folder}/", f"{name} {which}", text))
    airway = bedside.airway(who, at)
    supported = (airway != ROOM_AIR) & (rng.random(len(exam)) < 0.45)
    lungs = bedside.severity(RESPIRATORY, who, at)
    percent = typed(inspired_oxygen(airway, lungs, rng.normal(size=len(exam)))[supported])
    rows.append(_entry(exam[supported], f"{_VITAL}FiO2%/", "FiO2%", percent))
    weight = f"{_EXAM}Constitutional/Weight and I&O/"
    kilograms = typed(rounded(bedside.stays.weight[who], 1))
    rows.append(_entry(exam, f"{weight}Weight (kg)/", "Admission", kilograms))
    some = rng.random(len(exam)) < 0.46
    for balance, middle in (
        ("Intake Total", 1100),
        ("Output Total", 900),
        ("Dialysis Net", 0),
        ("Total Net", 200),
    ):
        amount = rounded(middle * exp(rng.normal(0, 0.8, int(some.sum()))))
        rows.append(_entry(exam[some], f"{weight}I&&O (ml)/", balance, typed(amount)))
    return rows


def _coma_entries(
    rng: np.random.Generator, bedside: Bedside, stay: IntArray, hours: FloatArray
) -> list[Entry]:
    """Return the coma scale: by its answers, in one exam of six as a total, or that it cannot be scored."""
    n = len(stay)
    coma = coma_parts(rng, bedside, stay, hours)
    sleeps = bedside.sedated(stay, hours) > 0.3
    unable = sleeps & (rng.random(n) < 0.25)
    estimated = sleeps & ~unable & (rng.random(n) < 0.2)
    done = rng.random(n) < 0.94
    total = done & ~unable & (rng.random(n) < 0.19)
    which = np.where(unable, 1, np.where(estimated, 2, 0))
    rows = []
    for code, value in enumerate(_SCORED):
        rows.append(_entry(np.flatnonzero(done & (which == code)), f"{_COMA}Score/", value))
    parted = done & ~unable & (~total | (rng.random(n) < 0.1))
    for name, points in (("Motor", coma.motor), ("Verbal", coma.verbal), ("Eyes", coma.eyes)):
        for point in range(1, 7):
            mine = np.flatnonzero(parted & (points == point))
            rows.append(_entry(mine, f"{_COMA}{name} Score/", str(point)))
    return rows + [
        _entry(np.flatnonzero(total & (coma.total == point)), _COMA, str(point))
        for point in range(3, 16)
    ]


def _findings(
    rng: np.random.Generator, bedside: Bedside, stay: IntArray, thorough: BoolArray
) -> Entry:
    """Return the findings of thorough examinations, and a few of others."""
    found = vocabulary("findings")
    count = np.where(thorough, rng.poisson(34, len(stay)), rng.poisson(1.0, len(stay)))
    exam, _ = ragged(count)
    entry = found.choose(rng, bedside.level(), stay[exam])
    once = np.unique(exam * len(found) + entry)
    exam, entry = once // len(found), once % len(found)
    paths = [
        f"{_EXAM}{path}/{value}"
        for path, value in zip(found.column["path"], found.column["value"], strict=True)
    ]
    value = found.words("value", entry)
    return exam, words(paths, entry), value, value


def examination_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of physicalexam of a block."""
    stays = bedside.stays
    rng = stays.block.rng("physicalexam")
    stay, hours = _exams(rng, bedside)
    n = len(stay)
    performed = rng.choice(3, n, p=[0.955, 0.03, 0.015])
    everything = np.arange(n)
    rows = [
        _entry(everything[performed == code], f"{_ROOT}Physical Exam Obtain Options/", value)
        for code, value in enumerate(_PERFORMED)
    ]
    structured = np.flatnonzero(performed == 0)
    who, at = stay[structured], hours[structured]
    parts = _vital_entries(rng, bedside, who, at) + _coma_entries(rng, bedside, who, at)
    parts.append(_findings(rng, bedside, who, rng.random(len(who)) < 0.21))
    rows += [(structured[exam], path, value, text) for exam, path, value, text in parts]
    exam = np.concatenate([each[0] for each in rows])
    path, value, text = (pa.concat_arrays([each[i] for each in rows]) for i in (1, 2, 3))
    order = np.lexsort((np.arange(len(exam)), exam, hours[exam], stay[exam]))
    index, exam = pa.array(order), exam[order]
    blank = pa.array(rng.random(len(exam)) < 0.007)
    return {
        "physicalexamid": narrow_ids(stays.block, len(exam)),
        "patientunitstayid": stays.ids(stay[exam]),
        "physicalexamoffset": shifted(minutes(hours[exam])),
        "physicalexampath": path.take(index),
        "physicalexamvalue": value.take(index),
        "physicalexamtext": pc.if_else(blank, None, text.take(index)),
    }
