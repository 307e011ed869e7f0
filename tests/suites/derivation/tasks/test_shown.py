# SPDX-License-Identifier: MIT
"""What tasks show is recorded by hash: a text that changes takes a new interface version with it."""

import copy
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from m4bench.suites.derivation.tasks.cards import CONDITIONS, load_tasks
from m4bench.suites.derivation.tasks.roots import OWN

SCRIPT = Path(__file__).parents[4] / "tools" / "shown_hashes.py"
_SPEC = importlib.util.spec_from_file_location("shown_hashes", SCRIPT)
assert _SPEC is not None
assert _SPEC.loader is not None
shown_hashes = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(shown_hashes)
differences = shown_hashes.differences


def tool(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the tool as the Makefile does."""
    command = [sys.executable, SCRIPT, *arguments]
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The record as it would be written now."""
    file = tmp_path_factory.mktemp("shown") / "shown.json"
    done = tool("--file", file)
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def test_every_task_is_recorded_under_every_condition(recorded: dict[str, Any]) -> None:
    """With its interface version, and the raw SQL once a convention; no two conditions show the same."""
    tasks = load_tasks(OWN)
    assert set(recorded) == set(tasks)
    for name, entry in recorded.items():
        assert entry["interface"] == tasks[name].version.interface
        assert {key.split()[0] for key in entry["shown"]} == set(CONDITIONS)
        assert len(entry["shown"]) == len(CONDITIONS) + 2
        own = [digest for key, digest in entry["shown"].items() if " " not in key]
        assert len(set(own)) == len(CONDITIONS)


def _other_text(entry: dict[str, Any]) -> None:
    entry["shown"]["with-skill"] = "0" * 64


def _other_version(entry: dict[str, Any]) -> None:
    _other_text(entry)
    entry["interface"] += 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_other_text, "raise version.interface in its task.toml and run make shown"),
        (_other_version, "is recorded under 2: run make shown"),
        (None, "is not recorded: run make shown"),
    ],
)
def test_a_change_is_told_with_what_to_do(change: Any, said: str, recorded: dict[str, Any]) -> None:
    """Another text under the same version, another version, and a task that is new are one line each."""
    assert list(differences(recorded, recorded)) == []
    before = copy.deepcopy(recorded)
    if change is None:
        del before["mimic-sofa-24h"]
    else:
        change(before["mimic-sofa-24h"])
    (line,) = differences(before, recorded)
    assert line.startswith("mimic-sofa-24h ")
    assert said in line


def test_a_record_that_is_missing_is_told(tmp_path: Path) -> None:
    """Without a record there is nothing to hold the texts to."""
    done = tool("--check", "--file", tmp_path / "none.json")
    assert done.returncode == 2
    assert "nothing is recorded" in done.stderr


def test_what_is_recorded_is_what_tasks_show() -> None:
    """The committed record holds; after a change to a text raise the interface version and run `make shown`."""
    done = tool("--check")
    assert (done.returncode, done.stderr) == (0, "")
