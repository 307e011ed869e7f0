# SPDX-License-Identifier: MIT
"""Cultures written as microbiologyevents: when they are taken, what is tested, what grows and what it resists.

They follow the infection of an admission, beside screening and cultures of outpatients; antibiotics are ordered
elsewhere. One culture in fifteen has a date only.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from m4bench.data.synthetic.cohort import NO_OWNER, Cohort
from m4bench.data.synthetic.draws import DAY, HOUR, BoolArray, FloatArray, IntArray, dealt, ragged
from m4bench.data.synthetic.elementary import power
from m4bench.data.synthetic.mimic.infections import Infections
from m4bench.data.synthetic.mimic.microbes import (
    CANCELLED,
    DILUTIONS,
    DRUGS,
    DRUGS_FROM,
    NEGATIVE,
    ORGANISMS,
    PANELS,
    REMARKS,
    SPECIMENS,
    TESTS,
    TESTS_FROM,
)
from m4bench.data.synthetic.mimic.providers import ordering_providers
from m4bench.data.synthetic.mimic.words import worded
from m4bench.data.synthetic.tables import NO_ID, NO_TIME

DATED_ONLY, UNFILED, POSITIVE, POSITIVE_INFECTED = 0.065, 0.16, 0.07, 0.22
CANCELLED_SHARE, NEGATIVE_SHARE = 0.012, 0.02
SCREEN = next(i for i, each in enumerate(SPECIMENS) if each.name == "MRSA SCREEN")
SUSCEPTIBLE, INTERMEDIATE, RESISTANT = range(3)


@dataclass(frozen=True)
class _Specimens:
    """Specimens sent: patient, admission they are filed under, time, kind, and whether an infection is near."""

    patient: IntArray
    admission: IntArray
    time: IntArray
    kind: IntArray
    infected: BoolArray


def _around_infections(
    rng: np.random.Generator, infections: Infections, density: float
) -> tuple[IntArray, IntArray]:
    """Return admission and time of the cultures an infection brings: some at once, some in the days after."""
    m = len(infections.onset)
    counts = np.where(infections.infected, 1 + rng.poisson(7.0 * density, m), 0)
    counts = np.where(rng.random(m) < 0.1, 0, counts)
    row, place = ragged(counts)
    at_once = rng.normal(0.5, 5.0, len(row))
    later = rng.exponential(90, len(row)) - 8
    hours: FloatArray = np.where((place < 3) | (rng.random(len(row)) < 0.3), at_once, later)
    return row, infections.onset[row] + (hours * HOUR).astype(np.int64)


def _others(rng: np.random.Generator, cohort: Cohort, density: float) -> tuple[IntArray, IntArray]:
    """Return admission and time of cultures that no infection brings."""
    admissions = cohort.admissions
    days: FloatArray = (admissions.discharged - admissions.admitted) / DAY
    row, _ = ragged(rng.poisson(density * (0.3 + 0.24 * days)))
    length = (admissions.discharged - admissions.admitted)[row]
    return row, admissions.admitted[row] + (rng.beta(1, 1.5, len(row)) * length).astype(np.int64)


def _specimens(
    rng: np.random.Generator, cohort: Cohort, infections: Infections, density: float
) -> _Specimens:
    admissions, stays = cohort.admissions, cohort.stays
    near, near_time = _around_infections(rng, infections, density)
    other, other_time = _others(rng, cohort, density)
    screened = np.flatnonzero(rng.random(len(stays)) < 0.42 * density)
    screen_time = stays.intime[screened] + rng.integers(10, 300, len(screened)) * 60
    people = np.unique(admissions.patient)
    visitor = np.repeat(people, rng.poisson(1.6 * density, len(people)))
    first = np.full(len(cohort.patients.subject_id), np.iinfo(np.int64).max)
    np.minimum.at(first, admissions.patient, admissions.admitted)
    visited = first[visitor] - (rng.uniform(2, 250, len(visitor)) * DAY).astype(np.int64)
    admission = np.concatenate(
        [near, other, stays.admission[screened], np.full(len(visitor), NO_OWNER)]
    )
    n = len(admission)
    kind = dealt(rng, [each.share for each in SPECIMENS], n)
    is_screen = np.zeros(n, dtype=np.bool_)
    is_screen[len(near) + len(other) : n - len(visitor)] = True
    infected = np.zeros(n, dtype=np.bool_)
    infected[: len(near)] = True
    return _Specimens(
        patient=np.concatenate([admissions.patient[admission[: n - len(visitor)]], visitor]),
        admission=admission,
        time=np.concatenate([near_time, other_time, screen_time, visited]) // 60 * 60,
        kind=np.where(is_screen, SCREEN, kind),
        infected=infected,
    )


def _tests(rng: np.random.Generator, sent: _Specimens) -> tuple[IntArray, IntArray, IntArray]:
    """Return specimen, place in TESTS and sequence of each test: the first always, the others at times."""
    numbers = np.array([len(each.tests) for each in SPECIMENS])
    specimen, place = ragged(numbers[sent.kind])
    done = (place == 0) | (rng.random(len(specimen)) < 0.45)
    specimen, place = specimen[done], place[done]
    table = np.full((len(SPECIMENS), int(numbers.max())), NO_ID)
    for number, each in enumerate(SPECIMENS):
        table[number, : len(each.tests)] = [TESTS.index(test) for test in each.tests]
    _, sequence = ragged(np.bincount(specimen, minlength=len(sent.kind)))
    return specimen, table[sent.kind[specimen], place], sequence + 1


def _grown(rng: np.random.Generator, kind: IntArray) -> IntArray:
    """Return an organism for each specimen kind, one that grows there; NO_ID where none does."""
    organism = np.full(len(kind), NO_ID)
    for number, specimen in enumerate(SPECIMENS):
        weights = np.array([each.floras.get(specimen.flora, 0.0) for each in ORGANISMS])
        mine = np.flatnonzero(kind == number)
        if weights.sum() and len(mine):
            organism[mine] = rng.choice(len(ORGANISMS), len(mine), p=weights / weights.sum())
    return organism


@dataclass(frozen=True)
class _Isolates:
    """Rows before drugs are tried: specimen, test, sequence, organism (place, NO_ID: none), isolate number."""

    specimen: IntArray
    test: IntArray
    sequence: IntArray
    organism: IntArray
    isolate: IntArray


def _isolates(rng: np.random.Generator, sent: _Specimens) -> _Isolates:
    specimen, test, sequence = _tests(rng, sent)
    chance = np.where(sent.infected, POSITIVE_INFECTED, POSITIVE)
    positive = (rng.random(len(sent.kind)) < chance)[specimen] & (
        (sequence == 1) | (rng.random(len(specimen)) < 0.3)
    )
    number = np.where(positive, 1 + (rng.random(len(specimen)) < 0.18), 1)
    row, place = ragged(number)
    organism = np.where(positive[row], _grown(rng, sent.kind[specimen[row]]), NO_ID)
    return _Isolates(
        specimen=specimen[row],
        test=test[row],
        sequence=sequence[row],
        organism=organism,
        isolate=np.where(organism == NO_ID, NO_ID, place + 1),
    )


def _tried(rng: np.random.Generator, isolates: _Isolates) -> tuple[IntArray, IntArray, IntArray]:
    """Return isolate, drug (place in DRUGS, NO_ID: none) and answer of each row, in order of isolate."""
    rows, drugs, answers = [], [], []
    kinds = np.array([list(PANELS).index(each.kind) for each in ORGANISMS])
    kind = np.where(isolates.organism == NO_ID, NO_ID, kinds[isolates.organism])
    examined = rng.random(len(kind)) < 0.8
    bare = np.ones(len(kind), dtype=np.bool_)
    for number, panel in enumerate(PANELS.values()):
        mine = np.flatnonzero((kind == number) & examined)
        for drug, resists in panel:
            some = mine[rng.random(len(mine)) < 0.93]
            bare[some] = False
            chance = rng.random(len(some))
            answer = np.where(chance < resists, RESISTANT, SUSCEPTIBLE)
            answer = np.where((chance > 0.97) & (resists > 0), INTERMEDIATE, answer)
            rows.append(some)
            drugs.append(np.full(len(some), DRUGS.index(drug)))
            answers.append(answer)
    alone = np.flatnonzero(bare)
    rows.append(alone)
    drugs.append(np.full(len(alone), NO_ID))
    answers.append(np.full(len(alone), NO_ID))
    row, tried, answered = (np.concatenate(part) for part in (rows, drugs, answers))
    order = np.lexsort((tried, row))
    return row[order], tried[order], answered[order]


def _dilutions(rng: np.random.Generator, answer: IntArray) -> dict[str, Any]:
    """Return the columns of the dilution that fits each answer; one in thirty is not told."""
    every = [each for group in DILUTIONS for each in group]
    first = np.cumsum([0, *(len(group) for group in DILUTIONS)])
    size = np.array([len(group) for group in DILUTIONS])
    told = (answer != NO_ID) & (rng.random(len(answer)) > 0.035)
    place = first[answer] + (rng.random(len(answer)) * size[answer]).astype(np.int64)
    place = np.where(told, place, len(every))
    return {
        "dilution_text": worded([*(each[0] for each in every), None], place),
        "dilution_comparison": worded([*(each[1] for each in every), None], place),
        "dilution_value": np.array([*(each[2] for each in every), np.nan])[place],
    }


def _organisms(
    rng: np.random.Generator, organism: IntArray, bare: BoolArray
) -> tuple[IntArray, Any]:
    """Return number and name of what is told to grow; a few tests are cancelled, a few tell that nothing grew."""
    numbers = np.array([*(each.itemid for each in ORGANISMS), CANCELLED, NEGATIVE, NO_ID])
    names = [*(each.name for each in ORGANISMS), "CANCELLED", "NEGATIVE", None]
    place = np.where(organism == NO_ID, len(names) - 1, organism)
    chance = np.where(bare, rng.random(len(organism)), 1.0)
    place = np.where(chance < CANCELLED_SHARE, len(ORGANISMS), place)
    place = np.where(chance > 1 - NEGATIVE_SHARE, np.where(bare, len(ORGANISMS) + 1, place), place)
    return numbers[place], worded(names, place)


def _remarks(rng: np.random.Generator, kind: IntArray, bare: BoolArray) -> Any:
    """Return the comment beside a test: mostly that nothing grew."""
    flora = np.array([each.flora for each in SPECIMENS])[kind]
    usual = np.select([flora == "screen", flora == "airway", flora == "none"], [1, 2, 7], 0)
    weights = power(np.full(len(REMARKS), 0.5), np.arange(len(REMARKS)))
    other = rng.choice(len(REMARKS), len(kind), p=weights / weights.sum())
    comment = np.where(rng.random(len(kind)) < 0.75, usual, other)
    silent = np.where(bare, rng.random(len(kind)) < 0.12, rng.random(len(kind)) < 0.5)
    return worded((None, *REMARKS), np.where(silent, 0, np.where(bare, comment + 1, 7)))


def culture_columns(
    rng: np.random.Generator, cohort: Cohort, infections: Infections, density: float, first: int
) -> dict[str, Any]:
    """Return the columns of microbiologyevents: a row for each test, isolate and drug tried on it.

    Args:
        rng: the stream.
        cohort: the block.
        infections: what the cultures follow.
        density: share of rows to draw.
        first: the first number of rows and of specimens.
    """
    sent = _specimens(rng, cohort, infections, density)
    isolates = _isolates(rng, sent)
    isolate, drug, answer = _tried(rng, isolates)
    n = len(isolate)
    specimen = isolates.specimen[isolate]
    time, kind = sent.time[specimen], sent.kind[specimen]
    dated_only = (rng.random(len(sent.kind)) < DATED_ONLY)[specimen]
    unfiled = (rng.random(len(sent.kind)) < UNFILED)[specimen] | (
        sent.admission[specimen] == NO_OWNER
    )
    bare = isolates.organism[isolate] == NO_ID
    number, name = _organisms(rng, isolates.organism[isolate], bare)
    stored = time + (rng.uniform(18, 110, len(sent.kind))[specimen] * HOUR).astype(np.int64)
    never = (rng.random(len(sent.kind)) < 0.006)[specimen]
    stored = np.where(never, NO_TIME, stored // 60 * 60)
    test = isolates.test[isolate]
    owners = np.append(cohort.admissions.hadm_id, NO_ID)
    return {
        "microevent_id": first + np.arange(n),
        "subject_id": cohort.patients.subject_id[sent.patient[specimen]],
        "hadm_id": np.where(unfiled, NO_ID, owners[sent.admission[specimen]]),
        "micro_specimen_id": first + specimen,
        "order_provider_id": ordering_providers(sent.patient[specimen], specimen, share=0.11),
        "chartdate": time // DAY * DAY,
        "charttime": np.where(dated_only, NO_TIME, time),
        "spec_itemid": np.array([each.itemid for each in SPECIMENS])[kind],
        "spec_type_desc": worded([each.name for each in SPECIMENS], kind),
        "test_seq": isolates.sequence[isolate],
        "storedate": np.where(never, NO_TIME, stored // DAY * DAY),
        "storetime": stored,
        "test_itemid": TESTS_FROM + test,
        "test_name": worded(TESTS, test),
        "org_itemid": number,
        "org_name": name,
        "isolate_num": isolates.isolate[isolate],
        "ab_itemid": np.where(drug == NO_ID, NO_ID, DRUGS_FROM + drug),
        "ab_name": worded((None, *DRUGS), drug + 1),
        "interpretation": worded((None, "S", "I", "R"), answer + 1),
        "comments": _remarks(rng, kind, bare),
    } | _dilutions(rng, answer)
