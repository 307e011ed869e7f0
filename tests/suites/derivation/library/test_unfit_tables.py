# SPDX-License-Identifier: MIT
"""Datasets whose tables do not serve a reference: what is missing is named with a remedy, what is doubled refused."""

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from m4bench.data.importer import import_dataset
from m4bench.data.store import Store, StoredDataset
from m4bench.data.synthetic import generate
from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.build import build_references
from m4bench.suites.derivation.library.catalogue import library

DATASET = "eicu-demo"
REMEDY = "import it again from a folder that has"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """The files of a small network, to be imported as a modified copy of the demo."""
    generate(tmp_path / "files", stays=5, seed=1, density=0.2, site="eicu")
    return tmp_path / "files"


def imported(files: Path) -> StoredDataset:
    """Import files as the demo of eICU, whatever its release declares."""
    dataset = Store(files.parent / "store").dataset(DATASET)
    import_dataset(dataset, files, allow_modified=True)
    return dataset


def test_references_without_their_table_are_left_out_with_what_to_do(files: Path) -> None:
    """Each is named with the table and the remedy; following it builds them and no other."""
    chart = files / "nursecharting.parquet"
    aside = chart.rename(files.parent / chart.name)
    dataset = imported(files)
    build = [sys.executable, "-m", "m4bench.cli.main", "references", "build", DATASET]
    environment = {**os.environ, "M4BENCH_STORE": str(dataset.store), "COLUMNS": "200"}
    done = subprocess.run(build, capture_output=True, text=True, check=True, env=environment)
    assert [line for line in done.stderr.splitlines() if "left out" in line] == [
        f"left out {name}: the dataset has no eicu_crd.nursecharting; {REMEDY}"
        for name in ("eicu-gcs", "eicu-oasis")
    ]
    assert "1 built, 0 unchanged" in done.stdout
    refused = subprocess.run(
        [*build, "eicu-gcs"], capture_output=True, text=True, check=False, env=environment
    )
    (line,) = refused.stderr.splitlines()
    assert refused.returncode == 2
    assert "eicu-gcs needs eicu_crd.nursecharting" in line
    assert f"{REMEDY}: m4bench data import {DATASET} --from DIR" in line
    aside.rename(chart)
    report = build_references(library(), imported(files))
    assert {name.split()[-1] for name in report.built} >= {"eicu-gcs", "eicu-oasis"}
    assert report.left_out == {}


@pytest.mark.parametrize("table", ["apacheapsvar", "apachepredvar", "patient"])
def test_two_rows_of_one_stay_do_not_double_it(files: Path, table: str) -> None:
    """Reported fault 66: a second row of a stay in a table joined by stay is refused, never counted twice."""
    file = files / f"{table}.parquet"
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE rows AS FROM '{file}'")
        connection.execute("INSERT INTO rows SELECT * FROM rows ORDER BY patientunitstayid LIMIT 1")
        connection.execute(f"COPY rows TO '{file}' (FORMAT parquet)")
    with pytest.raises(InputError, match="eicu-oasis repeats 1 keys"):
        build_references(library(), imported(files), ["eicu-oasis"])
