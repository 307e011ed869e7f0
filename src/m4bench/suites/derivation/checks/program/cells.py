# SPDX-License-Identifier: MIT
"""Checks of an answer alone: its header, each column, and the columns of a row together. Knows no database."""

from collections import Counter
from difflib import get_close_matches
from typing import Any

from m4bench.suites.derivation.checks.program.answer import (
    Answer,
    Condition,
    cell_of,
    counted,
    quoted_name,
)
from m4bench.suites.derivation.checks.program.form import WRITE_PLAINLY

NOT_TESTED = "not tested"
SEE_CARD = "the card says so; look at how these columns are computed"


def check_header(answer: Answer) -> None:
    """Note columns that are missing, misspelled, repeated, not asked for, or in another order."""
    required = [column["name"] for column in answer.declared["columns"]]
    header = answer.form.header
    folded = {name.strip().lower(): name for name in header}
    missing = [name for name in required if name not in header]
    misspelled = [name for name in missing if name in folded]
    for name in misspelled:
        says = f"the column `{name}` is written {folded[name]!r}"
        answer.add("columns", "problem", says, "rename it: names are compared exactly")
    absent = ", ".join(f"`{name}`" for name in missing if name not in folded)
    if absent:
        remedy = (
            "add what the card describes" if answer.present else "the first line has to name them"
        )
        answer.add("columns", "problem", f"columns are missing: {absent}", remedy)
    repeated = [name for name, times in Counter(header).items() if times > 1]
    for name in repeated:
        state = "problem" if name in required else "look"
        says = f"the header names {name!r} more than once"
        answer.add("columns", state, says, "the first will be read; leave out the others")
    known = {*required, *(folded[name] for name in misspelled)}
    surplus = [name for name in dict.fromkeys(header) if name not in known]
    for name in [name for name in missing if name not in folded]:
        for meant in get_close_matches(name, surplus, n=1, cutoff=0.8):
            says = f"{meant!r} looks like `{name}`, which is missing"
            answer.add("columns", "problem", says, "rename it where that is meant")
            surplus.remove(meant)
    if surplus and answer.present:
        names = ", ".join(map(repr, surplus[:5])) + (", …" if len(surplus) > 5 else "")
        says = f"columns the card does not ask for: {names}"
        index = "; '' may be an index of pandas" if "" in surplus else ""
        answer.add("columns", "look", says, f"the file will still be read; leave them out{index}")
    given = [name for name in dict.fromkeys(header) if name in required]
    if given != [name for name in required if name in given]:
        remedy = f"the file will still be read; the card's order is {', '.join(required)}"
        answer.add("columns", "look", "the columns are not in the order of the card", remedy)
    if header == required:
        answer.add("columns", "ok", f"the {len(required)} columns of the card, in its order")


def check_form(answer: Answer) -> None:
    """Note what is odd about the file as text."""
    read = "the file will still be read; write it without"
    if answer.form.marked:
        answer.add("file", "look", "it starts with a byte-order mark", read)
    if answer.form.mixed_ends:
        answer.add("file", "look", "its lines end in more than one way", f"{read} carriage returns")
    if answer.form.nuls:
        says = f"it holds {counted(answer.form.nuls, 'NUL byte')}"
        answer.add("file", "problem", says, WRITE_PLAINLY)


def cell_conditions(column: dict[str, Any], key: bool) -> list[Condition]:
    """Return what no cell of a column should be."""
    name, value, cell = column["name"], quoted_name(column["name"]), cell_of(column["name"])
    kind, told = column["type"], f"`{column['name']}`"

    def condition(
        sql: str, says: str, remedy: str, state: str = "problem", **more: Any
    ) -> Condition:
        return Condition(name, sql, f"{told} {says}", remedy, state, cell, **more)

    found = []
    if key or "null" not in column:
        remedy = (
            "a row needs its whole key"
            if key
            else "the card has no null here; see its section Missing data"
        )
        found.append(condition(f"{cell} IS NULL", "is empty", remedy))
    else:
        remedy = f"the card has nulls only {column['null']}"
        found.append(condition(f"{cell} IS NULL", "is empty", remedy, "look", everywhere=True))
    unreadable = f"{cell} IS NOT NULL AND {value} IS NULL"
    if kind in ("integer", "real"):
        what = "whole number" if kind == "integer" else "number"
        found.append(
            condition(
                unreadable, f"holds what is no {what}", "write digits alone; nothing for null"
            )
        )
        odd = f"NOT isfinite({value}::DOUBLE)"
        found.append(
            condition(
                odd, "is infinite or not a number", "leave the field empty where null is meant"
            )
        )
    if kind == "integer":
        broken = f"isfinite({value}::DOUBLE) AND {value} <> floor({value})"
        found.append(condition(broken, "is not a whole number", "the card asks for an integer"))
    if kind == "timestamp":
        found.append(
            condition(
                unreadable, "holds what is no time", "write YYYY-MM-DD HH:MM:SS, without a zone"
            )
        )
        other = f"{value} IS NOT NULL AND NOT plain_instant({cell})"
        remedy = "it will still be read; the card asks for YYYY-MM-DD HH:MM:SS"
        found.append(condition(other, "is written another way", remedy, "look"))
    if kind == "text":
        words = f"lower(bare({cell})) IN ('null', 'na', 'n/a', 'nan', 'nat', '<na>')"
        remedy = "this is read as text; leave the field empty where null is meant"
        found.append(condition(words, "holds a word for null", remedy, "look"))
    bounds = [f"{value} < {column['at_least']!r}"] if "at_least" in column else []
    bounds += [f"{value} > {column['at_most']!r}"] if "at_most" in column else []
    if bounds:
        outside = f"isfinite({value}::DOUBLE) AND ({' OR '.join(bounds)})"
        found.append(
            condition(
                outside,
                f"is outside {range_of(column)}",
                "look at how it is computed; the range is the card's",
            )
        )
    if "values" in column:
        listed = ", ".join(
            "'" + str(v).replace("'", "''") + "'" if kind == "text" else repr(v)
            for v in column["values"]
        )
        others = f"{value} IS NOT NULL AND {value} NOT IN ({listed})"
        says = f"is none of {', '.join(map(str, column['values']))}"
        found.append(condition(others, says, "the card lists the values, spelled exactly so"))
    return found


def range_of(column: dict[str, Any]) -> str:
    """Return a range in words."""
    low, high = column.get("at_least"), column.get("at_most")
    if high is None:
        return f"{low} or more"
    return f"{low} to {high}" if low is not None else f"{high} or less"


def check_cells(answer: Answer) -> None:
    """Check every column alone, and every row for what the card says of its columns together."""
    conditions, hold = [], {}
    for column in answer.declared["columns"]:
        if column["name"] in answer.present:
            conditions += cell_conditions(column, column["name"] in answer.declared["key"])
            hold[column["name"]] = described(column)
    for place, rule in enumerate(answer.declared["rows"], start=1):
        if answer_has(answer, rule["uses"], rule["says"]):
            broken = f"({rule['where']}) IS TRUE AND ({rule['holds']}) IS FALSE"
            says = f"not so: {rule['says']};"
            tried = f"({rule['where']}) IS TRUE AND ({rule['holds']}) IS NOT NULL"
            remedy = rule["remedy"] or SEE_CARD
            conditions.append(Condition(f"row rule {place}", broken, says, remedy, tried=tried))
            hold[f"row rule {place}"] = rule["says"]
    answer.ask(conditions)
    note_what_holds(answer, hold)


def described(column: dict[str, Any]) -> str:
    """Return what a column was found to be."""
    parts = [f"`{column['name']}`: {column['type']}"]
    if "at_least" in column or "at_most" in column:
        parts.append(range_of(column))
    if "values" in column:
        parts.append("one of the card's values")
    return ", ".join([*parts, "nulls allowed" if "null" in column else "never null"])


def note_what_holds(answer: Answer, hold: dict[str, str]) -> None:
    """Note as holding whatever nothing was found against, or as not tested where no row could tell."""
    told = {finding.check for finding in answer.findings if finding.state != "ok"}
    for check, says in hold.items():
        if check in told or not answer.rows:
            continue
        if check in answer.untried:
            note_untested(answer, check, says, "it applies to")
        else:
            answer.add(check, "ok", says)


def note_untested(answer: Answer, check: str, says: str, lacking: str) -> None:
    """Note a rule that no row could break or keep, with what no row has."""
    answer.add(check, NOT_TESTED, f"no row {lacking}: {says}")


def answer_has(answer: Answer, columns: list[str], says: str) -> bool:
    """Return whether the answer has some columns; note the check as left out when not."""
    missing = [name for name in columns if name not in answer.present]
    if missing:
        answer.add("rules", "left out", f"{says}: not without {', '.join(missing)}")
    return not missing
