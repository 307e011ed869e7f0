# SPDX-License-Identifier: MIT
"""A derivation's conventions side by side, as text."""

from rich.table import Table
from rich.text import Text

from m4bench.cli.options import output
from m4bench.suites.derivation.library.catalogue import Derivation, Library


def show_conventions(known: Library, derivation: Derivation) -> None:
    """Print what a derivation says under each convention, why, and which of its sources differ too."""
    parameters = derivation.written.parameters
    if not parameters:
        output.print("its own rules are the same under published, current and adjudicated")
    for parameter in parameters:
        table = Table(
            "published", "current", "adjudicated", title=parameter.name, title_justify="left"
        )
        values = [parameter.under(c) for c in ("published", "current", "adjudicated")]
        table.add_row(*(Text(value.strip()) for value in values))
        output.print(table)
        lines = [
            parameter.difference,
            f"source: {parameter.source}",
            f"example: {parameter.example}",
        ]
        if values[2] != values[1]:
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
