# SPDX-License-Identifier: MIT
import csv
import gzip
from pathlib import Path

import pytest

from m4bench.data.catalogue import declared_dataset, declared_datasets, declared_tables
from m4bench.model.errors import InputError


def test_datasets_are_the_six_of_the_design() -> None:
    """The dataset list holds the licensed, the open and the synthetic datasets with their access."""
    assert {name: d.access for name, d in declared_datasets().items()} == {
        "mimic-iv": "credentialed",
        "mimic-iv-demo": "open",
        "eicu": "credentialed",
        "eicu-demo": "open",
        "synthetic": "synthetic",
        "synthetic-eicu": "synthetic",
    }


@pytest.mark.parametrize(
    ("site", "schema", "count"),
    [("mimic-iv", "mimiciv_hosp", 22), ("mimic-iv", "mimiciv_icu", 9), ("eicu", "eicu_crd", 31)],
)
def test_every_table_of_a_site_is_declared(site: str, schema: str, count: int) -> None:
    """All tables of a schema are declared."""
    declared = [t for t in declared_tables(site).values() if t.schema_name == schema]
    assert len(declared) == count


@pytest.mark.parametrize("site", ["mimic-iv", "eicu"])
def test_names_are_lower_case_and_unique_and_each_table_requires_a_column(site: str) -> None:
    """Names are unique lower-case words, and no table is without a required column."""
    for table in declared_tables(site).values():
        names = [column.name for column in table.columns]
        assert names == [name.lower() for name in names]
        assert len(set(names)) == len(names)
        assert any(column.required for column in table.columns)


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("mimiciv_hosp.diagnoses_icd", "icd_code"),
        ("mimiciv_hosp.procedures_icd", "icd_code"),
        ("mimiciv_hosp.prescriptions", "ndc"),
        ("mimiciv_hosp.prescriptions", "gsn"),
        ("mimiciv_hosp.hcpcsevents", "hcpcs_cd"),
        ("mimiciv_hosp.drgcodes", "drg_code"),
        ("mimiciv_hosp.emar_detail", "parent_field_ordinal"),
        ("eicu_crd.diagnosis", "icd9code"),
    ],
)
def test_codes_are_text(table: str, column: str) -> None:
    """A column of codes is text, so that leading zeros stay."""
    tables = declared_tables("mimic-iv") | declared_tables("eicu")
    assert tables[table].column_types[column] == "VARCHAR"


@pytest.mark.parametrize("site", ["mimic-iv", "eicu"])
def test_types_are_those_of_the_conformance_schema(shared: Path, site: str) -> None:
    """Every column of the conformance data is declared with the same type."""
    tables = declared_tables(site)
    with (shared / "conformance" / site.removesuffix("-iv") / "schema.csv").open() as stream:
        for row in csv.DictReader(stream):
            table = tables[f"{row['schema']}.{row['table']}"]
            assert table.column_types[row["column"]] == row["type"], row


def test_known_counts_are_those_of_the_releases(shared: Path) -> None:
    """The declared row counts equal the given list of releases."""
    with (shared / "specs" / "releases.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        table = row["table"].lower()
        qualified = f"mimiciv_{table}" if "." in table else f"eicu_crd.{table}"
        counts = declared_dataset(row["dataset"]).releases[row["release"]]
        assert counts[qualified] == int(row["rows"])
    declared = sum(len(c) for d in declared_datasets().values() for c in d.releases.values())
    assert declared == len(rows)


def test_every_column_of_the_demos_is_declared(shared: Path) -> None:
    """No column of the open demos is unknown to the catalogue."""
    for site, pattern in (("mimic-iv", "mimic-iv-demo/*/*.csv.gz"), ("eicu", "eicu-demo/*.csv.gz")):
        tables = {t.table: t for t in declared_tables(site).values()}
        for file in (shared / "data").glob(pattern):
            with gzip.open(file, "rt") as stream:
                header = next(csv.reader(stream))
            table = tables[file.name.removesuffix(".csv.gz").lower()]
            assert {name.lower() for name in header} <= set(table.column_types)


def test_unknown_dataset_is_refused_with_the_known_names() -> None:
    """A wrong name is answered with the names there are."""
    with pytest.raises(InputError, match="mimic-iv-demo, eicu"):
        declared_dataset("mimic-3")
