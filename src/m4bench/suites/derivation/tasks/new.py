# SPDX-License-Identifier: MIT
"""Begins the folder of a new task from its reference's header; what only its author knows is left to be written.

Every file begun says where something is to be written in one way, which lint finds. Knows no data.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.files import write_text
from m4bench.suites.derivation.library.catalogue import Derivation, library
from m4bench.suites.derivation.library.header import Column
from m4bench.suites.derivation.schemas.answers import Answer, answers
from m4bench.suites.derivation.tasks.cards import CARD, NAME, load_tasks
from m4bench.suites.derivation.tasks.lint import TO_WRITE
from m4bench.suites.derivation.tasks.naive import NAIVE
from m4bench.suites.derivation.tasks.roots import DEFINITION

_TYPES = {"INTEGER": "integer", "BIGINT": "integer", "VARCHAR": "text", "TIMESTAMP": "timestamp"}
_GRAINS = {
    "one row per ICU stay": "stay",
    "one row per admission": "admission",
    "one row per episode": "interval",
}
_IDENTIFIERS = frozenset(
    {"subject_id", "hadm_id", "stay_id", "patientunitstayid", "uniquepid"}
    | {"patienthealthsystemstayid"}
)

_DEFINITION = """\
# SPDX-License-Identifier: MIT
name = "{name}"
family = "{family}"
title = "{title}"
mode = "{mode}"
site = "{site}"
difficulty = "medium"
grain = "{grain}"
reference = "{reference}"
skills = ["{skill}"]
decoy = "{TO_WRITE}: the skill of another family"

[version]
scoring = 1
interface = 1

# {TO_WRITE}: why these are the answer, and whether another relation carries its columns
[drops]
target = {target}
carriers = {carriers}
published = {published}
given = {given}

[scoring]
key = {key}
values = {values}
scored = {values}
required = {required}
unordered = []
row_coverage = 1.0
accuracy = 1.0

[scoring.tolerances]
"""
_CARD = """\
# {title}

{TO_WRITE}: what is to be derived, over which time, in one sentence; then what it means at the bedside, in two.

## Output

One row per {row}; {keys}.

| column | type | unit | null | meaning |
|---|---|---|---|---|
{rows}

## Missing data

{TO_WRITE}: what is given where nothing was measured.

## File

Write `output.csv` in the current folder: comma-separated, UTF-8, one header line with the column names above in \
that order, an empty field for null.{timestamps}
"""
_SKILL = """\
---
name: {skill}
description: "{TO_WRITE}: what it derives and when to use it, in a sentence."
license: MIT
metadata:
  family: {family}
  version: "1"
---

# {title}
"""
_CHECKS = """\
# SPDX-License-Identifier: MIT
# What the program `check` looks for in an answer: what the card states, and no more. {TO_WRITE}: ranges, whether a
# column may be null, and of which relation the keys have to be.

[columns]
{columns}
"""
_SECTIONS = (
    "Purpose",
    "Definitions",
    "Sources of data",
    "Items",
    "Windows",
    "Missing data",
    "Units and conversions",
    "Grain and keys",
    "Rules",
    "Precedence and tie-breaks",
    "Rounding",
    "Edge cases",
    "Known limits",
    "Sources",
)


@dataclass(frozen=True)
class NewTask:
    """What a task is begun from: its name and family, the reference it is scored against, and its mode."""

    name: str
    family: str
    reference: str
    mode: str


def begin_task(task: NewTask, root: Path) -> list[Path]:
    """Write the folder of a task, and what its family shares where that is not there; return the files.

    Args:
        task: what it is called and scored against.
        root: the folder of families to write below.

    Raises:
        InputError: a name that does not fit or is taken, or no such reference.
    """
    for what, name in (("task", task.name), ("family", task.family)):
        if not NAME.fullmatch(name):
            raise InputError(
                f"{name} is no name for a {what}", remedy="use a-z, 0-9 and single hyphens"
            )
    if task.name in load_tasks() or (root / task.family / task.name).exists():
        raise InputError(f"there is a task called {task.name}", remedy="choose another name")
    if task.mode not in ("standard", "raw"):
        raise InputError(f"there is no mode {task.mode}", remedy="choose standard or raw")
    reference = library().references.get(task.reference)
    if reference is None:
        known = ", ".join(sorted(library().references))
        raise InputError(
            f"no reference is called {task.reference}",
            remedy=f"choose one of: {known}; or write "
            f"{root / task.family / 'references' / task.reference}.sql first",
        )
    folder = root / task.family / task.name
    texts = {f"{task.name}/{DEFINITION}": _definition(task, reference)}
    texts |= {f"{task.name}/{CARD}": _card(reference), **_shared(task, reference)}
    written: list[Path] = []
    try:
        folder.mkdir(parents=True)  # of two at once, one
        for name, text in texts.items():
            file = root / task.family / name
            if not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                write_text(file, text)
                written.append(file)
    except FileExistsError as error:
        raise InputError("is there already", file=folder, remedy="choose another name") from error
    except OSError as error:
        for file in written:
            file.unlink(missing_ok=True)
        if folder.is_dir():
            folder.rmdir()
        raise InputError(f"cannot be written ({error.strerror})", file=folder) from error
    return written


def _site(reference: Derivation) -> str:
    return "eicu" if any(name.startswith("eicu_") for name in reference.inputs) else "mimic-iv"


def _listed(names: tuple[str, ...]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


def _title(reference: Derivation) -> str:
    return reference.header.title.replace('"', "'")


def _definition(task: NewTask, reference: Derivation) -> str:
    columns = [column.name for column in reference.header.columns]
    key = reference.header.key or ()
    values = tuple(name for name in columns if name not in {*key, *_IDENTIFIERS})
    drops = answers().get(reference.name, Answer())
    target = drops.target or ((TO_WRITE,) if _site(reference) == "mimic-iv" else ())
    return _DEFINITION.format(
        TO_WRITE=TO_WRITE,
        name=task.name,
        family=task.family,
        title=_title(reference),
        mode=task.mode,
        site=_site(reference),
        grain=_GRAINS.get(reference.header.grain, "stay"),
        reference=reference.name,
        skill=task.family,
        target=_listed(target),
        carriers=_listed(drops.carriers),
        published=_listed(drops.published),
        given=_listed(drops.given),
        key=_listed(key),
        values=_listed(values),
        required=_listed(tuple(columns)),
    )


def _row(column: Column, key: tuple[str, ...]) -> str:
    kind = _TYPES.get(column.type, "real")
    null = "never" if column.name in key else f"{TO_WRITE}: never, or where"
    return f"| `{column.name}` | {kind} | {column.unit or ''} | {null} | {column.meaning} |"


def _card(reference: Derivation) -> str:
    key = reference.header.key or ()
    named = " and ".join(f"`{name}`" for name in key)
    stamped = any(column.type == "TIMESTAMP" for column in reference.header.columns)
    return _CARD.format(
        TO_WRITE=TO_WRITE,
        title=_title(reference),
        row=reference.header.grain.removeprefix("one row per "),
        keys=f"{named} together are unique" if len(key) > 1 else f"{named} is unique",
        rows="\n".join(_row(column, key) for column in reference.header.columns),
        timestamps=" Timestamps are written `YYYY-MM-DD HH:MM:SS`." if stamped else "",
    )


def _shared(task: NewTask, reference: Derivation) -> Mapping[str, str]:
    """Return the files that the tasks of a family share, by name below the family's folder."""
    columns = ",\n".join(f"  NULL AS {column.name}" for column in reference.header.columns)
    skill = _SKILL.format(
        TO_WRITE=TO_WRITE, skill=task.family, family=task.family, title=_title(reference)
    )
    checks = "\n".join(
        f'{column.name} = {{type = "{_TYPES.get(column.type, "real")}"'
        + ("}" if column.name in (reference.header.key or ()) else f', null = "{TO_WRITE}"}}')
        for column in reference.header.columns
    )
    sections = "".join(f"\n## {section}\n\n{TO_WRITE}\n" for section in _SECTIONS)
    return {
        NAIVE: f"-- SPDX-License-Identifier: MIT\n-- {TO_WRITE}: what someone in a hurry would query from the "
        f"source tables\nSELECT\n{columns}\n",
        "operational-spec.md": f"# {_title(reference)}\n\n{TO_WRITE}: the complete rules in prose, for someone who "
        "knows medicine and not this database.\n",
        "checks.toml": _CHECKS.format(TO_WRITE=TO_WRITE, columns=checks),
        f"skills/{task.family}/SKILL.md": skill + sections,
    }
