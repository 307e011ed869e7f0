# SPDX-License-Identifier: MIT
"""Procedures as documented: lines and tubes from when to when, dialysis, ventilation, images, cultures, events.

Numbers a stay are near those of the open MIMIC-IV demo. Knows no measurement.
"""

from typing import NamedTuple

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import FloatArray, IntArray, dealt, ragged, rounded
from m4bench.data.synthetic.elementary import power
from m4bench.data.synthetic.mimic.access import (
    DIALYSIS_CATHETER,
    FAMILIES,
    LINES,
    PERIPHERAL,
    SITES,
    Access,
)
from m4bench.data.synthetic.mimic.caregivers import on_duty
from m4bench.data.synthetic.mimic.dialysis import FILTER_CHANGE, Ranges, dialysis_procedures
from m4bench.data.synthetic.mimic.words import worded
from m4bench.data.synthetic.support import INVASIVE, MASK_VENTILATION, Support
from m4bench.data.synthetic.tables import NO_ID, Columns

INVASIVE_VENTILATION, MASK_VENTILATION_ITEM, INTUBATION, EXTUBATION = 244010, 244011, 244012, 244013


class Task(NamedTuple):
    """Something done at one moment: how often a day, and the heading it is documented under."""

    itemid: int
    daily: float
    heading: int


HEADINGS: tuple[tuple[str, str], ...] = (
    ("Peripheral Lines", "ContinuousProcess"),
    ("Invasive Lines", "ContinuousProcess"),
    ("Tubes", "ContinuousProcess"),
    ("Dialysis", "ContinuousProcess"),
    ("Ventilation", "ContinuousProcess"),
    ("Intubation/Extubation", "Task"),
    ("Imaging", "Task"),
    ("Procedures", "Task"),
    ("Communication", "Task"),
    ("Significant Events", "Task"),
    ("CRRT Filter Change", "Task"),
)
"""Order category and its description."""
(_PERIPHERAL, _INVASIVE, _TUBES, _DIALYSIS, _VENTILATION, _AIRWAY, _IMAGING, _PROCEDURES,
 _COMMUNICATION, _EVENTS, _FILTER) = range(len(HEADINGS))  # fmt: skip
TASKS = (
    Task(244100, 0.36, _IMAGING),  # chest radiograph, portable
    Task(244101, 0.14, _IMAGING),  # computed tomography
    Task(244102, 0.05, _IMAGING),  # ultrasound
    Task(244103, 0.05, _IMAGING),  # transthoracic echocardiogram
    Task(244104, 0.03, _IMAGING),  # abdominal radiograph
    Task(244105, 0.02, _IMAGING),  # magnetic resonance imaging
    Task(244106, 0.006, _IMAGING),  # transoesophageal echocardiogram
    Task(244120, 0.13, _PROCEDURES),  # electrocardiogram
    Task(244121, 0.10, _PROCEDURES),  # blood culture
    Task(244122, 0.07, _PROCEDURES),  # urine culture
    Task(244123, 0.05, _PROCEDURES),  # nasal swab
    Task(244124, 0.03, _PROCEDURES),  # sputum culture
    Task(244125, 0.01, _PROCEDURES),  # stool culture
    Task(244126, 0.03, _PROCEDURES),  # bronchoscopy
    Task(244127, 0.014, _PROCEDURES),  # electroencephalogram
    Task(244128, 0.012, _PROCEDURES),  # endoscopy
    Task(244129, 0.008, _PROCEDURES),  # lumbar puncture
    Task(244130, 0.008, _PROCEDURES),  # paracentesis
    Task(244131, 0.008, _PROCEDURES),  # thoracentesis
    Task(244132, 0.02, _PROCEDURES),  # chest tube removed
    Task(244133, 0.006, _PROCEDURES),  # tracheostomy placed
    Task(244140, 0.09, _COMMUNICATION),  # family told by a nurse
    Task(244141, 0.05, _COMMUNICATION),  # family told by a physician
    Task(244142, 0.01, _COMMUNICATION),  # family meeting
    Task(244150, 0.04, _EVENTS),  # sent to the operating room
    Task(244151, 0.05, _EVENTS),  # back from the operating room
    Task(244152, 0.004, _EVENTS),  # cardiac arrest
    Task(244153, 0.004, _EVENTS),  # cardioversion
)
STATUSES = ("FinishedRunning", "Stopped", "Paused", "Rewritten")


class _Done(NamedTuple):
    """What was done, arrays of one length; `site` indexes the sites of `family`, -1 without."""

    stay: IntArray
    begin: FloatArray
    end: FloatArray
    itemid: IntArray
    heading: IntArray
    family: IntArray


def _of(ranges: Ranges, heading: IntArray | int, family: IntArray | int = -1) -> _Done:
    n = len(ranges.stay)
    headings = np.broadcast_to(np.asarray(heading), n)
    families = np.broadcast_to(np.asarray(family), n)
    return _Done(*ranges, headings, families)


def _lines(access: Access) -> _Done:
    family = np.array([line.family for line in LINES])[access.line]
    itemid = np.array([line.itemid for line in LINES])[access.line]
    tube = np.where(family == FAMILIES.index("Catheter, GU"), _TUBES, _INVASIVE)
    heading = np.where(family == PERIPHERAL, _PERIPHERAL, tube)
    return _of(Ranges(access.stay, access.begin, access.end, itemid), heading, family)


def _dialysis(rng: np.random.Generator, cohort: Cohort, support: Support) -> _Done:
    ranges = dialysis_procedures(rng, cohort, support)
    catheter = ranges.itemid == DIALYSIS_CATHETER.itemid
    heading = np.where(catheter, _INVASIVE, _DIALYSIS)
    heading = np.where(ranges.itemid == FILTER_CHANGE, _FILTER, heading)
    return _of(ranges, heading, np.where(catheter, DIALYSIS_CATHETER.family, -1))


def _breathing(rng: np.random.Generator, cohort: Cohort, support: Support) -> list[_Done]:
    """Return ventilation from when to when, with the tube's way in and out; one in eight is not entered."""
    los = cohort.stays.course.los
    ends = support.ends(los)
    done = []
    for kind, itemid in (
        (INVASIVE, INVASIVE_VENTILATION),
        (MASK_VENTILATION, MASK_VENTILATION_ITEM),
    ):
        there = (support.airway == kind) & (support.begins < los[:, None]) & (ends > 0)
        stay, place = np.nonzero(there & (rng.random(there.shape) < 0.88))
        begin, end = np.maximum(support.begins[stay, place], 0.05), ends[stay, place]
        n = len(stay)
        done.append(_of(Ranges(stay, begin, end, np.full(n, itemid)), _VENTILATION))
        if kind == INVASIVE:
            here = (begin > 0.3) & (rng.random(n) < 0.9)
            gone = (end < los[stay] - 0.2) & (rng.random(n) < 0.95)
            for item, at, chosen in ((INTUBATION, begin, here), (EXTUBATION, end, gone)):
                moment = at[chosen]
                ranges = Ranges(stay[chosen], moment, moment, np.full(len(moment), item))
                done.append(_of(ranges, _AIRWAY))
    return done


def _tasks(rng: np.random.Generator, cohort: Cohort, density: float) -> _Done:
    los = cohort.stays.course.los
    daily = np.array([task.daily for task in TASKS]) * density
    counts = rng.poisson(np.outer(los / 24, daily))
    owner, _ = ragged(counts.ravel())
    stay, task = np.divmod(owner, len(TASKS))
    when = rng.random(len(stay)) * los[stay]
    itemid = np.array([task.itemid for task in TASKS])[task]
    heading = np.array([task.heading for task in TASKS])[task]
    return _of(Ranges(stay, when, when, itemid), heading)


def _sites(rng: np.random.Generator, family: IntArray) -> tuple[tuple[str | None, ...], IntArray]:
    """Return all wordings of sites, and the one of each row, -1 for what has none."""
    words: list[str | None] = []
    site = np.full(len(family), -1)
    for each, options in SITES.items():
        here = np.flatnonzero(family == each)
        site[here] = len(words) + dealt(rng, power(0.86, np.arange(len(options))), len(here))
        words += options
    return (*words, None), site


def procedure_columns(
    rng: np.random.Generator,
    cohort: Cohort,
    support: Support,
    access: Access,
    first: int,
    density: float = 1.0,
) -> Columns:
    """Return the columns of procedureevents of a block.

    One row in fifty lacks its value, one in six its caregiver. One running treatment in a hundred is entered
    a second time with another end, and the first entry says it was rewritten; one in thirty is measured in
    days, not in minutes.

    Args:
        rng: the stream of this table.
        cohort, support, access: the block.
        first: the first order number.
        density: share of what is done at one moment to document, above 0 and at most 1.
    """
    parts = [
        _lines(access),
        _dialysis(rng, cohort, support),
        *_breathing(rng, cohort, support),
        _tasks(rng, cohort, density),
    ]
    done = _Done(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    kept = np.flatnonzero(~cohort.stays.silent[done.stay])
    running = np.array([kind == "ContinuousProcess" for _, kind in HEADINGS])
    wordings, site = _sites(rng, done.family[kept])
    redone = np.flatnonzero(running[done.heading[kept]] & (rng.random(len(kept)) < 0.01))
    order = np.concatenate([np.arange(len(kept)), redone])
    old = np.concatenate([np.isin(np.arange(len(kept)), redone), np.zeros(len(redone), bool)])
    new = np.arange(len(order)) >= len(kept)
    place, site = kept[order], site[order]
    stay, begin, end, itemid, heading, family = (column[place] for column in done)
    end = np.where(new, begin + (end - begin) * 0.9, end)
    order = np.lexsort((new, itemid, begin, stay))
    stay, begin, end, itemid, heading, family, site, old = (
        column[order] for column in (stay, begin, end, itemid, heading, family, site, old)
    )
    named = np.array([wording is not None for wording in wordings])[site]
    return {
        **_written(rng, cohort, _Done(stay, begin, end, itemid, heading, family), first),
        "location": worded(wordings, site % len(wordings)),
        "locationcategory": worded((*FAMILIES, None), np.where(named, family, len(FAMILIES))),
        "statusdescription": worded(
            STATUSES, np.where(old, 3, dealt(rng, [0.975, 0.02, 0.005], len(stay)))
        ),
    }


def _written(rng: np.random.Generator, cohort: Cohort, done: _Done, first: int) -> Columns:
    """Return the columns that follow from what was done and when."""
    stays, n = cohort.stays, len(done.stay)
    begin = stays.at(done.stay, done.begin) // 60 * 60
    end = np.maximum(stays.at(done.stay, done.end) // 60 * 60, begin + 60)
    running = np.array([kind == "ContinuousProcess" for _, kind in HEADINGS])[done.heading]
    minutes = ((end - begin) // 60).astype(np.float64)
    days = running & (rng.random(n) < 0.03)
    value = np.where(running, np.where(days, minutes / 1440, minutes), 1.0)
    unit = np.where(running, np.where(days, 1, 0), 2)
    orders = first + np.arange(n)
    return {
        "subject_id": cohort.patients.subject_id[stays.patient[done.stay]],
        "hadm_id": cohort.admissions.hadm_id[stays.admission[done.stay]],
        "stay_id": stays.stay_id[done.stay],
        "caregiver_id": np.where(
            rng.random(n) < 0.16, NO_ID, on_duty(stays.stay_id[done.stay], begin)
        ),
        "starttime": begin,
        "endtime": end,
        "storetime": end + rng.integers(1, 240, n) * 60,
        "itemid": done.itemid,
        "value": np.where(rng.random(n) < 0.02, np.nan, value),
        "valueuom": worded(("min", "day", "None"), unit),
        "orderid": orders,
        "linkorderid": orders,
        "ordercategoryname": worded([name for name, _ in HEADINGS], done.heading),
        "ordercategorydescription": worded([kind for _, kind in HEADINGS], done.heading),
        "patientweight": rounded(cohort.patients.weight[stays.patient[done.stay]], 1),
        "isopenbag": running.astype(np.int64),
        "continueinnextdept": np.zeros(n, np.int64),
        "originalamount": value,
        "originalrate": np.where(running, 0.0, 1.0),
    }
