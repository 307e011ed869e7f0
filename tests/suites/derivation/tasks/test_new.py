# SPDX-License-Identifier: MIT
"""A new task: begun from its reference, found by lint until it is written, and never over something that is there."""

from pathlib import Path

import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT, load_tasks, read_task
from m4bench.suites.derivation.tasks.lint import lint
from m4bench.suites.derivation.tasks.new import NewTask, begin_task

LODS = NewTask("mimic-lods-24h", "lods", "lods-24h", "raw")


@pytest.mark.parametrize("reference", sorted(library().references))
def test_what_is_begun_reads_as_a_task(reference: str, tmp_path: Path) -> None:
    """The definition of a new task is valid and has its reference's columns and key; what is unwritten is found.

    A title or meaning that names the database is left to the author, and found too.
    """
    begin_task(NewTask("a-task", "a-family", reference, "raw"), tmp_path)
    task = read_task(tmp_path / "a-family" / "a-task")
    header = library().references[reference].header
    assert task.scoring.required == tuple(column.name for column in header.columns)
    assert task.scoring.key == header.key
    problems = {finding.problem for finding in lint(["a-task"], root=tmp_path)}
    named = {"names a database"} if reference.startswith("eicu") else set()
    assert {problem for problem in problems if "TO WRITE" not in problem} <= named
    assert "still has a place marked TO WRITE" in problems


def test_a_second_task_leaves_what_its_family_shares_alone(tmp_path: Path) -> None:
    """Files of the family that are there keep their bytes."""
    begin_task(LODS, tmp_path)
    query = tmp_path / "lods" / "naive.sql"
    query.write_text("SELECT 1", encoding="utf-8")
    written = begin_task(NewTask("mimic-lods-12h", "lods", "lods-24h", "standard"), tmp_path)
    assert query.read_text(encoding="utf-8") == "SELECT 1"
    assert {file.parent.name for file in written} == {"mimic-lods-12h"}


@pytest.mark.parametrize(
    ("task", "problem"),
    [
        (NewTask("mimic-sofa-24h", "sofa", "sofa-24h", "raw"), "there is a task called"),
        (NewTask("Mimic LODS", "lods", "lods-24h", "raw"), "is no name for a task"),
        (NewTask("mimic-lods", "../lods", "lods-24h", "raw"), "is no name for a family"),
        (NewTask("mimic-lods", "lods", "lods-25h", "raw"), "no reference is called"),
        (NewTask("mimic-lods", "lods", "lods-24h", "easy"), "there is no mode"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_written(
    task: NewTask, problem: str, tmp_path: Path
) -> None:
    """A name that is taken or leaves the folder, an unknown reference or mode: one line, nothing written."""
    with pytest.raises(InputError, match=problem):
        begin_task(task, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    """A task begun twice is refused and keeps what its author wrote."""
    begin_task(LODS, tmp_path)
    card = tmp_path / "lods/mimic-lods-24h/instruction.md"
    card.write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="there is a task called"):
        begin_task(LODS, tmp_path)
    assert card.read_text(encoding="utf-8") == "mine"


def test_a_root_that_a_user_names_is_walked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A task below a folder of the variable stands beside the suite's own."""
    begin_task(LODS, tmp_path)
    own = set(load_tasks(TASKS_ROOT))
    monkeypatch.setenv("M4BENCH_TASKS", str(tmp_path))
    assert set(load_tasks()) - own >= {"mimic-lods-24h"}
