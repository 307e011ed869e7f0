# SPDX-License-Identifier: MIT
import datetime as dt
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from m4bench.data.conversion import converts, misfit, parsed, strict

MIDNIGHT = dt.datetime(2180, 1, 1)


def value_of(expression: str, given: pa.Array) -> Any:
    with duckdb.connect() as connection:
        connection.register("given", pa.table({"v": given}))
        row = connection.execute(f"SELECT {expression} FROM given").fetchone()
    assert row is not None
    return row[0]


@pytest.mark.parametrize(
    ("declared", "text", "expected"),
    [
        ("INTEGER", "12", 12),
        ("INTEGER", "-5", -5),
        ("INTEGER", "007", 7),
        ("INTEGER", "12.0", 12),
        ("INTEGER", " 12", 12),
        ("BIGINT", "99999999999", 99999999999),
        ("DOUBLE", "1e3", 1000.0),
        ("DOUBLE", ".5", 0.5),
        ("DOUBLE", "-0", 0.0),
        ("REAL", "1.5", 1.5),
        ("BOOLEAN", "t", True),
        ("BOOLEAN", "False", False),
        ("DATE", "2180-01-01", dt.date(2180, 1, 1)),
        ("DATE", "2180-01-01 00:00:00", dt.date(2180, 1, 1)),
        ("TIMESTAMP", "2180-01-01", MIDNIGHT),
        ("TIMESTAMP", "2180-01-01 00:00:00", MIDNIGHT),
        ("TIMESTAMP", "2180-01-01T00:00:00", MIDNIGHT),
        ("TIMESTAMP", "2180-01-01 00:00:00.000", MIDNIGHT),
        ("VARCHAR", "0389 ", "0389 "),
    ],
)
def test_text_that_fits_becomes_its_value(declared: str, text: str, expected: Any) -> None:
    """Text in a documented form becomes the value of the declared type, in the import's expression too."""
    given = pa.array([text])
    assert value_of(parsed("v", given.type, declared), given) == expected
    assert value_of(strict("v", given.type, declared), given) == expected
    assert value_of(misfit("v", given.type, declared), given) is False


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        ("INTEGER", "1.5"),
        ("INTEGER", "abc"),
        ("INTEGER", "2147483648"),
        ("INTEGER", "1_000"),
        ("INTEGER", "0x1F"),
        ("INTEGER", "None"),
        ("SMALLINT", "40000"),
        ("DOUBLE", "nan"),
        ("DOUBLE", "inf"),
        ("DOUBLE", "1.2.3"),
        ("DOUBLE", "-"),
        ("DOUBLE", "1,5"),
        ("BOOLEAN", "maybe"),
        ("DATE", "2180-01-01 01:00:00"),
        ("DATE", "01/02/2180"),
        ("TIMESTAMP", "2180-13-01 00:00:00"),
        ("TIMESTAMP", "2180-01-01 00:00:00+02"),
        ("TIMESTAMP", "2180-01-01 00:00+02"),
        ("TIMESTAMP", "2180-01-01 00:00:00 UTC"),
        ("TIMESTAMP", "infinity"),
    ],
)
def test_text_that_does_not_fit_stops_the_import(declared: str, text: str) -> None:
    """What an engine's cast would round, drop or guess does not fit."""
    given = pa.array([text])
    assert value_of(misfit("v", given.type, declared), given) is True
    with pytest.raises(duckdb.Error, match="unparsable"):
        value_of(strict("v", given.type, declared), given)


@pytest.mark.parametrize(
    "declared", ["INTEGER", "DOUBLE", "DATE", "TIMESTAMP", "BOOLEAN", "VARCHAR"]
)
def test_null_stays_null(declared: str) -> None:
    """A null fits every type and stays null."""
    given = pa.array([None], pa.string())
    assert value_of(strict("v", given.type, declared), given) is None
    assert value_of(misfit("v", given.type, declared), given) is False


@pytest.mark.parametrize(
    ("given", "declared", "expected"),
    [
        (pa.int64(), "INTEGER", True),
        (pa.float64(), "INTEGER", True),
        (pa.int64(), "VARCHAR", False),
        (pa.float64(), "VARCHAR", False),
        (pa.timestamp("ns"), "TIMESTAMP", True),
        (pa.timestamp("us", tz="UTC"), "TIMESTAMP", False),
        (pa.date32(), "TIMESTAMP", True),
        (pa.int64(), "TIMESTAMP", False),
        (pa.bool_(), "INTEGER", False),
        (pa.list_(pa.int64()), "INTEGER", False),
        (pa.null(), "VARCHAR", True),
        (pa.large_string(), "DOUBLE", True),
    ],
)
def test_types_convert_only_without_loss_of_meaning(
    given: pa.DataType, declared: str, expected: bool
) -> None:
    """A number does not become text, and a time with a zone does not become wall-clock time."""
    assert converts(given, declared) is expected


@pytest.mark.parametrize(
    ("given", "declared", "fits"),
    [
        (pa.array([2.0]), "INTEGER", True),
        (pa.array([2.5]), "INTEGER", False),
        (pa.array([1 << 40]), "INTEGER", False),
        (pa.array([float("nan")]), "DOUBLE", False),
        (pa.array([3]), "DOUBLE", True),
        (pa.array([MIDNIGHT]), "DATE", True),
        (pa.array([MIDNIGHT + dt.timedelta(hours=1)]), "DATE", False),
    ],
)
def test_typed_values_must_fit_too(given: pa.Array, declared: str, fits: bool) -> None:
    """A Parquet value that a narrower declared type cannot hold exactly does not fit."""
    assert value_of(misfit("v", given.type, declared), given) is not fits
