# SPDX-License-Identifier: MIT
"""System calls an agent is refused: kernel keyrings, io_uring, BPF and memory no bound can see.

The filter is a plain BPF program, assembled here because the list is short and a compiler of filters would
be one more native library. An architecture that is not listed gets no filter.
"""

import platform
import struct

LOAD, JUMP_EQUAL, JUMP_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
EPERM, ENOSYS = 1, 38
X32 = 0x40000000
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

DENIED: dict[str, tuple[int, int, int]] = {
    # name: number on x86_64, number on aarch64, error
    "add_key": (248, 217, EPERM),
    "request_key": (249, 218, EPERM),
    "keyctl": (250, 219, EPERM),
    "bpf": (321, 280, EPERM),
    "perf_event_open": (298, 241, EPERM),
    "userfaultfd": (323, 282, EPERM),
    "io_uring_setup": (425, 425, ENOSYS),
    "io_uring_enter": (426, 426, ENOSYS),
    "io_uring_register": (427, 427, ENOSYS),
    # memory behind a descriptor belongs to no process and to no file system with a size
    "memfd_create": (319, 279, ENOSYS),
    "memfd_secret": (447, 447, ENOSYS),
}


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def seccomp_filter(machine: str | None = None) -> bytes | None:
    """Return the filter as `struct sock_filter[]`, or None for an architecture that is not listed."""
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        return None
    column = list(ARCHITECTURES).index(machine)
    steps = [
        _step(LOAD, 4),
        _step(JUMP_EQUAL, ARCHITECTURES[machine], yes=1),
        _step(RETURN, KILL),
        _step(LOAD, 0),
    ]
    if machine == "x86_64":
        steps += [_step(JUMP_AT_LEAST, X32, no=1), _step(RETURN, ERRNO | ENOSYS)]
    for entry in DENIED.values():
        steps += [_step(JUMP_EQUAL, entry[column], no=1), _step(RETURN, ERRNO | entry[2])]
    steps.append(_step(RETURN, ALLOW))
    return b"".join(steps)
