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
from m4bench.report.contents import CONTENTS, listing, refuse_foreign, retired
from m4bench.report.destination import only_writer, refuse_occupied

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

    What is begun first takes its place last: that is the front page. The first is the list, so that after a
    writer that was killed on its way every file is known as one of its own.

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
    whole = {front: files[front], **files, CONTENTS: listing(files, form.kind)}
    refuse_occupied(out, whole, form.folders, form.word, form.option)
    refuse_foreign(out, whole, form.kind, form.option)
    old = retired(out, whole, form.replaceable)
    out.parent.mkdir(parents=True, exist_ok=True)
    for folder in sorted({(out / name).parent for name in whole}):
        folder.mkdir(mode=PRIVATE if private else 0o777, exist_ok=True)
        if private and folder != out:
            folder.chmod(PRIVATE)
    with only_writer(out, form.folders), ExitStack() as prepared:
        for name, content in whole.items():
            partial = prepared.enter_context(written_beside(out / name, mode=mode))
            # Private from its first byte: a process that is killed leaves it as it is.
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode or 0o666)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
    for path in old:
        path.unlink(missing_ok=True)
