# SPDX-License-Identifier: MIT
"""Bounds on all processes of a sandbox together: memory, number, sockets, files. Reads /proc, kills nothing."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .relay import Relay

PROC = Path("/proc")
KIB = 1024
GIB = 1 << 30
# What a process holds whether or not it is resident now: without these, swapping or touching one page in
# each of many regions would be free.
OF_A_PROCESS = ("VmSwap:", "VmPTE:")
THREADS_OF_A_PROCESS = 8
# A state in /proc/net/tcp.
LISTENING = "0A"


@dataclass(frozen=True)
class Bounds:
    """What the processes may use together: bytes of memory, number of processes, sockets, entries a file system."""

    memory: int
    processes: int
    sockets: int
    entries: int
    folders: tuple[str, ...]

    @property
    def threads(self) -> int:
        """How many threads all processes may have: each takes kernel memory of its own."""
        return self.processes * THREADS_OF_A_PROCESS


class Machine:
    """The memory of the whole machine: a backstop for what no process, socket or file of a sandbox owns.

    `low` is reached when less than `floor` bytes are available, an eighth of the machine and at most
    1 GiB, and what the kernel holds outside processes and caches has grown by more than that since the
    start: memory of processes alone, theirs or a neighbour's, is for the kernel's own judgement.
    """

    def __init__(self, meminfo: Mapping[str, int]) -> None:
        self.floor = min(GIB, meminfo["MemTotal"] // 8)
        self.before = unowned(meminfo)

    def low(self, meminfo: Mapping[str, int]) -> bool:
        """Tell whether the machine is running out of memory that no process owns."""
        return meminfo["MemAvailable"] < self.floor and unowned(meminfo) - self.before > self.floor


def unowned(meminfo: Mapping[str, int]) -> int:
    """Return the bytes that are neither free, nor a cache, nor anonymous memory of a process."""
    owned = ("MemFree", "Buffers", "Cached", "SwapCached", "AnonPages", "SReclaimable")
    return meminfo["MemTotal"] - sum(meminfo.get(name, 0) for name in owned) + meminfo["Shmem"]


def read_meminfo(text: str | None = None) -> dict[str, int]:
    """Return the machine's memory in bytes, by the kernel's names."""
    lines = (text if text is not None else (PROC / "meminfo").read_text()).splitlines()
    pairs = (line.split(":", 1) for line in lines if line.endswith("kB"))
    return {name: KIB * int(value.split()[0]) for name, value in pairs}


def process_ids() -> list[int]:
    """Return the ids of all processes but this one."""
    own = os.getpid()
    return [int(one.name) for one in PROC.iterdir() if one.name.isdigit() and int(one.name) != own]


def numbers(path: Path) -> dict[str, int]:
    """Return the numbers of a file of `Name:  1 kB` lines; nothing of a process that is gone or hides it."""
    try:
        # a process names itself, and not everything it may choose is text
        text = path.read_bytes().decode("latin-1")
    except OSError:
        return {}
    words = [line.split() for line in text.split("\n")]
    return {one[0]: int(one[1]) for one in words if len(one) > 1 and one[1].isdecimal()}


def resident(status: Mapping[str, int]) -> int:
    """Return the bytes a process holds, pages it shares with others included."""
    return KIB * sum(status.get(name, 0) for name in ("RssAnon:", "RssShmem:", *OF_A_PROCESS))


def proportional(process: int, status: Mapping[str, int]) -> int:
    """Return the bytes a process holds, shared pages divided among the sharers.

    A process can hide this figure from its supervisor; then all that it holds counts.
    """
    rollup = numbers(PROC / str(process) / "smaps_rollup")
    if "Pss_Anon:" not in rollup:
        return resident(status)
    return KIB * (
        rollup["Pss_Anon:"]
        + rollup.get("Pss_Shmem:", 0)
        + sum(status.get(name, 0) for name in OF_A_PROCESS)
    )


def open_sockets() -> int:
    """Return the number of sockets of this network namespace, wherever they are held."""
    return numbers_of_sockets((PROC / "net" / "sockstat").read_text())


def numbers_of_sockets(text: str) -> int:
    """Return the sockets in use by a kernel's statistics."""
    first = text.splitlines()[0].split() if text else []
    return int(first[2]) if len(first) > 2 else 0


def sockets_of(relay: Relay, text: str | None = None) -> int:
    """Return the sockets that are a relay's: those it holds, and those that wait for it to take them."""
    lines = (text if text is not None else (PROC / "net" / "tcp").read_text()).splitlines()[1:]
    fields = [line.split() for line in lines]
    queues = [
        int(one[4].split(":")[1], 16)
        for one in fields
        if one[3] == LISTENING and int(one[1].split(":")[1], 16) == relay.port
    ]
    return relay.sockets() + sum(queues[:1])


def exceeded(bounds: Bounds, machine: Machine, relay: Relay | None = None) -> str | None:
    """Return which bound is exceeded, in one line, or None; the relay's process and sockets do not count.

    The cheap sum counts a page once for each process that shares it; only when that is too much is the
    exact one taken.
    """
    beside = relay.process if relay else None
    states = {one: numbers(PROC / str(one) / "status") for one in process_ids() if one != beside}
    if len(states) > bounds.processes:
        return f"more than {bounds.processes} processes"
    if sum(state.get("Threads:", 0) for state in states.values()) > bounds.threads:
        return f"more than {bounds.threads} threads"
    if (found := open_sockets()) > bounds.sockets and (
        relay is None or found - sockets_of(relay) > bounds.sockets
    ):
        return f"more than {bounds.sockets} sockets"
    if (
        sum(resident(state) for state in states.values()) > bounds.memory
        and sum(proportional(one, state) for one, state in states.items()) > bounds.memory
    ):
        return f"more than {bounds.memory >> 20} MiB of memory"
    if machine.low(read_meminfo()):
        return f"kernel memory: less than {machine.floor >> 20} MiB are left on the machine"
    for folder in bounds.folders:
        usage = os.statvfs(folder)
        if usage.f_files - usage.f_ffree > bounds.entries:
            return f"more than {bounds.entries} files in {folder}"
    return None
