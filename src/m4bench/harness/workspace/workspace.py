# SPDX-License-Identifier: MIT
"""What an agent finds in its work folder: the instruction and a few small files, whatever the data set's size."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from m4bench.harness.agents.agent import Launch
from m4bench.model.errors import InputError
from m4bench.model.files import PRIVATE
from m4bench.suites.suite import Staging

INSTRUCTION = "instruction.md"
MOST_BYTES = 2_000_000


@dataclass(frozen=True)
class Workspace:
    """The files of a run before it starts, by name in the work folder.

    `bytes` counts what the run copies; what is only shown read-only costs nothing.
    """

    files: Mapping[str, Path]
    bytes: int


def build_workspace(staging: Staging, instruction: Path, deliverable: str) -> Workspace:
    """Return the work folder's files, counted.

    Raises:
        InputError: a name leaves the folder or is the deliverable's, or the files are larger than 2 MB.
    """
    files = {INSTRUCTION: instruction, **staging.files}
    for name in files:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or name == deliverable:
            raise InputError("a suite may not put a file there", file=name)
    size = sum(path.stat().st_size for path in files.values())
    if size > MOST_BYTES:
        raise InputError(
            f"the work folder would take {size:,} bytes, more than {MOST_BYTES:,}",
            remedy="show large files read-only instead of copying them",
        )
    return Workspace(files, size)


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
