# SPDX-License-Identifier: MIT
"""How much of what a task depends on its card, skills and operational specification say. Prints nothing."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from m4bench.model.errors import InputError
from m4bench.model.task import Task
from m4bench.suites.derivation.specifications.comparison import Comparison
from m4bench.suites.derivation.specifications.elements import elements
from m4bench.suites.derivation.specifications.fact import Fact, Kind
from m4bench.suites.derivation.specifications.library_facts import comparison_of
from m4bench.suites.derivation.specifications.skill import Finding, Skill, read_skill
from m4bench.suites.derivation.specifications.statements import (
    Statement,
    read_text,
    statements,
)
from m4bench.suites.derivation.tasks.cards import (
    CARD,
    OPERATIONAL,
    require_condition,
    task_folder,
)
from m4bench.suites.derivation.tasks.lint_specifications import operational_file
from m4bench.suites.derivation.tasks.materials import skill_folder

KINDS: tuple[Kind, ...] = ("item", "code", "text", "cut", "window", "constant", "unit")
# An operational specification is for people who do not know the database.
OPERATIONAL_KINDS: tuple[Kind, ...] = ("cut", "window", "constant", "unit")
_TEXTS_OF_CONDITIONS: Mapping[str, tuple[str, ...]] = {
    "no-skill": ("card",),
    "with-skill": ("card", "skill"),
    "with-skill-decoy": ("card", "skill", "decoy"),
    "operational-spec": ("card", "operational"),
    "with-checks": ("card",),
    "with-skill+checks": ("card", "skill"),
}


@dataclass(frozen=True)
class Place:
    """A line of a file."""

    file: str
    line: int


@dataclass(frozen=True)
class Assessment:
    """Texts read together: where each element and fact is stated, what is absent and what contradicts."""

    elements: Mapping[str, Place | None]
    stated: tuple[tuple[Fact, tuple[Place, ...]], ...]
    absent: tuple[Fact, ...]
    contradictions: tuple[Finding, ...]

    def counts(self) -> dict[str, dict[str, int]]:
        """Return how many facts of each kind are stated and absent, kinds without facts left out."""
        counted: dict[str, dict[str, int]] = {}
        for kind in KINDS:
            stated = sum(fact.kind == kind for fact, _ in self.stated)
            absent = sum(fact.kind == kind for fact in self.absent)
            if stated + absent:
                counted[kind] = {"stated": stated, "absent": absent}
        return counted

    def record(self) -> dict[str, Any]:
        """Return the assessment as JSON can hold it; the SQL of a fact is left out."""
        return {
            "elements": {
                name: None if place is None else {"file": place.file, "line": place.line}
                for name, place in self.elements.items()
            },
            "counts": self.counts(),
            "stated": [
                fact_record(fact) | {"lines": [{"file": p.file, "line": p.line} for p in places]}
                for fact, places in self.stated
            ],
            "absent": [fact_record(fact) for fact in self.absent],
            "contradictions": [finding_record(finding) for finding in self.contradictions],
        }


def fact_record(fact: Fact) -> dict[str, Any]:
    """Return a fact as JSON can hold it, without its SQL."""
    return fact.model_dump(mode="json", exclude={"clause", "columns"})


def finding_record(finding: Finding) -> dict[str, Any]:
    """Return a finding as JSON can hold it."""
    return {"file": finding.file, "line": finding.line, "problem": finding.problem}


def assess(
    texts: Mapping[str, tuple[Statement, ...]],
    comparison: Comparison,
    contradictions_in: Collection[str] | None = None,
) -> Assessment:
    """Read texts together.

    Args:
        texts: the statements of each text by the name of its file.
        comparison: the facts they have to state, and what is known.
        contradictions_in: the files whose contradictions are wanted; by default all.
    """
    stated: dict[int, list[Place]] = {}
    contradictions: list[Finding] = []
    found: dict[str, Place | None] = {}
    about = {column for fact in comparison.facts for column in (*fact.subjects, *fact.columns)}
    for file, told in texts.items():
        for statement in told:
            reading = comparison.read(statement)
            for number, spans in reading.stated.items():
                place = Place(file, statement.line_of(spans[0][0]))
                stated.setdefault(number, []).append(place)
            if contradictions_in is None or file in contradictions_in:
                contradictions += [
                    Finding(file, one.line, one.problem) for one in reading.contradictions
                ]
        for name, line in elements(told, comparison.knowledge, about).items():
            if found.get(name) is None:
                found[name] = None if line is None else Place(file, line)
    facts = comparison.facts
    return Assessment(
        found,
        tuple((facts[number], tuple(dict.fromkeys(stated[number]))) for number in sorted(stated)),
        tuple(fact for number, fact in enumerate(facts) if number not in stated),
        tuple(dict.fromkeys(contradictions)),
    )


def skill_texts(skills: Collection[Skill]) -> dict[str, tuple[Statement, ...]]:
    """Return the statements of skills by `<skill>/<file>`."""
    return {
        f"{skill.name}/{name}": told
        for skill in skills
        for name, told in skill.statements().items()
    }


def own_skills(task: Task) -> list[Skill]:
    """Return the skills that a task names, those that are not there left out."""
    folders = [skill_folder(task, name) for name in task.skills]
    return [read_skill(folder) for folder in folders if folder is not None]


def task_completeness(task: Task, condition: str | None = None) -> dict[str, Assessment]:
    """Return the assessments of a task's texts by what they are: card, skill, operational, decoy.

    Args:
        task: the task.
        condition: only the texts that this condition gives, and beside a decoy the skill it stands for; by
            default the card, the skills and the operational specification.

    Raises:
        InputError: there is no such condition, or it gives no prose; or a text cannot be read.
    """
    wanted: tuple[str, ...] = ("card", "skill", "operational")
    if condition is not None:
        require_condition(condition)
        if condition not in _TEXTS_OF_CONDITIONS:
            raise InputError(
                f"what the condition {condition} gives is not read as a specification",
                remedy=f"choose one of: {', '.join(_TEXTS_OF_CONDITIONS)}",
            )
        wanted = _TEXTS_OF_CONDITIONS[condition]
    whole = comparison_of([task])
    for_people = comparison_of([task], OPERATIONAL_KINDS)
    return {
        name: assess(
            texts,
            for_people if name == "operational" else whole,
            () if name == "decoy" else None,
        )
        for name, texts in _texts(task)
        if name in wanted
    }


def _texts(task: Task) -> Iterator[tuple[str, dict[str, tuple[Statement, ...]]]]:
    card = task_folder(task) / CARD
    if card.is_file():
        yield "card", {CARD: statements(read_text(card))}
    if skills := own_skills(task):
        yield "skill", skill_texts(skills)
    operational = operational_file(task)
    if operational.is_file():
        yield "operational", {OPERATIONAL: statements(read_text(operational))}
    decoy = skill_folder(task, task.decoy) if task.decoy else None
    if decoy is not None:
        yield "decoy", skill_texts([read_skill(decoy)])


def shortfalls(assessments: Mapping[str, Assessment]) -> list[str]:
    """Return in a few words what keeps the skill or the operational specification from being complete."""
    told = []
    for name in ("skill", "operational"):
        if (found := assessments.get(name)) is None:
            continue
        missing = [element for element, place in found.elements.items() if place is None]
        if name == "skill" and missing:
            told.append(f"the skill does not state: {', '.join(missing)}")
        if found.absent:
            told.append(f"{len(found.absent)} facts are absent from the {_WORDS[name]}")
        if found.contradictions:
            told.append(f"{len(found.contradictions)} lines of the {_WORDS[name]} contradict")
    return told


_WORDS = {"skill": "skill", "operational": "operational specification"}
