# SPDX-License-Identifier: MIT
"""Where a patient lies and who looks after them: transfers and services. Knows no measurement and no order.

The number of moves and of services an admission has is near that of the open demo.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import HOUR, BoolArray, IntArray, ragged
from m4bench.data.synthetic.mimic.register import UNITS, care_units
from m4bench.data.synthetic.mimic.words import worded
from m4bench.data.synthetic.physiology import ILLNESSES
from m4bench.data.synthetic.tables import NO_ID, NO_TIME

_FLOORS = (
    "Medicine", "Med/Surg", "Neurology", "Medicine/Cardiology", "Cardiac Surgery", "Transplant",
    "Hematology/Oncology", "Med/Surg/Trauma", "Vascular", "Med/Surg/GYN", "PACU", "Discharge Lounge",
    "Neuro Intermediate", "Medicine/Cardiology Intermediate", "Surgery/Trauma", "Psychiatry",
    "Observation",
)  # fmt: skip
PLACES = (*UNITS, *_FLOORS, "Emergency Department", "Emergency Department Observation", None)
_EMERGENCY, _EMERGENCY_OBSERVATION = len(PLACES) - 3, len(PLACES) - 2
_NOWHERE = len(PLACES) - 1
_USUAL_FLOOR = {
    "elective surgery": 4, "cardiogenic shock": 3, "cardiac arrest": 13, "liver failure": 5,
    "trauma": 7, "intracranial haemorrhage": 2, "haematologic malignancy": 6, "kidney failure": 1,
}  # fmt: skip
EVENT_TYPES = ("ED", "admit", "transfer", "discharge")
ARRIVED, ADMITTED, MOVED, DISCHARGED = range(4)
MOVES = (0.36, 0.26, 0.18, 0.12, 0.08)
"""How many admissions move between wards 0, 1, … times besides the ICU."""

_SERVICES = (
    "MED", "CMED", "SURG", "OMED", "CSURG", "NSURG", "VSURG", "NMED", "TRAUM", "ORTHO", "TSURG",
    "PSYCH", "GYN", "PSURG", "ENT", "GU",
)  # fmt: skip
_USUAL_SERVICES = {
    # services of an illness, and how often each looks after it
    "elective surgery": ((4, 2, 6, 10, 9, 5, 15, 13, 14), (0.34, 0.25, 0.1, 0.08, 0.1, 0.06, 0.03, 0.02, 0.02)),
    "cardiogenic shock": ((1, 0), (0.85, 0.15)),
    "cardiac arrest": ((1, 0), (0.6, 0.4)),
    "trauma": ((8, 2, 9, 5), (0.6, 0.2, 0.1, 0.1)),
    "intracranial haemorrhage": ((5, 7), (0.6, 0.4)),
    "haematologic malignancy": ((3, 0), (0.8, 0.2)),
    "monitoring": ((0, 1, 2, 7, 11, 12), (0.5, 0.2, 0.12, 0.08, 0.05, 0.05)),
    "liver failure": ((0, 2), (0.75, 0.25)),
}  # fmt: skip
_OTHERWISE = ((0, 1, 2, 3, 12), (0.74, 0.09, 0.1, 0.06, 0.01))
CHANGES = (0.74, 0.18, 0.08)
"""How many admissions change service 0, 1, 2 times."""


@dataclass(frozen=True)
class _Moves:
    """Moves of a block: admission, begin, event type, place, and the stay that begins, NO_ID for most."""

    admission: IntArray
    begin: IntArray
    kind: IntArray
    place: IntArray
    stay: IntArray


def _floor(rng: np.random.Generator, cohort: Cohort, admission: IntArray) -> IntArray:
    usual = np.array([_USUAL_FLOOR.get(illness.name, 0) for illness in ILLNESSES])
    n = len(admission)
    other = rng.integers(0, len(_FLOORS), n)
    mine = usual[cohort.admissions.illness[admission]]
    return len(UNITS) + np.where(rng.random(n) < 0.35, other, mine)


def _between_wards(rng: np.random.Generator, cohort: Cohort) -> tuple[IntArray, IntArray]:
    """Return admission and time of moves between wards: after the last ICU stay, or any time without one."""
    admissions, stays = cohort.admissions, cohort.stays
    m = len(admissions.hadm_id)
    free = admissions.admitted.copy()
    np.maximum.at(free, stays.admission, stays.outtime)
    room = admissions.discharged - free
    counts = np.where(room > 3 * HOUR, rng.choice(len(MOVES), m, p=MOVES), 0)
    row, _ = ragged(counts)
    share = 0.04 + 0.92 * rng.random(len(row))
    return row, free[row] + (share * room[row]).astype(np.int64) // 60 * 60


def _moves(
    rng: np.random.Generator,
    cohort: Cohort,
    register: dict[str, Any],
    units: tuple[IntArray, IntArray],
) -> _Moves:
    admissions, stays = cohort.admissions, cohort.stays
    m, n = len(admissions.hadm_id), len(stays)
    every = np.arange(m)
    emergency = np.flatnonzero(register["edregtime"] != NO_TIME)
    changed = np.flatnonzero((units[0] != units[1]) & (stays.outtime - stays.intime > 6 * HOUR))
    half = stays.intime[changed] + (stays.outtime - stays.intime)[changed] // 2
    end = admissions.discharged[stays.admission]
    back = np.flatnonzero(end - stays.outtime > 10 * 60)
    row, time = _between_wards(rng, cohort)
    come_in = np.where(rng.random(len(emergency)) < 0.1, _EMERGENCY_OBSERVATION, _EMERGENCY)
    parts = (
        (emergency, register["edregtime"][emergency], ARRIVED, come_in),
        (every, admissions.admitted, ADMITTED, _floor(rng, cohort, every)),
        (stays.admission, stays.intime, MOVED, units[0]),
        (stays.admission[changed], half, MOVED, units[1][changed]),
        (
            stays.admission[back],
            stays.outtime[back],
            MOVED,
            _floor(rng, cohort, stays.admission[back]),
        ),
        (row, time, MOVED, _floor(rng, cohort, row)),
        (every, admissions.discharged // 60 * 60, DISCHARGED, np.full(m, _NOWHERE)),
    )
    stay = [np.full(len(part[0]), NO_ID) for part in parts]
    stay[2] = np.arange(n)
    return _Moves(
        admission=np.concatenate([part[0] for part in parts]),
        begin=np.concatenate([part[1] for part in parts]),
        kind=np.repeat([part[2] for part in parts], [len(part[0]) for part in parts]),
        place=np.concatenate([part[3] for part in parts]),
        stay=np.concatenate(stay),
    )


def transfer_columns(
    rng: np.random.Generator,
    stays_rng: np.random.Generator,
    cohort: Cohort,
    register: dict[str, Any],
    first: int,
) -> dict[str, Any]:
    """Return the columns of transfers, in order of patient and time.

    Within an admission each row ends where the next begins; the row that opens an ICU stay carries the stay's
    number.

    Args:
        rng: the stream of this table.
        stays_rng: a fresh stream of icustays, so that the units are those of the stays.
        cohort: the block.
        register: the columns of admissions.
        first: the first number.
    """
    admissions = cohort.admissions
    moves = _moves(rng, cohort, register, care_units(stays_rng, cohort))
    order = np.lexsort((moves.kind, moves.begin, moves.admission))
    admission, begin, kind = moves.admission[order], moves.begin[order], moves.kind[order]
    following = np.append(begin[1:], NO_TIME)
    end = np.where(kind == DISCHARGED, NO_TIME, following)
    stay = moves.stay[order]
    number = np.where(
        stay != NO_ID, np.append(cohort.stays.stay_id, 0)[stay], first + np.arange(len(stay))
    )
    return {
        "subject_id": cohort.patients.subject_id[admissions.patient[admission]],
        "hadm_id": admissions.hadm_id[admission],
        "transfer_id": number,
        "eventtype": worded(EVENT_TYPES, kind),
        "careunit": worded(PLACES, moves.place[order]),
        "intime": begin,
        "outtime": end,
    }


def first_services(rng: np.random.Generator, cohort: Cohort) -> IntArray:
    """Return the service that each admission begins under."""
    service = np.zeros(len(cohort.admissions.hadm_id), dtype=np.int64)
    for number, illness in enumerate(ILLNESSES):
        mine = cohort.admissions.illness == number
        options, weights = _USUAL_SERVICES.get(illness.name, _OTHERWISE)
        share = np.array(weights) / sum(weights)
        service[mine] = np.array(options)[rng.choice(len(options), int(mine.sum()), p=share)]
    return service


def service_columns(rng: np.random.Generator, cohort: Cohort) -> dict[str, Any]:
    """Return the columns of services: the first of an admission, and changes later on."""
    admissions = cohort.admissions
    m = len(admissions.hadm_id)
    row, place = ragged(1 + rng.choice(len(CHANGES), m, p=CHANGES))
    own = first_services(rng, cohort)
    other = rng.choice(len(_SERVICES), len(row), p=_shares_of_others())
    current = np.where(place == 0, own[row], other)
    before = np.where(place == 0, NO_ID, np.append(0, current[:-1]))
    same: BoolArray = current == before
    row, place, current, before = (part[~same] for part in (row, place, current, before))
    length = admissions.discharged[row] - admissions.admitted[row]
    share = np.where(place == 0, 0.0, (place - 0.9 + 0.8 * rng.random(len(row))) / 2)
    return {
        "subject_id": cohort.patients.subject_id[admissions.patient[row]],
        "hadm_id": admissions.hadm_id[row],
        "transfertime": admissions.admitted[row] + 60 + (share * length).astype(np.int64),
        "prev_service": worded((None, *_SERVICES), before + 1),
        "curr_service": worded(_SERVICES, current),
    }


def _shares_of_others() -> Any:
    weights = np.array([5, 2.5, 2.5, 1.2, 1, 1, 0.6, 0.6, 0.5, 0.4, 0.3, 0.3, 0.2, 0.2, 0.1, 0.2])
    return weights / weights.sum()
