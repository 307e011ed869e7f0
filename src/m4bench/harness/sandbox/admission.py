# SPDX-License-Identifier: MIT
"""What a plan may show an agent and where: suites' files, an agent's installation, names inside. Starts nothing."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from m4bench.harness.sandbox.sandbox import Plan
from m4bench.model.errors import InputError

TEMPORARY, SHARED_MEMORY = "/tmp", "/dev/shm"  # noqa: S108 # places inside the sandbox
RESERVED = ("/usr", "/etc", "/proc", "/dev", "/run", "/bin", "/sbin", "/lib", "/lib64", "/home",
            TEMPORARY, "/task", "/agent", "/runtime", "/opt/agent")  # fmt: skip
# Parts of the host that are the kernel's or other programs', and no installation of anything.
NO_INSTALLATION = ("/proc", "/sys", "/dev", "/run")


def permitted(source: Path, place: str) -> Path:
    """Return the resolved host file of a bind.

    Raises:
        InputError: it is not a regular file, or its place is not one a suite may use.
    """
    path = Path(place)
    resolved = source.resolve()
    taken = any(str(one) in RESERVED for one in (path, *path.parents)) or path == Path("/")
    if not path.is_absolute() or ".." in path.parts or taken:
        raise InputError("a suite may not show anything there", file=place)
    if not resolved.is_file():
        raise InputError("is not a file that could be shown to an agent", file=source)
    return resolved


def refuse_names(plan: Plan) -> None:
    """Raise InputError for a name that would not lie where it belongs, or lies in another."""
    for what, names in (("tools", plan.tools), ("home", plan.home), ("collect", plan.collect)):
        for name in names:
            if not plain(name):
                raise InputError(f"an agent's {what} cannot have this name", file=name)
            if any(str(above) in names for above in Path(name).parents):
                raise InputError(f"of an agent's {what} one would lie in another", file=name)
    for path in plan.collect.values():
        if not path.startswith("/") or not plain(path[1:]):
            raise InputError("a file to collect needs an absolute path", file=path)


def plain(name: str) -> bool:
    """Tell whether a name is relative, has no empty part, and stays where it starts."""
    parts = name.split("/")
    return not any(part in ("", ".", "..") or "\0" in part or "\n" in part for part in parts)


def installation(plan: Plan) -> dict[str, Path]:
    """Return the resolved host files and folders of an agent's installation, by their names inside.

    What lies in the user's home is the usual case; the home as such, or a folder that holds it, is refused.
    A link inside a shown folder leads where it leads inside: to nothing, unless that is shown as well.

    Raises:
        InputError: one does not exist, or it and something forbidden lie in one another.
    """
    found = {}
    for name, source in sorted(plan.tools.items()):
        resolved = source.resolve()
        if not (resolved.is_file() or resolved.is_dir()):
            raise InputError("a part of the agent's installation is not there", file=source)
        if any(resolved.is_relative_to(one) for one in NO_INSTALLATION):
            raise InputError("is no place of an agent's installation", file=source)
        _refuse_forbidden(resolved, plan.forbidden)
        found[name] = resolved
    return found


def _refuse_forbidden(tool: Path, forbidden: Iterable[Path]) -> None:
    home = Path.home().resolve()
    of_tool = set(_identities(tool))
    own = next(_identities(tool))
    for path in forbidden:
        hidden = path.resolve()
        holds = hidden.is_relative_to(tool) or own in set(_identities(hidden))
        lies_in = tool.is_relative_to(hidden) or next(_identities(hidden), None) in of_tool
        if holds or (lies_in and hidden != home):
            raise InputError(
                "a part of the agent's installation and what no agent may see lie in one another",
                file=tool,
                remedy="install the agent in a folder of its own",
            )


def _identities(path: Path) -> Iterator[tuple[int, int]]:
    """Yield device and inode of a path and of the folders above it, under whatever names they are mounted."""
    for one in (path, *path.parents):
        try:
            status = os.stat(one)  # noqa: PTH116 # only numbers are wanted
        except OSError:
            continue
        yield status.st_dev, status.st_ino
