# SPDX-License-Identifier: MIT
"""Tables respiratorycare and respiratorycharting: airway, alarms and ventilator as therapists record them.

They follow the airway support of the stay. About 2 rows a stay of the first and 70 of the second at full
density, as in the open demo; both are filled by some hospitals only.
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
    typed,
    wide_ids,
    words,
)
from m4bench.data.synthetic.eicu.vocabulary import vocabulary
from m4bench.data.synthetic.elementary import exp
from m4bench.data.synthetic.physiology import RESPIRATORY
from m4bench.data.synthetic.support import (
    HIGH_FLOW,
    INVASIVE,
    LOW_FLOW,
    MASK_VENTILATION,
    ROOM_AIR,
    TRACHEOSTOMY,
    inspired_oxygen,
)

_AIRWAYS = ("Oral ETT", "Tracheostomy", "No Artificial Airway", "Nasal ETT", "Other")
_SIZES = ("7.0", "7.5", "8.0", "8.5")
_POSITIONS = ("21", "22", "23", "24", "25", "22 at lip", "23 @ teeth", "24 cm")
_LIMITS = {
    "lowexhmvlimit": ((2.0, 3.0, 4.0, 6.0), 0.38),
    "hiexhmvlimit": ((12.0, 20.0, 22.0, 30.0), 0.1),
    "lowexhtvlimit": ((100.0, 200.0, 250.0, 300.0), 0.1),
    "hipeakpreslimit": ((35.0, 40.0, 45.0, 50.0), 0.08),
    "lowpeakpreslimit": ((3.0, 5.0, 8.0), 0.033),
    "hirespratelimit": ((30.0, 35.0, 40.0, 45.0, 50.0), 0.155),
    "lowrespratelimit": ((5.0, 8.0, 18.0), 0.053),
    "peeplimit": ((10.0, 15.0, 20.0, 25.0), 0.037),
    "cpaplimit": ((2.0, 3.0, 5.0, 8.0), 0.047),
}
_APNEA = {
    "apneaparams": (("20", "30", "set", "updated"), 0.02),
    "apneaparms": (("20", "30"), 0.01),
    "setapneainterval": (("20", "30"), 0.047),
    "setapneatv": (("400", "450", "480", "500", "550", "600"), 0.041),
    "setapneaippeephigh": (("450", "500"), 0.004),
    "setapnearr": (("10", "12", "14", "16", "20", "24"), 0.045),
    "setapneapeakflow": (("50", "55", "60", "65", "70"), 0.044),
    "setapneainsptime": (("0", "20"), 0.021),
    "setapneaie": (("1:2", "1:3"), 0.003),
    "setapneafio2": (("35", "40", "50", "60", "100"), 0.045),
}


def _tube_hours(bedside: Bedside) -> tuple[FloatArray, FloatArray]:
    """Return begin and end of invasive ventilation of each stay, NaN where there is none."""
    stays = bedside.stays
    support = stays.block.support
    ends = support.ends(stays.hours)
    tube = (support.airway == INVASIVE) & (support.begins < stays.hours[:, None])
    tube &= ~bedside.spared[:, None]
    begin = np.where(tube, support.begins, np.inf).min(axis=1)
    end = np.where(tube, ends, -np.inf).max(axis=1)
    has = tube.any(axis=1)
    return np.where(has, begin, np.nan), np.where(has, end, np.nan)


def _some(rng: np.random.Generator, n: int, options: int, share: float) -> IntArray:
    return np.where(rng.random(n) < share, rng.integers(0, options, n), -1)


def respiratorycare_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of respiratorycare of a block.

    Most rows note an alarm limit and no airway; some note that there is none.
    """
    stays = bedside.stays
    rng = stays.block.rng("respiratorycare")
    n = len(stays)
    begin, end = _tube_hours(bedside)
    documented = stays.documents("respiratorycare")
    step = np.full(n, 2.3 / stays.density)
    stay, hours = grid(
        rng, np.where(documented, np.maximum(begin, -0.3), np.nan), end, step, jitter=0.8
    )
    other, _ = ragged(
        np.where(documented & np.isnan(begin) & (rng.random(n) < 0.3), rng.integers(1, 4, n), 0)
    )
    hours = np.concatenate(
        [hours, rng.random(len(other)) * np.minimum(stays.hours[other], 30) - 0.1]
    )
    stay = np.concatenate([stay, other])
    order = np.lexsort((hours, stay))
    stay, hours = stay[order], hours[order]
    rows = len(stay)
    sequence = np.arange(rows) - np.searchsorted(stay, stay) + 1
    airway = bedside.airway(stay, hours)
    tube = np.isin(airway, (INVASIVE, TRACHEOSTOMY))
    kind = np.where(airway == INVASIVE, rng.choice([0, 0, 0, 0, 0, 0, 0, 3, 4], rows), 1)
    kind = np.where(tube, kind, 2)
    noted = np.where(rng.random(rows) < 0.17, kind, -1)
    size = np.where(tube, _some(rng, rows, len(_SIZES), 0.13), -1)
    place = np.where(tube, _some(rng, rows, len(_POSITIONS), 0.2), -1)
    cuff = np.where(
        tube & (rng.random(rows) < 0.025), rng.choice([0.0, 20, 22, 24, 26, 28, 30], rows), np.nan
    )
    start = np.where(np.isnan(begin[stay]) | (rng.random(rows) < 0.55), 0.0, begin[stay])
    columns: dict[str, Any] = {
        "respcareid": narrow_ids(stays.block, rows),
        "patientunitstayid": stays.ids(stay),
        "respcarestatusoffset": shifted(minutes(hours)),
        "currenthistoryseqnum": sequence,
        "airwaytype": words(_AIRWAYS, noted),
        "airwaysize": words(_SIZES, size),
        "airwayposition": words(_POSITIONS, place),
        "cuffpressure": cuff,
        "ventstartoffset": shifted(minutes(start)),
        "ventendoffset": np.zeros(rows, np.int64),
        "priorventstartoffset": shifted(np.where(sequence > 3, minutes(start), 0)),
        "priorventendoffset": shifted(np.where(sequence > 3, minutes(hours), 0)),
    }
    for name, (numbers, share) in _LIMITS.items():
        chosen = _some(rng, rows, len(numbers), share)
        columns[name] = np.where(chosen >= 0, np.array(numbers)[chosen], np.nan)
    for name, (texts, share) in _APNEA.items():
        columns[name] = words(texts, np.where(tube, _some(rng, rows, len(texts), 1.3 * share), -1))
    return columns


def _measurement(
    rng: np.random.Generator, bedside: Bedside, stay: IntArray, hours: FloatArray, cell: IntArray
) -> FloatArray:
    """Return the number of each row by what its cell measures; NaN where it holds a word."""
    cells = vocabulary("breathing")
    n = len(stay)
    lungs = bedside.severity(RESPIRATORY, stay, hours)
    airway = bedside.airway(stay, hours)
    ideal = 50 + 0.91 * (bedside.stays.height[stay] - 160)
    litre = rounded(ideal * (7.2 + 0.5 * bedside.own[stay, 6]) / 10) * 10
    percent = inspired_oxygen(airway, lungs, rng.normal(size=n))
    peep = rounded(5 + 11 * np.clip(lungs - 0.35, 0, 1))
    plateau = rounded(peep + 9 + 12 * lungs + rng.normal(0, 1.5, n))
    rate = np.clip(rounded(bedside.breaths(stay, hours) + rng.normal(0, 2, n)), 0, 60)
    readings = {
        "fio2": percent,
        "rate": rate,
        "set rate": rounded(14 + 8 * lungs),
        "peep": peep,
        "volume": litre,
        "exhaled": rounded(litre * exp(rng.normal(0, 0.12, n))),
        "ideal": rounded(litre / ideal, 4),
        "flow": rounded(np.clip((percent - 20) / 4, 1, 15)),
        "support": np.where(rng.random(n) < 0.6, 5.0, 10.0),
        "mean": rounded(peep + 4 + 5 * lungs),
        "peak": rounded(plateau + rng.gamma(3.0, 1.7, n)),
        "plateau": plateau,
        "minute": rounded(litre * rate / 1000, 1),
        "saturation": rounded(np.clip(bedside.saturation(stay, hours), 50, 100)),
        "compliance": rounded(litre / np.maximum(plateau - peep, 4)),
    }
    names = np.array(cells.column["reading"], dtype=object)[cell]
    value = np.full(n, np.nan)
    for name, reading in readings.items():
        value = np.where(names == name, reading, value)
    fixed = cells.numbers("fixed")[cell]
    value = np.where(np.isnan(value), fixed, value)
    slip = rng.random(n)
    return np.where(slip < 0.001, value * 10, np.where(slip > 0.9985, 0.0, value))


def _fitting(
    rng: np.random.Generator, group: IntArray, weights: FloatArray, kinds: IntArray
) -> IntArray:
    """Return a cell for each row among those that go with its airway support."""
    chosen = np.zeros(len(group), np.int64)
    for kind in range(3):
        mine = np.flatnonzero(group == kind)
        fitting = np.flatnonzero(kinds == kind)
        weight = weights[fitting]
        chosen[mine] = rng.choice(fitting, len(mine), p=weight / weight.sum())
    return chosen


def respiratorycharting_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of respiratorycharting of a block.

    A ventilator is charted about every four hours in a dozen cells, oxygen in one or two now and then; some
    cells hold words, some are full of slips (a digit too many, zero).
    """
    stays = bedside.stays
    rng = stays.block.rng("respiratorycharting")
    n = len(stays)
    documented = stays.documents("respiratorycharting")
    pace = exp(0.35 * bedside.own[:, 7])
    start = np.where(documented, rng.uniform(0.1, 2.5, n), np.nan)
    stay, hours = grid(rng, start, stays.hours, 2.95 * pace / stays.density, jitter=0.5)
    airway = bedside.airway(stay, hours)
    machine = np.isin(airway, (INVASIVE, MASK_VENTILATION))
    oxygen = np.isin(airway, (LOW_FLOW, HIGH_FLOW, TRACHEOSTOMY))
    count = np.where(machine, 2 + rng.poisson(13.0, len(stay)), 0)
    count = np.where(oxygen, rng.poisson(0.95, len(stay)), count)
    count = np.where(airway == ROOM_AIR, rng.random(len(stay)) < 0.2, count)
    row, _ = ragged(count.astype(np.int64))
    stay, hours, machine, oxygen = stay[row], hours[row], machine[row], oxygen[row]
    cells = vocabulary("breathing")
    kinds = np.array(
        [("machine", "oxygen", "air").index(str(kind)) for kind in cells.column["kind"]]
    )
    group = np.where(machine, 0, np.where(oxygen, 1, 2))
    cell = _fitting(rng, group, cells.weight, kinds)
    order = np.lexsort((cell, row))
    stay, hours, cell = stay[order], hours[order], cell[order]
    value = typed(_measurement(rng, bedside, stay, hours, cell))
    rows = len(stay)
    offset = minutes(hours)
    return {
        "respchartid": wide_ids(stays.block, rows),
        "patientunitstayid": stays.ids(stay),
        "respchartoffset": shifted(offset),
        "respchartentryoffset": shifted(offset + rng.gamma(1.1, 14.0, rows).astype(np.int64)),
        "respcharttypecat": cells.words("category", cell),
        "respchartvaluelabel": cells.words("label", cell),
        "respchartvalue": first_known(cells.words("word", cell), value),
    }
