# SPDX-License-Identifier: MIT
"""Honeytokens: every identifier of a planted row is one that no hospital has, whatever the site calls it."""

from pathlib import Path

import duckdb
import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.honeytokens import LOWEST, plant

EICU = """
    SELECT * FROM (VALUES
      (3000001, '017-1200001', 900001, 7.000),
      (3000002, '017-1200002', 900002, 12.000)
    ) AS t(patientunitstayid, uniquepid, patienthealthsystemstayid, gcs_min)
"""


def planted(
    folder: Path, query: str, key: tuple[str, ...], count: int = 3
) -> list[tuple[object, ...]]:
    """Plant honeytokens in the rows of a query and return the rows there are then."""
    bare, file = folder / "bare.parquet", folder / "planted.parquet"
    with duckdb.connect() as connection:
        connection.execute(f"COPY ({query}) TO '{bare}' (FORMAT parquet)")
        keys = plant(connection, bare, file, key, "mark")
        assert len(keys) == count
        return connection.execute(f"SELECT * FROM '{file}'").fetchall()


def test_a_planted_unit_stay_of_eicu_belongs_to_nobody(tmp_path: Path) -> None:
    """Unit stay, hospital stay and patient are invented; the rest is drawn from real rows."""
    rows = planted(tmp_path, EICU, ("patientunitstayid",))
    real = duckdb.sql(EICU).fetchall()
    assert [row for row in rows if row in real] == real
    invented = [row for row in rows if row not in real]
    assert len(invented) == 3
    for unit_stay, patient, hospital_stay, lowest in invented:
        assert min(int(unit_stay), int(hospital_stay)) >= LOWEST
        group, _, number = patient.partition("-")
        assert group.isdigit()
        assert int(number) >= LOWEST
        assert lowest in {row[3] for row in real}


def test_a_key_that_begins_with_no_identifier_is_refused(tmp_path: Path) -> None:
    """A planted row must not have the key of a real one, for rows of its key are left out of scores."""
    with pytest.raises(InputError, match="begins with hr, which is no identifier"):
        planted(tmp_path, "SELECT 1 AS hr, 2 AS value", ("hr",))


def test_rows_without_a_whole_key_give_honeytokens_nothing(tmp_path: Path) -> None:
    """Among many rows whose hour is null the hours of honeytokens are those of the two that have one."""
    rows = (
        "SELECT i AS stay_id, CASE WHEN i < 2 THEN i + 40 END AS hr, i * 10 AS value "
        "FROM range(500) AS t(i)"
    )
    invented = [row for row in planted(tmp_path, rows, ("stay_id", "hr")) if row[0] >= LOWEST]
    assert len(invented) == 3
    assert {row[1] for row in invented} <= {40, 41}
    assert {row[2] for row in invented} <= {0, 10}


@pytest.mark.parametrize(
    "rows",
    ["SELECT 1 AS stay_id, NULL::INTEGER AS hr", "SELECT 1 AS stay_id, 2 AS hr WHERE false"],
    ids=["no whole key", "no row"],
)
def test_without_a_row_to_look_like_there_is_no_honeytoken(rows: str, tmp_path: Path) -> None:
    """The reference is copied as it is."""
    assert planted(tmp_path, rows, ("stay_id", "hr"), count=0) == duckdb.sql(rows).fetchall()
