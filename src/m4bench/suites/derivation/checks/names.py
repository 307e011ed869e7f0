# SPDX-License-Identifier: MIT
"""Which columns a condition of a check names. Knows no checks and no tasks."""

from m4bench.suites.derivation.library.lineage import parse


def columns_of(condition: str, relation: str | None) -> list[str]:
    """Return the columns of a relation (None: those without one) that an SQL condition names, each once.

    Raises:
        InputError: the condition does not parse.
    """
    from sqlglot import exp

    columns = parse(f"SELECT {condition}").find_all(exp.Column)
    wanted = relation or ""
    return sorted({column.name for column in columns if column.table == wanted})
