# SPDX-License-Identifier: MIT
"""A derivation as a text to be run in a warehouse: its query, or all it needs as tables. Knows no data."""

import re
from collections.abc import Iterable

from sqlglot import exp

from m4bench.suites.derivation.library.catalogue import Derivation, Library
from m4bench.suites.derivation.library.dialects.translate import Dialect, translate, writer_of
from m4bench.suites.derivation.library.dialects.typing import declared_columns
from m4bench.suites.derivation.library.engines.build import warehouse_schema
from m4bench.suites.derivation.library.lineage import DERIVED_SCHEMA


def query(library: Library, name: str, dialect: Dialect) -> str:
    """Return the query of a concept or reference in a dialect, with what it is in comments before it.

    Raises:
        InputError: there is none of that name, or the dialect cannot say it.
    """
    derivation = library.find(name)
    body = _query(library, derivation, dialect)
    return f"{_about(library, derivation)}\n{body}\n;\n"


def script(library: Library, names: Iterable[str], dialect: Dialect) -> str:
    """Return statements that make concepts and all they need, in dependency order, from the source tables.

    Each becomes a table of the schema `mimiciv_derived`, under another convention than `published` of one
    named after it, its columns of the declared types; none may be there before. References are queries at
    the end of the statements that make what they read.

    Raises:
        InputError: there is none of a name, or the dialect cannot say something of it.
    """
    wanted = list(dict.fromkeys(names))
    concepts = [name for name in wanted if name in library.concepts]
    references = [name for name in wanted if name not in library.concepts]
    needed = set(concepts).union(*(library.find(name).concepts for name in references))
    order = library.order(sorted(needed))
    schema = warehouse_schema(library.convention)
    parts = []
    if order:
        parts.append(
            f"-- Run this where the schema {schema} holds none of these tables.\n"
            f"CREATE SCHEMA IF NOT EXISTS {schema};\n"
        )
    parts += [_table(library, library.concepts[each], dialect, schema) for each in order]
    parts += [_in_schema(query(library, name, dialect), schema) for name in references]
    return "\n".join(parts)


def _in_schema(text: str, schema: str) -> str:
    """Return a text whose concepts are read from a schema."""
    return re.sub(rf"\b{DERIVED_SCHEMA}(?=[`\"]?\.)", schema, text)


def _query(library: Library, derivation: Derivation, dialect: Dialect) -> str:
    if dialect == "duckdb":
        return derivation.sql
    return translate(derivation.sql, dialect, columns=declared_columns(library))


def _table(library: Library, derivation: Derivation, dialect: Dialect, schema: str) -> str:
    listed = ",\n".join(
        f"  CAST(derived.{column.name} AS {_type(column.type, dialect)}) AS {column.name}"
        for column in derivation.header.columns
    )
    body = _in_schema(_query(library, derivation, dialect), schema)
    return (
        f"{_in_schema(_about(library, derivation), schema)}\n"
        f"CREATE TABLE {schema}.{derivation.name} AS\nSELECT\n{listed}\nFROM (\n{body}\n) AS derived;\n"
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
