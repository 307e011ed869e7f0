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
from m4bench.suites.derivation.library.catalogue import Derivation, library
from m4bench.suites.derivation.library.engine import EngineLimits, engine
from m4bench.suites.derivation.library.execute import execute
from tests.suites.derivation.conformance import built_rows, compare, csv_rows

EXAMPLES = Path(__file__).parent / "examples"
PREFIX = "reference-"


def cases() -> list[Any]:
    """Return every example with the derivation it belongs to."""
    found = []
    for path in sorted(EXAMPLES.glob("*.yaml")):
        name = path.stem
        for number, example in enumerate(yaml.safe_load(path.read_text())):
            found.append(pytest.param(name, example, id=f"{name}-{number}-{example['title']}"))
    return found


def derivation_of(name: str) -> Derivation:
    """Return the derivation an example file is named after."""
    if name.startswith(PREFIX):
        return library().references[name.removeprefix(PREFIX)]
    return library().concepts[name]


def column_types(relation: str) -> dict[str, str]:
    """Return the declared columns of a source table or concept."""
    schema, name = relation.split(".")
    if schema == "mimiciv_derived":
        return {c.name: c.type for c in library().concepts[name].header.columns}
    return declared_tables("mimic-iv")[relation].column_types


def given_file(folder: Path, relation: str, text: str = "") -> Path:
    """Write the given rows of a relation as Parquet with its declared types; what is not given is null."""
    types = column_types(relation)
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
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that gives an empty file of a relation, written once a session."""
    folder = tmp_path_factory.mktemp("empty")
    return cache(lambda relation: given_file(folder, relation))


@pytest.mark.parametrize(("name", "example"), cases())
def test_example_gives_the_stated_rows(
    name: str, example: dict[str, Any], tmp_path: Path, empty_file: Callable[[str], Path]
) -> None:
    """Given the rows an example states, a derivation yields the rows it states."""
    derivation = derivation_of(name)
    given = example.get("given", {})
    assert set(given) <= derivation.inputs, f"{name} does not read {set(given) - derivation.inputs}"
    relations = {
        relation: (
            given_file(tmp_path, relation, given[relation])
            if given.get(relation)
            else empty_file(relation)
        )
        for relation in derivation.inputs
    }
    with engine(EngineLimits(threads=1), tmp_path) as connection:
        execute(connection, derivation, relations, tmp_path / "result.parquet")
    wanted = csv_rows(example["expect"])
    header = example["expect"].strip("\n").splitlines()[0].split(",")
    types = {c.name: c.type for c in derivation.header.columns if c.name in header}
    assert set(header) == set(types)
    found = [{n: row[n] for n in types} for row in built_rows(tmp_path / "result.parquet")]
    found_again = [_normal(row, types) for row in found]
    wanted_again = [_normal(row, types) for row in wanted]
    assert compare(found_again, wanted_again, types).differences == []


def _normal(row: dict[str, str | None], types: dict[str, str]) -> dict[str, str | None]:
    """Print a row's cells as DuckDB prints them in their declared types."""
    result: dict[str, str | None] = {}
    for name, kind in types.items():
        (text,) = duckdb.execute(
            f"SELECT CAST(CAST(? AS {kind}) AS VARCHAR)", [row[name]]
        ).fetchone()
        result[name] = text
    return result


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
    "reference-creatinine-baseline", "reference-gcs-24h", "reference-kdigo-48h", "reference-lods-24h",
    "reference-meld-24h", "reference-oasis-24h", "reference-sapsii-24h", "reference-sepsis3",
    "reference-sirs-12h", "reference-sirs-24h", "reference-sofa-12h", "reference-sofa-24h",
    "reference-suspicion-infection", "reference-urine-output-rate",
    "reference-vasopressor-equivalents", "reference-ventilation",
}  # fmt: skip


def test_every_specification_has_its_worked_example() -> None:
    """Each concept and reference of the five families brings at least one worked example."""
    assert {path.stem for path in EXAMPLES.glob("*.yaml")} >= REQUIRED
