# SPDX-License-Identifier: MIT
"""Tells whether bubblewrap can do here what a run asks of it, and what to do when it cannot."""

import shutil
import subprocess
from pathlib import Path

from m4bench.harness.sandbox.bwrap import NAMESPACES
from m4bench.harness.sandbox.sandbox import Probe


def probe() -> Probe:
    """Tell whether bubblewrap can do here what a run asks of it, and if not what to do about it."""
    program = shutil.which("bwrap")
    if program is None:
        return Probe(False, "bubblewrap is not installed", "apt-get install bubblewrap")
    command = [program, *NAMESPACES, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--",
               "/bin/sh", "-c", "exit 0"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return Probe(True)
    message = (
        done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit {done.returncode}"
    )
    return Probe(False, message, _remedy(message))


def _remedy(message: str) -> str:
    apparmor = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
    clone = Path("/proc/sys/kernel/unprivileged_userns_clone")
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
