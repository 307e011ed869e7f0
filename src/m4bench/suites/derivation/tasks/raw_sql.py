# SPDX-License-Identifier: MIT
"""The derivation of a reference as bare DuckDB SQL, in the form of a skill: generated, nothing written by hand.

It holds what a standard task hides and reads every other concept by name, so that in a raw task it names
relations that are not there and has to be adapted: the published control for "only reference code".
"""

import json
import re
from collections.abc import Iterable
from functools import lru_cache

from m4bench.model.errors import InputError
from m4bench.model.task import Convention, Task
from m4bench.suites.derivation.library.catalogue import Derivation, Library, library
from m4bench.suites.derivation.library.lineage import parse, renamed

SUFFIX = "-derivation"
LONGEST_NAME = 64
LONGEST_DESCRIPTION = 1024


def skill_name(reference: str) -> str:
    """Return the name of the skill that holds a reference's derivation; valid by the rules of Agent Skills."""
    plain = re.sub(r"[^a-z0-9]+", "-", reference.lower()).strip("-")
    return f"{plain[: LONGEST_NAME - len(SUFFIX)].rstrip('-')}{SUFFIX}"


def _reference(known: Library, name: str) -> Derivation:
    """Return a reference, never the concept of the same name."""
    if name not in known.references:
        raise InputError(f"no reference is called {name}, so that its SQL cannot be given")
    return known.references[name]


def answer_concepts(known: Library, tasks: Iterable[Task]) -> set[str]:
    """Return the concepts that are the answer to tasks of one reference: what strict drops hide from a standard one."""
    kept_away = {
        name for task in tasks for name in (*task.drops.target, *task.drops.carriers)
    } & set(known.concepts)
    return kept_away | known.descendants(kept_away)


def statements(known: Library, reference: Derivation, hidden: frozenset[str]) -> list[str]:
    """Return the statements that make a reference from what is not hidden; the last gives its rows.

    Each hidden concept that the reference rests on becomes a temporary table before those that read it.
    """
    needed: set[str] = set()
    pending = set(reference.concepts & hidden)
    while pending:
        needed |= pending
        read = {name for one in pending for name in known.concepts[one].concepts}
        pending = (read & hidden) - needed
    made = [known.concepts[name] for name in known.order(needed) if name in needed]
    inside = frozenset().union(*(_own_names(each.sql) for each in (*made, reference)))
    names = {
        each.relation: f"{each.name}_concept" if each.name in inside else each.name for each in made
    }
    tables = [
        f"CREATE TEMPORARY TABLE {names[each.relation]} AS\n"
        f"{renamed(each.sql, names, comments=False)};"
        for each in made
    ]
    return [*tables, f"{renamed(reference.sql, names, comments=False)};"]


def _own_names(sql: str) -> frozenset[str]:
    from sqlglot import exp

    return frozenset(cte.alias_or_name.lower() for cte in parse(sql).find_all(exp.CTE))


def raw_sql(task: Task, tasks: Iterable[Task], convention: Convention) -> str:
    """Return the derivation a task is scored against as DuckDB statements, one text for all tasks of its reference.

    Args:
        task: the task.
        tasks: all tasks, of which those of the same family and reference say together what the answer is.
        convention: whose definitions.

    Raises:
        InputError: there is no such reference.
    """
    known = library(convention)
    same = [
        each for each in tasks if (each.family, each.reference) == (task.family, task.reference)
    ]
    hidden = answer_concepts(known, same or [task])
    sql = _reference(known, task.reference).sql
    return _text(task.reference, sql, frozenset(hidden), convention)


@lru_cache(maxsize=128)
def _text(reference: str, _sql: str, hidden: frozenset[str], convention: Convention) -> str:
    """Return the statements as one text, made once a process; of two references of one name the SQL tells."""
    known = library(convention)
    return "\n\n".join(statements(known, _reference(known, reference), hidden))


def raw_sql_skill(task: Task, tasks: Iterable[Task], convention: Convention) -> dict[str, str]:
    """Return the skill folder that holds a reference's derivation: one SKILL.md, by its relative path."""
    name = skill_name(task.reference)
    title = _reference(library(convention), task.reference).header.title
    description = f"DuckDB SQL of a derivation: {title}."[:LONGEST_DESCRIPTION]
    body = f"```sql\n{raw_sql(task, tasks, convention)}\n```"
    front = f"---\nname: {name}\ndescription: {json.dumps(description, ensure_ascii=False)}\n---\n"
    return {f"{name}/SKILL.md": f"{front}\n{body}\n"}
