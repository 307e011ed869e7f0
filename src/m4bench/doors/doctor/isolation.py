# SPDX-License-Identifier: MIT
"""Whether agents can be kept apart from this machine: namespaces, and a filter of system calls. Starts no agent."""

import platform
from collections.abc import Iterator
from pathlib import Path

from m4bench.doors.doctor.finding import Finding
from m4bench.harness.sandbox import probe
from m4bench.harness.sandbox.seccomp import ARCHITECTURES, seccomp_filter

ACTIONS = Path("/proc/sys/kernel/seccomp/actions_avail")


def isolation() -> Iterator[Finding]:
    """Yield what is found of bubblewrap's namespaces and of seccomp."""
    meaning = "agents without network, in a file system of their own"
    found = probe()
    if found.ready:
        yield Finding("isolation", "bubblewrap", "ready", "works", meaning)
    else:
        without = "runs go with --sandbox none, on synthetic and open data, and are not publishable"
        reason = found.reason or "does not work"
        yield Finding("isolation", "bubblewrap", "optional", reason, without, found.remedy)
    yield _filter()


def _filter() -> Finding:
    """Return whether this kernel takes the filter that bubblewrap is given."""
    name, meaning = "seccomp", "refuses agents the system calls that reach beyond their sandbox"
    if seccomp_filter() is None:
        found = f"no filter for {platform.machine()}"
        remedy = f"use one of: {', '.join(ARCHITECTURES)}"
        return Finding("isolation", name, "optional", found, meaning, remedy)
    if not ACTIONS.is_file() or "errno" not in ACTIONS.read_text(encoding="utf-8").split():
        remedy = "use a kernel with CONFIG_SECCOMP_FILTER"
        return Finding("isolation", name, "optional", "not in this kernel", meaning, remedy)
    return Finding("isolation", name, "ready", f"filter for {platform.machine()}", meaning)
