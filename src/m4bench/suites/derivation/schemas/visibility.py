# SPDX-License-Identifier: MIT
"""Which relations a task leaves visible: by mode and drop rule, through lineage. Looks at no rows."""

from dataclasses import dataclass

from m4bench.model.task import Drops, Task
from m4bench.suites.derivation.library.catalogue import Library
from m4bench.suites.derivation.library.lineage import DERIVED_SCHEMA


@dataclass(frozen=True)
class Visibility:
    """The derived relations a task shows and hides, as concept names."""

    shown: frozenset[str]
    hidden: frozenset[str]


def hidden_concepts(library: Library, task: Task, drops: Drops) -> set[str]:
    """Return the concepts kept from the agent.

    `strict` hides the target, what carries its columns, and all that descends from either: every concept
    with a column that carries, derives from or is governed by one of theirs (`column_lineage`), read off
    relations here, since a run's set-up follows no columns. `published` hides the list the paper used. In
    raw mode every concept is hidden.
    """
    if task.mode == "raw":
        return set(library.concepts)
    if drops == "published":
        return set(task.drops.published) & set(library.concepts)
    kept_away = {*task.drops.target, *task.drops.carriers}
    return (kept_away | library.descendants(kept_away)) & set(library.concepts)


def visibility(library: Library, task: Task, drops: Drops, built: set[str]) -> Visibility:
    """Return what a task shows and hides of the concepts that have been built."""
    hidden = hidden_concepts(library, task, drops)
    return Visibility(frozenset(built - hidden), frozenset(hidden))


def derived_relation(name: str) -> str:
    """Return the qualified name of a concept."""
    return f"{DERIVED_SCHEMA}.{name}"
