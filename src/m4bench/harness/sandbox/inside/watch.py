# SPDX-License-Identifier: MIT
"""Bounds on all processes of a sandbox together: memory, number, file-system entries. Reads /proc, kills nothing."""

import os
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
KIB = 1024


@dataclass(frozen=True)
class Bounds:
    """What the processes may use together: bytes of memory, number of processes, entries a file system."""

    memory: int
    processes: int
    entries: int
    folders: tuple[str, ...]


def process_ids() -> list[int]:
    """Return the ids of all processes but this one."""
    own = os.getpid()
    return [int(one.name) for one in PROC.iterdir() if one.name.isdigit() and int(one.name) != own]


def _sum_kib(path: Path, fields: tuple[str, ...]) -> int:
    try:
        lines = path.read_text().splitlines()
    except OSError:  # it ended meanwhile
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith(fields))


def resident(ids: list[int]) -> int:
    """Return the bytes the processes hold, pages shared among them counted once a process."""
    fields = ("RssAnon:", "RssShmem:")
    return KIB * sum(_sum_kib(PROC / str(one) / "status", fields) for one in ids)


def proportional(ids: list[int]) -> int:
    """Return the bytes the processes hold, shared pages divided among the sharers."""
    fields = ("Pss_Anon:", "Pss_Shmem:")
    return KIB * sum(_sum_kib(PROC / str(one) / "smaps_rollup", fields) for one in ids)


def system_v_shared() -> int:
    """Return the resident bytes of System V segments, which belong to no process."""
    try:
        header, *rows = (PROC / "sysvipc" / "shm").read_text().splitlines()
        column = header.split().index("rss")
        return sum(int(row.split()[column]) for row in rows)
    except (OSError, ValueError):
        return 0


def exceeded(bounds: Bounds) -> str | None:
    """Return which bound is exceeded, in one line, or None.

    The cheap sum counts a page once for each process that shares it; only when that is too much is the
    exact one taken.
    """
    ids = process_ids()
    if len(ids) > bounds.processes:
        return f"more than {bounds.processes} processes"
    segments = system_v_shared()
    if resident(ids) + segments > bounds.memory and proportional(ids) + segments > bounds.memory:
        return f"more than {bounds.memory >> 20} MiB of memory"
    for folder in bounds.folders:
        usage = os.statvfs(folder)
        if usage.f_files - usage.f_ffree > bounds.entries:
            return f"more than {bounds.entries} files in {folder}"
    return None
