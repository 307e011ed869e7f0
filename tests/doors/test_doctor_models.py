# SPDX-License-Identifier: MIT
"""What the doctor tells of agents, of endpoints and their keys, and of where credentialed data may go."""

import datetime
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from m4bench.doors.doctor.agents import agents
from m4bench.doors.doctor.data_use import data_use
from m4bench.doors.doctor.finding import Finding
from m4bench.doors.doctor.models import models
from m4bench.harness.gateway import policy

SECRET = "not-to-be-shown-5f2c"
TODAY = datetime.date(2026, 11, 30)


class Machine:
    """A user's files and variables."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environ = {"XDG_CONFIG_HOME": str(folder / "config"), "PATH": os.environ["PATH"]}

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o600)
        return path

    def models(self, *, reach: bool = False) -> dict[str, Finding]:
        found = {one.name: one for one in models(reach=reach, environ=self.environ)}
        assert SECRET not in str(found)
        return found

    def data_use(self) -> dict[str, Finding]:
        return {one.name: one for one in data_use(self.environ, TODAY)}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine without any settings."""
    monkeypatch.setattr(policy, "SYSTEM_POLICY", tmp_path / "etc" / "policy.toml")
    made = Machine(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", made.environ["XDG_CONFIG_HOME"])
    tmp_path.chmod(0o700)
    return made


def test_each_tool_is_told_with_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine without any: optional, with the command that installs it; baselines are no tools."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("M4BENCH_AGENTS", str(tmp_path / "none"))
    found = {one.name: one for one in agents()}
    assert {"codex", "claude-code", "gemini", "opencode", "pi", "qwen-code"} <= set(found)
    assert not {"reference", "naive", "empty", "command"} & set(found)
    for name, one in found.items():
        assert (one.state, one.found) == ("optional", f"{name} is not installed")
        assert (one.remedy or "").startswith(f"m4bench agents install {name}")
        assert one.facts["pinned"] in one.meaning


def test_keys_are_told_by_the_names_of_their_variables(machine: Machine) -> None:
    """Set, set to nothing, and not set; which of two; never a value."""
    machine.environ |= {
        "OPENAI_API_KEY": SECRET,
        "ANTHROPIC_API_KEY": " ",
        "GOOGLE_API_KEY": SECRET,
    }
    found = machine.models()
    assert (found["openai"].state, found["openai"].found) == ("ready", "OPENAI_API_KEY is set")
    assert (found["google"].state, found["google"].found) == ("ready", "GOOGLE_API_KEY is set")
    assert (found["anthropic"].state, found["anthropic"].remedy) == (
        "optional",
        "set ANTHROPIC_API_KEY",
    )
    assert found["any address"].facts == {"key": False}
    machine.environ["M4BENCH_ENDPOINT_KEY"] = SECRET
    assert machine.models()["any address"].facts == {"key": True}


OWN = """
[openai]
key_env = "TEAM_KEY"
[filed]
base_url = "https://filed.example/v1"
key_file = "key"
[asked]
base_url = "https://asked.example/v1"
key_command = ["touch", "{touched}"]
[local]
base_url = "http://127.0.0.1:11434/v1"
"""


def test_endpoints_of_ones_own_are_told(machine: Machine) -> None:
    """By where their keys are; no key is read and no command is run."""
    touched = machine.folder / "touched"
    path = machine.write("endpoints.toml", OWN.format(touched=touched))
    machine.environ |= {"M4BENCH_ENDPOINTS": str(path), "OPENAI_API_KEY": SECRET}
    found = machine.models()
    assert found["openai"].remedy == "set TEAM_KEY"
    assert "cannot be read" in found["filed"].found
    assert found["asked"].found == "its key comes from a command (not run)"
    assert not touched.exists()
    assert (found["local"].state, found["local"].found) == ("ready", "takes no key")
    assert "127.0.0.1:11434" in found["local"].meaning
    key = machine.write("key", SECRET)
    assert machine.models()["filed"].state == "ready"
    key.chmod(0o644)
    assert machine.models()["filed"].remedy == f"chmod 600 {key}"


def test_a_broken_file_of_endpoints_is_told(machine: Machine) -> None:
    """With its place, and the built-in ones are told all the same."""
    path = machine.write("endpoints.toml", f"[x]\nkey = '{SECRET}'\n")
    machine.environ["M4BENCH_ENDPOINTS"] = str(path)
    found = machine.models()
    assert f"{path}, row 2, column x.key" in found["endpoints file"].found
    assert found["endpoints file"].remedy
    assert "openai" in found


def test_endpoints_are_reached_for_only_when_asked(machine: Machine) -> None:
    """A connection without a byte, to those with a key; one that nobody listens at is told."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(10)
        port = listener.getsockname()[1]
        text = f"[here]\nbase_url = 'http://127.0.0.1:{port}/v1'\n"
        machine.environ["M4BENCH_ENDPOINTS"] = str(machine.write("endpoints.toml", text))
        machine.models()
        assert machine.models(reach=True)["here"].found == "takes no key, reached"
        connection, _ = listener.accept()
        with connection:
            assert connection.recv(1) == b""
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()
    found = machine.models(reach=True)
    assert (found["here"].state, found["here"].facts["reached"]) == ("optional", False)
    assert "not reached" in found["here"].found
    assert "reached" not in found["openai"].found, "it has no key"


def test_without_a_policy_the_rule_is_told(machine: Machine) -> None:
    """What the agreements ask, what counts as this machine, and how an administrator permits more."""
    found = machine.data_use()
    assert "nobody who has not signed" in found["credentialed data"].meaning
    assert "LiteLLM" in found["this machine"].meaning
    assert (found["policy"].state, found["policy"].facts["file"]) == ("ready", None)
    for word in ("[[permitted]]", "agreement", "policy.toml", "docs/how-to/credentialed-data.md"):
        assert word in (found["policy"].remedy or "")


POLICY = """
[[permitted]]
host = "llm.example"
agreement = "Agreement 7"
by = "Data protection"
date = 2026-01-02
datasets = ["mimic-iv"]
until = 2026-11-30
[[permitted]]
base_url = "https://old.example/v1"
agreement = "Agreement 6"
by = "Data protection"
date = 2025-01-02
until = 2026-11-29
[[permitted]]
host = "new.example"
agreement = "Agreement 8"
by = "Data protection"
date = 2026-12-01
"""


def test_what_the_policy_permits_is_told(machine: Machine) -> None:
    """Each permission with its agreement and its bounds; one that is over or has not begun is marked."""
    path = machine.write("policy.toml", POLICY)
    machine.environ["M4BENCH_POLICY"] = str(path)
    found = machine.data_use()
    assert found["policy"].found == f"{path}, 3 permissions"
    first = found["permitted 1"]
    assert (first.state, first.meaning) == ("ready", "Agreement 7 (by Data protection, 2026-01-02)")
    assert first.found == "https://llm.example; until 2026-11-30; data sets mimic-iv"
    assert (found["permitted 2"].state, found["permitted 3"].state) == ("optional", "optional")
    assert found["permitted 2"].found.endswith("(over)")
    assert found["permitted 3"].found.endswith("(not yet)")


def test_a_data_set_nobody_knows_is_told(machine: Machine) -> None:
    """A permission for a name with a slip in it permits nothing."""
    text = POLICY.replace('["mimic-iv"]', '["mimic-iv", "mimiciv"]')
    machine.environ["M4BENCH_POLICY"] = str(machine.write("policy.toml", text))
    found = machine.data_use()["permitted 1"]
    assert found.state == "optional"
    assert "no data set is called mimiciv" in found.found
    assert "eicu, eicu-demo, mimic-iv," in (found.remedy or "")


@pytest.mark.parametrize(("text", "mode"), [("permitted = 1", 0o600), (POLICY, 0o666)])
def test_a_policy_that_is_not_believed_is_told(text: str, mode: int, machine: Machine) -> None:
    """Broken, or open to others: what it means, and what to do."""
    path = machine.write("policy.toml", text)
    path.chmod(mode)
    machine.environ["M4BENCH_POLICY"] = str(path)
    found = machine.data_use()
    assert found["policy"].state == "optional"
    assert str(path) in found["policy"].found
    assert found["policy"].remedy
    assert not any(name.startswith("permitted") for name in found)


def test_the_command_tells_of_them_and_shows_no_key(tmp_path: Path) -> None:
    """In its JSON, with the keys of providers set."""
    keys = dict.fromkeys(("ANTHROPIC_API_KEY", "GEMINI_API_KEY", "M4BENCH_ENDPOINT_KEY"), SECRET)
    own = tmp_path / "endpoints.toml"
    own.write_text("[mine]\nbase_url = 'http://127.0.0.1:9/v1'\n")
    own.chmod(0o600)
    tmp_path.chmod(0o700)
    environment = {name: value for name, value in os.environ.items() if "API_KEY" not in name}
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", "doctor", "--json", "--store", tmp_path / "store"],
        capture_output=True, text=True, check=False,
        env={**environment, **keys, "M4BENCH_ENDPOINTS": str(own), "PATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert SECRET not in done.stdout + done.stderr
    found = {one["name"]: one for one in json.loads(done.stdout)["findings"]}
    assert found["anthropic"]["found"] == "ANTHROPIC_API_KEY is set"
    assert found["openai"]["found"] == "has no key"
    assert found["mine"]["found"] == "takes no key"
