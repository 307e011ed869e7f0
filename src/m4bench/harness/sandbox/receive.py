# SPDX-License-Identifier: MIT
"""The outer end of a sandbox's pipe: sends the work folder in, takes files out, believes nothing it is told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from m4bench.harness.sandbox.inside.collect import SAFE_NAME, Rules
from m4bench.harness.sandbox.inside.frames import FrameError, copy_body, receive, send
from m4bench.model.files import PRIVATE

PRIVATE_FILE = 0o600
FILES = "files"


@dataclass
class Report:
    """What the inside said, as far as it went."""

    started: bool = False
    leak: str | None = None
    ended: Mapping[str, Any] | None = None
    output: str = "missing"
    left_out: Mapping[str, int] = field(default_factory=dict)
    complete: bool = False


def send_orders(stream: BinaryIO, config: Mapping[str, Any], work: Mapping[str, Path]) -> None:
    """Send the orders and the files of the work folder, then close the stream."""
    with stream:
        send(stream, config)
        for name, path in work.items():
            with path.open("rb") as body:
                send(stream, {"kind": "file", "path": name}, body, path.stat().st_size)
        send(stream, {"kind": "end"})


class Receiver:
    """Takes a sandbox's reports and writes the files it hands out below one folder, within the rules."""

    def __init__(self, into: Path, rules: Rules, on_start: Callable[[], None]) -> None:
        self.into, self.rules, self.on_start = into, rules, on_start
        self.report = Report()
        self._files = self._bytes = 0

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
            case "ended":
                self.report.ended = message
            case "output":
                self.report.output = str(message.get("state"))[:80]
            case "deliverable":
                self._store(self.rules.deliverable, message, stream, self.rules.largest_deliverable)
            case "file":
                self._take_file(message, stream)
            case "done":
                self.report.left_out = counts(message.get("left_out"))
                self.report.complete = True
            case _:
                raise FrameError("an unknown message")

    def _take_file(self, message: dict[str, Any], stream: BinaryIO) -> None:
        parts = str(message.get("path")).split("/")
        self._files += 1
        self._bytes += message["size"]
        if (
            self._files > self.rules.files
            or self._bytes > self.rules.largest_total
            or len(parts) > self.rules.depth + 1
            or not all(SAFE_NAME.fullmatch(part) for part in parts)
        ):
            raise FrameError("a file beyond the rules")
        self._store("/".join((FILES, *parts)), message, stream, self.rules.largest_file)

    def _store(self, name: str, message: dict[str, Any], stream: BinaryIO, largest: int) -> None:
        if message["size"] > largest:
            raise FrameError("a file beyond the rules")
        path = self.into / name
        path.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
        try:
            with path.open("xb") as target:
                path.chmod(PRIVATE_FILE)
                copy_body(stream, target, message["size"])
        except OSError as error:
            raise FrameError(f"a file cannot be stored ({error.strerror})") from error


def counts(value: object) -> dict[str, int]:
    """Return a mapping of short texts to counts, whatever came in."""
    if not isinstance(value, dict):
        return {}
    return {str(key)[:40]: number for key, number in value.items() if type(number) is int}
