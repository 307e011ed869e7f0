# SPDX-License-Identifier: MIT
"""Small falsifications of our skills are told by the facts alone, without the record of what sentences state.

Changes that land on something else true of a quantity the sentence names are left out here: that such a change is
found too is what `test_stated_record` shows.
"""

from collections import Counter

import pytest

from m4bench.suites.derivation.specifications.completeness import own_skills, skill_texts
from m4bench.suites.derivation.specifications.library_facts import (
    comparison_of,
    library_knowledge,
)
from m4bench.suites.derivation.tasks.cards import load_tasks
from tests.suites.derivation.specifications.mutations import Mutation, Text, mutations

FAMILIES = sorted({task.family for task in load_tasks().values()})


def text_of(family: str) -> Text:
    """Return the skills of a family's tasks, read together, and held against all its references."""
    tasks = [task for task in load_tasks().values() if task.family == family]
    skills = {skill.name: skill for task in tasks for skill in own_skills(task)}
    statements = [one for told in skill_texts(list(skills.values())).values() for one in told]
    return Text(comparison_of(tasks), statements)


def falsifications(text: Text) -> list[tuple[int, Mutation]]:
    """Return every small falsification of every fact at every place that states it, each edit once."""
    known, own = library_knowledge(), text.comparison.knowledge
    found = {
        (place, mutation.statement.text): mutation
        for place, statement, fact, span in text.occurrences()
        for mutation in mutations(statement, fact, span, known, own)
    }
    return [(place, mutation) for (place, _), mutation in found.items()]


@pytest.mark.parametrize("family", FAMILIES)
def test_any_changed_fact_of_our_skills_is_found(family: str) -> None:
    """Exhaustive over facts and places: digits, sides, ends, units, results and spelling."""
    text = text_of(family)
    changed = falsifications(text)
    facts = Counter(mutation.fact for _, mutation in changed)
    assert len(facts) >= len(text.comparison.facts) / 2
    escaped = [
        f"line {mutation.statement.line}: {mutation.deed} ({mutation.fact.kind} {mutation.fact.value})"
        for place, mutation in changed
        if not text.fails_with(place, mutation.statement)
    ]
    assert escaped == []


def test_the_text_as_it_stands_does_not_fail() -> None:
    """The check itself tells a true statement from a false one."""
    text = text_of("meld")
    assert not any(text.fails_with(place, one) for place, one in enumerate(text.statements))
