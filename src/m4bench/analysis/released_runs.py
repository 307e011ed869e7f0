# SPDX-License-Identifier: MIT
"""Handing out the paper's released runs without touching what a user has. Reads none of them."""

from pathlib import Path
from tempfile import TemporaryDirectory

from m4bench.analysis.paper.release import paper_runs
from m4bench.model.errors import InputError


def hand_out(to: Path) -> tuple[Path, ...]:
    """Write the paper's run lists and their credit to a folder; return the lists' paths.

    Raises:
        InputError: a file of the same name and another content is there, or the folder cannot be written.
    """
    with TemporaryDirectory() as shipped:
        paper_runs(Path(shipped))
        for source in sorted(Path(shipped).iterdir()):
            _require_free(to / source.name, source.read_bytes())
    try:
        return paper_runs(to)
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror})", file=to, remedy="name another folder"
        ) from error


def _require_free(path: Path, content: bytes) -> None:
    try:
        there = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from error
    if there != content:
        raise InputError("is another file", file=path, remedy="name another folder, or move it")
