# SPDX-License-Identifier: MIT
"""The texts a new task and a new family begin with, made from a reference's header. Writes nothing, knows no data.

What only an author knows stands in them as a place marked with `TO_WRITE` and what belongs there.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime

from m4bench.suites.derivation.checks.declared import CHECKS
from m4bench.suites.derivation.library.catalogue import Derivation
from m4bench.suites.derivation.library.header import Column
from m4bench.suites.derivation.schemas.answers import Answer, answers
from m4bench.suites.derivation.tasks.cards import CARD, OPERATIONAL
from m4bench.suites.derivation.tasks.lint import given_away
from m4bench.suites.derivation.tasks.naive import NAIVE
from m4bench.suites.derivation.tasks.provenance import PROVENANCE
from m4bench.suites.derivation.tasks.roots import DEFINITION
from m4bench.suites.derivation.tasks.texts import TO_WRITE

_TYPES = {"INTEGER": "integer", "BIGINT": "integer", "VARCHAR": "text", "TIMESTAMP": "timestamp"}
_IDENTIFIERS = frozenset(
    {"subject_id", "hadm_id", "stay_id", "patientunitstayid", "uniquepid"}
    | {"patienthealthsystemstayid"}
)
_RECORDS = {
    "stay_id": ("ICU stay", "stays", "mimiciv_icu.icustays", ("subject_id", "hadm_id")),
    "hadm_id": ("hospital admission", "admissions", "mimiciv_hosp.admissions", ("subject_id",)),
    "patientunitstayid": (
        "ICU stay", "stays", "eicu_crd.patient", ("uniquepid", "patienthealthsystemstayid")
    ),
    "subject_id": ("patient", "patients", "mimiciv_hosp.patients", ()),
}  # fmt: skip
"""By the column of a key that names a record: what one is called, the relation, its table, what it says of one."""

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
{tolerances}"""
_CARD = """\
# {title}

{TO_WRITE}: what is to be derived, over which time, in one sentence; then what it means at the bedside, in two.

## Output

One row per {row}{every}; {keys}.

| column | type | unit | range | null | meaning |
|---|---|---|---|---|---|
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
# What the program `check` looks for in an answer: what the card states, and no more.
# {TO_WRITE}: at_least and at_most, or values, of every column for which the card has a range

[columns]
{columns}
"""
_MEMBERS = """
[relations]
{of} = \"\"\"
SELECT {columns} FROM {table}
\"\"\"

[[members]]
of = "{of}"
on = ["{on}"]
named = "{record}"
{complete}says = "{says}"
"""
_LINKED = """
[[linked]]
of = "{of}"
on = ["{on}"]
holds = "answer.{column} = {of}.{column}"
says = "`{column}` is that of the {record}"
"""
_PROVENANCE = """\
# SPDX-License-Identifier: MIT
# Where the family's definition comes from, where it departs from the clinical one, and who signed its texts.
family: {family}

sources:
  - citation: {citation}
    source_of: "{TO_WRITE}: what is taken from it; an entry each where there are more, with a doi where it is certain"

departures:
  - what: "{TO_WRITE}: where the convention is not the clinical definition; an entry each, or [] where it is"
    effect: "{TO_WRITE}: how the answer differs"

versions:
  card: 1
  skill: 1
  operational_spec: 1
  checks: 1

changes:
  - date: {today}
    versions: {{card: 1, skill: 1, operational_spec: 1, checks: 1}}
    says: First texts.

# No clinician has signed these texts.
reviews: []
"""
_VALIDITY = """\
  {family}:
    keeps: "{TO_WRITE}: what the reference keeps for agreement with the public convention"
    caveats:
      - says: "{TO_WRITE}: what to beware of; an entry each, the weightiest first, or [] for none"
        effect: "{TO_WRITE}: how the answer differs"
        source: specification
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


def begun_texts(name: str, family: str, mode: str, reference: Derivation) -> dict[str, str]:
    """Return every text a task of a new family begins with, by its path below the family's folder.

    Args:
        name: the task's.
        family: its family's.
        mode: `standard` or `raw`.
        reference: what it is scored against.
    """
    return {
        f"{name}/{DEFINITION}": _definition(name, family, mode, reference),
        f"{name}/{CARD}": _card(reference),
        **_shared(family, reference),
    }


def with_validity(text: str, family: str) -> str:
    """Return `validity.yaml` with an entry begun for a family, in the order of their names."""
    lines = text.splitlines(keepends=True)
    start = lines.index("families:\n") + 1
    entries = [
        place
        for place, line in enumerate(lines[start:], start)
        if line.startswith("  ") and line[2:3].strip() and line.rstrip().endswith(":")
    ]
    later = next((n for n in entries if lines[n].strip().rstrip(":") > family), None)
    begun = _VALIDITY.format(TO_WRITE=TO_WRITE, family=family)
    if later is None:
        return text.rstrip("\n") + "\n\n" + begun
    return "".join([*lines[:later], begun, "\n", *lines[later:]])


def _site(reference: Derivation) -> str:
    return "eicu" if any(name.startswith("eicu_") for name in reference.inputs) else "mimic-iv"


def _listed(names: tuple[str, ...]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


def _title(reference: Derivation) -> str:
    return reference.header.title.replace('"', "'")


def _grain(reference: Derivation) -> str:
    key = reference.header.key or ()
    if len(key) == 1:
        return "admission" if key == ("hadm_id",) else "stay"
    if "charttime" in key:
        return "stay-window"
    named = {column.name for column in reference.header.columns}
    return "interval" if {"starttime", "endtime"} <= named else "event"


def _definition(name: str, family: str, mode: str, reference: Derivation) -> str:
    columns = reference.header.columns
    key = reference.header.key or ()
    values = tuple(c.name for c in columns if c.name not in {*key, *_IDENTIFIERS})
    drops = answers().get(reference.name, Answer())
    unknown = f"{TO_WRITE}: the derived relations that are the answer"
    target = drops.target or ((unknown,) if _site(reference) == "mimic-iv" else ())
    measured = [c.name for c in columns if c.name in values and _kind(c) == "real"]
    tolerances = f"# {TO_WRITE}: of {', '.join(measured)}, in their unit; one not named is exact\n"
    return _DEFINITION.format(
        TO_WRITE=TO_WRITE,
        name=name,
        family=family,
        title=_title(reference),
        mode=mode,
        site=_site(reference),
        grain=_grain(reference),
        reference=reference.name,
        skill=family,
        target=_listed(target),
        carriers=_listed(drops.carriers),
        published=_listed(drops.published),
        given=_listed(drops.given),
        key=_listed(key),
        values=_listed(values),
        required=_listed(tuple(c.name for c in columns)),
        tolerances=tolerances if measured else "",
    )


def _kind(column: Column) -> str:
    return _TYPES.get(column.type, "real")


def _known(reference: Derivation) -> frozenset[str]:
    """Return the columns that are never null: the key, and what its record says of itself."""
    key = reference.header.key or ()
    on = _record(key)
    return frozenset({*key, *(_RECORDS[on][3] if on else ())})


def _row(column: Column, known: frozenset[str], told: frozenset[str]) -> str:
    kind = _kind(column)
    null = "never" if column.name in known else f"{TO_WRITE}: never, or where"
    ranged = kind in {"integer", "real"} and column.name not in known | _IDENTIFIERS
    within = f"{TO_WRITE}: as 0 to 24, or nothing" if ranged else ""
    meaning = column.meaning
    if any(given_away(meaning, told)):
        meaning = f"{TO_WRITE}: what it means, without names of the database"
    return f"| `{column.name}` | {kind} | {column.unit or ''} | {within} | {null} | {meaning} |"


def _record(key: tuple[str, ...]) -> str | None:
    """Return the column of a key that names a record of the database."""
    return next((name for name in _RECORDS if name in key), None)


def _card(reference: Derivation) -> str:
    key = reference.header.key or ()
    columns = reference.header.columns
    told = frozenset(column.name for column in columns)
    named = " and ".join(f"`{name}`" for name in key)
    stamped = any(column.type == "TIMESTAMP" for column in columns)
    title, row = _title(reference), reference.header.grain.removeprefix("one row per ")
    on = _record(key)
    record = _RECORDS[on][0] if on else "record"
    if any(given_away(title, told)):
        title = f"{TO_WRITE}: a title without names of the database"
    if any(given_away(row, told)):
        row = record
    return _CARD.format(
        TO_WRITE=TO_WRITE,
        title=title,
        row=row,
        every=f" ({TO_WRITE}: for every {record} of the database, or for which)",
        keys=f"{named} together are unique" if len(key) > 1 else f"{named} is unique",
        rows="\n".join(_row(column, _known(reference), told) for column in columns),
        timestamps=" Timestamps are written `YYYY-MM-DD HH:MM:SS`." if stamped else "",
    )


def _column_check(column: Column, known: frozenset[str]) -> str:
    null = f', null = "{TO_WRITE}: where, in the words of the card; left out where never"'
    told = "" if column.name in known else null
    return f'{column.name} = {{type = "{_kind(column)}"{told}}}'


def _members(reference: Derivation) -> str:
    """Return the checks of rows against the records that the key names."""
    key = reference.header.key or ()
    on = _record(key)
    if on is None:
        return ""
    record, of, table, owners = _RECORDS[on]
    has = {column.name for column in reference.header.columns}
    told = [name for name in owners if name in has]
    article = "an" if record[0] in "AEIOU" else "a"
    says = f"every row is of {article} {record}"
    whole = len(key) == 1
    members = _MEMBERS.format(
        of=of,
        on=on,
        table=table,
        record=record,
        columns=", ".join([*told, on]),
        complete=f"complete = true # {TO_WRITE}: false where the card has no row for some\n"
        if whole
        else "",
        says=f"every {record} has a row, and {says}" if whole else says,
    )
    linked = [_LINKED.format(of=of, on=on, column=name, record=record) for name in told]
    return "".join([members, *linked])


def _shared(family: str, reference: Derivation) -> Mapping[str, str]:
    """Return the files that the tasks of a family share, by name below the family's folder."""
    columns = reference.header.columns
    selected = ",\n".join(f"  NULL AS {column.name}" for column in columns)
    skill = _SKILL.format(TO_WRITE=TO_WRITE, skill=family, family=family, title=_title(reference))
    checked = "\n".join(_column_check(column, _known(reference)) for column in columns)
    sections = "".join(f"\n## {section}\n\n{TO_WRITE}\n" for section in _SECTIONS)
    source = reference.header.source
    return {
        NAIVE: f"-- SPDX-License-Identifier: MIT\n-- {TO_WRITE}: what someone in a hurry would query from the "
        f"source tables\nSELECT\n{selected}\n",
        OPERATIONAL: f"# {_title(reference)}\n\n{TO_WRITE}: the complete rules in prose, for someone who "
        "knows medicine and not this database.\n",
        CHECKS: _CHECKS.format(TO_WRITE=TO_WRITE, columns=checked) + _members(reference),
        PROVENANCE: _PROVENANCE.format(
            TO_WRITE=TO_WRITE,
            family=family,
            citation=json.dumps(
                source or f"{TO_WRITE}: authors, journal, year and pages", ensure_ascii=False
            ),
            today=datetime.now(UTC).date().isoformat(),
        ),
        f"skills/{family}/SKILL.md": skill + sections,
    }
