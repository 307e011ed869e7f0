# SPDX-License-Identifier: MIT
"""Find visible columns that equal a column of a table when joined on its key. Knows no task.

A column equals a target column when, over the rows joined on the key, the two agree on nearly all, the join
reaching at least half of the table, and also on nearly all of the rows where the target column is not
its most common value: a column of noughts gives nothing away. A relation with several rows a key is
compared row by row, and by the smallest and the largest value of a key. Candidates are found on a
sample of keys, so that cost does not grow with the table times its columns, and confirmed on all rows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

from m4bench.suites.derivation.library.engine import described, identifier, quoted

NEARLY_ALL = 0.98
CANDIDATE = 0.9
COVERAGE = 0.5
INFORMATIVE = 5
SAMPLE_KEYS = 2000
SAMPLE_ROWS = 500_000
TOLERANCE = 1e-9
_COMPARABLE = ("DOUBLE", "FLOAT", "REAL", "DECIMAL", "BOOL")


@dataclass(frozen=True)
class EqualColumn:
    """A visible column that equals a target column on `agreement` of `rows` joined rows."""

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
class _Join:
    """A relation and the target, joined on the key in one of three ways."""

    relation: str
    how: str
    query: str
    key: str
    visible: tuple[str, ...]
    targets: tuple[str, ...]

    def sql(self, target: str) -> str:
        """Return the join with a target table as numbers: visible columns, then target columns."""
        columns = [f"v.{identifier(c)}::DOUBLE AS v{n}" for n, c in enumerate(self.visible)]
        columns += [f"r.{identifier(c)}::DOUBLE AS r{n}" for n, c in enumerate(self.targets)]
        return f"SELECT {', '.join(columns)} FROM ({self.query}) AS v JOIN {target} AS r USING ({self.key})"


def is_comparable(column_type: str) -> bool:
    """Tell whether a column holds numbers."""
    return column_type.startswith(_COMPARABLE) or "INT" in column_type


def equal_columns(
    connection: duckdb.DuckDBPyConnection,
    target_query: str,
    key: Sequence[str],
    target_columns: Iterable[str],
    files: Mapping[str, Path],
) -> list[EqualColumn]:
    """Return every visible column of `files` (relation → Parquet) that equals a numeric target column.

    Args:
        connection: where temporary tables may be made.
        target_query: a query that gives the key and the target columns.
        key: the key's columns; a relation without all of them is not compared.
        target_columns: the columns looked for.
        files: the relations an agent would see.
    """
    connection.execute(f"CREATE OR REPLACE TEMP TABLE target AS {target_query}")
    types = dict(described(connection, "SELECT * FROM target"))
    targets = tuple(c for c in target_columns if is_comparable(types[c]))
    if not targets:
        return []
    names = ", ".join(identifier(column) for column in key)
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE target_sample AS "
        f"SELECT * FROM target ORDER BY hash({names}), {names} LIMIT {SAMPLE_KEYS}"
    )
    found: list[EqualColumn] = []
    for relation, file in sorted(files.items()):
        source = f"read_parquet({quoted(file)})"
        columns = dict(described(connection, f"SELECT * FROM {source}"))
        visible = tuple(c for c in columns if is_comparable(columns[c]) and c not in key)
        if visible and set(key) <= set(columns):
            found += _compare(connection, relation, source, names, visible, targets)
    return found


def _joins(
    relation: str, source: str, key: str, visible: tuple[str, ...], targets: tuple[str, ...]
) -> list[_Join]:
    plain = ", ".join(map(identifier, visible))
    joins = [
        _Join(relation, "row by row", f"SELECT {key}, {plain} FROM {source}", key, visible, targets)
    ]
    for label, function in (("smallest", "min"), ("largest", "max")):
        extremes = ", ".join(f"{function}({identifier(c)}) AS {identifier(c)}" for c in visible)
        query = f"SELECT {key}, {extremes} FROM {source} GROUP BY {key}"
        joins.append(_Join(relation, f"as {label} value of a key", query, key, visible, targets))
    return joins


def _compare(
    connection: duckdb.DuckDBPyConnection,
    relation: str,
    source: str,
    key: str,
    visible: tuple[str, ...],
    targets: tuple[str, ...],
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
    found: dict[tuple[str, str], EqualColumn] = {}
    joins = _joins(relation, source, key, visible, targets)
    for join in joins if repeated and repeated[0] else joins[:1]:
        for mine, theirs in _candidates(connection, join):
            if (mine, theirs) not in found and (
                match := _confirmed(connection, join, mine, theirs)
            ):
                found[mine, theirs] = match
    return list(found.values())


def _candidates(connection: duckdb.DuckDBPyConnection, join: _Join) -> list[tuple[str, str]]:
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
            both_null = np.isnan(values) & np.isnan(wanted)
            agreeing = both_null | (np.abs(values - wanted) <= TOLERANCE)
            if len(agreeing) and agreeing.mean() >= CANDIDATE:
                pairs.append((mine, theirs))
    return pairs


def _confirmed(
    connection: duckdb.DuckDBPyConnection, join: _Join, mine: str, theirs: str
) -> EqualColumn | None:
    """Compare one pair on all rows."""
    pair = _Join(join.relation, join.how, join.query, join.key, (mine,), (theirs,))
    usual = f"(SELECT mode({identifier(theirs)})::DOUBLE FROM target)"
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
    return EqualColumn(join.relation, mine, theirs, join.how, agreeing / rows, rows)
