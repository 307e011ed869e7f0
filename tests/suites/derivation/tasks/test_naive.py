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
FOLDERS = {"mimiciv_hosp": "mimic/hosp", "mimiciv_icu": "mimic/icu", "eicu_crd": "eicu"}
# Whom the rows of an answer are of, by site and grain: the table, and the columns that name one in it.
MEMBERS = {
    ("mimic-iv", "stay"): ("mimiciv_icu.icustays", ("stay_id",)),
    ("mimic-iv", "admission"): ("mimiciv_hosp.admissions", ("hadm_id",)),
    ("mimic-iv", "stay-window"): ("mimiciv_icu.outputevents", ("stay_id", "charttime")),
    ("mimic-iv", "interval"): ("mimiciv_icu.icustays", ("stay_id",)),
    ("mimic-iv", "event"): ("mimiciv_hosp.patients", ("subject_id",)),
    ("eicu", "stay"): ("eicu_crd.patient", ("patientunitstayid",)),
}

each_task = pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)


def _hospital(shared: Path) -> tuple[duckdb.DuckDBPyConnection, dict[str, dict[str, str]]]:
    types: dict[str, dict[str, str]] = defaultdict(dict)
    for database in ("mimic", "eicu"):
        schema = shared / "conformance" / database / "schema.csv"
        with schema.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                types[f"{row['schema']}.{row['table']}"][row["column"]] = row["type"]
    hospital = duckdb.connect()
    for schema_name in FOLDERS:
        hospital.execute(f"CREATE SCHEMA {schema_name}")
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
    """The source tables with the rows of the conformance data, and the expected answers by reference."""
    filled, types = _hospital(shared)
    for table, columns in types.items():
        schema, name = table.split(".")
        path = shared / "conformance" / FOLDERS[schema] / f"{name}.csv.gz"
        filled.execute(
            f"INSERT INTO {table} BY NAME SELECT * FROM read_csv(?, header = true, columns = ?, nullstr = ?)",
            [str(path), columns, NULL_TOKENS],
        )
    for reference in {task.reference for task in TASKS.values()}:
        path = shared / "conformance/expected/references" / f"{reference}.csv.gz"
        filled.execute(
            f"CREATE TABLE \"{reference}\" AS SELECT * FROM read_csv(?, header = true, nullstr = '')",
            [str(path)],
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
    assert schemas <= set(FOLDERS)


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
    """One row a key, no key null, of known members; all of them are answered where the reference answers all."""
    table, columns = MEMBERS[(task.site, task.grain)]
    keys, members = ", ".join(task.scoring.key), ", ".join(columns)
    hospital.execute(f"CREATE OR REPLACE TEMP TABLE answer AS {naive_sql(task)}")
    answered = hospital.sql(f"SELECT {keys} FROM answer").fetchall()
    assert len(answered) == len(set(answered)) > 0
    assert all(value is not None for key in answered for value in key)
    known, named, asked = (
        set(hospital.sql(f"SELECT DISTINCT {members} FROM {relation}").fetchall())
        for relation in (table, "answer", f'"{task.reference}"')
    )
    assert named <= known
    if asked == known and task.grain in ("stay", "admission"):
        assert named == known


@each_task
def test_a_naive_answer_is_partly_right(task: Task, hospital: duckdb.DuckDBPyConnection) -> None:
    """Each scored column agrees with the expected output somewhere, and not all of them everywhere."""
    keys = ", ".join(task.scoring.key)
    hospital.execute(f"CREATE OR REPLACE TEMP TABLE answer AS {naive_sql(task)}")
    rows = hospital.sql(f'SELECT count(*) FROM "{task.reference}"').fetchone()
    assert rows is not None
    shares = []
    for column in task.scoring.scored:
        expected, answered = f'"{task.reference}".{column}', f"answer.{column}"
        tolerance = task.scoring.tolerances.get(column, 0)
        difference = f"TRY_CAST({expected} AS DOUBLE) - TRY_CAST({answered} AS DOUBLE)"
        same_text = f"CAST({expected} AS VARCHAR) = CAST({answered} AS VARCHAR)"
        agrees = f"coalesce(abs({difference}) <= {tolerance}, {same_text})"
        matched = hospital.sql(
            f"""
            SELECT count(*) FROM "{task.reference}" JOIN answer USING ({keys})
            WHERE {agrees} OR ({expected} IS NULL AND {answered} IS NULL)
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
