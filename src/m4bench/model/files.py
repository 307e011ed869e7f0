# SPDX-License-Identifier: MIT
"""Writing so that a reader finds a whole file or none: beside its place, then renamed into it."""

import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PRIVATE = 0o700
PARTIAL_PREFIX = ".partial-"


def partial_name(path: Path) -> Path:
    """Return a fresh name beside `path` under which it can be prepared."""
    return path.with_name(f"{PARTIAL_PREFIX}{uuid.uuid4().hex[:12]}-{path.name}")


def sync_directory(folder: Path) -> None:
    """Make a rename inside `folder` durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def written_beside(path: Path, *, mode: int | None = None) -> Iterator[Path]:
    """Yield a path to write to; when the block ends well it becomes `path`, otherwise nothing stays.

    Args:
        path: the file's final place; its folder is made when missing.
        mode: permission bits of the finished file, default those of the umask.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = partial_name(path)
    try:
        yield partial
        if mode is not None:
            partial.chmod(mode)
        descriptor = os.open(partial, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        partial.replace(path)
        sync_directory(path.parent)
    finally:
        partial.unlink(missing_ok=True)


def same_bytes(source: Path, path: Path) -> None:
    """Make a new name for a finished file that is never changed in place, or a copy where no link can be made."""
    try:
        os.link(source, path)
    except OSError:
        shutil.copyfile(source, path)


def write_text(path: Path, text: str, *, mode: int | None = None) -> None:
    """Write a text file whole or not at all."""
    with written_beside(path, mode=mode) as partial:
        partial.write_text(text, encoding="utf-8")


@contextmanager
def folder_beside(path: Path, *, mode: int = 0o755) -> Iterator[Path]:
    """Yield a folder to fill; when the block ends well it becomes `path`, replacing what was there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = partial_name(path)
    partial.mkdir(mode=mode)
    partial.chmod(mode)
    try:
        yield partial
        if path.exists():
            retired = partial_name(path)
            path.rename(retired)
            partial.rename(path)
            shutil.rmtree(retired)
        else:
            partial.rename(path)
        sync_directory(path.parent)
    finally:
        if partial.exists():
            shutil.rmtree(partial, ignore_errors=True)
