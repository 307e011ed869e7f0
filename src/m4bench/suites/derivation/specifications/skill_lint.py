# SPDX-License-Identifier: MIT
"""A skill held against the form of skills, the elements of a specification and the facts of a task. Prints nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from m4bench.model.errors import InputError
from m4bench.model.task import Task
from m4bench.suites.derivation.specifications.completeness import (
    Assessment,
    assess,
    finding_record,
    own_skills,
    skill_texts,
)
from m4bench.suites.derivation.specifications.library_facts import (
    column_names,
    comparison_of,
    derived_tables,
)
from m4bench.suites.derivation.specifications.skill import (
    Finding,
    Skill,
    format_findings,
    read_skill,
)
from m4bench.suites.derivation.specifications.stated_record import (
    is_edition,
    lost,
    read_record,
    stated,
)
from m4bench.suites.derivation.specifications.statements import Statement
from m4bench.suites.derivation.tasks.cards import load_tasks, select_tasks
from m4bench.suites.derivation.tasks.materials import skill_folder


@dataclass(frozen=True)
class SkillReport:
    """What the lint of a skill found.

    Attributes:
        name: the skill.
        ours: it is one that comes with a family of tasks, and so has to be whole.
        tasks: the tasks it was held against; empty where it was held against none.
        form: findings of form.
        assessment: elements, and the facts of the tasks where there are any.
        lost: of one of our skills or an edition of it, the beginnings of sentences that no longer state what is
            recorded of them, though another may.
    """

    name: str
    ours: bool
    tasks: tuple[str, ...]
    form: tuple[Finding, ...]
    assessment: Assessment
    lost: tuple[str, ...] = ()

    @property
    def unstated_elements(self) -> tuple[str, ...]:
        """The elements that the skill does not state."""
        return tuple(name for name, place in self.assessment.elements.items() if place is None)

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong; an element that is not stated is wrong in our skills only."""
        whole = not self.unstated_elements or not self.ours
        found = self.assessment
        return whole and not (self.form or found.contradictions or found.absent or self.lost)

    def record(self) -> dict[str, Any]:
        """Return the report as JSON can hold it."""
        return {
            "skill": self.name,
            "ours": self.ours,
            "tasks": list(self.tasks),
            "passed": self.passed,
            "form": [finding_record(finding) for finding in self.form],
            "lost": list(self.lost),
            **self.assessment.record(),
        }


def skills_of_tasks() -> Mapping[str, Path]:
    """Return the folders of all skills that tasks name, by name."""
    found: dict[str, Path] = {}
    for task in load_tasks().values():
        for name in task.skills:
            folder = skill_folder(task, name)
            if folder is not None:
                found.setdefault(name, folder)
    return dict(sorted(found.items()))


def lint_skill(place: str, task_name: str | None = None) -> SkillReport:
    """Hold a skill against the rules.

    Args:
        place: a skill's folder, its SKILL.md, or the name of a skill that comes with a family of tasks.
        task_name: the task whose facts it has to state; by default, for a skill that is named like one of
            a family's, every task of that family. The skills that such tasks name are read together.

    Raises:
        InputError: there is no such skill or task, or a text of it cannot be read.
    """
    known = skills_of_tasks()
    skill = read_skill(
        known[place] if place in known and not Path(place).is_dir() else _path(place, known)
    )
    ours = skill.name in known and known[skill.name].resolve() == skill.folder.resolve()
    tasks = select_tasks([task_name]) if task_name is not None else _tasks_of(skill.name, known)
    form = format_findings(skill, derived_tables(), column_names())
    own = skill_texts([skill])
    texts = own | (_companions(skill, tasks) if ours or task_name is None else {})
    comparison = comparison_of(tasks)
    assessment = assess(texts, comparison, own)
    if len(texts) > len(own):
        elements = assess(own, comparison).elements
        assessment = Assessment(
            elements, assessment.stated, assessment.absent, assessment.contradictions
        )
    return SkillReport(
        skill.name,
        ours,
        tuple(task.name for task in tasks),
        tuple(form),
        assessment,
        _lost(skill, known),
    )


def statements_of(skill: Skill) -> list[Statement]:
    """Return the statements of all texts of a skill, in their order."""
    return [statement for told in skill.statements().values() for statement in told]


def _lost(skill: Skill, known: Mapping[str, Path]) -> tuple[str, ...]:
    if skill.name not in known:
        return ()
    recorded = read_record(known[skill.name].parent.parent, skill.name)
    now = stated(statements_of(skill), comparison_of(_tasks_of(skill.name, known)))
    return tuple(lost(recorded, now)) if is_edition(recorded, now) else ()


def _path(place: str, known: Mapping[str, Path]) -> Path:
    path = Path(place)
    if not path.exists():
        raise InputError(
            f"there is no skill {place}",
            remedy=f"name a folder, or one of: {', '.join(known)}",
        )
    return path


def _tasks_of(name: str, known: Mapping[str, Path]) -> list[Task]:
    """Return the tasks of the family that a skill's name belongs to."""
    if name not in known:
        return []
    family = known[name].parent.parent.name
    return [task for task in load_tasks().values() if task.family == family]


def _companions(skill: Skill, tasks: list[Task]) -> dict[str, tuple[Any, ...]]:
    others = {
        other.name: other
        for task in tasks
        for other in own_skills(task)
        if other.name != skill.name
    }
    return skill_texts(list(others.values()))
