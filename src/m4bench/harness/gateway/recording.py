# SPDX-License-Identifier: MIT
"""A run's exchanges with its model, written as they happen and answered from later. Knows no socket."""

import json
import os
from codecs import getincrementaldecoder
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Literal

from m4bench.harness.gateway.egress import append_line, open_appending
from m4bench.harness.gateway.lane import Ending, WireProtocol
from m4bench.harness.gateway.secrecy import Secrets
from m4bench.model.errors import InputError
from m4bench.model.record import Record

# An answer of which more than so many bytes would have to be held cannot be recorded.
LONGEST_ANSWER = 64 << 20
# What a request of a recording can have ended with; other states are the harness's own to find.
_FAILURES = frozenset(
    {
        "provider-auth", "provider-quota", "provider-request", "provider-rate-limit", "provider-error",
        "provider-unreachable", "context-overflow", "refused", "policy",
    }
)  # fmt: skip


class Exchange(Record):
    """One line of a recording: what was asked, and what the agent was answered, as it was passed on.

    `path` follows the upstream's base address. `fingerprint` and `shape` are `Asked`'s, empty for a request
    without a body. `status` is the one the agent saw. `chunks` are the pieces in which the body came; bytes
    that are no UTF-8 stand as replacement characters. `cut` is true when it ended before its end. `failure`
    is what a request that was not answered well counted as.
    """

    format: Literal[1] = 1
    n: int
    protocol: WireProtocol
    path: str
    shape: str
    fingerprint: str
    request: Any = None
    status: int
    content_type: str
    chunks: tuple[str, ...]
    cut: bool = False
    failure: Ending | None = None

    def answer(self) -> list[bytes]:
        """Return the body's pieces as bytes."""
        return [chunk.encode() for chunk in self.chunks]

    @property
    def can_be_answered(self) -> bool:
        """Whether an agent can be answered with it, and its failure is one that a request can have."""
        try:
            self.answer()
        except UnicodeEncodeError:
            return False
        return (
            200 <= self.status < 600
            and self.content_type.isascii()
            and self.content_type.isprintable()
            and (self.failure is None or self.failure.state in _FAILURES)
        )


class ChunkTexts:
    """Turns pieces of bytes, cut anywhere, into texts; `overfull` when more came than can be held."""

    def __init__(self) -> None:
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._texts: list[str] = []
        self._size = 0

    @property
    def overfull(self) -> bool:
        """Whether what came last was not kept."""
        return self._size > LONGEST_ANSWER

    def feed(self, data: bytes) -> None:
        """Take a piece."""
        self._size += len(data)
        if not self.overfull and (text := self._decoder.decode(data)):
            self._texts.append(text)

    def end(self) -> tuple[str, ...]:
        """Return all texts."""
        if rest := self._decoder.decode(b"", final=True):
            self._texts.append(rest)
        return tuple(self._texts)


class Recorder:
    """Appends exchanges to a file that is private to the user, each whole or not at all."""

    def __init__(self, path: Path, secrets: Secrets) -> None:
        """Begin a recording.

        Raises:
            InputError: there is one already, which a second run must not be mixed into.
            OSError: it cannot be written.
        """
        self._file = open_appending(path)
        if os.fstat(self._file).st_size:
            os.close(self._file)
            raise InputError(
                "holds a recording already", file=path, remedy="record into a new file"
            )
        self._secrets = secrets

    def write(self, exchange: Exchange) -> None:
        """Append an exchange.

        Raises:
            OSError: it could not be written.
        """
        said = exchange.model_dump(mode="python")
        # an upstream may say what no header can hold, and no replay then
        said["content_type"] = "".join(one for one in exchange.content_type if " " <= one <= "~")
        append_line(self._file, _scrubbed(said, self._secrets))

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


class Recording:
    """Exchanges to answer from, each once; only where they stand in the file is kept in memory."""

    def __init__(self, path: Path) -> None:
        """Open a recording and read it through.

        Raises:
            InputError: it cannot be read, or a line is not one of a recording.
        """
        try:
            self._file: BinaryIO = path.open("rb")
        except OSError as error:
            raise InputError(f"cannot be read ({error.strerror})", file=path) from error
        self._unused: dict[tuple[str, str], list[tuple[int, str, str]]] = defaultdict(list)
        self._index(path)

    def take(
        self,
        protocol: str,
        path: str,
        fingerprint: str,
        shape: str,
        alike: Callable[[Exchange], bool] = lambda _: True,
    ) -> tuple[Exchange, bool] | None:
        """Return the exchange that answers a request and whether it was asked in the same words; None when none does.

        Args:
            protocol: the wire protocol.
            path: what followed the upstream's base address.
            fingerprint: of the words asked; the first unused exchange with the same one answers.
            shape: of the conversation; where no words are the same, the first with the same shape answers.
            alike: what an exchange of the same shape has to be besides.
        """
        unused = self._unused.get((protocol, path), [])
        for same in (1, 2):
            wanted = (fingerprint, shape)[same - 1]
            for place, known in enumerate(unused):
                if known[same] != wanted:
                    continue
                exchange = self._read(known[0])
                if same == 1 or alike(exchange):
                    del unused[place]
                    return exchange, same == 1
        return None

    def _read(self, offset: int) -> Exchange:
        self._file.seek(offset)
        return Exchange.model_validate(json.loads(self._file.readline()))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _index(self, path: Path) -> None:
        offset = 0
        for row, line in enumerate(self._file, start=1):
            if not line.endswith(b"\n"):
                raise InputError(
                    "the last line was not written to its end",
                    file=path,
                    row=row,
                    remedy="remove that line to replay what is before it, or record again",
                )
            try:
                known = Exchange.model_validate(json.loads(line))
            except (ValueError, RecursionError):
                known = None
            if known is None or not known.can_be_answered:
                raise InputError(
                    "is not a line of a recording",
                    file=path,
                    row=row,
                    remedy="it was changed, or made by another version: record again",
                )
            key = (known.protocol, known.path)
            self._unused[key].append((offset, known.fingerprint, known.shape))
            offset += len(line)


def _scrubbed(value: Any, secrets: Secrets) -> Any:
    match value:
        case str():
            return secrets.scrub_text(value)
        case dict():
            return {
                _scrubbed(name, secrets): _scrubbed(one, secrets) for name, one in value.items()
            }
        case list() | tuple():
            return [_scrubbed(one, secrets) for one in value]
    return value
