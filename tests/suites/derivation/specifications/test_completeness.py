# SPDX-License-Identifier: MIT
"""What the texts of tasks state of what the tasks depend on."""

from functools import cache

import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.specifications.completeness import (
    OPERATIONAL_KINDS,
    Assessment,
    shortfalls,
    task_completeness,
)
from m4bench.suites.derivation.tasks.cards import load_tasks

TASKS = load_tasks()


@cache
def texts_of(task: str) -> dict[str, Assessment]:
    """Return the assessments of a task's texts."""
    return task_completeness(TASKS[task])


@pytest.mark.parametrize("task", sorted(TASKS))
def test_skill_and_operational_specification_are_complete(task: str) -> None:
    """Both state every fact that is asked of them, and neither they nor the card contradict one."""
    found = texts_of(task)
    assert list(found) == ["card", "skill", "operational"]
    assert shortfalls(found) == []
    assert [one.problem for one in found["card"].contradictions] == []


def test_an_operational_specification_is_not_asked_for_records_of_the_database() -> None:
    """Items, codes and texts are for those who know the database; the skill is asked for them."""
    found = texts_of("mimic-sapsii-24h")
    assert set(found["operational"].counts()) <= set(OPERATIONAL_KINDS)
    assert {"item", "code", "text"} <= set(found["skill"].counts())


def test_a_card_leaves_the_rules_to_be_found() -> None:
    """A card says what to hand in: it states grain, key and missing data, and next to nothing of the rules."""
    found = texts_of("mimic-sofa-24h")["card"]
    assert None not in [found.elements[name] for name in ("grain", "keys", "missing data")]
    counts = found.counts()
    assert [counts[kind]["stated"] for kind in ("item", "cut", "text")] == [0, 0, 0]


@pytest.mark.parametrize("task", sorted(TASKS))
def test_a_decoy_is_another_thing(task: str) -> None:
    """A decoy may read the same records, and states next to none of the lines that score the task."""
    found = task_completeness(TASKS[task], "with-skill-decoy")
    assert list(found) == ["card", "skill", "decoy"]
    skill, decoy = found["skill"].stated, found["decoy"].stated
    assert len(decoy) < len(skill)
    assert sum(fact.points is not None for fact, _ in decoy) <= 1


@pytest.mark.parametrize(
    ("condition", "texts"),
    [
        ("no-skill", ["card"]),
        ("with-skill", ["card", "skill"]),
        ("operational-spec", ["card", "operational"]),
        ("with-skill+checks", ["card", "skill"]),
    ],
)
def test_a_condition_limits_the_texts(condition: str, texts: list[str]) -> None:
    """Only what a condition gives is read."""
    assert list(task_completeness(TASKS["mimic-meld-24h"], condition)) == texts


@pytest.mark.parametrize("condition", ["with-skill-rawsql", "with-skill-all", "no-such-condition"])
def test_a_condition_without_a_specification_is_refused(condition: str) -> None:
    """A query, a whole library of skills and an unknown name are no specification of a task."""
    with pytest.raises(InputError):
        task_completeness(TASKS["mimic-meld-24h"], condition)


def test_the_record_holds_no_query() -> None:
    """What is printed as JSON names facts by kind, value and subject, never by their SQL."""
    record = texts_of("mimic-meld-24h")["skill"].record()
    told = {field for fact in (*record["stated"], *record["absent"]) for field in fact}
    assert "clause" not in told
    assert {"kind", "value", "subjects", "derivation", "lines"} <= told
