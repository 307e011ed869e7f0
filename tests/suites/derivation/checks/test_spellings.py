# SPDX-License-Identifier: MIT
"""A cell means to the program `check` what it means to the scorer."""

import math
from datetime import datetime, timedelta

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from m4bench.suites.derivation.checks.program.answer import MACROS
from m4bench.suites.derivation.scoring.cells import read_instant, read_integer, read_number

ENGINE = duckdb.connect(":memory:")
ENGINE.execute(MACROS)

NUMBERS = (
    "1", "-1", "+1", "007", "3.0", "3.", ".5", "-.5", ".", "", "-", "1e5", "1E+5", "1.5e-3", "1e", "e5",
    " 5", "5\t", "\t 5 ", "5\n", "\x0b5", "1_000", "1,000", "0x10", "0b1", "1d", "5f", "true", "False", "TRUE",
    "t", "yes", "inf", "-Infinity", "+inf", "nan", "-NaN", "1e400", "-1e400", "1e-400", "1e308", "NULL", "None",
    "５", "--1", "+-1", "1 2", "12345678901234567890", "1" * 300, "0." + "1" * 70, "1e000000000005",
)  # fmt: skip
INTEGERS = (
    "1", "1.0", "1.23e2", "1.5", "123456789012345678", "-5", "+5", " 7 ", "true", "nan", "inf", "1e3", "", "1_0",
    "30000001.000", "0", "-0", "0.0", ".0", "1e-1", "10e-1",
)  # fmt: skip
INSTANTS = (
    "2150-01-01 10:11:12", "2150-01-01T10:11:12", "2150-01-01", "2150-01-01 10", "2150-01-01 10:11",
    "2150-01-01 10:11:12.5", "2150-01-01 10:11:12.1234567", "2150-01-01 10:11:12.123456000",
    "2150-01-01 10:11:12.0", "2150-01-01 10:11:12Z", "2150-01-01T10:11:12+00:00", "2150-01-01 10:11:12-0000",
    "2150-01-01 10:11:12+01:00", "2150-02-30 00:00:00", "2150-13-01", "2150-01-01 24:00:00", "2150-01-01 24",
    "2150-01-01 23:59:60", "2150-01-01 10:60:00", "0000-01-01 00:00:00", "0001-01-01 00:00:00", "0999-05-05",
    "9999-12-31 23:59:59", " 2150-01-01 ", "2150-1-1", "01/01/2150", "2150-01-01Z", "", "NaT", "2150-01-01 ",
    "2150-01-01  10:11:12", "2150-01-01 10:11:", "2150-01-01t10:11:12",
)  # fmt: skip


def told(macro: str, cell: str) -> object:
    """Return what a macro of the program reads in a cell."""
    row = ENGINE.execute(f"SELECT {macro}(?::VARCHAR)", [cell]).fetchone()
    assert row is not None
    return row[0]


def same_number(cell: str) -> None:
    """Assert that the program and the scorer read the same number, or neither one."""
    expected, found = read_number(cell.encode()), told("number_of", cell)
    if expected is None or found is None:
        assert found is expected
    else:
        assert isinstance(found, float)
        assert found == expected or (math.isnan(found) and math.isnan(expected))


@pytest.mark.parametrize("cell", NUMBERS)
def test_a_number_is_read_as_the_scorer_reads_it(cell: str) -> None:
    """Every spelling is a number to both, and the same, or to neither."""
    same_number(cell)


@given(st.text(alphabet="0123456789+-.eE_ \tinfatrues", max_size=12))
@settings(max_examples=300, deadline=None)
def test_any_text_of_number_characters_is_read_as_the_scorer_reads_it(cell: str) -> None:
    """No text of such characters is a number to one of them alone."""
    same_number(cell)


@pytest.mark.parametrize("cell", INTEGERS)
def test_an_integer_of_a_key_is_read_as_the_scorer_reads_it(cell: str) -> None:
    """Keys of up to 18 digits are read exactly, whole decimals too, and true is none."""
    assert told("whole_of", cell) == read_integer(cell.encode())


def same_instant(cell: str) -> None:
    """Assert that the program and the scorer read the same time, or neither one."""
    expected, found = read_instant(cell.encode()), told("instant_of", cell)
    if expected is None:
        assert found is None
    else:
        assert found == datetime(1970, 1, 1) + timedelta(microseconds=expected)


@pytest.mark.parametrize("cell", INSTANTS)
def test_a_time_is_read_as_the_scorer_reads_it(cell: str) -> None:
    """Every spelling is a time to both, and the same, or to neither."""
    same_instant(cell)


@given(
    st.from_regex(
        r"[0-2][0-9]{3}-[01][0-9]-[0-3][0-9]([ T][0-2][0-9](:[0-6][0-9](:[0-6][0-9](\.[0-9]{1,9})?)?)?Z?)?",
        fullmatch=True,
    )
)
@settings(max_examples=300, deadline=None)
def test_any_text_like_a_time_is_read_as_the_scorer_reads_it(cell: str) -> None:
    """No text of that form is a time to one of them alone."""
    same_instant(cell)
