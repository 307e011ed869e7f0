# SPDX-License-Identifier: MIT
"""The door: what is there before any package is imported, so that an interrupt or a broken package is one line."""

import atexit
import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from m4bench.cli.ending import INTERRUPTED, end, unloadable

DOCTOR = "doctor"
BAD_INPUT = 2


def run() -> None:
    """Run the command line; nothing but the commands' own work ends by a traceback or by a signal."""
    try:
        _print_anything()
        with _interrupts_end_at_once():
            try:
                from m4bench.cli.commands import loaded, run_commands

                loaded("".join(sys.argv[1:2]))
            except Exception as error:  # noqa: BLE001 # a broken package can fail in any way
                if sys.argv[1:2] != [DOCTOR]:
                    end(unloadable(error), BAD_INPUT)
                from m4bench.cli.bare_doctor import bare_doctor as run_commands
        # What is done stays done: an interrupt while Python puts itself away changes no exit code.
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
        run_commands()
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        end("interrupted", INTERRUPTED)


def _print_anything() -> None:
    """Let both outputs escape what their encoding has no sign for, rather than end a command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def _interrupts_end_at_once() -> Iterator[None]:
    """End at the first Ctrl-C: while packages are imported, some turn an exception into one of their own."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _end_at_once)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end_at_once(number: int, frame: FrameType | None) -> None:
    os.write(2, b"m4bench: interrupted\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
