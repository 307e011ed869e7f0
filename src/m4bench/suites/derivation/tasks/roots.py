# SPDX-License-Identifier: MIT
"""Where folders of tasks lie: the suite's own, those of installed packages, those a user names. Reads no task.

A root holds `<family>/<task>/`, what a family shares, and `<family>/references/*.sql` for references that are
not the suite's.
"""

import logging
import os
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from m4bench.model.errors import InputError
from m4bench.model.legible import legible
from m4bench.model.plug_ins import BrokenPlugIn, loaded_plug_in

OWN = Path(__file__).parent
ENTRY_POINTS = "m4bench.tasks"
VARIABLE = "M4BENCH_TASKS"
logger = logging.getLogger(__name__)


def task_roots() -> tuple[Path, ...]:
    """Return the folders that hold families of tasks: the suite's own first, then packages', then the user's.

    A package offers one by an entry point of the group `m4bench.tasks` that names the Python package whose
    folder it is; one that is broken is left out and named in a warning. A user names folders in the variable
    `M4BENCH_TASKS`, separated as in `PATH`.

    Raises:
        InputError: a folder that the variable names does not exist.
    """
    return (OWN, *_offered(), *_named(os.environ.get(VARIABLE, "")))


def writable_root() -> Path:
    """Return where a new task is written: the first folder the user names, or the source checkout.

    Raises:
        InputError: neither is there.
    """
    named = _named(os.environ.get(VARIABLE, ""))
    if named:
        return named[0]
    if (OWN.parents[4] / "pyproject.toml").is_file():
        return OWN
    raise InputError("there is no folder to write a task to", remedy="give --to DIR")


def reference_files(root: Path) -> list[Path]:
    """Return the references that a root of tasks brings with it."""
    return sorted(root.glob("*/references/*.sql"))


@lru_cache(maxsize=1)
def _offered() -> tuple[Path, ...]:
    found = []
    for point in sorted(entry_points(group=ENTRY_POINTS)):
        folder = loaded_plug_in(point, _folder)
        if isinstance(folder, BrokenPlugIn):
            told = legible(f"the tasks {point.name} are broken ({folder.why}); {folder.remedy}")
            logger.warning("%s", told)
        else:
            found.append(folder)
    return tuple(found)


def _folder(package: ModuleType) -> Path:
    folder = Path(package.__path__[0])
    if not folder.is_dir():
        raise NotADirectoryError(folder)
    return folder


def _named(variable: str) -> tuple[Path, ...]:
    folders = [Path(name).absolute() for name in variable.split(os.pathsep) if name]
    for folder in folders:
        if not folder.is_dir():
            raise InputError(
                "there is no such folder of tasks", file=folder, remedy=f"mend {VARIABLE}"
            )
    return tuple(folders)
