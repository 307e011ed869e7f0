# SPDX-License-Identifier: MIT
"""A family of tasks from another package: once installed it is listed, linted, run and scored like the suite's own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from m4bench.harness.sandbox.bwrap import BubblewrapSandbox

PACKAGE = Path(__file__).parents[1] / "suites/derivation/tasks/toy_package"
TASK = "toy-first-lactate"


def m4bench(*arguments: str, status: int = 0, **variables: str) -> str:
    """Return what a command prints, run where the package is installed."""
    paths = os.pathsep.join([str(PACKAGE), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": paths} | variables,
    )
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr if status else done.stdout


@pytest.mark.sandbox
def test_a_package_brings_a_family_of_tasks(tmp_path: Path, bubblewrap: BubblewrapSandbox) -> None:
    """Without a line of ours changed: list, lint, references, databases, run, score."""
    assert TASK in m4bench("tasks", "list", "--json")
    assert m4bench("tasks", "lint", TASK) == ""
    assert m4bench("tasks", "show", TASK).count("# First lactate of the ICU stay") == 1
    store = ("--store", str(tmp_path / "store"))
    m4bench("data", "synth", "--stays", "20", *store)
    m4bench("references", "build", "synthetic", "first-lactate", *store)
    m4bench("databases", "build", "synthetic", TASK, *store)
    rewards = {}
    for agent in ("reference", "naive"):
        told = m4bench(
            *("run", TASK, "--agent", agent, "--condition", "no-skill", "--dataset", "synthetic"),
            *("--results", str(tmp_path / "results"), "--json", *store),
        )
        rewards[agent] = json.loads(told)["score"]["reward"]
    assert rewards["reference"] == 1.0
    assert rewards["naive"] < 1.0


def test_a_reference_of_a_package_that_does_not_fit_is_refused_in_one_line(tmp_path: Path) -> None:
    """A folder named by the user whose reference reads what it does not declare stops with the file's name."""
    folder = tmp_path / "lactate" / "references"
    folder.mkdir(parents=True)
    own = PACKAGE / "toy_tasks/lactate/references/first-lactate.sql"
    text = own.read_text(encoding="utf-8").replace("first-lactate", "other-lactate")
    text = text.replace("inputs: [mimiciv_icu.icustays, ", "inputs: [")
    (folder / "other-lactate.sql").write_text(text, encoding="utf-8")
    told = m4bench("references", "list", status=2, M4BENCH_TASKS=str(tmp_path))
    assert "other-lactate.sql" in told
    assert "declared inputs and SQL differ in: mimiciv_icu.icustays" in told
    assert "Traceback" not in told


def test_a_folder_of_tasks_that_is_not_there_is_refused_in_one_line(tmp_path: Path) -> None:
    """A name in the variable that leads nowhere is bad usage."""
    told = m4bench("tasks", "list", status=2, M4BENCH_TASKS=str(tmp_path / "nowhere"))
    assert "there is no such folder of tasks" in told
    assert "Traceback" not in told
