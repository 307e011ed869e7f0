# SPDX-License-Identifier: MIT
"""Tells whether a command holds a SQL query, by its text alone. Runs nothing and knows no database.

The rule. Comments are left out: from `#` after white space to the end of the line, from `--` before white space or
another dash likewise, and `/* … */`. A query is then a statement that begins a line, a quoted text, a parenthesis or
what follows `;`, a closed parenthesis or one of a few words (`AS`, `UNION`, `EXPLAIN`, `echo`, …), and is one of:

* `SELECT … FROM` before the next `;` (so `WITH … SELECT … FROM` too), unless the `FROM` is that of an `import`;
* `FROM name` with `SELECT`, `WHERE`, `JOIN`, `LIMIT`, `GROUP BY` or `ORDER BY` after it, or as the whole statement;
* `DESCRIBE name`, `SUMMARIZE name`, `SHOW TABLES` and its kin, `PRAGMA name`;
* `COPY (…` or `COPY name TO|FROM`, `CREATE TABLE|VIEW`, `INSERT INTO name`.

So a query given to the DuckDB shell, in `python -c` or in a here-document counts, also in one that only writes a file;
running a script that was written before does not, for its command holds none. Words that look like a query count.
"""

import re

LINE_COMMENT = re.compile(r"(?:(?<!\S)#|--(?=[\s-]|$))[^\n]*", re.MULTILINE)
BLOCK_START = re.compile(r"(?<![\w*./~-])/\*")
ESCAPED_SPACE = re.compile(r"\\[nrt]")
NAME = r"""(?:[\w.$*/-]+|"[^"\n]{1,200}"|'[^'\n]{1,200}')"""
AFTER_FROM = r"(?:select|where|join|inner|left|cross|limit|group\s+by|order\s+by)\b"
STATEMENT = re.compile(
    rf"""
    (?P<end>;)
    | (?<![\w.$/-]) (?:
        (?P<select>select (?=[\s*'"]))
      | (?P<from>from\b (?!\s+\S{{1,200}}\s+import\b))
      | (?P<whole>
            (?:describe|summarize) \s+ (?:table\s+)? {NAME} \s* (?=["'`;)\n]|$)
          | show \s+ (?:all\s+)? (?:tables|databases|schemas|columns|views) \b
          | pragma \s+ \w+
          | copy \s* (?: \( | \s {NAME} \s+ (?:to|from)\b )
          | create \s+ (?:or\s+replace\s+)? (?:temp\s+|temporary\s+)? (?:table|view|macro) \s
          | insert \s+ into \s
        )
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
FROM_FIRST = re.compile(
    rf"""from \s+ {NAME} \s* (?: (?<=\s){AFTER_FROM} | ["'`;)] )""", re.IGNORECASE | re.VERBOSE
)
BEGINNINGS = frozenset("\n\"'`(;={,>:|&[<)")
WORDS_BEFORE = frozenset(
    (
        "all", "analyze", "as", "describe", "distinct", "echo", "except", "explain", "intersect",
        "printf", "summarize", "union",
    )
)  # fmt: skip
LAST_WORD = re.compile(r"[A-Za-z]+$")
LONGEST_GAP = 200


def holds_query(command: str) -> bool:
    """Tell whether a command holds a SQL query; takes time linear in its length."""
    text = ESCAPED_SPACE.sub("\n", _uncommented(command))
    selecting = False
    for found in STATEMENT.finditer(text):
        if found["end"]:
            selecting = False
        elif found["from"] and selecting:
            return True
        elif not _begins(text, found.start()):
            continue
        elif found["select"]:
            selecting = True
        elif found["whole"] or FROM_FIRST.match(text, found.start()):
            return True
    return False


def _begins(text: str, position: int) -> bool:
    """Tell whether a statement can begin here, by what stands before it."""
    before = text[max(0, position - LONGEST_GAP) : position].rstrip(" \t\r\f\v")
    if not before:
        return position <= LONGEST_GAP
    if before[-1] in BEGINNINGS:
        return True
    word = LAST_WORD.search(before[-12:])
    return word is not None and word[0].lower() in WORDS_BEFORE


def _uncommented(text: str) -> str:
    parts: list[str] = []
    position = 0
    while (start := BLOCK_START.search(text, position)) is not None:
        end = text.find("*/", start.end())
        if end < 0:
            break
        parts += [text[position : start.start()], " "]
        position = end + 2
    parts.append(text[position:])
    return LINE_COMMENT.sub("", "".join(parts))
