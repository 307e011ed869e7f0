# SPDX-License-Identifier: MIT
"""The Python an agent is given: a separate environment with exactly the locked packages, made once and reused.

It never holds the project, whose environment contains the reference queries. It does not know sandboxes.
"""

import fcntl
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.hashing import sha256_file, sha256_record
from m4bench.model.record import Document
from m4bench.model.settings import default_runtime

LOCK = Path(__file__).with_name("runtime.lock")
MARKER = "complete.json"
INSTALLERS = {"pip", "setuptools"}
RUNTIME_FORMAT = 1


class RuntimeMarker(Document):
    """Written when a runtime is complete: what it is made of."""

    format_version: int = RUNTIME_FORMAT
    identity: str
    python: str
    packages: dict[str, str]
    interpreter: str


@dataclass(frozen=True)
class Runtime:
    """A finished runtime.

    `identity` is what a run records of it and holds no path; `interpreter` is the resolved executable of
    the Python it was made from, which has to be visible where the runtime is used.
    """

    root: Path
    identity: str
    packages: dict[str, str]
    interpreter: Path

    @property
    def python(self) -> Path:
        """The runtime's Python."""
        return self.root / "bin" / "python3"

    @property
    def base(self) -> Path:
        """The installation the interpreter belongs to."""
        return self.interpreter.parent.parent

    @property
    def standard_library(self) -> Path:
        """The folder of the standard library."""
        return self.base / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}"


def base_interpreter() -> Path:
    """Return the resolved executable behind the Python that runs this."""
    return Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()


def runtime_identity(lock: Path = LOCK) -> str:
    """Return what a run records of its runtime: Python, platform and the hash of the lock."""
    return f"python-{platform.python_version()}-{sysconfig.get_platform()}-{sha256_file(lock)[:12]}"


def ensure_runtime(
    root: Path | None = None, *, lock: Path = LOCK, note: Callable[[str], None] = lambda _: None
) -> Runtime:
    """Return the runtime, making it when it is not there yet.

    Args:
        root: the folder of runtimes, by default `M4BENCH_RUNTIME` or the platform's cache folder.
        lock: a requirements file with hashes.
        note: called with one line before the long work.

    Raises:
        InputError: it cannot be made here.
    """
    folder = _folder(root or default_runtime(), lock)
    if not (folder / MARKER).is_file():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _only_maker(folder.with_name(f".{folder.name}.lock")):
            if not (folder / MARKER).is_file():
                note("making the agent's Python (once, about 500 MB)")
                _make(folder, lock, runtime_identity(lock), base_interpreter())
    return _read(folder)


def standing_runtime(root: Path | None = None, *, lock: Path = LOCK) -> Runtime | None:
    """Return the runtime as `ensure_runtime` would, or None when it has not been made.

    Raises:
        InputError: its marker cannot be read.
    """
    folder = _folder(root or default_runtime(), lock)
    return _read(folder) if (folder / MARKER).is_file() else None


def _folder(root: Path, lock: Path) -> Path:
    """Return where the runtime of this Python and lock stands."""
    return root / sha256_record([runtime_identity(lock), str(base_interpreter())])[:16]


def _read(folder: Path) -> Runtime:
    marker = RuntimeMarker.read(folder / MARKER)
    return Runtime(folder, marker.identity, marker.packages, Path(marker.interpreter))


@contextmanager
def _only_maker(path: Path) -> Iterator[None]:
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _make(folder: Path, lock: Path, identity: str, interpreter: Path) -> None:
    # An environment cannot be moved once made, so it is made in its place and counts from the marker on.
    shutil.rmtree(folder, ignore_errors=True)
    _call(
        [str(interpreter), "-I", "-m", "venv", str(folder)],
        "the agent's Python cannot be made",
        "install Python's venv module (Debian, Ubuntu: apt-get install python3-venv)",
    )
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    if lock.read_text(encoding="utf-8").strip():
        _call(
            [*pip, "install", "--quiet", "--require-hashes", "--no-deps", "--only-binary", ":all:",
             "-r", str(lock)],
            "the agent's Python packages cannot be installed",
            "check that pip reaches a package index from here, then repeat the command",
        )  # fmt: skip
    _call(
        [*pip, "uninstall", "--quiet", "--yes", *sorted(INSTALLERS)],
        "the installer cannot be taken out of the agent's Python",
        f"delete {folder} and repeat the command",
    )
    _trim(folder, interpreter)
    packages = {
        one.metadata["Name"]: one.version
        for one in distributions(path=[str(_site_packages(folder))])
    }
    RuntimeMarker(
        identity=identity,
        python=platform.python_version(),
        packages=dict(sorted(packages.items())),
        interpreter=str(interpreter),
    ).write(folder / MARKER)


def _call(command: list[str], problem: str, remedy: str) -> None:
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        # a package index's address may carry a password
        last = re.sub(r"\S+://\S+", "(address)", lines[-1]) if lines else f"exit {done.returncode}"
        raise InputError(f"{problem} ({last})", remedy=remedy)


def _site_packages(folder: Path) -> Path:
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return folder / "lib" / name / "site-packages"


def _trim(folder: Path, interpreter: Path) -> None:
    """Leave only programs that work wherever the folder is shown, and no path but the interpreter's."""
    programs = folder / "bin"
    for program in programs.iterdir():
        if program.is_dir() and not program.is_symlink():
            # pip compiles a program that is called like a module
            shutil.rmtree(program)
        else:
            program.unlink()
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    (programs / name).symlink_to(interpreter)
    (programs / "python3").symlink_to(name)
    (programs / "python").symlink_to(name)
    duckdb = _site_packages(folder) / "duckdb_cli" / "duckdb"
    if duckdb.is_file():
        (programs / "duckdb").symlink_to(Path("..") / duckdb.relative_to(folder))
    (folder / "pyvenv.cfg").write_text(
        f"home = {interpreter.parent}\ninclude-system-site-packages = false\n"
        f"version = {platform.python_version()}\n",
        encoding="utf-8",
    )
