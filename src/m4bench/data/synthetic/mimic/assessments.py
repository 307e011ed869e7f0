# SPDX-License-Identifier: MIT
"""The nursing assessments that fill most of a chart: skin, lungs, pulses, care plans, alarms and their like.

What is assessed, how often, in which share of the stays and with which answers lies in `assessments.csv`, whose
labels and identifiers are this project's own (from 240001 on, far above those of the release); rows a category
are calibrated on the counts of the open MIMIC-IV demo. No concept reads any of them, and none is known here.
"""

import csv
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import groupby
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import FloatArray, IntArray, grid, rounded
from m4bench.data.synthetic.mimic.charting import Charted
from m4bench.data.synthetic.physiology import ORGANS

HABIT = 0.8
"""Correlation of an item's answers within a stay: an assessment mostly repeats the one before."""
WORSE = 2.2
"""How far the worst severity of an organ moves an answer towards its worse end, in standard deviations."""
NUMERIC = "Numeric"


class Assessment(NamedTuple):
    """One thing that is assessed.

    Attributes:
        itemid: the item.
        every: hours between two rounds, infinite when asked once.
        stays: share of the stays in which it is assessed at all.
        rounds: share of the rounds in which it is then charted.
        organ: index of the organ that makes the answer worse, -1 when none does.
        words: the answers from usual to worst, none for a number.
        numbers: the number of each answer, NaN where it has none.
        limits: standard scores that part the answers.
        scale: mean, standard deviation, decimals, least and most of a number.
    """

    itemid: int
    every: float
    stays: float
    rounds: float
    organ: int
    words: tuple[str, ...]
    numbers: tuple[float, ...]
    limits: tuple[float, ...]
    scale: tuple[float, ...]


def assessment_rows() -> tuple[dict[str, str], ...]:
    """Return the lines of `assessments.csv`, as texts by column."""
    text = files("m4bench.data.synthetic.mimic").joinpath("assessments.csv").read_text("utf-8")
    return tuple(csv.DictReader(text.splitlines()))


def _answers(values: str) -> tuple[tuple[str, ...], tuple[float, ...], tuple[float, ...]]:
    """Return words, numbers and limits of answers given as `word=number:weight|…`."""
    words, numbers, weights = [], [], []
    for answer in values.split("|"):
        said, weight = answer.rsplit(":", 1)
        word, _, number = said.partition("=")
        words.append(word)
        numbers.append(float(number or "nan"))
        weights.append(float(weight))
    below = np.cumsum(weights)[:-1] / sum(weights)
    return tuple(words), tuple(numbers), tuple(NormalDist().inv_cdf(float(p)) for p in below)


@cache
def assessments() -> tuple[Assessment, ...]:
    """Return all that is assessed, ordered by the hours between two rounds."""
    known = []
    for row in assessment_rows():
        numeric = row["param_type"] == NUMERIC
        scale = tuple(float(part) for part in row["values"].split(";")) if numeric else ()
        words, numbers, limits = ((), (), ()) if numeric else _answers(row["values"])
        known.append(
            Assessment(
                itemid=int(row["itemid"]),
                every=float(row["every"] or "inf"),
                stays=float(row["stays"]),
                rounds=float(row["rounds"]),
                organ=ORGANS.index(row["worse"]) if row["worse"] else -1,
                words=words,
                numbers=numbers,
                limits=limits,
                scale=scale,
            )
        )
    return tuple(sorted(known, key=lambda each: each.every))


def _rounds(
    rng: np.random.Generator, cohort: Cohort, every: float, density: float
) -> tuple[IntArray, FloatArray]:
    """Return stay and hour of the rounds: half as many in sparse stays, one early in the stay when asked once."""
    stays, los = cohort.stays, cohort.stays.course.los
    n = len(stays)
    start = rng.uniform(0.1, 1.0, n) * np.minimum(every, 4.0)
    if np.isinf(every):
        stay = np.flatnonzero(start < los)
        return stay, start[stay]
    step = np.where(stays.sparse, 2.0, 1.0) * every / density
    return grid(rng, start, los, step, jitter=0.12)


class _Chosen(NamedTuple):
    """What is charted in which round, arrays of one length in order of the item."""

    item: IntArray
    place: IntArray
    owner: IntArray


def _chosen(
    rng: np.random.Generator,
    items: tuple[Assessment, ...],
    stay: IntArray,
    stays: int,
    share: float,
) -> _Chosen:
    """Choose what is charted in each round: some items only in some stays, and then not in every round."""
    width = len(items)
    has = rng.random((width, stays), dtype=np.float32) < np.array([[i.stays] for i in items])
    often = np.array([[i.rounds * share] for i in items])
    done = rng.random((width, len(stay)), dtype=np.float32) < often
    item, place = np.nonzero(done & has[:, stay])
    return _Chosen(item, place, stay[place])


def _scores(
    rng: np.random.Generator,
    cohort: Cohort,
    items: tuple[Assessment, ...],
    chosen: _Chosen,
    worse: FloatArray,
) -> FloatArray:
    """Return a standard score of each answer: the stay's habit, chance, and the organ that makes it worse."""
    usual = rng.standard_normal((len(items), len(cohort.stays)))
    chance = rng.standard_normal(len(chosen.item))
    score = np.sqrt(HABIT) * usual[chosen.item, chosen.owner] + np.sqrt(1 - HABIT) * chance
    organ = np.array([i.organ for i in items])
    return np.asarray(score + worse[organ[chosen.item], chosen.place], dtype=np.float64)


def _worse(cohort: Cohort, stay: IntArray, hours: FloatArray) -> FloatArray:
    """Return how far each organ moves answers in each round, shape (organs + 1, rounds); the last is none."""
    course = cohort.stays.course
    state = np.stack([course.severity(organ, stay, hours) for organ in range(len(ORGANS))])
    moved = WORSE * np.maximum(state - 0.2, 0.0)
    return np.concatenate([moved, np.zeros((1, len(stay)))])


def _said(
    items: tuple[Assessment, ...], chosen: _Chosen, score: FloatArray
) -> tuple[pa.Array, FloatArray]:
    """Return the word of each answer, null where it is a number, and the numbers, NaN where there is none."""
    number = np.full(len(score), np.nan)
    code = np.full(len(score), -1)
    words: list[str] = []
    ends = np.searchsorted(chosen.item, np.arange(len(items) + 1))
    for item, first, last in zip(items, ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        if item.scale:
            mean, spread, decimals, least, most = item.scale
            value = rounded(mean + spread * score[first:last], int(decimals))
            number[first:last] = np.clip(value, least, most)
        else:
            answer = np.searchsorted(item.limits, score[first:last])
            code[first:last] = len(words) + answer
            number[first:last] = np.array(item.numbers)[answer]
            words += item.words
    return pa.array(words, type=pa.string()).take(pa.array(code, mask=code < 0)), number


def nursing_assessments(
    rng: np.random.Generator, cohort: Cohort, density: float = 1.0
) -> list[Charted]:
    """Return the assessments of a block.

    Args:
        rng: the stream of these items.
        cohort: the block.
        density: share of the rounds to chart, above 0 and at most 1.
    """
    rows = []
    for every, group in groupby(assessments(), key=lambda each: each.every):
        items = tuple(group)
        stay, hours = _rounds(rng, cohort, every, density)
        share = density if np.isinf(every) else 1.0
        chosen = _chosen(rng, items, stay, len(cohort.stays), share)
        score = _scores(rng, cohort, items, chosen, _worse(cohort, stay, hours))
        text, number = _said(items, chosen, score)
        itemid = np.array([i.itemid for i in items])[chosen.item]
        charted = Charted(chosen.owner, hours[chosen.place], itemid, number, text)
        spoken = text.is_valid().to_numpy(zero_copy_only=False)
        rows += [charted.where(spoken), replace(charted, text=None).where(~spoken)]
    return rows
