# SPDX-License-Identifier: MIT
"""Runs an agent under bubblewrap: its own namespaces of every kind, no network, no host but a bare system.

The supervisor inside is process 1; this side starts it, feeds it and receives from it. It knows no agent.
"""

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from m4bench.harness.sandbox.admission import refuse_names
from m4bench.harness.sandbox.capture import Capture
from m4bench.harness.sandbox.command_line import (
    GATEWAY,
    HOME,
    PROGRAM,
    RUNTIME,
    SCRATCH,
    TEXTS,
    TOOLS,
    WORK,
    Passed,
    command_line,
)
from m4bench.harness.sandbox.inside.collect import Rules
from m4bench.harness.sandbox.receive import Orders, Receiver
from m4bench.harness.sandbox.runtime import Runtime, ensure_runtime
from m4bench.harness.sandbox.sandbox import Execution, Layout, Plan, SandboxError
from m4bench.harness.sandbox.verdict import damaged, execution, last_line, never_started
from m4bench.harness.sandbox.view import system_view, unreadable_paths
from m4bench.model.errors import InputError
from m4bench.model.run import SandboxName

COLLECTION_PATIENCE = 120.0
PIPE_PATIENCE = 10.0
LAST_WORDS = 2.0


class BubblewrapSandbox:
    """The default sandbox; `publishable` runs need it."""

    name: SandboxName = "bwrap"
    isolated = True

    def __init__(self, runtime: Runtime | None = None) -> None:
        program = shutil.which("bwrap")
        if program is None:
            raise InputError(
                "bubblewrap is not installed",
                remedy="apt-get install bubblewrap, or develop without isolation: --sandbox none",
            )
        self.program = program
        self.runtime = runtime or ensure_runtime()
        self.view = system_view(self.runtime)

    def layout(self, scratch: Path) -> Layout:
        """Return the fixed places inside; `scratch` is not used."""
        return Layout(
            work=WORK,
            program=PROGRAM,
            home=HOME,
            python=f"{RUNTIME}/bin/python3",
            path=f"{RUNTIME}/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            tools=TOOLS,
        )

    def refuse_exposure(self, secret: Mapping[str, Path]) -> None:
        """Raise InputError when a secret path lies below what is shown."""
        for what, path in secret.items():
            if self.view.exposes(path):
                raise InputError(
                    f"{what} would be visible to the agent", file=path, remedy="keep it elsewhere"
                )

    def execute(self, plan: Plan, layout: Layout, into: Path) -> Execution:
        """Run the plan to its end and leave its files in `into`; see the protocol."""
        refuse_names(plan)
        into.mkdir(parents=True, exist_ok=True)
        if not_run := never_started(plan, into):
            return not_run
        rules = Rules(plan.deliverable, plan.limits.disk, staged=tuple(plan.work))
        before = time.monotonic()
        moments: list[float] = []

        def started() -> None:
            moments.append(time.monotonic())
            if plan.begun is not None:
                plan.begun()

        receiver = Receiver(into, rules, started, plan.collect)
        captures, code = self._run(plan, rules, receiver, into)
        report = receiver.report
        start_seconds = (moments[0] if moments else time.monotonic()) - before
        if report.leak:
            raise SandboxError(f"the sandbox shows what it must not: {report.leak}")
        if report.damaged:
            raise damaged(report.damaged, plan, WORK)
        if not report.started:
            raise SandboxError(f"the sandbox did not start: {last_line(into / 'stderr.txt', code)}")
        for capture in captures.values():
            capture.require_stored()
        cut = {name: capture.cut for name, capture in captures.items() if capture.cut}
        return execution(report, plan, start_seconds, time.monotonic() - before, cut)

    def _run(
        self, plan: Plan, rules: Rules, receiver: Receiver, into: Path
    ) -> tuple[dict[str, Capture], int]:
        with ExitStack() as stack:
            passed = Passed(stack)
            arguments = command_line(self.program, plan, self.view, self.runtime, passed)
            orders_read, orders_write = os.pipe()
            reports_read, reports_write = os.pipe()
            passed.take(orders_read, reports_write)
            command = [*arguments, str(orders_read), str(reports_write)]
            try:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    pass_fds=passed.descriptors,
                    start_new_session=True,
                    env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin"},
                )
            except OSError as error:
                os.close(orders_write)
                os.close(reports_read)
                raise SandboxError(f"bubblewrap cannot be started ({error.strerror})") from error
            passed.close()
            return self._converse(process, orders_write, reports_read, plan, rules, receiver, into)

    def _converse(
        self,
        process: subprocess.Popen[bytes],
        orders: int,
        reports: int,
        plan: Plan,
        rules: Rules,
        receiver: Receiver,
        into: Path,
    ) -> tuple[dict[str, Capture], int]:
        limits = plan.limits
        assert process.stdout is not None
        assert process.stderr is not None
        captures = {
            "stdout": Capture(process.stdout, into / "stdout.txt", limits.capture, plan.tap),
            "stderr": Capture(process.stderr, into / "stderr.txt", limits.capture),
        }
        most = (
            limits.timeout + limits.interrupt_grace + limits.terminate_grace + COLLECTION_PATIENCE
        )
        backstop = threading.Timer(most, process.kill)
        backstop.daemon = True
        backstop.start()
        told = Orders(os.fdopen(orders, "wb"))
        try:
            # a sandbox that failed to start has closed its end; the report then says so
            with suppress(BrokenPipeError):
                told.give(self._orders(plan, rules), plan.work, plan.home)
            if plan.stop is not None:
                plan.stop.listen(told.stop)
            receiver.read(os.fdopen(reports, "rb"))
            if not receiver.report.started:
                # one that fails to start is let say why
                with suppress(subprocess.TimeoutExpired):
                    process.wait(LAST_WORDS)
            if not receiver.report.complete:
                process.kill()
            code = process.wait()
        finally:
            backstop.cancel()
            told.close()
            process.kill()
            process.wait()
            for capture in captures.values():
                capture.finish(PIPE_PATIENCE)
        return captures, code

    def _orders(self, plan: Plan, rules: Rules) -> dict[str, object]:
        limits = plan.limits
        tools = [f"{TOOLS}/{name}" for name in plan.tools]
        places = [*plan.binds, *tools, WORK, PROGRAM, RUNTIME, *SCRATCH, "/proc", "/dev", *TEXTS]
        return {
            "kind": "orders",
            "argv": list(plan.argv),
            "env": dict(plan.env),
            "work": WORK,
            "home": HOME,
            "gateway": GATEWAY,
            "port": plan.model.port if plan.model is not None else None,
            "timeout": limits.timeout,
            "stages": [
                (0.0, 2),
                (limits.interrupt_grace, 15),
                (limits.interrupt_grace + limits.terminate_grace, 9),
            ],
            "limits": {
                "memory": limits.memory,
                "processes": limits.processes,
                "sockets": limits.sockets,
                "file": limits.disk,
                "descriptors": limits.descriptors,
                "entries": limits.entries,
            },
            "folders": [WORK, *SCRATCH],
            "shown": [*(f"{WORK}/{name}" for name in plan.work), *plan.binds],
            "forbidden": unreadable_paths(plan.forbidden, self.view, places),
            "collect": dict(plan.collect),
            "rules": rules.as_dict(),
        }
