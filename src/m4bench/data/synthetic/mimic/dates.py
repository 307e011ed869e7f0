# SPDX-License-Identifier: MIT
"""Dates noted at the bedside: when a line was put in, and its dressing, tubing and caps last changed.

They are noted round by round, so that a date repeats until the next change. Knows no measurement.
"""

from typing import NamedTuple

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import DAY, HOUR, IntArray, grid
from m4bench.data.synthetic.mimic.access import (
    ARTERIAL,
    BLADDER,
    CENTRAL,
    DIALYSIS,
    LINES,
    PERIPHERAL,
    PERIPHERAL_CENTRAL,
    Access,
)
from m4bench.data.synthetic.mimic.caregivers import on_duty
from m4bench.data.synthetic.mimic.words import word_where
from m4bench.data.synthetic.tables import Columns


class Noted(NamedTuple):
    """A date that is noted of a family of lines.

    Attributes:
        itemid: the item.
        family: the family of lines.
        days: days between two changes, 0 for the day it was put in.
        share: share of the rounds in which it is noted.
        exact: whether the time of day is noted too.
    """

    itemid: int
    family: int
    days: float
    share: float
    exact: bool


NEVER = 0.0
ROUND = 4.2
"""Hours between two rounds."""
NOTED = (
    Noted(245001, PERIPHERAL, NEVER, 0.25, False),
    Noted(245010, ARTERIAL, NEVER, 0.86, False),
    Noted(245011, ARTERIAL, 4.0, 0.82, False),
    Noted(245012, ARTERIAL, 3.0, 0.80, True),
    Noted(245013, ARTERIAL, 4.0, 0.20, False),
    Noted(245020, CENTRAL, NEVER, 0.86, False),
    Noted(245021, CENTRAL, 4.0, 0.83, False),
    Noted(245022, CENTRAL, 3.0, 0.82, True),
    Noted(245023, CENTRAL, 4.0, 0.82, False),
    Noted(245030, PERIPHERAL_CENTRAL, NEVER, 0.82, False),
    Noted(245031, PERIPHERAL_CENTRAL, 4.0, 0.84, False),
    Noted(245032, PERIPHERAL_CENTRAL, 5.0, 0.85, True),
    Noted(245033, PERIPHERAL_CENTRAL, 4.0, 0.83, False),
    Noted(245040, DIALYSIS, NEVER, 0.85, False),
    Noted(245041, DIALYSIS, 4.0, 0.80, False),
    Noted(245042, DIALYSIS, 4.0, 0.80, True),
    Noted(245050, BLADDER, NEVER, 0.97, True),
)
SKIN_DRESSING, SKIN_SHARE = 245060, 0.4
"""The dressing of impaired skin is noted in two stays of five."""


class _Dates(NamedTuple):
    """Dates noted, arrays of one length; times are clock times in seconds."""

    stay: IntArray
    time: IntArray
    itemid: IntArray
    value: IntArray
    exact: IntArray


def _of_lines(
    rng: np.random.Generator, cohort: Cohort, access: Access, each: Noted, density: float
) -> _Dates:
    """Return one date of all lines of its family, in most rounds of four hours while the line lies."""
    stays = cohort.stays
    here = np.flatnonzero(np.array([line.family for line in LINES])[access.line] == each.family)
    begin, end, stay = access.begin[here], access.end[here], access.stay[here]
    line, hours = grid(rng, begin, end, np.full(len(here), ROUND / density), jitter=0.2)
    kept = rng.random(len(line)) < each.share
    line, hours = line[kept], hours[kept]
    before = np.where(rng.random(len(here)) < 0.25, rng.gamma(1.5, 30.0, len(here)), 0.0)
    placed = (begin - before)[line]
    changed = 24 * each.days * np.floor((hours - placed) / (24 * each.days)) if each.days else 0.0
    value = stays.at(stay[line], placed + changed)
    time = stays.at(stay[line], hours) // 60 * 60
    n = len(line)
    return _Dates(stay[line], time, np.full(n, each.itemid), value, np.full(n, int(each.exact)))


def _of_skin(rng: np.random.Generator, cohort: Cohort, density: float) -> _Dates:
    stays = cohort.stays
    n = len(stays)
    start = np.where(rng.random(n) < SKIN_SHARE, rng.uniform(2, 12, n), np.nan)
    stay, hours = grid(rng, start, stays.course.los, np.full(n, 1.5 * ROUND / density), jitter=0.3)
    time = stays.at(stay, hours) // 60 * 60
    changed = time - (rng.gamma(1.5, 14.0, len(stay)) * HOUR).astype(np.int64)
    m = len(stay)
    return _Dates(stay, time, np.full(m, SKIN_DRESSING), changed, np.zeros(m, np.int64))


def datetime_columns(
    rng: np.random.Generator, cohort: Cohort, access: Access, density: float = 1.0
) -> Columns:
    """Return the columns of datetimeevents of a block, in order of patient and time.

    One date in three hundred is of the wrong year, as years turn.

    Args:
        rng: the stream of this table.
        cohort: the block.
        access: its lines.
        density: share of the dates to note, above 0 and at most 1.
    """
    stays = cohort.stays
    parts = [_of_lines(rng, cohort, access, each, density) for each in NOTED]
    parts.append(_of_skin(rng, cohort, density))
    dates = _Dates(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    kept = np.flatnonzero(~stays.silent[dates.stay])
    kept = kept[np.lexsort((dates.itemid[kept], dates.time[kept], dates.stay[kept]))]
    stay, time, itemid, value, exact = (column[kept] for column in dates)
    n = len(stay)
    wrong = rng.random(n) < 0.003
    value = np.where(exact == 1, value // 60 * 60, value // DAY * DAY) - wrong * 365 * DAY
    return {
        "subject_id": cohort.patients.subject_id[stays.patient[stay]],
        "hadm_id": cohort.admissions.hadm_id[stays.admission[stay]],
        "stay_id": stays.stay_id[stay],
        "caregiver_id": on_duty(stays.stay_id[stay], time),
        "charttime": time,
        "storetime": time + (rng.gamma(1.3, 15, n) * 60).astype(np.int64),
        "itemid": itemid,
        "value": value,
        "valueuom": word_where(exact == 1, "Date and Time", "Date"),
        "warning": wrong.astype(np.int64),
    }
