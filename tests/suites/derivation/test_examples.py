# SPDX-License-Identifier: MIT
"""The worked examples of the specifications, run with upstream relations replaced by the given rows."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from m4bench.data.catalogue import declared_tables
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.catalogue import Derivation, library
from m4bench.suites.derivation.library.engine import EngineLimits, engine
from m4bench.suites.derivation.library.execute import execute
from m4bench.suites.derivation.library.header import Parameter
from tests.suites.derivation.conformance import built_rows, compare, csv_rows

EXAMPLES = Path(__file__).parent / "examples"
PREFIX = "reference-"
# What an example states of each convention; one that states no convention but the first speaks of that alone.
FIELDS: dict[Convention, str] = {
    "published": "expect",
    "current": "expect_current",
    "adjudicated": "expect_adjudicated",
}


def cases() -> list[Any]:
    """Return every example with the derivation it belongs to."""
    found = []
    for path in sorted(EXAMPLES.glob("*.yaml")):
        name = path.stem
        for number, example in enumerate(yaml.safe_load(path.read_text())):
            for convention, field in FIELDS.items():
                if field in example:
                    label = f"{name}-{number}-{example['title']}-{convention}"
                    found.append(pytest.param(name, example, convention, id=label))
    return found


def derivation_of(name: str, convention: Convention = "published") -> Derivation:
    """Return the derivation an example file is named after, under a convention."""
    if name.startswith(PREFIX):
        return library(convention).references[name.removeprefix(PREFIX)]
    return library(convention).concepts[name]


def column_types(relation: str, convention: Convention) -> dict[str, str]:
    """Return the declared columns of a source table, or of a concept under a convention."""
    schema, name = relation.split(".")
    if schema == "mimiciv_derived":
        return {c.name: c.type for c in library(convention).concepts[name].header.columns}
    site = "eicu" if schema == "eicu_crd" else "mimic-iv"
    return declared_tables(site)[relation].column_types


def given_file(folder: Path, relation: str, convention: Convention, text: str = "") -> Path:
    """Write the given rows of a relation as Parquet with its declared types; what is not given is null."""
    types = column_types(relation, convention)
    rows = csv_rows(text)
    connection = duckdb.connect(config={"threads": "1"})
    columns = ", ".join(f'"{name}" {kind}' for name, kind in types.items())
    connection.execute(f"CREATE TABLE given ({columns})")
    for row in rows:
        assert set(row) <= set(types), f"{relation} has no column {set(row) - set(types)}"
        names = ", ".join(f'"{name}"' for name in row)
        marks = ", ".join("?" for _ in row)
        connection.execute(f"INSERT INTO given ({names}) VALUES ({marks})", list(row.values()))
    file = folder / f"{relation}.parquet"
    connection.execute(f"COPY given TO '{file}' (FORMAT parquet)")
    connection.close()
    return file


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Convention], Path]:
    """Return a function that gives an empty file of a relation, written once a session."""
    folder = tmp_path_factory.mktemp("empty")

    def written(relation: str, convention: Convention) -> Path:
        of_convention = folder / convention
        of_convention.mkdir(exist_ok=True)
        return given_file(of_convention, relation, convention)

    return cache(written)


@pytest.mark.parametrize(("name", "example", "convention"), cases())
def test_example_gives_the_stated_rows(
    name: str,
    example: dict[str, Any],
    convention: Convention,
    tmp_path: Path,
    empty_file: Callable[[str, Convention], Path],
) -> None:
    """Given the rows an example states, a derivation yields the rows it states under a convention."""
    derivation = derivation_of(name, convention)
    given = example.get("given", {})
    declared = set(derivation.header.inputs)
    assert set(given) <= declared, f"{name} does not read {set(given) - declared}"
    expect = example[FIELDS[convention]]
    relations = {
        relation: (
            given_file(tmp_path, relation, convention, given[relation])
            if given.get(relation)
            else empty_file(relation, convention)
        )
        for relation in derivation.inputs
    }
    with engine(EngineLimits(threads=1), tmp_path) as connection:
        execute(connection, derivation, relations, tmp_path / "result.parquet")
    wanted = csv_rows(expect)
    header = expect.strip("\n").splitlines()[0].split(",")
    types = {c.name: c.type for c in derivation.header.columns if c.name in header}
    assert set(header) == set(types)
    found = [{n: row[n] for n in types} for row in built_rows(tmp_path / "result.parquet")]
    found_again = [_normal(row, types) for row in found]
    wanted_again = [_normal(row, types) for row in wanted]
    assert compare(found_again, wanted_again, types).differences == []


def _normal(row: dict[str, str | None], types: dict[str, str]) -> dict[str, str | None]:
    """Print a row's cells as DuckDB prints them in their declared types."""
    return {name: _printed(row[name], kind) for name, kind in types.items()}


@cache
def _printed(text: str | None, kind: str) -> str | None:
    printed: str | None
    (printed,) = duckdb.execute(f"SELECT CAST(CAST(? AS {kind}) AS VARCHAR)", [text]).fetchone()
    return printed


def parameters() -> list[Any]:
    """Return every parameter of a convention with the example file of the derivation that declares it."""
    kinds = [(PREFIX, library().references), ("", library().concepts)]
    return [
        pytest.param(f"{prefix}{name}", parameter, id=f"{prefix}{name}-{parameter.name}")
        for prefix, derivations in kinds
        for name, derivation in sorted(derivations.items())
        for parameter in derivation.header.conventions
    ]


@pytest.mark.parametrize(("name", "parameter"), parameters())
def test_every_parameter_is_shown_by_an_example(name: str, parameter: Parameter) -> None:
    """For each difference of conventions an example `shows` it, and states other rows where they differ."""
    examples = yaml.safe_load((EXAMPLES / f"{name}.yaml").read_text())
    showing = [e for e in examples if parameter.name in e.get("shows", [])]
    assert showing
    for convention, field in FIELDS.items():
        if parameter.under(convention) != parameter.published:
            told = [e for e in showing if "expect" in e and field in e]
            assert any(csv_rows(e[field]) != csv_rows(e["expect"]) for e in told), convention


REQUIRED = {
    "acei", "age", "antibiotic", "apsiii", "arb", "bg", "blood_differential", "cardiac_marker",
    "charlson", "chemistry", "coagulation", "code_status", "complete_blood_count",
    "creatinine_baseline", "crrt", "dobutamine", "dopamine", "enzyme", "epinephrine", "first_day_gcs",
    "first_day_height", "first_day_lab", "first_day_rrt", "first_day_sofa", "first_day_urine_output",
    "first_day_vitalsign", "first_day_weight", "gcs", "height", "icp", "icustay_detail",
    "icustay_hourly", "icustay_times", "inflammation", "invasive_line", "kdigo_creatinine",
    "kdigo_stages", "lods", "meld", "milrinone", "neuroblock", "norepinephrine",
    "norepinephrine_equivalent_dose", "nsaid", "oasis", "oxygen_delivery", "phenylephrine", "rhythm",
    "rrt", "sapsii", "sepsis3", "sirs", "sofa", "suspicion_of_infection", "urine_output",
    "urine_output_rate", "vasoactive_agent", "vasopressin", "ventilation", "ventilator_setting",
    "vitalsign", "weight_durations", "reference-apsiii-24h", "reference-charlson",
    "reference-creatinine-baseline", "reference-eicu-apache-groups", "reference-eicu-gcs",
    "reference-eicu-oasis", "reference-gcs-24h", "reference-kdigo-48h", "reference-lods-24h",
    "reference-meld-24h", "reference-oasis-24h", "reference-sapsii-24h", "reference-sepsis3",
    "reference-sirs-12h", "reference-sirs-24h", "reference-sofa-12h", "reference-sofa-24h",
    "reference-suspicion-infection", "reference-urine-output-rate",
    "reference-vasopressor-equivalents", "reference-ventilation",
}  # fmt: skip


def test_every_specification_has_its_worked_example() -> None:
    """Each concept and reference of the five families brings at least one worked example."""
    assert {path.stem for path in EXAMPLES.glob("*.yaml")} >= REQUIRED
