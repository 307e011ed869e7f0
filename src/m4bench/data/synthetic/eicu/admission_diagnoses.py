# SPDX-License-Identifier: MIT
"""The admission diagnosis of each stay, one of APACHE IV's list, from the illness that brings the patient.

It knows which diagnoses go with which illness and nothing of any grouping of them. The list is that of
Zimmerman et al., Crit Care Med 2006;34(5):1297-1310, spelt as eICU spells it.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from m4bench.data.synthetic.block import Block
from m4bench.data.synthetic.draws import BoolArray, FloatArray, IntArray
from m4bench.data.synthetic.physiology import ILLNESSES

_SAMPLE, _TURNS = 2_000, 2.2
"""In a hospital of so many stays every rare diagnosis has had so many turns."""


@dataclass(frozen=True)
class AdmissionDiagnoses:
    """The list: text, organ system, whether operative, weight by illness (illnesses by diagnoses).

    `turn` has for each illness the rare diagnoses that take turns among its stays, each in one illness only.
    """

    text: tuple[str, ...]
    system: tuple[str, ...]
    operative: BoolArray
    weight: FloatArray
    turn: tuple[IntArray, ...]


@cache
def admission_diagnoses() -> AdmissionDiagnoses:
    """Return the list; an illness that no diagnosis names may bring any that is not operative."""
    place = files("m4bench.data.synthetic.eicu").joinpath("vocabulary", "admission_diagnoses.csv")
    rows = list(csv.DictReader(place.read_text(encoding="utf-8").splitlines()))
    operative = np.array([row["operative"] == "1" for row in rows])
    weights = np.array([float(row["weight"]) for row in rows])
    weight = np.stack(
        [
            weights * np.array([illness.name in row["illnesses"].split(";") for row in rows])
            for illness in ILLNESSES
        ]
    )
    weight[weight.sum(axis=1) == 0] = np.where(operative, 0.0, weights)
    return AdmissionDiagnoses(
        tuple(row["diagnosis"] for row in rows),
        tuple(row["system"] for row in rows),
        operative,
        weight,
        tuple(
            np.flatnonzero([row["turn"] == illness.name for row in rows]) for illness in ILLNESSES
        ),
    )


def draw_diagnoses(
    rng: np.random.Generator, block: Block, illness: IntArray, first: IntArray
) -> tuple[IntArray, BoolArray]:
    """Return the diagnosis of each stay, an index into the list, and whether it is recorded.

    Most are drawn in proportion, later unit stays of a hospital stay half of the time as `first`, the index of its
    first one, was; the others are the rare ones of their illness in turn, which goes on from block
    to block, so that all of them occur in a hospital of a few thousand stays. One in eight is not recorded.
    """
    known = admission_diagnoses()
    chosen = np.zeros(len(illness), dtype=np.int64)
    recorded = rng.random(len(illness)) > 0.15
    for which in range(len(ILLNESSES)):
        mine = np.flatnonzero(illness == which)
        likely = known.weight[which] / known.weight[which].sum()
        chosen[mine] = rng.choice(len(likely), len(mine), p=likely)
    kept = rng.random(len(illness)) < 0.5
    chosen, recorded = (
        np.where(kept, chosen[first], chosen),
        np.where(kept, recorded[first], recorded),
    )
    for which, kind in enumerate(ILLNESSES):
        rare = known.turn[which]
        pace = min(kind.share, _TURNS * len(rare) / _SAMPLE)
        begin, end = int(block.first * pace), int((block.first + block.stays) * pace)
        listed = rng.permutation(np.flatnonzero(illness == which))[: end - begin]
        if len(rare):
            chosen[listed] = rare[(begin + np.arange(len(listed))) % len(rare)]
            recorded[listed] = True
    return chosen, recorded
