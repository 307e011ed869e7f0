# SPDX-License-Identifier: MIT
"""Tells whether bubblewrap can do here what a run asks of it, and what to do when it cannot."""

import shutil
from pathlib import Path

from m4bench.harness.attempt import attempt
from m4bench.harness.sandbox.command_line import NAMESPACES
from m4bench.harness.sandbox.sandbox import Probe

PATIENCE = 10.0


def probe() -> Probe:
    """Tell whether bubblewrap can do here what a run asks of it, and if not what to do about it."""
    program = shutil.which("bwrap")
    if program is None:
        return Probe(False, "bubblewrap is not installed", "apt-get install bubblewrap")
    command = [program, *NAMESPACES, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--",
               "/bin/sh", "-c", "exit 0"]  # fmt: skip
    tried = attempt(command, seconds=PATIENCE)
    if tried.works:
        return Probe(True)
    if not tried.ended:
        return Probe(False, tried.said, f"see what {program} is, or install bubblewrap again")
    return Probe(False, tried.said, _remedy(tried.said))


def _remedy(message: str) -> str:
    apparmor = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
    clone = Path("/proc/sys/kernel/unprivileged_userns_clone")
    if message.startswith("cannot be started"):
        return "apt-get install --reinstall bubblewrap"
    if "nknown option" in message:
        return "install bubblewrap 0.8 or newer"
    if apparmor.is_file() and apparmor.read_text().strip() == "1":
        return (
            "AppArmor forbids user namespaces: install a profile for bwrap (apt-get install "
            "apparmor-profiles, then link bwrap-userns-restrict into /etc/apparmor.d and reload), or "
            "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
        )
    if clone.is_file() and clone.read_text().strip() == "0":
        return "sysctl -w kernel.unprivileged_userns_clone=1"
    if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        return (
            "the surrounding container forbids namespaces: start it with --security-opt seccomp=unconfined "
            "--security-opt apparmor=unconfined, or run on its host"
        )
    return "allow user namespaces: sysctl -w user.max_user_namespaces=15000"
