# SPDX-License-Identifier: MIT
"""Where PostgreSQL's SQL means something else than DuckDB's, a translation keeps DuckDB's values: run in both."""

from typing import Any

import duckdb
import psycopg
import pytest

from m4bench.suites.derivation.library.dialects.translate import translate
from m4bench.suites.derivation.library.engines.postgres_rows import server_type

Cases = list[tuple[Any, ...]]

# Each: the columns of a relation, its rows, and expressions over them that have one value a row.
EXPRESSIONS: dict[str, tuple[dict[str, str], Cases, list[str]]] = {
    "division": (
        {"a": "DOUBLE", "b": "DOUBLE", "i": "INTEGER", "d": "DECIMAL(9,3)"},
        [
            (1.0, 0.0, 7, "1.500"),
            (-1.0, 0.0, 0, "0.001"),
            (0.0, 0.0, 2, "3.000"),
            (None, 0.0, 2, None),
        ],
        ["a / b", "7 / i", "i / 2", "d / d", "d / 3", "a / 3", "1 / (1 + EXP(a))"],
    ),
    "decimals of doubles": (
        {"a": "DOUBLE"},
        [
            (2.0005,),
            (1.0005,),
            (0.0005,),
            (-0.0005,),
            (2.5,),
            (-2.5,),
            (1e14,),
            (0.1 + 0.2,),
            (None,),
        ],
        ["CAST(a AS DECIMAL(18, 3))", "CAST(CAST(a AS DECIMAL(18, 3)) AS DECIMAL(18, 2))"],
    ),
    "decimals that may have no room": (
        {"a": "DOUBLE"},
        [(1e15,), (9007199254740.25,), (-1e15,), (float("inf"),), (float("nan"),), (12.3456,)],
        ["TRY_CAST(a AS DECIMAL(18, 3))", "TRY_CAST(a / (a - a) AS DECIMAL(18, 3))"],
    ),
    "decimals of decimals": (
        {"d": "DECIMAL(18,3)"},
        [("0.125",), ("-0.125",), ("0.135",), ("2.500",), (None,)],
        ["CAST(d AS DECIMAL(18, 2))", "ROUND(d, 2)", "CAST(d AS DOUBLE)", "d * 2", "d + 1"],
    ),
    "rounding": (
        {"a": "DOUBLE"},
        [(0.5,), (1.5,), (2.5,), (-0.5,), (-2.5,), (0.49999999999999994,), (1.005,), (None,)],
        [
            "ROUND(a)",
            "ROUND(a, 2)",
            "CAST(a AS INTEGER)",
            "CAST(a AS BIGINT)",
            "CEIL(a)",
            "FLOOR(a)",
        ],
    ),
    "text that may be a number": (
        {"t": "VARCHAR"},
        [
            (t,)
            for t in (
                "12",
                " 12 ",
                "12.5",
                "-12.5",
                "13.5",
                ".5",
                "5.",
                "",
                "> 89",
                "1e2",
                "1e-1",
                "+3",
            )
        ]
        + [
            ("2147483648",),
            ("2147483647.4",),
            ("x1",),
            (None,),
            ("1 2",),
            ("--1",),
            (".",),
            ("1e",),
        ],
        [
            "TRY_CAST(t AS INTEGER)",
            "TRY_CAST(t AS DECIMAL(18, 3))",
            "TRY_CAST(t AS DECIMAL(4, 1))",
            "TRY_CAST(t AS DOUBLE)",
        ],
    ),
    "words for doubles": (
        {"t": "VARCHAR"},
        [("inf",), ("-Infinity",), ("NaN",), ("infinit",)],
        ["TRY_CAST(t AS DOUBLE)"],
    ),
    "elapsed time": (
        {"a": "TIMESTAMP", "b": "TIMESTAMP"},
        [
            ("2150-01-01 00:59:59.5", "2150-01-01 01:00:00.25"),
            ("2150-02-28 23:59:59", "2151-03-01 00:00:00"),
            ("2150-03-01 12:00:00", "2150-02-01 11:30:00.000001"),
            (None, "2150-02-01 11:30:00"),
        ],
        [
            f"DATE_DIFF('{unit}', a, b)"
            for unit in ("microsecond", "second", "minute", "hour", "day", "year")
        ]
        + [
            "DATE_TRUNC('hour', a)",
            "a + INTERVAL 1 MONTH",
            "a - INTERVAL 6 HOUR",
            "CAST(a AS DATE)",
            "MAKE_TIMESTAMP(2150, 1, 1, 0, 0, 0)",
        ],
    ),
    "nulls in extremes": (
        {"a": "INTEGER", "b": "INTEGER", "t": "VARCHAR"},
        [(1, None, "b"), (None, None, None), (2, 1, "B"), (3, 4, "a")],
        ["GREATEST(a, b)", "LEAST(a, b)", "GREATEST(t, 'a')", "LEAST(t, 'a')", "COALESCE(b, 0)"],
    ),
    "texts by their bytes": (
        {"t": "VARCHAR"},
        [("a",), ("B",), ("_",), ("Z",), ("é",), (" ",), ("",), (None,), ("a b",), ("ab",)],
        [
            "t < 'a'",
            "t BETWEEN 'A' AND 'Z'",
            "t >= 'Z'",
            "UPPER(t)",
            "SUBSTRING(t, 1, 1)",
            "t LIKE 'a%'",
        ],
    ),
    "parts of texts": (
        {"t": "VARCHAR"},
        [("a-b",), ("a",), ("",), ("a-b-c",), ("-b",), (None,)],
        [
            "SPLIT_PART(t, '-', 1)",
            "SPLIT_PART(t, '-', 2)",
            "STRPOS(t, 'b')",
            "TRIM(t)",
            "LENGTH(t)",
        ],
    ),
    "powers": (
        {"a": "DOUBLE", "i": "INTEGER", "d": "DECIMAL(9,3)"},
        [(2.5, 3, "1.200"), (0.203, 1, "7.000"), (None, 2, "0.500")],
        ["POW(a, -0.203)", "LN(a)", "LN(i)", "LN(d)", "EXP(d)", "POW(i, 0.5)", "SQRT(d)"],
    ),
}

# Each: columns, rows, and a query over the relation `given.relation`.
QUERIES: dict[str, tuple[dict[str, str], Cases, str]] = {
    "order of texts": (
        {"t": "VARCHAR"},
        [("a",), ("B",), ("_x",), ("é",), (None,), ("A",), ("Z",), ("",)],
        "SELECT t, ROW_NUMBER() OVER (ORDER BY t) AS n, ROW_NUMBER() OVER (ORDER BY t DESC) AS m "
        "FROM given.relation",
    ),
    "extremes of texts": (
        {"t": "VARCHAR"},
        [("a",), ("B",), ("_x",), ("Z",)],
        "SELECT MIN(t) AS a, MAX(t) AS b, STRING_AGG(DISTINCT t, ', ' ORDER BY t) AS c FROM given.relation",
    ),
    "nulls in an order": (
        {"g": "INTEGER", "a": "INTEGER"},
        [(1, None), (1, 1), (1, 2), (2, None), (2, 5)],
        "SELECT g, a, ROW_NUMBER() OVER (PARTITION BY g ORDER BY a) AS up, "
        "ROW_NUMBER() OVER (PARTITION BY g ORDER BY a DESC) AS down, "
        "ROW_NUMBER() OVER (PARTITION BY g ORDER BY a NULLS FIRST) AS first FROM given.relation",
    ),
    "frames of time": (
        {"t": "TIMESTAMP", "a": "INTEGER"},
        [
            ("2150-01-01 00:00", 5),
            ("2150-01-01 06:00", 1),
            ("2150-01-01 06:00", 2),
            ("2150-01-01 12:00:01", 9),
            (None, 0),
        ],
        "SELECT t, a, MIN(a) OVER (ORDER BY t NULLS FIRST RANGE BETWEEN INTERVAL 6 HOUR PRECEDING "
        "AND INTERVAL 1 MICROSECOND PRECEDING) AS before FROM given.relation",
    ),
    "series": (
        {"a": "BIGINT", "b": "BIGINT"},
        [(1, 3), (3, 1), (None, 2), (4, 4)],
        "SELECT r.a, held.n FROM given.relation AS r CROSS JOIN UNNEST(GENERATE_SERIES(r.a, r.b)) AS held(n)",
    ),
    "split lists": (
        {"t": "VARCHAR"},
        [("a b",), ("c",), (None,)],
        "SELECT single.code FROM given.relation AS r "
        "CROSS JOIN UNNEST(STRING_SPLIT(r.t, ' ')) AS single(code)",
    ),
    "means": (
        {"g": "INTEGER", "a": "DOUBLE", "d": "DECIMAL(18,2)", "i": "INTEGER"},
        [(1, 0.1, "98.67", 1), (1, 0.2, "98.60", 2), (1, 0.3, "98.59", 2), (2, None, None, None)],
        "SELECT g, AVG(a ORDER BY a) AS a, AVG(d) AS d, AVG(i) AS i, SUM(i) AS s, COUNT(d) AS n "
        "FROM given.relation GROUP BY g",
    ),
    "lists": (
        {"g": "INTEGER", "a": "DOUBLE"},
        [(1, 0.3), (1, 0.1), (1, None), (2, None), (3, 0.2)],
        "SELECT g, LIST_AVG(LIST_SORT(held)) AS mean FROM (SELECT g, ARRAY_AGG(a) FILTER (WHERE a > 0) AS held "
        "FROM given.relation GROUP BY g) AS listed",
    ),
    "nulls of a union": (
        {"a": "DOUBLE"},
        [(1.5,)],
        "SELECT NULL AS x, 1 AS n FROM given.relation UNION ALL SELECT NULL, 2 FROM given.relation "
        "UNION ALL SELECT a, 3 FROM given.relation",
    ),
}


def declared(columns: dict[str, str]) -> dict[str, dict[str, str]]:
    """Return the columns as a translation takes them."""
    return {"given.relation": columns}


def both(url: str, columns: dict[str, str], rows: Cases, query: str) -> tuple[Cases, Cases]:
    """Run a query of DuckDB's and its translation over the same rows; return both results, sorted."""
    holders = ", ".join(["?"] * len(columns))
    with duckdb.connect() as own:
        typed = ", ".join(f"{name} {kind}" for name, kind in columns.items())
        own.execute("CREATE SCHEMA given")
        own.execute(f"CREATE TABLE given.relation ({typed})")
        own.executemany(f"INSERT INTO given.relation VALUES ({holders})", rows)
        mine = own.execute(query).fetchall()
    said = translate(query, "postgres", columns=declared(columns))
    with psycopg.connect(url) as other:
        typed = ", ".join(f"{name} {server_type(kind)}" for name, kind in columns.items())
        other.execute("CREATE SCHEMA given")
        other.execute(f"CREATE TABLE given.relation ({typed})".encode())
        insert = f"INSERT INTO given.relation VALUES ({holders.replace('?', '%s')})".encode()
        other.cursor().executemany(insert, rows)
        theirs = other.execute(said.encode()).fetchall()
        other.rollback()
    return sorted(mine, key=repr), sorted(theirs, key=repr)


def told(rows: Cases) -> list[tuple[str, ...]]:
    """Return rows as texts in which a decimal and a whole number of one value are the same."""
    return sorted(
        tuple(
            "null" if cell is None else str(cell + 0) if _is_number(cell) else str(cell)
            for cell in row
        )
        for row in rows
    )


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_an_expression_has_the_value_of_duckdb(name: str, postgres_server: str) -> None:
    """Each expression has, row by row, the value that DuckDB gives."""
    columns, rows, expressions = EXPRESSIONS[name]
    numbered = {"n": "INTEGER", **columns}
    listed = ", ".join(f"{expression} AS e{n}" for n, expression in enumerate(expressions))
    mine, theirs = both(
        postgres_server,
        numbered,
        [(n, *row) for n, row in enumerate(rows)],
        f"SELECT n, {listed} FROM given.relation",
    )
    for place, expression in enumerate(expressions, 1):
        of = [{row[0]: str(row[place]) for row in result} for result in (mine, theirs)]
        assert of[1] == of[0], expression


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_gives_the_rows_of_duckdb(name: str, postgres_server: str) -> None:
    """Each query gives the rows that DuckDB gives."""
    mine, theirs = both(postgres_server, *QUERIES[name])
    assert told(theirs) == told(mine)
