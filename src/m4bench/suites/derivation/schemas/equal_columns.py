# SPDX-License-Identifier: MIT
"""Find visible columns that equal a column of a table when joined on its key. Knows no task.

A column equals a target column when, over the rows joined on the key, the two agree on nearly all, the join
reaching at least half of the table, and also on nearly all of the rows where the target column is not
its most common value: a column of noughts gives nothing away. Numbers are compared with numbers, times with
times, texts with texts. A relation with several rows a key is compared row by row, and by the smallest and the
largest value of a key. Candidates are found on a sample of keys, so that cost does not grow with the table
times its columns, and confirmed on all rows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

from m4bench.model.record import Record
from m4bench.suites.derivation.library.engine import described, identifier, quoted

NEARLY_ALL = 0.98
CANDIDATE = 0.9
COVERAGE = 0.5
INFORMATIVE = 5
SAMPLE_KEYS = 2000
SAMPLE_ROWS = 500_000
TOLERANCE = 1e-9
_NUMBERS = ("DOUBLE", "FLOAT", "REAL", "DECIMAL", "BOOL")
_TIMES = ("TIMESTAMP", "DATE")


class EqualColumn(Record):
    """A visible column that equals a target column on `agreement` (a share) of `rows` joined rows."""

    relation: str
    column: str
    target: str
    how: str
    agreement: float
    rows: int

    def as_given(self) -> str:
        """Return the pair as a task declares it among its given inputs."""
        return f"{self.relation}.{self.column} = {self.target}"


@dataclass(frozen=True)
class _Column:
    """A column and what its values are compared as: number, time or text."""

    name: str
    kind: str

    def as_double(self, table: str) -> str:
        """Return the SQL that gives its values as doubles, equal when the values are."""
        column = f"{table}.{identifier(self.name)}"
        if self.kind == "time":
            return f"epoch_us({column}::TIMESTAMP)::DOUBLE"
        if self.kind == "text":
            return f"CASE WHEN {column} IS NOT NULL THEN hash({column})::DOUBLE END"
        return f"{column}::DOUBLE"


@dataclass(frozen=True)
class _Join:
    """A relation and the target, joined on the key in one of three ways."""

    relation: str
    how: str
    query: str
    key: str
    visible: tuple[_Column, ...]
    targets: tuple[_Column, ...]

    def sql(self, target: str) -> str:
        """Return the join with a target table as doubles: visible columns, then target columns."""
        columns = [f"{c.as_double('v')} AS v{n}" for n, c in enumerate(self.visible)]
        columns += [f"{c.as_double('r')} AS r{n}" for n, c in enumerate(self.targets)]
        return f"SELECT {', '.join(columns)} FROM ({self.query}) AS v JOIN {target} AS r USING ({self.key})"


def _kind(column_type: str) -> str | None:
    """Return what a column is compared as, or None when it is not compared."""
    if column_type.startswith(_NUMBERS) or "INT" in column_type:
        return None if column_type.endswith("]") else "number"
    if column_type.startswith(_TIMES):
        return "time"
    return "text" if column_type == "VARCHAR" else None


def _comparable(types: Mapping[str, str], names: Iterable[str]) -> tuple[_Column, ...]:
    return tuple(_Column(name, kind) for name in names if (kind := _kind(types[name])))


def equal_columns(
    connection: duckdb.DuckDBPyConnection,
    target_query: str,
    keys: Sequence[Sequence[str]],
    target_columns: Iterable[str],
    files: Mapping[str, Path],
) -> list[EqualColumn]:
    """Return every visible column of `files` (relation → Parquet) that equals a target column.

    Args:
        connection: where temporary tables may be made.
        target_query: a query that gives the key and the target columns.
        keys: the key's columns, then what may stand in for them; a relation is compared by the first
            whose columns it all has, and not at all when it has none.
        target_columns: the columns looked for.
        files: the relations an agent would see.
    """
    connection.execute(f"CREATE OR REPLACE TEMP TABLE target AS {target_query}")
    targets = _comparable(dict(described(connection, "SELECT * FROM target")), target_columns)
    names = ", ".join(map(identifier, keys[0]))
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE target_sample AS "
        f"SELECT * FROM target ORDER BY hash({names}), {names} LIMIT {SAMPLE_KEYS}"
    )
    found: list[EqualColumn] = []
    for relation, file in sorted(files.items()):
        source = f"read_parquet({quoted(file)})"
        columns = dict(described(connection, f"SELECT * FROM {source}"))
        key = next((key for key in keys if set(key) <= set(columns)), ())
        visible = _comparable(columns, (name for name in columns if name not in key))
        looked_for = tuple(column for column in targets if column.name not in key)
        if key and visible and looked_for:
            joined_by = ", ".join(map(identifier, key))
            found += _compare(connection, relation, source, joined_by, visible, looked_for)
    return found


def _joins(
    relation: str, source: str, key: str, visible: tuple[_Column, ...], targets: tuple[_Column, ...]
) -> list[_Join]:
    plain = ", ".join(identifier(column.name) for column in visible)
    joins = [
        _Join(relation, "row by row", f"SELECT {key}, {plain} FROM {source}", key, visible, targets)
    ]
    for label, function in (("smallest", "min"), ("largest", "max")):
        names = [identifier(column.name) for column in visible]
        extremes = ", ".join(f"{function}({name}) AS {name}" for name in names)
        query = f"SELECT {key}, {extremes} FROM {source} GROUP BY {key}"
        joins.append(_Join(relation, f"as {label} value of a key", query, key, visible, targets))
    return joins


def _compare(
    connection: duckdb.DuckDBPyConnection,
    relation: str,
    source: str,
    key: str,
    visible: tuple[_Column, ...],
    targets: tuple[_Column, ...],
) -> list[EqualColumn]:
    reached = connection.execute(
        f"SELECT count(DISTINCT ({key})) >= {COVERAGE} * (SELECT count(*) FROM target) "
        f"FROM {source} SEMI JOIN target USING ({key})"
    ).fetchone()
    repeated = connection.execute(
        f"SELECT count(*) > count(DISTINCT ({key})) FROM {source}"
    ).fetchone()
    if not (reached and reached[0]):
        return []
    found: dict[tuple[_Column, _Column], EqualColumn] = {}
    joins = _joins(relation, source, key, visible, targets)
    for join in joins if repeated and repeated[0] else joins[:1]:
        for mine, theirs in _candidates(connection, join):
            if (mine, theirs) not in found and (
                match := _confirmed(connection, join, mine, theirs)
            ):
                found[mine, theirs] = match
    return list(found.values())


def _candidates(
    connection: duckdb.DuckDBPyConnection, join: _Join
) -> list[tuple[_Column, _Column]]:
    """Return the pairs that agree well on a sample of keys, whatever their usual values."""
    sampled = connection.execute(f"{join.sql('target_sample')} LIMIT {SAMPLE_ROWS}").fetchnumpy()

    def column(name: str) -> NDArray[np.float64]:
        values = sampled[name]
        return np.ma.filled(np.ma.asarray(values, dtype=np.float64), np.nan)

    targets = [column(f"r{number}") for number in range(len(join.targets))]
    pairs = []
    for place, mine in enumerate(join.visible):
        values = column(f"v{place}")
        for theirs, wanted in zip(join.targets, targets, strict=True):
            if mine.kind != theirs.kind:
                continue
            both_null = np.isnan(values) & np.isnan(wanted)
            agreeing = both_null | (np.abs(values - wanted) <= TOLERANCE)
            if len(agreeing) and agreeing.mean() >= CANDIDATE:
                pairs.append((mine, theirs))
    return pairs


def _confirmed(
    connection: duckdb.DuckDBPyConnection, join: _Join, mine: _Column, theirs: _Column
) -> EqualColumn | None:
    """Compare one pair on all rows."""
    pair = _Join(join.relation, join.how, join.query, join.key, (mine,), (theirs,))
    usual = f"(SELECT mode({theirs.as_double('r')}) FROM target AS r)"
    equal = f"abs(v0 - r0) <= {TOLERANCE}"
    unusual = f"r0 IS NOT NULL AND r0 IS DISTINCT FROM {usual}"
    counts = connection.execute(
        f"SELECT count(*), count(*) FILTER (WHERE {equal} OR (v0 IS NULL AND r0 IS NULL)), "
        f"count(*) FILTER (WHERE {unusual}), count(*) FILTER (WHERE ({unusual}) AND {equal}) "
        f"FROM ({pair.sql('target')})"
    ).fetchone()
    assert counts is not None
    rows, agreeing, informative, informative_agreeing = counts
    if (
        agreeing < NEARLY_ALL * rows
        or informative < INFORMATIVE
        or informative_agreeing < NEARLY_ALL * informative
    ):
        return None
    return EqualColumn(
        relation=join.relation,
        column=mine.name,
        target=theirs.name,
        how=join.how,
        agreement=agreeing / rows,
        rows=rows,
    )
