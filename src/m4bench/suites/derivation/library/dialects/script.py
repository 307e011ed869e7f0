# SPDX-License-Identifier: MIT
"""A derivation as a text to be run in a warehouse: its query, or all it needs as tables. Knows no data."""

from sqlglot import exp

from m4bench.suites.derivation.library.catalogue import Derivation, Library
from m4bench.suites.derivation.library.dialects.translate import Dialect, translate, writer_of
from m4bench.suites.derivation.library.dialects.typing import declared_columns
from m4bench.suites.derivation.library.lineage import DERIVED_SCHEMA


def query(library: Library, name: str, dialect: Dialect) -> str:
    """Return the query of a concept or reference in a dialect, with what it is in comments before it.

    Raises:
        InputError: there is none of that name, or the dialect cannot say it.
    """
    derivation = library.find(name)
    body = _query(library, derivation, dialect)
    return f"{_about(library, derivation)}\n{body}\n;\n"


def script(library: Library, name: str, dialect: Dialect) -> str:
    """Return statements that make a concept and all it needs, in dependency order, from the source tables.

    Each becomes a table of the schema `mimiciv_derived`, its columns of the declared types. A reference is
    a query at the end of those that make what it reads.

    Raises:
        InputError: there is none of that name, or the dialect cannot say something of it.
    """
    concept = name in library.concepts
    order = library.order([name] if concept else library.find(name).concepts)
    parts = [f"CREATE SCHEMA IF NOT EXISTS {DERIVED_SCHEMA};\n"] if order else []
    parts += [_table(library, library.concepts[each], dialect) for each in order]
    if not concept:
        parts.append(query(library, name, dialect))
    return "\n".join(parts)


def _query(library: Library, derivation: Derivation, dialect: Dialect) -> str:
    if dialect == "duckdb":
        return derivation.sql
    return translate(derivation.sql, dialect, columns=declared_columns(library))


def _table(library: Library, derivation: Derivation, dialect: Dialect) -> str:
    listed = ",\n".join(
        f"  CAST(derived.{column.name} AS {_type(column.type, dialect)}) AS {column.name}"
        for column in derivation.header.columns
    )
    body = _query(library, derivation, dialect)
    return (
        f"{_about(library, derivation)}\n"
        f"CREATE TABLE {derivation.relation} AS\nSELECT\n{listed}\nFROM (\n{body}\n) AS derived;\n"
    )


def _type(declared: str, dialect: Dialect) -> str:
    kind = exp.DataType.build(declared, dialect="duckdb")
    if dialect == "bigquery":
        kind.set("expressions", [])
    text: str = kind.sql(dialect=writer_of(dialect))
    return text


def _about(library: Library, derivation: Derivation) -> str:
    header = derivation.header
    reads = ", ".join(sorted(derivation.inputs))
    lines = [
        f"{header.name}: {header.title}",
        f"{header.grain}; {library.convention} convention",
        f"reads {reads}",
    ]
    return "\n".join(f"-- {line}" for line in lines)
