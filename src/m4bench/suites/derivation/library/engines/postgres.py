# SPDX-License-Identifier: MIT
"""PostgreSQL as a warehouse of derivations. Knows neither the store nor which derivations there are."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pyarrow.parquet as pq

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.dialects.translate import Dialect
from m4bench.suites.derivation.library.engine import identifier, quoted
from m4bench.suites.derivation.library.engines.engine import ColumnType, RowsLoaded
from m4bench.suites.derivation.library.engines.postgres_rows import (
    csv_of_parquet,
    parquet_of_csv,
    server_type,
)
from m4bench.suites.derivation.library.engines.postgres_session import server_faults, session

MARK = "m4bench "
"""Begins the comment of every table and schema that a build made; the rest is what it was made from."""

_VIEW = "view of "
"""Follows the mark of a table of the database that goes by another name; what a build loaded has the digest alone."""
_DROPPED = {"r": "TABLE", "v": "VIEW"}
_PARTIAL = "partial of a build"
_LOAD = "leave --source-schema out to load the store's tables"

_FOUND = (
    "FROM pg_class AS c INNER JOIN pg_namespace AS n ON n.oid = c.relnamespace "
    "WHERE n.nspname || '.' || c.relname ="
)


def _qualified(relation: str) -> str:
    schema, table = relation.split(".")
    return f"{identifier(schema)}.{identifier(table)}"


class PostgresWarehouse:
    """A session with a PostgreSQL database, as `engines.engine.Warehouse` has it.

    Args:
        connection: a session as `postgres_session` opens it.
        existing: schemas of source tables that are read where they stand in the database, instead of being
            loaded from the store: the schema's own name → the name there, often the same.
    """

    dialect: Dialect = "postgres"
    reads_files = False

    def __init__(
        self,
        connection: "psycopg.Connection[tuple[object, ...]]",
        existing: Mapping[str, str] | None = None,
    ) -> None:
        self._connection = connection
        self._existing = dict(existing or {})

    @property
    def version(self) -> str:
        """The engine and its version."""
        number = self._connection.info.server_version
        return f"postgresql {number // 10000}.{number % 10000}"

    def made_by(self, sources: Collection[str]) -> str:
        """Return the version, and the schemas of the database that were read in the place of the store's tables."""
        read = {relation.split(".")[0] for relation in sources}
        there = sorted({place for schema, place in self._existing.items() if schema in read})
        return (
            f"{self.version}, source tables of the database in {', '.join(there)}"
            if there
            else self.version
        )

    def source(
        self,
        relation: str,
        file: Path | None,
        columns: Sequence[ColumnType],
        digest: str,
        report: RowsLoaded,
    ) -> None:
        """Load a source table, or make sure that the one in the database has the same columns and rows."""
        schema, table = relation.split(".")
        if file is not None and schema in self._existing:
            place = f"{self._existing[schema]}.{table}"
            self._require_like(place, file, columns)
            if place != relation:
                self._view(relation, place, columns, digest)
            return
        if self.standing(relation) == digest and self._kind(relation) == "TABLE":
            return
        with server_faults(f"loading {relation}"), self._replacing(relation, digest) as partial:
            typed = ", ".join(f"{identifier(n)} {server_type(t)}" for n, t in columns)
            self._execute(f"CREATE TABLE {partial} ({typed})")
            if file is None:
                return
            listed = ", ".join(identifier(name) for name, _ in columns)
            done = 0
            with (
                self._connection.cursor() as cursor,
                cursor.copy(f"COPY {partial} ({listed}) FROM STDIN (FORMAT csv)".encode()) as copy,
            ):
                for rows, text in csv_of_parquet(file, columns):
                    copy.write(text)
                    done += rows
                    report(done)

    def _require_like(self, place: str, file: Path, columns: Sequence[ColumnType]) -> None:
        """Refuse a table of the database that cannot stand for the store's: other columns, types or rows.

        Raises:
            InputError: with the table and the column.
        """
        with server_faults(f"reading {place}"):
            schema, table = place.split(".")
            described = self._rows(
                "SELECT column_name, data_type FROM information_schema.columns "
                f"WHERE table_schema = {quoted(schema)} AND table_name = {quoted(table)}"
            )
            found = {str(row[0]): str(row[1]) for row in described}
            if not found:
                raise InputError(f"the database has no table {place}", remedy=_LOAD)
            if (self._comment(place) or "").startswith(MARK):
                raise InputError(
                    f"{place} is not a table of the database's own: a build of m4bench made it",
                    remedy=_LOAD,
                )
            for name, declared in columns:
                if found.get(name, "") not in _ALIKE.get(declared, ()):
                    has = f"it as {found[name]}" if name in found else "no such column"
                    raise InputError(
                        f"the table {place} of the database has {has}, where {declared} is declared",
                        column=name,
                        remedy=_LOAD,
                    )
            ((rows,),) = self._rows(f"SELECT count(*) FROM {_qualified(place)}")
        wanted = pq.read_metadata(file).num_rows
        if rows != wanted:
            raise InputError(
                f"the table {place} of the database has {rows:,} rows, the store's has {wanted:,}",
                remedy=_LOAD,
            )

    def _view(self, relation: str, place: str, columns: Sequence[ColumnType], digest: str) -> None:
        """Make a table of the database readable under another name."""
        schema, _ = relation.split(".")
        listed = ", ".join(
            f"CAST({identifier(n)} AS {server_type(t)}) AS {identifier(n)}" for n, t in columns
        )
        name, mark = _qualified(relation), quoted(f"{MARK}{_VIEW}{place} {digest}")
        with server_faults(f"naming {place}"), self._connection.transaction():
            self._make_schema(schema)
            self._drop(relation)
            self._execute(f"CREATE VIEW {name} AS SELECT {listed} FROM {_qualified(place)}")
            self._execute(f"COMMENT ON VIEW {name} IS {mark}")

    def standing(self, relation: str) -> str | None:
        """Return what a relation was made from by an earlier build, None where there is nothing."""
        with server_faults(f"looking for {relation}"):
            comment = self._comment(relation)
        if comment is None:
            return None
        if not comment.startswith(MARK):
            raise InputError(
                f"the database has a {relation} that m4bench did not make, and it is left as it is",
                remedy="give the URL of a database of its own, or for source tables --source-schema",
            )
        return comment.removeprefix(MARK)

    def _comment(self, relation: str) -> str | None:
        """Return the comment of a relation, whoever made it, None where there is no such relation."""
        found = self._rows(f"SELECT obj_description(c.oid, 'pg_class') {_FOUND} {quoted(relation)}")
        return str(found[0][0] or "") if found else None

    def _kind(self, relation: str) -> str | None:
        """Return whether a relation is a TABLE or a VIEW, None where it is neither."""
        found = self._rows(f"SELECT c.relkind::text {_FOUND} {quoted(relation)}")
        return _DROPPED.get(str(found[0][0])) if found else None

    def _drop(self, relation: str) -> None:
        """Drop what a build made under a name, a table or a view, where there is anything."""
        if self.standing(relation) is not None and (kind := self._kind(relation)):
            self._execute(f"DROP {kind} {_qualified(relation)}")

    def derive(self, relation: str, query: str, columns: Sequence[ColumnType], digest: str) -> None:
        """Keep the rows of a query, whole or not at all."""
        self.standing(relation)
        with server_faults(f"building {relation}"), self._replacing(relation, digest) as partial:
            listed = ", ".join(
                f"CAST(derived.{identifier(n)} AS {server_type(t)}) AS {identifier(n)}"
                for n, t in columns
            )
            self._execute(
                f"CREATE TABLE {partial} AS SELECT {listed} FROM (\n{query}\n) AS derived"
            )

    def export(self, relation: str, columns: Sequence[ColumnType], folder: Path) -> Sequence[Path]:
        """Write a relation as one Parquet file."""
        file = folder / "rows.parquet"
        listed = ", ".join(identifier(name) for name, _ in columns)
        statement = (
            f"COPY (SELECT {listed} FROM {_qualified(relation)}) TO STDOUT "
            "(FORMAT csv, HEADER, FORCE_QUOTE *)"
        )
        with (
            server_faults(f"exporting {relation}"),
            self._connection.cursor() as cursor,
            cursor.copy(statement.encode()) as copy,
        ):
            parquet_of_csv(copy.read, columns, file)
        return [file]

    @contextmanager
    def _replacing(self, relation: str, digest: str) -> Iterator[str]:
        """Yield the name of a table to make, which takes the relation's place when all went well.

        All of it is one transaction: others see what was there, or what comes after it.
        """
        schema, table = relation.split(".")
        partial = f"{identifier(schema)}.{identifier(_PARTIAL)}"
        with self._connection.transaction():
            self._make_schema(schema)
            yield partial
            self._drop(relation)
            self._execute(f"ALTER TABLE {partial} RENAME TO {identifier(table)}")
            mark = quoted(MARK + digest)
            self._execute(f"COMMENT ON TABLE {_qualified(relation)} IS {mark}")
        self._execute(f"ANALYZE {_qualified(relation)}")

    def _make_schema(self, schema: str) -> None:
        if not self._rows(f"SELECT 1 FROM pg_namespace WHERE nspname = {quoted(schema)}"):
            self._execute(f"CREATE SCHEMA {identifier(schema)}")

    def _execute(self, statement: str) -> None:
        self._connection.execute(statement.encode())

    def _rows(self, statement: str) -> list[tuple[object, ...]]:
        return self._connection.execute(statement.encode()).fetchall()


_ALIKE: dict[str, tuple[str, ...]] = {
    "SMALLINT": ("smallint", "integer"),
    "INTEGER": ("smallint", "integer", "bigint"),
    "BIGINT": ("smallint", "integer", "bigint"),
    "DOUBLE": ("double precision",),
    "REAL": ("real",),
    "FLOAT": ("real",),
    "VARCHAR": ("text", "character varying"),
    "DATE": ("date", "timestamp without time zone"),
    "TIMESTAMP": ("timestamp without time zone",),
    "BOOLEAN": ("boolean",),
}


@contextmanager
def postgres(url: str, existing: Mapping[str, str] | None = None) -> Iterator[PostgresWarehouse]:
    """Yield a database as a warehouse.

    Args:
        url: `postgresql://user@host:port/database`, or what libpq takes otherwise.
        existing: schemas of source tables that stand in the database already, with their names there.

    Raises:
        InputError: there is no session to be had.
    """
    with session(url) as connection:
        yield PostgresWarehouse(connection, existing)
