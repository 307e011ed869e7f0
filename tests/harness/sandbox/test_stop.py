# SPDX-License-Identifier: MIT
"""Stops asked for from outside, before, while, as and after an agent runs."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from m4bench.harness.sandbox.receive import Report
from m4bench.harness.sandbox.sandbox import Execution, Limits, Plan, Stop
from m4bench.harness.sandbox.verdict import execution

pytestmark = pytest.mark.sandbox
CarryOut = Callable[..., Execution]
BOTH = pytest.mark.parametrize("sandbox", ["bwrap", "none"])
WRITE = "open('output.csv', 'w').write('a\\n1\\n')\n"
READY = "import signal, sys, time\nprint('ready', flush=True)\n"


def asked_when_ready(stop: Stop, *reasons: str) -> Mapping[str, Any]:
    """Changes of a plan: as soon as the agent says something, it is to stop."""

    def tap(chunk: bytes) -> None:
        for reason in reasons:
            stop.ask(reason)

    return {"stop": stop, "tap": tap}


RUNNING = {
    "it listens": (
        READY + "try: time.sleep(60)\nexcept KeyboardInterrupt: pass\n" + WRITE, 0, "present",
    ),
    "it listens to a termination": (
        "import signal, sys\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))\n" + READY + "time.sleep(60)\n", 3, "missing",
    ),
    "it is deaf": (
        "import signal\nfor one in (1, 2, 15): signal.signal(one, signal.SIG_IGN)\n" + WRITE + READY
        + "while True: time.sleep(1)\n", -9, "present",
    ),
}  # fmt: skip


@BOTH
@pytest.mark.parametrize(("script", "code", "output"), RUNNING.values(), ids=RUNNING)
def test_a_running_agent_is_stopped_in_three_stages(
    script: str, code: int, output: str, sandbox: str, carry_out: CarryOut
) -> None:
    """An interrupt, a termination, the end; the first reason is the one that counts, and its work is kept."""
    stop = Stop()
    ended = carry_out(
        script, lambda _: asked_when_ready(stop, "the gateway's limit", "another"), sandbox=sandbox
    )
    assert (ended.state, ended.reason) == ("stopped", "the gateway's limit")
    assert (ended.exit_code, ended.output) == (code, output)


@BOTH
def test_an_agent_that_was_to_stop_before_it_began_does_not_begin(
    sandbox: str, carry_out: CarryOut, tmp_path: Path
) -> None:
    """Nothing is run, and the run's files are there."""
    stop = Stop()
    stop.ask("no way")
    ended = carry_out(WRITE, lambda _: {"stop": stop}, sandbox=sandbox)
    assert (ended.state, ended.reason, ended.exit_code) == ("stopped", "no way", None)
    assert (ended.output, ended.seconds) == ("missing", 0.0)
    assert {one.name for one in (tmp_path / "out").iterdir()} == {"stdout.txt", "stderr.txt"}


@BOTH
def test_a_stop_that_comes_too_late_is_no_harm(sandbox: str, carry_out: CarryOut) -> None:
    """After the end, and twice, it changes nothing."""
    stop = Stop()
    ended = carry_out(WRITE, lambda _: {"stop": stop}, sandbox=sandbox)
    stop.ask("late")
    stop.ask("later")
    assert (ended.state, ended.reason, ended.output) == ("exited", None, "present")


@BOTH
def test_an_agent_whose_time_was_over_was_not_stopped(sandbox: str, carry_out: CarryOut) -> None:
    """A stop asked for while it is being ended leaves the time-out what it is."""
    stop = Stop()
    script = (
        "import time\ntry: time.sleep(60)\nexcept KeyboardInterrupt: print('ready', flush=True)\n"
        "time.sleep(0.2)\n"
    )
    ended = carry_out(
        script, lambda _: asked_when_ready(stop, "too late"), sandbox=sandbox, timeout=1.0
    )
    assert stop.asked
    assert (ended.state, ended.reason) == ("timeout", "longer than 1 s")


@pytest.mark.parametrize(
    ("asked", "state"), [(None, "agent-error"), (False, "agent-error"), (True, "stopped")]
)
def test_a_sandbox_is_stopped_only_when_that_was_asked(
    asked: bool | None, state: str, tmp_path: Path
) -> None:
    """What the inside says of it is an agent's word; the reason is the asker's."""
    stop = Stop() if asked is not None else None
    if stop is not None and asked:
        stop.ask("ours")
    plan = Plan((), {}, {}, tmp_path, {}, (), "output.csv", Limits(timeout=9), stop=stop)
    told = {"kind": "ended", "state": "stopped", "exit_code": 0, "reason": "theirs", "seconds": 1}
    ended = execution(Report(started=True, ended=told, complete=True), plan, 0.1, 2.0, {})
    assert ended.state == state
    assert (ended.reason == "ours") == (state == "stopped")


@pytest.mark.parametrize("odd", ["soon", -1, True, float("inf"), None, [1]])
def test_odd_figures_from_inside_are_no_figures(odd: object, tmp_path: Path) -> None:
    """A time that is none is not taken over."""
    plan = Plan((), {}, {}, tmp_path, {}, (), "output.csv", Limits(timeout=9))
    told = {"state": "exited", "exit_code": 0, "seconds": odd, "first_output": odd}
    ended = execution(Report(started=True, ended=told, complete=True), plan, 0.1, 2.0, {})
    assert (ended.seconds, ended.first_output_seconds) == (0.0, None)


@pytest.mark.parametrize(
    ("full", "code", "state", "reason"),
    [
        (["/task", "/tmp"], 1, "resources", "the work folder of 2048 MiB is full"),
        (["/home/agent"], 1, "resources", "the home of 1024 MiB is full"),
        (["/home/agent"], 0, "exited", None),
        ([], 1, "exited", None),
        (["/elsewhere"], 1, "exited", None),
        (True, 1, "exited", None),
        (None, 1, "exited", None),
    ],
)
def test_a_full_folder_counts_when_the_agent_failed(
    full: object, code: int, state: str, reason: str | None, tmp_path: Path
) -> None:
    """The first of those it may write; a folder that is none of them, or no list, is nothing."""
    plan = Plan((), {}, {}, tmp_path, {}, (), "output.csv", Limits(timeout=9))
    told = {"state": "exited", "exit_code": code, "seconds": 1, "full": full}
    ended = execution(Report(started=True, ended=told, complete=True), plan, 0.1, 2.0, {})
    assert (ended.state, ended.reason) == (state, reason)
