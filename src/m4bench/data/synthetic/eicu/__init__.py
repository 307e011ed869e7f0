# SPDX-License-Identifier: MIT
"""Invented patients as rows of eICU's tables."""

from collections.abc import Callable, Iterator
from typing import Any

from m4bench.data.synthetic.block import Block
from m4bench.data.synthetic.eicu import (
    apache,
    drugs,
    fluids,
    laboratory,
    monitors,
    nursing_records,
    plans,
    problems,
    ventilation,
)
from m4bench.data.synthetic.eicu.bedside import Bedside, draw_bedside
from m4bench.data.synthetic.eicu.examination import examination_columns
from m4bench.data.synthetic.eicu.hospitals import hospital_columns
from m4bench.data.synthetic.eicu.nursing import nursing_columns
from m4bench.data.synthetic.eicu.patient import patient_columns
from m4bench.data.synthetic.eicu.stays import draw_unit_stays
from m4bench.data.synthetic.tables import Columns

__all__ = ["EicuSite"]

SCHEMA = "eicu_crd"

_ABSTRACTED: dict[str, Callable[[apache.Abstract], dict[str, Any]]] = {
    "admissiondx": apache.admissiondx_columns,
    "apacheapsvar": apache.apacheapsvar_columns,
    "apachepatientresult": apache.apachepatientresult_columns,
    "apachepredvar": apache.apachepredvar_columns,
}
_CHARTED: dict[str, Callable[[Bedside], dict[str, Any]]] = {
    "admissiondrug": drugs.admissiondrug_columns,
    "allergy": drugs.allergy_columns,
    "careplancareprovider": plans.careplancareprovider_columns,
    "careplaneol": plans.careplaneol_columns,
    "careplangeneral": plans.careplangeneral_columns,
    "careplangoal": plans.careplangoal_columns,
    "careplaninfectiousdisease": plans.careplaninfectiousdisease_columns,
    "customlab": laboratory.customlab_columns,
    "diagnosis": problems.diagnosis_columns,
    "infusiondrug": drugs.infusiondrug_columns,
    "intakeoutput": fluids.intakeoutput_columns,
    "lab": laboratory.lab_columns,
    "medication": drugs.medication_columns,
    "microlab": laboratory.microlab_columns,
    "note": problems.note_columns,
    "nurseassessment": nursing_records.nurseassessment_columns,
    "nursecare": nursing_records.nursecare_columns,
    "nursecharting": nursing_columns,
    "pasthistory": problems.pasthistory_columns,
    "physicalexam": examination_columns,
    "respiratorycare": ventilation.respiratorycare_columns,
    "respiratorycharting": ventilation.respiratorycharting_columns,
    "treatment": problems.treatment_columns,
    "vitalaperiodic": monitors.vitalaperiodic_columns,
    "vitalperiodic": monitors.vitalperiodic_columns,
}


class EicuSite:
    """The tables of eICU, in one schema."""

    name = "eicu"

    def dictionaries(self) -> Iterator[tuple[str, Columns]]:
        """Yield the hospitals of the network."""
        yield f"{SCHEMA}.hospital", hospital_columns()

    def rows(self, block: Block) -> Iterator[tuple[str, Columns]]:
        """Yield the rows of a block, table by table."""
        stays = draw_unit_stays(block)
        bedside = draw_bedside(stays)
        yield f"{SCHEMA}.patient", patient_columns(stays)
        abstract = apache.draw_abstract(bedside)
        for table, abstracted in _ABSTRACTED.items():
            yield f"{SCHEMA}.{table}", abstracted(abstract)
        for table, charted in _CHARTED.items():
            yield f"{SCHEMA}.{table}", charted(bedside)
