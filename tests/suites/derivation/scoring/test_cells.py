# SPDX-License-Identifier: MIT
"""Reading one cell, and reading whole columns by the same rules."""

import math
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from m4bench.suites.derivation.scoring.batches import ByteBatch, FieldBatch
from m4bench.suites.derivation.scoring.cells import (
    CellKind,
    Cells,
    from_texts,
    read_instant,
    read_integer,
    read_number,
)

NUMBERS: list[tuple[bytes, float | None]] = [
    (b"15", 15.0),
    (b"15.0", 15.0),
    (b"-0.5", -0.5),
    (b"+3", 3.0),
    (b".5", 0.5),
    (b"5.", 5.0),
    (b"1.5e3", 1500.0),
    (b"1E+05", 100000.0),
    (b" 7\t", 7.0),
    (b"00012", 12.0),
    (b"1e308", 1e308),
    (b"1e-400", 0.0),
    (b"true", 1.0),
    (b"False", 0.0),
    (b"inf", math.inf),
    (b"-Infinity", -math.inf),
    (b"1e400", None),
    (b"1_000", None),
    (b"1,5", None),
    (b"0x10", None),
    (b"1d", None),
    (b"1e", None),
    (b".", None),
    (b"--1", None),
    (b"nan(1)", None),
    (b"n/a", None),
    (b"NULL", None),
    (b"None", None),
    (b" ", None),
    (b"", None),
    (b"1\x00", None),
    ("١".encode(), None),
    (b"9" * 500, None),
    (b"0" * 500 + b"1", 1.0),
    (b"1." + b"0" * 500, 1.0),
    (b"1e-99999999999999999999", 0.0),
    (b"0e99999999999999999999", 0.0),
    (b"1e99999999999999999999", None),
]


@pytest.mark.parametrize(("cell", "value"), NUMBERS)
def test_a_number_is_plain_decimal_or_scientific_notation(cell: bytes, value: float | None) -> None:
    """Plain and scientific notation and truth values are numbers, programmers' spellings are not."""
    assert read_number(cell) == value


def test_nan_is_read_as_nan() -> None:
    """The word nan is no null and no text in a numeric column: it is what it says."""
    assert all(math.isnan(read_number(cell) or 0.0) for cell in (b"nan", b"NaN", b"-nan"))


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        (b"123", 123),
        (b"123.0", 123),
        (b"1.23e2", 123),
        (b" 123 ", 123),
        (b"+123", 123),
        (b"-5", -5),
        (b"9007199254740993", 2**53 + 1),
        (b"9007199254740993.0", 2**53 + 1),
        (b"9223372036854775807", 2**63 - 1),
        (b"9223372036854775808", None),
        (b"30001418.0000000001", None),
        (b"123.5", None),
        (b"1e30", None),
        (b"1e999999999", None),
        (b"1e-999999999", None),
        (b"1e-99999999999999999999", None),
        (b"1e99999999999999999999", None),
        (b"0e" + b"9" * 390, 0),
        (b"0.0e-" + b"9" * 390, 0),
        (b"1e+" + b"0" * 390 + b"1", 10),
        (b"1" + b"0" * 390 + b"e-390", 1),
        (b"." + b"0" * 390 + b"1e391", 1),
        (b"0" * 500 + b"7", 7),
        (b"-9223372036854775808", -(2**63)),
        (b"-9223372036854775808.0", -(2**63)),
        (b"-9223372036854775809.0", None),
        (b"e5", None),
        (b".e5", None),
        (b"0x10", None),
        (b"true", None),
        (b"inf", None),
        (b"", None),
        (b"1" * 5000, None),
    ],
)
def test_an_integer_key_is_exact(cell: bytes, value: int | None) -> None:
    """Keys may be spelled as whole floats and are exact to 64 bits."""
    assert read_integer(cell) == value


def at(*parts: int) -> int:
    """Return a wall-clock time as microseconds since 1970."""
    since = datetime(*parts, tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)  # type: ignore[misc]
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        (b"2150-01-02 10:20:30", at(2150, 1, 2, 10, 20, 30)),
        (b"2150-01-02T10:20:30", at(2150, 1, 2, 10, 20, 30)),
        (b"2150-01-02 10:20", at(2150, 1, 2, 10, 20)),
        (b"2150-01-02", at(2150, 1, 2)),
        (b"2150-01-02 10:20:30.5", at(2150, 1, 2, 10, 20, 30, 500_000)),
        (b"2150-01-02 10:20:30.123456000", at(2150, 1, 2, 10, 20, 30, 123_456)),
        (b"2150-01-02T10:20:30Z", at(2150, 1, 2, 10, 20, 30)),
        (b"2150-01-02 10:20:30+00:00", at(2150, 1, 2, 10, 20, 30)),
        (b" 2150-01-02 ", at(2150, 1, 2)),
        (b"1850-06-07 08:00:00", at(1850, 6, 7, 8)),
        (b"2150-01-02 10:20:30.1234567", None),
        (b"2150-01-02 10:20:30+05:00", None),
        (b"2150-1-2", None),
        (b"2150-02-30", None),
        (b"2150-01-02 24:00:00", None),
        (b"2150-01-02 10:20:30 AM", None),
        (b"01/02/2150", None),
        (b"20500102", None),
        (b"0000-01-01", None),
        (b"epoch", None),
        (b"infinity", None),
        (b"now", None),
        (b"2150-01-02Z", None),
        (b"5680404000", None),
        (b"", None),
    ],
)
def test_a_time_is_iso_8601_on_the_wall_clock(cell: bytes, value: int | None) -> None:
    """ISO spellings are read, a zero offset is dropped, anything else is unreadable."""
    assert read_instant(cell) == value


def same(one: Cells, other: Cells) -> bool:
    """Say whether two columns hold the same cells."""
    count = len(one.values)
    masks = [
        [
            np.zeros(count, bool) if mask is None else mask
            for mask in (cells.empty, cells.unreadable)
        ]
        for cells in (one, other)
    ]
    if isinstance(one.values, pa.Array):
        values = one.values.to_pylist() == other.values.to_pylist()
    else:
        values = np.array_equal(one.values, other.values, equal_nan=one.kind == "number")
    return bool(values and all(map(np.array_equal, *masks)))


SPELLINGS = st.one_of(
    st.floats().map(repr),
    st.integers(-(2**70), 2**70).map(str),
    st.decimals(allow_nan=True, places=3, min_value=-1000, max_value=1000).map(str),
    st.datetimes(datetime(1800, 1, 1), datetime(2300, 1, 1)).map(str),
    st.dates().map(str),
    st.sampled_from([cell.decode() for cell, _ in NUMBERS if b"," not in cell]),
    st.text("0123456789.+-eExX:TZ nai/\t_", max_size=12),
    st.from_regex(r"\A[+-]?(0|1|25|0{9}|10{30})(\.0*)?[eE][+-]?[0-9]{1,40}\Z"),
)
KINDS: list[CellKind] = ["integer", "number", "instant", "text"]


@given(
    st.lists(st.tuples(SPELLINGS, st.booleans()), min_size=1, max_size=6), st.sampled_from(KINDS)
)
@example([("0x10", False)], "integer")
@example([("0X1F", False), ("7", False)], "integer")
@example([("1e400", False)], "number")
@example([("0000-01-01", False)], "instant")
def test_all_ways_of_reading_a_column_agree(cells: list[tuple[str, bool]], kind: CellKind) -> None:
    """Arrow's conversion, the column reader and the single-cell rules tell the same of every spelling."""
    words = [word for word, _ in cells]
    lines = "".join(
        (f'"{word}"' if quoted or not word else word) + ",1\n" for word, quoted in cells
    )
    ((_, fast),) = ByteBatch(memoryview(lines.encode()), 2, quoted=True).parts({0: kind})
    ((_, slow),) = FieldBatch(len(words), {0: words}).parts({0: kind})
    texts = pa.array([word.encode() or None for word in words], pa.binary())
    assert same(fast[0], slow[0])
    assert same(fast[0], from_texts(kind, texts))
    read = {"number": read_number, "integer": read_integer, "instant": read_instant}.get(kind)
    if read is not None:
        unreadable = [bool(word) and read(word.encode()) is None for word in words]
        told = fast[0].unreadable
        assert (told.tolist() if told is not None else [False] * len(words)) == unreadable


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_are_read_to_the_nearest_double(values: list[float]) -> None:
    """Every double survives its own spelling, whichever way it is read."""
    texts = pa.array([repr(value).encode() for value in values])
    assert from_texts("number", texts.cast(pa.binary())).values.tolist() == values
    lines = "".join(f"{value!r}\n" for value in values).encode()
    with np.errstate(over="ignore"):  # as in the threads that read
        ((_, fast),) = ByteBatch(memoryview(lines), 1).parts({0: "number"})
    assert fast[0].values.tolist() == values
