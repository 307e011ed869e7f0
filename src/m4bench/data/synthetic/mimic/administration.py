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


@dataclass(frozen=True)
class _Details:
    """Rows of details: event, whether of the whole event or of a product, and what holds of each."""

    row: IntArray
    ordinal: IntArray
    place: IntArray
    event: IntArray
    whole: BoolArray
    product: BoolArray
    scanned: BoolArray
    infused: BoolArray

    def of_drug(self, chosen: BoolArray, options: list[str]) -> pa.Array:
        """Return the drug's text of each chosen row, null elsewhere."""
        return worded([*options, None], np.where(chosen, self.place, len(options)))


def _detailed(
    rng: np.random.Generator, drugs: MedicationOrders, given: Administrations
) -> _Details:
    row, ordinal = _details(rng, given)
    whole = ordinal == 0
    return _Details(
        row=row,
        ordinal=ordinal,
        place=drugs.drug[given.order[row]],
        event=given.event[row],
        whole=whole,
        product=~whole,
        scanned=~whole & np.isin(given.event[row], GIVEN),
        infused=whole & (given.kind[row] == _KINDS.index("infusion")),
    )


def _answers(rng: np.random.Generator, asked: BoolArray, share: float, yes: float) -> pa.Array:
    """Return `Yes` or `No` for a share of the rows that are asked, null elsewhere."""
    n = len(asked)
    answered = asked & (rng.random(n) < share)
    return worded((None, "No", "Yes"), np.where(answered, 1 + (rng.random(n) < yes), 0))


def _doses_and_products(
    rng: np.random.Generator, details: _Details, bad: BoolArray
) -> dict[str, Any]:
    """Return what was due, what was given, and of which product."""
    lines, n = formulary(), len(details.row)
    scanned, product = details.scanned, details.product
    named = [f"{drug.drug} {drug.dose}{drug.unit} {drug.form.capitalize()}" for drug in lines]
    doses, units = [drug.dose for drug in lines], [drug.unit for drug in lines]
    amounts = np.where(scanned, 1 + rng.choice(3, n, p=[0.75, 0.12, 0.13]), 0)
    by_mouth = product & (rng.random(n) < 0.3)
    return {
        "complete_dose_not_given": _answers(rng, details.whole, 0.42, 0.005),
        "dose_due": details.of_drug(details.whole & ~details.infused, doses),
        "dose_due_unit": details.of_drug(details.whole, units),
        "dose_given": details.of_drug(scanned, doses),
        "dose_given_unit": details.of_drug(scanned, units),
        "will_remainder_of_dose_be_given": _answers(rng, scanned, 0.6, 0.02),
        "product_amount_given": worded((None, "1", "0.5", "2"), amounts),
        "product_unit": details.of_drug(scanned, [drug.form for drug in lines]),
        "product_code": details.of_drug(product, [formulary_code(drug) for drug in lines]),
        "product_description": details.of_drug(product & ~bad, named),
        "product_description_other": details.of_drug(bad, [drug.drug for drug in lines]),
        "route": details.of_drug(by_mouth, [_mouth(drug.route) for drug in lines]),
    }


def _infusion(rng: np.random.Generator, details: _Details) -> dict[str, Any]:
    """Return rates and states of what runs, null for what does not."""
    n, infused = len(details.row), details.infused
    pump = np.where(infused, rng.choice([0.5, 1.0, 2.0, 5.0, 8.0, 12.0, 50.0, 100.0], n), 0.0)
    changed = infused & (details.event == EVENTS.index("Rate Change"))
    units = ["mL/hr" if drug.unit in {"mg", "mEq"} else drug.unit for drug in formulary()]
    adjustments = (
        None, "No Change in Rate", "Rate Changed", "Initial Rate", "See Flowsheet for Titration",
    )  # fmt: skip

    def sometimes(share: float) -> BoolArray:
        return infused & (rng.random(n) < share)

    return {
        "prior_infusion_rate": _rate(np.where(changed, pump * 2, 0.0)),
        "infusion_rate": _rate(pump),
        "infusion_rate_adjustment": worded(
            adjustments, np.where(infused, rng.integers(1, 5, n), 0)
        ),
        "infusion_rate_adjustment_amount": word_where(sometimes(0.03), "100"),
        "infusion_rate_unit": details.of_drug(infused, units),
        "infusion_complete": word_where(sometimes(0.12), "Y"),
        "completion_interval": word_where(sometimes(0.12), "within 2 hours"),
        "new_iv_bag_hung": word_where(sometimes(0.15), "Y"),
        "continued_infusion_in_other_location": word_where(sometimes(0.01), "Y"),
        "restart_interval": word_where(
            infused & (details.event == EVENTS.index("Restarted")), "within 1 hour"
        ),
    }


def administration_detail_columns(
    rng: np.random.Generator,
    cohort: Cohort,
    drugs: MedicationOrders,
    given: Administrations,
    first: int,
) -> dict[str, Any]:
    """Return the columns of emar_detail: a row for the event with the dose due, and one for each product."""
    details = _detailed(rng, drugs, given)
    row, n = details.row, len(details.row)
    types = tuple(_TYPES[kind] for kind in _KINDS)
    bad = details.scanned & (rng.random(n) < 0.035)
    known = details.product & _entry_known(given)[row]
    codes = np.where(details.product, 1 + (rng.random(n) < 0.15), 0)
    reasons = (
        None, "Barcode Damaged", "Discarded Packaging", "Hardware issue: scanner", "Other",
    )  # fmt: skip
    side = _skin(rng, given.kind[row], details.whole)
    return (
        {
            "subject_id": cohort.patients.subject_id[given.patient[row]],
            "emar_id": given.identifier.take(pa.array(row)),
            "emar_seq": given.sequence[row],
            "parent_field_ordinal": worded((None, "1.1", "1.2", "1.3", "1.4"), details.ordinal),
            "administration_type": worded(
                (*types, None), np.where(details.whole, given.kind[row], len(types))
            ),
            "pharmacy_id": np.where(known, first + given.order[row], NO_ID),
            "barcode_type": worded((None, "if", "iv"), codes),
            "reason_for_no_barcode": worded(reasons, np.where(bad, rng.integers(1, 5, n), 0)),
            "side": worded((None, "Left", "Right"), side),
            "site": worded((None, "arm", "back"), np.where(side > 0, rng.integers(1, 3, n), 0)),
            "non_formulary_visual_verification": word_where(
                details.scanned & (rng.random(n) < 0.002), "Y"
            ),
        }
        | _doses_and_products(rng, details, bad)
        | _infusion(rng, details)
    )


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
