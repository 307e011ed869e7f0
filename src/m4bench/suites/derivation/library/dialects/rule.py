# SPDX-License-Identifier: MIT
"""What a dialect is made of: how sqlglot writes it, and the constructs that it needs otherwise. Knows no dialect."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

Rule = Callable[[exp.Expression], exp.Expression]
"""Takes one node of a query and returns it, or what stands in its place; its docstring gives the reason.

Every node of the query carries its DuckDB type (`dialects.typing`); a node that a rule makes has none.
"""


@dataclass(frozen=True)
class Writing:
    """How a dialect is written.

    `writer` is a name or a class that sqlglot takes as a dialect. `rules` are applied to every node, one
    rule after the other over the whole tree, before it is written. `functions` are those that sqlglot does
    not know and that the rules write; any other unknown one is refused. None refuses nothing.
    """

    writer: object
    rules: tuple[Rule, ...] = ()
    functions: frozenset[str] | None = None
