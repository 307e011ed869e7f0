# SPDX-License-Identifier: MIT
"""What an installed command-line tool is: its version, its parts, its start. Knows no agent and no sandbox.

How one is found and made is the business of its kind: `npm_tool` for packages and binaries of the npm world.
"""

import fcntl
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from m4bench.harness.sandbox.sandbox import Layout
from m4bench.model.errors import InputError
from m4bench.model.settings import default_agents

PINNED = Path(__file__).with_name("pinned")
VERSION_PATIENCE = 20.0
# Shown inside by every sandbox, without what a site has put there itself.
SYSTEM, SITE_OWN = Path("/usr"), Path("/usr/local")


@dataclass(frozen=True)
class Part:
    """One word of a command line: `path` below the part `tool` of an installation, or, without one, as it is."""

    path: str
    tool: str | None = None


@dataclass(frozen=True)
class Installation:
    """A tool that is there.

    `place` is where, for people. `tools` are its parts as `Launch.tools` takes them: host file or folder by
    the relative name under which it is shown. `start` is the beginning of its command line.
    """

    version: str
    place: Path
    start: tuple[Part, ...]
    tools: Mapping[str, Path] = field(default_factory=dict)

    def argv(self, layout: Layout) -> tuple[str, ...]:
        """Return the start of the command line as the agent sees it."""
        return tuple(self._seen(part, layout) for part in self.start)

    def _seen(self, part: Part, layout: Layout) -> str:
        if part.tool is None:
            return part.path
        place = layout.tool(part.tool, self.tools[part.tool])
        return f"{place}/{part.path}" if part.path else place


class Tool(Protocol):
    """A kind of program an agent is made of; an agent that needs one names it as its attribute `tool`.

    `name` is the agent's, `needs` what has to be on the machine to install it, `pinned` the version it was tested
    with, `vendor` how its makers say it is installed.
    """

    @property
    def name(self) -> str:
        """The agent's name."""

    @property
    def needs(self) -> str:
        """What has to be on the machine."""

    @property
    def vendor(self) -> str:
        """How its makers say it is installed."""

    @property
    def pinned(self) -> str:
        """The version that `install` makes and that the tests run."""

    def find(self, program: Path | None = None) -> Installation:
        """Return the one to use: the user's `program`, else that on PATH, else the installed one.

        Raises:
            InputError: there is none, or it cannot be used; the line says what to do.
        """

    def install(self, note: Callable[[str], None] = lambda _: None) -> Installation:
        """Make the pinned one in the managed folder, whole or not at all, and return it.

        Raises:
            InputError: it cannot be made here.
        """


def managed_folder(name: str, version: str) -> Path:
    """Return where `m4bench agents install` puts a version of a tool."""
    return default_agents() / f"{name}-{version}"


@contextmanager
def only_installer(folder: Path) -> Iterator[None]:
    """Let one process at a time make a managed folder."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f".{folder.name}.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def missing(name: str, vendor: str) -> InputError:
    """Return the error for a tool that is nowhere."""
    return InputError(
        f"{name} is not installed",
        remedy=f"m4bench agents install {name}, or {vendor}, or --program PATH",
    )


def visible_inside(path: Path) -> bool:
    """Tell whether every sandbox shows this resolved path in its own place."""
    return path.is_relative_to(SYSTEM) and not path.is_relative_to(SITE_OWN)


def is_binary(path: Path) -> bool:
    """Tell whether a file is a native program of this system."""
    with path.open("rb") as stream:
        return stream.read(4) == b"\x7fELF"


def told_version(command: list[str]) -> str | None:
    """Return the last word but names of what a program prints on `--version`, None when it tells none.

    It is called with an empty environment and a fresh home, so that nothing of the user's is read or changed.
    """
    with tempfile.TemporaryDirectory(prefix="m4bench-version-") as home:
        try:
            done = subprocess.run(
                [*command, "--version"],
                env={"HOME": home, "PATH": "/usr/bin:/bin"},
                cwd=home,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=VERSION_PATIENCE,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
    if done.returncode:
        return None
    words = done.stdout.decode("utf-8", "replace").split()
    numbered = (word.removeprefix("v").strip("(),") for word in words if "." in word)
    return next((word for word in numbered if word[:1].isdigit()), None)
