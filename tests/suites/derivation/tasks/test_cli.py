# SPDX-License-Identifier: MIT
"""`m4bench tasks`: what goes to standard output, and with which exit code it ends."""

import json
import os
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from m4bench.cli.tasks import app
from m4bench.model.errors import InputError
from m4bench.suites.derivation.tasks.cards import CONDITIONS, instruction, load_tasks
from m4bench.suites.derivation.tasks.materials import materials

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
    charlson = next(task for task in printed if task["name"] == "mimic-charlson-raw")
    assert charlson["scoring"]["key"] == ["hadm_id"]
    assert charlson["skills"] == ["comorbidity-score"]
    assert set(charlson["version"]) == {"scoring", "interface"}


@pytest.mark.parametrize("name", sorted(TASKS))
def test_show_prints_the_instruction_and_nothing_else(name: str) -> None:
    """Standard output is the instruction byte for byte."""
    result = runner.invoke(app, ["show", name, "--condition", "no-skill", "--schema", "native"])
    assert result.exit_code == 0
    assert result.stdout == instruction(TASKS[name], "no-skill", "native")


@pytest.mark.parametrize("condition", CONDITIONS)
def test_show_prints_every_file_whole_below_its_paths(condition: str) -> None:
    """First the instruction, then each text once; JSON holds the same by path, and the database's name."""
    task = TASKS["mimic-sepsis3-raw"]
    given = materials(task, condition, "native")
    text = runner.invoke(app, ["show", task.name, "--condition", condition, "--full"]).stdout
    told = json.loads(
        runner.invoke(app, ["show", task.name, "--condition", condition, "--json"]).stdout
    )
    assert set(told) == {"instruction", "files", "database"}
    assert told["instruction"] == given.instruction
    assert told["database"] == "database.duckdb"
    placed = {
        f"{folder}/{name}": text
        for folder in (".agents/skills", ".claude/skills")
        for name, text in given.skills.items()
    }
    assert told["files"] == placed | dict(given.programs)
    assert text.startswith(given.instruction)
    for path, content in told["files"].items():
        assert text.count(path) >= 1
        assert text.count(content) == 1
    assert (text == given.instruction) == (condition in ("no-skill", "operational-spec"))


@pytest.mark.parametrize("name", ["mimic-sepsis3-raw", "mimic-sofa-24h"])
def test_show_folds_the_program_and_nothing_else(name: str) -> None:
    """Of the program its documentation and every declared rule are left, and the lines left out add up."""
    command = ["show", name, "--condition", "with-skill+checks"]
    folded, full = (
        runner.invoke(app, arguments).stdout.splitlines()
        for arguments in (command, [*command, "--full"])
    )
    told = [line for line in folded if re.match(r"… \d+ lines of code", line)]
    left_out = sum(int(line.split()[1]) for line in told)
    assert left_out > 700
    assert len(folded) - len(told) + left_out == len(full)
    assert told[-1].endswith("; --full prints all")
    program = materials(TASKS[name], "with-checks", "native").programs["check"]
    rules = [line for line in program.splitlines() if line.startswith("  {")]
    assert len(rules) > 10
    assert set(rules) <= set(folded)
    assert any("Exit 0: ready to hand in" in line for line in folded)
    assert [line for line in folded if line.startswith("def ")] == []
    for text in materials(TASKS[name], "with-skill", "native").skills.values():
        assert text in "\n".join(folded) + "\n"


def test_completeness_folds_long_lists_unless_all_is_wanted() -> None:
    """Ten facts of a list are printed and the rest counted; in full each is, and nothing is folded in JSON."""
    command = ["completeness", "mimic-sofa-24h", "--condition", "with-skill-decoy"]
    folded, full = (
        runner.invoke(app, arguments).stdout for arguments in (command, [*command, "--full"])
    )
    (more,) = re.findall(r"^… (\d+) more; --full prints them$", folded, re.MULTILINE)
    assert "more; --full" not in full
    assert len(full.splitlines()) == len(folded.splitlines()) - 1 + int(more)
    record = json.loads(runner.invoke(app, [*command, "--json"]).stdout)
    assert len(record["decoy"]["stated"]) == 10 + int(more)


def test_show_gives_the_raw_sql_of_a_convention() -> None:
    """The derivation is that of the convention that is asked for; without one it is the published one."""
    command = ["show", "mimic-sofa-24h", "--condition", "with-skill-rawsql"]
    texts = {
        convention: runner.invoke(app, [*command, "--convention", convention]).stdout
        for convention in ("published", "adjudicated")
    }
    assert texts["published"] == runner.invoke(app, command).stdout
    assert texts["published"] != texts["adjudicated"]


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
