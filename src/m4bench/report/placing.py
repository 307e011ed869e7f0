# SPDX-License-Identifier: MIT
"""Putting the files of a report, or of a site, into its folder: all prepared before any takes its place.

Knows no content.
"""

import errno
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.model.files import PRIVATE, written_beside
from m4bench.report.contents import CONTENTS, former_hashes, listing, refuse_foreign, retired
from m4bench.report.destination import only_writer, refuse_occupied, sweep

PRIVATE_FILE = 0o600
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True)
class Form:
    """What is written: its kind as its list of contents has it, its word, option, folders, and replaceable names."""

    kind: str
    word: str
    option: str
    folders: tuple[str, ...]
    replaceable: re.Pattern[str]


@contextmanager
def naming(out: Path, option: str) -> Iterator[None]:
    """Turn a fault of the disk into bad input that names the folder and what to do."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror})",
            file=out,
            remedy="make room there"
            if error.errno in NO_ROOM
            else f"name another folder with {option}",
        ) from error


def place(out: Path, files: Mapping[str, bytes], front: str, form: Form, *, private: bool) -> None:
    """Prepare all files before any takes its place, and remove those of the former one that nobody changed.

    What is begun first takes its place last: that is the front page. The first is a list of the new files and of
    the former ones that may still stand there, so that after a writer that was killed on its way every file is known
    as one of its own; once these are gone, the list of the new ones alone takes its place. A second writer waits
    before it looks at anything.

    Args:
        out: the folder, made when missing.
        files: contents by name; `contents.json` is added.
        front: the name of the file that takes its place last.
        form: what is written.
        private: whether the files are for their owner alone.

    Raises:
        InputError: something else, or another's file, stands where a file or folder belongs.
    """
    mode = PRIVATE_FILE if private else None
    out.parent.mkdir(parents=True, exist_ok=True)
    _make(out, private=private)
    with only_writer(out) as alone:
        refuse_occupied(out, {*files, CONTENTS}, form.folders, form.word, form.option)
        refuse_foreign(out, {*files, CONTENTS}, form.kind, form.option)
        former = former_hashes(out)
        if alone:
            sweep(out, form.folders)
        for folder in sorted({(out / name).parent for name in files} - {out}):
            _make(folder, private=private)
            if private:
                folder.chmod(PRIVATE)
        final, first = listing(files, form.kind), listing(files, form.kind, former)
        _write(out, {front: files[front], **files, CONTENTS: first}, mode)
        for path in retired(out, former, files, form.replaceable):
            path.unlink(missing_ok=True)
        if first != final:
            _write(out, {CONTENTS: final}, mode)


def _make(folder: Path, *, private: bool) -> None:
    folder.mkdir(mode=PRIVATE if private else 0o777, exist_ok=True)


def _write(out: Path, files: Mapping[str, bytes], mode: int | None) -> None:
    """Prepare files, and put them in their places from the last to the first."""
    with ExitStack() as prepared:
        for name, content in files.items():
            partial = prepared.enter_context(written_beside(out / name, mode=mode))
            # Private from its first byte: a process that is killed leaves it as it is.
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode or 0o666)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
