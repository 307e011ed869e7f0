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
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from .collect import Collection, Rules
from .formats import damage
from .frames import FrameError, copy_body, receive, send
from .watch import Bounds, Machine, exceeded, read_meminfo

PR_SET_DUMPABLE = 4
POLL = 0.05


def main(orders: int, reports: int) -> None:
    """Read orders from one descriptor, run the agent, write reports to the other."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
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
        send(outgoing, {"kind": "started"})
        ending = run(config)
        kill_everything()
        send(outgoing, {"kind": "ended", "full": full(config["work"]), **ending})
        hand_out(config, outgoing)


def unpack(incoming: BinaryIO) -> dict[str, Any]:
    """Return the orders, with the work folder's files written to their places."""
    config = receive(incoming)
    os.chdir(config["work"])
    while (header := receive(incoming))["kind"] == "file":
        path = Path(config["work"]) / header["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as target:
            copy_body(incoming, target, header["size"])
        if header.get("executable"):
            path.chmod(0o755)
    return config


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


def bounded(limits: dict[str, int]) -> Callable[[], None]:
    """Return what a child does to itself before it becomes the agent."""
    # RLIMIT_DATA and not RLIMIT_AS: JavaScript engines reserve far more addresses than they ever use.
    pairs = (
        (resource.RLIMIT_DATA, limits["memory"]),
        (resource.RLIMIT_NPROC, limits["processes"]),
        (resource.RLIMIT_FSIZE, limits["file"]),
        (resource.RLIMIT_NOFILE, limits["descriptors"]),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_CORE, 0),
    )

    def bind() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for kind, value in pairs:
            hard = resource.getrlimit(kind)[1]
            allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (allowed, allowed))

    return bind


def run(config: dict[str, Any]) -> dict[str, Any]:
    """Run the agent to its end, or to the end of its time or means; everything else may still be alive."""
    started = time.monotonic()
    try:
        agent = subprocess.Popen(
            config["argv"],
            env=config["env"],
            cwd=config["work"],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=bounded(config["limits"]),
        )
    except (OSError, subprocess.SubprocessError) as error:
        why = f"the program cannot be started ({getattr(error, 'strerror', None) or error})"
        return {"state": "exited", "reason": why, "exit_code": 127, "seconds": 0.0}
    bounds = Bounds(
        memory=config["limits"]["memory"],
        processes=config["limits"]["processes"],
        sockets=config["limits"]["sockets"],
        entries=config["limits"]["entries"],
        folders=tuple(config["folders"]),
    )
    machine = Machine(read_meminfo())
    stages = [
        (config["timeout"] + delay, signal.Signals(number)) for delay, number in config["stages"]
    ]
    state = "exited"
    reason: str | None = None
    while (code := reap(agent.pid)) is None:
        elapsed = time.monotonic() - started
        if stages and elapsed >= stages[0][0]:
            state, reason = "timeout", f"longer than {config['timeout']:g} s"
            signal_all(stages.pop(0)[1])
        elif state == "exited" and (reason := exceeded(bounds, machine)):
            state = "resources"
            signal_all(signal.SIGKILL)
        time.sleep(POLL)
    return {
        "state": state,
        "reason": reason,
        "exit_code": code,
        "seconds": round(time.monotonic() - started, 3),
    }


def reap(agent: int) -> int | None:
    """Collect ended processes; return the agent's exit code once it has ended, negative for a signal."""
    while True:
        try:
            one, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return None
        if one == 0:
            return None
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


def full(folder: str) -> bool:
    """Tell whether the file system of the folder has no block left."""
    return os.statvfs(folder).f_bavail == 0


def hand_out(config: dict[str, Any], outgoing: BinaryIO) -> None:
    """Send the deliverable, then the other files, then what was left out."""
    rules = Rules(**{**config["rules"], "staged": tuple(config["rules"]["staged"])})
    collection = Collection(config["work"], rules)
    found = collection.deliverable()
    send(outgoing, {"kind": "output", "state": collection.output})
    if found:
        with found.stream:
            send(outgoing, {"kind": "deliverable"}, found.stream, found.size)
    for one in collection.others():
        send(outgoing, {"kind": "file", "path": one.name}, one.stream, one.size)
    send(outgoing, {"kind": "done", "left_out": collection.left_out})


if __name__ == "__main__":
    try:
        main(int(sys.argv[1]), int(sys.argv[2]))
    except (FrameError, BrokenPipeError):
        sys.exit(1)
