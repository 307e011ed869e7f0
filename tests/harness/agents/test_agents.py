# SPDX-License-Identifier: MIT
"""Agents: how they are found, what they refuse, how their programs are started and told apart."""

from pathlib import Path

import pytest

from m4bench.data.store import Store
from m4bench.harness.agents.agent import AgentContext, AgentSettings, agent_names, make_agent
from m4bench.harness.agents.command import CommandAgent
from m4bench.harness.sandbox.sandbox import Layout
from m4bench.model.errors import InputError
from m4bench.suites.suite import StageRequest, find_task

LAYOUT = Layout("/task", "/agent", "/home/agent", "/runtime/bin/python3", "/bin")


def context(store: Store) -> AgentContext:
    """What an agent is told about a run of the toy's task."""
    suite, task = find_task("toy-word")
    request = StageRequest(store, "toy", "plain", "upright", "strict", "published")
    return AgentContext(suite, task, request, "Find the word.", LAYOUT)


def test_our_agents_and_an_installed_one_are_found(toy: None) -> None:
    """A third party's agent appears by being installed, and nothing here is edited for it."""
    assert {"reference", "naive", "empty", "command", "toy-copier"} <= set(agent_names())
    assert make_agent("toy-copier", AgentSettings()).version() == "1.0"


def test_an_unknown_agent_is_refused_with_the_known_ones() -> None:
    """The remedy lists what is installed."""
    with pytest.raises(InputError, match=r"choose one of: .*reference"):
        make_agent("nobody", AgentSettings())


@pytest.mark.parametrize("name", ["reference", "naive", "empty"])
@pytest.mark.parametrize(
    "settings",
    [AgentSettings(model="m"), AgentSettings(program=Path("p")), AgentSettings(effort="high")],
)
def test_a_baseline_refuses_what_it_would_not_use(name: str, settings: AgentSettings) -> None:
    """A model that is not used would be a lie in the record."""
    with pytest.raises(InputError, match="takes no --"):
        make_agent(name, settings)


def test_baselines_run_the_suites_script(toy_store: Store) -> None:
    """The script stands in the program folder and is run by the agent's Python."""
    launch = make_agent("reference", AgentSettings()).prepare(context(toy_store))
    assert launch.argv == ("/runtime/bin/python3", "/agent/reference.py")
    assert "heron" in launch.files["reference.py"]
    assert not make_agent("reference", AgentSettings()).publishable


@pytest.mark.parametrize(
    ("name", "mode", "argv"),
    [
        ("solve.py", 0o644, ("/runtime/bin/python3", "/agent/solve.py", "--fast", "two words")),
        ("solve", 0o755, ("/agent/solve", "--fast", "two words")),
    ],
)
def test_a_program_is_started_by_its_kind(
    name: str, mode: int, argv: tuple[str, ...], tmp_path: Path, toy_store: Store
) -> None:
    """A .py file by the agent's Python, another by itself; arguments are split as a shell would."""
    program = tmp_path / name
    program.write_text("#!/bin/sh\n")
    program.chmod(mode)
    agent = CommandAgent(AgentSettings(program=program, program_args="--fast 'two words'"))
    assert agent.prepare(context(toy_store)).argv == argv
    assert str(tmp_path) not in str(agent.options())


def test_a_folder_is_started_by_its_entry(tmp_path: Path, toy_store: Store) -> None:
    """An executable `run` comes before a `main.py`."""
    (tmp_path / "main.py").write_text("")
    agent = CommandAgent(AgentSettings(program=tmp_path))
    assert agent.prepare(context(toy_store)).argv == ("/runtime/bin/python3", "/agent/main.py")
    (tmp_path / "run").write_text("#!/bin/sh\n")
    (tmp_path / "run").chmod(0o755)
    agent = CommandAgent(AgentSettings(program=tmp_path))
    assert agent.prepare(context(toy_store)).argv == ("/agent/run",)


def test_a_program_is_told_apart_by_what_it_does(tmp_path: Path) -> None:
    """A changed file, name or execute bit is another version; caches are not."""
    (tmp_path / "main.py").write_text("1")
    versions = [CommandAgent(AgentSettings(program=tmp_path)).version()]
    for change in (
        lambda: (tmp_path / "main.py").write_text("2"),
        lambda: (tmp_path / "more.py").write_text(""),
        lambda: (tmp_path / "more.py").chmod(0o755),
    ):
        change()
        versions.append(CommandAgent(AgentSettings(program=tmp_path)).version())
    assert len(set(versions)) == 4
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "x.pyc").write_text("")
    assert CommandAgent(AgentSettings(program=tmp_path)).version() == versions[-1]


@pytest.mark.parametrize(
    "kind", ["none", "missing", "empty folder", "not executable", "bad quotes"]
)
def test_an_unusable_program_is_refused(kind: str, tmp_path: Path) -> None:
    """Before anything is run, one line says what is wrong with the program."""
    program: Path | None = tmp_path / "program"
    arguments = None
    if kind == "none":
        program = None
    elif kind == "empty folder":
        (tmp_path / "program").mkdir()
    elif kind != "missing":
        (tmp_path / "program").write_text("x")
        (tmp_path / "program").chmod(0o755 if kind == "bad quotes" else 0o644)
        arguments = "'" if kind == "bad quotes" else None
    with pytest.raises(InputError):
        CommandAgent(AgentSettings(program=program, program_args=arguments))
