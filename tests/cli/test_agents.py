# SPDX-License-Identifier: MIT
"""`m4bench agents` as a user calls it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from m4bench.harness.agents.installation import PINNED, managed_folder
from tests.harness.agents.recordings import npm_global

WIRED = {"codex": "responses", "claude-code": "messages", "gemini": "generate-content"}


def called(
    *words: str, agents: Path, path: str = "/usr/bin:/bin"
) -> subprocess.CompletedProcess[str]:
    """Call m4bench on a machine whose programs are those of a path."""
    return subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", "agents", *words],
        env=os.environ | {"COLUMNS": "100", "PATH": path, "M4BENCH_AGENTS": str(agents)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_list_tells_what_is_here_and_what_would_be_installed(tmp_path: Path) -> None:
    """One is on PATH in a version of its own, the others are missing; JSON stands alone."""
    npm_global(tmp_path / "prefix", "@openai/codex", "codex", "9.8.7")
    done = called("list", "--json", agents=tmp_path / "none", path=str(tmp_path / "prefix" / "bin"))
    assert done.returncode == 0, done.stderr
    found = {one["agent"]: one for one in json.loads(done.stdout)}
    assert (found["codex"]["version"], found["codex"]["missing"]) == ("9.8.7", None)
    for agent, protocol in WIRED.items():
        pinned = json.loads((PINNED / agent / "package.json").read_text())["dependencies"]
        assert found[agent]["pinned"] in pinned.values()
        assert found[agent]["protocols"][0] == protocol
    assert found["gemini"]["version"] is None
    assert "m4bench agents install gemini" in found["gemini"]["missing"]
    assert found["naive"]["protocols"] == []
    assert found["naive"]["needs"] is None


def test_the_table_says_in_a_line_each_how_to_get_what_is_missing(tmp_path: Path) -> None:
    """The table goes to standard output, places and remedies to standard error."""
    done = called("list", agents=tmp_path / "none", path=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "missing" in done.stdout
    assert "claude-code is not installed; m4bench agents install claude-code" in done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 100


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ((), "no agent was named; name some, or give --all alone"),
        (("codex", "--all"), "no agent was named; name some, or give --all alone"),
        (("naive",), "no agent's tool is called naive; choose of: claude-code, codex"),
        (("codex",), "node is not on PATH; install Node.js 20"),
    ],
)
def test_what_cannot_be_installed_ends_in_one_line(
    tmp_path: Path, words: tuple[str, ...], problem: str
) -> None:
    """Exit 2; nothing is made."""
    done = called("install", *words, agents=tmp_path / "agents", path=str(tmp_path))
    assert done.returncode == 2
    assert problem in done.stderr
    assert done.stdout == ""
    assert not list((tmp_path / "agents").glob("[!.]*"))


def test_what_is_installed_already_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither npm nor a registry is needed then."""
    monkeypatch.setenv("M4BENCH_AGENTS", str(tmp_path))
    pinned = json.loads((PINNED / "codex" / "package.json").read_text())["dependencies"]
    folder = managed_folder("codex", pinned["@openai/codex"])
    npm_global(folder, "@openai/codex", "codex")
    (folder / "node_modules").symlink_to(folder / "lib" / "node_modules")
    done = called("install", "codex", "--json", agents=tmp_path, path=str(folder / "bin"))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["codex"]["version"] == "1.2.3"
    assert done.stderr == ""
