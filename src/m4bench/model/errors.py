# SPDX-License-Identifier: MIT
"""The few errors that mean something to a caller; each knows the exit code it ends a command with."""

from pathlib import Path


class M4BenchError(Exception):
    """Base of every error that is shown as one line and without a traceback."""

    exit_code = 1


class MeasurementFailedError(M4BenchError):
    """The thing measured failed: a run without output, an audit or a verification that does not hold."""


class InputError(M4BenchError):
    """Bad usage or bad input: names the place and what to do, never a patient's value.

    Args:
        problem: what is wrong, in a few words.
        file: the file at fault.
        row: its line, counted from 1 with the header as line 1.
        column: the column at fault.
        remedy: what to do about it.
    """

    exit_code = 2

    def __init__(
        self,
        problem: str,
        *,
        file: Path | str | None = None,
        row: int | None = None,
        column: str | None = None,
        remedy: str | None = None,
    ) -> None:
        self.problem, self.file, self.row, self.column, self.remedy = (
            problem,
            file,
            row,
            column,
            remedy,
        )
        place = [str(file)] if file is not None else []
        if row is not None:
            place.append(f"row {row}")
        if column is not None:
            place.append(f"column {column}")
        line = f"{', '.join(place)}: {problem}" if place else problem
        super().__init__(f"{line}; {remedy}" if remedy else line)


class StaleError(InputError):
    """A stage was made from inputs that have changed since; the remedy is the command that refreshes it."""


class MissingError(InputError):
    """A stage that has not been made yet; the remedy is the command that makes it."""
