# SPDX-License-Identifier: MIT
"""Begins the folder of a new task from its reference's header; what only its author knows is left to be written.

Every file begun says where something is to be written in one way, which lint finds. Knows no data.
"""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.files import write_text
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.tasks.beginnings import begun_texts, with_validity
from m4bench.suites.derivation.tasks.cards import NAME, load_tasks
from m4bench.suites.derivation.tasks.provenance import PROVENANCE
from m4bench.suites.derivation.tasks.roots import DEFINITION, OWN
from m4bench.suites.derivation.tasks.texts import read_regular
from m4bench.suites.derivation.tasks.validity import VALIDITY, reference_validity


@dataclass(frozen=True)
class NewTask:
    """What a task is begun from: its name and family, the reference it is scored against, and its mode."""

    name: str
    family: str
    reference: str
    mode: str


def begin_task(task: NewTask, root: Path) -> list[Path]:
    """Write the folder of a task, and what its family shares where that is not there; return the files.

    A family of the suite's own gets an entry of what its reference is worth, too. When something cannot be written
    nothing stays that was not there before, not even a folder.

    Args:
        task: what it is called and scored against.
        root: the folder of families to write below.

    Raises:
        InputError: a name that does not fit or is taken, no such reference, or no place to write to.
    """
    for what, name in (("task", task.name), ("family", task.family)):
        if not NAME.fullmatch(name):
            raise InputError(
                f"{name} is no name for a {what}", remedy="use a-z, 0-9 and single hyphens"
            )
    if task.name in load_tasks() or (root / task.family / task.name).exists():
        raise InputError(f"there is a task called {task.name}", remedy="choose another name")
    if task.mode not in ("standard", "raw"):
        raise InputError(f"there is no mode {task.mode}", remedy="choose standard or raw")
    reference = library().references.get(task.reference)
    if reference is None:
        known = ", ".join(sorted(library().references))
        raise InputError(
            f"no reference is called {task.reference}",
            remedy=f"choose one of: {known}; or write "
            f"{root / task.family / 'references' / task.reference}.sql first",
        )
    family = root / task.family
    texts = begun_texts(task.name, task.family, task.mode, reference)
    if any(family.glob(f"*/{DEFINITION}")):
        # it would have to tell the versions of tasks that were there before it
        del texts[PROVENANCE]
    new = {family / name: text for name, text in texts.items() if not (family / name).exists()}
    return _written(family / task.name, new, root)


def _written(folder: Path, texts: dict[Path, str], root: Path) -> list[Path]:
    """Write files in a folder that must not be there, and below its parent; all of them or none."""
    folders = {parent for file in [folder, *texts] for parent in [file, *file.parents][1:]}
    made = [each for each in {folder, *folders} if not each.exists()]
    written: list[Path] = []
    try:
        _claim(folder)
        for file, text in texts.items():
            written.append(file)
            write_text(file, text)
        if (
            root.resolve() == OWN.resolve()
            and folder.parent.name not in reference_validity().families
        ):
            write_text(VALIDITY, with_validity(read_regular(VALIDITY), folder.parent.name))
            written.append(VALIDITY)
    except BaseException as error:
        for file in written:
            file.unlink(missing_ok=True)
        for each in sorted(made, reverse=True):
            with suppress(OSError):
                each.rmdir()
        if isinstance(error, OSError):
            raise InputError(f"cannot be written ({error.strerror})", file=folder) from error
        raise
    return written


def _claim(folder: Path) -> None:
    """Make the folder of a task; of two processes that begin it at once, one is refused."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir()
    except FileExistsError as error:
        raise InputError("is there already", file=folder, remedy="choose another name") from error
