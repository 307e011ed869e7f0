# SPDX-License-Identifier: MIT
"""The form of a skill's folder."""

from pathlib import Path

import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.specifications.skill import (
    Finding,
    format_findings,
    read_skill,
)

MATTER = """---
name: toy-score
description: Computes a toy score. Use it when one is asked for.
license: MIT
metadata:
  family: toy
  version: "1"
---
"""
BODY = """
# Toy score

The table that is asked for, and derived tables, may be absent.
Rates are in mcg/kg/min, read from `mimiciv_icu.inputevents` and/or orders, as K/µL.

## Sources

- Vincent et al. [The paper](https://doi.org/10.1007/BF01709751), https://example.org/page.
"""


def skill_in(folder: Path, text: str = MATTER + BODY, name: str = "toy-score") -> Path:
    """Write a skill and return its folder."""
    made = folder / name
    made.mkdir()
    (made / "SKILL.md").write_text(text, encoding="utf-8")
    return made


def found(folder: Path) -> list[Finding]:
    """Return the findings of a folder, with one derived table and one column known."""
    return format_findings(read_skill(folder), {"first_day_sofa", "meld", "a_dose"}, {"a_dose"})


def test_a_fitting_skill_has_no_findings(tmp_path: Path) -> None:
    """Units, alternatives, native tables and sources are no paths, queries or stray links."""
    assert found(skill_in(tmp_path)) == []


def test_a_folder_its_file_and_a_further_text_are_read(tmp_path: Path) -> None:
    """A skill may be named by its file, and may hold more texts."""
    folder = skill_in(tmp_path)
    (folder / "references").mkdir()
    (folder / "references" / "more.md").write_text("One more. Two more.", encoding="utf-8")
    skill = read_skill(folder / "SKILL.md")
    assert (skill.name, list(skill.texts)) == ("toy-score", ["SKILL.md", "references/more.md"])
    assert len(skill.statements()["references/more.md"]) == 2
    assert found(folder) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("name: toy-score", "name: Toy-Score", 2, "must be lowercase"),
        ("name: toy-score", "name: other", 2, "must match skill name"),
        ("name: toy-score\n", "", 1, "Missing required field in frontmatter: name"),
        ("license: MIT", "tier: one", 4, "Unexpected fields"),
        ("license: MIT", "compatibility: " + "x" * 501, 4, "exceeds 500"),
        ("Use it when one is asked for.", "x" * 1024, 3, "exceeds 1024"),
        ('version: "1"', "version: 1", 7, "the value of version is no text"),
        ("---\nname", "name", 1, "must start with YAML frontmatter"),
        ("may be absent", "are here", None, "may be absent"),
    ],
)
def test_front_matter_is_held_against_the_format(
    tmp_path: Path, old: str, new: str, line: int | None, problem: str
) -> None:
    """The reference validator's rules, texts as metadata, and the note on absent tables, each with its line."""
    text = MATTER + BODY
    assert old in text
    findings = found(skill_in(tmp_path, text.replace(old, new, 1)))
    assert [(one.file, one.line) for one in findings if problem in one.problem] == [
        ("SKILL.md", line)
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("```sql", "begins a block of SQL"),
        ("SELECT stay_id FROM icustays", "holds a query"),
        ("Use CASE WHEN a THEN b", "holds a query"),
        ("WITH first AS (", "holds a query"),
        ("select a.b from mimiciv_icu.icustays", "holds a query"),
        ("Read `mimiciv_derived.sofa`.", "names the derived table sofa"),
        ("Read `first_day_sofa`.", "names the derived table first_day_sofa"),
        ("See /usr/share/data.", "holds a path"),
        ("See ../other/SKILL.md.", "holds a path"),
        ("Run scripts/score.py now.", "holds a path"),
        ("Run score.sql now.", "holds a path"),
        ("See ~/notes.", "holds a path"),
        (r"See C:\data.", "holds a path"),
        ("See [more](references/more.md).", "no web address or DOI"),
        ("See ftp://example.org/file.", "no web address or DOI"),
        ("See https://example.org.", "outside the section Sources"),
    ],
)
def test_what_a_skill_may_not_hold_is_found_with_its_line(
    tmp_path: Path, line: str, problem: str
) -> None:
    """Queries, derived tables, paths and stray links."""
    text = (MATTER + BODY).replace("\n## Sources", f"{line}\n\n## Sources")
    number = text.split("\n").index(line) + 1
    findings = [one for one in found(skill_in(tmp_path, text)) if problem in one.problem]
    assert [one.line for one in findings] == [number]


@pytest.mark.parametrize(
    "line",
    [
        "The equivalent a_dose is a column.",
        "Select the values from the first day; order by time, then by name.",
        "With mean pressure as (mmHg) and/or the like, 1/2 of them.",
        "The MELD score is no derived table here.",
    ],
)
def test_prose_is_no_query_and_no_path(tmp_path: Path, line: str) -> None:
    """Words of queries in a sentence, names of columns and fractions are left alone."""
    assert found(skill_in(tmp_path, f"{MATTER}{BODY}\n{line}\n")) == []


def test_other_files_are_findings(tmp_path: Path) -> None:
    """Programs, hidden files and links are named; a hidden text is not read."""
    folder = skill_in(tmp_path)
    (folder / "score.py").write_text("print()")
    (folder / ".notes.md").write_text("hidden")
    (folder / "linked.md").symlink_to(folder / "SKILL.md")
    told = {one.file: one.problem for one in found(folder) if one.line is None}
    assert set(told) == {"score.py", ".notes.md", "linked.md"}
    assert "hidden" in told[".notes.md"]
    assert "link" in told["linked.md"]


@pytest.mark.parametrize(
    "matter", ["", "---\n- a\n- b\n---\n", "---\nname: [\n---\n", "---\n---\n"]
)
def test_broken_front_matter_is_a_finding(tmp_path: Path, matter: str) -> None:
    """No front matter, one that is a list, none YAML, an empty one: told, and no error."""
    assert any(one.line == 1 for one in found(skill_in(tmp_path, matter + BODY)))


def test_what_is_no_skill_is_refused(tmp_path: Path) -> None:
    """A missing folder, one without SKILL.md and one with bytes end in one line."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "bytes").mkdir()
    (tmp_path / "bytes" / "SKILL.md").write_bytes(b"\xff\xfe")
    for name in ("missing", "empty", "bytes"):
        with pytest.raises(InputError):
            read_skill(tmp_path / name)
