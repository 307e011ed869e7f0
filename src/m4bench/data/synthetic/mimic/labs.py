# SPDX-License-Identifier: MIT
"""The central laboratory: which panels are asked for of a draw, and what comes back. Knows no blood gas.

Every result follows the hidden state at the time of the draw, what the patient lives with, and the
disturbances of the stay; what belongs together (anion gap, red cell indices, white cells and their parts, the
bilirubins) adds up. Missing panels, words, haemolysis and repeated items come at ordinary rates.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import BoolArray, FloatArray, IntArray, rounded
from m4bench.data.synthetic.elementary import exp, power
from m4bench.data.synthetic.mimic.analytes import (
    ANION_GAP,
    BICARBONATE,
    BILIRUBIN,
    BILIRUBIN_DIRECT,
    BILIRUBIN_INDIRECT,
    CHLORIDE,
    CREATININE,
    FINDINGS,
    HEMATOCRIT,
    HEMOGLOBIN,
    LIVING,
    MCH,
    MCHC,
    MCV,
    NEUTROPHILS,
    OPTIONAL,
    PANELS,
    PLATELETS,
    POTASSIUM,
    RED_CELLS,
    RESPONSES,
    SODIUM,
    WHITE_CELLS,
    Analyte,
)
from m4bench.data.synthetic.mimic.comorbidity import Conditions
from m4bench.data.synthetic.mimic.disturbances import Disturbances
from m4bench.data.synthetic.mimic.draws_of_blood import BloodDraws, draw_blood
from m4bench.data.synthetic.mimic.results import NO_WORD, REMARK, WORD, Results
from m4bench.data.synthetic.mimic.specimen_faults import noted
from m4bench.data.synthetic.physiology import HEPATIC

KINSHIP = 0.88
"""Correlation of the offsets of kindred analytes."""
TUBES = {
    "chemistry": 0, "hepatic": 0, "cardiac": 0, "minerals": 0, "seldom": 0,
    "count": 1, "differential": 1, "coagulation": 2, "urine": 3,
}  # fmt: skip
"""Which panels are run from one specimen of a draw: serum, whole blood, citrate, urine."""
TOGETHER = {BILIRUBIN_INDIRECT: BILIRUBIN_DIRECT}
"""Items that are told with another one, which comes just before them in the panel."""
_PERCENTAGES = (51244, 51254, 51200, 51146, 51144, 51251, 51143)
"""Lymphocytes, monocytes, eosinophils, basophils, bands, metamyelocytes, atypical lymphocytes."""
_ABSOLUTE = {
    52075: (51256, 1.0), 51133: (51244, 1.0), 52769: (51244, 1000.0), 52074: (51254, 1.0),
    51253: (51254, 1000.0), 52073: (51200, 1.0), 51199: (51200, 1000.0), 52069: (51146, 1.0),
    51218: (51256, 1000.0),
}  # fmt: skip
"""Absolute counts: the percentage they follow, and how many of their unit make K/µL."""


@dataclass(frozen=True)
class Influences:
    """What moves a value besides chance, at each draw.

    Attributes:
        severity: organ severities, shape (draws, 6).
        depth: depth of each disturbance and crisis of RESPONSES, by name, shape (draws,).
        weight: how strongly each patient's lasting conditions tell, by name of LIVING, shape (patients,).
    """

    severity: FloatArray
    depth: Mapping[str, FloatArray]
    weight: Mapping[str, FloatArray]

    def shift(self, analyte: Analyte, drawn: IntArray, patient: IntArray) -> FloatArray:
        """Return the change of an analyte at the given draws, in its unit or in logarithms."""
        moved = np.zeros(len(drawn))
        # Summed one by one: a matrix product adds up in another order on another machine.
        for organ, effect in enumerate(analyte.effects):
            if effect:
                moved = moved + effect * self.severity[drawn, organ]
        for name, answers in RESPONSES.items():
            if analyte.itemid in answers:
                moved = moved + answers[analyte.itemid] * self.depth[name][drawn]
        for name, answers in LIVING.items():
            if analyte.itemid in answers:
                moved = moved + answers[analyte.itemid] * self.weight[name][patient]
        return np.asarray(moved, dtype=np.float64)


def _influences(
    rng: np.random.Generator,
    cohort: Cohort,
    draws: BloodDraws,
    conditions: Conditions,
    disturbed: Disturbances,
) -> Influences:
    people = len(cohort.patients.subject_id)
    return Influences(
        severity=draws.severities(cohort),
        depth={name: disturbed.at(cohort, name, draws.stay, draws.hours) for name in RESPONSES},
        weight={
            name: np.where(conditions.lives_with(name), rng.gamma(2.2, 0.45, people), 0.0)
            for name in LIVING
        },
    )


def _ordered(
    rng: np.random.Generator, cohort: Cohort, draws: BloodDraws, liver: FloatArray, density: float
) -> dict[str, BoolArray]:
    """Return for each panel which draws carry it; some stays never have a liver or coagulation panel."""
    n = len(draws.time)
    without = rng.random((len(cohort.stays) + 1, 2)) < np.array([0.14, 0.08])
    without[-1] = False
    sick = liver > 0.25
    chance = rng.random((n, 9))
    chemistry = chance[:, 0] < 0.96
    count = chance[:, 1] < 0.88
    fewer = float(power(density, 0.45))
    return {
        "chemistry": chemistry,
        "count": count,
        "differential": count & (chance[:, 2] < 0.33 * fewer),
        "hepatic": (chance[:, 3] < np.where(sick, 0.8, 0.38) * fewer) & ~without[draws.stay, 0],
        "coagulation": (chance[:, 4] < np.where(sick, 0.8, 0.5) * fewer) & ~without[draws.stay, 1],
        "cardiac": chance[:, 5] < 0.12 * fewer,
        "minerals": chemistry & (chance[:, 6] < 0.9),
        "seldom": chance[:, 7] < 0.16 * fewer,
        "urine": chance[:, 8] < 0.1 * fewer,
    }


class _Kin:
    """Offsets that kindred analytes share: one a patient, and one a draw."""

    def __init__(self, rng: np.random.Generator, people: int, draws: int) -> None:
        self._rng, self._people, self._draws = rng, people, draws
        self._shared: dict[str, tuple[FloatArray, FloatArray]] = {}

    def offsets(self, kin: str) -> tuple[FloatArray, FloatArray]:
        """Return standard normal offsets of every patient and of every draw."""
        own = self._rng.normal(0, 1, self._people)
        within = self._rng.normal(0, 1, self._draws)
        if not kin:
            return np.clip(own, -2.7, 2.7), within
        if kin not in self._shared:
            self._shared[kin] = own, within
        shared, near = self._shared[kin]
        apart = (1 - KINSHIP**2) ** 0.5
        return np.clip(KINSHIP * shared + apart * own, -2.7, 2.7), KINSHIP * near + apart * within


def _value(analyte: Analyte, shift: FloatArray, spread: FloatArray) -> FloatArray:
    """Return values within the analyser's bounds, not yet rounded."""
    value = analyte.base * exp(shift + spread) if analyte.log else analyte.base + shift + spread
    return np.asarray(np.clip(value, analyte.low, analyte.high), dtype=np.float64)


def _add_up(values: dict[int, FloatArray]) -> None:
    """Make what belongs together agree: arrays over all draws, changed in place."""
    cations = values[SODIUM] + values[POTASSIUM]
    chloride = cations - values[BICARBONATE] - values[ANION_GAP]
    values[CHLORIDE] = np.clip(chloride, 68, 140)
    values[HEMOGLOBIN] = values[HEMATOCRIT] * values[MCHC] / 100
    values[RED_CELLS] = values[HEMATOCRIT] * 10 / values[MCV]
    values[MCH] = values[HEMOGLOBIN] * 10 / values[RED_CELLS]
    values[BILIRUBIN_DIRECT] = np.minimum(values[BILIRUBIN_DIRECT], values[BILIRUBIN])
    values[BILIRUBIN_INDIRECT] = values[BILIRUBIN] - values[BILIRUBIN_DIRECT]
    parts = sum(values[item] for item in _PERCENTAGES)
    room = np.clip(100 - parts, 0, 98)
    lacking = values[NEUTROPHILS] < 40
    values[NEUTROPHILS] = np.where(lacking, np.minimum(values[NEUTROPHILS], room), room)
    for absolute, (percentage, unit) in _ABSOLUTE.items():
        values[absolute] = values[WHITE_CELLS] * values[percentage] / 100 * unit


def _values(
    rng: np.random.Generator, cohort: Cohort, draws: BloodDraws, moved: Influences
) -> dict[int, FloatArray]:
    """Return the value each analyte has at each draw, by item, whether or not it is asked for."""
    kin = _Kin(rng, len(cohort.patients.subject_id), len(draws.time))
    every = np.arange(len(draws.time))
    values = {}
    for analytes in PANELS.values():
        for analyte in analytes:
            own, within = kin.offsets(analyte.kin)
            spread = analyte.between * own[draws.patient] + analyte.within * within
            values[analyte.itemid] = _value(
                analyte, moved.shift(analyte, every, draws.patient), spread
            )
    _add_up(values)
    return values


@dataclass(frozen=True)
class _Rows:
    """Some results: draw, specimen, item, number, word and remark of each."""

    draw: IntArray
    specimen: IntArray
    itemid: IntArray
    number: FloatArray
    word: IntArray
    remark: IntArray


def _measured(
    rng: np.random.Generator,
    analyte: Analyte,
    drawn: IntArray,
    specimen: IntArray,
    value: FloatArray,
    share: float,
) -> list[_Rows]:
    """Return the results of an analyte in the specimens that carry it, a few of them told twice."""
    kept = rng.random(len(drawn)) < share
    kept[: 1 if share < 0.05 else 0] = True
    draw = drawn[kept]
    number = rounded(value[draw], analyte.decimals)
    number, word, remark = noted(rng, analyte, number)
    item = np.full(len(draw), analyte.itemid)
    rows = [_Rows(draw, specimen[kept], item, number, word, remark)]
    if analyte.itemid in {CREATININE, PLATELETS, BILIRUBIN}:
        again = rng.random(len(draw)) < 0.0025
        other = rounded(number[again] * 1.05, analyte.decimals)
        rows.append(
            _Rows(
                draw[again], specimen[kept][again], item[again], other, word[again], remark[again]
            )
        )
    return rows


def _found(
    rng: np.random.Generator, panel: str, drawn: IntArray, specimen: IntArray, density: float
) -> list[_Rows]:
    """Return the results of a panel that are words."""
    rows = []
    for finding in FINDINGS.get(panel, ()):
        kept = rng.random(len(drawn)) < finding.share * density
        n = int(kept.sum())
        words = np.array([WORD[word] for word in finding.words])
        weights = np.array(finding.weights)
        chosen = words[rng.choice(len(words), n, p=weights / weights.sum())]
        item, number = np.full(n, finding.itemid), np.full(n, np.nan)
        none = np.full(n, NO_WORD)
        rows.append(_Rows(drawn[kept], specimen[kept], item, number, chosen, none))
    return rows


def laboratory(
    rng: np.random.Generator,
    cohort: Cohort,
    conditions: Conditions,
    disturbed: Disturbances,
    density: float,
) -> Results:
    """Return the results of the central laboratory for a block; fewer draws and optional items when thinner."""
    draws = draw_blood(rng, cohort, density)
    moved = _influences(rng, cohort, draws, conditions, disturbed)
    ordered = _ordered(rng, cohort, draws, moved.severity[:, HEPATIC], density)
    values = _values(rng, cohort, draws, moved)
    rows: list[_Rows] = []
    for panel, analytes in PANELS.items():
        drawn = np.flatnonzero(ordered[panel])
        specimen = TUBES[panel] * len(draws.time) + drawn
        for analyte in analytes:
            share = analyte.share * (density if analyte.itemid in OPTIONAL else 1.0)
            carries, tube = drawn, specimen
            if analyte.itemid in TOGETHER:
                carries, tube, share = rows[-1].draw, rows[-1].specimen, 0.95
            rows += _measured(rng, analyte, carries, tube, values[analyte.itemid], share)
        rows += _found(rng, panel, drawn, specimen, density)
    draw, specimen, itemid, number, word, remark = (
        np.concatenate([getattr(part, name) for part in rows]) for name in _Rows.__annotations__
    )
    remark = np.where(
        (itemid == 50931) & (remark == NO_WORD) & (rng.random(len(draw)) < 0.8),
        REMARK["IF FASTING, 70-100 NORMAL, >125 PROVISIONAL DIABETES."],
        remark,
    )
    return Results(
        patient=draws.patient[draw],
        admission=draws.admission[draw],
        time=draws.time[draw],
        specimen=specimen,
        itemid=itemid,
        number=number,
        word=word,
        remark=remark,
    )
