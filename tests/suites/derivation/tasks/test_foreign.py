# SPDX-License-Identifier: MIT
"""Folders of tasks that are another's: links, pipes and other files hand nothing out, stop nothing, run nothing."""

import os
import shutil
from pathlib import Path

import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.checks.lint import check_problems
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT, load_tasks, read_task
from m4bench.suites.derivation.tasks.lint import lint
from m4bench.suites.derivation.tasks.materials import materials

NAME = "mimic-sofa-24h"
SKILL = "skills/sofa-score/SKILL.md"


@pytest.fixture
def family(tmp_path: Path) -> Path:
    """The SOFA family in a root of its own."""
    root = tmp_path / "root"
    shutil.copytree(TASKS_ROOT / "sofa", root / "sofa")
    return root / "sofa"


def _given(family: Path, condition: str) -> None:
    task = load_tasks()[NAME]
    materials(task, condition, "native", root=family.parent)


@pytest.mark.parametrize(
    ("file", "condition"), [(SKILL, "with-skill"), ("operational-spec.md", "operational-spec")]
)
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_link_or_pipe_is_given_to_no_agent(
    file: str, condition: str, kind: str, family: Path, tmp_path: Path
) -> None:
    """A file of the machine behind a link stays there, and a pipe is not waited for."""
    secret = tmp_path / "secret.md"
    secret.write_text("of this machine", encoding="utf-8")
    (family / file).unlink()
    if kind == "link":
        (family / file).symlink_to(secret)
    else:
        os.mkfifo(family / file)
    with pytest.raises(InputError, match="a link, or no regular file"):
        _given(family, condition)


def test_a_linked_folder_of_a_skill_is_not_followed(family: Path, tmp_path: Path) -> None:
    """A whole folder behind a link is given as little as a file."""
    shutil.move(family / "skills/sofa-score", tmp_path / "elsewhere")
    (family / "skills/sofa-score").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="is a link"):
        _given(family, "with-skill")


def test_a_skill_gives_markdown_alone(family: Path) -> None:
    """A database or a program among a skill's files stops the run."""
    (family / "skills/sofa-score/database.duckdb").write_bytes(b"DUCK")
    with pytest.raises(InputError, match="is no Markdown"):
        _given(family, "with-skill")


@pytest.mark.parametrize("name", ["*", "../skills/sofa-score", "/etc", ""])
def test_the_name_of_a_skill_is_no_path(name: str, family: Path) -> None:
    """A definition names skills by the names of their folders and by nothing else."""
    task = load_tasks()[NAME].model_copy(update={"skills": (name,)})
    with pytest.raises(InputError):
        materials(task, "with-skill", "native", root=family.parent)


@pytest.mark.parametrize(
    "file", [f"{NAME}/task.toml", f"{NAME}/instruction.md", "naive.sql", "checks.toml"]
)
def test_lint_waits_for_no_pipe(file: str, family: Path) -> None:
    """A pipe in the place of a file is a finding."""
    (family / file).unlink()
    os.mkfifo(family / file)
    findings = lint([NAME], root=family.parent)
    assert any(finding.file == family / file for finding in findings), findings


@pytest.mark.parametrize("place", ["relation", "rule"])
def test_lint_runs_nothing_that_a_declaration_says(
    place: str, family: Path, tmp_path: Path
) -> None:
    """A second statement in a query or a condition is a finding and is not carried out."""
    file = tmp_path / "written"
    told = f"; COPY (SELECT 42) TO '{file}'"
    checks = family / "checks.toml"
    text = checks.read_text(encoding="utf-8")
    if place == "relation":
        text = text.replace("FROM mimiciv_icu.icustays", f"FROM mimiciv_icu.icustays{told}", 1)
    else:
        rule = f"true FROM answer{told}; SELECT true"
        text += f'\n[[rows]]\nholds = "{rule}"\nsays = "a rule"\n'
    assert told in text
    checks.write_text(text, encoding="utf-8")
    task = read_task(family / NAME)
    assert list(check_problems(task, family.parent)) != []
    assert not file.exists()
