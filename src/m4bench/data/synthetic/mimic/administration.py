# SPDX-License-Identifier: MIT
"""What nurses give of what was ordered, scanned at the bedside: emar and emar_detail. Knows no effect of a drug.

Patients of the years before scanning have none. Doses follow the order's interval; numbers of events and of their
details, and how often a dose is not given, are near those of the open demo.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import HOUR, BoolArray, IntArray, grid, ragged
from m4bench.data.synthetic.mimic.formulary import CONTINUOUS, formulary
from m4bench.data.synthetic.mimic.medication import MedicationOrders
from m4bench.data.synthetic.mimic.pharmacy import formulary_code
from m4bench.data.synthetic.mimic.provider_orders import ProviderOrders, numbered
from m4bench.data.synthetic.mimic.providers import providers
from m4bench.data.synthetic.mimic.words import word_where, worded
from m4bench.data.synthetic.tables import NO_ID, NO_TIME

SCANNED_FROM = 2
"""Year group from which all patients' doses are scanned; of the group before, half of the patients'."""
LONGEST = 160.0
"""Hours of an order that are charted at most."""
EVENTS = (
    "Administered", "Not Given", "Delayed Administered", "Hold Dose", "Confirmed", "Assessed",
    "Flushed", "Not Flushed", "Started", "Stopped", "Rate Change", "Restarted", "Infusion Reconciliation",
    "Not Given per Sliding Scale", "Applied", "Removed", "Not Applied", "Partial Administered", None,
)  # fmt: skip
_USUAL = {
    # kind of drug: events and their weights
    "dose": ((0, 1, 2, 3, 4, 5, 17, 18), (0.80, 0.075, 0.007, 0.007, 0.07, 0.02, 0.003, 0.01)),
    "flush": ((6, 7, 18), (0.7, 0.28, 0.02)),
    "infusion": ((8, 9, 10, 11, 12, 18), (0.32, 0.22, 0.26, 0.05, 0.12, 0.03)),
    "scale": ((0, 13, 1), (0.62, 0.33, 0.05)),
    "skin": ((14, 15, 16), (0.5, 0.35, 0.15)),
}
GIVEN = (0, 2, 6, 8, 14, 17)
_KINDS = tuple(_USUAL)
_TYPES = {
    "dose": "Standard Maintenance Medication", "flush": "IV Flush", "infusion": "IV Infusion",
    "scale": "Insulin SC Sliding Scale", "skin": "Transdermal Patch",
}  # fmt: skip
WITHOUT_PRODUCT, SECOND_PRODUCT = 0.12, 0.14


def _kind(place: int) -> int:
    drug = formulary()[place]
    if "Flush" in drug.drug:
        return _KINDS.index("flush")
    if drug.every == CONTINUOUS:
        return _KINDS.index("infusion")
    if drug.drug == "Insulin":
        return _KINDS.index("scale")
    return _KINDS.index("skin" if drug.route in {"TD", "TP"} else "dose")


@dataclass(frozen=True)
class Administrations:
    """Events at the bedside in order of patient and time, arrays of one length.

    Attributes:
        order: place among MedicationOrders.
        patient: index of the patient.
        scheduled, charted: seconds since 1970.
        event: place in EVENTS.
        sequence: number within the patient, from 1.
        identifier: `subject-sequence`, as text.
        kind: place in the kinds of drugs.
    """

    order: IntArray
    patient: IntArray
    scheduled: IntArray
    charted: IntArray
    event: IntArray
    sequence: IntArray
    identifier: pa.Array
    kind: IntArray


def _scanned(cohort: Cohort) -> BoolArray:
    """Tell which patients' doses are scanned."""
    group = cohort.patients.year_group
    half = (group == SCANNED_FROM - 1) & (cohort.patients.subject_id % 2 == 0)
    return np.asarray((group >= SCANNED_FROM) | half, dtype=np.bool_)


def draw_administrations(
    rng: np.random.Generator, cohort: Cohort, drugs: MedicationOrders, density: float
) -> Administrations:
    """Draw the events of a block. Orders are thinned already; fewer doses of each are charted when thinner."""
    owner = cohort.admissions.patient[drugs.admission]
    lines = formulary()
    hours = np.array([each.hours for each in lines])[drugs.drug]
    needed = np.array([each.when_needed for each in lines])[drugs.drug]
    step = np.where(hours == 0, 1e6, np.maximum(hours, 4.0)) * np.where(needed, 2.6, 1.0)
    dated = (drugs.start != NO_TIME) & (drugs.stop != NO_TIME) & _scanned(cohort)[owner]
    length = np.where(dated, (drugs.stop - drugs.start) / HOUR, 0.0)
    wanted = rng.random(len(drugs)) < np.where(needed, 0.72, 0.95)
    start = np.where(dated & wanted, 0.0, np.nan)
    order, hour = grid(rng, start, np.minimum(length, LONGEST), step, jitter=0.0)
    kept = rng.random(len(order)) < np.where(hour == 0, 0.97, 0.66 * min(1.0, 0.4 + 0.6 * density))
    order, hour = order[kept], hour[kept]
    scheduled = drugs.start[order] + (hour * HOUR).astype(np.int64)
    charted = scheduled + np.rint(rng.normal(12, 28, len(order))).astype(np.int64) * 60
    kinds = np.array([_kind(place) for place in range(len(lines))])[drugs.drug[order]]
    event = np.zeros(len(order), dtype=np.int64)
    for number, name in enumerate(_KINDS):
        mine = kinds == number
        options, weights = _USUAL[name]
        share = np.array(weights) / sum(weights)
        event[mine] = np.array(options)[rng.choice(len(options), int(mine.sum()), p=share)]
    patient = owner[order]
    sort = np.lexsort((order, charted, patient))
    order, patient = order[sort], patient[sort]
    _, position = ragged(np.bincount(patient, minlength=len(cohort.patients.subject_id)))
    return Administrations(
        order=order,
        patient=patient,
        scheduled=scheduled[sort],
        charted=charted[sort],
        event=event[sort],
        sequence=position + 1,
        identifier=numbered(cohort.patients.subject_id[patient], position + 1),
        kind=kinds[sort],
    )


def _entry_known(given: Administrations) -> BoolArray:
    """Tell which events name their entry in the pharmacy; all but one in six."""
    return np.asarray(given.order % 6 != 0, dtype=np.bool_)


def administration_columns(
    rng: np.random.Generator,
    cohort: Cohort,
    drugs: MedicationOrders,
    orders: ProviderOrders,
    given: Administrations,
    first: int,
) -> dict[str, Any]:
    """Return the columns of emar; `first` is the first number in the pharmacy."""
    n = len(given.order)
    admission = drugs.admission[given.order]
    names = [*(drug.drug for drug in formulary()), None]
    unnamed = rng.random(n) < 0.04
    unfiled = rng.random(n) < 0.028
    late = np.where(rng.random(n) < 0.03, rng.integers(60, 900, n), rng.integers(0, 12, n))
    entered = rng.random(n) < 0.08
    return {
        "subject_id": cohort.patients.subject_id[given.patient],
        "hadm_id": np.where(unfiled, NO_ID, cohort.admissions.hadm_id[admission]),
        "emar_id": given.identifier,
        "emar_seq": given.sequence,
        "poe_id": orders.identifier.take(pa.array(orders.of_medication[given.order])),
        "pharmacy_id": np.where(_entry_known(given), first + given.order, NO_ID),
        "enter_provider_id": providers(given.patient * 31 + given.sequence % 4, entered),
        "charttime": given.charted,
        "medication": worded(names, np.where(unnamed, len(names) - 1, drugs.drug[given.order])),
        "event_txt": worded(EVENTS, given.event),
        "scheduletime": given.scheduled,
        "storetime": given.charted + late * 60,
    }


def _details(rng: np.random.Generator, given: Administrations) -> tuple[IntArray, IntArray]:
    """Return event and ordinal of each detail: 0 for the event itself, then one for each product scanned."""
    n = len(given.order)
    products = np.where(rng.random(n) < WITHOUT_PRODUCT, 0, 1)
    more = (products == 1) & (rng.random(n) < SECOND_PRODUCT)
    products = products + np.where(more, rng.choice([1, 2, 3], n, p=[0.78, 0.17, 0.05]), 0)
    return ragged(products + 1)


def administration_detail_columns(
    rng: np.random.Generator,
    cohort: Cohort,
    drugs: MedicationOrders,
    given: Administrations,
    first: int,
) -> dict[str, Any]:
    """Return the columns of emar_detail: a row for the event with the dose due, and one for each product."""
    row, ordinal = _details(rng, given)
    n, lines = len(row), formulary()
    place = drugs.drug[given.order[row]]
    whole, product = ordinal == 0, ordinal > 0
    done = np.isin(given.event[row], GIVEN)
    scanned = product & done
    infused = (given.kind[row] == _KINDS.index("infusion")) & whole
    types = tuple(_TYPES[kind] for kind in _KINDS)
    bad = scanned & (rng.random(n) < 0.035)
    pump = np.where(infused, rng.choice([0.5, 1.0, 2.0, 5.0, 8.0, 12.0, 50.0, 100.0], n), 0.0)
    doses = [drug.dose for drug in lines]
    units = [drug.unit for drug in lines]

    def where(chosen: BoolArray, options: list[str]) -> pa.Array:
        """Return the drug's text of each chosen row, null elsewhere."""
        return worded([*options, None], np.where(chosen, place, len(lines)))

    return {
        "subject_id": cohort.patients.subject_id[given.patient[row]],
        "emar_id": given.identifier.take(pa.array(row)),
        "emar_seq": given.sequence[row],
        "parent_field_ordinal": worded((None, "1.1", "1.2", "1.3", "1.4"), ordinal),
        "administration_type": worded((*types, None), np.where(whole, given.kind[row], len(types))),
        "pharmacy_id": np.where(product & _entry_known(given)[row], first + given.order[row], NO_ID),
        "barcode_type": worded((None, "if", "iv"), np.where(product, 1 + (rng.random(n) < 0.15), 0)),
        "reason_for_no_barcode": worded(
            (None, "Barcode Damaged", "Discarded Packaging", "Hardware issue: scanner", "Other"),
            np.where(bad, rng.integers(1, 5, n), 0),
        ),
        "complete_dose_not_given": worded(
            (None, "No", "Yes"), np.where(whole & (rng.random(n) < 0.42), 1 + (rng.random(n) < 0.005), 0)
        ),
        "dose_due": where(whole & ~infused, doses),
        "dose_due_unit": where(whole, units),
        "dose_given": where(scanned, doses),
        "dose_given_unit": where(scanned, units),
        "will_remainder_of_dose_be_given": worded(
            (None, "No", "Yes"), np.where(scanned & (rng.random(n) < 0.6), 1 + (rng.random(n) < 0.02), 0)
        ),
        "product_amount_given": worded(
            (None, "1", "0.5", "2"), np.where(scanned, 1 + rng.choice(3, n, p=[0.75, 0.12, 0.13]), 0)
        ),
        "product_unit": where(scanned, [drug.form for drug in lines]),
        "product_code": where(product, [formulary_code(drug) for drug in lines]),
        "product_description": where(
            product & ~bad,
            [f"{drug.drug} {drug.dose}{drug.unit} {drug.form.capitalize()}" for drug in lines],
        ),
        "product_description_other": where(bad, [drug.drug for drug in lines]),
        "prior_infusion_rate": _rate(np.where(infused & (given.event[row] == 10), pump * 2, 0.0)),
        "infusion_rate": _rate(pump),
        "infusion_rate_adjustment": worded(
            (None, "No Change in Rate", "Rate Changed", "Initial Rate", "See Flowsheet for Titration"),
            np.where(infused, rng.integers(1, 5, n), 0),
        ),
        "infusion_rate_adjustment_amount": word_where(infused & (rng.random(n) < 0.03), "100"),
        "infusion_rate_unit": where(infused, ["mL/hr" if u in {"mg", "mEq"} else u for u in units]),
        "route": where(product & (rng.random(n) < 0.3), [_mouth(drug.route) for drug in lines]),
        "infusion_complete": word_where(infused & (rng.random(n) < 0.12), "Y"),
        "completion_interval": word_where(infused & (rng.random(n) < 0.12), "within 2 hours"),
        "new_iv_bag_hung": word_where(infused & (rng.random(n) < 0.15), "Y"),
        "continued_infusion_in_other_location": word_where(infused & (rng.random(n) < 0.01), "Y"),
        "restart_interval": word_where(infused & (given.event[row] == 11), "within 1 hour"),
        "side": worded((None, "Left", "Right"), _skin(rng, given.kind[row], whole)),
        "site": worded((None, "arm", "back"), _skin(rng, given.kind[row], whole)),
        "non_formulary_visual_verification": word_where(scanned & (rng.random(n) < 0.002), "Y"),
    }  # fmt: skip


def _mouth(route: str) -> str:
    return {"PO/NG": "PO", "PO": "PO"}.get(route, route)


def _rate(values: Any) -> pa.Array:
    """Return rates as they are typed, null for none."""
    known, place = np.unique(values, return_inverse=True)
    return worded([None if value == 0 else f"{value:g}" for value in known], place)


def _skin(rng: np.random.Generator, kind: IntArray, whole: BoolArray) -> IntArray:
    """Return which side of the body a patch is put on, 0 for none."""
    on = (kind == _KINDS.index("skin")) & whole & (rng.random(len(kind)) < 0.5)
    return np.where(on, rng.integers(1, 3, len(kind)), 0)
