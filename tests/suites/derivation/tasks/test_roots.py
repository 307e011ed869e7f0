# SPDX-License-Identifier: MIT
"""Folders of tasks that guests bring: a name that is taken leaves the guest out, never what was there before."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT, load_tasks, select_tasks
from m4bench.suites.derivation.tasks.lint import lint
from m4bench.suites.derivation.tasks.roots import refusals, task_roots

LACTATE = Path(__file__).parent / "toy_package/toy_tasks/lactate"
TASK = "toy-first-lactate"
OWN_TASKS = frozenset(load_tasks(TASKS_ROOT))
SOFA = "sofa/mimic-sofa-24h/task.toml"
Guest = Callable[[str], Path]


@pytest.fixture
def guest(tmp_path: Path) -> Guest:
    """A function that makes a root of its own with the family of the toy package."""

    def make(name: str) -> Path:
        shutil.copytree(LACTATE, tmp_path / name / "lactate")
        return tmp_path / name

    return make


def _like_ours(root: Path, kind: str) -> Path:
    """Give a guest something that bears a name of the suite's, and return its file."""
    if kind == "task":
        shutil.copytree(TASKS_ROOT / "sofa/mimic-sofa-24h", root / "sofa/mimic-sofa-24h")
        return root / SOFA
    file = root / "lactate/references/sofa-24h.sql"
    shutil.copy(TASKS_ROOT.parent / "references/sofa-24h.sql", file)
    return file


@pytest.mark.parametrize(
    ("kind", "ours"),
    [("task", TASKS_ROOT / SOFA), ("reference", TASKS_ROOT.parent / "references/sofa-24h.sql")],
)
def test_a_guest_with_a_name_of_ours_is_left_out(
    kind: str,
    ours: Path,
    guest: Guest,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Our tasks and references are as without it; a warning and the error name its file before ours."""
    root = guest("theirs")
    theirs = _like_ours(root, kind)
    monkeypatch.setenv("M4BENCH_TASKS", str(root))
    assert root not in task_roots()
    assert set(load_tasks()) >= OWN_TASKS
    assert TASK not in load_tasks()
    assert library().references["sofa-24h"].path == TASKS_ROOT.parent / "references/sofa-24h.sql"
    (told,) = [message for message in caplog.messages if str(root) in message]
    assert told.startswith(f"{theirs}: the name of the {kind} ")
    assert told.index(str(theirs)) < told.index(str(ours)) < told.index("rename the former")
    with pytest.raises(InputError) as caught:
        select_tasks([TASK])
    assert (caught.value.file, str(ours) in caught.value.problem) == (theirs, True)
    assert "rename the former" in (caught.value.remedy or "")
    with pytest.raises(InputError, match="is taken by"):
        lint([TASK])


def test_of_two_guests_with_one_name_the_first_stays(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The later of two folders is left out, and told for every name; lint has a finding for each."""
    first, second = guest("first"), guest("second")
    monkeypatch.setenv("M4BENCH_TASKS", os.pathsep.join([str(first), str(second)]))
    assert first in task_roots()
    assert second not in task_roots()
    assert TASK in load_tasks()
    files = {
        refusal.kind: (refusal.file, refusal.taken_by)
        for refusal in refusals()
        if refusal.root == second
    }
    assert files == {
        "task": tuple(each / "lactate" / TASK / "task.toml" for each in (second, first)),
        "reference": tuple(
            each / "lactate/references/first-lactate.sql" for each in (second, first)
        ),
    }
    found = [finding.file for finding in lint() if "is taken by" in finding.problem]
    assert set(found) == {file for file, _ in files.values()}


def test_a_guest_with_one_name_twice_is_left_out(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two families of one folder with a task of one name: neither is taken, ours are."""
    root = guest("theirs")
    shutil.copytree(root / "lactate" / TASK, root / "lactates" / TASK)
    monkeypatch.setenv("M4BENCH_TASKS", str(root))
    assert set(load_tasks()) >= OWN_TASKS
    assert [r.taken_by for r in refusals()] == [root / "lactate" / TASK / "task.toml"]


def test_a_folder_that_is_named_twice_is_walked_once(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One folder under two names is no clash with itself, and ours is not one with ours."""
    root = guest("theirs")
    link = root.with_name("link")
    link.symlink_to(root)
    named = [str(root), str(link), str(TASKS_ROOT)]
    monkeypatch.setenv("M4BENCH_TASKS", os.pathsep.join(named))
    assert [each for each in task_roots() if each.resolve() == root] == [root]
    assert refusals() == ()
    assert TASK in load_tasks()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["tasks", "list"], 0),
        (["tasks", "show", "mimic-sofa-24h"], 0),
        (["references", "list"], 0),
        (["tasks", "show", TASK], 2),
        (["tasks", "lint", TASK], 2),
    ],
)
def test_only_who_asks_for_the_guest_is_refused(
    arguments: list[str], code: int, guest: Guest
) -> None:
    """Ours are listed and shown beside a note on stderr; what the guest brings ends with exit 2."""
    root = guest("theirs")
    theirs = _like_ours(root, "task")
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"M4BENCH_TASKS": str(root)},
    )
    assert done.returncode == code, done.stderr
    assert (done.stdout == "") == (code == 2)
    assert f"{theirs}: the name of the task mimic-sofa-24h is taken by" in done.stderr
    assert "Traceback" not in done.stderr
