# SPDX-License-Identifier: MIT
"""The tables of MIMIC-IV's module hosp, in the order they are drawn. What a row means is known elsewhere."""

from collections.abc import Iterator

import pyarrow.compute as pc

from m4bench.data.synthetic.block import Block
from m4bench.data.synthetic.mimic.administration import (
    administration_columns,
    administration_detail_columns,
    draw_administrations,
)
from m4bench.data.synthetic.mimic.billing import (
    case_group_columns,
    procedure_columns,
    procedure_dictionary,
    service_dictionary,
    service_event_columns,
)
from m4bench.data.synthetic.mimic.clinic import clinic_columns
from m4bench.data.synthetic.mimic.comorbidity import Conditions, draw_conditions
from m4bench.data.synthetic.mimic.cultures import culture_columns
from m4bench.data.synthetic.mimic.diagnoses import diagnosis_columns, diagnosis_dictionary
from m4bench.data.synthetic.mimic.dictionaries import lab_item_columns, lab_units
from m4bench.data.synthetic.mimic.disturbances import draw_disturbances
from m4bench.data.synthetic.mimic.gases import blood_gases
from m4bench.data.synthetic.mimic.infections import Infections, draw_infections
from m4bench.data.synthetic.mimic.labs import laboratory
from m4bench.data.synthetic.mimic.medication import draw_medication
from m4bench.data.synthetic.mimic.pharmacy import (
    draw_prescriptions,
    pharmacy_columns,
    prescription_columns,
)
from m4bench.data.synthetic.mimic.provider_orders import (
    draw_orders,
    order_columns,
    order_detail_columns,
)
from m4bench.data.synthetic.mimic.providers import provider_columns
from m4bench.data.synthetic.mimic.register import admission_columns, patient_columns
from m4bench.data.synthetic.mimic.reporting import lab_columns
from m4bench.data.synthetic.mimic.wards import service_columns, transfer_columns
from m4bench.data.synthetic.tables import Columns

ROWS_A_STAY = 8_000
"""Laboratory row numbers set aside for each stay, so that blocks never share one."""
ORDERS_A_STAY = 1_000
"""Numbers of transfers, pharmacy entries and cultures set aside for each stay."""
ROWS_FROM, ORDERS_FROM = 400_000_001, 900_000_001
"""First numbers, beyond those of the release."""


def hosp_dictionaries() -> Iterator[tuple[str, Columns]]:
    """Yield the dictionaries of the module."""
    yield "mimiciv_hosp.d_labitems", lab_item_columns()
    yield "mimiciv_hosp.d_icd_diagnoses", diagnosis_dictionary()
    yield "mimiciv_hosp.d_icd_procedures", procedure_dictionary()
    yield "mimiciv_hosp.d_hcpcs", service_dictionary()
    yield "mimiciv_hosp.provider", provider_columns()


def hosp_rows(block: Block) -> Iterator[tuple[str, Columns]]:
    """Yield the rows of a block, table by table."""
    cohort, first = block.cohort, ORDERS_FROM + block.first * ORDERS_A_STAY
    disturbed = draw_disturbances(block.rng("disturbances"), cohort)
    present = draw_conditions(block.rng("conditions"), cohort, disturbed)
    infections = draw_infections(block.rng("infections"), cohort)
    yield from _register_rows(block, first)
    diagnoses = diagnosis_columns(block.rng("diagnoses_icd"), cohort, present)
    yield "mimiciv_hosp.diagnoses_icd", diagnoses
    procedures = procedure_columns(block.rng("procedures_icd"), cohort, block.support)
    yield "mimiciv_hosp.procedures_icd", procedures
    yield "mimiciv_hosp.drgcodes", case_group_columns(block.rng("drgcodes"), cohort)
    yield "mimiciv_hosp.omr", clinic_columns(block.rng("omr"), cohort, block.density)
    yield from _medication_rows(block, present, infections, first)
    cultures = culture_columns(block.rng("cultures"), cohort, infections, block.density, first)
    yield "mimiciv_hosp.microbiologyevents", cultures
    results = [
        laboratory(block.rng("laboratory"), cohort, present, disturbed, block.density),
        blood_gases(block.rng("gases"), cohort, block.support, disturbed, block.density),
    ]
    rows = ROWS_FROM + block.first * ROWS_A_STAY
    reported = lab_columns(block.rng("labevents"), cohort, results, lab_units(), rows)
    yield "mimiciv_hosp.labevents", reported


def _register_rows(block: Block, first: int) -> Iterator[tuple[str, Columns]]:
    """Yield who came, where they lay and who looked after them; `first` is the first number of a transfer."""
    cohort = block.cohort
    yield "mimiciv_hosp.patients", patient_columns(block.rng("patients"), cohort)
    register = admission_columns(block.rng("admissions"), cohort)
    yield "mimiciv_hosp.admissions", register
    moves = transfer_columns(block.rng("transfers"), block.rng("icustays"), cohort, register, first)
    yield "mimiciv_hosp.transfers", moves
    yield "mimiciv_hosp.services", service_columns(block.rng("services"), cohort)
    observed = pc.fill_null(pc.match_substring(register["admission_type"], "OBSERVATION"), False)
    billed = service_event_columns(
        block.rng("hcpcsevents"), cohort, observed.to_numpy(zero_copy_only=False)
    )
    yield "mimiciv_hosp.hcpcsevents", billed


def _medication_rows(
    block: Block, present: Conditions, infections: Infections, first: int
) -> Iterator[tuple[str, Columns]]:
    """Yield what is ordered, dispensed and given; `first` is the first number in the pharmacy."""
    cohort, density = block.cohort, block.density
    drugs = draw_medication(block.rng("medication"), cohort, present, infections, density)
    orders = draw_orders(block.rng("poe"), cohort, drugs, density)
    yield "mimiciv_hosp.poe", order_columns(cohort, orders)
    details = order_detail_columns(block.rng("poe_detail"), cohort, orders)
    yield "mimiciv_hosp.poe_detail", details
    prescribed = draw_prescriptions(block.rng("fluids"), drugs)
    entries = pharmacy_columns(block.rng("pharmacy"), cohort, drugs, prescribed, orders, first)
    yield "mimiciv_hosp.pharmacy", entries
    written = prescription_columns(
        block.rng("prescriptions"), cohort, drugs, prescribed, orders, first
    )
    yield "mimiciv_hosp.prescriptions", written
    given = draw_administrations(block.rng("administrations"), cohort, drugs, density)
    events = administration_columns(block.rng("emar"), cohort, drugs, orders, given, first)
    yield "mimiciv_hosp.emar", events
    scanned = administration_detail_columns(block.rng("emar_detail"), cohort, drugs, given, first)
    yield "mimiciv_hosp.emar_detail", scanned
