# SPDX-License-Identifier: MIT
"""Orders of drugs written as pharmacy and prescriptions: each drug, and the fluid that carries it. Knows no patient.

A drug and its fluid are two prescriptions of one order, each with an entry of its own in the pharmacy.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any
from zlib import crc32

import numpy as np
import pyarrow as pa

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import DAY, HOUR, BoolArray, FloatArray, IntArray
from m4bench.data.synthetic.mimic.formulary import (
    CONTINUOUS,
    DILUENTS,
    OF_ITSELF,
    ONCE,
    Diluent,
    Drug,
    formulary,
    frequency,
    schedule,
)
from m4bench.data.synthetic.mimic.medication import MedicationOrders
from m4bench.data.synthetic.mimic.provider_orders import NEW, ProviderOrders
from m4bench.data.synthetic.mimic.providers import ordering_providers
from m4bench.data.synthetic.mimic.words import word_where, worded
from m4bench.data.synthetic.tables import NO_TIME

MAIN, BASE, ADDITIVE = range(3)
CARRIED = 0.92
"""Share of diluted drugs whose fluid is written down."""
NO_ROUTE, NO_NAME, LOOSE_NAME, OTHER_DOSE = 0.003, 0.0002, 0.004, 0.3
_STATES = (
    "Discontinued via patient discharge", "Discontinued", "Expired",
    "Inactive (Due to a change order)",
)  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """What can be prescribed, as it is written: a drug of the formulary or a fluid."""

    drug: str
    route: str
    dose: str
    unit: str
    form: str


def code_of(name: str, form: str, digits: int) -> str:
    """Return an invented number of a product, the same for one name and form; it begins with 99."""
    return "99" + str(crc32(f"{name}/{form}".encode()) % 10 ** (digits - 2)).zfill(digits - 2)


def formulary_code(entry: Entry | Drug) -> str:
    """Return the pharmacy's own short code of a product."""
    letters = "".join(letter for letter in entry.drug.upper() if letter.isalpha())[:4]
    return f"{letters}{int(code_of(entry.drug, entry.form, 4)) % 100:02d}"


def _fluid(diluent: Diluent, route: str) -> Entry:
    unit = diluent.form if diluent.volume == "1" else "mL"
    return Entry(diluent.drug, route, diluent.volume, unit, diluent.form)


@cache
def entries() -> tuple[Entry, ...]:
    """Return all that can be prescribed: the formulary in its order, then the fluids."""
    drugs = [Entry(each.drug, each.route, each.dose, each.unit, each.form) for each in formulary()]
    fluids = [
        _fluid(diluent, "IV DRIP" if "drip" in kind else "IV")
        for kind, choice in DILUENTS.items()
        for diluent in choice
    ]
    return (*drugs, *fluids, *(_fluid(diluent, "IV") for diluent in OF_ITSELF))


@cache
def _fluids_from() -> dict[str, tuple[int, int]]:
    """Return for each kind of diluent the place of its first entry and their number."""
    places, first = {}, len(formulary())
    for kind, choice in DILUENTS.items():
        places[kind] = first, len(choice)
        first += len(choice)
    places["of itself"] = first, len(OF_ITSELF)
    return places


@dataclass(frozen=True)
class Prescribed:
    """Prescriptions, arrays of one length: place of the order, of the entry, and the kind (MAIN, BASE, ADDITIVE)."""

    order: IntArray
    entry: IntArray
    kind: IntArray

    def __len__(self) -> int:
        return len(self.order)


def draw_prescriptions(rng: np.random.Generator, drugs: MedicationOrders) -> Prescribed:
    """Return a prescription for each order and, for what is diluted, one for the fluid; drugs before fluids."""
    n = len(drugs)
    kinds = tuple(_fluids_from())
    diluted = np.array([kinds.index(each.diluent) if each.diluent else -1 for each in formulary()])[
        drugs.drug
    ]
    first = np.array([_fluids_from()[kind][0] for kind in kinds])
    number = np.array([_fluids_from()[kind][1] for kind in kinds])
    carried = np.flatnonzero((diluted >= 0) & (rng.random(n) < CARRIED))
    kind = diluted[carried]
    rare = rng.random(len(carried)) < 0.006
    kind = np.where(rare, kinds.index("of itself"), kind)
    fluid = first[kind] + (rng.beta(1, 1.6, len(carried)) * number[kind]).astype(np.int64)
    additive = rng.random(n) < 0.001
    return Prescribed(
        order=np.concatenate([np.arange(n), carried]),
        entry=np.concatenate([drugs.drug, fluid]),
        kind=np.concatenate([np.where(additive, ADDITIVE, MAIN), np.full(len(carried), BASE)]),
    )


def _names(rng: np.random.Generator, prescribed: Prescribed) -> pa.Array:
    """Return drug names; a few are typed in capitals, with a blank at the end, or not at all."""
    names = [entry.drug for entry in entries()]
    options = [*names, *(name.upper() for name in names), *(f"{name} " for name in names), None]
    chance = rng.random(len(prescribed))
    style = np.where(chance < LOOSE_NAME, 1, np.where(chance < 2 * LOOSE_NAME, 2, 0))
    code = np.where(chance > 1 - NO_NAME, len(options) - 1, prescribed.entry + style * len(names))
    return worded(options, code)


def _doses(rng: np.random.Generator, prescribed: Prescribed) -> tuple[IntArray, list[str | None]]:
    """Return codes and options of the prescribed dose: the usual one, half or twice of it, or a range."""
    options: list[str | None] = []
    for entry in entries():
        usual = float(entry.dose)
        options += [entry.dose, f"{usual / 2:g}", f"{usual * 2:g}", f"{usual:g}-{usual * 2:g}"]
    other = rng.random(len(prescribed)) < OTHER_DOSE
    style = np.where(other, rng.choice([1, 2, 3], len(prescribed), p=[0.5, 0.4, 0.1]), 0)
    return prescribed.entry * 4 + style, options


def _a_day(prescribed: Prescribed, drugs: MedicationOrders) -> FloatArray:
    """Return doses in 24 h; null for fluids, what runs continuously, and what is given when needed."""
    known = np.array(
        [
            np.nan
            if each.when_needed or each.every == CONTINUOUS
            else (1.0 if each.every == ONCE else 24 / each.hours)
            for each in formulary()
        ]
    )
    return np.where(prescribed.kind == MAIN, known[drugs.drug[prescribed.order]], np.nan)


def prescription_columns(
    rng: np.random.Generator,
    cohort: Cohort,
    drugs: MedicationOrders,
    prescribed: Prescribed,
    orders: ProviderOrders,
    first: int,
) -> dict[str, Any]:
    """Return the columns of prescriptions; `first` is the first number in the pharmacy."""
    every, order = entries(), prescribed.order
    admission = drugs.admission[order]
    patient = cohort.admissions.patient[admission]
    place = orders.of_medication[order]
    dose, doses = _doses(rng, prescribed)
    routes = [*(entry.route for entry in every), None]
    n = len(prescribed)
    unrouted = rng.random(n) < NO_ROUTE
    codes = {
        name: worded([text(entry) for entry in every], prescribed.entry)
        for name, text in (
            ("formulary_drug_cd", formulary_code),
            ("ndc", lambda entry: code_of(entry.drug, entry.form, 11)),
            ("gsn", lambda entry: code_of(entry.drug, "", 6)),
            ("prod_strength", lambda entry: f"{entry.dose}{entry.unit} {entry.form.capitalize()}"),
            ("dose_unit_rx", lambda entry: entry.unit),
            ("form_unit_disp", lambda entry: entry.form),
        )
    }
    return {
        "subject_id": cohort.patients.subject_id[patient],
        "hadm_id": cohort.admissions.hadm_id[admission],
        "pharmacy_id": first + np.arange(n),
        "poe_id": orders.identifier.take(pa.array(place)),
        "poe_seq": orders.sequence[place],
        "order_provider_id": ordering_providers(patient, orders.sequence[place], share=0.995),
        "starttime": drugs.start[order],
        "stoptime": drugs.stop[order],
        "drug_type": worded(("MAIN", "BASE", "ADDITIVE"), prescribed.kind),
        "drug": _names(rng, prescribed),
        "form_rx": word_where(rng.random(n) < 0.001, "TAB"),
        "dose_val_rx": worded(doses, dose),
        "form_val_disp": worded(("1", "0.5", "2", "1-2"), dose % 4),
        "doses_per_24_hrs": _a_day(prescribed, drugs),
        "route": worded(routes, np.where(unrouted, len(every), prescribed.entry)),
    } | codes


def _states(
    rng: np.random.Generator, cohort: Cohort, drugs: MedicationOrders, orders: ProviderOrders
) -> IntArray:
    """Return the last state of each order: ended by discharge, by an order, by its date, or replaced."""
    n = len(drugs)
    replaced = np.zeros(len(orders.kind), dtype=np.bool_)
    replacing = orders.ends[
        (orders.ends >= 0) & (orders.transaction < 2) & (orders.transaction != NEW)
    ]
    replaced[replacing] = True
    ended = np.zeros(len(orders.kind), dtype=np.bool_)
    ended[orders.ends[orders.transaction == 2]] = True
    left = drugs.stop >= cohort.admissions.discharged[drugs.admission] - HOUR
    state = np.where(left, 0, np.where(rng.random(n) < 0.25, 2, 1))
    state = np.where(ended[orders.of_medication], 1, state)
    return np.where(replaced[orders.of_medication], 3, state)


def _kept_for(rng: np.random.Generator, continuous: BoolArray, n: int) -> dict[str, Any]:
    """Return how long a product keeps: hours once mixed, a year on the shelf, or as the label says."""
    kind = np.where(continuous, 0, rng.choice(3, n, p=[0.46, 0.39, 0.15]))
    return {
        "expiration_value": np.array([36.0, 365.0, np.nan])[kind],
        "expiration_unit": worded(("Hours", "Days", "Enter on Label"), kind),
    }


def pharmacy_columns(
    rng: np.random.Generator,
    cohort: Cohort,
    drugs: MedicationOrders,
    prescribed: Prescribed,
    orders: ProviderOrders,
    first: int,
) -> dict[str, Any]:
    """Return the columns of pharmacy, an entry for each prescription."""
    order, n = prescribed.order, len(prescribed)
    admission = drugs.admission[order]
    place = orders.of_medication[order]
    lines = formulary()
    drug = drugs.drug[order]
    continuous = np.array([each.every == CONTINUOUS for each in lines])[drug]
    doses = np.array([each.every == ONCE for each in lines])[drug]
    piggyback = np.array([bool(each.diluent) for each in lines])[drug]
    process = np.where(continuous, 2, np.where(piggyback, 1, 0))
    entered = orders.ordered[place] + rng.integers(0, 20, n) * 60
    interval = np.where(doses, 1, np.where(rng.random(n) < 0.06, 2, 0))
    insulin = np.array([each.drug == "Insulin" for each in lines])[drug]
    pump = np.array([each.route == "IVPCA" for each in lines])[drug]
    fluid = prescribed.kind == BASE
    return {
        "subject_id": cohort.patients.subject_id[cohort.admissions.patient[admission]],
        "hadm_id": cohort.admissions.hadm_id[admission],
        "pharmacy_id": first + np.arange(n),
        "poe_id": orders.identifier.take(pa.array(place)),
        "starttime": np.where(
            drugs.start[order] == NO_TIME, drugs.ordered[order], drugs.start[order]
        ),
        "stoptime": drugs.stop[order],
        "medication": worded(
            [*(entry.drug for entry in entries()), None],
            np.where(rng.random(n) < 0.05, len(entries()), prescribed.entry),
        ),
        "proc_type": worded(("Unit Dose", "IV Piggyback", "IV Large Volume"), process),
        "status": worded(_STATES, _states(rng, cohort, drugs, orders)[order]),
        "entertime": entered,
        "verifiedtime": entered + rng.integers(0, 40, n) * 60,
        "route": worded([entry.route for entry in entries()], prescribed.entry),
        "frequency": worded([frequency(each) for each in lines], drug),
        "disp_sched": worded([schedule(each) for each in lines], drug),
        "infusion_type": worded((None, "C", "B"), np.where(continuous, 1, np.where(fluid, 2, 0))),
        "sliding_scale": worded((None, "Y", "N"), np.where(insulin, 1 + (rng.random(n) < 0.3), 0)),
        "lockout_interval": word_where(pump, "6"),
        "basal_rate": np.where(pump, 0.0, np.nan),
        "one_hr_max": worded((None, "1.2", "2.4"), np.where(pump, 1 + (rng.random(n) < 0.5), 0)),
        "doses_per_24_hrs": _a_day(prescribed, drugs),
        "duration": np.where(interval > 0, rng.choice([1.0, 2.0, 3.0, 5.0, 7.0], n), np.nan),
        "duration_interval": worded(("Ongoing", "Doses", "Days"), interval),
        "expirationdate": np.where(
            rng.random(n) < 0.02, (entered + 365 * DAY) // DAY * DAY, NO_TIME
        ),
        "dispensation": worded(
            ("Omnicell", "Floor Stock Item", "IV MED", "LET CALL", "Bulk Item"),
            rng.choice(5, n, p=[0.74, 0.15, 0.04, 0.05, 0.02]),
        ),
        "fill_quantity": word_where(rng.random(n) < 0.01, "1"),
    } | _kept_for(rng, continuous, n)
