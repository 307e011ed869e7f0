# SPDX-License-Identifier: MIT
"""The references of eICU are built of a network, take every value, and are those of this folder's recomputation."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from m4bench.data.importer import import_dataset
from m4bench.data.store import Store
from m4bench.data.synthetic import generate
from m4bench.suites.derivation.library.build import build_references
from m4bench.suites.derivation.library.catalogue import library
from tests.data.synthetic.conftest import made_once, view_tables
from tests.data.synthetic.eicu.conftest import SEED, STAYS
from tests.data.synthetic.eicu.recomputed import COMPONENTS, recompute
from tests.data.synthetic.eicu.test_eicu_derivations import POINTS

DENSITY = 0.2
NAMES = ("eicu-apache-groups", "eicu-gcs", "eicu-oasis")
COMA = {
    "gcs_min": range(3, 16),
    "gcs_motor": range(1, 7),
    "gcs_verbal": range(1, 6),
    "gcs_eyes": range(1, 5),
}
VALUES = [
    *(("eicu-oasis", f"{name}_score", set(points)) for name, points in POINTS.items()),
    *(("eicu-gcs", column, set(points)) for column, points in COMA.items()),
]


def _make(folder: Path) -> None:
    generate(folder / "files", stays=STAYS, seed=SEED, density=DENSITY, site="eicu")
    stored = Store(folder / "store").dataset("synthetic-eicu")
    import_dataset(stored, folder / "files")
    report = build_references(library(), stored)
    assert sorted(report.built) == [f"reference {name}" for name in NAMES]


@pytest.fixture(scope="module")
def thin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a thinly charted network: its tables, and its references without their honeytokens."""
    folder = made_once(tmp_path_factory, "thin-network", _make)
    stored = Store(folder / "store").dataset("synthetic-eicu")
    with view_tables(folder / "files") as connection:
        for name in NAMES:
            file = stored.references("published") / f"{name}.parquet"
            connection.execute(
                f"CREATE VIEW \"{name}\" AS SELECT * FROM '{file}' "
                "WHERE patientunitstayid IN (SELECT patientunitstayid FROM patient)"
            )
        yield connection


@pytest.mark.parametrize("name", NAMES)
def test_a_reference_has_one_row_a_unit_stay(thin: duckdb.DuckDBPyConnection, name: str) -> None:
    """Every unit stay is there once, with the patient and the hospital stay it belongs to."""
    rows, stays = thin.execute(
        f'SELECT count(*), count(DISTINCT patientunitstayid) FROM "{name}" JOIN patient '
        "USING (patientunitstayid, uniquepid, patienthealthsystemstayid)"
    ).fetchall()[0]
    assert (rows, stays) == (STAYS, STAYS)


@pytest.mark.parametrize(("name", "column", "values"), VALUES)
def test_every_component_takes_every_value(
    thin: duckdb.DuckDBPyConnection, name: str, column: str, values: set[int]
) -> None:
    """Each value of a component is somebody's, and no other occurs."""
    found = thin.execute(f'SELECT DISTINCT {column} FROM "{name}"').fetchall()
    assert {value for (value,) in found} == values


def test_every_diagnosis_group_is_somebodys(thin: duckdb.DuckDBPyConnection) -> None:
    """The twenty groups and the rest."""
    found = thin.execute('SELECT count(DISTINCT apachedxgroup) FROM "eicu-apache-groups"')
    assert found.fetchall() == [(21,)]


@pytest.mark.parametrize(
    ("name", "view", "columns"),
    [
        ("eicu-oasis", "oasis", [f"{name}_score" for name in COMPONENTS]),
        ("eicu-gcs", "coma", list(COMA)),
    ],
)
def test_a_reference_is_what_the_recomputation_gives(
    thin: duckdb.DuckDBPyConnection, shared: Path, name: str, view: str, columns: list[str]
) -> None:
    """Two writings of one specification give the same components for every stay."""
    recompute(thin, shared / "specs")
    differ = " OR ".join(f"r.{column} IS DISTINCT FROM v.{column}" for column in columns)
    rows, wrong = thin.execute(
        f'SELECT count(*), count_if({differ}) FROM "{name}" r JOIN {view} v ON r.patientunitstayid = v.stay'
    ).fetchall()[0]
    assert (rows, wrong) == (STAYS, 0)


def test_oasis_is_the_sum_of_its_components(thin: duckdb.DuckDBPyConnection) -> None:
    """No component is left out of the total."""
    total = " + ".join(f"{name}_score" for name in COMPONENTS)
    assert thin.execute(f'SELECT count(*) FROM "eicu-oasis" WHERE oasis <> {total}').fetchall() == [
        (0,)
    ]
