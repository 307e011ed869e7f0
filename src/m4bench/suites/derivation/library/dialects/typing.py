# SPDX-License-Identifier: MIT
"""The types of a query's expressions as DuckDB would have them. Knows declared columns, no data and no dialect."""

from collections.abc import Mapping

import sqlglot
from sqlglot import exp
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.qualify import qualify
from sqlglot.schema import MappingSchema

from m4bench.data.catalogue import declared_tables
from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.catalogue import Library
from m4bench.suites.derivation.library.lineage import DERIVED_SCHEMA

Columns = Mapping[str, Mapping[str, str]]
"""Qualified relation (`schema.table`) → column → DuckDB type."""

SITES = ("mimic-iv", "eicu")
_ALWAYS_DOUBLE = frozenset({"list_avg", "list_aggregate"})
_PLACE = "place"


def declared_columns(library: Library) -> Columns:
    """Return the columns of all relations that a library's queries can read."""
    sources = {
        name: table.column_types for site in SITES for name, table in declared_tables(site).items()
    }
    concepts = {
        f"{DERIVED_SCHEMA}.{name}": {column.name: column.type for column in concept.header.columns}
        for name, concept in library.concepts.items()
    }
    return {**sources, **concepts}


def annotate(tree: exp.Expression, columns: Columns) -> None:
    """Set `type` on every node of a parsed DuckDB query whose type follows from the declared columns.

    The query keeps its shape: names are resolved on a copy.

    Raises:
        InputError: a column does not resolve.
    """
    schema: dict[str, dict[str, Mapping[str, str]]] = {}
    read = {f"{table.db}.{table.name}".lower() for table in tree.find_all(exp.Table)}
    for relation, types in columns.items():
        if relation not in read:
            continue
        database, table = relation.split(".")
        schema.setdefault(database, {})[table] = types
    nodes = list(tree.walk())
    for place, node in enumerate(nodes):
        node.meta[_PLACE] = place
    known = MappingSchema(schema, dialect="duckdb")
    try:
        resolved = qualify(
            tree.copy(),
            dialect="duckdb",
            schema=known,
            quote_identifiers=False,
            expand_stars=False,
            expand_alias_refs=False,
        )
        resolved = annotate_types(resolved, schema=known, dialect="duckdb")
    except sqlglot.errors.SqlglotError as error:
        raise InputError(f"the types of a query do not follow: {error}") from error
    for node in resolved.walk():
        if (found := node.meta.pop(_PLACE, None)) is not None and node.type is not None:
            nodes[found].type = node.type.copy()
    for node in nodes:
        node.meta.pop(_PLACE, None)
        if isinstance(node, exp.Anonymous) and node.name.lower() in _ALWAYS_DOUBLE:
            node.type = exp.DataType.build("DOUBLE")


def type_of(node: exp.Expression) -> exp.DataType:
    """Return the type of an annotated expression.

    Raises:
        InputError: it is not known, so that what depends on it cannot be said in another dialect.
    """
    found = node.type
    if found is None or found.is_type("UNKNOWN"):
        raise InputError(f"the type of {node.sql(dialect='duckdb')[:80]} is not known")
    return found


def is_text(node: exp.Expression) -> bool:
    """Tell whether an annotated expression is text."""
    return bool(node.is_type(*exp.DataType.TEXT_TYPES))


def is_double(node: exp.Expression) -> bool:
    """Tell whether an annotated expression is a double; sqlglot takes a decimal literal for one."""
    written = node.this if isinstance(node, exp.Neg) else node
    return bool(node.is_type(exp.DataType.Type.DOUBLE)) and not isinstance(written, exp.Literal)
