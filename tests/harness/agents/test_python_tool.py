# SPDX-License-Identifier: MIT
"""Tools of the Python world: where one is found, and what is refused."""

import re
import sys
from pathlib import Path

import pytest

from m4bench.harness.agents.installation import PINNED
from m4bench.harness.agents.python_tool import PythonTool
from m4bench.harness.sandbox.runtime import base_interpreter
from m4bench.harness.sandbox.sandbox import Layout
from m4bench.model.errors import InputError

TOOL = PythonTool("mini-swe-agent", "mini", "mini-swe-agent", "minisweagent", "pipx install it")
LAYOUT = Layout("/task", "/agent", "/home/agent", "/runtime/bin/python3", "/bin", "/tools")


def environment(place: Path, package: str, version: str, interpreter: Path | None = None) -> Path:
    """Make what is looked at of an environment with one package, and return its folder."""
    folder = place / "environment"
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = folder / "lib" / name / "site-packages"
    information = packages / f"{package.replace('-', '_')}-{version}.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n", encoding="utf-8"
    )
    (folder / "bin").mkdir()
    (folder / "bin" / "python3").symlink_to(interpreter or base_interpreter())
    (folder / "pyvenv.cfg").write_text("home = /usr/bin\n", encoding="utf-8")
    program = folder / "bin" / "mini"
    program.write_text("#!/usr/bin/env python3\n", encoding="utf-8")
    program.chmod(0o755)
    return folder


@pytest.fixture(autouse=True)
def nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No tool of this machine is found."""
    monkeypatch.setenv("M4BENCH_AGENTS", str(tmp_path / "agents"))
    monkeypatch.setenv("PATH", str(tmp_path / "on path"))


@pytest.mark.parametrize("named", ["", "bin/mini"])
def test_an_environment_is_named_by_its_folder_or_a_program(tmp_path: Path, named: str) -> None:
    """Shown is the whole of it, started is its Python."""
    folder = environment(tmp_path, "mini-swe-agent", "2.0.1")
    found = TOOL.find(folder / named)
    assert found.version == "2.0.1"
    assert found.tools == {"mini-swe-agent": folder}
    assert found.argv(LAYOUT) == ("/tools/mini-swe-agent/bin/python3", "-I", "-m", "minisweagent")


def test_a_program_on_the_path_is_followed_to_its_environment(tmp_path: Path) -> None:
    """As pipx links it."""
    folder = environment(tmp_path, "mini-swe-agent", "2.0.1")
    (tmp_path / "on path").mkdir()
    (tmp_path / "on path" / "mini").symlink_to(folder / "bin" / "mini")
    assert TOOL.find().tools == {"mini-swe-agent": folder}


def test_nothing_there_is_one_line(tmp_path: Path) -> None:
    """It says how to get it."""
    with pytest.raises(InputError, match="mini-swe-agent is not installed"):
        TOOL.find()
    with pytest.raises(InputError, match="no such program"):
        TOOL.find(tmp_path / "nowhere")
    with pytest.raises(InputError, match="is not of an environment"):
        TOOL.find(tmp_path)


def test_an_environment_without_it_is_refused(tmp_path: Path) -> None:
    """A mistaken --program is told."""
    folder = environment(tmp_path, "another", "1.0")
    with pytest.raises(InputError, match="holds no mini-swe-agent"):
        TOOL.find(folder)


def test_a_python_no_sandbox_shows_is_refused_when_named_and_passed_over_on_the_path(
    tmp_path: Path,
) -> None:
    """Its interpreter would not be there inside."""
    own = tmp_path / "own python"
    own.write_bytes(b"\x7fELF")
    own.chmod(0o755)
    folder = environment(tmp_path, "mini-swe-agent", "2.0.1", own)
    with pytest.raises(InputError, match="a sandbox does not show"):
        TOOL.find(folder)
    (tmp_path / "on path").mkdir()
    (tmp_path / "on path" / "mini").symlink_to(folder / "bin" / "mini")
    with pytest.raises(InputError, match="is not installed"):
        TOOL.find()


def test_the_lock_holds_the_pinned_version_with_hashes_and_no_address() -> None:
    """What is installed is what was tested, from wherever pip gets it."""
    lock = (PINNED / "mini-swe-agent" / "requirements.lock").read_text(encoding="utf-8")
    assert TOOL.pinned == "2.4.6"
    assert f"mini-swe-agent=={TOOL.pinned} \\" in lock
    pinned = re.findall(r"^[a-z0-9-]+==", lock, re.MULTILINE)
    hashed = re.findall(r"^[a-z0-9-]+==.*\\\n    --hash=sha256:[0-9a-f]{64}", lock, re.MULTILINE)
    assert len(pinned) == len(hashed) > 50
    assert "://" not in lock
