# SPDX-License-Identifier: MIT
"""Runs an agent with no isolation at all, for development; its runs are never publishable.

It has the interface of a sandbox, a work folder and a home of its own, and a time-out, and nothing else:
memory, disk, network and the host's files are the agent's.
"""

import os
import shutil
import signal
import stat
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from m4bench.harness.interruption import Requests
from m4bench.harness.sandbox.admission import refuse_names
from m4bench.harness.sandbox.capture import Capture
from m4bench.harness.sandbox.inside.collect import Collection, Left, Rules
from m4bench.harness.sandbox.inside.formats import damage
from m4bench.harness.sandbox.inside.outside import Outside
from m4bench.harness.sandbox.inside.placing import private_file
from m4bench.harness.sandbox.receive import FILES, OUTSIDE, PRIVATE_FILE
from m4bench.harness.sandbox.runtime import Runtime, ensure_runtime
from m4bench.harness.sandbox.sandbox import Execution, Layout, Plan, State
from m4bench.harness.sandbox.verdict import never_started
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
        refuse_names(plan)
        into.mkdir(parents=True, exist_ok=True)
        if not_run := never_started(plan, into):
            return not_run
        work = Path(layout.work)
        furnish(plan, layout)
        begun = time.monotonic()
        # Until the program is known to us it could not be ended, so a request to end waits that long.
        requests = Requests()
        try:
            if plan.begun is not None:
                plan.begun()
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
            "stdout": Capture(process.stdout, into / "stdout.txt", plan.limits.capture, plan.tap),
            "stderr": Capture(process.stderr, into / "stderr.txt", plan.limits.capture),
        }
        watch = Watch(process, plan, work / plan.deliverable, begun)
        try:
            requests.heed()
            watch.wait()
        finally:
            end_group(process, signal.SIGKILL)
            process.wait()
            for capture in captures.values():
                capture.finish(PIPE_PATIENCE)
        for capture in captures.values():
            capture.require_stored()
        seconds = round(time.monotonic() - begun, 3)
        watch.look_for_output()
        collection = hand_out(work, plan, layout, into)
        return Execution(
            state=watch.state,
            reason=watch.reason,
            exit_code=process.returncode,
            seconds=seconds,
            start_seconds=0.0,
            output=collection.output,
            left_out=collection.left_out,
            cut={name: capture.cut for name, capture in captures.items() if capture.cut},
            first_output_seconds=watch.first_output,
        )


def furnish(plan: Plan, layout: Layout) -> None:
    """Put the plan's files into the work folder, the home and the program folder.

    Raises:
        InputError: a file the agent is to be given cannot be read as what it is.
    """
    work = Path(layout.work)
    for name, source in plan.work.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, work / name)
        if source.stat().st_mode & EXECUTABLE:
            (work / name).chmod(PRIVATE)
    for name, text in plan.home.items():
        with private_file(Path(layout.home), name) as target:
            target.write(text.encode("utf-8", "surrogateescape"))
    shutil.copytree(plan.program, layout.program, dirs_exist_ok=True, symlinks=True)
    for source in plan.tools.values():
        if not source.exists():
            raise InputError("a part of the agent's installation is not there", file=source)
    for source in [*plan.work.values(), *plan.binds.values()]:
        if why := damage(str(source)):
            raise InputError(f"an agent could not read this file ({why})", file=source)


class Watch:
    """Waits for a program's end, by force when its time is over or a stop is asked for, and looks for its output."""

    def __init__(
        self, process: subprocess.Popen[bytes], plan: Plan, deliverable: Path, begun: float
    ) -> None:
        self.process, self.plan, self.deliverable, self.begun = process, plan, deliverable, begun
        self.state: State = "exited"
        self.reason: str | None = None
        self.first_output: float | None = None

    def wait(self) -> None:
        """Return when the program has ended."""
        limits, stop = self.plan.limits, self.plan.stop
        while self.process.poll() is None:
            self.look_for_output()
            if time.monotonic() - self.begun >= limits.timeout:
                self.state, self.reason = "timeout", f"longer than {limits.timeout:g} s"
                break
            if stop is not None and stop.asked:
                self.state, self.reason = "stopped", stop.reason
                break
            self._pause(POLL)
        for number, grace in (
            (signal.SIGINT, limits.interrupt_grace),
            (signal.SIGTERM, limits.terminate_grace),
            (signal.SIGKILL, None),
        ):
            if self.process.poll() is None:
                end_group(self.process, number)
                self._pause(grace)

    def look_for_output(self) -> None:
        """Note when the deliverable is first seen with something in it."""
        if self.first_output is not None:
            return
        with suppress(OSError):
            status = self.deliverable.lstat()
            if stat.S_ISREG(status.st_mode) and status.st_size:
                self.first_output = round(time.monotonic() - self.begun, 3)

    def _pause(self, seconds: float | None) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)


def end_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send a signal to the program's process group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def hand_out(work: Path, plan: Plan, layout: Layout, into: Path) -> Collection:
    """Copy what the program left, by the same rules as from a sandbox."""
    rules = Rules(plan.deliverable, plan.limits.disk, staged=tuple(plan.work))
    collection = Collection(str(work), rules)
    found = collection.deliverable()
    if found:
        with found.stream:
            _keep(found, into / found.name)
    outside = Outside(rules, collection.left_out)
    for one in outside.files({name: place(path, layout) for name, path in plan.collect.items()}):
        _keep(one, into / OUTSIDE / one.name)
    for one in collection.others():
        _keep(one, into / FILES / one.name)
    return collection


def place(path: str, layout: Layout) -> tuple[str, str]:
    """Return a folder that is the harness's own, through whatever links, and the path below it."""
    for folder in (layout.home, layout.work):
        if Path(path).is_relative_to(folder):
            return folder, str(Path(path).relative_to(folder))
    return "/", path


def _keep(left: Left, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
    with path.open("xb") as target:
        path.chmod(PRIVATE_FILE)
        shutil.copyfileobj(left.stream, target)
