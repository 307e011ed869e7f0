# SPDX-License-Identifier: MIT
"""Prove that a task database holds nothing of its target: by lineage, by the rows, by the file's bytes.

By lineage, no shown concept is the target, carries it or descends from it, and no scored column is carried
from a shown column that is not stated as given. By the rows, no visible column joined on the task's key equals
a column of the reference on nearly all rows, neither row by row nor as the smallest or largest value of a key.
By the bytes, no hidden relation is named in the file. What published drops leave is told by `remnants`.
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
from m4bench.suites.derivation.library.column_lineage import (
    REFERENCES,
    ColumnLineage,
)
from m4bench.suites.derivation.library.engine import (
    EngineLimits,
    engine,
    identifier,
    quoted,
)
from m4bench.suites.derivation.library.lineage import DERIVED_SCHEMA
from m4bench.suites.derivation.library.manifest import ReferenceEntry
from m4bench.suites.derivation.library.plan import Stage, current_reference
from m4bench.suites.derivation.library.query_scope import ColumnOf, Way
from m4bench.suites.derivation.schemas.answers import answer_of
from m4bench.suites.derivation.schemas.databases import (
    DatabaseManifest,
    current_database,
)
from m4bench.suites.derivation.schemas.equal_columns import EqualColumn, equal_columns
from m4bench.suites.derivation.schemas.visibility import derived_relation, hidden_concepts


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
        kept = f"({first}::VARCHAR IN ({tokens})) IS NOT TRUE" if self.entry.honeytokens else "true"
        return f"SELECT * FROM read_parquet({quoted(self.file)}) WHERE {kept}"


def by_lineage(library: Library, task: Task, drops: Drops, shown: Iterable[str]) -> list[Finding]:
    """Find shown relations that a drop rule hides, and shown columns that a scored column carries.

    The second is looked for under strict drops alone: the published list leaves what it leaves.
    """
    visible = set(shown)
    findings = [
        Finding(
            task=task.name,
            by="lineage",
            relation=derived_relation(name),
            column=None,
            detail="is the target, carries its columns or descends from it",
        )
        for name in sorted(hidden_concepts(library, task, drops))
        if derived_relation(name) in visible
    ]
    if drops == "strict":
        findings += [
            Finding(
                task=task.name,
                by="lineage",
                relation=origin.relation,
                column=origin.column,
                detail=f"is carried unchanged into {scored}",
            )
            for scored, origin in carried(library, task)
            if origin.relation in visible
        ]
    return findings


def carried(library: Library, task: Task) -> list[tuple[str, ColumnOf]]:
    """Return each scored column with a column it carries through its lineage, those given left out."""
    if task.reference not in library.references:
        return []
    given = set(answer_of(task).given)
    lineage = ColumnLineage(library)
    return [
        (scored, origin)
        for scored in task.scoring.scored
        for origin, way in sorted(
            lineage.upstream(ColumnOf(f"{REFERENCES}.{task.reference}", scored)).items()
        )
        if way is Way.CARRIES and f"{origin.relation}.{origin.column} = {scored}" not in given
    ]


def by_rows(
    library: Library, stage: Stage, task: Task, files: Mapping[str, Path], limits: EngineLimits
) -> list[EqualColumn]:
    """Find visible columns that equal a scored column, those given and what carries them left out.

    Raises:
        MissingError, StaleError: the reference is absent or out of date.
    """
    entry = current_reference(library, stage.dataset, stage.convention, task.reference)
    folder = stage.dataset.references(stage.convention)
    target = Target(folder / entry.file, entry, task.scoring.scored)
    answer = answer_of(task)
    with engine(limits) as connection:
        equal = equal_columns(
            connection, target.honest(), (entry.key, *answer.matched_by), target.columns, files
        )
    return [match for match in equal if not is_given(library, answer.given, match)]


def is_given(library: Library, given: Iterable[str], match: EqualColumn) -> bool:
    """Tell whether an equal column is an input that is stated as given, or carries one: a copy is the input."""
    stated = set(given)
    upstream = ColumnLineage(library).upstream(ColumnOf(match.relation, match.column))
    carries = [origin for origin, way in upstream.items() if way is Way.CARRIES]
    return match.as_given() in stated or any(
        f"{origin.relation}.{origin.column} = {match.target}" in stated for origin in carries
    )


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

    Under published drops rows are not looked at, for what that list leaves is no fault of the database.

    Raises:
        MissingError, StaleError: the database or the reference is absent or out of date.
    """
    database, manifest, files = current_database(library, stage, task, schema=schema, drops=drops)
    findings = by_lineage(library, task, drops, manifest.shown)
    findings += [
        Finding(
            task=task.name,
            by="bytes",
            relation=relation,
            column=None,
            detail="the file behind it is not the one that was recorded",
        )
        for relation, file in files.items()
        if sha256_file(file) != manifest.shown[relation]
    ]
    findings += by_bytes(task, manifest, database, files)
    if drops == "published":
        return findings
    return findings + [
        Finding(
            task=task.name,
            by="rows",
            relation=match.relation,
            column=match.column,
            detail=f"equals {match.target} on {match.agreement:.1%} of {match.rows} joined rows {match.how}",
        )
        for match in by_rows(library, stage, task, files, limits or EngineLimits())
    ]
