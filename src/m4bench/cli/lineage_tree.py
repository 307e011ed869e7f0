# SPDX-License-Identifier: MIT
"""Shows a derivation's lineage: what it is built from as a tree, and what is built from it. Knows no store."""

from m4bench.cli.options import output
from m4bench.suites.derivation.library.catalogue import Derivation
from m4bench.suites.derivation.library.column_lineage import ColumnLineage, by_relation
from m4bench.suites.derivation.library.query_scope import Way


def _told(columns: dict[str, Way]) -> str:
    """Return the names of columns, grouped by the way they are taken, the strongest first."""
    grouped = {
        way: [name for name, taken in columns.items() if taken is way]
        for way in sorted(Way, reverse=True)
    }
    return "; ".join(
        f"{w.name.lower()} {', '.join(names)}" for w, names in grouped.items() if names
    )


def _line(depth: int, text: str) -> None:
    output.print(f"{'  ' * depth}{text}", markup=False, highlight=False, soft_wrap=True)


def _as_json(columns: dict[str, Way]) -> dict[str, str]:
    return {name: way.name.lower() for name, way in columns.items()}


def _show_inputs(
    lineage: ColumnLineage, relation: str, shown: set[str], depth: int, *, columns: bool
) -> None:
    """Print what a relation reads, one level deeper each; what stands above is not repeated."""
    for source, taken in lineage.inputs(relation).items():
        again = source in shown and bool(lineage.columns(source))
        told = f": {_told(taken)}" if columns else ""
        _line(depth, f"{source}{' (see above)' if again else ''}{told}")
        if not again:
            shown.add(source)
            _show_inputs(lineage, source, shown, depth + 1, columns=columns)


def show_lineage(lineage: ColumnLineage, derivation: Derivation, *, columns: bool) -> None:
    """Print what a derivation is built from and what is built from it."""
    relation = lineage.relation_of(derivation)
    _line(0, "built from:")
    _show_inputs(lineage, relation, set(), 1, columns=columns)
    users = by_relation(lineage.downstream(lineage.columns(relation)))
    _line(0, "built from it:" if users else "nothing is built from it")
    for user, dependent in users.items():
        _line(1, f"{user}: {_told(dependent)}" if columns else user)


def lineage_as_json(lineage: ColumnLineage, derivation: Derivation) -> dict[str, object]:
    """Return the same with all columns: inputs of everything upstream, and what is built from it."""
    relation = lineage.relation_of(derivation)
    upstream: dict[str, object] = {}
    pending = [relation]
    while pending:
        current = pending.pop()
        if current not in upstream and lineage.columns(current):
            inputs = lineage.inputs(current)
            upstream[current] = {source: _as_json(taken) for source, taken in inputs.items()}
            pending += inputs
    users = by_relation(lineage.downstream(lineage.columns(relation)))
    return {
        "upstream": upstream,
        "downstream": {user: _as_json(dependent) for user, dependent in users.items()},
    }
