# SPDX-License-Identifier: MIT
"""A source table a dataset lacks counts as one without rows: concepts are built with a note, references are not."""

from pathlib import Path

import duckdb
import pytest

from m4bench.data.catalogue import declared_tables
from m4bench.data.importer import import_dataset
from m4bench.data.store import StoredDataset
from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.build import build_concepts, build_references
from m4bench.suites.derivation.library.catalogue import library
from tests.data.folders import dataset_in, write

VALUES = {
    "mimiciv_hosp.patients": {"subject_id": "7", "gender": "F", "anchor_age": "60", "anchor_year": "2150"},
    "mimiciv_hosp.admissions": {
        "subject_id": "7", "hadm_id": "8", "admittime": "2152-12-30 10:00:00",
        "dischtime": "2153-01-03 10:00:00", "admission_type": "URGENT",
    },
    "mimiciv_icu.icustays": {
        "subject_id": "7", "hadm_id": "8", "stay_id": "9", "intime": "2152-12-30 12:00:00",
        "outtime": "2153-01-02 12:00:00",
    },
}  # fmt: skip


@pytest.fixture
def three_tables(tmp_path: Path) -> StoredDataset:
    """A dataset of one patient of whom only the three registers were given."""
    for name, values in VALUES.items():
        columns = declared_tables("mimic-iv")[name].column_types
        row = ",".join(values.get(column, "") for column in columns)
        write(tmp_path / "from", f"{name.split('.')[1]}.csv", f"{','.join(columns)}\n{row}\n")
    dataset = dataset_in(tmp_path, "mimic-iv")
    import_dataset(dataset, tmp_path / "from", allow_modified=True)
    return dataset


@pytest.mark.parametrize("convention", ["published", "current", "adjudicated"])
def test_every_concept_is_built_with_what_there_is(
    three_tables: StoredDataset, convention: str
) -> None:
    """Registers give their rows, scores a row without values, events none; each absence is told."""
    known = library(convention)  # type: ignore[arg-type]
    report = build_concepts(library(), three_tables, convention=convention)  # type: ignore[arg-type]
    assert set(report.built) | set(report.reused) == set(known.concepts)
    folder = three_tables.derived(convention)
    counts = {
        name: duckdb.sql(f"SELECT count(*) FROM read_parquet('{folder / name}.parquet')").fetchone()
        for name in (
            "age",
            "icustay_detail",
            "apsiii",
            "bg",
            "antibiotic",
            "icustay_hourly",
            "sofa",
        )
    }
    # Hours of the stay, not of its heart rates: 24 before it and 0 to 72, of which SOFA has those from 0 on.
    hours = (97, 73) if convention == "adjudicated" else (0, 0)
    assert {name: row[0] for name, row in counts.items()} == {
        "age": 1, "icustay_detail": 1, "apsiii": 1, "bg": 0, "antibiotic": 0,
        "icustay_hourly": hours[0], "sofa": hours[1],
    }  # fmt: skip
    described = duckdb.sql(f"DESCRIBE SELECT * FROM read_parquet('{folder / 'bg'}.parquet')")
    assert [row[1] for row in described.fetchall()] == [
        column.type for column in known.concepts["bg"].header.columns
    ]
    assert "age" not in report.absent
    assert report.absent["bg"] == ["mimiciv_hosp.labevents", "mimiciv_icu.chartevents"]
    assert "mimiciv_hosp.prescriptions" in report.absent["antibiotic"]


def test_a_reference_that_lacks_a_table_is_not_built(three_tables: StoredDataset) -> None:
    """An answer made of absent rows would be scored against: it is refused, and left out when none is named."""
    with pytest.raises(InputError, match=r"sofa-24h needs mimiciv_hosp\.labevents"):
        build_references(library(), three_tables, ["sofa-24h"])
    with pytest.raises(InputError, match="nothing"):
        build_references(library(), three_tables)
