# SPDX-License-Identifier: MIT
"""Checks on the texts a condition adds to a task: which skills it names, what its operational specification gives away.

Whether the texts are right and whole is for `m4bench skills lint` and `m4bench tasks completeness`.
"""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from m4bench.model.task import Task
from m4bench.suites.derivation.tasks.cards import OPERATIONAL, family_file

_GIVES_AWAY = {
    "a query": re.compile(
        r"^\s*(?:SELECT|WITH|JOIN|FROM|WHERE|GROUP BY|CASE)\b"
        r"|\bCASE WHEN\b|\bGROUP BY\b|\bORDER BY\b|\b[Ss]elect\s[^.]*?\sfrom\s\w+\.\w+",
        re.MULTILINE,
    ),
    "a code fence": re.compile(r"^\s*(?:```|~~~)", re.MULTILINE),
    "a schema of the source database": re.compile(r"mimiciv_\w+|eicu_crd", re.IGNORECASE),
    "item identifiers": re.compile(r"\bitem_?ids?\b", re.IGNORECASE),
    "a number of five or more digits": re.compile(r"\d{5,}|\d{1,3}(?:,\d{3})+"),
    "the public code repository": re.compile(r"github|mimic-code|mit-lcp/", re.IGNORECASE),
    "a source table": re.compile(
        r"\b(?:[a-z]+events|icustays|nursecharting|diagnoses_icd)\b", re.I
    ),
}


def skill_names(roots: Collection[Path]) -> set[str]:
    """Return the names of all skills below the roots of tasks."""
    return {file.parent.name for root in roots for file in root.glob("*/skills/*/SKILL.md")}


def skill_problems(task: Task, known: Collection[str]) -> Iterator[str]:
    """Tell what is wrong with the skills and the decoy a definition names."""
    if not task.skills:
        yield "skills is empty"
    for name in task.skills:
        if name not in known:
            yield f"skills: no skill is called {name}"
    if task.decoy is None:
        yield "decoy is missing"
    elif task.decoy not in known:
        yield f"decoy: no skill is called {task.decoy}"
    elif task.decoy in task.skills:
        yield f"decoy: {task.decoy} is the task's own skill"


def operational_problems(task: Task, text: str) -> Iterator[str]:
    """Tell what an operational specification gives away, or that it is empty."""
    if not text.strip():
        yield "is empty"
    for what, pattern in _GIVES_AWAY.items():
        if pattern.search(text):
            yield f"names {what}"


def operational_file(task: Task, root: Path | None = None) -> Path:
    """Return the file of a task's operational specification: its own, or the one its family shares."""
    return family_file(task, OPERATIONAL, root)
