# SPDX-License-Identifier: MIT
"""What providers order, drug or not, written as poe and poe_detail. Knows no drug's name and no result.

Types, their frequency, and how orders replace and end one another are near those of the open demo.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import DAY, HOUR, FloatArray, IntArray, ragged
from m4bench.data.synthetic.elementary import power
from m4bench.data.synthetic.mimic.medication import MedicationOrders
from m4bench.data.synthetic.mimic.providers import ordering_providers
from m4bench.data.synthetic.mimic.words import word, worded

NEW, CHANGED, ENDED, HELD = range(4)
TRANSACTIONS = ("New", "Change", "D/C", "H")
NONE = -1
REPLACED, DISCONTINUED = 0.55, 0.42
"""Shares of drug orders that replace the one before of the same drug, and of the others that are ended."""


class Kind(NamedTuple):
    """A kind of order other than of a drug: how many a day of it there are, by type and subtype."""

    type: str
    subtype: str | None
    a_day: float


KINDS = (
    Kind("Lab", None, 7.0), Kind("General Care", "Other", 1.6), Kind("General Care", "Tubes/Drains", 1.3),
    Kind("Radiology", "General Xray", 1.0), Kind("Nutrition", "Diet Order", 0.9),
    Kind("IV therapy", "IV fluids", 1.2), Kind("IV therapy", "IV access", 0.8),
    Kind("General Care", "Vitals/Monitoring", 0.75), Kind("General Care", "Telemetry", 0.7),
    Kind("General Care", "Activity", 0.6), Kind("General Care", "Restraints", 0.4),
    Kind("Respiratory", "Mechanical Ventilation", 0.4), Kind("Respiratory", "Oxygen Therapy", 0.16),
    Kind("Respiratory", "Extubate", 0.05), Kind("Blood Bank", "Blood tests", 0.33),
    Kind("Blood Bank", "Red Cell Product Order", 0.17), Kind("Blood Bank", "Platelet Product Order", 0.08),
    Kind("Blood Bank", "Frozen Plasma Product Order", 0.05), Kind("Radiology", "CT Scan", 0.3),
    Kind("Radiology", "Ultrasound", 0.12), Kind("Radiology", "MRI", 0.08),
    Kind("Nutrition", "NPO/Diet for Procedure", 0.24), Kind("Nutrition", "Tubefeeding Order", 0.24),
    Kind("Nutrition", "Nutrition consult", 0.12), Kind("General Care", "Code status", 0.2),
    Kind("ADT orders", "Transfer", 0.4), Kind("ADT orders", "Postop", 0.09),
    Kind("Consults", "Physical Therapy", 0.3), Kind("Consults", "Social Work", 0.09),
    Kind("Consults", "Infectious Disease", 0.05), Kind("Consults", "Discharge Followup Appointment", 0.1),
    Kind("Cardiology", "ECG", 0.17), Kind("Cardiology", "Echo", 0.12),
    Kind("IV therapy", "IV access request", 0.14), Kind("Critical Care", "Hemodynamic monitoring", 0.08),
    Kind("Hemodialysis", "Hemodialysis", 0.05), Kind("TPN", "Central TPN", 0.09),
    Kind("Neurology", "EEG", 0.04), Kind("ADT orders", "Admit", 0.22), Kind("ADT orders", "Discharge", 0.22),
)  # fmt: skip
MEDICATION = len(KINDS)
_TYPES = (*(kind.type for kind in KINDS), "Medications")
_SUBTYPES = (*(kind.subtype for kind in KINDS), None)
_PLACE = {(kind.type, kind.subtype): place for place, kind in enumerate(KINDS)}
ADMIT, DISCHARGE = _PLACE["ADT orders", "Admit"], _PLACE["ADT orders", "Discharge"]

_WARDS = ("Medicine", "Surgery", "Cardiology", "Neurology", "Intensive care", "Intermediate care")
DETAILS: tuple[tuple[tuple[int, ...], str, float, tuple[str, ...]], ...] = (
    ((ADMIT,), "Admit category", 0.95, ("Inpatient", "Observation", "Recovery room")),
    ((ADMIT,), "Admit to", 0.6, _WARDS),
    ((DISCHARGE,), "Discharge Planning", 0.5, ("Finalized",)),
    ((DISCHARGE,), "Discharge When", 0.5, ("Now", "Today")),
    ((_PLACE["ADT orders", "Transfer"],), "Transfer to", 0.6, _WARDS),
    (
        (_PLACE["General Care", "Tubes/Drains"],),
        "Tubes & Drains type",
        0.8,
        ("Urinary catheter", "Nasogastric tube", "Orogastric tube", "Chest tube", "Suction drain",
         "Gastrostomy", "Rectal tube", "Intermittent catheter"),
    ),
    (
        (_PLACE["General Care", "Code status"],),
        "Code status",
        0.95,
        ("Full code", "Do not resuscitate", "Do not resuscitate or intubate"),
    ),
    (
        (_PLACE["IV therapy", "IV access request"],),
        "Indication",
        0.5,
        ("Antibiotics", "Parenteral nutrition", "Chemotherapy", "Hydration", "Blood products"),
    ),
    (
        tuple(place for place, kind in enumerate(KINDS) if kind.type == "Consults"),
        "Level of Urgency",
        0.25,
        ("Routine", "Within 24 hours", "Within 2 hours"),
    ),
    (
        tuple(place for place, kind in enumerate(KINDS) if kind.type == "Consults"),
        "Consult Status",
        0.25,
        ("Accepted", "Completed"),
    ),
)  # fmt: skip
"""Kinds of order, field, share of orders that have it, and its values, the first the commonest."""


@dataclass(frozen=True)
class ProviderOrders:
    """All orders of a block in order of patient and time.

    Attributes:
        admission: index of the admission.
        kind: place in KINDS, or MEDICATION.
        transaction: NEW … HELD.
        ordered: seconds since 1970.
        ends: place of the order it replaces or ends, NONE for most.
        sequence: number of the order within its patient, from 1.
        identifier: `subject-sequence`, as text.
        of_medication: place of each drug order among these, in the order of MedicationOrders.
    """

    admission: IntArray
    kind: IntArray
    transaction: IntArray
    ordered: IntArray
    ends: IntArray
    sequence: IntArray
    identifier: pa.Array
    of_medication: IntArray


def numbered(subject: IntArray, sequence: IntArray) -> pa.Array:
    """Return `subject-sequence` of each row as text."""
    texts = (pc.cast(pa.array(numbers), pa.string()) for numbers in (subject, sequence))
    return pc.binary_join_element_wise(*texts, "-")


def _other_orders(
    rng: np.random.Generator, cohort: Cohort, density: float
) -> tuple[IntArray, IntArray, IntArray]:
    """Return admission, kind and time of orders of no drug: so many a day, and one to come and one to go."""
    admissions = cohort.admissions
    m = len(admissions.hadm_id)
    days: FloatArray = (admissions.discharged - admissions.admitted) / DAY
    rate = np.array([kind.a_day for kind in KINDS])
    busy = (
        np.where(admissions.has_stay, 1.0, 0.62) * (2.0 + power(days, 0.9)) * rng.gamma(8, 1 / 8, m)
    )
    counts = rng.poisson(busy * rate.sum() * 0.72 * density)
    row, _ = ragged(counts)
    kind = rng.choice(len(KINDS), len(row), p=rate / rate.sum())
    length = (admissions.discharged - admissions.admitted)[row]
    early = rng.random(len(row)) < 0.3
    share = np.where(early, rng.beta(1, 12, len(row)), rng.random(len(row)))
    time = admissions.admitted[row] + (share * length).astype(np.int64)
    every = np.arange(m)
    come = admissions.admitted - rng.integers(5, 90, m) * 60
    leave = admissions.discharged - rng.integers(20, 300, m) * 60
    return (
        np.concatenate([row, every, every]),
        np.concatenate([kind, np.full(m, ADMIT), np.full(m, DISCHARGE)]),
        np.concatenate([time, come, np.maximum(leave, come + 60)]),
    )


def _replaced(rng: np.random.Generator, drugs: MedicationOrders) -> IntArray:
    """Return for each drug order the one before of the same drug and admission that it replaces, or NONE."""
    order = np.lexsort((np.arange(len(drugs)), drugs.drug, drugs.admission))
    same = (np.diff(drugs.drug[order]) == 0) & (np.diff(drugs.admission[order]) == 0)
    chosen = same & (rng.random(len(same)) < REPLACED)
    before = np.full(len(drugs), NONE)
    before[order[1:][chosen]] = order[:-1][chosen]
    return before


def draw_orders(
    rng: np.random.Generator, cohort: Cohort, drugs: MedicationOrders, density: float
) -> ProviderOrders:
    """Gather drug orders, orders that end them, and all others, and number them within each patient."""
    n = len(drugs)
    before = _replaced(rng, drugs)
    replaced = np.isin(np.arange(n), before[before != NONE])
    stopped = np.flatnonzero(~replaced & (rng.random(n) < DISCONTINUED))
    end = cohort.admissions.discharged[drugs.admission[stopped]]
    late = drugs.ordered[stopped] + rng.integers(1, 72, len(stopped)) * HOUR
    when = np.maximum(np.minimum(late, end), drugs.ordered[stopped] + 60)
    other, kinds, times = _other_orders(rng, cohort, density)
    admission = np.concatenate([drugs.admission, drugs.admission[stopped], other])
    kind = np.concatenate([np.full(n + len(stopped), MEDICATION), kinds])
    held = rng.random(n) < 0.0008
    transaction = np.concatenate(
        [
            np.where(before != NONE, CHANGED, np.where(held, HELD, NEW)),
            np.full(len(stopped), ENDED),
            np.where(rng.random(len(other)) < 0.05, CHANGED, NEW),
        ]
    )
    ordered = np.concatenate([drugs.ordered, when, times])
    ends = np.concatenate([before, stopped, np.full(len(other), NONE)])
    patient = cohort.admissions.patient[admission]
    order = np.lexsort((np.arange(len(ordered)), ordered, patient))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    _, position = ragged(np.bincount(patient, minlength=len(cohort.patients.subject_id)))
    subject = cohort.patients.subject_id[patient[order]]
    return ProviderOrders(
        admission=admission[order],
        kind=kind[order],
        transaction=transaction[order],
        ordered=ordered[order],
        ends=np.where(ends == NONE, NONE, place[ends])[order],
        sequence=position + 1,
        identifier=numbered(subject, position + 1),
        of_medication=place[:n],
    )


def _chosen(identifier: pa.Array, place: IntArray) -> pa.Array:
    return identifier.take(pa.array(place, mask=place == NONE))


def order_columns(cohort: Cohort, orders: ProviderOrders) -> dict[str, Any]:
    """Return the columns of poe."""
    ended_by = np.full(len(orders.kind), NONE)
    ending = np.flatnonzero(orders.ends != NONE)
    ended_by[orders.ends[ending]] = ending
    patient = cohort.admissions.patient[orders.admission]
    return {
        "poe_id": orders.identifier,
        "poe_seq": orders.sequence,
        "subject_id": cohort.patients.subject_id[patient],
        "hadm_id": cohort.admissions.hadm_id[orders.admission],
        "ordertime": orders.ordered,
        "order_type": worded(_TYPES, orders.kind),
        "order_subtype": worded(_SUBTYPES, orders.kind),
        "transaction_type": worded(TRANSACTIONS, orders.transaction),
        "discontinue_of_poe_id": _chosen(orders.identifier, orders.ends),
        "discontinued_by_poe_id": _chosen(orders.identifier, ended_by),
        "order_provider_id": ordering_providers(patient, orders.sequence, share=0.98),
        "order_status": word("Inactive", len(orders.kind)),
    }


def order_detail_columns(
    rng: np.random.Generator, cohort: Cohort, orders: ProviderOrders
) -> dict[str, Any]:
    """Return the columns of poe_detail: what is asked for beside the type, in the order of the orders."""
    rows, fields, values = [], [], []
    names = tuple(dict.fromkeys(name for _, name, _, _ in DETAILS))
    options = tuple(dict.fromkeys(value for _, _, _, choice in DETAILS for value in choice))
    for kinds, name, share, choice in DETAILS:
        mine = np.flatnonzero(np.isin(orders.kind, kinds))
        mine = mine[rng.random(len(mine)) < share]
        weights = power(np.full(len(choice), 0.6), np.arange(len(choice)))
        drawn = rng.choice(len(choice), len(mine), p=weights / weights.sum())
        rows.append(mine)
        fields.append(np.full(len(mine), names.index(name)))
        values.append(np.array([options.index(value) for value in choice])[drawn])
    row, field, value = (np.concatenate(part) for part in (rows, fields, values))
    order = np.lexsort((field, row))
    row, field, value = row[order], field[order], value[order]
    patient = cohort.admissions.patient[orders.admission[row]]
    return {
        "poe_id": orders.identifier.take(pa.array(row)),
        "poe_seq": orders.sequence[row],
        "subject_id": cohort.patients.subject_id[patient],
        "field_name": worded(names, field),
        "field_value": worded(options, value),
    }
