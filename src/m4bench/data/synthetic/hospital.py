# SPDX-License-Identifier: MIT
"""The synthetic hospital as a whole: blocks of stays, drawn one after another and appended to the tables.

It knows the order of things and where rows go; what they mean is known to the modules it calls.
"""

from pathlib import Path

from numpy.random import Generator

from m4bench.data.progress import SilentProgress, WorkProgress
from m4bench.data.synthetic.charting import chart_columns
from m4bench.data.synthetic.cohort import draw_cohort
from m4bench.data.synthetic.diagnoses import diagnosis_columns, diagnosis_dictionary
from m4bench.data.synthetic.dialysis import dialysis_charting
from m4bench.data.synthetic.dictionaries import (
    chart_units,
    item_columns,
    lab_item_columns,
    lab_units,
)
from m4bench.data.synthetic.draws import stream
from m4bench.data.synthetic.gases import blood_gases
from m4bench.data.synthetic.infusions import input_columns, procedure_columns
from m4bench.data.synthetic.labs import laboratory
from m4bench.data.synthetic.neurology import coma_scale
from m4bench.data.synthetic.outputs import output_columns
from m4bench.data.synthetic.register import (
    admission_columns,
    culture_columns,
    patient_columns,
    prescription_columns,
    service_columns,
    stay_columns,
    transfer_columns,
)
from m4bench.data.synthetic.reporting import lab_columns
from m4bench.data.synthetic.respiratory import respiratory_care
from m4bench.data.synthetic.support import draw_support
from m4bench.data.synthetic.tables import Columns, Writers
from m4bench.data.synthetic.vitals import body_size, vital_signs
from m4bench.model.errors import InputError
from m4bench.model.files import folder_beside

BLOCK = 500
"""Stays drawn at a time: memory is bounded by a block, whatever the number of stays."""


def generate(folder: Path, *, stays: int, seed: int, progress: WorkProgress | None = None) -> None:
    """Write a synthetic hospital in the shape of MIMIC-IV.

    The folder gets `hosp/` and `icu/` with one Parquet file a table. The same number of stays and seed give
    the same rows in the same order under one version of NumPy. An existing synthetic folder is replaced whole.

    Args:
        folder: where to write; a folder with other files in it is refused.
        stays: number of ICU stays, 1 to MOST_STAYS.
        seed: seed of the generator, 0 or more.
        progress: told what happens.

    Raises:
        InputError: stays or seed out of range, or a folder that holds something else.
    """
    if stays < 1:
        raise InputError("a hospital needs at least one stay", remedy="give --stays 1 or more")
    if stays > MOST_STAYS:
        raise InputError(
            f"identifiers suffice for {MOST_STAYS:,} stays", remedy="make several hospitals instead"
        )
    if seed < 0:
        raise InputError("a seed cannot be negative", remedy="give --seed 0 or more")
    _refuse_foreign(folder)
    shown = progress or SilentProgress()
    shown.planned(f"inventing {stays:,} ICU stays", stays * BYTES_A_STAY)
    with folder_beside(folder) as partial, Writers(partial) as writers:
        writers.append("icu.d_items", item_columns())
        writers.append("hosp.d_labitems", lab_item_columns())
        writers.append("hosp.d_icd_diagnoses", diagnosis_dictionary())
        first = 0
        for block, size in enumerate(_sizes(stays)):
            _Block(writers, seed, block, size, first).write()
            first += size
            shown.advanced(size * BYTES_A_STAY)
            shown.finished(f"{first:,} of {stays:,} stays")


def _refuse_foreign(folder: Path) -> None:
    """Raise when replacing the folder would destroy what this module did not write."""
    if not folder.exists():
        return
    held = {entry.name for entry in folder.iterdir()} if folder.is_dir() else {folder.name}
    if held - {"hosp", "icu"}:
        raise InputError("holds other files", file=folder, remedy="give an empty or a new folder")


def _sizes(stays: int) -> list[int]:
    """Return the sizes of the blocks; a remainder too small to stand alone is spread over all."""
    blocks = max(1, round(stays / BLOCK))
    return [stays // blocks + (i < stays % blocks) for i in range(blocks)]


class _Block:
    """One block of the hospital, written table by table; numbers of rows start at bases of its own."""

    def __init__(self, writers: Writers, seed: int, block: int, stays: int, first: int) -> None:
        self._writers, self._seed, self._number = writers, seed, block
        self.cohort = draw_cohort(stream(seed, block, "cohort"), stays, first)
        self.support = draw_support(stream(seed, block, "support"), self.cohort)
        self._first = first

    def _append(self, table: str, columns: Columns) -> None:
        self._writers.append(table, columns)

    def write(self) -> None:
        """Append the block to every table."""
        self._register()
        self._bedside()
        seed, number, cohort = self._seed, self._number, self.cohort
        results = [
            laboratory(stream(seed, number, "laboratory"), cohort),
            blood_gases(stream(seed, number, "gases"), cohort, self.support),
        ]
        rng = stream(seed, number, "labevents")
        rows = 1 + self._first * ROWS_A_STAY
        self._append("hosp.labevents", lab_columns(rng, cohort, results, lab_units(), rows))

    def _register(self) -> None:
        cohort, rows = self.cohort, 1 + self._first * ORDERS_A_STAY

        def rng(table: str) -> Generator:
            return stream(self._seed, self._number, table)

        self._append("hosp.patients", patient_columns(rng("patients"), cohort))
        self._append("hosp.admissions", admission_columns(rng("admissions"), cohort))
        self._append("icu.icustays", stay_columns(rng("icustays"), cohort))
        self._append("hosp.transfers", transfer_columns(cohort, rows))
        self._append("hosp.services", service_columns(rng("services"), cohort))
        self._append("hosp.diagnoses_icd", diagnosis_columns(rng("diagnoses_icd"), cohort))
        self._append("hosp.prescriptions", prescription_columns(rng("prescriptions"), cohort, rows))
        self._append("hosp.microbiologyevents", culture_columns(rng("cultures"), cohort, rows))

    def _bedside(self) -> None:
        cohort, support = self.cohort, self.support
        seed, number, orders = self._seed, self._number, 1 + self._first * ORDERS_A_STAY
        rows = [
            *vital_signs(stream(seed, number, "vitals"), cohort, support),
            *body_size(stream(seed, number, "weights"), cohort),
            *coma_scale(stream(seed, number, "neurology"), cohort, support),
            *respiratory_care(stream(seed, number, "respiratory"), cohort, support),
            *dialysis_charting(stream(seed, number, "dialysis"), cohort, support),
        ]
        rng = stream(seed, number, "chartevents")
        self._append("icu.chartevents", chart_columns(rng, cohort, rows, chart_units()))
        rng = stream(seed, number, "outputevents")
        self._append("icu.outputevents", output_columns(rng, cohort))
        rng = stream(seed, number, "inputevents")
        self._append("icu.inputevents", input_columns(rng, cohort, support, orders))
        rng = stream(seed, number, "procedureevents")
        procedures = procedure_columns(rng, cohort, support, orders * 2)
        self._append("icu.procedureevents", procedures)


MOST_STAYS = 200_000
"""More stays would number their results beyond the INTEGER of the release, or near planted keys."""
BYTES_A_STAY = 18_000
"""About what a stay takes on disk; only progress is measured by it."""
ROWS_A_STAY = 8_000
"""Laboratory row numbers set aside for each stay, so that blocks never share one."""
ORDERS_A_STAY = 1_000
"""Order numbers set aside for each stay."""
