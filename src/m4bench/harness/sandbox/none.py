# SPDX-License-Identifier: MIT
"""Runs an agent with no isolation at all, for development; its runs are never publishable.

It has the interface of a sandbox, a work folder and a home of its own, and a time-out, and nothing else:
memory, disk, network and the host's files are the agent's.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from m4bench.harness.interruption import Requests
from m4bench.harness.sandbox.capture import Capture
from m4bench.harness.sandbox.inside.collect import Collection, Left, Rules
from m4bench.harness.sandbox.inside.formats import damage
from m4bench.harness.sandbox.receive import FILES, PRIVATE_FILE
from m4bench.harness.sandbox.runtime import Runtime, ensure_runtime
from m4bench.harness.sandbox.sandbox import Execution, Layout, Limits, Plan
from m4bench.model.errors import InputError
from m4bench.model.files import PRIVATE
from m4bench.model.run import SandboxName

POLL = 0.05
PIPE_PATIENCE = 2.0
EXECUTABLE = 0o100


class OpenSandbox:
    """No sandbox: the agent runs as the user, in a fresh folder below the run's scratch folder."""

    name: SandboxName = "none"
    isolated = False

    def __init__(self, runtime: Runtime | None = None) -> None:
        self.runtime = runtime or ensure_runtime()

    def layout(self, scratch: Path) -> Layout:
        """Return places below `scratch`, which are made."""
        places = {name: scratch / name for name in ("work", "home", "program")}
        for place in places.values():
            place.mkdir(mode=PRIVATE)
        return Layout(
            work=str(places["work"]),
            program=str(places["program"]),
            home=str(places["home"]),
            python=str(self.runtime.python),
            path=f"{self.runtime.root / 'bin'}:{os.environ.get('PATH', os.defpath)}",
        )

    def refuse_exposure(self, secret: Mapping[str, Path]) -> None:
        """Refuse nothing: everything is exposed, and the run says so."""

    def execute(self, plan: Plan, layout: Layout, into: Path) -> Execution:
        """Run the plan to its end and leave its files in `into`; see the protocol."""
        into.mkdir(parents=True, exist_ok=True)
        work = Path(layout.work)
        for name, source in plan.work.items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, work / name)
            if source.stat().st_mode & EXECUTABLE:
                (work / name).chmod(PRIVATE)
        shutil.copytree(plan.program, layout.program, dirs_exist_ok=True, symlinks=True)
        for source in [*plan.work.values(), *plan.binds.values()]:
            if why := damage(str(source)):
                raise InputError(f"an agent could not read this file ({why})", file=source)
        begun = time.monotonic()
        # Until the program is known to us it could not be ended, so a request to end waits that long.
        requests = Requests()
        try:
            process = subprocess.Popen(
                plan.argv,
                env=dict(plan.env),
                cwd=work,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            requests.heed()
            for name in ("stdout.txt", "stderr.txt"):
                (into / name).touch(mode=PRIVATE_FILE)
            reason = f"the program cannot be started ({error.strerror})"
            return Execution("exited", reason, 127, 0.0, 0.0, "missing")
        assert process.stdout is not None
        assert process.stderr is not None
        captures = {
            "stdout": Capture(process.stdout, into / "stdout.txt", plan.limits.capture),
            "stderr": Capture(process.stderr, into / "stderr.txt", plan.limits.capture),
        }
        try:
            requests.heed()
            timed_out = wait(process, plan.limits)
        finally:
            end_group(process, signal.SIGKILL)
            process.wait()
            for capture in captures.values():
                capture.finish(PIPE_PATIENCE)
        for capture in captures.values():
            capture.require_stored()
        seconds = round(time.monotonic() - begun, 3)
        collection = hand_out(work, plan, into)
        return Execution(
            state="timeout" if timed_out else "exited",
            reason=f"longer than {plan.limits.timeout:g} s" if timed_out else None,
            exit_code=process.returncode,
            seconds=seconds,
            start_seconds=0.0,
            output=collection.output,
            left_out=collection.left_out,
            cut={name: capture.cut for name, capture in captures.items() if capture.cut},
        )


def wait(process: subprocess.Popen[bytes], limits: Limits) -> bool:
    """Wait for the program's end, by force when its time is over; return whether it was over."""
    graces = (limits.timeout, limits.interrupt_grace, limits.terminate_grace)
    for grace, number in zip(graces, (signal.SIGINT, signal.SIGTERM, signal.SIGKILL), strict=True):
        try:
            process.wait(grace)
        except subprocess.TimeoutExpired:
            end_group(process, number)
        else:
            return number is not signal.SIGINT
    process.wait()
    return True


def end_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send a signal to the program's process group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def hand_out(work: Path, plan: Plan, into: Path) -> Collection:
    """Copy what the program left, by the same rules as from a sandbox."""
    collection = Collection(
        str(work), Rules(plan.deliverable, plan.limits.disk, staged=tuple(plan.work))
    )
    found = collection.deliverable()
    if found:
        with found.stream:
            _keep(found, into / found.name)
    for one in collection.others():
        _keep(one, into / FILES / one.name)
    return collection


def _keep(left: Left, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
    with path.open("xb") as target:
        path.chmod(PRIVATE_FILE)
        shutil.copyfileobj(left.stream, target)
