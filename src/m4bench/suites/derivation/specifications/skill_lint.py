# SPDX-License-Identifier: MIT
"""A skill held against the form of skills, the elements of a specification and the facts of a task. Prints nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
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
    SKILL_FILE,
    Finding,
    Skill,
    format_findings,
    read_skill,
)
from m4bench.suites.derivation.specifications.stated_record import (
    changed,
    is_edition,
    lost,
    read_record,
    recorded,
    sentences,
)
from m4bench.suites.derivation.tasks.cards import (
    TASKS_ROOT,
    load_tasks,
    select_tasks,
    task_folder,
)
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
        changed: of one of our skills, where it is not the text that is recorded, whatever it states.
    """

    name: str
    ours: bool
    tasks: tuple[str, ...]
    form: tuple[Finding, ...]
    assessment: Assessment
    lost: tuple[str, ...] = ()
    changed: tuple[Finding, ...] = ()

    @property
    def unstated_elements(self) -> tuple[str, ...]:
        """The elements that the skill does not state."""
        return tuple(name for name, place in self.assessment.elements.items() if place is None)

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong; an element that is not stated is wrong in our skills only."""
        whole = not self.unstated_elements or not self.ours
        found = self.assessment
        wrong = self.form or found.contradictions or found.absent or self.lost or self.changed
        return whole and not wrong

    def record(self) -> dict[str, Any]:
        """Return the report as JSON can hold it."""
        return {
            "skill": self.name,
            "ours": self.ours,
            "tasks": list(self.tasks),
            "passed": self.passed,
            "form": [finding_record(finding) for finding in self.form],
            "lost": list(self.lost),
            "changed": [finding_record(finding) for finding in self.changed],
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
            a family's, every task of that family and every other that names it. The skills that such tasks
            name are read together.

    Raises:
        InputError: there is no such skill or task, or a text of it cannot be read.
    """
    known = skills_of_tasks()
    skill = read_skill(
        known[place] if place in known and not Path(place).is_dir() else _path(place, known)
    )
    ours = skill.name in known and known[skill.name].resolve() == skill.folder.resolve()
    tasks = (
        select_tasks([task_name])
        if task_name is not None
        else tasks_of_skill(skill.name, known.get(skill.name))
    )
    as_given = skill.folder if Path(place).exists() else Path(skill.name)
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
    gone, other = _held_to_record(skill, known.get(skill.name), ours=ours)
    return SkillReport(
        skill.name,
        ours,
        tuple(task.name for task in tasks),
        _below(as_given, form),
        assessment,
        gone,
        _below(as_given, other),
    )


def _below(folder: Path, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings with their files named from where the folder was given."""
    return tuple(replace(finding, file=str(folder / finding.file)) for finding in findings)


def _held_to_record(
    skill: Skill, folder: Path | None, *, ours: bool
) -> tuple[tuple[str, ...], list[Finding]]:
    """Return which recorded sentences lost their facts and, of our own skill, where it is not as recorded.

    A skill of a guest's corpus is held to a record only where the guest keeps one.
    """
    if folder is None:
        return (), []
    before = read_record(folder.parent.parent, skill.name)
    if not before and not (ours and folder.is_relative_to(TASKS_ROOT)):
        return (), []
    now = recorded(skill, comparison_of(tasks_of_skill(skill.name, folder)))
    gone = tuple(lost(sentences(before), sentences(now)))
    if ours:
        return gone, changed(before, now, skill)
    same_family = _family(skill) == folder.parent.parent.name
    return (gone if is_edition(before, now, same_family=same_family) else ()), []


def _family(skill: Skill) -> str | None:
    """Return the family that a skill's front matter claims."""
    from skills_ref.errors import ParseError
    from skills_ref.parser import parse_frontmatter

    try:
        metadata = parse_frontmatter(skill.texts[SKILL_FILE])[0].get("metadata")
    except ParseError:
        return None
    return str(metadata.get("family")) if isinstance(metadata, dict) else None


def _path(place: str, known: Mapping[str, Path]) -> Path:
    path = Path(place)
    if not path.exists():
        raise InputError(
            f"there is no skill {place}",
            remedy=f"name a folder, or one of: {', '.join(known)}",
        )
    return path


def tasks_of_skill(name: str, folder: Path | None) -> list[Task]:
    """Return the tasks of the family that a skill belongs to and those that name it, all of its own corpus.

    Args:
        name: the skill.
        folder: its folder in its family; None where it comes with none, and so has no tasks.
    """
    if folder is None:
        return []
    family, corpus = folder.parents[1].name, folder.parents[2]
    return [
        task
        for task in load_tasks().values()
        if (task.family == family or name in task.skills) and task_folder(task).parents[1] == corpus
    ]


def _companions(skill: Skill, tasks: list[Task]) -> dict[str, tuple[Any, ...]]:
    others = {
        other.name: other
        for task in tasks
        for other in own_skills(task)
        if other.name != skill.name
    }
    return skill_texts(list(others.values()))
