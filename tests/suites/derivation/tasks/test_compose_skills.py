# SPDX-License-Identifier: MIT
"""The skills agents are given are those their authors wrote, with shared sections in place."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
SCRIPT = ROOT / "tools" / "compose_skills.py"
SKILL = """---
name: heart-score
description: Scores hearts.
metadata:
  site: mimic
  family: heart
---
# Heart

{{ block: gas }}

End.
"""


def compose(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the tool as a user does, with no environment of the project's."""
    command = [sys.executable, "-I", "-S", SCRIPT, *arguments]
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


@pytest.fixture
def workshop(tmp_path: Path) -> Path:
    """A skill with one block, and a family it belongs to."""
    (tmp_path / "skills" / "blocks").mkdir(parents=True)
    (tmp_path / "tasks" / "heart").mkdir(parents=True)
    (tmp_path / "skills" / "heart-score.md").write_text(SKILL)
    (tmp_path / "skills" / "blocks" / "gas.md").write_text("## Gas\n\nWords — and µ.\n\n")
    return tmp_path


def told(workshop: Path, *arguments: object) -> tuple[int, list[str]]:
    """Exit code and lines of the tool in a workshop."""
    done = compose("--from", workshop / "skills", "--to", workshop / "tasks", *arguments)
    return done.returncode, done.stderr.splitlines()


def test_the_skills_here_are_as_they_would_be_written() -> None:
    """No skill was edited where it is written to, and none is stale."""
    done = compose("--check")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_block_stands_in_place_of_its_line(workshop: Path) -> None:
    """The skill is written into its family's folder, word for word but for the block; check then agrees."""
    assert told(workshop, "--check")[0] == 2
    assert told(workshop) == (0, [])
    written = workshop / "tasks" / "heart" / "skills" / "heart-score" / "SKILL.md"
    wanted = SKILL.replace("{{ block: gas }}", "## Gas\n\nWords — and µ.")
    assert written.read_text(encoding="utf-8") == wanted
    assert sorted(path.name for path in written.parent.iterdir()) == ["SKILL.md"]
    assert told(workshop, "--check") == (0, [])
    written.write_text(wanted + "\n")
    assert told(workshop, "--check")[0] == 2


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        ("heart-score.md", "block: gas", "block: air", "no block is called air"),
        ("heart-score.md", "{{ block: gas }}", "Gas.", "no skill uses it"),
        ("heart-score.md", "{{ block: gas }}", "See {{ block: gas }}", "stands alone on its line"),
        ("heart-score.md", "family: heart", "family: lung", "no family is called lung"),
        ("heart-score.md", "  family: heart\n", "", "no metadata.family"),
        ("heart-score.md", "name: heart-score", "name: heart", "does not say name: heart-score"),
        ("blocks/gas.md", "Words", "{{ block: gas }}", "a block holds no other"),
    ],
)
def test_what_has_to_be_mended_is_one_line(
    workshop: Path, file: str, old: str, new: str, problem: str
) -> None:
    """Each slip of an author is told in lines of which one names it, with exit code 2."""
    path = workshop / "skills" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    code, lines = told(workshop)
    assert code == 2
    assert any(problem in line for line in lines)
    assert all(".md:" in line for line in lines)


def test_a_slip_holds_up_no_other_skill(workshop: Path) -> None:
    """A sound skill is written although another has to be mended."""
    (workshop / "skills" / "lost.md").write_text("# No front matter\n")
    code, lines = told(workshop)
    assert (code, len(lines)) == (2, 1)
    assert (workshop / "tasks" / "heart" / "skills" / "heart-score" / "SKILL.md").is_file()


def test_a_skill_that_nobody_authors_any_more_is_told(workshop: Path) -> None:
    """A written skill outlives its source only until the next check."""
    assert told(workshop)[0] == 0
    (workshop / "skills" / "heart-score.md").unlink()
    (workshop / "skills" / "blocks" / "gas.md").unlink()
    code, lines = told(workshop, "--check")
    assert code == 2
    assert "no skill of this name is authored" in lines[0]
