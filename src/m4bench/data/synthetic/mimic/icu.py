# SPDX-License-Identifier: MIT
"""The tables of MIMIC-IV's module icu, in the order they are drawn. What a row means is known elsewhere."""

from collections.abc import Iterator

from m4bench.data.synthetic.block import Block
from m4bench.data.synthetic.mimic.access import lines_in_place
from m4bench.data.synthetic.mimic.assessments import nursing_assessments
from m4bench.data.synthetic.mimic.body import body_size
from m4bench.data.synthetic.mimic.caregivers import caregiver_columns
from m4bench.data.synthetic.mimic.charting import chart_columns
from m4bench.data.synthetic.mimic.dates import datetime_columns
from m4bench.data.synthetic.mimic.dialysis import dialysis_charting
from m4bench.data.synthetic.mimic.dictionaries import chart_units, item_columns
from m4bench.data.synthetic.mimic.directives import code_status
from m4bench.data.synthetic.mimic.inputs import ingredient_columns, input_columns, orders_given
from m4bench.data.synthetic.mimic.neurology import coma_scale, skull_pressure
from m4bench.data.synthetic.mimic.outputs import output_columns
from m4bench.data.synthetic.mimic.procedures import procedure_columns
from m4bench.data.synthetic.mimic.register import stay_columns
from m4bench.data.synthetic.mimic.respiratory import respiratory_care
from m4bench.data.synthetic.mimic.vitals import vital_signs
from m4bench.data.synthetic.tables import Columns

ORDERS_A_STAY = 1_000
"""Order numbers set aside for each stay."""


def icu_dictionaries() -> Iterator[tuple[str, Columns]]:
    """Yield the dictionaries of the module."""
    yield "mimiciv_icu.d_items", item_columns()
    yield "mimiciv_icu.caregiver", caregiver_columns()


def icu_rows(block: Block) -> Iterator[tuple[str, Columns]]:
    """Yield the rows of a block, table by table."""
    cohort, support, density = block.cohort, block.support, block.density
    yield "mimiciv_icu.icustays", stay_columns(block.rng("icustays"), cohort)
    rows = [
        *vital_signs(block.rng("vitals"), cohort, support, density),
        *body_size(block.rng("weights"), cohort, density),
        *coma_scale(block.rng("neurology"), cohort, support, density),
        *skull_pressure(block.rng("skull pressure"), cohort, density),
        *code_status(block.rng("code status"), cohort),
        *respiratory_care(block.rng("respiratory"), cohort, support, density),
        *dialysis_charting(block.rng("dialysis"), cohort, support, density),
        *nursing_assessments(block.rng("assessments"), cohort, density),
    ]
    charted = chart_columns(block.rng("chartevents"), cohort, rows, chart_units())
    yield "mimiciv_icu.chartevents", charted
    yield "mimiciv_icu.outputevents", output_columns(block.rng("outputevents"), cohort, density)
    orders = 1 + block.first * ORDERS_A_STAY
    given = orders_given(block.rng("orders"), cohort, support, orders, density)
    yield (
        "mimiciv_icu.inputevents",
        input_columns(block.rng("inputevents"), cohort, given),
    )
    yield "mimiciv_icu.ingredientevents", ingredient_columns(cohort, given)
    access = lines_in_place(block.rng("access"), cohort, support)
    yield (
        "mimiciv_icu.procedureevents",
        procedure_columns(
            block.rng("procedureevents"), cohort, support, access, orders * 2, density
        ),
    )
    dates = datetime_columns(block.rng("datetimeevents"), cohort, access, density)
    yield "mimiciv_icu.datetimeevents", dates
