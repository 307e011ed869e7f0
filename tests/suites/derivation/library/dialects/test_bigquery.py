# SPDX-License-Identifier: MIT
"""BigQuery's SQL: as it was last looked at, read again by a parser, of known functions, and of DuckDB's meaning.

BigQuery itself is never asked. What is checked instead: every query, carried back to DuckDB by sqlglot's
reading of BigQuery, gives the rows of the query it was made from.
"""

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import get_args

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from m4bench.data.store import Store
from m4bench.model.errors import InputError
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.build import build_concepts
from m4bench.suites.derivation.library.catalogue import Derivation, library
from m4bench.suites.derivation.library.dialects.script import query
from m4bench.suites.derivation.library.dialects.translate import translate
from m4bench.suites.derivation.library.dialects.typing import declared_columns
from m4bench.suites.derivation.library.engine import (
    EngineLimits,
    create_empty_view,
    create_views,
    engine,
    quoted,
)
from m4bench.suites.derivation.library.engines.build import columns_of
from m4bench.suites.derivation.library.plan import open_stage
from m4bench.suites.derivation.library.sites import serves
from tests.suites.derivation.library.dialects.golden import FOLDER, require_golden
from tests.suites.derivation.library.engines.comparison import last_digits

CONVENTIONS: tuple[Convention, ...] = get_args(Convention)
NUMERIC = "DECIMAL(38, 9)"
# Functions of the GoogleSQL reference that a query may call; operators and CASE are no functions.
FUNCTIONS = """
    ABS AVG CAST CEIL COALESCE CONCAT COUNT DATE DATETIME DATETIME_DIFF DATETIME_TRUNC DENSE_RANK EXP EXTRACT
    FIRST_VALUE FLOOR GENERATE_ARRAY GREATEST IEEE_DIVIDE IF INSTR LAG LAST_VALUE LEAD LEAST LEFT LENGTH LN
    LOWER MAX MIN MOD NULLIF POWER RANK REGEXP_CONTAINS REGEXP_EXTRACT REPLACE ROUND ROW_NUMBER SAFE_CAST
    SAFE_OFFSET SPLIT SQRT STARTS_WITH STRING_AGG STRUCT SUBSTR SUBSTRING SUM TRIM UNNEST UPPER
"""
# Words that a parenthesis can follow and that are no functions.
WORDS = "AND AS BY DISTINCT ELSE FROM IN IS JOIN NOT ON OR OVER SELECT THEN UNION WHEN WHERE"
KNOWN = {*FUNCTIONS.split(), *WORDS.split()}


def every(convention: Convention) -> list[Derivation]:
    """Return all concepts, and the references of MIMIC-IV, under a convention."""
    said = library(convention)
    references = (r for n, r in said.references.items() if serves(said, n, "mimic-iv"))
    return [*said.concepts.values(), *references]


@cache
def translated(convention: Convention) -> dict[str, str]:
    """Return every query of a convention in BigQuery's SQL."""
    columns = declared_columns(library(convention))
    return {d.name: translate(d.sql, "bigquery", columns=columns) for d in every(convention)}


def test_what_was_looked_at_is_what_is_written() -> None:
    """Every concept's query equals its file, and there is no file of another."""
    for name in library().concepts:
        require_golden("bigquery", name, query(library(), name, "bigquery"))
    assert {file.stem for file in (FOLDER / "bigquery").glob("*.sql")} == set(library().concepts)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_queries_are_bigquerys_own(convention: Convention) -> None:
    """Each query is read by a parser of BigQuery, comes out of it unchanged, and calls known functions only."""
    for name, text in translated(convention).items():
        tree = sqlglot.parse_one(text, dialect="bigquery")
        bare = tree.sql(dialect="bigquery", comments=False)
        again = sqlglot.parse_one(bare, dialect="bigquery").sql(dialect="bigquery")
        assert again == bare, name
        tokens = sqlglot.tokenize(bare, read="bigquery")
        called = {
            token.text.upper()
            for token, following in pairwise(tokens)
            if following.text == "(" and token.text.replace("_", "").isalpha()
        }
        assert called <= KNOWN, name


def meant(text: str) -> str:
    """Return a query of BigQuery as DuckDB's, NUMERIC with its nine digits."""
    tree = sqlglot.parse_one(text, dialect="bigquery")
    for kind in tree.find_all(exp.DataType):
        if kind.is_type("decimal") and not kind.expressions:
            kind.replace(exp.DataType.build(NUMERIC))
    back: str = tree.sql(dialect="duckdb")
    return back


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_queries_mean_what_duckdbs_mean(
    convention: Convention, conformance_store: Store, tmp_path: Path
) -> None:
    """Each query, carried back, gives the rows of the original, doubles to their last digits."""
    dataset = conformance_store.dataset("synthetic")
    limits = EngineLimits(memory="1GB", threads=2)
    build_concepts(library(), dataset, convention=convention, limits=limits)
    stage = open_stage(dataset, convention)
    columns = declared_columns(library(convention))
    with engine(limits, tmp_path) as connection:
        connection.execute("CREATE MACRO ieee_divide(a, b) AS a::DOUBLE / b::DOUBLE")
        inputs = {relation for derivation in every(convention) for relation in derivation.inputs}
        files = {relation: stage.file(relation) for relation in inputs}
        create_views(connection, {name: file for name, file in files.items() if file.is_file()})
        for name, file in files.items():
            if not file.is_file():
                create_empty_view(connection, name, columns[name])
        for derivation in every(convention):
            text = translated(convention)[derivation.name]
            mine, theirs = tmp_path / "mine.parquet", tmp_path / "theirs.parquet"
            for file, said in ((mine, derivation.sql), (theirs, meant(text))):
                write(connection, said, derivation, file)
            last_digits(mine, theirs, columns_of(derivation))


def write(
    connection: duckdb.DuckDBPyConnection, said: str, derivation: Derivation, file: Path
) -> None:
    """Write the rows of a query in the declared types."""
    listed = ", ".join(
        f'CAST("{name}" AS {kind}) AS "{name}"' for name, kind in columns_of(derivation)
    )
    connection.execute(
        f"COPY (SELECT {listed} FROM (\n{said}\n)) TO {quoted(file)} (FORMAT parquet)"
    )


COLUMNS = {
    "given.relation": {
        "t": "TIMESTAMP",
        "a": "DOUBLE",
        "b": "DOUBLE",
        "i": "INTEGER",
        "d": "DECIMAL(18, 2)",
        "s": "VARCHAR",
    }
}


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("a / b", "IEEE_DIVIDE(a, b)"),
        ("a / 2", "a / CAST(2 AS FLOAT64)"),
        ("CAST(a AS DECIMAL(18, 3))", "CAST(ROUND(a * 1000) AS NUMERIC) / 1000"),
        ("CAST(d AS DECIMAL(18, 1))", "ROUND(CAST(d AS NUMERIC), 1)"),
        (
            "TRY_CAST(a AS DECIMAL(4, 1))",
            "CASE WHEN ABS(a) < 999.95 THEN CAST(ROUND(a * 10) AS NUMERIC) / 10 END",
        ),
        ("GREATEST(a, b)", "COALESCE(GREATEST(a, b), a, b)"),
        (
            "LEAST(a, b, i)",
            "(SELECT MIN(element) FROM UNNEST([a, b, i]) AS element)",
        ),
        ("DATE_DIFF('hour', t, t)", "DATETIME_DIFF(t, t, HOUR)"),
        ("DATE_TRUNC('hour', t)", "DATETIME_TRUNC(t, HOUR)"),
        ("t - INTERVAL 6 HOUR", "t - INTERVAL 6 HOUR"),
        ("SPLIT_PART(s, '-', 2)", "COALESCE(SPLIT(s, '-')[SAFE_OFFSET(1)], '')"),
        (
            "MIN(a) OVER (ORDER BY t NULLS FIRST RANGE BETWEEN INTERVAL 2 HOUR PRECEDING AND CURRENT ROW)",
            "MIN(a) OVER (ORDER BY DATETIME_DIFF(t, CAST('1970-01-01 00:00:00' AS DATETIME), MICROSECOND) "
            "RANGE BETWEEN 7200000000 PRECEDING AND CURRENT ROW)",
        ),
        ("ROW_NUMBER() OVER (ORDER BY i)", "ROW_NUMBER() OVER (ORDER BY i IS NULL ASC, i)"),
        ("CAST(CEIL(a) AS BIGINT)", "CAST(CEIL(a) AS INT64)"),
    ],
)
def test_constructs(said: str, written: str) -> None:
    """A construct is written as BigQuery has it."""
    text = translate(f"SELECT {said} AS x FROM given.relation", "bigquery", columns=COLUMNS)
    assert " ".join(text.split()).replace("( ", "(").replace(" )", ")") == (
        f"SELECT {written} AS x FROM given.relation"
    )


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("CAST(a AS BIGINT)", "may not be one"),
        ("MEDIAN_OF_ALL(a)", "not known to bigquery"),
        ("s LIKE 'a\\_b'", "backslash"),
        ("MIN(a) OVER (PARTITION BY b)", "partitioned by a double"),
        ("MIN(a) OVER (ORDER BY i RANGE BETWEEN 2 PRECEDING AND CURRENT ROW)", "nulls last"),
        ("missing", "could not be resolved"),
        ("CAST(s AS DECIMAL(18, 3))", "makes a decimal of"),
    ],
)
def test_what_cannot_be_said_is_refused(said: str, problem: str) -> None:
    """What BigQuery cannot say, or says otherwise, is an error and never a query."""
    with pytest.raises(InputError, match=problem):
        translate(f"SELECT {said} AS x FROM given.relation", "bigquery", columns=COLUMNS)
