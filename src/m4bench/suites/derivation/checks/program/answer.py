# SPDX-License-Identifier: MIT
"""An open answer: its rows as values, conditions asked of all of them, and what was found. Knows no rule."""

import json
from dataclasses import dataclass, field
from typing import Any

import duckdb

from m4bench.suites.derivation.checks.program.form import (
    LONGEST_LINE,
    WRITE_PLAINLY,
    Form,
    odd_lines,
)

MEMORY = "2GB"

# How a cell is read; the same spellings count when the answer is scored.
MACROS = r"""
CREATE TEMP MACRO bare(cell) AS trim(cell, ' ' || chr(9));
CREATE TEMP MACRO number_of(cell) AS CASE
    WHEN regexp_full_match(cell, '-?[0-9]{1,15}(\.[0-9]{1,20})?') THEN CAST(cell AS DOUBLE)
    WHEN regexp_full_match(bare(cell), '[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?')
        THEN CASE WHEN isfinite(TRY_CAST(bare(cell) AS DOUBLE)) THEN CAST(bare(cell) AS DOUBLE) END
    WHEN regexp_full_match(bare(cell), '(?i)true') THEN 1
    WHEN regexp_full_match(bare(cell), '(?i)false') THEN 0
    WHEN regexp_full_match(bare(cell), '(?i)[+-]?(inf|infinity)')
        THEN CASE WHEN bare(cell) LIKE '-%' THEN '-inf'::DOUBLE ELSE 'inf'::DOUBLE END
    WHEN regexp_full_match(bare(cell), '(?i)[+-]?nan') THEN 'nan'::DOUBLE
END;
CREATE TEMP MACRO whole_of(cell) AS CASE
    WHEN regexp_full_match(cell, '-?[0-9]{1,18}') THEN CAST(cell AS BIGINT)
    WHEN isfinite(number_of(cell)) AND number_of(cell) = floor(number_of(cell))
        AND NOT regexp_full_match(bare(cell), '(?i)true|false') THEN TRY_CAST(number_of(cell) AS BIGINT)
END;
CREATE TEMP MACRO plain_instant(cell) AS regexp_full_match(cell,
    '[1-9][0-9]{3}-[0-9]{2}-[0-9]{2} ([01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}');
CREATE TEMP MACRO other_instant(bared) AS regexp_full_match(bared,
    '[0-9]{4}-[0-9]{2}-[0-9]{2}([ T]([01][0-9]|2[0-3])(:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6}0{0,3})?)?)?'
    || '(Z|[+-]00:?00)?)?'
) AND NOT starts_with(bared, '0000');
CREATE TEMP MACRO clock_of(bared) AS regexp_replace(bared[12:], '(Z|[+-]00:?00)$', '');
CREATE TEMP MACRO instant_of(cell) AS CASE
    WHEN plain_instant(cell) THEN TRY_CAST(cell AS TIMESTAMP)
    WHEN other_instant(bare(cell)) THEN TRY_CAST(
        bare(cell)[:10] || ' ' || clock_of(bare(cell)) || '00:00:00'[1 + length(clock_of(bare(cell))):]
    AS TIMESTAMP)
END;
"""
READ = {
    "integer": "number_of({0})",
    "real": "number_of({0})",
    "timestamp": "instant_of({0})",
    "text": "{0}",
}


@dataclass
class Finding:
    """What one check found, the first three places of it and what stands there."""

    check: str
    state: str
    says: str
    remedy: str = ""
    count: int = 0
    places: list[int] = field(default_factory=list)
    values: list[str] = field(default_factory=list)


@dataclass
class Condition:
    """Something no row should be: an SQL condition, what to say where rows are, and what to do.

    `tried` is the SQL of the rows the condition can be tried on.
    """

    check: str
    sql: str
    says: str
    remedy: str
    state: str = "problem"
    cell: str = "NULL"
    everywhere: bool = False
    tried: str = "TRUE"


class Answer:
    """An open answer and what has been found of it so far."""

    def __init__(self, declared: dict[str, Any], form: Form) -> None:
        self.declared, self.form = declared, form
        self.findings: list[Finding] = []
        self.rows = 0
        self.unit = "line"
        self.untried: set[str] = set()
        self.present = {
            column["name"]: form.header.index(column["name"])
            for column in declared["columns"]
            if column["name"] in form.header
        }
        self.engine = duckdb.connect(":memory:")
        self.engine.execute("SET autoinstall_known_extensions = false")
        self.engine.execute(f"SET temp_directory = ''; SET memory_limit = '{MEMORY}'")
        self.engine.execute(MACROS)

    def add(self, check: str, state: str, says: str, remedy: str = "", **more: Any) -> None:
        """Note a finding."""
        more |= {name: list(more.get(name) or ()) for name in ("places", "values")}
        self.findings.append(Finding(check, state, says, remedy, **more))

    def open(self) -> bool:
        """Give every row its number and its cells as values; return whether every line is a row."""
        columns = [column for column in self.declared["columns"] if column["name"] in self.present]
        places = dict.fromkeys(f"count(c{self.present[column['name']]})" for column in columns)
        counts = ", ".join(["count(*) AS rows", *places])
        try:
            self.engine.execute(f"CREATE TEMP TABLE counted AS {self.scan(counts)}")
        except duckdb.InvalidInputException:
            faults = odd_lines(self.form)
            if not faults:
                raise
            for says, (count, lines) in faults.items():
                told = f"{counted(count, 'line')}: {says}"
                self.add("lines", "problem", told, WRITE_PLAINLY, count=count, places=lines)
            self.add("lines", "left out", "every other check: mend these lines first")
            return False
        self.rows = self.one("temp.counted", ["rows"])[0]
        if not self.rows:
            self.add("rows", "problem", "there is a header and no row", "write one line a row")
        exact = self.rows + self.form.skipped == self.form.lines
        self.unit = "line" if exact else "row"
        first = self.form.skipped if exact else 0
        values = [
            f"{self.reader(column)} AS {quoted_name(column['name'])}, "
            f"c{self.present[column['name']]} AS {cell_of(column['name'])}"
            for column in columns
        ]
        numbered = self.scan(f"{first} + row_number() OVER () AS line, *")
        scanned = self.scan("*")  # without numbers all processors read
        for view, leading, source in (("answer", ["line"], numbered), ("cells", [], scanned)):
            selected = ", ".join([*leading, *values]) or "1"
            self.engine.execute(f"CREATE TEMP VIEW {view} AS SELECT {selected} FROM ({source})")
        return True

    def reader(self, column: dict[str, Any]) -> str:
        """Return SQL of a column's value."""
        cell = f"c{self.present[column['name']]}"
        identifies = column["name"] in self.declared["key"] and column["type"] == "integer"
        return f"whole_of({cell})" if identifies else READ[column["type"]].format(cell)

    def scan(self, selected: str) -> str:
        """Return SQL that reads the file."""
        path = str(self.form.path.absolute())
        for mark in "[*?":
            path = path.replace(mark, f"[{mark}]")
        path = path.replace("'", "''")
        names = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(len(self.form.header)))
        strict = str(not self.form.mixed_ends).lower()
        return (
            f"SELECT {selected} FROM read_csv('{path}', columns = {{{names}}}, header = false, "
            f"skip = {self.form.skipped}, auto_detect = false, delim = ',', quote = '\"', "
            f"escape = '\"', max_line_size = {LONGEST_LINE}, strict_mode = {strict})"
        )

    def ask(self, conditions: list[Condition]) -> None:
        """Note the conditions that any row meets, with the first three places of each; and what none could try."""
        if not conditions or not self.rows:
            return
        rules = [c for c in conditions if c.tried != "TRUE"]
        wanted = [*(c.sql for c in conditions), *(c.tried for c in rules)]
        counts = self.one("temp.cells", [f"count(*) FILTER (WHERE {sql})" for sql in wanted])
        tried = counts[len(conditions) :]
        self.untried |= {c.check for c, rows in zip(rules, tried, strict=True) if not rows}
        met = [
            (condition, count)
            for condition, count in zip(conditions, counts, strict=False)
            if count and (count == self.rows or not condition.everywhere)
        ]
        asked = [
            f"{what} FILTER (WHERE {c.sql})"
            for c, _ in met
            for what in ("min(line, 3)", f"arg_min({c.cell}, line, 3)")
        ]
        found = self.one("temp.answer", asked) if met else ()
        for (condition, count), places, cells in zip(met, found[::2], found[1::2], strict=True):
            says = f"{condition.says} in {counted(count, 'row')}"
            told = (
                {}
                if condition.everywhere
                else {"places": places, "values": map(clipped, cells or ())}
            )
            self.add(condition.check, condition.state, says, condition.remedy, count=count, **told)

    def one(self, relation: str, selected: list[str]) -> tuple[Any, ...]:
        """Return the only row of some aggregates."""
        row = self.engine.execute(f"SELECT {', '.join(selected)} FROM {relation}").fetchone()
        assert row is not None
        return tuple(row)


def clipped(cell: str | None) -> str:
    """Return a cell as it is shown: short, and on one line."""
    return json.dumps(cell or "", ensure_ascii=False)[1:-1][:40]


def cell_of(name: str) -> str:
    """Return the identifier of a column's text as it stands in the file."""
    return quoted_name(f"cell of {name}")


def quoted_name(name: str) -> str:
    """Return a name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def counted(count: int, one: str, more: str | None = None) -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"
