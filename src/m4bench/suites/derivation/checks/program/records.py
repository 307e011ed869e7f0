# SPDX-License-Identifier: MIT
"""Checks of rows against each other and against the records of the database. Knows no right answer."""

from pathlib import Path
from typing import Any

import duckdb

from m4bench.suites.derivation.checks.program.answer import Answer, counted, quoted_name
from m4bench.suites.derivation.checks.program.cells import (
    SEE_CARD,
    answer_has,
    note_untested,
)

FROM_RECORD = "take it from the record the row belongs to"
OTHER_DATABASE = "run it where an agent works, or name another with --database FILE"


def check_keys(answer: Answer) -> None:
    """Check that no key comes twice."""
    key = answer.declared["key"]
    told = " and ".join(f"`{name}`" for name in key)
    if not answer_has(answer, key, f"each {told} comes once") or not answer.rows:
        return
    names, known = _listed(key), _known(key)
    if not answer.one(f"(SELECT 1 FROM temp.kept WHERE {known})", ["count(*)"])[0]:
        note_untested(answer, "key", f"each {told} comes once", f"has its {told}")
        return
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


def judge(answer: Answer, check: str, rule: dict[str, Any], judged: str, lacking: str) -> None:
    """Note whether a rule holds, from a query of lines and of whether each holds, null where it cannot be told.

    `lacking` is said of rows when it is null in all of them.
    """
    broken = "FILTER (WHERE holds IS FALSE)"
    asked = [f"count(*) {broken}", f"min(line, 3) {broken}", "count(holds)"]
    count, places, tried = answer.one(f"({judged})", asked)
    if not tried:
        note_untested(answer, check, rule["says"], lacking)
        return
    if not count:
        answer.add(check, "ok", rule["says"])
        return
    says = f"not so: {rule['says']}; in {counted(count, 'row')}"
    remedy = rule["remedy"] or (FROM_RECORD if check == "records" else SEE_CARD)
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
        judged = f"SELECT line, given BETWEEN low AND high AS holds FROM ({numbered})"
        judge(answer, "sequence", rule, judged, f"has its `{column}`")


def check_intervals(answer: Answer) -> None:
    """Check that intervals of a group do not overlap."""
    for rule in answer.declared["intervals"]:
        needed = [*rule["within"], rule["start"], rule["end"]]
        if not answer_has(answer, needed, rule["says"]) or not answer.rows:
            continue
        start, end = quoted_name(rule["start"]), quoted_name(rule["end"])
        earlier = f"""max({end}) OVER (PARTITION BY {_listed(rule["within"])} ORDER BY {start}, {end}
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"""
        judged = f"SELECT line, {start} >= {earlier} AS holds FROM temp.kept"
        told = " and ".join(f"`{name}`" for name in rule["within"])
        judge(answer, "intervals", rule, judged, f"follows another of its {told}")


def _listed(names: list[str]) -> str:
    return ", ".join(map(quoted_name, names))


def _known(names: list[str]) -> str:
    return " AND ".join(f"{quoted_name(name)} IS NOT NULL" for name in names)


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
            answer.add("database", "left out", says, OTHER_DATABASE)
        except (duckdb.CatalogException, duckdb.BinderException) as error:
            says = f"{rule['says']}: the database lacks what this needs ({type(error).__name__})"
            answer.add("database", "left out", says)
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error as error:
            # the answer's cells were read before, so that only the database's are converted here
            says = (
                f"{rule['says']}: the database is at fault, not the answer: it holds "
                f"what is not of the type this needs ({type(error).__name__})"
            )
            answer.add("database", "left out", says, OTHER_DATABASE)


def check_members(answer: Answer, rule: dict[str, Any], query: str) -> None:
    """Check that keys are of a group of records, and that none of the group is missing."""
    names = _listed(rule["on"])
    keyed = f"(SELECT line, {names} FROM temp.kept WHERE {_known(rule['on'])})"
    group = f"(SELECT DISTINCT {names} FROM ({query}))"
    told = " and ".join(f"`{name}`" for name in rule["on"])
    strangers, places = (
        (0, [])
        if not rule["within"]
        else answer.one(
            f"(SELECT line FROM {keyed} ANTI JOIN {group} USING ({names}))",
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
    missing = total = 0
    if rule["complete"]:
        total = answer.one(group, ["count(*)"])[0]
        missing = answer.one(f"(FROM {group} ANTI JOIN temp.kept USING ({names}))", ["count(*)"])[0]
        if missing:
            says = f"{missing:,} of {total:,} have no row: every {rule['named']} of the database needs one"
            remedy = "give those without any measurement a row too; look for an inner join"
            answer.add("rows", "problem", says, remedy, count=missing)
    if strangers or missing:
        return
    if total or (rule["within"] and answer.one(keyed, ["count(*)"])[0]):
        answer.add("rows", "ok", rule["says"])
    else:
        note_untested(answer, "rows", rule["says"], f"has its {told}")


def check_linked(answer: Answer, rule: dict[str, Any], query: str) -> None:
    """Check rows against the record each belongs to."""
    if answer_has(answer, rule["uses"], rule["says"]):
        joined = f"temp.kept AS answer INNER JOIN ({query}) AS {rule['of']} USING ({_listed(rule['on'])})"
        judged = f"SELECT line, ({rule['holds']}) AS holds FROM {joined}"
        judge(answer, "records", rule, judged, "has a record of the database to compare with")


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
