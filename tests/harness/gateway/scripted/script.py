# SPDX-License-Identifier: MIT
"""What the scripted model says, turn by turn. Knows no wire protocol."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Counts:
    """The tokens an answer claims; `input` holds the cached ones, `output` the reasoning ones."""

    input: int = 1000
    cached: int = 200
    output: int = 50
    reasoning: int = 10


@dataclass(frozen=True)
class Say:
    """Plain text; the turn ends."""

    text: str
    counts: Counts = Counts()


@dataclass(frozen=True)
class Done:
    """The end of the work, in the way the client wants it told: text, or a command that prints its marker."""

    text: str = "The file is written."
    counts: Counts = Counts()


@dataclass(frozen=True)
class Call:
    """A shell command, through the client's own shell tool."""

    command: str
    counts: Counts = Counts()


@dataclass(frozen=True)
class Refuse:
    """The model declines, with the protocol's own stop reason."""

    text: str = "I can't help with that."
    counts: Counts = Counts()


@dataclass(frozen=True)
class Overlong:
    """Text of `size` characters, cut off by the bound on output tokens."""

    size: int = 200_000
    counts: Counts = Counts(output=64_000)


@dataclass(frozen=True)
class Status:
    """An answer of that status with the protocol's own error body, `times` times (None: for ever)."""

    code: int
    headers: Mapping[str, str] = field(default_factory=dict)
    times: int | None = 1
    word: str | None = None
    message: str = "scripted failure"


@dataclass(frozen=True)
class Overflow:
    """The error of a request that is longer than the context, `times` times (None: for ever)."""

    times: int | None = None


@dataclass(frozen=True)
class Slow:
    """A turn whose stream pauses `seconds` before each chunk."""

    turn: "Reply"
    seconds: float = 0.2


@dataclass(frozen=True)
class Cut:
    """A turn whose answer breaks off after that many bytes, `times` times (None: for ever)."""

    turn: "Reply"
    after: int = 400
    times: int | None = 1


Reply = Say | Done | Call | Refuse | Overlong
Turn = Reply | Status | Overflow | Slow | Cut


class Script:
    """Turns in their order, each taken by one request of a client that offers its tools. Thread-safe.

    A turn with `times` serves that many requests before the next begins; a cut turn is then said whole. After
    the last turn the model says that it is done.
    """

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = list(turns)
        self._at = 0
        self._used = 0
        self._lock = threading.Lock()

    @property
    def finished(self) -> bool:
        """Whether every turn was taken."""
        with self._lock:
            return self._at >= len(self._turns)

    def take(self) -> Turn:
        """Return the turn that answers the next request."""
        with self._lock:
            if self._at >= len(self._turns):
                return Done()
            turn = self._turns[self._at]
            if isinstance(turn, Status | Overflow | Cut):
                if turn.times is None:
                    return turn
                if self._used < turn.times:
                    self._used += 1
                    if self._used == turn.times and not isinstance(turn, Cut):
                        self._next()
                    return turn
                assert isinstance(turn, Cut)
                turn = turn.turn
            self._next()
            return turn

    def _next(self) -> None:
        self._at += 1
        self._used = 0
