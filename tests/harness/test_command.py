# SPDX-License-Identifier: MIT
"""`m4bench run` as a user types it: exit codes, JSON alone on standard output, one line when it fails."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from m4bench.data.store import Store
from m4bench.harness.interruption import EndedBySignal, Requests, unwinding
from m4bench.harness.sandbox.bwrap import BubblewrapSandbox
from tests.interrupts import heed_interrupts

from .conftest import TOY_PACKAGE
from .processes import await_true, running

RIGHT = "import os\nopen(os.environ['M4BENCH_OUTPUT'], 'w').write('heron')\n"


@pytest.fixture(autouse=True)
def _bubblewrap_works(bubblewrap: BubblewrapSandbox) -> None:
    """The command uses the real sandbox."""


def m4bench(store: Store, results: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, with the toy package installed."""
    command = [sys.executable, "-m", "m4bench.cli.main", "run", "toy-word", "--dataset", "toy",
               "--condition", "plain", "--store", str(store.root), "--results", str(results), *options]  # fmt: skip
    paths = os.pathsep.join([str(TOY_PACKAGE), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": paths}
    )


CASES = {
    "completed": (RIGHT, (), 0, "completed"),
    "no output": ("", (), 1, "no-output"),
    "agent error": ("raise SystemExit(2)", (), 1, "agent-error (exit code 2)"),
    "timeout": ("import time; time.sleep(60)", ("--timeout", "1"), 1, "timeout (longer than 1 s)"),
    "usage": (RIGHT, ("--trial", "0"), 2, "trials count from 1"),
    "size": (RIGHT, ("--memory-limit", "much"), 2, "8G"),
}


@pytest.mark.parametrize(("script", "options", "code", "words"), CASES.values(), ids=CASES)
def test_the_exit_code_says_what_happened(
    script: str, options: tuple[str, ...], code: int, words: str, toy_store: Store, tmp_path: Path
) -> None:
    """0 with a scored output, 1 without one, 2 for bad input; a failure is one line on standard error."""
    program = tmp_path / "programs" / "agent.py"
    program.parent.mkdir()
    program.write_text(script)
    done = m4bench(
        toy_store, tmp_path / "results", "--agent", "command", "--program", str(program), *options
    )
    assert done.returncode == code, done.stderr
    assert words in (done.stdout if code == 0 else done.stderr)
    if code:
        assert done.stdout == ""
        assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("amount", ["inf", "-inf", "nan", "-1"])
def test_a_cost_has_to_be_an_amount(amount: str, toy_store: Store, tmp_path: Path) -> None:
    """Exit 2 before anything is made: no run is bounded by what cannot be reached."""
    results = tmp_path / "results"
    done = m4bench(toy_store, results, "--agent", "command", f"--max-cost={amount}")
    assert done.returncode == 2
    assert "--max-cost" in done.stderr
    assert done.stdout == ""
    assert not results.exists()


@pytest.mark.parametrize(
    ("script", "words"), [("raise SystemExit('no such table')", True), ("", False)]
)
def test_a_failure_says_where_to_look(
    script: str, words: bool, toy_store: Store, tmp_path: Path
) -> None:
    """The line names the run's folder, and the file there that holds what the program said, if it said any."""
    program = tmp_path / "programs" / "agent.py"
    program.parent.mkdir()
    program.write_text(script)
    done = m4bench(toy_store, tmp_path / "results", "--agent", "command", "--program", str(program))
    assert done.returncode == 1
    (record,) = (tmp_path / "results").glob("*/run.json")
    assert f"its folder is {record.parent}" in done.stderr
    assert ("the program's own words are in stderr.txt there" in done.stderr) is words
    said = (record.parent / "stderr.txt").read_text()
    assert ("no such table" in said) is words


NOT_UTF8 = {
    "program": ("--program", b"pr\xff.py", "its name is not UTF-8; rename the program"),
    "arguments": ("--program-args", b"x \xff", "--program-args is not UTF-8"),
    "results": ("--results", b"r\xff", "its name is not UTF-8; choose another --results"),
    "store": ("--store", b"s\xff", "its name is not UTF-8; choose another --store"),
    "model": ("--model", b"m\xff", "--model is no name"),
    "dataset": ("--dataset", b"d\xff", "no dataset can be called"),
    "task": (None, b"t\xff", "no task is called"),
    "condition": ("--condition", b"c\xff", "no condition is called"),
    "agent": ("--agent", b"a\xff", "no agent is called"),
}


@pytest.mark.parametrize(("option", "value", "words"), NOT_UTF8.values(), ids=NOT_UTF8)
def test_what_is_not_utf8_is_refused_up_front(
    option: str | None, value: bytes, words: str, toy_store: Store, tmp_path: Path
) -> None:
    """A name or an argument no record can hold is one line and exit 2, before anything is run."""
    ran = tmp_path / "ran"
    script = f"open({str(ran)!r}, 'w')\n{RIGHT}"
    (tmp_path / "agent.py").write_text(script)
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/pr\xff.py")).write_text(script)
    if option in ("--program", "--results", "--store"):
        value = os.fsencode(tmp_path) + b"/" + value
    given: dict[str | None, object] = {
        None: "toy-word", "--dataset": "toy", "--condition": "plain", "--store": toy_store.root,
        "--results": tmp_path / "results", "--agent": "command", "--program": tmp_path / "agent.py",
        "--sandbox": "none", option: value,
    }  # fmt: skip
    words_given = [str(given.pop(None)) if option is not None else value]
    given.pop(None, None)
    paths = os.pathsep.join([str(TOY_PACKAGE), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", "run", *words_given,
         *(one for pair in given.items() for one in pair)],
        capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": paths},
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not ran.exists()
    assert not (tmp_path / "results").exists()


def test_json_is_the_record_alone(toy_store: Store, tmp_path: Path) -> None:
    """What is printed equals the record on disk; a failed run prints it too and still exits 1."""
    done = m4bench(toy_store, tmp_path / "results", "--agent", "reference", "--json")
    printed = json.loads(done.stdout)
    kept = tmp_path / "results" / printed["run_id"] / "run.json"
    assert printed == json.loads(kept.read_text())
    assert printed["score"]["reward"] == 1.0
    program = tmp_path / "programs" / "run"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    done = m4bench(
        toy_store, tmp_path / "results", "--agent", "command", "--program", str(program), "--json"
    )
    assert (done.returncode, json.loads(done.stdout)["outcome"]["state"]) == (1, "agent-error")


@pytest.mark.parametrize("sandbox", ["bwrap", "none"])
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_request_to_end_ends_everything(
    number: signal.Signals, code: int, sandbox: str, toy_store: Store, tmp_path: Path
) -> None:
    """Ctrl-C, kill and a closed terminal: no traceback, the agent is gone and no partial run is left."""
    program = tmp_path / "programs" / "agent.py"
    program.parent.mkdir()
    program.write_text("import time\ntime.sleep(120)\n")
    marker = f"{time.time_ns()}"
    command = [sys.executable, "-m", "m4bench.cli.main", "run", "toy-word", "--dataset", "toy",
               "--condition", "plain", "--store", str(toy_store.root), "--agent", "command",
               "--results", str(tmp_path / "results"), "--program", str(program),
               "--program-args", marker, "--sandbox", sandbox]  # fmt: skip
    paths = os.pathsep.join([str(TOY_PACKAGE), os.environ.get("PYTHONPATH", "")])
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": paths},
        preexec_fn=heed_interrupts,
    )
    await_true(lambda: running(f"/agent.py\0{marker}"))
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == code, said
    assert len(said.strip().splitlines()) <= 1, said
    await_true(lambda: not running(f"/agent.py\0{marker}"))
    assert list((tmp_path / "results").iterdir()) == []


def ended_twice(put_away: Path) -> None:
    """Ask this process to end, and again while it puts something away."""
    try:
        os.kill(os.getpid(), signal.SIGTERM)
    finally:
        os.kill(os.getpid(), signal.SIGHUP)
        put_away.touch()


def test_two_requests_to_end_are_one(tmp_path: Path) -> None:
    """The second does not break into what the first puts away; afterwards signals are as before."""
    with unwinding(), pytest.raises(EndedBySignal) as caught:
        ended_twice(tmp_path / "put away")
    assert caught.value.exit_code == 143
    assert (tmp_path / "put away").exists()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_request_waits_until_it_can_be_heeded() -> None:
    """One that comes while a program is being started is heeded once the program is known, not before."""
    with unwinding():
        requests = Requests()
        os.kill(os.getpid(), signal.SIGTERM)
        with pytest.raises(EndedBySignal):
            requests.heed()
