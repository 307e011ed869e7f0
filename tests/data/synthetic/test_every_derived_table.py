# SPDX-License-Identifier: MIT
"""At 2,000 stays every derived table has rows, and every component of every score takes every value it can."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from m4bench.data.importer import import_dataset
from m4bench.data.store import Store, StoredDataset
from m4bench.data.synthetic import generate
from m4bench.data.synthetic.creation import SEED
from m4bench.suites.derivation.library.build import build_concepts, build_references
from m4bench.suites.derivation.library.catalogue import library

STAYS, DENSITY = 2_000, 0.2
VALUES: dict[str, dict[str, list[Any]]] = yaml.safe_load(
    (Path(__file__).parent / "component_values.yaml").read_text(encoding="utf-8")
)
for reference in ("apsiii-24h", "sapsii-24h", "oasis-24h", "lods-24h"):
    concept = VALUES[
        reference.removesuffix("-24h")
    ]  # the reference reports a component without data as 0
    VALUES[f"references/{reference}"] = {
        column: [0, *(v for v in values if v)] for column, values in concept.items()
    }


def derive(folder: Path, stored: StoredDataset) -> None:
    """Import a hospital's files and derive everything there is."""
    import_dataset(stored, folder)
    build_concepts(library(), stored)
    build_references(library(), stored)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> StoredDataset:
    """A hospital of 2,000 thinly charted stays, with all concepts and references."""
    folder = tmp_path_factory.mktemp("large") / "files"
    generate(folder, stays=STAYS, seed=SEED, density=DENSITY)
    stored = Store(tmp_path_factory.mktemp("store")).dataset("synthetic")
    derive(folder, stored)
    return stored


@pytest.fixture(scope="module")
def engine() -> Iterator[duckdb.DuckDBPyConnection]:
    """An engine to look at files with."""
    with duckdb.connect() as connection:
        yield connection


def place(stored: StoredDataset, table: str) -> Path:
    """Return the file of a concept, or of a reference when the name begins with `references/`."""
    if table.startswith("references/"):
        return stored.references("published") / f"{table.removeprefix('references/')}.parquet"
    return stored.derived("published") / f"{table}.parquet"


@pytest.mark.parametrize("concept", sorted(library().concepts))
def test_every_concept_has_rows(
    large: StoredDataset, engine: duckdb.DuckDBPyConnection, concept: str
) -> None:
    """No derived table is empty, and no column of it is null throughout."""
    counts = engine.sql(f"SELECT count(*), COUNT(COLUMNS(*)) FROM '{place(large, concept)}'")
    rows, *filled = counts.fetchall()[0]
    assert rows > 0
    empty = [name for name, count in zip(counts.columns[1:], filled, strict=True) if not count]
    assert empty == []


@pytest.mark.parametrize(
    ("table", "column"),
    [(table, column) for table, columns in VALUES.items() for column in columns],
)
def test_every_component_takes_every_value(
    large: StoredDataset, engine: duckdb.DuckDBPyConnection, table: str, column: str
) -> None:
    """Each point value of a component is somebody's, and no other value occurs."""
    query = f"SELECT DISTINCT {column} FROM '{place(large, table)}'"
    found = {value for (value,) in engine.execute(query).fetchall()}
    missing = set(VALUES[table][column]) - found
    assert missing == set()
    assert found - {None} <= set(VALUES[table][column])


PERMUTED = {
    # what is shuffled among the rows of its item: the scores that must change, and one that must not
    50912: ("creatinine", "renal", "coagulation"),
    51265: ("platelets", "coagulation", "liver"),
    50885: ("bilirubin", "liver", "coagulation"),
}


@pytest.mark.parametrize("itemid", PERMUTED)
def test_scores_come_from_the_rows(
    dataset: StoredDataset,
    hospital: Path,
    engine: duckdb.DuckDBPyConnection,
    tmp_path: Path,
    itemid: int,
) -> None:
    """Results of an item dealt out anew among its rows change that organ's scores and no other organ's."""
    _, moved, still = PERMUTED[itemid]
    other = tmp_path / "files"
    for module in ("hosp", "icu"):
        (other / module).mkdir(parents=True)
        for file in (hospital / module).iterdir():
            (other / module / file.name).symlink_to(file)
    (other / "hosp" / "labevents.parquet").unlink()
    engine.execute(
        f"""
        COPY (
          WITH told AS (
            SELECT *, row_number() OVER (ORDER BY labevent_id) AS place,
              row_number() OVER (ORDER BY hash(labevent_id)) AS drawn
            FROM '{hospital}/hosp/labevents.parquet' WHERE itemid = {itemid}
          )
          SELECT a.* EXCLUDE (place, drawn) REPLACE (b.value AS value, b.valuenum AS valuenum)
          FROM told AS a JOIN told AS b ON a.place = b.drawn
          UNION ALL BY NAME
          SELECT * FROM '{hospital}/hosp/labevents.parquet' WHERE itemid <> {itemid}
        ) TO '{other}/hosp/labevents.parquet'
        """
    )
    stored = Store(tmp_path / "store").dataset("synthetic")
    import_dataset(stored, other)
    build_concepts(library(), stored, ["first_day_sofa"])
    before, after = (place(each, "first_day_sofa") for each in (dataset, stored))
    changed = engine.execute(
        f"SELECT count_if(a.{moved} IS DISTINCT FROM b.{moved}), "
        f"count_if(a.{still} IS DISTINCT FROM b.{still}), count(*) "
        f"FROM '{before}' AS a JOIN '{after}' AS b USING (stay_id)"
    ).fetchall()[0]
    assert changed[0] > 0.1 * changed[2]
    assert changed[1] == 0
