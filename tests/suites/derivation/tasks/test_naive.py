# SPDX-License-Identifier: MIT
"""Naive queries: source tables only, the answer's columns, rows of the task's grain, some of them right."""

import csv
from collections import defaultdict
from pathlib import Path

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from m4bench.model.errors import InputError
from m4bench.model.task import Task
from m4bench.suites.derivation.tasks.cards import load_tasks
from m4bench.suites.derivation.tasks.naive import naive_sql

TASKS = load_tasks()
NULL_TOKENS = ["", "NULL", "NA", "N/A", "___"]
# What has one row a task's row: the table, and the columns that identify a row of the answer in it.
GRAINS = {
    "stay": ("mimiciv_icu.icustays", ("stay_id",)),
    "admission": ("mimiciv_hosp.admissions", ("hadm_id",)),
    "stay-window": ("mimiciv_icu.outputevents", ("stay_id", "charttime")),
}

each_task = pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)


def _hospital(shared: Path) -> tuple[duckdb.DuckDBPyConnection, dict[str, dict[str, str]]]:
    types: dict[str, dict[str, str]] = defaultdict(dict)
    with (shared / "conformance/mimic/schema.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            types[f"{row['schema']}.{row['table']}"][row["column"]] = row["type"]
    hospital = duckdb.connect()
    for schema in ("mimiciv_hosp", "mimiciv_icu"):
        hospital.execute(f"CREATE SCHEMA {schema}")
    for table, columns in types.items():
        declared = ", ".join(f'"{column}" {kind}' for column, kind in columns.items())
        hospital.execute(f"CREATE TABLE {table} ({declared})")
    return hospital, types


@pytest.fixture(scope="module")
def empty_hospital(shared: Path) -> duckdb.DuckDBPyConnection:
    """The source tables with declared types and no rows."""
    return _hospital(shared)[0]


@pytest.fixture(scope="module")
def hospital(shared: Path) -> duckdb.DuckDBPyConnection:
    """The source tables with the rows of the conformance data."""
    filled, types = _hospital(shared)
    for table, columns in types.items():
        schema, name = table.split(".")
        path = shared / "conformance/mimic" / schema.removeprefix("mimiciv_") / f"{name}.csv.gz"
        filled.execute(
            f"INSERT INTO {table} BY NAME SELECT * FROM read_csv(?, header = true, columns = ?, nullstr = ?)",
            [str(path), columns, NULL_TOKENS],
        )
    return filled


@each_task
def test_a_naive_query_reads_source_tables_alone(task: Task) -> None:
    """No relation of the derived schema, so that one query serves both modes."""
    statements = sqlglot.parse(naive_sql(task), dialect="duckdb")
    assert len(statements) == 1
    assert isinstance(statements[0], exp.Select)
    schemas = {table.db for table in statements[0].find_all(exp.Table) if table.db}
    assert schemas
    assert schemas <= {"mimiciv_hosp", "mimiciv_icu"}


@each_task
def test_a_naive_query_returns_exactly_the_required_columns(
    task: Task, empty_hospital: duckdb.DuckDBPyConnection
) -> None:
    """On a hospital without rows it runs and returns the answer's columns in order."""
    answer = empty_hospital.sql(naive_sql(task))
    assert answer.columns == list(task.scoring.required)
    assert answer.fetchall() == []


@each_task
def test_a_naive_answer_has_the_grain_of_the_task(
    task: Task, hospital: duckdb.DuckDBPyConnection
) -> None:
    """One row a key, no key null; every stay or admission answered, or urine times of the source only."""
    table, columns = GRAINS[task.grain]
    keys = ", ".join(columns)
    hospital.execute(f"CREATE OR REPLACE TEMP TABLE answer AS {naive_sql(task)}")
    answered = hospital.sql(f"SELECT {keys} FROM answer").fetchall()
    source = set(hospital.sql(f"SELECT DISTINCT {keys} FROM {table}").fetchall())
    assert len(answered) == len(set(answered)) > 0
    assert all(value is not None for key in answered for value in key)
    assert set(answered) <= source
    if task.grain != "stay-window":
        assert set(answered) == source


@each_task
def test_a_naive_answer_is_partly_right(
    task: Task, hospital: duckdb.DuckDBPyConnection, shared: Path
) -> None:
    """Each scored column that varies agrees with the expected output somewhere and differs somewhere."""
    expected = shared / "conformance/expected/references" / f"{task.reference}.csv.gz"
    keys = ", ".join(task.scoring.key)
    hospital.execute(f"CREATE OR REPLACE TEMP TABLE answer AS {naive_sql(task)}")
    hospital.execute(
        "CREATE OR REPLACE TEMP TABLE expected AS SELECT * FROM read_csv(?, header = true, nullstr = '')",
        [str(expected)],
    )
    rows = hospital.sql("SELECT count(*) FROM expected").fetchone()
    assert rows is not None
    shares = []
    for column in task.scoring.scored:
        tolerance = task.scoring.tolerances.get(column, 0)
        matched = hospital.sql(
            f"""
            SELECT count(*) FROM expected JOIN answer USING ({keys})
            WHERE abs(expected.{column} - answer.{column}) <= {tolerance}
              OR (expected.{column} IS NULL AND answer.{column} IS NULL)
            """
        ).fetchone()
        assert matched is not None
        assert matched[0] > 0, column
        shares.append(matched[0] / rows[0])
    assert sum(shares) / len(shares) < 0.95


@each_task
def test_a_naive_answer_is_the_same_for_any_thread_count(
    task: Task, hospital: duckdb.DuckDBPyConnection
) -> None:
    """One thread and two give the same rows."""
    order = ", ".join(task.scoring.key)
    answers = []
    for threads in (1, 2):
        hospital.execute(f"SET threads = {threads}")
        answers.append(
            hospital.sql(f"SELECT * FROM ({naive_sql(task)}) ORDER BY {order}").fetchall()
        )
    assert answers[0] == answers[1]


def test_a_family_without_a_naive_query_is_refused(tmp_path: Path) -> None:
    """The error names the file that is missing."""
    with pytest.raises(InputError, match="the family sofa has no naive query") as refused:
        naive_sql(TASKS["mimic-sofa-24h"], tmp_path)
    assert refused.value.file == tmp_path / "sofa" / "naive.sql"
