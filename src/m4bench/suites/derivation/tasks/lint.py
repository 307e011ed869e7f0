# SPDX-License-Identifier: MIT
"""Checks that a task's folder is whole and says one thing; reads folders, knows no data."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.near_names import choice
from m4bench.model.task import ScoringRules, Task
from m4bench.suites.derivation.checks.declared import checks_file
from m4bench.suites.derivation.checks.lint import check_problems
from m4bench.suites.derivation.library.lineage import parse, relations
from m4bench.suites.derivation.tasks.cards import (
    CARD,
    card,
    read_task,
    task_folder,
)
from m4bench.suites.derivation.tasks.lint_specifications import (
    operational_file,
    operational_problems,
    skill_names,
    skill_problems,
)
from m4bench.suites.derivation.tasks.naive import naive_path, naive_sql
from m4bench.suites.derivation.tasks.provenance import provenance_path, provenance_problems
from m4bench.suites.derivation.tasks.roots import (
    DEFINITION,
    OWN,
    reference_files,
    refusals,
    refused,
    task_roots,
)
from m4bench.suites.derivation.tasks.texts import TO_WRITE, read_regular, unwritten_places
from m4bench.suites.derivation.tasks.validity import VALIDITY, unwritten_entry, validity_problems

REFERENCES = OWN.parent / "references"
# Sites whose records come without any derived relation: there is nothing to take away.
UNDERIVED_SITES = frozenset({"eicu"})
SOURCE_SCHEMAS = frozenset({"mimiciv_hosp", "mimiciv_icu", "eicu_crd"})

_FORBIDDEN = {
    "a schema of the source database": re.compile(r"mimiciv_\w+|eicu_crd", re.IGNORECASE),
    "a database": re.compile(r"\bmimic\b|\beicu\b", re.IGNORECASE),
    "item identifiers": re.compile(r"\bitem_?ids?\b", re.IGNORECASE),
    "a number of five or more digits": re.compile(r"\d{5,}"),
    "a query": re.compile(r"\b(?:SELECT|JOIN|FROM)\b|\b[Ss]elect\s[^.]*?\sfrom\s\w+\.\w+"),
    "a source table": re.compile(r"\b(?:[a-z]+events|icustays)\b", re.IGNORECASE),
}
_SNAKE_CASE = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b")
_COLUMN_ROW = re.compile(r"^\| *`([^`]+)` *\|", re.MULTILINE)
_SECTION = re.compile(r"^## (?P<title>.+?)\n(?P<body>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


SHARED_FOLDERS = frozenset({"skills", "references"})
"""Folders of a family that hold no task."""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a task, and the file it stands in."""

    task: str
    file: Path
    problem: str


@dataclass(frozen=True)
class _Known:
    """The names a definition may use."""

    references: frozenset[str]
    skills: frozenset[str]


def _scoring_problems(rules: ScoringRules) -> Iterator[str]:
    lists = {
        "key": rules.key,
        "values": rules.values,
        "scored": rules.scored,
        "required": rules.required,
    }
    for name, columns in lists.items():
        if not columns:
            yield f"scoring.{name} is empty"
        if len(set(columns)) != len(columns):
            yield f"scoring.{name} names a column twice"
    within = (
        ("key", rules.key, "required", rules.required),
        ("scored", rules.scored, "required", rules.required),
        ("values", rules.values, "scored", rules.scored),
        ("tolerances", rules.tolerances, "scored", rules.scored),
        ("unordered", rules.unordered, "values", rules.values),
    )
    for part_name, part, whole_name, whole in within:
        for column in part:
            if column not in whole:
                yield f"scoring.{part_name} names {column}, which scoring.{whole_name} does not"
    for column in rules.scored:
        if column in rules.key:
            yield f"scoring.scored names the key {column}"
    for column, tolerance in rules.tolerances.items():
        if not (math.isfinite(tolerance) and tolerance >= 0):
            yield f"scoring.tolerances.{column} must be a finite number of 0 or more"
    for name, threshold in (("row_coverage", rules.row_coverage), ("accuracy", rules.accuracy)):
        if not 0 < threshold <= 1:
            yield f"scoring.{name} must be above 0 and at most 1"


def _definition_problems(task: Task) -> Iterator[str]:
    yield from _scoring_problems(task.scoring)
    if not task.drops.target and task.mode == "standard":
        yield "drops.target is empty"
    if task.drops.target and task.site in UNDERIVED_SITES:
        yield f"drops.target names {task.drops.target[0]}, but {task.site} has no derived relation"
    for carrier in task.drops.carriers:
        if carrier in task.drops.target:
            yield f"drops.carriers repeats the target {carrier}"
    if task.name.endswith("-raw") and task.mode != "raw":
        yield "mode is standard, but the name ends in -raw"
    if task.version.scoring < 1 or task.version.interface < 1:
        yield "version counts from 1"
    if not task.title.strip():
        yield "title is empty"


def _sections(text: str) -> dict[str, str]:
    return {found["title"].strip(): found["body"].strip() for found in _SECTION.finditer(text)}


def given_away(text: str, columns: Set[str]) -> Iterator[str]:
    """Tell what a card may not name and this text does; `columns` are those of the answer."""
    for what, pattern in _FORBIDDEN.items():
        if pattern.search(text):
            yield f"names {what}"
    for word in sorted(set(_SNAKE_CASE.findall(text)) - columns):
        yield f"names {word}, which is not a column of the answer"


def _card_problems(task: Task, text: str) -> Iterator[str]:
    yield from given_away(text, frozenset(task.scoring.required))
    output = _sections(text).get("Output")
    if output is None:
        yield "has no section Output"
    else:
        named = _COLUMN_ROW.findall(output)
        if named != list(task.scoring.required):
            yield (
                "its table of columns is not scoring.required in its order: "
                f"{', '.join(named) or 'none'} against {', '.join(task.scoring.required)}"
            )
        if not output.startswith("One row per "):
            yield "its section Output does not begin with 'One row per …'"
    if f"`{task.deliverable}`" not in text:
        yield f"does not name the file {task.deliverable}"


def _naive_problems(task: Task, sql: str) -> Iterator[str]:
    try:
        read = relations(sql)
        columns = parse(sql).named_selects
    except InputError as error:
        yield error.problem
        return
    for relation in sorted(read):
        if relation.split(".")[0] not in SOURCE_SCHEMAS:
            yield f"reads {relation}, which is no source table"
    if list(columns) != list(task.scoring.required):
        yield f"returns other columns than {task.name} requires, or in another order"


def _read_or_finding(
    task: Task, path: Path, read: Callable[[], str], problems: Callable[[Task, str], Iterable[str]]
) -> Iterator[Finding]:
    try:
        text = read()
    except InputError as error:
        yield Finding(task.name, path, error.problem)
        return
    for problem in problems(task, text):
        yield Finding(task.name, path, problem)


def _sibling_findings(task: Task, siblings: Iterable[Task], root: Path | None) -> Iterator[Finding]:
    own = task_folder(task, root) / CARD
    for sibling in siblings:
        other = task_folder(sibling, root) / CARD
        if sibling.name == task.name or sibling.reference != task.reference:
            continue
        if own.is_file() and other.is_file():
            outputs = [
                _sections(path.read_text(encoding="utf-8")).get("Output") for path in (own, other)
            ]
            if outputs[0] != outputs[1]:
                yield Finding(
                    task.name,
                    own,
                    f"its section Output differs from {sibling.name}, of one reference",
                )
        if sibling.scoring.required != task.scoring.required:
            yield Finding(
                task.name,
                task_folder(task, root) / DEFINITION,
                f"scoring.required differs from {sibling.name}, of one reference",
            )


def _task_findings(
    task: Task, siblings: Iterable[Task], root: Path | None, known: "_Known"
) -> Iterator[Finding]:
    definition = task_folder(task, root) / DEFINITION
    for problem in _definition_problems(task):
        yield Finding(task.name, definition, problem)
    if task.reference not in known.references:
        yield Finding(task.name, definition, f"no reference is called {task.reference}")
    own_card = task_folder(task, root) / CARD
    yield from _read_or_finding(task, own_card, lambda: card(task, root), _card_problems)
    query = naive_path(task, root)
    yield from _read_or_finding(task, query, lambda: naive_sql(task, root), _naive_problems)
    for problem in skill_problems(task, known.skills):
        yield Finding(task.name, definition, problem)
    rules = operational_file(task, root)
    yield from _read_or_finding(task, rules, lambda: _text(rules), operational_problems)
    # without a card there is nothing to hold the checks against, which is told above
    for problem in check_problems(task, root) if own_card.is_file() else ():
        yield Finding(task.name, checks_file(task, root), problem)
    yield from _unwritten(task, root)
    yield from _sibling_findings(task, siblings, root)
    yield from _family_findings(task, siblings, root)


def _family_findings(task: Task, siblings: Iterable[Task], root: Path | None) -> Iterator[Finding]:
    """Check provenance and validity, which the suite's own families have and others may have."""
    file = provenance_path(task.family, root)
    own = file.parent.parent == OWN
    checks: list[tuple[Path, Iterable[str]]] = []
    if own or file.exists():
        checks.append((file, provenance_problems(task.family, siblings, root)))
    if own:
        checks.append((VALIDITY, validity_problems(task.family)))
    for path, problems in checks:
        try:
            yield from (Finding(task.name, path, problem) for problem in problems)
        except InputError as error:
            problem = f"{error.column}: {error.problem}" if error.column else error.problem
            yield Finding(task.name, path, problem)


def _text(file: Path) -> str:
    try:
        return read_regular(file)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("cannot be read") from error


def _unwritten(task: Task, root: Path | None) -> Iterator[Finding]:
    """Find every place of a task's files and its family's in which something is still to be written."""
    folder = task_folder(task, root)
    shared = (path for path in folder.parent.iterdir() if path.is_file())
    skills = (folder.parent / "skills").rglob("*.md")
    for file in sorted({*folder.iterdir(), *shared, *skills}):
        if file.is_file():
            text = file.read_bytes().decode("utf-8", "replace")
            yield from _places(task, file, unwritten_places(text))
    if folder.parent.parent == OWN:
        yield from _places(task, VALIDITY, unwritten_entry(task.family))


def _places(task: Task, file: Path, places: Iterable[tuple[int, str]]) -> Iterator[Finding]:
    for line, belongs in places:
        told = f": {belongs}" if belongs else ""
        yield Finding(task.name, file, f"line {line} still has a place marked {TO_WRITE}{told}")


def task_folders(root: Path) -> list[Path]:
    """Return the folders below `root` that hold a task, or hold files as if they meant to."""
    return sorted(
        (
            folder
            for folder in root.glob("*/*/")
            if not folder.name.startswith((".", "__"))
            and folder.name not in SHARED_FOLDERS
            and any(folder.iterdir())
        ),
        key=lambda folder: folder.name,
    )


def lint(
    names: Iterable[str] = (), *, root: Path | None = None, references: Path = REFERENCES
) -> list[Finding]:
    """Return what is wrong with the named tasks, or with all of them, by task and file.

    Args:
        names: the tasks; default: all.
        root: the folder of families to read; default: all there are.
        references: the folder of the suite's references; those of `root` are known beside them.

    Raises:
        InputError: a name is no folder of a task.
    """
    names = list(names)
    roots = task_roots() if root is None else (root,)
    folders = [folder for each in roots for folder in task_folders(each)]
    known = [folder.name for folder in folders]
    wanted = names or known
    for name in wanted:
        if name not in known:
            raise (refused(name) if root is None else None) or InputError(
                f"no task is called {name}", remedy=choice(name, known)
            )
    findings: list[Finding] = []
    if root is None and not names:
        findings += [Finding(each.name, each.file, each.says) for each in refusals()]
        wanted = [*wanted, *(finding.task for finding in findings)]
    tasks: list[Task] = []
    for folder in folders:
        try:
            tasks.append(read_task(folder))
        except InputError as error:
            problem = f"{error.column}: {error.problem}" if error.column else error.problem
            findings.append(Finding(folder.name, folder / DEFINITION, problem))
        if known.count(folder.name) > 1:
            findings.append(Finding(folder.name, folder / DEFINITION, "its name is taken twice"))
    files = [*references.glob("*.sql"), *(file for each in roots for file in reference_files(each))]
    known_names = _Known(
        frozenset(file.stem for file in files), frozenset(skill_names({OWN, *roots}))
    )
    for task in tasks:
        siblings = [other for other in tasks if other.family == task.family]
        findings.extend(_task_findings(task, siblings, root, known_names))
    return [finding for finding in findings if finding.task in wanted]
