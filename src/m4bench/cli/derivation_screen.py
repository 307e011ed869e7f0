# SPDX-License-Identifier: MIT
"""A derivation on the screen: its columns, its conventions side by side, or its lineage."""

from typing import get_args

from rich.table import Table
from rich.text import Text

from m4bench.cli.lineage_tree import lineage_as_json, show_lineage
from m4bench.cli.options import output, print_json
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.catalogue import Derivation, Library
from m4bench.suites.derivation.library.column_lineage import ColumnLineage

CONVENTIONS: tuple[Convention, ...] = get_args(Convention)


def show_derivation(
    known: Library, derivation: Derivation, *, lineage: bool, by_column: bool, as_json: bool
) -> None:
    """Print a derivation's columns and conventions, or with `lineage` what it is made from and what from it."""
    if as_json:
        print_json(
            {
                **derivation.header.model_dump(mode="json"),
                "lineage": known.order(derivation.concepts),
                "source_tables": sorted(known.sources_of(derivation)),
                **(lineage_as_json(ColumnLineage(known), derivation) if lineage else {}),
            }
        )
        return
    output.print(f"{derivation.header.title} · {derivation.header.grain}", markup=False)
    if lineage:
        show_lineage(ColumnLineage(known), derivation, columns=by_column)
        return
    columns = Table()
    for heading in ("column", "type", "unit", "meaning"):
        columns.add_column(heading, overflow="fold")
    for column in derivation.header.columns:
        columns.add_row(column.name, column.type, column.unit or "", column.meaning)
    output.print(columns)
    output.print(f"source: {derivation.header.source}", markup=False)
    show_conventions(known, derivation)


def show_conventions(known: Library, derivation: Derivation) -> None:
    """Print what a derivation says under each convention, why, and which of its sources differ too."""
    parameters = derivation.written.parameters
    if not parameters:
        output.print("its own rules are the same under published, current and adjudicated")
    for parameter in parameters:
        grouped: dict[str, list[str]] = {}
        for convention in CONVENTIONS:
            grouped.setdefault(parameter.under(convention).strip(), []).append(convention)
        table = Table(title=parameter.name, title_justify="left")
        for names in grouped.values():
            table.add_column(", ".join(names), overflow="fold")
        table.add_row(*(Text(value) for value in grouped))
        output.print(table)
        lines = [
            parameter.difference,
            f"source: {parameter.source}",
            f"example: {parameter.example}",
        ]
        if parameter.under("adjudicated") != parameter.under("current"):
            signed = parameter.signed_by
            lines.append(
                f"signed by {signed}" if signed else "adjudicated: no clinician has signed it yet"
            )
        for line in lines:
            output.print(f"  {line}", markup=False, highlight=False, soft_wrap=True)
    for left in derivation.header.unresolved:
        told = f"left as it is under adjudicated: {left.says} ({left.reason})"
        output.print(told, markup=False, highlight=False, soft_wrap=True)
    differing = [
        name
        for name in known.order(derivation.concepts)
        if name != derivation.name and known.concepts[name].written.parameters
    ]
    if differing:
        told = f"follows the conventions of what it is made from too: {', '.join(differing)}"
        output.print(told, markup=False, soft_wrap=True)
