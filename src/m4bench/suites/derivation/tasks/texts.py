# SPDX-License-Identifier: MIT
"""Reads the texts of tasks' folders, which may be another's: regular files of bounded size, and no links out.

A text that a condition puts before an agent and that is missing, empty or no text stops the run.
"""

import errno
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from m4bench.model.errors import InputError
from m4bench.suites.derivation.tasks.roots import OWN

LARGEST_TEXT = 1_000_000
TO_WRITE = "TO WRITE"
"""What a file says where something is still to be written."""
_PLACE = re.compile(rf'{TO_WRITE}(?:(?!{TO_WRITE})[^|")])*')


def read_regular(path: Path) -> str:
    """Return the text of a regular file.

    Links are followed below the suite's own folder alone: elsewhere one could hand out any file of the machine.

    Raises:
        OSError: it is missing, a link, no regular file, or larger than 1 MB.
        UnicodeDecodeError: it is not UTF-8.
    """
    found = path.stat() if path.is_relative_to(OWN) else path.lstat()
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "a link, or no regular file")
    if found.st_size > LARGEST_TEXT:
        raise OSError(errno.EFBIG, "larger than 1 MB")
    return path.read_bytes().decode("utf-8")


def unwritten_places(text: str) -> Iterator[tuple[int, str]]:
    """Yield every place that is still to be written: its line, counted from 1, and what belongs there."""
    for number, line in enumerate(text.splitlines(), start=1):
        for _, _, place in (found.partition(TO_WRITE) for found in _PLACE.findall(line)):
            yield number, place.removeprefix(":").strip()


def given_text(path: Path, condition: str) -> str:
    """Return a text that a condition gives.

    Raises:
        InputError: it is missing, empty or no text; the error names the file and the condition.
    """
    try:
        text = read_regular(path)
    except FileNotFoundError as error:
        problem = f"is missing, so that the condition {condition} has nothing to give"
        raise InputError(problem, file=path) from error
    except OSError as error:
        problem = f"cannot be read for the condition {condition} ({error.strerror})"
        raise InputError(problem, file=path) from error
    except UnicodeDecodeError as error:
        problem = f"is not UTF-8 text, and the condition {condition} gives it"
        raise InputError(problem, file=path) from error
    if not text.strip():
        problem = f"is empty, so that the condition {condition} has nothing to give"
        raise InputError(problem, file=path)
    return text
