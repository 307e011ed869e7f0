# SPDX-License-Identifier: MIT
"""What derivations read of the source tables is what an import demands."""

from typing import get_args

import pytest

from m4bench.data.catalogue import declared_tables
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.column_lineage import ColumnLineage


@pytest.mark.parametrize("convention", get_args(Convention))
def test_every_source_column_that_is_read_is_required(convention: Convention) -> None:
    """No dataset can be imported without a column that a derivation of its site needs."""
    declared = declared_tables("mimic-iv") | declared_tables("eicu")
    lineage = ColumnLineage(library(convention))
    read = {
        (table, column)
        for derivation in lineage.derivations
        for table, columns in lineage.inputs(derivation).items()
        if table in declared
        for column in columns
    }
    required = {(name, c.name) for name, t in declared.items() for c in t.columns if c.required}
    assert ("eicu_crd.respiratorycare", "setapneatv") in read
    assert ("mimiciv_icu.procedureevents", "location") in read
    assert read - required == set()
