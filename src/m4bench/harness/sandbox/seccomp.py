# SPDX-License-Identifier: MIT
"""System calls an agent is refused: those that reach out of its namespaces, and memory no bound can see.

The filter is a plain BPF program, assembled here because the list is short and a compiler of filters would
be one more native library. An architecture that is not listed gets no filter.
"""

import platform
import struct
from collections.abc import Mapping
from dataclasses import dataclass

LOAD, JUMP_EQUAL, JUMP_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
NOTHING_DONE, EPERM, ENOSYS, EAFNOSUPPORT = 0, 1, 38, 97
X32 = 0x40000000
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# Of `struct seccomp_data` the arguments are 64-bit words; these calls take the lower 32 bits of theirs.
ARGUMENTS = 16

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
    # the host's kernel log, where its administrator lets everyone read it
    "syslog": (103, 116, EPERM),
    # memory behind a descriptor, an identifier or a pipe belongs to no process and to no file system with a size
    "memfd_create": (319, 279, ENOSYS),
    "memfd_secret": (447, 447, ENOSYS),
    "semget": (64, 190, ENOSYS),
    "msgget": (68, 186, ENOSYS),
    "shmget": (29, 194, ENOSYS),
    "vmsplice": (278, 75, ENOSYS),
    # A lock on a file that is shown would be a lock on the host's file, and no filter sees which file it is.
    # Tools that lock files of their own stop at a refusal, so the call says yes and locks nothing: between the
    # processes of one agent such locks do not exclude. Record locks (fcntl) do.
    "flock": (73, 32, NOTHING_DONE),
}


@dataclass(frozen=True)
class Condition:
    """A call that depends on one argument: `values` are what is refused, or, when `only`, all that is allowed."""

    numbers: tuple[int, int]
    argument: int
    values: tuple[int, ...]
    error: int = EPERM
    only: bool = False


AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
# Other families, AF_VSOCK before all, know no network namespaces: they reach the host of a virtual machine.
FAMILIES = (AF_UNIX, AF_INET, AF_INET6, AF_NETLINK)
F_SETLEASE = 1024
SUPERVISOR = 1
PRIO_PROCESS, IOPRIO_WHO_PROCESS = 0, 1

CONDITIONS: Mapping[str, tuple[Condition, ...]] = {
    "socket": (Condition((41, 198), 0, FAMILIES, EAFNOSUPPORT, only=True),),
    "socketpair": (Condition((53, 199), 0, FAMILIES, EAFNOSUPPORT, only=True),),
    # a lease on a file that is shown holds up whoever writes the host's file
    "fcntl": (Condition((72, 25), 1, (F_SETLEASE,)),),
    # Process 1 runs as the agent's user: without these its bounds and its share of the processor are the agent's.
    "prlimit64": (Condition((302, 261), 0, (SUPERVISOR,)),),
    "sched_setparam": (Condition((142, 118), 0, (SUPERVISOR,)),),
    "sched_setscheduler": (Condition((144, 119), 0, (SUPERVISOR,)),),
    "sched_setaffinity": (Condition((203, 122), 0, (SUPERVISOR,)),),
    "sched_setattr": (Condition((314, 274), 0, (SUPERVISOR,)),),
    "setpriority": (
        Condition((141, 140), 0, (PRIO_PROCESS,), only=True),
        Condition((141, 140), 1, (SUPERVISOR,)),
    ),
    "ioprio_set": (
        Condition((251, 30), 0, (IOPRIO_WHO_PROCESS,), only=True),
        Condition((251, 30), 1, (SUPERVISOR,)),
    ),
}


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
    for conditions in CONDITIONS.values():
        block = [step for one in conditions for step in _tested(one)]
        block.append(_step(RETURN, ALLOW))
        steps += [_step(JUMP_EQUAL, conditions[0].numbers[column], no=len(block)), *block]
    steps.append(_step(RETURN, ALLOW))
    return b"".join(steps)


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def _tested(condition: Condition) -> list[bytes]:
    """Return the steps that end a call its argument forbids; otherwise the step after them is reached."""
    steps = [_step(LOAD, ARGUMENTS + 8 * condition.argument)]
    refusal = _step(RETURN, ERRNO | condition.error)
    if not condition.only:
        for value in condition.values:
            steps += [_step(JUMP_EQUAL, value, no=1), refusal]
        return steps
    count = len(condition.values)
    steps += [
        _step(JUMP_EQUAL, value, yes=count - place) for place, value in enumerate(condition.values)
    ]
    return [*steps, refusal]
