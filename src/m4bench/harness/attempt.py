# SPDX-License-Identifier: MIT
"""Tries a program that may not work, may not end and may leave children. Knows no sandbox and no agent."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from m4bench.model.legible import legible

LONGEST_LINE = 200


@dataclass(frozen=True)
class Attempt:
    """How it went: `said` is the last line of its standard error, or how it ended, as one line that prints."""

    works: bool
    ended: bool
    said: str


def attempt(command: Sequence[str], *, seconds: float) -> Attempt:
    """Run a command for so many seconds at most; it and what it started are ended then.

    Args:
        command: the program and its arguments; it is given no input.
        seconds: wall time.
    """
    # A file: a pipe stays open as long as any child of a program that was ended.
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
        except OSError as error:
            return Attempt(False, True, f"cannot be started ({error.strerror})")
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            return Attempt(False, False, f"does not end within {seconds:g} s")
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        errors.seek(0)
        lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    said = legible(lines[-1])[:LONGEST_LINE] if lines else f"exit {code}"
    return Attempt(code == 0, True, said)
