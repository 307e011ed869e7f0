# SPDX-License-Identifier: MIT
"""How a given value becomes one of its declared type, in SQL. Knows types, no table and no file.

An expression is NULL where a value does not fit, so that one expression serves the import (which stops
there) and the search for the place. What DuckDB's own casts would bend (1.5 to 2, a time zone dropped,
`nan` to a number) does not fit.
"""

import pyarrow as pa

INTEGERS = ("SMALLINT", "INTEGER", "BIGINT")
FLOATS = ("REAL", "DOUBLE")
_WHOLE = r"\s*[+-]?[0-9]+([.]0*)?\s*"
_NUMBER = r"\s*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?\s*"
_TIME = r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?"


def quoted(name: str) -> str:
    """Return a name as a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def is_text(given: pa.DataType) -> bool:
    """Tell whether a type of Arrow holds text."""
    return bool(
        pa.types.is_string(given)
        or pa.types.is_large_string(given)
        or pa.types.is_string_view(given)
    )


def converts(given: pa.DataType, declared: str) -> bool:
    """Tell whether values of an Arrow type can be told apart as values of a declared type.

    A number does not become text: its leading zeros, or its way of writing, are already lost.
    """
    if is_text(given) or pa.types.is_null(given):
        return True
    if declared in INTEGERS or declared in FLOATS:
        return bool(
            pa.types.is_integer(given) or pa.types.is_floating(given) or pa.types.is_decimal(given)
        )
    if declared in ("TIMESTAMP", "DATE"):
        naive = pa.types.is_timestamp(given) and given.tz is None
        return bool(naive or pa.types.is_date(given))
    return declared == "BOOLEAN" and bool(pa.types.is_boolean(given))


def parsed(name: str, given: pa.DataType, declared: str) -> str:
    """Return the SQL of a column as its declared type, NULL where the value does not fit."""
    column = quoted(name)
    if pa.types.is_null(given):
        return f"CAST(NULL AS {declared})"
    if is_text(given):
        return _parsed_text(column, declared)
    cast = f"TRY_CAST({column} AS {declared})"
    if declared in INTEGERS:
        return f"CASE WHEN {cast} = {column} THEN {cast} END"
    if declared in FLOATS and pa.types.is_floating(given):
        return f"CASE WHEN isfinite({column}) THEN {cast} END"
    if declared == "DATE" and pa.types.is_timestamp(given):
        return f"CASE WHEN {cast} = {column} THEN {cast} END"
    return cast


def _parsed_text(column: str, declared: str) -> str:
    if declared == "VARCHAR":
        return column
    cast = f"TRY_CAST({column} AS {declared})"
    if declared in INTEGERS:
        whole = f"TRY_CAST(regexp_extract({column}, '-?[0-9]+') AS {declared})"
        return (
            f"CASE WHEN CAST({cast} AS VARCHAR) = {column} THEN {cast} "
            f"WHEN regexp_full_match({column}, '{_WHOLE}') THEN {whole} END"
        )
    if declared in FLOATS:
        plain = f"translate({column}, '0123456789.-', '') = '' OR regexp_full_match({column}, '{_NUMBER}')"
        return f"CASE WHEN {plain} THEN {cast} END"
    if declared == "BOOLEAN":
        word = f"lower(trim({column}))"
        return f"CASE WHEN {word} IN ('t', 'true', '1') THEN true WHEN {word} IN ('f', 'false', '0') THEN false END"
    moment = (
        f"CASE WHEN (length({column}) = 19 AND {column}[17] = ':') "
        f"OR regexp_full_match({column}, '{_TIME}') THEN TRY_CAST({column} AS TIMESTAMP) END"
    )
    if declared == "DATE":
        return f"CASE WHEN ({moment}) = CAST(({moment}) AS DATE) THEN CAST(({moment}) AS DATE) END"
    return moment


def strict(name: str, given: pa.DataType, declared: str) -> str:
    """Return the SQL of a column as its declared type; a value that does not fit stops the query."""
    column, value = quoted(name), parsed(name, given, declared)
    if value == column or pa.types.is_null(given):
        return value
    stop = f"CAST(error('unparsable') AS {declared})"
    return f"CASE WHEN {column} IS NOT NULL AND ({value}) IS NULL THEN {stop} ELSE ({value}) END"


def misfit(name: str, given: pa.DataType, declared: str) -> str:
    """Return the SQL condition that a column holds a value that does not fit its declared type."""
    if pa.types.is_null(given):
        return "false"
    return f"({quoted(name)} IS NOT NULL AND ({parsed(name, given, declared)}) IS NULL)"
