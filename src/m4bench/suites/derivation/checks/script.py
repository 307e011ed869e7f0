# SPDX-License-Identifier: MIT
"""Writes the program `check` of a task: the joined program with what the task declares in it. Knows no database."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from m4bench.model.task import Task
from m4bench.suites.derivation.checks.declared import Checks, load_checks
from m4bench.suites.derivation.checks.joined import joined_program
from m4bench.suites.derivation.checks.names import columns_of
from m4bench.suites.derivation.tasks.cards import DATABASE

SHEBANG = "#!/usr/bin/env python3\n"
PLACE = "DECLARED: dict[str, Any] = {}\n"
EMBEDDED_END = "''')"
_RECORDS = {
    "stay": "ICU stay",
    "admission": "hospital admission",
    "interval": "interval",
    "event": "event",
    "stay-window": "ICU stay and time",
}


def check_script(
    task: Task, root: Path | None = None, *, presented: Callable[[str], str] = str
) -> str:
    """Return the text of the executable Python program that checks an answer to a task.

    Args:
        task: the task.
        root: the folder of families to read, by default all roots.
        presented: how a query on the native database is written for the one the agent sees.

    Raises:
        InputError: the task's checks are missing or do not fit.
    """
    content = _laid_out(declared(task, load_checks(task, root), presented))
    assert "'''" not in content
    embedded = f"DECLARED: dict[str, Any] = json.loads(r'''\n{content}\n{EMBEDDED_END}\n"
    program = joined_program()
    assert program.count(PLACE) == 1
    return SHEBANG + program.replace(PLACE, embedded)


def outlined(program: str) -> str:
    """Return the documentation of a program and what is declared in it, and how many lines of code are left out.

    A text without them is returned as it is.
    """
    lines = program.splitlines()
    documented = next((n for n, line in enumerate(lines) if n > 2 and line.endswith('"""')), None)
    first = next((n for n, line in enumerate(lines) if line.startswith("DECLARED: ")), None)
    if documented is None or first is None:
        return program
    last = lines.index(EMBEDDED_END, first)
    told = [
        *lines[: documented + 1],
        f"… {first - documented - 1} lines of code",
        *lines[first : last + 1],
        f"… {len(lines) - last - 1} lines of code; --full prints all",
    ]
    return "\n".join(told) + "\n"


def declared(task: Task, checks: Checks, presented: Callable[[str], str] = str) -> dict[str, Any]:
    """Return what the program is told, as JSON holds it; what is not declared is left out."""
    stated = {
        name: check.model_dump(exclude_none=True, exclude_defaults=True) | {"type": check.type}
        for name, check in checks.columns.items()
    }
    return {
        "task": task.name,
        "title": task.title,
        "deliverable": task.deliverable,
        "database": DATABASE,
        "grain": _RECORDS.get(task.grain, "key"),
        "key": list(task.scoring.key),
        "columns": [
            {"name": name} | stated[name] for name in task.scoring.required if name in stated
        ],
        "rows": [
            rule.model_dump() | {"uses": columns_of(f"({rule.where}) AND ({rule.holds})", None)}
            for rule in checks.rows
        ],
        "members": [rule.model_dump() for rule in checks.members],
        "linked": [
            rule.model_dump() | {"uses": columns_of(rule.holds, "answer")} for rule in checks.linked
        ],
        "sequences": [rule.model_dump() for rule in checks.sequences],
        "intervals": [rule.model_dump() for rule in checks.intervals],
        "sizes": [rule.model_dump() for rule in checks.sizes],
        "relations": {
            name: presented(" ".join(query.split())) for name, query in checks.relations.items()
        },
    }


def _laid_out(content: dict[str, Any]) -> str:
    """Return JSON for readers: one line an entry of each list."""
    told = []
    for name, value in content.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            entries = ",\n".join(f"  {json.dumps(entry)}" for entry in value)
            told.append(f" {json.dumps(name)}: [\n{entries}\n ]")
        else:
            told.append(f" {json.dumps(name)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(told) + "\n}"
