# SPDX-License-Identifier: MIT
"""Tables vitalperiodic and vitalaperiodic: what bedside monitors store by themselves. Knows no nurse.

Five-minute medians, with gaps where leads are off; cuff pressures when the cuff inflates, and rarely the numbers
of a pulmonary artery catheter. About 650 and 110 rows a stay at full density, as published for the open demo.
"""

from typing import Any

import numpy as np

from m4bench.data.synthetic.draws import BoolArray, FloatArray, IntArray, grid, rounded
from m4bench.data.synthetic.eicu.bedside import Bedside
from m4bench.data.synthetic.eicu.rows import minutes, shifted, wide_ids
from m4bench.data.synthetic.elementary import exp, sin
from m4bench.data.synthetic.physiology import CIRCULATORY, NEUROLOGIC
from m4bench.data.synthetic.support import INVASIVE


def _counted(values: FloatArray, present: BoolArray) -> IntArray:
    """Return whole numbers, -1 (null) where absent; a monitor shows no negative ones."""
    return np.where(present, np.rint(np.maximum(values, 0.0)), -1).astype(np.int64)


def vitalperiodic_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of vitalperiodic of a block."""
    stays = bedside.stays
    rng = stays.block.rng("vitalperiodic")
    n = len(stays)
    connected = stays.documents("periodic")
    start = np.where(connected, rng.gamma(1.0, 0.6, n), np.nan)
    stay, hours = grid(rng, start, stays.hours, np.full(n, 1 / 12 / stays.density))
    off = sin(hours / 2.3 + 9 * bedside.own[stay, 7]) + 0.5 * sin(hours * 1.7) > 1.3
    kept = ~off & (rng.random(len(stay)) < 0.985)
    stay, hours = stay[kept], hours[kept]
    rows = len(stay)
    line = stays.block.support.arterial_line[stay] & (bedside.own[stay, 7] > 0.1)
    tube = bedside.airway(stay, hours) == INVASIVE
    mean = bedside.mean_pressure(stay, hours) + rng.normal(0, 3, rows)
    pulse = np.clip(50 + 11 * bedside.own[stay, 4] + rng.normal(0, 4, rows), 10, 110)
    rate = bedside.pulse(stay, hours) + rng.normal(0, 2.5, rows)
    rate = np.where(rng.random(rows) < 0.0006, 0.0, rate)
    shock = bedside.severity(CIRCULATORY, stay, hours)
    central = line & (bedside.own[stay, 4] > 0.5)
    artery = line & (bedside.own[stay, 3] > 1.9)
    probe = bedside.own[stay, 6] > 1.45
    catheter = (bedside.level()[stay, NEUROLOGIC] > 0.5) & (bedside.own[stay, 2] > 0.8)
    segment = bedside.own[stay, 5] > 0.35
    columns: dict[str, Any] = {
        "vitalperiodicid": wide_ids(stays.block, rows),
        "patientunitstayid": stays.ids(stay),
        "observationoffset": shifted(minutes(hours)),
        "temperature": np.where(
            probe, rounded(bedside.temperature(stay, hours) + rng.normal(0, 0.08, rows), 1), np.nan
        ),
        "sao2": _counted(
            np.minimum(bedside.saturation(stay, hours) + rng.normal(0, 0.9, rows), 100),
            rng.random(rows) < 0.9,
        ),
        "heartrate": _counted(rate, rng.random(rows) < 0.995),
        "respiration": _counted(
            bedside.breaths(stay, hours) + rng.normal(0, 2.5, rows), rng.random(rows) < 0.87
        ),
        "cvp": _counted(8 + 5 * shock + rng.normal(0, 2, rows), central),
        "etco2": _counted(36 + rng.normal(0, 4, rows), tube & (bedside.own[stay, 1] > 0.9)),
        "systemicsystolic": _counted(mean + 0.66 * pulse, line),
        "systemicdiastolic": _counted(mean - 0.34 * pulse, line),
        "systemicmean": _counted(mean, line),
        "pasystolic": _counted(34 + 6 * shock + rng.normal(0, 4, rows), artery),
        "padiastolic": _counted(18 + 4 * shock + rng.normal(0, 3, rows), artery),
        "pamean": _counted(24 + 5 * shock + rng.normal(0, 3, rows), artery),
        "icp": _counted(11 + 12 * bedside.severity(NEUROLOGIC, stay, hours), catheter),
    }
    for lead in ("st1", "st2", "st3"):
        columns[lead] = np.where(segment, rounded(rng.normal(0.05, 0.5, rows), 1), np.nan)
    return columns


def vitalaperiodic_columns(bedside: Bedside) -> dict[str, Any]:
    """Return the columns of vitalaperiodic of a block."""
    stays = bedside.stays
    rng = stays.block.rng("vitalaperiodic")
    n = len(stays)
    connected = stays.charted & (rng.random(n) < 0.945)
    pace = exp(rng.normal(-0.72, 0.35, n)) * np.where(stays.block.support.arterial_line, 1.2, 0.9)
    start = np.where(connected, rng.gamma(1.0, 0.4, n), np.nan)
    stay, hours = grid(rng, start, stays.hours, pace / stays.density, jitter=0.6)
    rows = len(stay)
    mean = np.clip(bedside.mean_pressure(stay, hours) + rng.normal(0, 6, rows), 20, 200)
    pulse = 55 - 0.15 * (88 - mean) + 11 * bedside.own[stay, 4] + rng.normal(0, 8, rows)
    pulse = np.clip(pulse, 10, 120)
    cuff = rng.random(rows) < 0.885
    shock = bedside.severity(CIRCULATORY, stay, hours)
    heart = bedside.own[stay, 3] > 1.5
    output = np.clip(5.6 - 2.5 * shock + rng.normal(0, 0.5, rows), 1.2, 12)
    unmeasured = rng.random(rows) < 0.75

    def catheter(values: FloatArray, share: float, places: int = 0) -> FloatArray:
        return np.where(heart & (rng.random(rows) < share), rounded(values, places), np.nan)

    resistance = (mean - 9) / output * 80
    return {
        "vitalaperiodicid": wide_ids(stays.block, rows),
        "patientunitstayid": stays.ids(stay),
        "observationoffset": shifted(minutes(hours)),
        "noninvasivesystolic": np.where(cuff, rounded(mean + 0.75 * pulse), np.nan),
        "noninvasivediastolic": np.where(cuff, rounded(mean - 0.3 * pulse), np.nan),
        "noninvasivemean": np.where(cuff, rounded(mean), np.nan),
        "paop": catheter(14 + 6 * shock + rng.normal(0, 2, rows), 0.015),
        "cardiacoutput": catheter(np.where(unmeasured, 0.0, output), 0.8, 1),
        "cardiacinput": catheter(np.where(unmeasured, 0.0, output / 1.9), 0.65, 1),
        "svr": catheter(resistance, 0.9),
        "svri": catheter(resistance * 1.9, 0.2),
        "pvr": catheter(110 + 40 * shock + rng.normal(0, 20, rows), 0.015),
        "pvri": catheter(210 + 80 * shock + rng.normal(0, 40, rows), 0.015),
    }
