# SPDX-License-Identifier: MIT
"""Where folders of tasks lie: the suite's own, those of installed packages, those a user names. Reads no task.

A root holds `<family>/<task>/`, what a family shares, and `<family>/references/*.sql` for references that are
not the suite's.
"""

import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
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
DEFINITION = "task.toml"
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Refusal:
    """A guest's folder that is left out, since something in it bears a name that is taken.

    Attributes:
        root: the folder of families that is left out, with all that is in it.
        name: the name that is taken.
        kind: what bears it: `task` or `reference`.
        file: the guest's file.
        taken_by: the file that had the name before.
    """

    root: Path
    name: str
    kind: str
    file: Path
    taken_by: Path

    @property
    def says(self) -> str:
        """What is wrong, without the guest's file."""
        return f"the name of the {self.kind} {self.name} is taken by {self.taken_by}"

    @property
    def remedy(self) -> str:
        """What to do about it."""
        return f"rename the former; until then no task of {self.root} is known"


def task_roots() -> tuple[Path, ...]:
    """Return the folders that hold families of tasks: the suite's own first, then packages', then the user's.

    A package offers one by an entry point of the group `m4bench.tasks` that names the Python package whose
    folder it is; one that is broken is left out and named in a warning. A user names folders in the variable
    `M4BENCH_TASKS`, separated as in `PATH`. A folder in which a task or reference bears a name that one before
    it has is left out and named in a warning: what the suite brings stays as it is whoever joins it.

    Raises:
        InputError: a folder that the variable names does not exist.
    """
    return _parted(_all_roots())[0]


def refusals() -> tuple[Refusal, ...]:
    """Return every name that keeps a guest's folder out.

    Raises:
        InputError: a folder that the variable names does not exist.
    """
    return _parted(_all_roots())[1]


def refused(name: str) -> InputError | None:
    """Return why a task that lies in a folder that is left out cannot be had; None when it lies in none."""
    for refusal in refusals():
        if any(name == borne for borne, _ in _borne(refusal.root, "task")):
            return InputError(refusal.says, file=refusal.file, remedy=refusal.remedy)
    return None


def _all_roots() -> tuple[Path, ...]:
    roots = (OWN, *_offered(), *_named(os.environ.get(VARIABLE, "")))
    each_once: dict[Path, Path] = {}
    for root in roots:
        each_once.setdefault(root.resolve(), root)
    return tuple(each_once.values())


@lru_cache(maxsize=8)
def _parted(roots: tuple[Path, ...]) -> tuple[tuple[Path, ...], tuple[Refusal, ...]]:
    """Part the roots that are walked from the names that keep others out; each of these is told once."""
    if len(roots) == 1:
        return roots, ()
    taken = {kind: dict(_borne(OWN, kind)) for kind in ("task", "reference")}
    kept = [OWN]
    found: list[Refusal] = []
    for root in roots[1:]:
        clashes = []
        borne: dict[str, dict[str, Path]] = {"task": {}, "reference": {}}
        for kind, names in borne.items():
            for name, file in _borne(root, kind):
                before = taken[kind].get(name) or names.setdefault(name, file)
                if before != file:
                    clashes.append(Refusal(root, name, kind, file, before))
        if not clashes:
            kept.append(root)
            for kind, names in borne.items():
                taken[kind] |= names
        found += clashes
    for clash in found:
        logger.warning("%s", legible(f"{clash.file}: {clash.says}; {clash.remedy}"))
    return tuple(kept), tuple(found)


def _borne(root: Path, kind: str) -> Iterator[tuple[str, Path]]:
    """Yield the names of a root's tasks or references with the file of each, in the order of the files."""
    if kind == "task":
        for file in sorted(root.glob(f"*/*/{DEFINITION}")):
            yield file.parent.name, file
        return
    own = sorted((OWN.parent / "references").rglob("*.sql")) if root == OWN else []
    for file in [*own, *reference_files(root)]:
        yield file.stem, file


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
