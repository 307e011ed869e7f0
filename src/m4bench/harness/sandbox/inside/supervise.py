# SPDX-License-Identifier: MIT
"""The first process of a sandbox: starts the agent's program, bounds it, and hands out what it left.

As process 1 of its namespace it cannot be signalled from inside, and when it ends everything ends. It is
told what to do by one message on a pipe and does not know what is measured. What it reports is treated
outside as an agent's word: it guards the host's resources, not the host's secrets.
"""

import ctypes
import os
import resource
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from .collect import Collection, Rules
from .formats import damage
from .frames import FrameError, send
from .outside import Outside
from .placing import unpack
from .relay import Relay, start_relay
from .watch import Bounds, Machine, exceeded, read_meminfo

PR_SET_DUMPABLE = 4
POLL = 0.05


def main(orders: int, reports: int) -> None:
    """Read orders from one descriptor, run the agent, write reports to the other."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    undumpable()
    with os.fdopen(orders, "rb") as incoming, os.fdopen(reports, "wb") as outgoing:
        config = unpack(incoming)
        leaks = [path for path in config["forbidden"] if readable(path)]
        network = foreign_interfaces()
        if leaks or network:
            send(outgoing, {"kind": "leak", "paths": leaks, "interfaces": network})
            return
        damaged = {path: why for path in config["shown"] if (why := damage(path))}
        if damaged:
            send(outgoing, {"kind": "damaged", "paths": damaged})
            return
        relay = (
            start_relay(config["port"], config["gateway"], undumpable) if config["port"] else None
        )
        send(outgoing, {"kind": "started"})
        ending = run(config, incoming, relay)
        kill_everything()
        send(outgoing, {"kind": "ended", "full": full(config["folders"]), **ending})
        hand_out(config, outgoing)


def undumpable() -> None:
    """Let nothing of the agent's look into this process."""
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def readable(path: str) -> bool:
    """Tell whether anything of a host path can be read here: a file's bytes or a folder's entries."""
    try:
        if Path(path).is_dir():
            return any(Path(path).iterdir())
        with Path(path).open("rb") as stream:
            stream.read(1)
    except OSError:
        return False
    return True


def foreign_interfaces() -> list[str]:
    """Return the network interfaces other than loopback."""
    lines = Path("/proc/net/dev").read_text().splitlines()[2:]
    names = [line.split(":")[0].strip() for line in lines]
    return [name for name in names if name != "lo"]


def bounded(limits: dict[str, int], beside: int) -> Callable[[], None]:
    """Return what a child does to itself before it becomes the agent.

    `beside` processes of the same user are not the agent's.
    """
    # RLIMIT_DATA and not RLIMIT_AS: JavaScript engines reserve far more addresses than they ever use.
    pairs = (
        (resource.RLIMIT_DATA, limits["memory"]),
        (resource.RLIMIT_NPROC, limits["processes"] + beside),
        (resource.RLIMIT_FSIZE, limits["file"]),
        (resource.RLIMIT_NOFILE, limits["descriptors"]),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_CORE, 0),
    )

    def bind() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        for kind, value in pairs:
            hard = resource.getrlimit(kind)[1]
            allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (allowed, allowed))

    return bind


def run(config: dict[str, Any], incoming: BinaryIO, relay: Relay | None) -> dict[str, Any]:
    """Run the agent to its end, or to the end of its time or means; everything else may still be alive.

    What comes after the orders is the request to stop.
    """
    os.set_blocking(incoming.fileno(), False)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    started = time.monotonic()
    try:
        agent = subprocess.Popen(
            config["argv"],
            env=config["env"],
            cwd=config["work"],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=bounded(config["limits"], beside=1 if relay else 0),
        )
    except (OSError, subprocess.SubprocessError) as error:
        why = f"the program cannot be started ({getattr(error, 'strerror', None) or error})"
        return {"state": "exited", "reason": why, "exit_code": 127, "seconds": 0.0}
    course = Course(config, relay, started)
    while (code := reap(agent.pid, relay)) is None:
        course.look(stop_asked=bool(incoming.peek(1)))  # type: ignore[attr-defined]
        # the agent's end is known at once, what it uses every so often
        until = time.monotonic() + POLL
        while (left := until - time.monotonic()) > 0:
            if signal.sigtimedwait({signal.SIGCHLD}, left) and ended(agent.pid):
                break
    seconds = round(time.monotonic() - started, 3)
    course.look_for_output(seconds)
    return {
        "state": course.state,
        "reason": course.reason,
        "exit_code": code,
        "seconds": seconds,
        "first_output": course.first_output,
    }


class Course:
    """What is watched while an agent runs: its time, its means, its deliverable, and whether it is to stop."""

    def __init__(self, config: dict[str, Any], relay: Relay | None, started: float) -> None:
        limits = config["limits"]
        self.bounds = Bounds(
            memory=limits["memory"],
            processes=limits["processes"],
            sockets=limits["sockets"],
            entries=limits["entries"],
            folders=tuple(config["folders"]),
        )
        self.machine = Machine(read_meminfo())
        self.relay, self.started, self.timeout = relay, started, config["timeout"]
        self.deliverable = f"{config['work']}/{config['rules']['deliverable']}"
        self.state = "exited"
        self.reason: str | None = None
        self.first_output: float | None = None
        self._stages = [(delay, signal.Signals(number)) for delay, number in config["stages"]]
        self._ending: float | None = None

    def look(self, *, stop_asked: bool) -> None:
        """Look once, and do what is due."""
        elapsed = time.monotonic() - self.started
        self.look_for_output(elapsed)
        if self.state == "exited":
            if elapsed >= self.timeout:
                self._end(elapsed, "timeout", f"longer than {self.timeout:g} s")
            elif stop_asked:
                self._end(elapsed, "stopped", "asked from outside")
        while (
            self._ending is not None
            and self._stages
            and elapsed >= self._ending + self._stages[0][0]
        ):
            signal_all(self._stages.pop(0)[1])
        if self.state != "resources" and (
            reason := exceeded(self.bounds, self.machine, self.relay)
        ):
            if self.state == "exited":
                self.state, self.reason = "resources", reason
            signal_all(signal.SIGKILL)

    def look_for_output(self, elapsed: float) -> None:
        """Note when the deliverable is first seen with something in it."""
        if self.first_output is not None:
            return
        try:
            status = os.lstat(self.deliverable)
        except OSError:
            return
        if stat.S_ISREG(status.st_mode) and status.st_size:
            self.first_output = round(elapsed, 3)

    def _end(self, elapsed: float, state: str, reason: str) -> None:
        self.state, self.reason, self._ending = state, reason, elapsed


def ended(process: int) -> bool:
    """Tell whether a child has ended; it is not collected."""
    flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, process, flags) is not None


def reap(agent: int, relay: Relay | None) -> int | None:
    """Collect ended processes; return the agent's exit code once it has ended, negative for a signal."""
    while True:
        try:
            one, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return None
        if one == 0:
            return None
        if relay is not None:
            relay.ended(one)
        if one == agent:
            return os.waitstatus_to_exitcode(status)


def signal_all(number: signal.Signals) -> None:
    """Send a signal to every process of the namespace but this one."""
    try:
        os.kill(-1, number)
    except ProcessLookupError:
        return


def kill_everything() -> None:
    """End every other process of the namespace and wait until none is left."""
    while True:
        signal_all(signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def full(folders: list[str]) -> list[str]:
    """Return those of the folders whose file systems have no block left."""
    return [folder for folder in folders if os.statvfs(folder).f_bavail == 0]


def hand_out(config: dict[str, Any], outgoing: BinaryIO) -> None:
    """Send the deliverable, then the other files, then what was left out."""
    rules = Rules(**{**config["rules"], "staged": tuple(config["rules"]["staged"])})
    collection = Collection(config["work"], rules)
    found = collection.deliverable()
    send(outgoing, {"kind": "output", "state": collection.output})
    if found:
        with found.stream:
            send(outgoing, {"kind": "deliverable"}, found.stream, found.size)
    collected = Outside(rules, collection.left_out)
    for one in collected.files({name: ("/", path) for name, path in config["collect"].items()}):
        send(outgoing, {"kind": "collected", "path": one.name}, one.stream, one.size)
    for one in collection.others():
        send(outgoing, {"kind": "file", "path": one.name}, one.stream, one.size)
    send(outgoing, {"kind": "done", "left_out": collection.left_out})


if __name__ == "__main__":
    try:
        main(int(sys.argv[1]), int(sys.argv[2]))
    except (FrameError, BrokenPipeError):
        sys.exit(1)
