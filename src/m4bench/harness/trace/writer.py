# SPDX-License-Identifier: MIT
"""Keeps a run's events in `trace.jsonl` while they come, and reads them back. Knows no tool and no run.

The first line is a header, the last one a closing line that counts what lies between; a file without it is not whole.
"""

import json
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import ValidationError

from m4bench.harness.trace.storable import Storable
from m4bench.model.errors import InputError
from m4bench.model.record import Record
from m4bench.model.trace import TRACE_FORMAT, TraceEvent

Kind = TypeVar("Kind", bound=Record)
PRIVATE_FILE = 0o600
NOT_A_TRACE = "it is not a trace this version can read"
CLOSING_START = b'{"kind":"closing"'
# What is left of a text and of a mapping's values once the file is full.
SHORT_TEXT, SHORT_VALUES = 256, 256


class TraceHeader(Record):
    """The first line of a trace: its format, and whose events follow."""

    format_version: int
    kind: Literal["header"] = "header"
    agent: str
    version: str
    model: str | None
    task: str


class TraceClosing(Record):
    """The last line: how many events were written, how many of them cut, and how many were not written."""

    kind: Literal["closing"] = "closing"
    events: int
    cut: int
    dropped: int


@dataclass(frozen=True)
class TraceBounds:
    """How much is kept of a run.

    Beyond `size` bytes texts are cut to a few words; beyond a quarter more, or `events` events, none is written.
    """

    size: int = 64 << 20
    events: int = 200_000


class TraceWriter:
    """Appends events to a trace as they come, each in the file before the next; thread-safe.

    `add` never raises: what went wrong, as a full disk, is raised by `close`, and nothing is written after it. `cut`
    and `dropped` count events that lost something and events that are not in the file.

    Raises:
        OSError: the file exists or cannot be made.
    """

    def __init__(
        self,
        path: Path,
        *,
        agent: str,
        version: str,
        model: str | None,
        task: str,
        bounds: TraceBounds | None = None,
    ) -> None:
        self.bounds = bounds or TraceBounds()
        self.events = self.dropped = 0
        self._size = 0
        self._whole = Storable()
        self._short = Storable(SHORT_TEXT, SHORT_VALUES)
        self._failure: Exception | None = None
        self._lock = threading.Lock()
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        # without a buffer: an event is in the file when `add` returns
        self._file = os.fdopen(os.open(path, flags, PRIVATE_FILE), "wb", buffering=0)
        header = TraceHeader(
            format_version=TRACE_FORMAT, agent=agent, version=version, model=model, task=task
        )
        self._attempt(lambda: self._write(header.writable()))

    @property
    def cut(self) -> int:
        """How many events lost something."""
        return self._whole.cut + self._short.cut

    def add(self, event: TraceEvent) -> None:
        """Append an event; after a failure, or once closed, nothing."""
        with self._lock:
            if self._file.closed or self._failure is not None:
                return
            full = self.bounds.size + self.bounds.size // 4
            if self.events >= self.bounds.events or self._size >= full:
                self.dropped += 1
                return
            storable = self._whole if self._size < self.bounds.size else self._short
            self._attempt(lambda: self._write(storable.event(event)))
            # the closing line is written only when none has failed
            self.events += 1

    def close(self) -> None:
        """Write the closing line and close the file; a second time does nothing.

        Raises:
            OSError: something could not be written, as on a full disk.
        """
        with self._lock:
            if self._file.closed:
                return
            if self._failure is None:
                closing = TraceClosing(events=self.events, cut=self.cut, dropped=self.dropped)
                self._attempt(lambda: self._write(closing, whole=True))
            with self._file:
                if self._failure is None:
                    os.fsync(self._file.fileno())
            if self._failure is not None:
                raise self._failure

    def _attempt(self, write: Any) -> None:
        try:
            write()
        except Exception as error:  # noqa: BLE001 # nothing may stop the agent's stream; told at the end
            self._failure = error

    def _write(self, record: Record, *, whole: bool = False) -> None:
        # what is as it would be without being told is not told
        whole = whole or isinstance(record, TraceHeader)
        line = record.model_dump_json(exclude_defaults=not whole).encode() + b"\n"
        left = memoryview(line)
        while left:
            left = left[self._file.write(left) :]
        self._size += len(line)


def read_trace(path: Path) -> list[TraceEvent]:
    """Return the events of a trace, in order.

    Raises:
        InputError: the file cannot be read, is not a trace of this format, or is not whole; names file and row.
    """
    try:
        with path.open("rb") as file:
            _read_header(path, file.readline())
            return _read_events(path, file)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from error


def _read_header(path: Path, line: bytes) -> None:
    try:
        found = json.loads(line)
        version = found.get("format_version") if isinstance(found, dict) else None
    except (ValueError, RecursionError):
        version = None
    if version is None:
        raise InputError("has no header", file=path, row=1, remedy=NOT_A_TRACE)
    if version != TRACE_FORMAT:
        raise InputError(
            "is of another format version", file=path, row=1, remedy=f"this reads {TRACE_FORMAT}"
        )
    _validated(TraceHeader, path, line, 1)


def _read_events(path: Path, lines: Any) -> list[TraceEvent]:
    events: list[TraceEvent] = []
    closing: TraceClosing | None = None
    row = 1
    for row, line in enumerate(lines, 2):
        if closing is not None:
            raise InputError("goes on after its end", file=path, row=row, remedy=NOT_A_TRACE)
        if not line.endswith(b"\n"):
            raise InputError("is cut off", file=path, row=row, remedy=NOT_A_TRACE)
        if line.startswith(CLOSING_START):
            closing = _validated(TraceClosing, path, line, row)
        else:
            events.append(_validated(TraceEvent, path, line, row))
    if closing is None:
        raise InputError("has no closing line", file=path, row=row, remedy=NOT_A_TRACE)
    if closing.events != len(events):
        problem = f"holds {len(events)} events and was closed with {closing.events}"
        raise InputError(problem, file=path, row=row, remedy=NOT_A_TRACE)
    return events


def _validated(kind: type[Kind], path: Path, line: bytes, row: int) -> Kind:
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        column = str(first["loc"][0]) if first["loc"] else None
        # an undeclared name may be anything
        known = column if column in kind.model_fields else None
        raise InputError(
            first["msg"].partition(":")[0], file=path, row=row, column=known, remedy=NOT_A_TRACE
        ) from None
