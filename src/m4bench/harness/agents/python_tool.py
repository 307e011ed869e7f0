# SPDX-License-Identifier: MIT
"""Command-line tools of the Python world: where one is, what has to be shown, how the pinned one is made.

It knows environments and packages, and no agent.
"""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path

from m4bench.harness.agents.installation import (
    PINNED,
    Installation,
    Part,
    managed_folder,
    missing,
    only_installer,
    visible_inside,
)
from m4bench.harness.sandbox.runtime import base_interpreter, ensure_runtime, standing_runtime
from m4bench.model.errors import InputError

MARKER = "pyvenv.cfg"
REQUIREMENTS, LOCK = "requirements.in", "requirements.lock"


@dataclass(frozen=True)
class PythonTool:
    """A tool that comes as a Python package and has an environment of its own, never the project's nor the agent's.

    `command` is what it is started by on a user's PATH, `package` what it is called in the package index,
    `module` what Python runs.
    """

    name: str
    command: str
    package: str
    module: str
    vendor: str
    needs: str = "Python's venv and pip"

    @property
    def pinned(self) -> str:
        """The version in the pinned `requirements.in`."""
        lines = (PINNED / self.name / REQUIREMENTS).read_text(encoding="utf-8").splitlines()
        return next(line for line in lines if line.startswith(f"{self.package}==")).partition("==")[
            2
        ]

    def find(self, program: Path | None = None) -> Installation:
        """Return the one to use; see `Tool`. One on PATH whose Python no sandbox shows is passed over."""
        if program is not None:
            return self._at(self._environment(program.expanduser().absolute()), program)
        on_path = shutil.which(self.command)
        if on_path is not None:
            try:
                return self._at(self._environment(Path(on_path)), Path(on_path))
            except InputError:
                pass
        made = standing_runtime(self._folder, lock=self._lock)
        if made is None:
            raise missing(self.name, self.vendor)
        return self._at(made.root, made.root)

    def install(self, note: Callable[[str], None] = lambda _: None) -> Installation:
        """Make the pinned one by its lock; what is there already is left as it is."""
        with only_installer(self._folder):
            if standing_runtime(self._folder, lock=self._lock) is None:
                note(f"installing {self.name} {self.pinned} with pip")
            made = ensure_runtime(self._folder, lock=self._lock)
        return self._at(made.root, made.root)

    @property
    def _folder(self) -> Path:
        return managed_folder(self.name, self.pinned)

    @property
    def _lock(self) -> Path:
        return PINNED / self.name / LOCK

    def _environment(self, program: Path) -> Path:
        """Return the environment that a program or folder is of."""
        if not program.exists():
            raise InputError("there is no such program", file=program)
        resolved = program.resolve()
        for folder in (program, program.parent.parent, resolved, resolved.parent.parent):
            if (folder / MARKER).is_file():
                return folder.resolve()
        raise InputError(
            f"is not of an environment that holds {self.name}",
            file=program,
            remedy=f"name the environment's folder, or m4bench agents install {self.name}",
        )

    def _at(self, environment: Path, place: Path) -> Installation:
        version = next(self._versions(environment), None)
        python = environment / "bin" / "python3"
        if version is None or not python.exists():
            raise InputError(
                f"holds no {self.name}",
                file=place,
                remedy=f"name the environment's folder, or m4bench agents install {self.name}",
            )
        interpreter = python.resolve()
        # the agent's own Python is made from ours, so that a sandbox shows that one too
        if not visible_inside(interpreter) and interpreter != base_interpreter():
            raise InputError(
                f"is of a Python that a sandbox does not show ({interpreter.name})",
                file=place,
                remedy=f"m4bench agents install {self.name}",
            )
        start = (
            Part("bin/python3", self.name),
            *(Part(word) for word in ("-I", "-m", self.module)),
        )
        return Installation(version, place, start, {self.name: environment})

    def _versions(self, environment: Path) -> Iterator[str]:
        for folder in sorted(environment.glob("lib/python3*/site-packages")):
            for found in distributions(name=self.package, path=[str(folder)]):
                yield found.version
