# SPDX-License-Identifier: MIT
"""Prove that a task database holds nothing of its target: by lineage, by the rows, by the file's bytes.

By lineage, no shown concept is the target, carries it or descends from it. By the rows, no visible column
joined on the task's key equals a column of the reference on nearly all rows, neither row by row nor as
the smallest or largest value of a key. By the bytes, no hidden relation is named in the file.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

from m4bench.model.hashing import sha256_file
from m4bench.model.record import Record
from m4bench.model.task import Drops, Task
from m4bench.suites.derivation.library.catalogue import Library
from m4bench.suites.derivation.library.engine import (
    EngineLimits,
    described,
    engine,
    identifier,
    quoted,
)
from m4bench.suites.derivation.library.lineage import DERIVED_SCHEMA
from m4bench.suites.derivation.library.manifest import ReferenceEntry
from m4bench.suites.derivation.library.plan import Stage, current_reference
from m4bench.suites.derivation.schemas.databases import DatabaseManifest, current_database
from m4bench.suites.derivation.schemas.visibility import derived_relation, hidden_concepts

NEARLY_ALL = 0.98
COVERAGE = 0.5
INFORMATIVE = 5
_COMPARABLE = ("INT", "DOUBLE", "FLOAT", "REAL", "DECIMAL", "BOOL")


class Finding(Record):
    """One way in which a database gives its target away."""

    task: str
    by: str
    relation: str
    column: str | None
    detail: str


@dataclass(frozen=True)
class Target:
    """A task's reference: its file, key, scored columns and honeytokens."""

    file: Path
    entry: ReferenceEntry
    columns: tuple[str, ...]

    def honest(self) -> str:
        """Return a query for the reference without its honeytokens."""
        first = identifier(self.entry.key[0])
        tokens = ", ".join(quoted(key[0]) for key in self.entry.honeytokens) or "NULL"
        kept = f"{first}::VARCHAR NOT IN ({tokens})" if self.entry.honeytokens else "true"
        return f"SELECT * FROM read_parquet({quoted(self.file)}) WHERE {kept}"


def by_lineage(
    library: Library, task: Task, drops: Drops, manifest: DatabaseManifest
) -> list[Finding]:
    """Find shown concepts that the strict rule hides, whatever rule the database was made with."""
    forbidden = hidden_concepts(library, task, "strict")
    if drops == "published":
        forbidden = hidden_concepts(library, task, "published")
    return [
        Finding(
            task=task.name,
            by="lineage",
            relation=derived_relation(name),
            column=None,
            detail="is the target, carries its columns or descends from it",
        )
        for name in sorted(forbidden)
        if derived_relation(name) in manifest.shown
    ]


def _words(files: Mapping[str, Path]) -> set[str]:
    """Return every name that shown relations and their columns bring by right."""
    words = {part for relation in files for part in relation.split(".")}
    for file in files.values():
        query = f"DESCRIBE SELECT * FROM read_parquet({quoted(file)})"
        words |= {row[0].lower() for row in duckdb.sql(query).fetchall()}
    return words


def by_bytes(
    task: Task, manifest: DatabaseManifest, database: Path, files: Mapping[str, Path]
) -> list[Finding]:
    """Find names of hidden relations, paths of the host and undeclared relations in the database file.

    A hidden name that a shown relation or column also bears (`gcs` is both) is looked for as a path.
    """
    content = database.read_bytes().lower()
    by_right = _words(files)

    def found(relation: str, detail: str) -> Finding:
        return Finding(task=task.name, by="bytes", relation=relation, column=None, detail=detail)

    findings = []
    for name in manifest.hidden:
        word = rf"(?<![a-z0-9_]){re.escape(name)}(?![a-z0-9_])".encode()
        path = f"{DERIVED_SCHEMA}/{name}.parquet".encode()
        if path in content or (name not in by_right and re.search(word, content)):
            findings.append(found(derived_relation(name), "its name stands in the database file"))
    if DERIVED_SCHEMA not in by_right and DERIVED_SCHEMA.encode() in content:
        findings.append(found(DERIVED_SCHEMA, "the schema's name stands in the database file"))
    findings += [
        found(file.stem, "a path of the host stands in the database file")
        for file in files.values()
        if str(file.parent).lower().encode() in content
    ]
    views = duckdb.connect(str(database), read_only=True)
    try:
        held = views.execute(
            "SELECT schema_name || '.' || view_name FROM duckdb_views() WHERE NOT internal "
            "UNION ALL SELECT schema_name || '.' || table_name FROM duckdb_tables()"
        ).fetchall()
    finally:
        views.close()
    findings += [
        found(name, "the database holds a relation its manifest does not name")
        for (name,) in sorted(held)
        if name not in manifest.shown
    ]
    return findings


def _comparable(column_type: str) -> bool:
    return column_type.startswith(_COMPARABLE) or "INT" in column_type


def _aggregates(visible: Iterable[str], targets: Iterable[str]) -> list[tuple[str, str, str]]:
    """Return (visible column, target column, SQL of agreement overall and where the target varies)."""
    pairs = []
    for mine in visible:
        for theirs in targets:
            v, t = f"v.{identifier(mine)}", f"r.{identifier(theirs)}"
            equal = f"abs({v}::DOUBLE - {t}::DOUBLE) <= 1e-9"
            unusual = f"{t} IS NOT NULL AND {t} IS DISTINCT FROM u.{identifier(theirs)}"
            pairs.append(
                (
                    mine,
                    theirs,
                    f"count(*) FILTER (WHERE {equal} OR ({v} IS NULL AND {t} IS NULL)), "
                    f"count(*) FILTER (WHERE {unusual}), "
                    f"count(*) FILTER (WHERE ({unusual}) AND {equal})",
                )
            )
    return pairs


def by_rows(
    connection: duckdb.DuckDBPyConnection,
    task: Task,
    target: Target,
    files: Mapping[str, Path],
) -> list[Finding]:
    """Compare every visible column of a relation that has the task's key with every scored column.

    A column is a finding when it equals a scored column on at least 98 % of the joined rows, the join
    reaching at least half of the reference, and on at least 98 % of the rows where the scored column
    is not its most common value (at least five of them): a column of noughts gives nothing away. Inputs
    that the task declares as given are left out.
    """
    findings = []
    connection.execute(f"CREATE OR REPLACE TEMP TABLE target AS {target.honest()}")
    types = dict(described(connection, "SELECT * FROM target"))
    scored = [column for column in target.columns if _comparable(types[column])]
    modes = ", ".join(f"mode({identifier(c)}) AS {identifier(c)}" for c in scored)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE usual AS SELECT {modes} FROM target")
    for relation, file in sorted(files.items()):
        columns = dict(described(connection, f"SELECT * FROM read_parquet({quoted(file)})"))
        if not set(target.entry.key) <= set(columns):
            continue
        visible = [c for c in columns if _comparable(columns[c]) and c not in target.entry.key]
        if visible:
            findings += _compare(connection, task, target, relation, file, visible, scored)
    return findings


def _compare(
    connection: duckdb.DuckDBPyConnection,
    task: Task,
    target: Target,
    relation: str,
    file: Path,
    visible: list[str],
    scored: list[str],
) -> list[Finding]:
    key = ", ".join(identifier(column) for column in target.entry.key)
    source = f"read_parquet({quoted(file)})"
    extremes = {
        "row by row": f"SELECT {key}, {', '.join(map(identifier, visible))} FROM {source}",
        **{
            f"as {label} of a key": f"SELECT {key}, "
            + ", ".join(f"{function}({identifier(c)}) AS {identifier(c)}" for c in visible)
            + f" FROM {source} GROUP BY {key}"
            for label, function in (("smallest value", "min"), ("largest value", "max"))
        },
    }
    counted = connection.execute("SELECT count(*) FROM target").fetchone()
    assert counted is not None
    findings: dict[tuple[str, str], Finding] = {}
    pairs = _aggregates(visible, scored)
    for how, query in extremes.items():
        row = connection.execute(
            f"SELECT count(*), count(DISTINCT ({key})), {', '.join(sql for _, _, sql in pairs)} "
            f"FROM ({query}) AS v JOIN target AS r USING ({key}) CROSS JOIN usual AS u"
        ).fetchone()
        assert row is not None
        joined, reached = row[0], row[1]
        if joined == 0 or reached < COVERAGE * counted[0]:
            continue
        for place, (mine, theirs, _) in enumerate(pairs):
            equal, unusual, unusual_equal = row[2 + 3 * place : 5 + 3 * place]
            if f"{relation}.{mine} = {theirs}" in task.drops.given:
                continue
            if (
                equal >= NEARLY_ALL * joined
                and unusual >= INFORMATIVE
                and unusual_equal >= NEARLY_ALL * unusual
            ):
                findings.setdefault(
                    (mine, theirs),
                    Finding(
                        task=task.name,
                        by="rows",
                        relation=relation,
                        column=mine,
                        detail=f"equals {theirs} on {equal / joined:.1%} of {joined} joined rows {how}",
                    ),
                )
    return list(findings.values())


def verify_database(
    library: Library,
    stage: Stage,
    task: Task,
    *,
    schema: str,
    drops: Drops,
    limits: EngineLimits | None = None,
) -> list[Finding]:
    """Return all findings against a task's database; none means that nothing of the target is left.

    Raises:
        MissingError, StaleError: the database or the reference is absent or out of date.
    """
    database, manifest, files = current_database(library, stage, task, schema=schema, drops=drops)
    entry = current_reference(library, stage.dataset, stage.convention, task.reference)
    folder = stage.dataset.references(stage.convention)
    target = Target(folder / entry.file, entry, task.scoring.scored)
    findings = by_lineage(library, task, drops, manifest)
    if sha256_file(database) != manifest.sha256:
        findings.append(
            Finding(
                task=task.name,
                by="bytes",
                relation=database.name,
                column=None,
                detail="the file is not the one that was made",
            )
        )
    findings += by_bytes(task, manifest, database, files)
    with engine(limits or EngineLimits()) as connection:
        findings += by_rows(connection, task, target, files)
    return findings
