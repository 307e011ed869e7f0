# SPDX-License-Identifier: MIT
"""The first day as an abstracter sums it up: the value furthest from healthy of each measurement.

It knows the bedside and reads it hour by hour; it knows no table.
"""

from dataclasses import dataclass

import numpy as np

from m4bench.data.synthetic.draws import FloatArray, IntArray, rounded
from m4bench.data.synthetic.eicu.bedside import Bedside
from m4bench.data.synthetic.eicu.coma import Coma, coma_parts
from m4bench.data.synthetic.elementary import exp
from m4bench.data.synthetic.support import CONTINUOUS, INTERMITTENT, INVASIVE, MASK_VENTILATION

HOURS = 24


@dataclass(frozen=True)
class DayOne:
    """Sums of the first day, arrays with one entry a stay; `coma` is the worst seen, urine in mL a day."""

    pulse: FloatArray
    pressure: FloatArray
    breaths: FloatArray
    temperature: FloatArray
    urine: FloatArray
    coma: Coma
    intubated: FloatArray
    ventilated: FloatArray
    dialysed: FloatArray


def _furthest(values: FloatArray, healthy: float, present: FloatArray) -> FloatArray:
    """Return of each row the value furthest from healthy, among those present."""
    distance = np.where(present > 0, np.abs(values - healthy), -1.0)
    return np.asarray(values[np.arange(len(values)), distance.argmax(axis=1)])


def sum_up(rng: np.random.Generator, bedside: Bedside) -> DayOne:
    """Return the first day of each stay, or as much of it as there was; urine is scaled to a day."""
    stays = bedside.stays
    n = len(stays)
    stay = np.repeat(np.arange(n), HOURS)
    hours = np.tile(np.arange(HOURS) + 0.5, n)
    present = (hours < np.maximum(stays.hours[stay], 1.0)).reshape(n, HOURS).astype(np.float64)

    def by_hour(values: FloatArray, noise: float) -> FloatArray:
        return values.reshape(n, HOURS) + rng.normal(0, noise, (n, HOURS))

    coma = coma_parts(rng, bedside, stay, hours)
    worst = np.where(present > 0, -coma.total.reshape(n, HOURS), -99).argmax(axis=1)
    at: IntArray = np.arange(n) * HOURS + worst
    airway = bedside.airway(stay, hours).reshape(n, HOURS)
    tube = ((airway == INVASIVE) & (present > 0)).any(axis=1)
    mask = ((airway == MASK_VENTILATION) & (present > 0)).any(axis=1)
    machine = tube | (mask & (bedside.own[:, 4] < -0.2))
    flow = bedside.urine(stay, hours).reshape(n, HOURS)
    volume = (flow * present).sum(axis=1) / present.sum(axis=1) * HOURS * stays.weight
    dialysis = np.isin(stays.block.support.dialysis, (CONTINUOUS, INTERMITTENT))
    return DayOne(
        pulse=rounded(_furthest(by_hour(bedside.pulse(stay, hours), 8.0), 75.0, present)),
        pressure=rounded(
            _furthest(by_hour(bedside.mean_pressure(stay, hours), 9.0), 90.0, present)
        ),
        breaths=rounded(_furthest(by_hour(bedside.breaths(stay, hours), 4.5), 19.0, present)),
        temperature=rounded(
            _furthest(by_hour(bedside.temperature(stay, hours), 0.25), 38.0, present), 1
        ),
        urine=rounded(volume * exp(rng.normal(0, 0.1, n)), 4),
        coma=Coma(coma.eyes[at], coma.verbal[at], coma.motor[at]),
        intubated=tube.astype(np.float64),
        ventilated=machine.astype(np.float64),
        dialysed=dialysis.astype(np.float64),
    )
