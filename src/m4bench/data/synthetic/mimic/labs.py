# SPDX-License-Identifier: MIT
"""The central laboratory: when blood is drawn, which panels are asked for, what comes back. Knows no blood gas.

Every result follows the hidden state at the time of the draw; missing panels, missing admissions, text
results, haemolysis and repeated items come at ordinary rates.
"""

from dataclasses import dataclass

import numpy as np

from m4bench.data.synthetic.cohort import NO_OWNER, Cohort
from m4bench.data.synthetic.draws import (
    DAY,
    HOUR,
    BoolArray,
    FloatArray,
    IntArray,
    TextArray,
    dealt,
    grid,
    rounded,
)
from m4bench.data.synthetic.mimic.analytes import (
    BILIRUBIN,
    CREATININE,
    INR,
    PANELS,
    PLATELETS,
    PT,
    PTT,
    SODIUM,
    Analyte,
)
from m4bench.data.synthetic.physiology import HEPATIC, ORGANS


@dataclass(frozen=True)
class Results:
    """Laboratory results, arrays of one length.

    Attributes:
        patient: index of the patient.
        admission: index of the admission the result is filed under, NO_OWNER when under none.
        time: when the specimen was taken, seconds since 1970.
        specimen: number of the specimen within its own source.
        itemid: the item.
        number: the value as a number, NaN when it has none.
        text: the value as text; None: the number written out with its decimals. An empty-string text is null.
        comment: free text beside the value, or None.
    """

    patient: IntArray
    admission: IntArray
    time: IntArray
    specimen: IntArray
    itemid: IntArray
    number: FloatArray
    text: TextArray
    comment: TextArray


@dataclass(frozen=True)
class Draws:
    """Blood draws; `stay` is NO_OWNER where no ICU stay tells the hidden state."""

    patient: IntArray
    admission: IntArray
    stay: IntArray
    hours: FloatArray
    time: IntArray

    def severities(self, cohort: Cohort) -> FloatArray:
        """Return the severity of each organ at each draw, shape (draws, 6); slight where there is no stay."""
        course = cohort.stays.course
        known = self.stay != NO_OWNER
        result = np.full((len(self.stay), len(ORGANS)), 0.04)
        for organ in range(len(ORGANS)):
            result[known, organ] = course.severity(organ, self.stay[known], self.hours[known])
        return result


def _draws(rng: np.random.Generator, cohort: Cohort) -> Draws:
    """Return all draws of a block: in the ICU every 4 to 24 h, on the ward each morning, some as outpatients.

    A draw before formal admission, and one in sixteen of the others, is filed under no admission.
    """
    stays, admissions = cohort.stays, cohort.admissions
    n, m = len(stays), len(admissions.hadm_id)
    never = stays.silent | (rng.random(n) < 0.01)
    start = np.where(never, np.nan, -rng.uniform(0.5, 7.5, n))
    step = rng.choice([4.0, 6.0, 8.0, 12.0, 24.0], n, p=[0.12, 0.23, 0.25, 0.3, 0.1])
    stay, hours = grid(rng, start, stays.course.los, step, jitter=0.25)
    first = np.full(m, NO_OWNER)
    first[stays.admission[::-1]] = np.arange(n)[::-1]
    silent = np.append(never, False)[first]
    length = (admissions.discharged - admissions.admitted) / HOUR
    morning = (30.0 - admissions.admitted % DAY / HOUR) % 24.0
    ward, ward_hours = grid(
        rng, np.where(silent, np.nan, morning), length, np.full(m, 24.0), jitter=0.04
    )
    arrival = np.flatnonzero(~silent & (rng.random(m) < 0.9))
    ward = np.concatenate([ward, arrival])
    ward_hours = np.concatenate([ward_hours, rng.uniform(-3.0, 1.0, len(arrival))])
    ward_time = admissions.admitted[ward] + (ward_hours * HOUR).astype(np.int64)
    known = first[ward] != NO_OWNER
    since = np.where(known, (ward_time - np.append(stays.intime, 0)[first[ward]]) / HOUR, 0.0)
    people = len(cohort.patients.subject_id)
    visits = np.repeat(np.arange(people), rng.choice([0, 1, 3], people, p=[0.7, 0.2, 0.1]))
    earliest = np.full(people, np.iinfo(np.int64).max)
    np.minimum.at(earliest, admissions.patient, admissions.admitted)
    new_year = (cohort.patients.anchor_year - 1970).astype("datetime64[Y]").astype("datetime64[s]")
    earliest = np.minimum(earliest, new_year.astype(np.int64) + 300 * DAY)
    visit_time = earliest[visits] - (rng.uniform(3, 300, len(visits)) * DAY).astype(np.int64)
    admission = np.concatenate([stays.admission[stay], ward, np.full(len(visits), NO_OWNER)])
    time = np.concatenate([stays.at(stay, hours), ward_time, visit_time]) // 60 * 60
    early = time < np.append(admissions.admitted, 0)[admission]
    unfiled = early | (rng.random(len(time)) < 0.06)
    return Draws(
        patient=np.concatenate([stays.patient[stay], admissions.patient[ward], visits]),
        admission=np.where(unfiled, NO_OWNER, admission),
        stay=np.concatenate([stay, first[ward], np.full(len(visits), NO_OWNER)]),
        hours=np.concatenate([hours, since, np.zeros(len(visits))]),
        time=time,
    )


def _ordered(
    rng: np.random.Generator, cohort: Cohort, draws: Draws, severity: FloatArray
) -> dict[str, BoolArray]:
    """Return for each panel which draws carry it; some stays never have a liver or coagulation panel."""
    n = len(draws.time)
    without = rng.random((len(cohort.stays) + 1, 2)) < np.array([0.14, 0.08])
    without[-1] = False
    liver = severity[:, HEPATIC] > 0.25
    chance = rng.random((n, 6))
    count = chance[:, 1] < 0.86
    return {
        "chemistry": chance[:, 0] < 0.96,
        "count": count,
        "differential": count & (chance[:, 2] < 0.3),
        "hepatic": (chance[:, 3] < np.where(liver, 0.8, 0.38)) & ~without[draws.stay, 0],
        "coagulation": (chance[:, 4] < np.where(liver, 0.8, 0.5)) & ~without[draws.stay, 1],
        "cardiac": chance[:, 5] < 0.12,
    }


def measured(
    rng: np.random.Generator,
    analyte: Analyte,
    own: FloatArray,
    severity: FloatArray,
) -> FloatArray:
    """Return values of an analyte as reported.

    Args:
        rng: the stream.
        analyte: the item.
        own: the patient's own standard normal offset of each row.
        severity: organ severities of each row, shape (rows, 6).
    """
    shift = severity @ np.array(analyte.effects)
    spread = analyte.between * own + analyte.within * rng.normal(0, 1, len(own))
    value = analyte.base * np.exp(shift + spread) if analyte.log else analyte.base + shift + spread
    return np.asarray(rounded(np.clip(value, analyte.low, analyte.high), analyte.decimals))


def _held(
    rng: np.random.Generator, cohort: Cohort, patient: IntArray, sodium: FloatArray
) -> FloatArray:
    """Return sodium with one stay in twenty held just at 124, 125 or 126 mEq/L, where MELD's terms meet."""
    edges = np.array([np.nan, 124.0, 125.0, 126.0])
    floor = np.full(len(cohort.patients.subject_id), np.nan)
    floor[cohort.stays.patient] = edges[dealt(rng, [0.952, 0.016, 0.016, 0.016], len(cohort.stays))]
    held = floor[patient]
    return np.where(np.isnan(held), sodium, np.maximum(held, held + sodium - 138.5))


def _oddities(
    rng: np.random.Generator, analyte: Analyte, number: FloatArray
) -> tuple[FloatArray, TextArray, TextArray]:
    """Return number, text and comment with the laboratory's exceptions put in."""
    n = len(number)
    text, comment = np.full(n, None, dtype=object), np.full(n, None, dtype=object)
    if analyte.itemid in {PT, PTT, INR}:
        over = number >= (20 if analyte.itemid == INR else 150)
        text[over] = f">{analyte.high:g}"
        number = np.where(over, np.nan, number)
    chance = rng.random(n)
    lost = chance < 0.002
    number = np.where(lost, np.nan, number)
    text[lost] = "___"
    comment[lost] = "SPECIMEN CLOTTED.  NOTIFIED ___."
    censored = (chance > 0.998) & ~np.isnan(number)
    text[censored] = "___"
    haemolysed = (chance > 0.4) & (chance < 0.404)
    comment[haemolysed] = "HEMOLYSIS FALSELY ELEVATES THIS TEST."
    absurd = (chance > 0.5) & (chance < 0.5004)
    number = np.where(absurd, np.where(analyte.low < 0, -20.0, 0.0), number)
    if analyte.itemid == CREATININE:
        number = np.where((chance > 0.6) & (chance < 0.6002), 999.0, number)
    return number, text, comment


def laboratory(rng: np.random.Generator, cohort: Cohort) -> Results:
    """Return the results of the central laboratory for a block of the hospital."""
    draws = _draws(rng, cohort)
    severity = draws.severities(cohort)
    ordered = _ordered(rng, cohort, draws, severity)
    people = len(cohort.patients.subject_id)
    parts: list[tuple[IntArray, IntArray, IntArray, FloatArray, TextArray, TextArray]] = []
    specimens = 0
    for panel, analytes in PANELS.items():
        drawn = np.flatnonzero(ordered[panel])
        specimen = specimens + np.arange(len(drawn))
        specimens += len(drawn)
        for analyte in analytes:
            own = np.clip(rng.normal(0, 1, people), -2.5, 2.5)
            kept = rng.random(len(drawn)) < analyte.share
            kept[: 1 if analyte.share < 0.05 else 0] = True
            rows = drawn[kept]
            number = measured(rng, analyte, own[draws.patient[rows]], severity[rows])
            if analyte.itemid == SODIUM:
                number = _held(rng, cohort, draws.patient[rows], number)
            number, text, comment = _oddities(rng, analyte, number)
            item = np.full(len(rows), analyte.itemid)
            parts.append((rows, specimen[kept], item, number, text, comment))
            if analyte.itemid in {CREATININE, PLATELETS, BILIRUBIN}:
                again = rng.random(len(rows)) < 0.003
                parts.append(
                    (
                        rows[again],
                        specimen[kept][again],
                        item[again],
                        rounded(number[again] * 1.05, analyte.decimals),
                        text[again],
                        comment[again],
                    )
                )
    row, specimen, itemid, number, text, comment = (
        np.concatenate([part[i] for part in parts]) for i in range(6)
    )
    return Results(
        patient=draws.patient[row],
        admission=draws.admission[row],
        time=draws.time[row],
        specimen=specimen,
        itemid=itemid,
        number=number,
        text=text,
        comment=comment,
    )
