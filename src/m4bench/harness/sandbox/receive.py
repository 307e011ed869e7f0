# SPDX-License-Identifier: MIT
"""The outer end of a sandbox's pipe: sends the work folder in, takes files out, believes nothing it is told."""

import io
import os
import threading
from collections.abc import Callable, Container, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from m4bench.harness.sandbox.inside.collect import SAFE_NAME, Rules
from m4bench.harness.sandbox.inside.frames import FrameError, copy_body, receive, send
from m4bench.harness.storage import is_full
from m4bench.model.files import PRIVATE

PRIVATE_FILE = 0o600
FILES, OUTSIDE = "files", "agent"


@dataclass
class Report:
    """What the inside said, as far as it went."""

    started: bool = False
    leak: str | None = None
    damaged: Mapping[str, str] = field(default_factory=dict)
    ended: Mapping[str, Any] | None = None
    output: str = "missing"
    left_out: dict[str, int] = field(default_factory=dict)
    complete: bool = False


class Orders:
    """The pipe on which a sandbox is told what to do and, any time later and from any thread, to stop."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def give(
        self, config: Mapping[str, Any], work: Mapping[str, Path], home: Mapping[str, str]
    ) -> None:
        """Send the orders, the files of the work folder and the texts of the home."""
        stream = self._stream
        send(stream, config)
        for name, path in work.items():
            with path.open("rb") as body:
                status = path.stat()
                header = {"kind": "file", "path": name, "executable": bool(status.st_mode & 0o100)}
                send(stream, header, body, status.st_size)
        for name, text in home.items():
            content = text.encode("utf-8", "surrogateescape")
            send(stream, {"kind": "home", "path": name}, io.BytesIO(content), len(content))
        send(stream, {"kind": "end"})

    def stop(self) -> None:
        """Ask for the agent's end; too late is no harm."""
        with self._lock, suppress(OSError):
            if not self._stream.closed:
                send(self._stream, {"kind": "stop"})

    def close(self) -> None:
        """Close the pipe."""
        with self._lock, suppress(OSError):
            self._stream.close()


class Receiver:
    """Takes a sandbox's reports and writes the files it hands out below one folder, within the rules.

    `collected` are the names under which files from outside the work folder may come.
    """

    def __init__(
        self,
        into: Path,
        rules: Rules,
        on_start: Callable[[], None],
        collected: Container[str] = (),
    ) -> None:
        self.into, self.rules, self.on_start, self.collected = into, rules, on_start, collected
        self.report = Report()
        self._files = self._bytes = self._outside_bytes = self._dropped = 0

    def read(self, stream: BinaryIO) -> Report:
        """Read to the last message or to the end of the stream, whichever comes first."""
        with stream:
            try:
                while not self.report.complete:
                    self._take(receive(stream), stream)
            except FrameError:
                return self.report
        return self.report

    def _take(self, message: dict[str, Any], stream: BinaryIO) -> None:
        match message.get("kind"):
            case "started":
                self.report.started = True
                self.on_start()
            case "leak":
                found = [*message.get("paths", ()), *message.get("interfaces", ())]
                self.report.leak = ", ".join(str(one) for one in found)
            case "damaged":
                found_damaged = message.get("paths")
                if isinstance(found_damaged, dict):
                    self.report.damaged = {str(k): str(v)[:80] for k, v in found_damaged.items()}
            case "ended":
                self.report.ended = message
            case "output":
                self.report.output = str(message.get("state"))[:80]
            case "deliverable":
                self._store(self.rules.deliverable, message, stream, self.rules.largest_deliverable)
            case "file":
                self._take_file(message, stream)
            case "collected":
                self._take_collected(message, stream)
            case "done":
                self.report.left_out = counts(message.get("left_out"))
                if self._dropped:
                    self.report.left_out["refused"] = self._dropped
                self.report.complete = True
            case _:
                raise FrameError("an unknown message")

    def _take_file(self, message: dict[str, Any], stream: BinaryIO) -> None:
        """Store a file beside the deliverable, or let it go: none of them is worth the run."""
        parts = str(message.get("path")).split("/")
        size = message["size"]
        if size > self.rules.largest_total:
            raise FrameError("more than all files together may take")
        if (
            self._files >= self.rules.files
            or size > self.rules.largest_file
            or self._bytes + size > self.rules.largest_total
            or len(parts) > self.rules.depth + 1
            or not all(SAFE_NAME.fullmatch(part) for part in parts)
        ):
            self._drop(stream, size)
            return
        self._files += 1
        self._bytes += size
        self._keep("/".join((FILES, *parts)), stream, size)

    def _take_collected(self, message: dict[str, Any], stream: BinaryIO) -> None:
        """Store a file from outside the work folder under a name that was asked for, or let it go."""
        name, size = str(message.get("path")), message["size"]
        if size > self.rules.largest_total:
            raise FrameError("more than all files together may take")
        if (
            name not in self.collected
            or size > self.rules.largest_file
            or self._outside_bytes + size > self.rules.largest_total
        ):
            self._drop(stream, size)
            return
        self._outside_bytes += size
        self._keep(f"{OUTSIDE}/{name}", stream, size)

    def _keep(self, name: str, stream: BinaryIO, size: int) -> None:
        path = self.into / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
            target = path.open("xb")
        except OSError as error:
            if is_full(error):
                raise
            self._drop(stream, size)
            return
        with target:
            path.chmod(PRIVATE_FILE)
            copy_body(stream, target, size)

    def _drop(self, stream: BinaryIO, size: int) -> None:
        self._dropped += 1
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 # a device, not a path of ours
            copy_body(stream, nowhere, size)

    def _store(self, name: str, message: dict[str, Any], stream: BinaryIO, largest: int) -> None:
        if message["size"] > largest:
            raise FrameError("a file beyond the rules")
        path = self.into / name
        try:
            target = path.open("xb")
        except FileExistsError as error:
            raise FrameError("a second deliverable") from error
        with target:
            path.chmod(PRIVATE_FILE)
            copy_body(stream, target, message["size"])


def counts(value: object) -> dict[str, int]:
    """Return a mapping of short texts to counts, whatever came in."""
    if not isinstance(value, dict):
        return {}
    return {str(key)[:40]: number for key, number in value.items() if type(number) is int}
