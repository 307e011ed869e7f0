# SPDX-License-Identifier: MIT
"""The `reference` baseline: a script that rebuilds an answer from the relations a task leaves visible.

The whole lineage is compiled in, every hidden concept as a temporary table. It holds the answer's
derivation, so it is for checking this project, never for a published run.
"""

from m4bench.model.task import Task
from m4bench.suites.derivation.library.catalogue import Library
from m4bench.suites.derivation.library.engine import identifier
from m4bench.suites.derivation.library.lineage import DERIVED_SCHEMA, renamed

_SCRIPT = '''\
"""Writes the answer to {task} from the relations in database.duckdb."""
import duckdb

STEPS = {steps!r}
ANSWER = {answer!r}

connection = duckdb.connect("database.duckdb", read_only=True)
connection.execute("SET temp_directory = '/tmp'")
for name, query in STEPS:
    connection.execute(f"CREATE TEMP TABLE {{name}} AS {{query}}")
connection.execute(f"COPY ({{ANSWER}}) TO '{deliverable}' (FORMAT csv, HEADER)")
'''


def temporary_name(concept: str) -> str:
    """Return the name of the temporary table that stands for a hidden concept."""
    return f"rebuilt_{concept}"


def rebuild_script(library: Library, task: Task, shown: set[str]) -> str:
    """Return a script that writes the task's deliverable from the shown concepts and the source tables.

    Args:
        library: where the derivations stand.
        task: the task.
        shown: names of the concepts that the task's database holds.
    """
    reference = library.references[task.reference]
    prefix = f"{DERIVED_SCHEMA}."
    needed: set[str] = set()
    pending = set(reference.concepts) - shown
    while pending:
        name = pending.pop()
        needed.add(name)
        pending |= set(library.concepts[name].concepts) - shown - needed
    substitutes = {prefix + name: temporary_name(name) for name in needed}
    steps = [
        (temporary_name(name), renamed(library.concepts[name].sql, substitutes))
        for name in library.order(needed)
        if name in needed
    ]
    columns = ", ".join(identifier(column) for column in task.scoring.required)
    key = ", ".join(identifier(column) for column in task.scoring.key)
    answer = f"SELECT {columns} FROM ({renamed(reference.sql, substitutes)}) ORDER BY {key}"
    return _SCRIPT.format(task=task.name, steps=steps, answer=answer, deliverable=task.deliverable)


def query_script(query: str, task: Task) -> str:
    """Return a script that runs one query on the task's database and writes the deliverable."""
    return _SCRIPT.format(task=task.name, steps=[], answer=query, deliverable=task.deliverable)
