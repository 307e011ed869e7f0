# SPDX-License-Identifier: MIT
"""What an agent finds in its work folder: instruction, texts, a few small files, whatever the data set's size."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from m4bench.harness.agents.agent import Launch
from m4bench.harness.workspace.given import Given
from m4bench.model.errors import InputError
from m4bench.model.files import PRIVATE
from m4bench.suites.suite import Staging

INSTRUCTION = "instruction.md"
MOST_BYTES = 2_000_000
PLAIN_FILE, EXECUTABLE_FILE = 0o600, 0o700


@dataclass(frozen=True)
class Workspace:
    """The files of a run before it starts, by name in the work folder.

    `bytes` counts what the run copies; what is only shown read-only costs nothing.
    """

    files: Mapping[str, Path]
    bytes: int


def build_workspace(
    staging: Staging,
    instruction: Path,
    deliverable: str,
    given: Mapping[str, Given] | None = None,
    scratch: Path | None = None,
) -> Workspace:
    """Return the work folder's files, counted.

    Args:
        staging: its small files are taken.
        instruction: the file that holds the instruction.
        deliverable: the name of the answer, which no file may have.
        given: texts by path in the work folder; they are written below `scratch`, which is made, numbered.
        scratch: a folder of the run's.

    Raises:
        InputError: a name leaves the folder, stands in the way of another or of the deliverable, or the files
            are larger than 2 MB.
    """
    texts = dict(given or {})
    _require_places([deliverable, INSTRUCTION, *staging.files, *texts])
    files = {INSTRUCTION: instruction, **staging.files}
    if texts and scratch is not None:
        scratch.mkdir(mode=PRIVATE)
        files |= {
            name: _written(one, scratch / str(number))
            for number, (name, one) in enumerate(sorted(texts.items()))
        }
    size = sum(path.stat().st_size for path in files.values())
    if size > MOST_BYTES:
        raise InputError(
            f"the work folder would take {size:,} bytes, more than {MOST_BYTES:,}",
            remedy="show large files read-only instead of copying them",
        )
    return Workspace(files, size)


def _require_places(names: Sequence[str]) -> None:
    """Refuse a name that is none of the work folder's, or that another has or stands in.

    Letters are compared without case, so that a work folder is the same on every file system.
    """
    taken: set[tuple[str, ...]] = set()
    parents: set[tuple[str, ...]] = set()
    for name in names:
        path = PurePosixPath(name)
        parts = tuple(part.casefold() for part in path.parts)
        above = {parts[:depth] for depth in range(1, len(parts))}
        inside = parts and not path.is_absolute() and ".." not in parts
        if not inside or parts in taken | parents or above & taken:
            raise InputError("a suite may not put a file there", file=name)
        taken.add(parts)
        parents |= above


def _written(given: Given, path: Path) -> Path:
    """Write a text as it is, no line end changed, with the mode it is to have."""
    path.write_bytes(given.text.encode("utf-8"))
    path.chmod(EXECUTABLE_FILE if given.executable else PLAIN_FILE)
    return path


def place_program(launch: Launch, folder: Path) -> tuple[Path, int]:
    """Return the folder that is shown as the program's, and the bytes written for it.

    A folder of the user's is shown as it is; a single file and the texts of an agent are copied.
    """
    if launch.program is not None and launch.program.is_dir():
        return launch.program, 0
    folder.mkdir(mode=PRIVATE)
    if launch.program is not None:
        shutil.copy2(launch.program, folder / launch.program.name)
    for name, text in launch.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder, sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
