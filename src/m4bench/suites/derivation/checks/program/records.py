# SPDX-License-Identifier: MIT
"""Checks of rows against each other and against the records of the database. Knows no right answer."""

from pathlib import Path
from typing import Any

import duckdb

from m4bench.suites.derivation.checks.program.answer import Answer, counted, quoted_name
from m4bench.suites.derivation.checks.program.cells import SEE_CARD, answer_has


def check_keys(answer: Answer) -> None:
    """Check that no key comes twice."""
    key = answer.declared["key"]
    told = " and ".join(f"`{name}`" for name in key)
    if not answer_has(answer, key, f"each {told} comes once") or not answer.rows:
        return
    names = ", ".join(map(quoted_name, key))
    known = " AND ".join(f"{quoted_name(name)} IS NOT NULL" for name in key)
    twice = f"""SELECT {names}, count(*) AS times FROM temp.kept WHERE {known}
        GROUP BY {names} HAVING count(*) > 1"""
    surplus = answer.one(f"({twice})", ["coalesce(sum(times - 1), 0)"])[0]
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
        f"CREATE TEMP TABLE kept AS SELECT {', '.join(['line', *columns])} FROM temp.answer"
    )


def judge(answer: Answer, check: str, rule: dict[str, Any], broken: str, remedy: str) -> None:
    """Note whether a rule holds, from a query of the lines that break it."""
    count, places = answer.one(f"({broken})", ["count(*)", "min(line, 3)"])
    if not count:
        answer.add(check, "ok", rule["says"])
        return
    says = f"not so: {rule['says']}; in {counted(count, 'row')}"
    remedy = rule["remedy"] or remedy
    answer.add(check, "problem", says, remedy, count=count, places=places)


def check_sequences(answer: Answer) -> None:
    """Check columns that number the rows of a group from 1 in an order."""
    for rule in answer.declared["sequences"]:
        column, group, order = rule["column"], rule["within"], rule["by"]
        if not answer_has(answer, [column, *group, *order], rule["says"]) or not answer.rows:
            continue
        within, peers = map(_listed, (group, [*group, *order]))
        first = ", ".join(f"{quoted_name(name)} NULLS FIRST" for name in order)
        numbered = f"""SELECT line, {quoted_name(column)} AS given,
            rank() OVER (PARTITION BY {within} ORDER BY {first}) AS low,
            low + count(*) OVER (PARTITION BY {peers}) - 1 AS high FROM temp.kept"""
        broken = f"SELECT line FROM ({numbered}) WHERE given NOT BETWEEN low AND high"
        judge(answer, "sequence", rule, broken, SEE_CARD)


def check_intervals(answer: Answer) -> None:
    """Check that intervals of a group do not overlap."""
    for rule in answer.declared["intervals"]:
        needed = [*rule["within"], rule["start"], rule["end"]]
        if not answer_has(answer, needed, rule["says"]) or not answer.rows:
            continue
        start, end = quoted_name(rule["start"]), quoted_name(rule["end"])
        earlier = f"""max({end}) OVER (PARTITION BY {_listed(rule["within"])} ORDER BY {start}, {end}
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"""
        broken = f"SELECT line FROM temp.kept QUALIFY {start} < {earlier}"
        judge(answer, "intervals", rule, broken, SEE_CARD)


def _listed(names: list[str]) -> str:
    return ", ".join(map(quoted_name, names))


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
        except duckdb.IOException:
            says = f"{rule['says']}: the files behind the database's views are not here"
            remedy = "run it where an agent works, or name another with --database FILE"
            answer.add("database", "left out", says, remedy)
        except (duckdb.CatalogException, duckdb.BinderException) as error:
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
            says = f"{missing:,} of {total:,} have no row: every {rule['named']} of the database needs one"
            remedy = "give those without any measurement a row too; look for an inner join"
            answer.add("rows", "problem", says, remedy, count=missing)
    if not strangers and not missing:
        answer.add("rows", "ok", rule["says"])


def check_linked(answer: Answer, rule: dict[str, Any], query: str) -> None:
    """Check rows against the record each belongs to."""
    if answer_has(answer, rule["uses"], rule["says"]):
        joined = f"temp.kept AS answer INNER JOIN ({query}) AS {rule['of']} USING ({_listed(rule['on'])})"
        broken = f"SELECT line FROM {joined} WHERE ({rule['holds']}) IS FALSE"
        judge(answer, "records", rule, broken, "take it from the record the row belongs to")


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
