# SPDX-License-Identifier: MIT
"""Checks of rows against each other and against the records of the database. Knows no right answer."""

from pathlib import Path
from typing import Any

import duckdb

from m4bench.suites.derivation.checks.program.answer import Answer, counted, quoted_name
from m4bench.suites.derivation.checks.program.cells import answer_has


def check_keys(answer: Answer) -> None:
    """Check that no key comes twice."""
    key = answer.declared["key"]
    told = " and ".join(f"`{name}`" for name in key)
    if not answer_has(answer, key, f"each {told} comes once") or not answer.rows:
        return
    names = ", ".join(map(quoted_name, key))
    twice = f"SELECT {names}, count(*) AS times FROM temp.kept GROUP BY {names} HAVING count(*) > 1"
    surplus = answer.one(f"({twice})", ["coalesce(sum(times) - 1 * count(*), 0)"])[0]
    if not surplus:
        answer.add("key", "ok", f"each {told} comes once")
        return
    later = f"""SELECT line FROM temp.kept SEMI JOIN ({twice}) USING ({names})
        QUALIFY row_number() OVER (PARTITION BY {names} ORDER BY line) > 1"""
    places = answer.one(f"({later})", ["min(line, 3)"])[0]
    answer.add(
        "key",
        "problem",
        f"{counted(int(surplus), 'row')} repeat a {told} an earlier row has",
        f"keep one row per {answer.declared['grain']}; a join may have multiplied rows",
        count=int(surplus),
        places=places,
    )


def keep(answer: Answer) -> None:
    """Keep the key and what is compared with the database in memory, a few columns of each row."""
    declared = answer.declared
    named = [*declared["key"]]
    for rule in [*declared["members"], *declared["linked"]]:
        named += rule["on"]
        named += rule.get("uses", [])
    for rule in declared["sequences"]:
        named += [rule["column"], *rule["within"], *rule["by"]]
    for rule in declared["intervals"]:
        named += [*rule["within"], rule["start"], rule["end"]]
    columns = [quoted_name(name) for name in dict.fromkeys(named) if name in answer.present]
    answer.engine.execute(
        f"CREATE TEMP TABLE kept AS SELECT {', '.join(['line', *columns])} FROM answer"
    )


def check_sequences(answer: Answer) -> None:
    """Check columns that number the rows of a group from 1 in an order."""
    for rule in answer.declared["sequences"]:
        column, says = rule["column"], rule["says"]
        if not answer_has(answer, [column, *rule["within"], *rule["by"]], says) or not answer.rows:
            continue
        group = ", ".join(map(quoted_name, rule["within"]))
        order = ", ".join(f"{quoted_name(name)} NULLS FIRST" for name in rule["by"])
        value = quoted_name(column)
        ranks = f"SELECT line, {value} AS given, rank() OVER each_group AS low, low + count(*) OVER peers - 1 AS high"
        windows = f"""WINDOW each_group AS (PARTITION BY {group} ORDER BY {order}),
            peers AS (PARTITION BY {group}, {", ".join(map(quoted_name, rule["by"]))})"""
        numbered = f"{ranks} FROM temp.kept {windows}"
        count, places = answer.one(
            f"({numbered}) WHERE given NOT BETWEEN low AND high", ["count(*)", "min(line, 3)"]
        )
        if count:
            answer.add(
                column, "problem", f"not so: {says}; in {counted(count, 'row')}", rule["remedy"],
                count=count, places=places,
            )  # fmt: skip
        else:
            answer.add(column, "ok", says)


def check_intervals(answer: Answer) -> None:
    """Check that intervals of a group do not overlap."""
    for rule in answer.declared["intervals"]:
        if (
            not answer_has(answer, [*rule["within"], rule["start"], rule["end"]], rule["says"])
            or not answer.rows
        ):
            continue
        group = ", ".join(map(quoted_name, rule["within"]))
        start, end = quoted_name(rule["start"]), quoted_name(rule["end"])
        earlier = f"lag({end}) OVER (PARTITION BY {group} ORDER BY {start}, {end})"
        count, places = answer.one(
            f"(SELECT line FROM temp.kept QUALIFY {start} < {earlier})",
            ["count(*)", "min(line, 3)"],
        )
        state = "problem" if count else "ok"
        says = f"not so: {rule['says']}; in {counted(count, 'row')}" if count else rule["says"]
        answer.add("intervals", state, says, rule["remedy"], count=count, places=places or [])


def attach(answer: Answer, database: Path) -> str | None:
    """Open the database read-only; return why not when it cannot be."""
    if not database.is_file():
        return f"there is no {database.name}"
    path = str(database.absolute()).replace("'", "''")
    try:
        answer.engine.execute(f"ATTACH '{path}' AS hospital (READ_ONLY)")
        answer.engine.execute("USE hospital")
    except duckdb.Error as error:
        return f"{database.name} cannot be opened ({type(error).__name__})"
    return None


def check_database(answer: Answer, database: Path) -> None:
    """Check keys and rows against the records the database has."""
    checks = [(check_members, rule) for rule in answer.declared["members"]]
    checks += [(check_linked, rule) for rule in answer.declared["linked"]]
    checks += [(check_size, rule) for rule in answer.declared["sizes"]]
    checks = [
        (check, rule)
        for check, rule in checks
        if answer_has(answer, rule.get("on", []), rule["says"])
    ]
    if not checks or not answer.rows:
        return
    absent = attach(answer, database)
    for check, rule in checks:
        if absent:
            answer.add(
                "database", "left out", f"{rule['says']}: {absent}", "name it with --database FILE"
            )
            continue
        try:
            check(answer, rule, answer.declared["relations"][rule["of"]])
        except (duckdb.CatalogException, duckdb.BinderException, duckdb.IOException) as error:
            says = f"{rule['says']}: the database lacks what this needs ({type(error).__name__})"
            answer.add("database", "left out", says)


def check_members(answer: Answer, rule: dict[str, Any], query: str) -> None:
    """Check that keys are of a group of records, and that none of the group is missing."""
    names = ", ".join(map(quoted_name, rule["on"]))
    known = " AND ".join(f"{quoted_name(name)} IS NOT NULL" for name in rule["on"])
    group = f"(SELECT DISTINCT {names} FROM ({query}))"
    told = " and ".join(f"`{name}`" for name in rule["on"])
    strangers, places = (
        (0, [])
        if not rule["within"]
        else answer.one(
            f"(SELECT line FROM temp.kept ANTI JOIN {group} USING ({names}) WHERE {known})",
            ["count(*)", "min(line, 3)"],
        )
    )
    if strangers:
        says = (
            f"{counted(strangers, 'row')} with a {told} that is no {rule['named']} of the database"
        )
        remedy = (
            rule["remedy"] or "look at which rows these are; a join or a filter may let others in"
        )
        answer.add("rows", "problem", says, remedy, count=strangers, places=places)
    missing = 0
    if rule["complete"]:
        total = answer.one(group, ["count(*)"])[0]
        missing = answer.one(f"(FROM {group} ANTI JOIN temp.kept USING ({names}))", ["count(*)"])[0]
        if missing:
            says = f"{missing:,} of {counted(total, rule['named'])} of the database have no row"
            remedy = f"give every {rule['named']} a row, also without any measurement; look for an inner join"
            answer.add("rows", "problem", says, remedy, count=missing)
    if not strangers and not missing:
        answer.add("rows", "ok", rule["says"])


def check_linked(answer: Answer, rule: dict[str, Any], query: str) -> None:
    """Check rows against the record each belongs to."""
    if not answer_has(answer, rule["uses"], rule["says"]):
        return
    names = ", ".join(map(quoted_name, rule["on"]))
    joined = f"temp.kept AS answer INNER JOIN ({query}) AS {rule['of']} USING ({names})"
    count, places = answer.one(
        f"(SELECT line FROM {joined} WHERE ({rule['holds']}) IS FALSE)",
        ["count(*)", "min(line, 3)"],
    )
    if count:
        says = f"not so: {rule['says']}; in {counted(count, 'row')}"
        remedy = rule["remedy"] or "take it from the record the row belongs to"
        answer.add("records", "problem", says, remedy, count=count, places=places)
    else:
        answer.add("records", "ok", rule["says"])


def check_size(answer: Answer, rule: dict[str, Any], query: str) -> None:
    """Check that there are not more rows than records they can come from."""
    most = answer.one(f"({query})", ["count(*)"])[0]
    state = "look" if answer.rows > most else "ok"
    says = (
        rule["says"]
        if state == "ok"
        else f"{answer.rows:,} rows are more than expected: {rule['says']}"
    )
    answer.add("size", state, says, "a join may have multiplied rows" if state == "look" else "")
