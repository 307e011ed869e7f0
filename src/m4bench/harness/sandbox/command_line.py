# SPDX-License-Identifier: MIT
"""How bubblewrap is told what an agent may see: its arguments for a plan. Starts nothing."""

import os
import shutil
from contextlib import ExitStack
from pathlib import Path

from m4bench.harness.sandbox.admission import (
    SHARED_MEMORY,
    TEMPORARY,
    installation,
    permitted,
)
from m4bench.harness.sandbox.runtime import Runtime
from m4bench.harness.sandbox.sandbox import ModelSocket, Plan
from m4bench.harness.sandbox.seccomp import seccomp_filter
from m4bench.harness.sandbox.view import View
from m4bench.model.errors import InputError

WORK, PROGRAM, HOME, RUNTIME, INSIDE = "/task", "/agent", "/home/agent", "/runtime", "/run/inside"
TOOLS, GATEWAY = "/opt/agent", "/run/gateway/socket"
SCRATCH = (TEMPORARY, HOME, SHARED_MEMORY)
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
    # Statically linked programs (musl) know no nsswitch.conf: without this they ask 127.0.0.1 for every name
    # and wait five seconds for an answer that cannot come.
    "/etc/resolv.conf": "nameserver 127.0.0.1\noptions timeout:0 attempts:1\n",
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
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
DEVICES_READ_ONLY = "".join(f"/dev/{one} /dev/{one} none bind,ro 0 0\n" for one in DEVICES)
CAP_SYS_ADMIN = 21


def command_line(
    program: str, plan: Plan, shown: View, runtime: Runtime, passed: "Passed"
) -> list[str]:
    """Return the command that starts a sandbox and the supervisor in it, whose own arguments follow.

    Raises:
        InputError: something is to be shown that may not be, or is not there.
    """
    options = passed.text("arguments", "\0".join(arguments(plan, shown, runtime, passed)) + "\0")
    return [
        *(protect_devices(passed) if may_mount() else ()), *TAKEN_FIRST, program, "--args", str(options), "--",
        f"{RUNTIME}/bin/python3", "-I", "-S", "-c", START_SUPERVISOR,
    ]  # fmt: skip


def arguments(plan: Plan, shown: View, runtime: Runtime, passed: "Passed") -> list[str]:
    """Return bubblewrap's arguments for a plan, in the order in which they take effect."""
    limits = plan.limits
    result = [*NAMESPACES, *_system_places(limits.scratch)]
    result += ["--size", str(limits.disk), "--perms", "0755", "--tmpfs", WORK]
    view = View(list(shown.arguments), list(shown.shown), list(shown.masked))
    view.close_masks()
    result += view.arguments
    result += ["--ro-bind", str(runtime.root), RUNTIME]
    result += ["--ro-bind", str(plan.program.resolve()), PROGRAM]
    for place, source in sorted(plan.binds.items()):
        result += ["--ro-bind", str(permitted(source, place)), place]
    for name, tool in installation(plan).items():
        result += ["--ro-bind", str(tool), f"{TOOLS}/{name}"]
    if plan.model is not None:
        result += ["--ro-bind", str(gateway(plan.model)), GATEWAY]
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


def _system_places(scratch: int) -> list[str]:
    size = ["--size", str(scratch)]
    result = ["--proc", "/proc", "--remount-ro", "/proc"]
    for path in HIDDEN_IN_PROC:
        if Path(path).exists():
            result += ["--ro-bind", "/dev/null", path]
    result += ["--dev", "/dev", *size, "--perms", "1777", "--tmpfs", SHARED_MEMORY]
    result += [*size, "--perms", "1777", "--tmpfs", TEMPORARY]
    return [*result, *size, "--perms", "0700", "--tmpfs", HOME]


def gateway(model: ModelSocket) -> Path:
    """Return the resolved path of a gateway's socket.

    Raises:
        InputError: there is no socket.
    """
    path = model.socket.resolve()
    if not path.is_socket():
        raise InputError("is no socket of a model gateway", file=path)
    return path


def protect_devices(passed: "Passed") -> list[str]:
    """Return the beginning of a command that runs the rest with device nodes whose permissions are fixed."""
    table = passed.text("devices", DEVICES_READ_ONLY)
    return [
        "unshare", "--mount", "--propagation", "private", "--", "/bin/sh", "-c",
        'mount -a -T "$0" 2>/dev/null; exec "$@"', f"/proc/self/fd/{table}",
    ]  # fmt: skip


class Passed:
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
