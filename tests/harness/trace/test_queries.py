# SPDX-License-Identifier: MIT
"""Which commands hold a SQL query, by the rule that the module and the reference page state."""

import pytest

from m4bench.harness.trace.queries import holds_query

HOLD = {
    "the DuckDB shell": 'duckdb database.duckdb -c "SELECT stay_id FROM icustays LIMIT 5"',
    "lower case, over lines": "duckdb db <<'SQL'\nselect a,\n  b\nfrom t\nwhere a > 1;\nSQL",
    "options before it": "duckdb -readonly --csv db -c 'select * from t'",
    "an option line of its own": 'duckdb db \\\n  --csv -c "select count(*) from t"',
    "Python in a line": "python -c \"import duckdb; duckdb.sql('select a from t').show()\"",
    "Python in a here-document": (
        "python3 - <<'EOF'\nimport duckdb\ncon = duckdb.connect('d.duckdb')\n"
        'rows = con.execute("""\n    SELECT a FROM t\n""").fetchall()\nEOF'
    ),
    "escaped line ends": "python -c \"con.sql('\\nSELECT a\\nFROM t')\"",
    "a common table expression": 'duckdb db -c "WITH first AS (SELECT a FROM t) SELECT a FROM first"',
    "a set operation": 'duckdb db -c "SELECT 1; (SELECT a FROM t) UNION ALL SELECT b FROM u"',
    "an explanation": 'duckdb db -c "EXPLAIN ANALYZE SELECT a FROM t"',
    "a pipe": "echo SELECT a FROM t | duckdb db",
    "a here-string": 'duckdb db <<< "select a from t"',
    "from first": 'duckdb db -c "FROM icustays SELECT stay_id"',
    "from alone": "duckdb db -c 'from mimiciv_icu.icustays;'",
    "from with a limit": 'duckdb db "FROM t LIMIT 3"',
    "a file as a table": "duckdb -c \"FROM 'rows.parquet' WHERE a > 1\"",
    "describe": 'duckdb db -c "DESCRIBE mimiciv_icu.icustays"',
    "describe a query": 'duckdb db -c "DESCRIBE SELECT a FROM t"',
    "summarize": "duckdb db -c 'summarize icustays;'",
    "show tables": 'duckdb db -c "SHOW TABLES"',
    "show all tables": 'duckdb db -c "show all tables"',
    "pragma": 'duckdb db -c "PRAGMA table_info(t)"',
    "copy of a query": "duckdb db -c \"COPY (SELECT a FROM t) TO 'output.csv' (HEADER)\"",
    "copy of a table": "duckdb db -c \"COPY result TO 'output.csv'\"",
    "a table made": 'duckdb db -c "CREATE OR REPLACE TEMP TABLE x AS SELECT a FROM t"',
    "rows put in": 'duckdb db -c "insert into x select a from t"',
    "a file that is only written": "cat > q.sql <<'E'\nSELECT a FROM t;\nE",
    "after a comment": 'duckdb db -c "-- all stays\nSELECT a FROM t"',
    "after a block comment": 'duckdb db -c "/* all\nstays */ SELECT a FROM t"',
    "between path patterns": 'ls a/*/b; duckdb db -c "select a from t"; ls c/*/d',
    "a comment within": 'duckdb db -c "SELECT a, -- the key\n b FROM t"',
}
HOLD_NONE = {
    "nothing": "",
    "a look around": "ls -la && cat instruction.md",
    "a script that was written before": "python derive.py && duckdb db < derive.sql",
    "a read file": "duckdb db -c '.read derive.sql'",
    "the shell's own commands": "duckdb db '.tables'",
    "a comment of the shell": "ls  # SELECT a FROM t",
    "a comment of SQL": 'duckdb db -c "-- SELECT a FROM t"',
    "a block comment": 'duckdb db -c "/* SELECT a FROM t */"',
    "no table": 'duckdb db -c "SELECT 1 + 1"',
    "imports after it": "python - <<'E'\nprint(con.sql('select 1'))\nfrom datetime import date\nE",
    "imports alone": "python -c 'from pandas import DataFrame'",
    "two statements": 'duckdb db -c "select 1; delete from t"',
    "words in a sentence": "echo 'please select it and take it from there'",
    "methods": "python -c 'frame.select(\"a\"); x.from_pandas(y)'",
    "an option": "tool --select a --from b",
    "other words": "echo selection fromage; describe-instances --all",
    "a description in words": "git commit -m 'describe the derivation of stays in words'",
    "an environment's tables": "ip route show table all",
    "copying files": "cp a b && docker copy a to",
}


@pytest.mark.parametrize("command", HOLD.values(), ids=HOLD)
def test_a_command_with_a_query_counts(command: str) -> None:
    """The text holds a statement."""
    assert holds_query(command)


@pytest.mark.parametrize("command", HOLD_NONE.values(), ids=HOLD_NONE)
def test_a_command_without_one_does_not(command: str) -> None:
    """No statement, or none that is not commented out."""
    assert not holds_query(command)


@pytest.mark.parametrize(
    "piece",
    [
        "select ", "from ", " /*", "/* */ ", '"select "', " -- ", "#", " #", "from x ", 'describe "', "copy ", "a",
        " ", "\\n", "from 'a", "create or replace ", ";select * ", "select\n", "pragma ", "from a.b ", "show all ",
    ],
)  # fmt: skip
def test_hostile_texts_are_read_to_their_end(piece: str) -> None:
    """A search that is not linear would take minutes over the longest text there is."""
    assert holds_query((piece * (1 << 18))[: 1 << 18]) in (True, False)
    assert holds_query(piece * 10_000 + '\n;\nduckdb -c "select a from t"')
