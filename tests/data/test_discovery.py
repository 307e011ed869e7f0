# SPDX-License-Identifier: MIT
from pathlib import Path

import pytest

from m4bench.data.catalogue import declared_dataset
from m4bench.data.discovery import find_tables
from m4bench.model.errors import InputError
from tests.data.folders import write

MIMIC = declared_dataset("mimic-iv")
EICU = declared_dataset("eicu")


@pytest.mark.parametrize(
    ("name", "qualified", "format_"),
    [
        ("hosp/labevents.csv.gz", "mimiciv_hosp.labevents", "csv.gz"),
        ("HOSP/LabEvents.CSV", "mimiciv_hosp.labevents", "csv"),
        ("labevents.parquet", "mimiciv_hosp.labevents", "parquet"),
        ("icu/chartevents.csv", "mimiciv_icu.chartevents", "csv"),
        ("mimiciv_icu/chartevents.parquet", "mimiciv_icu.chartevents", "parquet"),
        ("chartevents.CSV.GZ", "mimiciv_icu.chartevents", "csv.gz"),
    ],
)
def test_tables_are_found_by_name_in_any_place_and_case(
    tmp_path: Path, name: str, qualified: str, format_: str
) -> None:
    """A table is found at the root or in its module's folder, in any case and format."""
    write(tmp_path, name, "x")
    [found] = find_tables(MIMIC, tmp_path).tables
    assert (found.declaration.qualified, found.format, found.name) == (qualified, format_, name)


def test_camel_case_names_of_eicu_are_found(tmp_path: Path) -> None:
    """The file names of the eICU releases are found."""
    write(tmp_path, "nurseCharting.csv.gz", "x")
    write(tmp_path, "vitalperiodic.csv", "x")
    found = {t.declaration.qualified for t in find_tables(EICU, tmp_path).tables}
    assert found == {"eicu_crd.nursecharting", "eicu_crd.vitalperiodic"}


def test_other_files_are_named_and_companions_are_not(tmp_path: Path) -> None:
    """Files that are no table are listed, except licences, read-me files and sums."""
    for name in ("hosp/patients.csv", "icu/patients.csv", "extra.csv", "notes/x.csv"):
        write(tmp_path, name, "x")
    for name in ("LICENSE.txt", "README.md", "SHA256SUMS.txt", ".hidden"):
        write(tmp_path, name, "x")
    assert find_tables(MIMIC, tmp_path).unknown == ("extra.csv", "icu/patients.csv", "notes/")


@pytest.mark.parametrize(
    "second",
    ["hosp/labevents.csv.gz", "labevents.csv", "hosp/labevents.parquet", "hosp/LABEVENTS.csv"],
)
def test_a_table_given_twice_is_refused(tmp_path: Path, second: str) -> None:
    """Two files for one table are refused, and both are named."""
    write(tmp_path, "hosp/labevents.csv", "x")
    write(tmp_path, second, "x")
    with pytest.raises(
        InputError, match=r"(?i)holds table labevents, which .*labevents.* holds too"
    ):
        find_tables(MIMIC, tmp_path)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda _folder: None, "does not exist"),
        (lambda folder: folder.mkdir(), "holds no table"),
        (lambda folder: write(folder, "foo.csv", "x"), "holds no table"),
        (lambda folder: folder.write_text("x"), "is not a folder"),
    ],
)
def test_a_folder_without_tables_is_refused(tmp_path: Path, make, problem: str) -> None:  # type: ignore[no-untyped-def]
    """A missing, empty or wrong folder is refused by name."""
    folder = tmp_path / "given"
    make(folder)
    with pytest.raises(InputError, match=problem) as refused:
        find_tables(MIMIC, folder)
    assert str(folder) in str(refused.value)
