# SPDX-License-Identifier: MIT
"""What memory, processors and disks allow, and whether a file system does what the store relies on.

It knows no dataset, and leaves nothing behind.
"""

import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from m4bench.data.synthetic.workers import cores
from m4bench.doors.demo_runs import workers_for
from m4bench.doors.doctor.finding import Finding, State
from m4bench.harness.sandbox.sandbox import GIB, Limits
from m4bench.model.files import PARTIAL_PREFIX, PRIVATE, sync_directory

LEAST_MEMORY = 1 * GIB
LEAST_DISK = 1 * GIB
ROOM_FOR_MIMIC = 40 * GIB
"""What MIMIC-IV takes in the store with all that is derived from it, rounded up."""
MANY_RUNS = 1 << 20


def capacity() -> Iterator[Finding]:
    """Yield what processors and memory allow."""
    count, memory = cores(), memory_bytes()
    at_a_time = workers_for(MANY_RUNS)
    meaning = f"the demo has {at_a_time} {'run' if at_a_time == 1 else 'runs'} at a time"
    found = f"{count} usable"
    yield Finding(
        "machine", "processors", "ready", found, meaning, facts={"count": count, "runs": at_a_time}
    )
    found = f"{memory / GIB:.1f} GiB"
    facts = {"bytes": memory}
    bound = Limits.memory
    if memory < LEAST_MEMORY:
        meaning, remedy = "too little for the engine", "use a machine with 4 GiB or more"
        yield Finding("machine", "memory", "needed", found, meaning, remedy, facts)
    elif memory < bound:
        meaning = f"an agent's bound of {bound // GIB} GiB is more than there is"
        remedy = "give runs and imports a --memory-limit below it"
        yield Finding("machine", "memory", "optional", found, meaning, remedy, facts)
    else:
        agents = memory // bound
        meaning = f"{agents} {'agent' if agents == 1 else 'agents'} at a time with the bound of {bound // GIB} GiB"
        yield Finding("machine", "memory", "ready", found, meaning, facts=facts)


def memory_bytes(
    meminfo: Path = Path("/proc/meminfo"), cgroup: Path = Path("/sys/fs/cgroup/memory.max")
) -> int:
    """Return the memory of the machine, or of the container when it is bounded to less."""
    lines = meminfo.read_text(encoding="utf-8").splitlines()
    total = next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemTotal:"))
    bound = cgroup.read_text(encoding="utf-8").strip() if cgroup.is_file() else "max"
    return min(total, int(bound)) if bound.isdigit() else total


def existing(place: Path) -> Path:
    """Return the place itself, or the nearest above it that exists."""
    return next(one for one in (place, *place.parents) if one.exists())


def room(name: str, place: Path) -> Finding:
    """Return what the disk of a folder has free."""
    free = shutil.disk_usage(existing(place)).free
    found, facts = f"{free / GIB:.1f} GiB free", {"path": str(place), "free": free}
    if free < LEAST_DISK:
        meaning, remedy = "too little for the demo", f"free some, or choose another folder: {place}"
        return Finding("disk", name, "needed", found, meaning, remedy, facts)
    if free < ROOM_FOR_MIMIC:
        meaning = "enough for synthetic hospitals and the open demos, not for MIMIC-IV"
        remedy = f"for MIMIC-IV have {ROOM_FOR_MIMIC // GIB} GiB free, or choose another folder"
        return Finding("disk", name, "optional", found, meaning, remedy, facts)
    return Finding("disk", name, "ready", found, f"enough for MIMIC-IV; {place}", facts=facts)


def file_system(place: Path, *, needed: bool) -> Finding:
    """Return whether a folder can be written and its file system does what the store relies on.

    Args:
        place: the folder; where it is missing, the nearest one above it is tried.
        needed: whether the main job depends on it.
    """
    name = "store"
    state: State = "needed" if needed else "optional"
    meaning = "whole files or none, private references, one writer at a time"
    facts = {"path": str(place)}
    try:
        with tempfile.TemporaryDirectory(
            prefix=f"{PARTIAL_PREFIX}doctor-", dir=existing(place)
        ) as made:
            failed = [what for what, works in FEATURES.items() if not _does(works, Path(made))]
    except OSError as error:
        remedy = f"choose a folder you may write with --store, not {place}"
        found = f"cannot be written ({error.strerror or type(error).__name__})"
        without = meaning if needed else "datasets that are there can be used, none made"
        return Finding("disk", name, state, found, without, remedy, facts)
    if failed:
        found = f"its file system lacks: {', '.join(failed)}"
        remedy = "choose a folder on a local disk with --store"
        return Finding("disk", name, state, found, meaning, remedy, facts)
    found = "can be written" if place.is_dir() else "can be made"
    return Finding("disk", name, "ready", f"{found}; {place}", meaning, facts=facts)


def _does(works: Callable[[Path], bool], folder: Path) -> bool:
    try:
        return works(folder)
    except OSError:
        return False


def _private_modes(folder: Path) -> bool:
    private = folder / "private"
    private.mkdir(mode=PRIVATE)
    return stat.S_IMODE(private.stat().st_mode) == PRIVATE


def _fsync(folder: Path) -> bool:
    with (folder / "synced").open("wb") as stream:
        stream.write(b"x")
        os.fsync(stream.fileno())
    sync_directory(folder)
    return True


def _rename(folder: Path) -> bool:
    (folder / "old").write_text("old", encoding="utf-8")
    (folder / "new").write_text("new", encoding="utf-8")
    (folder / "new").replace(folder / "old")
    return (folder / "old").read_text(encoding="utf-8") == "new"


def _lock(folder: Path) -> bool:
    with (folder / "locked").open("wb") as first, (folder / "locked").open("wb") as second:
        fcntl.flock(first, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def _reserve(folder: Path) -> bool:
    with (folder / "reserved").open("wb") as stream:
        os.posix_fallocate(stream.fileno(), 0, 4096)
    return True


FEATURES: dict[str, Callable[[Path], bool]] = {
    "private folders (mode 0700)": _private_modes,
    "fsync": _fsync,
    "rename over a file": _rename,
    "locks": _lock,
    "reserved room": _reserve,
}
