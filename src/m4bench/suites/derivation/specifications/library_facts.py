# SPDX-License-Identifier: MIT
"""The facts of tasks and what the whole library knows, read once a process. Knows no text."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache

from m4bench.model.task import Task
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.specifications.comparison import Comparison
from m4bench.suites.derivation.specifications.fact import Fact, Kind
from m4bench.suites.derivation.specifications.knowledge import Declared, Knowledge
from m4bench.suites.derivation.tasks.cards import load_tasks

_LONG_NUMBER = re.compile(r"(?<![\w.])\d{5,6}(?![\w.])")
_TEXT = re.compile(r"'((?:[^']|'')*)'")
_ROWS_BACK = re.compile(r"ROWS BETWEEN (\d+) PRECEDING")


def facts_of_tasks(tasks: Iterable[Task]) -> tuple[Fact, ...]:
    """Return the facts that the references of tasks depend on, each once."""
    from m4bench.suites.derivation.specifications.extraction import facts_of

    references = dict.fromkeys(task.reference for task in tasks)
    found: dict[tuple[object, ...], Fact] = {}
    for reference in references:
        for fact in facts_of(reference):
            what = (
                fact.kind,
                fact.value,
                fact.subjects,
                fact.side,
                fact.closed,
                fact.points,
                fact.unit,
            )
            found.setdefault(what, fact)
    return tuple(found.values())


def comparison_of(tasks: Collection[Task], kinds: Collection[Kind] | None = None) -> Comparison:
    """Return what holds the texts of tasks against the facts of these tasks.

    A text contradicts what neither the library has nor the tasks of one family, or of one skill, with these: a
    skill that covers two databases, or a score and its hourly form, is right about both.

    Args:
        tasks: the tasks.
        kinds: the kinds of facts a text has to state; by default all.
    """
    wanted = [fact for fact in facts_of_tasks(tasks) if kinds is None or fact.kind in kinds]
    families = {task.family for task in tasks}
    skills = {name for task in tasks for name in task.skills}
    related = [
        task
        for task in load_tasks().values()
        if task.family in families or skills.intersection(task.skills)
    ]
    known = facts_of_tasks([*tasks, *related])
    literals = _literals(tuple(sorted({task.reference for task in (*tasks, *related)})))
    return Comparison(wanted, Knowledge(known, _declared(), literals, _words()), library_knowledge)


@cache
def library_knowledge() -> Knowledge:
    """Return what the library knows of every column under the published convention."""
    from m4bench.suites.derivation.specifications.extraction import library_facts

    literals = _literals(tuple(library().references)) | _literals_of(library().concepts)
    return Knowledge(library_facts(), _declared(), literals, _words())


@cache
def _literals(references: tuple[str, ...]) -> frozenset[str]:
    """Return the numbers of five or six digits in the queries that references rest on.

    They can be items that only choose rows, or that only columns have which a reference leaves aside.
    """
    known = library()
    upstream = known.order(name for each in references for name in known.references[each].concepts)
    return _literals_of((*references, *upstream))


def _literals_of(names: Iterable[str]) -> frozenset[str]:
    known = library()
    return frozenset(
        number for name in names for number in _LONG_NUMBER.findall(known.find(name).sql)
    )


@cache
def _words() -> frozenset[str]:
    """Return the words of any text in any query, which are no slips of the pen."""
    known = library()
    return frozenset(
        word
        for derivation in (*known.concepts.values(), *known.references.values())
        for text in _TEXT.findall(derivation.sql)
        for word in re.findall(r"[^\W_]+", text)
    )


def _declared() -> Iterator[Declared]:
    known = library()
    for derivation in (*known.concepts.values(), *known.references.values()):
        rows = " ".join(_ROWS_BACK.findall(derivation.sql))
        for column in derivation.header.columns:
            yield Declared(column.name, column.unit, f"{column.meaning} {rows}")


def derived_tables() -> frozenset[str]:
    """Return the names of all concepts."""
    return frozenset(library().concepts)


def column_names() -> frozenset[str]:
    """Return the names of all columns that concepts and references declare."""
    return frozenset(each.column for each in _declared())
