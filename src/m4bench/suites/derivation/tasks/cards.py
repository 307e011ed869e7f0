# SPDX-License-Identifier: MIT
"""Reads the task folders and composes what an agent is told. Knows no database and no reference."""

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from m4bench.model.errors import InputError
from m4bench.model.near_names import choice
from m4bench.model.task import Task
from m4bench.suites.derivation.tasks.roots import DEFINITION, OWN, refused, task_roots
from m4bench.suites.derivation.tasks.texts import given_text, read_regular

TASKS_ROOT = OWN
SUITE = "derivation"
CARD = "instruction.md"
OPERATIONAL = "operational-spec.md"
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""The form of the name of a family, a task or a skill."""
CHECK = "check"
DATABASE = "database.duckdb"

CONDITIONS = (
    "no-skill",
    "with-skill",
    "with-skill-all",
    "with-skill-decoy",
    "with-skill-rawsql",
    "operational-spec",
    "with-checks",
    "with-skill+checks",
)
SCHEMAS = ("native", "obfuscated", "restructured", "shifted")
AVAILABLE_CONDITIONS = CONDITIONS
WITH_CHECKS = frozenset({"with-checks", "with-skill+checks"})
AVAILABLE_SCHEMAS = ("native",)

_CELL = re.compile(r"(?<!\\)\|")
_SITES = {"mimic-iv": "MIMIC-IV", "eicu": "the eICU Collaborative Research Database"}
_MODES = {
    "standard": (
        "Beside the source records it holds derived tables that earlier work left there; the table this "
        "task asks for has been removed."
    ),
    "raw": "It holds source records only: no derived table is there.",
}
_PREAMBLE = """\
## Isolation

Work only with the files of the current folder, its database and the programs named below. There is no network: \
do not try to reach it, to search the web or to install packages.

## Convention

Several definitions of what is asked can be valid. Follow the standard public concept conventions of the field: \
the score measures agreement with a reference built on them.

## Environment

`{database}` in the current folder is a DuckDB database of read-only views of a hospital's records, \
laid out as {site}. {contents} Python 3 with duckdb, numpy, pandas and pyarrow is available, and so is the \
`duckdb` command line. Write the answer to `./{deliverable}`; nothing else is read.
"""
_OPERATIONAL = """\
## Operational specification

{rules}
"""
_CHECKS = """\
## Checks

The program `check` in the current folder looks at an answer before it is handed in: `./check {deliverable}` tells, a \
line a check, what is wrong with the file's form, its columns, its keys and its ranges, and what to do about it; its \
exit code is 0 when it finds no problem. It does not know the answer and does not compute a score: a file that passes \
can still be wrong. Run it on `{deliverable}`, mend what it reports, and run it again.
"""


def task_folder(task: Task, root: Path | None = None) -> Path:
    """Return the folder a task was read from, below `root` or below the first root that has it."""
    roots = task_roots() if root is None else (root,)
    folders = [each / task.family / task.name for each in roots]
    return next((folder for folder in folders if (folder / DEFINITION).is_file()), folders[0])


def family_file(task: Task, name: str, root: Path | None = None) -> Path:
    """Return a task's file of that name: the task's own where it has one, else the one its family shares."""
    folder = task_folder(task, root)
    own = folder / name
    return own if own.is_file() else folder.parent / name


def definitions(root: Path) -> list[Path]:
    """Return every task's definition file below `root`, found by walking `<family>/<task>/`."""
    return sorted(root.glob(f"*/*/{DEFINITION}"), key=lambda path: path.parent.name)


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_regular(path))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from error
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8 text", file=path) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"is not TOML: {error}", file=path) from error


def read_task(folder: Path) -> Task:
    """Read and validate one task from its folder `<family>/<task>/`.

    Raises:
        InputError: the definition is missing, is not TOML, or has a field that is unknown, missing, of
            the wrong type, or at odds with the folder's name; the error names the file and the field.
    """
    path = folder / DEFINITION
    fields = _parsed(path)
    try:
        task = Task.model_validate({"suite": SUITE, **fields})
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise InputError(
            first["msg"].lower(),
            file=path,
            column=".".join(str(part) for part in first["loc"]),
            remedy="see docs/reference/tasks.md for the fields of a task",
        ) from error
    expected = {"suite": SUITE, "name": folder.name, "family": folder.parent.name}
    for field, value in expected.items():
        if getattr(task, field) != value:
            raise InputError(f"must be {value}", file=path, column=field)
    return task


@lru_cache(maxsize=8)
def _load(roots: tuple[Path, ...]) -> tuple[Task, ...]:
    tasks: dict[str, Task] = {}
    for path in (path for root in roots for path in definitions(root)):
        task = read_task(path.parent)
        if task.name in tasks:
            raise InputError(
                f"the name {task.name} is taken by another folder", file=path, column="name"
            )
        tasks[task.name] = task
    return tuple(tasks[name] for name in sorted(tasks))


def load_tasks(root: Path | None = None) -> dict[str, Task]:
    """Return every task below `root`, or below all roots, by name, sorted by name; read once a process.

    Raises:
        InputError: a folder's definition does not fit, or a name is taken twice.
    """
    return {task.name: task for task in _load(task_roots() if root is None else (root,))}


def select_tasks(names: list[str] | None, root: Path | None = None) -> list[Task]:
    """Return the named tasks in the given order, or all of them.

    Raises:
        InputError: no task has such a name, or it lies in a guest's folder that is left out.
    """
    tasks = load_tasks(root)
    for name in names or ():
        if name not in tasks:
            raise (refused(name) if root is None else None) or InputError(
                f"no task is called {name}", remedy=choice(name, tasks)
            )
    return [tasks[name] for name in names] if names else list(tasks.values())


def require_condition(condition: str) -> None:
    """Refuse a condition that does not exist, or not in this version.

    Raises:
        InputError: with those there are.
    """
    _check_choice("condition", condition, CONDITIONS, AVAILABLE_CONDITIONS)


def require_schema(schema: str) -> None:
    """Refuse a schema variant that does not exist, or not in this version.

    Raises:
        InputError: with those there are.
    """
    _check_choice("schema", schema, SCHEMAS, AVAILABLE_SCHEMAS)


def _check_choice(
    kind: str, given: str, known: tuple[str, ...], available: tuple[str, ...]
) -> None:
    if given not in known:
        raise InputError(
            f"no {kind} is called {given}", remedy=f"choose one of: {', '.join(known)}"
        )
    if given not in available:
        raise InputError(
            f"{kind} {given} is not available yet in this version",
            remedy=f"available: {', '.join(available)}",
        )


def column_rows(text: str) -> list[dict[str, str]]:
    """Return the rows of a card's table of columns, each a cell by the title over it; none without such a table."""
    rows = [
        [cell.strip() for cell in _CELL.split(line.strip())[1:-1]]
        for line in text.splitlines()
        if line.startswith("|")
    ]
    start = next((n for n, row in enumerate(rows) if row[0] == "column"), None)
    if start is None:
        return []
    following = rows[start + 2 :]
    ends = next((n for n, row in enumerate(following) if not row[0].startswith("`")), None)
    return [dict(zip(rows[start], row, strict=False)) for row in following[:ends]]


def card(task: Task, root: Path | None = None) -> str:
    """Return a task's card as it stands in its folder.

    Raises:
        InputError: the folder has no card that can be read.
    """
    path = task_folder(task, root) / CARD
    try:
        return read_regular(path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("the task's card cannot be read", file=path) from error


def instruction(task: Task, condition: str, schema: str, root: Path | None = None) -> str:
    """Return the whole text an agent is given: isolation, convention, environment, the card, what a condition adds.

    Raises:
        InputError: no such condition or schema, or not in this version, or no text for what it adds.
    """
    require_condition(condition)
    require_schema(schema)
    preamble = _PREAMBLE.format(
        site=_SITES.get(task.site, task.site),
        contents=_MODES[task.mode],
        deliverable=task.deliverable,
        database=DATABASE,
    )
    parts = [preamble, f"{card(task, root).strip()}\n"]
    if condition == "operational-spec":
        rules = given_text(family_file(task, OPERATIONAL, root), condition)
        parts.append(_OPERATIONAL.format(rules=rules.strip()))
    if condition in WITH_CHECKS:
        parts.append(_CHECKS.format(deliverable=task.deliverable))
    return "\n".join(parts)
