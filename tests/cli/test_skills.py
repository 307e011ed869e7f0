# SPDX-License-Identifier: MIT
"""`m4bench skills lint` and `m4bench tasks completeness` as a user calls them."""

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to" / "write-a-skill.md"
SKILL = """---
name: ward-score
description: A ward's own score. Use it when that is asked for.
---

One row per stay; derived tables may be absent. Creatinine above 5 mg/dL counts.
"""


def called(*words: str | Path, columns: int = 80) -> subprocess.CompletedProcess[str]:
    """Call m4bench in a terminal of some width."""
    return subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", *map(str, words)],
        env=os.environ | {"COLUMNS": str(columns)},
        capture_output=True,
        text=True,
        check=False,
    )


def ward_score(folder: Path, text: str = SKILL) -> Path:
    """Write a stranger's skill."""
    made = folder / "ward-score"
    made.mkdir()
    (made / "SKILL.md").write_text(text, encoding="utf-8")
    return made


def test_one_of_ours_passes_and_fits_a_narrow_terminal() -> None:
    """Exit 0, elements with lines, facts by kind, no line wider than 80 columns."""
    done = called("skills", "lint", "meld-score")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "held against mimic-meld-24h, mimic-meld-24h-raw" in done.stdout
    assert "62 of 62" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_a_strangers_skill_without_a_task_is_told_what_was_not_checked(tmp_path: Path) -> None:
    """The note goes to standard error; the elements are printed; nothing fails."""
    done = called("skills", "lint", ward_score(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "--task" in done.stderr
    assert "not stated" in done.stdout
    assert "facts stated" not in done.stdout


def test_absent_facts_fail_and_are_listed_without_queries(tmp_path: Path) -> None:
    """Exit 1; kind, value, subject and derivation of each; the contradiction with file and line."""
    done = called("skills", "lint", ward_score(tmp_path), "--task", "mimic-meld-24h")
    assert done.returncode == 1
    assert "absent from the skill" in done.stdout
    assert "50912" in done.stdout
    assert "ward-score/SKILL.md:6: 5 is no" in done.stdout
    assert "SELECT" not in done.stdout
    assert "CASE" not in done.stdout
    assert done.stderr.count("\n") == 1
    assert "facts absent" in done.stderr


def test_json_stands_alone_on_standard_output(tmp_path: Path) -> None:
    """The same, for programs: what is wrong is in the record, and the exit code says that something is."""
    done = called("skills", "lint", ward_score(tmp_path), "--task", "mimic-meld-24h", "--json")
    assert done.returncode == 1
    record = json.loads(done.stdout)
    assert (record["skill"], record["passed"], record["form"]) == ("ward-score", False, [])
    assert record["contradictions"][0]["line"] == 6
    assert {"kind": "item", "value": "50912"}.items() <= next(
        fact for fact in record["absent"] if fact["value"] == "50912"
    ).items()


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"\xff\xfe", "is not UTF-8 text"), (b"a" * 200_001, "is larger than 200 kB")],
)
def test_a_file_that_cannot_be_read_ends_in_one_line(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    """Exit 2 and one line that names the file."""
    folder = ward_score(tmp_path)
    (folder / "SKILL.md").write_bytes(content)
    done = called("skills", "lint", folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert problem in done.stderr
    assert "SKILL.md" in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_unknown_skill_ends_in_one_line_with_those_there_are() -> None:
    """Exit 2, and the remedy names the skills."""
    done = called("skills", "lint", "no-such-skill")
    assert done.returncode == 2
    assert "meld-score" in done.stderr


def test_completeness_tells_card_skill_and_operational_specification() -> None:
    """A table of three columns within 80 characters, exit 0 for a complete task."""
    done = called("tasks", "completeness", "mimic-meld-24h")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [word in done.stdout for word in ("card", "skill", "operational")] == [True] * 3
    assert "not asked" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_completeness_of_a_decoy_as_json() -> None:
    """What the decoy happens to state is told beside what the skill states."""
    words = ("tasks", "completeness", "mimic-meld-24h", "--condition", "with-skill-decoy", "--json")
    done = called(*words)
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert list(record) == ["card", "skill", "decoy"]
    assert record["decoy"]["contradictions"] == []
    assert 0 < len(record["decoy"]["stated"]) < len(record["skill"]["stated"])


def test_the_skill_that_the_guide_begins_with_fits_the_form(tmp_path: Path) -> None:
    """Written as the page shows it, it has no finding of form, and states its window at its line."""
    shown = re.search(r"```markdown\n(.*?)```", HOW_TO.read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    folder = tmp_path / "our-meld"
    folder.mkdir()
    (folder / "SKILL.md").write_text(textwrap.dedent(f"    {shown[1].lstrip()}"), encoding="utf-8")
    record = json.loads(
        called("skills", "lint", folder, "--task", "mimic-meld-24h", "--json").stdout
    )
    assert record["form"] == record["contradictions"] == []
    assert {fact["value"] for fact in record["stated"]} == {"6 hour", "24 hour"}
    assert record["elements"]["windows"]["line"] == 11


def test_a_finding_of_form_has_the_path_as_it_was_given(tmp_path: Path) -> None:
    """A folder's own path stands before the file, whether the folder or its SKILL.md is named."""
    folder = ward_score(tmp_path, SKILL.replace("ward-score", "other-score"))
    (folder / "notes.txt").write_text("x", encoding="utf-8")
    for given in (folder, folder / "SKILL.md"):
        lines = called("skills", "lint", given, columns=300).stdout.splitlines()
        assert (
            f"{folder / 'notes.txt'}: is no Markdown text; a skill holds .md files and nothing else"
            in lines
        )
        assert any(line.startswith(f"{folder / 'SKILL.md'}:2: ") for line in lines)
