# SPDX-License-Identifier: MIT
"""What an agent can see and do inside bubblewrap, asked from inside."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import m4bench
from m4bench.harness.sandbox.admission import permitted
from m4bench.harness.sandbox.bwrap import BubblewrapSandbox
from m4bench.harness.sandbox.sandbox import Execution, SandboxError
from m4bench.model.errors import InputError

pytestmark = pytest.mark.sandbox
INSPECTOR = Path(__file__).with_name("inspect_sandbox.py").read_text()
PROJECT = Path(m4bench.__file__).parent


@pytest.fixture
def seen(execute: Callable[..., Execution], tmp_path: Path) -> dict[str, Any]:
    """What the inspector reports."""
    store = tmp_path / "store"
    (store / ".references").mkdir(parents=True)
    (store / "words.txt").write_text("heron\n")
    (store / ".references" / "answer.parquet").write_text("secret\n")
    (tmp_path / "program").mkdir()
    secrets = [
        str(path)
        for path in (store, store / ".references" / "answer.parquet", PROJECT, tmp_path,
                     *Path.home().glob(".*rc"), Path.home() / ".ssh", f"/proc/{os.getpid()}/environ")
    ]  # fmt: skip
    (tmp_path / "program" / "secrets.json").write_text(json.dumps(secrets))
    ended = execute(
        INSPECTOR,
        binds={"/data/shown/words.txt": store / "words.txt"},
        forbidden=(store, PROJECT, Path.home(), Path("/etc/shadow")),
    )
    assert (ended.state, ended.exit_code) == ("exited", 0), (
        tmp_path / "out/stderr.txt"
    ).read_text()
    found: dict[str, Any] = json.loads((tmp_path / "out" / "output.csv").read_text())
    return found


def test_an_agent_sees_its_own_python_and_nothing_of_the_project(seen: dict[str, Any]) -> None:
    """The locked packages import, the project and an installer do not, and no file is named after it."""
    wanted = ("duckdb", "numpy", "pandas", "pyarrow")
    assert seen["imports"] == dict.fromkeys(wanted, True) | dict.fromkeys(
        ("m4bench", "pip", "setuptools"), False
    )
    assert seen["named"] == []
    assert seen["duckdb"].startswith("v1.5.6")
    assert seen["python"] == ["/runtime/bin/python", "/runtime/bin/python3"]


def test_an_agent_reads_no_secret_and_writes_nowhere_else(seen: dict[str, Any]) -> None:
    """Store, references, source, home, other processes and the kernel's settings are out of reach."""
    assert seen["read"] == []
    assert seen["written"] == []
    assert seen["home"] == []


def test_an_agent_has_no_network_and_no_company(seen: dict[str, Any]) -> None:
    """Only loopback exists, and only the supervisor, the agent and its own children run."""
    assert seen["interfaces"] == ["lo"]
    assert seen["network"] is False
    assert seen["processes"] <= 3


def test_an_agent_has_no_power(seen: dict[str, Any]) -> None:
    """No capability, no new privilege, no nested namespace, no keyring, no memory outside the bounds."""
    assert set(seen["capabilities"]) == {"0000000000000000"}
    assert (seen["no_new_privileges"], seen["seccomp"]) == ("1", "2")
    assert not any(seen["calls"].values()), seen["calls"]


def test_an_agent_is_what_a_machine_without_memory_gives_up(seen: dict[str, Any]) -> None:
    """The kernel takes a sandbox before the harness or anything else of the user's."""
    assert seen["taken_first"] == "1000"


def test_an_agent_inherits_nothing_of_the_host_process(seen: dict[str, Any]) -> None:
    """Environment, identity, standard input and descriptors are the run's own."""
    assert set(seen["environment"]) <= {"PATH", "HOME", "LC_CTYPE"}
    assert seen["ids"] == [1000, 1000, 1000, "task"]
    assert seen["stdin"] == "/dev/null"
    assert len(seen["descriptors"]) <= 4


def test_a_sandbox_that_shows_a_forbidden_path_starts_no_agent(
    execute: Callable[..., Execution], tmp_path: Path
) -> None:
    """The check from inside finds what can be read there by mistake, before the agent runs."""
    readable_inside = Path("/run/inside/supervise.py")
    with pytest.raises(SandboxError, match="must not: /run/inside"):
        execute("open('output.csv', 'w').write('ran')", forbidden=(readable_inside,))
    assert not (tmp_path / "out" / "output.csv").exists()


def test_secrets_below_a_shown_folder_are_refused(bubblewrap: BubblewrapSandbox) -> None:
    """A store under /usr would be visible; one under a covered folder or elsewhere is not."""
    for exposed in ("/usr/share/store", "/usr", "/", bubblewrap.runtime.standard_library / "store"):
        with pytest.raises(InputError, match="visible"):
            bubblewrap.refuse_exposure({"the store": Path(exposed)})
    bubblewrap.refuse_exposure(
        {"the store": Path("/usr/local/store"), "the results": Path("/srv/results")}
    )


@pytest.mark.parametrize("place", ["/usr/x", "/task/x", "/proc/x", "data/x", "/data/../etc/x", "/"])
def test_a_suite_cannot_show_files_in_the_system(place: str, tmp_path: Path) -> None:
    """Files are shown in places of their own only."""
    with pytest.raises(InputError):
        permitted(tmp_path, place)
