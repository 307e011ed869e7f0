# SPDX-License-Identifier: MIT
"""Table intakeoutput: what goes in and out, each hospital with cells of its own. Knows no kidney function test.

About 40 rows a stay at full density, 17 of them urine, as in the open demo's aggregates; urine of the first
day has its median near 1.2 to 1.8 litres there. Hospitals name the cell for urine in more than a hundred ways.
"""

from functools import cache
from typing import Any

import numpy as np

from m4bench.data.synthetic.draws import FloatArray, IntArray, grid, ragged, rounded, stream
from m4bench.data.synthetic.eicu.bedside import Bedside
from m4bench.data.synthetic.eicu.hospitals import HOSPITALS, hospitals
from m4bench.data.synthetic.eicu.rows import first_known, minutes, narrow_ids, shifted, typed, words
from m4bench.data.synthetic.eicu.vocabulary import vocabulary
from m4bench.data.synthetic.elementary import exp
from m4bench.data.synthetic.support import CONTINUOUS, INTERMITTENT

_PREFIX = "flowsheet|Flowsheet Cell Labels|I&O|"
OUTPUT, INTAKE, DIALYSIS, WEIGHT = range(4)
_SECTIONS = ("Output (ml)|", "Intake (ml)|", "Dialysis (ml)|", "Weight|")
_URINE = ("any", "catheter", "voided", "incontinent", "straight", "condom", "diversion")
_ROUTE_SHARES = {
    "catheter": 0.56,
    "voided": 0.36,
    "condom": 0.03,
    "straight": 0.02,
    "diversion": 0.03,
}
_UNMEASURED = ("lg amt", "incontinent x1", "see note", "sm")
_RARE_CELLS = 3
"""Rarely used cells for urine that each hospital has beside its main ones."""


@cache
def _cells() -> tuple[tuple[str, ...], FloatArray, IntArray]:
    """Return all cells (path after the prefix), the usual volume of each, and its section."""
    out, into = vocabulary("outputs"), vocabulary("intakes")
    paths = [_SECTIONS[OUTPUT] + str(label) for label in out.column["label"]]
    paths += [_SECTIONS[INTAKE] + str(path) for path in into.column["path"]]
    paths += [
        "Dialysis (ml)|Out",
        "Dialysis (ml)|In",
        "Weight|Bodyweight (kg)",
        "Weight|Bodyweight (lb)",
    ]
    usual = {
        "bowel": 120.0,
        "gastric": 90.0,
        "drain": 45.0,
        "count": 1.0,
        "total": 500.0,
        "dialysis": 200.0,
    }
    volume = [usual.get(str(kind), np.nan) for kind in out.column["kind"]]
    section = [OUTPUT] * len(out) + [INTAKE] * len(into) + [DIALYSIS, DIALYSIS, WEIGHT, WEIGHT]
    values = [*volume, *into.numbers("volume"), 400.0, 100.0, np.nan, np.nan]
    return tuple(paths), np.array(values), np.array(section)


@cache
def _urine_cells() -> tuple[dict[str, IntArray], IntArray]:
    """Return the main cell of each hospital by route, and its rare ones, shape (hospitals, _RARE_CELLS).

    The rare ones are dealt, so that each label is in use somewhere.
    """
    rng = stream(0, 0, "cells for urine")
    out = vocabulary("outputs")
    kind = np.array(out.column["kind"], dtype=object)
    urine = np.flatnonzero(np.isin(kind, _URINE))
    main = {}
    for route in _ROUTE_SHARES:
        fitting = np.flatnonzero((kind == route) | (kind == "any"))
        weight = out.weight[fitting] * np.where(kind[fitting] == route, 1.0, 0.6)
        main[route] = rng.choice(fitting, HOSPITALS, p=weight / weight.sum())
    charting = np.flatnonzero(hospitals().documents["intakeoutput"])
    rare = rng.choice(urine, (HOSPITALS, _RARE_CELLS))
    rare[charting] = rng.permutation(np.resize(urine, rare[charting].size)).reshape(-1, _RARE_CELLS)
    return main, rare


class _Sheet:
    """Rows of a block while they are gathered: stay, hour, cell, volume."""

    def __init__(self) -> None:
        self.parts: list[tuple[IntArray, FloatArray, IntArray, FloatArray]] = []

    def add(
        self, stay: IntArray, hours: FloatArray, cell: IntArray | int, volume: FloatArray
    ) -> None:
        self.parts.append((stay, hours, np.broadcast_to(cell, len(stay)), volume))


def _urine(
    rng: np.random.Generator, bedside: Bedside, sheet: _Sheet, stay: IntArray, hours: FloatArray
) -> None:
    """Empty the bag, or measure what was passed, since the last time.

    One volume in twenty is forgotten; patients of one stay in eleven have none charted at all.
    """
    stays = bedside.stays
    n = len(stays)
    share = np.array(list(_ROUTE_SHARES.values()))
    route = rng.choice(len(share), n, p=share / share.sum())
    charted = rng.random(n) > 0.09
    kept = charted[stay] & (rng.random(len(stay)) > 0.05)
    gap = np.diff(hours, prepend=hours[:1] - 2.0)
    gap = np.where(np.diff(stay, prepend=-1) != 0, rng.uniform(0.5, 4.0, len(stay)), gap)
    flow = bedside.urine(stay, hours - 0.5 * gap) * stays.weight[stay]
    volume = flow * np.clip(gap, 0.0, 14.0) * exp(rng.normal(0, 0.25, len(stay)))
    volume = np.where(volume < 30, rounded(volume), rounded(volume / 5) * 5)
    slip = rng.random(len(stay))
    volume = np.where(slip < 0.0003, volume * 10, np.where(slip > 0.999, np.nan, volume))
    main, rare = _urine_cells()
    mains = np.stack([main[name] for name in _ROUTE_SHARES], axis=1)
    cell = mains[stays.hospital[stay], route[stay]]
    place = np.arange(len(stay)) - np.searchsorted(stay, stay)
    uses = (rng.random(n) < 0.9)[stay] & ((place % 8 == 1) | (rng.random(len(stay)) < 0.2))
    # in turn from block to block, so that all are used within a few thousand stays
    which = ((stays.block.number + stays.hospital)[stay] + place % 2) % _RARE_CELLS
    cell = np.where(uses, rare[stays.hospital[stay], which], cell)
    sheet.add(stay[kept], hours[kept], cell[kept], volume[kept])


def _others(
    rng: np.random.Generator, bedside: Bedside, sheet: _Sheet, stay: IntArray, hours: FloatArray
) -> None:
    """Add what is drunk and infused, what drains, and the machine's removal where dialysis runs."""
    paths, usual, _ = _cells()
    out, into = vocabulary("outputs"), vocabulary("intakes")
    count = rng.poisson(1.22, len(stay))
    owner, _ = ragged(count)
    cell = len(out) + into.choose(rng, bedside.level(), stay[owner])
    volume = rounded(usual[cell] * exp(rng.normal(0, 0.5, len(owner))))
    sheet.add(stay[owner], hours[owner], cell, volume)
    kind = np.array(out.column["kind"], dtype=object)
    fitting = np.flatnonzero(~np.isin(kind, _URINE))
    some = np.flatnonzero(rng.random(len(stay)) < 0.2)
    cell = rng.choice(fitting, len(some), p=out.weight[fitting] / out.weight[fitting].sum())
    volume = rounded(usual[cell] * exp(rng.normal(0, 0.6, len(some))))
    volume = np.where(usual[cell] == 1, 1.0, volume)
    sheet.add(stay[some], hours[some], cell, volume)
    support = bedside.stays.block.support
    runs = np.isin(support.dialysis[stay], (CONTINUOUS, INTERMITTENT))
    runs &= (hours > support.dialysis_from[stay]) & (hours < support.dialysis_to[stay] + 2)
    some = np.flatnonzero(runs & (rng.random(len(stay)) < 0.3))
    removed = rounded(400 * exp(rng.normal(0, 0.8, len(some))))
    sheet.add(stay[some], hours[some], len(paths) - 4, removed)
    some = some[rng.random(len(some)) < 0.3]
    sheet.add(
        stay[some], hours[some], len(paths) - 3, rounded(rng.uniform(5, 30, len(some))) * 10.0
    )


def _weights(rng: np.random.Generator, bedside: Bedside, sheet: _Sheet) -> None:
    """Weigh most on arrival and then daily, in kilograms and pounds beside each other."""
    stays = bedside.stays
    n = len(stays)
    paths, _, _ = _cells()
    weighed = stays.documents("intakeoutput") & (rng.random(n) < 0.66)
    start = np.where(weighed, rng.uniform(-4, 4, n), np.nan)
    step = np.full(n, 24.0 / stays.density)
    stay, hours = grid(rng, start, np.maximum(stays.hours, 4.1), step, jitter=0.2)
    kilograms = rounded(stays.weight[stay] + rng.normal(0, 1.2, len(stay)), 1)
    sheet.add(stay, hours, len(paths) - 2, kilograms)
    sheet.add(stay, hours, len(paths) - 1, rounded(kilograms * 2.2046))


def intakeoutput_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of intakeoutput of a block.

    The totals of a row are those of its time, over all of that time's cells: adding them up counts twice.
    """
    stays = bedside.stays
    rng = stays.block.rng("intakeoutput")
    n = len(stays)
    charted = stays.documents("intakeoutput")
    step = stays.habits.fluids_every[stays.hospital] / stays.density
    start = np.where(charted, rng.uniform(-0.3, 1.0, n) * np.minimum(step, 4.0), np.nan)
    stay, hours = grid(rng, start, np.maximum(stays.hours, 0.5), step, jitter=0.25)
    sheet = _Sheet()
    _urine(rng, bedside, sheet, stay, hours)
    _others(rng, bedside, sheet, stay, hours)
    _weights(rng, bedside, sheet)
    owner = np.concatenate([part[0] for part in sheet.parts])
    offset = minutes(np.concatenate([part[1] for part in sheet.parts]))
    cell = np.concatenate([part[2] for part in sheet.parts])
    volume = np.concatenate([part[3] for part in sheet.parts])
    order = np.lexsort((cell, offset, owner))
    return _columns(rng, bedside, owner[order], offset[order], cell[order], volume[order])


def _columns(
    rng: np.random.Generator,
    bedside: Bedside,
    stay: IntArray,
    offset: IntArray,
    cell: IntArray,
    volume: FloatArray,
) -> dict[str, Any]:
    paths, _, section = _cells()
    n = len(stay)
    fresh = (np.diff(stay, prepend=-1) != 0) | (np.diff(offset, prepend=-99_999) != 0)
    moment = np.cumsum(fresh) - 1
    totals = np.zeros((3, int(fresh.sum())))
    known = np.nan_to_num(volume)
    for kind in (OUTPUT, INTAKE, DIALYSIS):
        np.add.at(totals[kind], moment, np.where(section[cell] == kind, known, 0.0))
    totals = totals[:, moment]
    labels = [path.rsplit("|", 1)[-1] for path in paths]
    unmeasured = np.where(np.isnan(volume), rng.integers(0, len(_UNMEASURED), n), -1)
    return {
        "intakeoutputid": narrow_ids(bedside.stays.block, n),
        "patientunitstayid": bedside.stays.ids(stay),
        "intakeoutputoffset": shifted(offset),
        "intaketotal": totals[INTAKE],
        "outputtotal": totals[OUTPUT],
        "dialysistotal": totals[DIALYSIS],
        "nettotal": totals[INTAKE] - totals[OUTPUT] - totals[DIALYSIS],
        "intakeoutputentryoffset": shifted(offset + rng.gamma(1.2, 30.0, n).astype(np.int64)),
        "cellpath": words([_PREFIX + path for path in paths], cell),
        "celllabel": words(labels, cell),
        "cellvaluenumeric": volume,
        "cellvaluetext": first_known(words(_UNMEASURED, unmeasured), typed(volume)),
    }
