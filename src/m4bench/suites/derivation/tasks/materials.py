# SPDX-License-Identifier: MIT
"""What each condition puts before an agent beside the database: the instruction, skills, programs. Knows no dataset.

Everything is found by walking the tasks' folders: a family brings `skills/<name>/`, `operational-spec.md` and
`checks.toml`, and nothing here names one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.task import Convention, Task
from m4bench.suites.derivation.tasks.cards import (
    CHECK,
    NAME,
    WITH_CHECKS,
    instruction,
    load_tasks,
    require_condition,
    task_folder,
)
from m4bench.suites.derivation.tasks.roots import DEFINITION, OWN, task_roots
from m4bench.suites.derivation.tasks.texts import given_text

SKILLS = "skills"
SKILL = "SKILL.md"
HIDDEN = (".", "__pycache__")


@dataclass(frozen=True)
class Materials:
    """What an agent is given: `skills` and executable `programs` are texts by relative path."""

    instruction: str
    skills: Mapping[str, str] = field(default_factory=dict)
    programs: Mapping[str, str] = field(default_factory=dict)


def materials(
    task: Task,
    condition: str,
    schema: str,
    convention: Convention = "published",
    root: Path | None = None,
) -> Materials:
    """Return what a condition gives for a task.

    Args:
        task: the task.
        condition: one of the eight.
        schema: how the database is presented.
        convention: whose derivation `with-skill-rawsql` holds; nothing else depends on it.
        root: the folder of families to read, by default all roots.

    Raises:
        InputError: no such condition or schema, or something a condition gives is missing or empty; the error
            names the file and the condition.
    """
    require_condition(condition)
    if condition in WITH_CHECKS and convention == "adjudicated":
        raise InputError(
            f"the condition {condition} checks what the card states, and adjudicated references depart from it "
            "(they leave unknown what was not measured)",
            remedy="choose the convention published or current",
        )
    return Materials(
        instruction(task, condition, schema, root),
        _skills(task, condition, convention, root),
        {CHECK: _check(task, root)} if condition in WITH_CHECKS else {},
    )


def _skills(
    task: Task, condition: str, convention: Convention, root: Path | None
) -> dict[str, str]:
    match condition:
        case "with-skill" | "with-skill+checks":
            return _own_skills(task, condition, root)
        case "with-skill-all":
            return all_skills(load_tasks(root).values(), condition, root)
        case "with-skill-decoy":
            if task.decoy is None:
                raise _lacking(task, condition, "decoy", root)
            return read_skill(_folder(task, task.decoy, condition, root), condition)
        case "with-skill-rawsql":
            # The parser is loaded for this condition alone.
            from m4bench.suites.derivation.tasks.raw_sql import raw_sql_skill

            return raw_sql_skill(task, load_tasks(root).values(), convention)
    return {}


def _own_skills(task: Task, condition: str, root: Path | None) -> dict[str, str]:
    if not task.skills:
        raise _lacking(task, condition, "skills", root)
    found: dict[str, str] = {}
    for name in task.skills:
        found |= read_skill(_folder(task, name, condition, root), condition)
    return found


def all_skills(tasks: Iterable[Task], condition: str, root: Path | None = None) -> dict[str, str]:
    """Return every distinct skill that tasks name; of one name, the first in the order of the tasks.

    Raises:
        InputError: one is missing or empty.
    """
    folders: dict[str, Path] = {}
    for task in tasks:
        for name in task.skills:
            if name not in folders:
                folders[name] = _folder(task, name, condition, root)
    found: dict[str, str] = {}
    for name in sorted(folders):
        found |= read_skill(folders[name], condition)
    return found


def skill_folder(task: Task, name: str, root: Path | None = None) -> Path | None:
    """Return the folder of a skill: of the task's own family, else of the first family of any root, else None."""
    if not NAME.fullmatch(name):
        return None
    own = task_folder(task, root).parent / SKILLS / name
    others = (
        folder
        for each in (task_roots() if root is None else (root,))
        for folder in sorted(each.glob(f"*/{SKILLS}/{name}"))
    )
    return next((folder for folder in (own, *others) if folder.is_dir()), None)


def _folder(task: Task, name: str, condition: str, root: Path | None) -> Path:
    found = skill_folder(task, name, root)
    if found is None:
        raise InputError(
            f"there is no skill {name} of {task.name} for the condition {condition}",
            file=task_folder(task, root).parent / SKILLS / name / SKILL,
            remedy="write it, or name another in the task's definition",
        )
    return found


def _lacking(task: Task, condition: str, field_name: str, root: Path | None) -> InputError:
    return InputError(
        f"names none, so that {task.name} has nothing to give for the condition {condition}",
        file=task_folder(task, root) / DEFINITION,
        column=field_name,
    )


def read_skill(folder: Path, condition: str) -> dict[str, str]:
    """Return the texts of a skill's folder by their path from the folder of skills; hidden files are left out.

    Raises:
        InputError: it has no SKILL.md, is a link, or has a file that is no Markdown, empty, a link or no text.
    """
    if folder.is_symlink() and not folder.is_relative_to(OWN):
        raise InputError(f"is a link, which the condition {condition} does not follow", file=folder)
    paths = [
        path
        for path in folder.rglob("*")
        if not path.is_dir()
        and not any(part.startswith(HIDDEN) for part in path.relative_to(folder).parts)
    ]
    for path in paths:
        if path.suffix != ".md":
            raise InputError(
                f"is no Markdown, and the condition {condition} gives nothing else of a skill",
                file=path,
            )
    return {
        path.relative_to(folder.parent).as_posix(): given_text(path, condition)
        for path in sorted({*paths, folder / SKILL})
    }


def _check(task: Task, root: Path | None) -> str:
    from m4bench.suites.derivation.checks.script import check_script

    return check_script(task, root)
