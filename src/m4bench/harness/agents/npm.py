# SPDX-License-Identifier: MIT
"""Calls npm to make a folder of locked packages, whole or not at all. Knows no tool."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.files import folder_beside

OLDEST_NODE = 20
QUIET = (
    "--no-audit", "--no-fund", "--no-progress", "--loglevel=error", "--update-notifier=false",
    "--fetch-retries=2", "--fetch-retry-factor=2", "--fetch-retry-mintimeout=500",
    "--fetch-retry-maxtimeout=2000",
)  # fmt: skip
UNREACHABLE = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH",
               "EHOSTUNREACH", "ERR_SOCKET_TIMEOUT")  # fmt: skip
NO_SPACE = ("ENOSPC", "EDQUOT")


def require_npm() -> str:
    """Return npm's place.

    Raises:
        InputError: node or npm is missing, or node is too old.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    remedy = f"install Node.js {OLDEST_NODE} or later with npm (Debian, Ubuntu: apt-get install nodejs npm)"
    for name, found in (("node", node), ("npm", npm)):
        if found is None:
            raise InputError(f"{name} is not on PATH", remedy=remedy)
    told = subprocess.run([str(node), "--version"], capture_output=True, text=True, check=False)
    number = re.match(r"v(\d+)", told.stdout)
    if number is None or int(number[1]) < OLDEST_NODE:
        had = told.stdout.strip() or "a version it does not tell"
        raise InputError(f"node is too old ({had})", remedy=remedy)
    return str(npm)


def install_packages(
    lock: Path,
    folder: Path,
    scripts: tuple[str, ...] = (),
    check: Callable[[Path], None] = lambda _: None,
) -> None:
    """Install what a lock names into a new folder.

    Args:
        lock: a folder with `package.json` and `package-lock.json`.
        folder: what is made; it appears when it is complete.
        scripts: the packages whose install scripts are run.
        check: raises when what was made, in the folder it is given, is not whole.

    Raises:
        InputError: npm is missing or fails; the line says why.
    """
    npm = require_npm()
    with folder_beside(folder) as partial:
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(lock / name, partial / name)
        _call([npm, "ci", "--ignore-scripts", *QUIET], partial, folder)
        if scripts:
            _call([npm, "rebuild", *scripts, *QUIET], partial, folder)
        check(partial)


def _call(command: list[str], cwd: Path, folder: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "NODE_OPTIONS"}
    done = subprocess.run(
        command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, errors="replace", check=False,
    )  # fmt: skip
    if done.returncode:
        raise failure(done.stderr, folder)


def failure(told: str, folder: Path) -> InputError:
    """Return the one line that says why npm failed, by the codes it prints."""
    codes = set(re.findall(r"\bE[A-Z0-9_]{3,}\b|\bERR_[A-Z_]+\b", told))
    if codes.intersection(NO_SPACE):
        return InputError(
            "no space is left on the disk of this folder",
            file=folder.parent,
            remedy="free some, or set M4BENCH_AGENTS to another folder",
        )
    if codes.intersection(UNREACHABLE):
        return InputError(
            "npm reaches no package registry from here",
            remedy="repeat the command on line, or set npm's registry and proxy (npm config set registry URL)",
        )
    if "EINTEGRITY" in codes:
        return InputError(
            "a package is not the pinned one, byte for byte",
            remedy="npm cache clean --force, then repeat the command; if it stays so, the registry alters packages",
        )
    lines = [line.removeprefix("npm error").strip() for line in told.splitlines()]
    # a registry's address may carry a password
    known = [re.sub(r"\S+://\S+", "(address)", line) for line in lines if line]
    wanted = [line for line in known if not line.startswith(("code ", "A complete log", "errno "))]
    return InputError(
        f"npm cannot install the packages ({wanted[0][:200] if wanted else 'it does not say why'})",
        remedy="mend what it names and repeat the command",
    )
