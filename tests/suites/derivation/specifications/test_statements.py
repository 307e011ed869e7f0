# SPDX-License-Identifier: MIT
"""Markdown read as statements with lines and what they stand under."""

import os
from pathlib import Path

import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.specifications.statements import (
    LARGEST_TEXT,
    LONGEST_STATEMENT,
    Statement,
    read_text,
    statements,
)

SKILL = """---
name: a-skill
---

# A score

A first sentence. A second one, e.g. 4 of them,
ends on the next line!

## Heart rate

The points are:

- lowest **heart rate**:
  - below `40`: 11 points

    a further paragraph
- highest heart rate

| test | points |
|---|---|
| below 40 | 11 |
| from 40 |

**Lead** of a paragraph. Its second sentence.

```
ratio = a / b
```

```sql
SELECT a FROM b
```
"""


def lines(text: str) -> list[tuple[int, str]]:
    """Return the statements of a text as lines and words."""
    return [(one.line, one.text) for one in statements(text)]


def test_sentences_bullets_rows_and_lines_of_code_are_statements() -> None:
    """Each has the line it begins in; front matter and queries are none."""
    assert lines(SKILL) == [
        (7, "A first sentence."),
        (7, "A second one, e.g. 4 of them,\nends on the next line!"),
        (12, "The points are:"),
        (14, "lowest heart rate:"),
        (15, "below 40: 11 points"),
        (17, "a further paragraph"),
        (18, "highest heart rate"),
        (22, "below 40\t11"),
        (23, "from 40\t"),
        (25, "Lead of a paragraph."),
        (25, "Its second sentence."),
        (28, "ratio = a / b"),
    ]


def test_a_statement_knows_what_it_stands_under() -> None:
    """Headings, the bullets above, what announces a list or table, a paragraph's bold beginning, header cells."""
    by_text = {one.text: one for one in statements(SKILL)}
    assert by_text["A first sentence."].sections == ("A score",)
    nested = by_text["below 40: 11 points"]
    assert nested.sections == ("A score", "Heart rate")
    assert nested.leads == ("The points are:", "lowest heart rate:")
    row = by_text["below 40\t11"]
    assert row.headers == ("test", "points")
    assert row.cells == ("below 40", "11")
    assert by_text["from 40\t"].cells == ("from 40", "")
    assert by_text["Its second sentence."].leads == ("Lead",)


def test_a_place_in_a_statement_has_the_line_of_the_file() -> None:
    """A sentence over two lines tells the second line for its second half."""
    statement = statements("One sentence\nover two lines.")[0]
    assert [statement.line_of(statement.text.index(word)) for word in ("One", "over")] == [1, 2]


def test_code_is_told_by_place_and_moves_with_an_edit() -> None:
    """Where words are set as code is known in sentences and in rows, before and after an edit."""
    statement = statements("Devices are `None` and `Trach mask `.")[0]
    assert [statement.text[a:b] for a, b in statement.code] == ["None", "Trach mask "]
    edited = statement.edited(0, 7, "The devices")
    assert [edited.text[a:b] for a, b in edited.code] == ["None", "Trach mask "]
    row = statements("| a | b |\n|---|---|\n| x | `y`, z |")[0]
    assert [row.text[a:b] for a, b in row.code] == ["y"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("# Only a heading\n\n## And another\n", []),
        ("one\r\ntwo\r\n", [(1, "one\ntwo")]),
        ("---\nnot closed\n", [(2, "not closed")]),
        ("Kept <!-- not this -->here.", [(1, "Kept  here.")]),
        ("<table><tr><td>nothing</td></tr></table>", []),
        ("- a\n- b\n", [(1, "a"), (2, "b")]),
        ("Values &ge; 5 and \\*.", [(1, "Values ≥ 5 and *.")]),
        ("A gas of ART. Specimen counts.", [(1, "A gas of ART. Specimen counts.")]),
        ("> quoted text", [(1, "quoted text")]),
        ("- # heading in a bullet\n\n  under it\n- next\n", [(3, "under it"), (4, "next")]),
    ],
)
def test_texts_of_all_kinds_are_read(
    tmp_path: Path, text: str, expected: list[tuple[int, str]]
) -> None:
    """Empty texts, other line ends, unclosed front matter, HTML, entities, abbreviations, quotations."""
    path = tmp_path / "text.md"
    path.write_bytes(text.encode())
    assert lines(read_text(path)) == expected


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    """A text that an editor began with a mark begins after it."""
    path = tmp_path / "text.md"
    path.write_bytes("\ufeffone".encode())
    assert lines(read_text(path)) == [(1, "one")]


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"\xff\xfe\x00", "is not UTF-8 text"), (b"a" * (LARGEST_TEXT + 1), "is larger than 200 kB")],
)
def test_a_file_that_is_no_text_of_that_size_is_refused(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    """Bytes that are not UTF-8, and more than a megabyte, end in one line that names the file."""
    path = tmp_path / "text.md"
    path.write_bytes(content)
    with pytest.raises(InputError, match=problem) as caught:
        read_text(path)
    assert caught.value.file == path


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A folder, a missing file and a pipe are refused, and the pipe is not waited for."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "missing.md", tmp_path / "pipe"):
        with pytest.raises(InputError):
            read_text(path)


def test_a_long_paragraph_is_many_statements() -> None:
    """A text without any markup is read sentence by sentence, whatever its length."""
    found = statements("The heart rate is below 40. " * 5000)
    assert len(found) == 5000
    assert set(found) == {Statement(1, "The heart rate is below 40.")}


def test_what_is_longer_than_anybody_writes_is_read_in_pieces() -> None:
    """A paragraph without an end, and a row as long, are pieces whose words and lines are kept."""
    words = "below 40 and\n" * 2000
    pieces = statements(words)
    assert max(len(one.text) for one in pieces) <= LONGEST_STATEMENT
    assert "".join(one.text for one in pieces).split() == words.split()
    assert [one.line for one in pieces[:2]] == [1, words[: len(pieces[0].text)].count("\n") + 1]
    row = statements(f"| a | b |\n|---|---|\n| {'x ' * 3000} | y |\n")
    assert {one.headers for one in row} == {()}
