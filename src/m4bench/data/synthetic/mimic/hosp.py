# SPDX-License-Identifier: MIT
"""The tables of MIMIC-IV's module hosp, in the order they are drawn. What a row means is known elsewhere."""

from collections.abc import Iterator

from m4bench.data.synthetic.block import Block
from m4bench.data.synthetic.mimic.comorbidity import draw_conditions
from m4bench.data.synthetic.mimic.diagnoses import diagnosis_columns, diagnosis_dictionary
from m4bench.data.synthetic.mimic.dictionaries import lab_item_columns, lab_units
from m4bench.data.synthetic.mimic.disturbances import draw_disturbances
from m4bench.data.synthetic.mimic.gases import blood_gases
from m4bench.data.synthetic.mimic.labs import laboratory
from m4bench.data.synthetic.mimic.providers import provider_columns
from m4bench.data.synthetic.mimic.register import (
    admission_columns,
    culture_columns,
    patient_columns,
    prescription_columns,
    service_columns,
    transfer_columns,
)
from m4bench.data.synthetic.mimic.reporting import lab_columns
from m4bench.data.synthetic.tables import Columns

ROWS_A_STAY = 8_000
"""Laboratory row numbers set aside for each stay, so that blocks never share one."""
ORDERS_A_STAY = 1_000
"""Order numbers set aside for each stay."""


def hosp_dictionaries() -> Iterator[tuple[str, Columns]]:
    """Yield the dictionaries of the module."""
    yield "mimiciv_hosp.d_labitems", lab_item_columns()
    yield "mimiciv_hosp.d_icd_diagnoses", diagnosis_dictionary()
    yield "mimiciv_hosp.provider", provider_columns()


def hosp_rows(block: Block) -> Iterator[tuple[str, Columns]]:
    """Yield the rows of a block, table by table."""
    cohort, orders = block.cohort, 1 + block.first * ORDERS_A_STAY
    disturbed = draw_disturbances(block.rng("disturbances"), cohort)
    present = draw_conditions(block.rng("conditions"), cohort, disturbed)
    yield "mimiciv_hosp.patients", patient_columns(block.rng("patients"), cohort)
    yield "mimiciv_hosp.admissions", admission_columns(block.rng("admissions"), cohort)
    yield "mimiciv_hosp.transfers", transfer_columns(cohort, orders)
    yield "mimiciv_hosp.services", service_columns(block.rng("services"), cohort)
    diagnoses = diagnosis_columns(block.rng("diagnoses_icd"), cohort, present)
    yield "mimiciv_hosp.diagnoses_icd", diagnoses
    drugs = prescription_columns(block.rng("prescriptions"), cohort, orders)
    yield "mimiciv_hosp.prescriptions", drugs
    cultures = culture_columns(block.rng("cultures"), cohort, orders)
    yield "mimiciv_hosp.microbiologyevents", cultures
    density = block.density
    results = [
        laboratory(block.rng("laboratory"), cohort, present, disturbed, density),
        blood_gases(block.rng("gases"), cohort, block.support, disturbed, density),
    ]
    rows = 1 + block.first * ROWS_A_STAY
    reported = lab_columns(block.rng("labevents"), cohort, results, lab_units(), rows)
    yield "mimiciv_hosp.labevents", reported
