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

from m4bench.harness.sandbox.capture import Capture
from m4bench.harness.sandbox.inside.collect import Rules
from m4bench.harness.sandbox.receive import Receiver, Report, send_orders
from m4bench.harness.sandbox.runtime import Runtime, ensure_runtime
from m4bench.harness.sandbox.sandbox import Execution, Layout, Plan, SandboxError, State
from m4bench.harness.sandbox.seccomp import seccomp_filter
from m4bench.harness.sandbox.view import View, system_view, unreadable_paths
from m4bench.model.errors import InputError
from m4bench.model.run import SandboxName

WORK, PROGRAM, HOME, RUNTIME, INSIDE = "/task", "/agent", "/home/agent", "/runtime", "/run/inside"
TEMPORARY, SHARED_MEMORY = "/tmp", "/dev/shm"  # noqa: S108 # places inside the sandbox
SCRATCH = (TEMPORARY, HOME, SHARED_MEMORY)
RESERVED = ("/usr", "/etc", "/proc", "/dev", "/run", "/bin", "/sbin", "/lib", "/lib64", "/home",
            TEMPORARY, WORK, PROGRAM, RUNTIME)  # fmt: skip
SUPERVISOR = Path(__file__).with_name("inside")
START_SUPERVISOR = (
    "import sys; sys.path.insert(0, '/run'); from inside.supervise import main; "
    "main(int(sys.argv[1]), int(sys.argv[2]))"
)
PASSWD = "root:x:0:0::/nonexistent:/usr/sbin/nologin\nagent:x:1000:1000::/home/agent:/bin/sh\n"  # noqa: S105
TEXTS = {
    "/etc/passwd": PASSWD,
    "/etc/group": "root:x:0:\nagent:x:1000:\n",
    "/etc/hosts": "127.0.0.1 localhost\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
# Of the machine and how it was started an agent needs to know memory and processors, and no more.
HIDDEN_IN_PROC = tuple(f"/proc/{name}" for name in (
    "bootconfig", "buddyinfo", "cmdline", "config.gz", "diskstats", "iomem", "ioports", "kallsyms", "kcore",
    "key-users", "keys", "kmsg", "modules", "mtrr", "pagetypeinfo", "partitions", "sched_debug", "slabinfo",
    "swaps", "timer_list", "vmallocinfo",
))  # fmt: skip
NAMESPACES = (
    "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup",
    "--disable-userns", "--assert-userns-disabled", "--uid", "1000", "--gid", "1000", "--hostname", "task",
    "--new-session", "--die-with-parent", "--as-pid-1", "--clearenv", "--cap-drop", "ALL",
)  # fmt: skip
# When the machine runs out of memory the kernel is to take a sandbox, never the harness or a neighbour's work.
TAKEN_FIRST = (
    "/bin/sh", "-c", 'echo 1000 2>/dev/null >/proc/self/oom_score_adj; exec "$@"', "sh",
)  # fmt: skip
# Run by root, the agent's user is the owner of the device nodes outside: it could change their permissions.
PROTECT_DEVICES = (
    "unshare", "--mount", "--propagation", "private", "--", "/bin/sh", "-c",
    "for one in null zero full random urandom tty; do mount --bind /dev/$one /dev/$one 2>/dev/null && "
    'mount -o remount,bind,ro /dev/$one 2>/dev/null; done; exec "$@"', "sh",
)  # fmt: skip
CAP_SYS_ADMIN = 21
COLLECTION_PATIENCE = 120.0
PIPE_PATIENCE = 10.0


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
        into.mkdir(parents=True, exist_ok=True)
        rules = Rules(plan.deliverable, plan.limits.disk, staged=tuple(plan.work))
        before = time.monotonic()
        moments: list[float] = []
        receiver = Receiver(into, rules, lambda: moments.append(time.monotonic()))
        captures, code = self._run(plan, rules, receiver, into)
        report = receiver.report
        start_seconds = (moments[0] if moments else time.monotonic()) - before
        if report.leak:
            raise SandboxError(f"the sandbox shows what it must not: {report.leak}")
        if report.damaged:
            raise damaged(report.damaged, plan)
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
            orders_read, orders_write = os.pipe()
            reports_read, reports_write = os.pipe()
            passed = _Passed(stack)
            arguments = passed.text("arguments", "\0".join(self.arguments(plan, passed)) + "\0")
            passed.take(orders_read, reports_write)
            command = [
                *(PROTECT_DEVICES if may_mount() else ()), *TAKEN_FIRST,
                self.program, "--args", str(arguments), "--",
                f"{RUNTIME}/bin/python3", "-I", "-S", "-c", START_SUPERVISOR,
                str(orders_read), str(reports_write),
            ]  # fmt: skip
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
            "stdout": Capture(process.stdout, into / "stdout.txt", limits.capture),
            "stderr": Capture(process.stderr, into / "stderr.txt", limits.capture),
        }
        most = (
            limits.timeout + limits.interrupt_grace + limits.terminate_grace + COLLECTION_PATIENCE
        )
        backstop = threading.Timer(most, process.kill)
        backstop.daemon = True
        backstop.start()
        try:
            # a sandbox that failed to start has closed its end; the report then says so
            with suppress(BrokenPipeError):
                send_orders(os.fdopen(orders, "wb"), self._orders(plan, rules), plan.work)
            receiver.read(os.fdopen(reports, "rb"))
            if not receiver.report.complete:
                process.kill()
            code = process.wait()
        finally:
            backstop.cancel()
            process.kill()
            process.wait()
            for capture in captures.values():
                capture.finish(PIPE_PATIENCE)
        return captures, code

    def _orders(self, plan: Plan, rules: Rules) -> dict[str, object]:
        limits = plan.limits
        places = [*plan.binds, WORK, PROGRAM, RUNTIME, *SCRATCH, "/proc", "/dev", *TEXTS]
        return {
            "kind": "orders",
            "argv": list(plan.argv),
            "env": dict(plan.env),
            "work": WORK,
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
            "rules": rules.as_dict(),
        }

    def arguments(self, plan: Plan, passed: "_Passed") -> list[str]:
        """Return bubblewrap's arguments for a plan, in the order in which they take effect."""
        limits = plan.limits
        result = [*NAMESPACES, *self._system_places(limits.scratch)]
        result += ["--size", str(limits.disk), "--perms", "0755", "--tmpfs", WORK]
        view = View(list(self.view.arguments), list(self.view.shown), list(self.view.masked))
        view.close_masks()
        result += view.arguments
        result += ["--ro-bind", str(self.runtime.root), RUNTIME]
        result += ["--ro-bind", str(plan.program.resolve()), PROGRAM]
        for place, source in sorted(plan.binds.items()):
            result += ["--ro-bind", str(permitted(source, place)), place]
        for place, text in TEXTS.items():
            result += ["--ro-bind-data", str(passed.text(place, text)), place]
        for module in sorted(SUPERVISOR.glob("*.py")):
            text = module.read_text(encoding="utf-8")
            result += [
                "--ro-bind-data",
                str(passed.text(module.name, text)),
                f"{INSIDE}/{module.name}",
            ]
        result += ["--remount-ro", "/dev", "--remount-ro", "/"]
        calls = seccomp_filter()
        if calls is not None:
            result += ["--seccomp", str(passed.data("seccomp", calls))]
        return [*result, "--chdir", WORK]

    def _system_places(self, scratch: int) -> list[str]:
        size = ["--size", str(scratch)]
        result = ["--proc", "/proc", "--remount-ro", "/proc"]
        for path in HIDDEN_IN_PROC:
            if Path(path).exists():
                result += ["--ro-bind", "/dev/null", path]
        result += ["--dev", "/dev", *size, "--perms", "1777", "--tmpfs", SHARED_MEMORY]
        result += [*size, "--perms", "1777", "--tmpfs", TEMPORARY]
        return [*result, *size, "--perms", "0700", "--tmpfs", HOME]


class _Passed:
    """The descriptors a sandbox inherits: texts in memory, and pipe ends."""

    def __init__(self, stack: ExitStack) -> None:
        self.descriptors: list[int] = []
        stack.callback(self.close)

    def data(self, name: str, content: bytes) -> int:
        """Return a descriptor from which the content can be read."""
        descriptor = os.memfd_create(name)
        self.descriptors.append(descriptor)
        with os.fdopen(os.dup(descriptor), "wb") as stream:
            stream.write(content)
        os.lseek(descriptor, 0, os.SEEK_SET)
        return descriptor

    def text(self, name: str, content: str) -> int:
        """Return a descriptor from which the text can be read, file names byte for byte."""
        return self.data(name, content.encode("utf-8", "surrogateescape"))

    def take(self, *descriptors: int) -> None:
        """Pass these on too; they are closed here afterwards."""
        self.descriptors += descriptors

    def close(self) -> None:
        """Close this side's copies."""
        while self.descriptors:
            os.close(self.descriptors.pop())


def may_mount() -> bool:
    """Tell whether this process is one that owns the host's device nodes and could protect them."""
    status = Path("/proc/self/status").read_text()
    effective = next(line.split()[1] for line in status.splitlines() if line.startswith("CapEff:"))
    able = bool(int(effective, 16) >> CAP_SYS_ADMIN & 1)
    return os.geteuid() == 0 and able and shutil.which("unshare") is not None


def permitted(source: Path, place: str) -> Path:
    """Return the resolved host file of a bind.

    Raises:
        InputError: it is not a regular file, or its place is not one a suite may use.
    """
    path = Path(place)
    resolved = source.resolve()
    taken = any(path.is_relative_to(one) for one in RESERVED) or path == Path("/")
    if not path.is_absolute() or ".." in path.parts or taken:
        raise InputError("a suite may not show anything there", file=place)
    if not resolved.is_file():
        raise InputError("is not a file that could be shown to an agent", file=source)
    return resolved


def execution(
    report: Report, plan: Plan, start_seconds: float, total: float, cut: Mapping[str, int]
) -> Execution:
    """Return how it ended, from what the inside reported and what was seen from outside.

    Once the agent has started, a report that breaks off is the agent's failure.
    """

    def cut_short(state: State, why: str) -> Execution:
        seconds = round(total - start_seconds, 3)
        return Execution(state, why, None, seconds, start_seconds, "missing", {}, cut)

    ended = report.ended
    if ended is None:
        if total >= plan.limits.timeout:
            return cut_short("timeout", "did not end in time")
        return cut_short("agent-error", "the sandbox ended before its program")
    if not report.complete:
        return cut_short("agent-error", "the sandbox ended before it handed out its files")
    state: State = ended.get("state", "infrastructure")
    reason, code = ended.get("reason"), ended.get("exit_code")
    if state not in ("exited", "timeout", "resources") or not isinstance(code, int):
        return cut_short("agent-error", "the sandbox reported no ending")
    if state == "exited" and code and ended.get("full"):
        state, reason = "resources", f"the work folder of {plan.limits.disk >> 20} MiB is full"
    return Execution(
        state=state,
        reason=str(reason)[:200] if reason else None,
        exit_code=code,
        seconds=float(ended.get("seconds") or 0.0),
        start_seconds=start_seconds,
        output=report.output,
        left_out=report.left_out,
        cut=cut,
    )


def damaged(found: Mapping[str, str], plan: Plan) -> InputError:
    """Return the error that names the first host file of those that cannot be read inside."""
    given = {**{f"{WORK}/{name}": path for name, path in plan.work.items()}, **plan.binds}
    place, why = next(iter(found.items()))
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return InputError(
        f"an agent could not read this file ({why}){more}; nothing was run",
        file=given.get(place, place),
        remedy="m4bench data verify says what is damaged; make it again, and see that you may read it",
    )


def last_line(path: Path, code: int) -> str:
    """Return the last line a failed start printed."""
    lines = path.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1][:200] if lines else f"exit {code}"
