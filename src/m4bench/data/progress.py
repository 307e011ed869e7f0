# SPDX-License-Identifier: MIT
"""How long work shows where it is: a bar on a terminal, a line a stage elsewhere. Knows no data."""

import time
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

TELLING = 5
"""Percent of the work that must be done before the time left is told."""


class WorkProgress(Protocol):
    """What long work tells while it runs."""

    def planned(self, what: str, total: int | None) -> None:
        """Say what is about to be done, and how many bytes of input it takes, where that is known."""

    def advanced(self, done: int) -> None:
        """Say that `done` more bytes of the input have been dealt with."""

    def finished(self, stage: str) -> None:
        """Say that a stage is done, in one line."""

    def note(self, text: str) -> None:
        """Say something the user should know, in one line."""


class SilentProgress:
    """Shows nothing."""

    def planned(self, what: str, total: int | None) -> None:
        """Do nothing."""

    def advanced(self, done: int) -> None:
        """Do nothing."""

    def finished(self, stage: str) -> None:
        """Do nothing."""

    def note(self, text: str) -> None:
        """Do nothing."""


class TimeLeftColumn(TimeRemainingColumn):
    """The time left, blank while what is done is too little to tell it from."""

    def render(self, task: Task) -> Text:
        """Return the time left, or nothing yet."""
        return super().render(task) if task.percentage >= TELLING else Text("")


class ConsoleProgress:
    """Shows work on a console: a bar with the time left on a terminal, a line a stage elsewhere."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TimeLeftColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task: TaskID | None = None
        self._total = self._done = 0
        self._began = time.monotonic()

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def planned(self, what: str, total: int | None) -> None:
        """Start the bar of a piece of work."""
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._task = self._bar.add_task(what, total=total)
        self._total, self._done, self._began = total or 0, 0, time.monotonic()
        if not self._console.is_terminal:
            self._print(what if total is None else f"{what}: {total / 1e6:,.1f} MB")

    def advanced(self, done: int) -> None:
        """Move the bar."""
        self._done += done
        if self._task is not None:
            self._bar.advance(self._task, done)

    def finished(self, stage: str) -> None:
        """Print the stage, with the time left where there is no bar to show it."""
        self._print(stage if self._console.is_terminal else f"{stage}{self._left()}")

    def note(self, text: str) -> None:
        """Print a note."""
        self._print(f"note: {text}")

    def _left(self) -> str:
        if not 0 < self._done < self._total:
            return ""
        percent = 100 * self._done / self._total
        if percent < TELLING:
            return f" ({percent:.0f} % done)"
        seconds = (time.monotonic() - self._began) * (self._total - self._done) / self._done
        left = f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
        return f" ({percent:.0f} % done, about {left} left)"

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)
