# SPDX-License-Identifier: MIT
"""Server-sent events and whole JSON answers, read as they pass. Knows no protocol.

Source: the HTML standard, "9.2.6 Interpreting an event stream".
"""

import re
from dataclasses import replace
from typing import Any, Protocol

from m4bench.harness.gateway.protocols.bodies import GREATEST_COUNT, answer_value
from m4bench.harness.gateway.protocols.protocol import Answered
from m4bench.model.usage import Tokens

# An event, and an answer in one piece, of more bytes are passed on and not read.
LONGEST_EVENT = 16 << 20
LONGEST_ANSWER = 64 << 20
_LINE_END = re.compile(rb"\r\n|\n|\r")


class EventStream:
    """The data of server-sent events, from bytes cut anywhere."""

    def __init__(self) -> None:
        self._line: list[bytes] = []
        self._data: list[bytes] = []
        self._held = 0
        self._too_long = False
        self._after_return = False
        self._first = True

    def feed(self, data: bytes) -> list[bytes]:
        """Return the data of the events that the next bytes complete."""
        if self._after_return and data.startswith(b"\n"):
            data = data[1:]
            self._after_return = False
        if not data:
            return []
        self._after_return = data.endswith(b"\r")
        *ended, rest = _LINE_END.split(data)
        found: list[bytes] = []
        for piece in ended:
            self._keep(piece)
            line = b"".join(self._line)
            self._line = []
            self._end_of_line(line, found)
        self._keep(rest)
        return found

    def end(self) -> list[bytes]:
        """Return the data of an event whose blank line never came."""
        found: list[bytes] = []
        line = b"".join(self._line)
        self._line = []
        if line:
            self._end_of_line(line, found)
        self._end_of_line(b"", found)
        return found

    def _keep(self, piece: bytes) -> None:
        self._held += len(piece)
        if self._held > LONGEST_EVENT:
            self._too_long, self._line, self._data = True, [], []
        elif piece:
            self._line.append(piece)

    def _end_of_line(self, line: bytes, found: list[bytes]) -> None:
        if self._first and line:
            line = line.removeprefix(b"\xef\xbb\xbf")
            self._first = False
        if not line:
            # A line too long to be kept is empty here, and is not the blank line that ends an event.
            if self._held > LONGEST_EVENT:
                self._held = LONGEST_EVENT
                return
            if self._data and not self._too_long:
                found.append(b"\n".join(self._data))
            self._data, self._held, self._too_long = [], 0, False
        elif line.startswith(b"data:") and not self._too_long:
            self._data.append(line[5:].removeprefix(b" "))


class Teller(Protocol):
    """What a protocol makes of an answer's events or of the whole."""

    def event(self, event: dict[str, Any]) -> None:
        """Take one event of a stream."""

    def done(self) -> None:
        """Take the end mark `[DONE]` of OpenAI's streams."""

    def whole(self, answer: dict[str, Any]) -> None:
        """Take an answer that came in one piece."""

    def answered(self) -> Answered:
        """Return what was told."""


class Reader:
    """Reads one answer and hands its parts to a protocol's teller."""

    def __init__(self, teller: Teller, stream: bool) -> None:
        self._teller = teller
        self._events = EventStream() if stream else None
        self._parts: list[bytes] = []
        self._length = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes, cut anywhere."""
        if self._events is not None:
            self._take(self._events.feed(data))
            return
        self._length += len(data)
        if self._length <= LONGEST_ANSWER:
            self._parts.append(data)
        else:
            self._parts = []

    def end(self) -> Answered:
        """Return what was told, after the last byte; complete or cut."""
        answered = self._ended()
        return replace(answered, tokens=_usable(answered.tokens))

    def _ended(self) -> Answered:
        if self._events is not None:
            self._take(self._events.end())
            return self._teller.answered()
        value = answer_value(b"".join(self._parts)) if self._parts else None
        self._parts = []
        if isinstance(value, dict):
            self._teller.whole(value)
        elif isinstance(value, list):
            # streamGenerateContent without alt=sse: an array of events.
            for item in value:
                if isinstance(item, dict):
                    self._teller.event(item)
        return self._teller.answered()

    def _take(self, found: list[bytes]) -> None:
        for data in found:
            if data == b"[DONE]":
                self._teller.done()
                continue
            event = answer_value(data)
            if isinstance(event, dict):
                self._teller.event(event)


def _usable(tokens: Tokens | None) -> Tokens | None:
    """Return counts that can be true; an answer with others told none."""
    if tokens is None or max(tokens.model_dump().values()) > GREATEST_COUNT:
        return None
    return tokens if tokens.cached + tokens.cache_write <= tokens.input else None
