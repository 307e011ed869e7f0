# SPDX-License-Identifier: MIT
"""`m4bench tasks`: what goes to standard output, and with which exit code it ends."""

import json
import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from m4bench.cli.tasks import app
from m4bench.model.errors import InputError
from m4bench.suites.derivation.tasks.cards import instruction, load_tasks

TASKS = load_tasks()
runner = CliRunner()


def test_list_names_every_task() -> None:
    """The table shows each task's name in full on a narrow terminal."""
    result = runner.invoke(app, ["list"], env={"COLUMNS": "80"})
    assert result.exit_code == 0
    assert all(name in result.stdout for name in TASKS)


def test_list_as_json_is_json_alone() -> None:
    """JSON holds every task in order, with its scoring rules."""
    result = runner.invoke(app, ["list", "--json"])
    printed = json.loads(result.stdout)
    assert [task["name"] for task in printed] == list(TASKS)
    assert printed[0]["scoring"]["key"] == ["hadm_id"]
    assert printed[0]["version"] == {"scoring": 1, "interface": 1}


@pytest.mark.parametrize("name", sorted(TASKS))
def test_show_prints_the_instruction_and_nothing_else(name: str) -> None:
    """Standard output is the instruction byte for byte."""
    result = runner.invoke(app, ["show", name, "--condition", "no-skill", "--schema", "native"])
    assert result.exit_code == 0
    assert result.stdout == instruction(TASKS[name], "no-skill", "native")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["show", "mimic-sofa"], "no task is called mimic-sofa"),
        (["show", "mimic-sofa-24h", "--condition", "luck"], "no condition is called luck"),
        (["show", "mimic-sofa-24h", "--convention", "luck"], "no convention is called luck"),
        (["show", "mimic-sofa-24h", "--schema", "obfuscated"], "not available yet in this version"),
        (["lint", "mimic-sofa"], "no task is called mimic-sofa"),
    ],
)
def test_bad_usage_is_an_input_error(arguments: list[str], problem: str) -> None:
    """What cannot be shown is refused with a line, and nothing is printed."""
    result = runner.invoke(app, arguments)
    assert isinstance(result.exception, InputError)
    assert problem in str(result.exception)
    assert result.stdout == ""


def test_lint_of_clean_tasks_prints_nothing() -> None:
    """Without a finding there is no output and the exit code is 0."""
    result = runner.invoke(app, ["lint"])
    assert (result.exit_code, result.stdout) == (0, "")


def test_show_is_the_same_from_a_shell() -> None:
    """A process of its own prints the UTF-8 text whatever the locale."""
    code = "from m4bench.cli.tasks import app; app()"
    result = subprocess.run(
        [sys.executable, "-c", code, "show", "mimic-meld-24h"],
        capture_output=True,
        check=True,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
    )
    assert result.stdout.decode() == instruction(TASKS["mimic-meld-24h"], "no-skill", "native")
