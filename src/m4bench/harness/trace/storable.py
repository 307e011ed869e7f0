# SPDX-License-Identifier: MIT
"""Makes an event fit to be stored: bounded texts, values JSON can hold. Knows no file and no tool."""

import hashlib
import math
from typing import Any

from m4bench.model.legible import writable
from m4bench.model.trace import TraceEvent
from m4bench.model.usage import Tokens

LONGEST_TEXT = 256 << 10
LONGEST_VALUES = 1 << 20
LONGEST_NAME = 256
DEEPEST = 32
LARGEST_COUNT = (1 << 63) - 1
MOST_BITS = 2048
LEFT_OUT = "[left out: too much]"
TOO_DEEP = f"[left out: nested deeper than {DEEPEST}]"
# An event's own fields beside its values, as written.
BASE_BYTES = 16


class Storable:
    """Turns events into what is stored of them, and counts those that lost something by it.

    A text longer than `longest` bytes keeps its first three quarters and its last quarter around a mark; the values
    of `arguments` and of `extra` keep about `values` bytes each, nested at most 32 deep; a name longer than 256
    characters keeps its first 64 and its sha256, so that a call and its result still meet. What JSON cannot hold
    (half a surrogate pair, a number that is not finite) is told as text. Doing it twice changes nothing more.

    Args:
        longest: bytes of a text, at least 128.
        values: bytes of all values of one mapping.
    """

    def __init__(self, longest: int = LONGEST_TEXT, values: int = LONGEST_VALUES) -> None:
        self.longest, self.values = longest, values
        self.cut = 0
        self._lost = False
        self._budget = 0

    def event(self, event: TraceEvent) -> TraceEvent:
        """Return the event as it is stored."""
        self._lost = False
        stored = event.model_copy(
            update={
                "seconds": self._seconds(event.seconds),
                "text": None if event.text is None else self.text(event.text),
                "command": None if event.command is None else self.text(event.command),
                "call_id": self._name(event.call_id),
                "tool": self._name(event.tool),
                "model": self._name(event.model),
                "arguments": None if event.arguments is None else self._mapping(event.arguments),
                "extra": self._mapping(event.extra),
                "exit_code": self._count(event.exit_code),
                "status": self._count(event.status),
                "tokens": None if event.tokens is None else self._tokens(event.tokens),
                "cost_usd": self._amount(event.cost_usd),
            }
        )
        self.cut += self._lost
        return stored

    def text(self, text: str) -> str:
        """Return a text as it is stored."""
        if not text.isascii():
            text = writable(text)
        # no character takes more than four bytes
        if len(text) * 4 <= self.longest:
            return text
        raw = text.encode()
        if len(raw) <= self.longest:
            return text
        self._lost = True
        mark = f"\n[left out: {len(raw)} bytes are too long]\n"
        kept = self.longest - len(mark)
        tail = kept // 4
        head = raw[: kept - tail].decode("utf-8", "ignore")
        return head + mark + raw[len(raw) - tail :].decode("utf-8", "ignore")

    def _name(self, name: str | None) -> str | None:
        if name is None:
            return None
        found = name if name.isascii() else writable(name)
        if len(found) <= LONGEST_NAME:
            return found
        self._lost = True
        return f"{found[:64]}…{hashlib.sha256(found.encode()).hexdigest()}"

    def _mapping(self, values: dict[str, Any]) -> dict[str, Any]:
        if not values:
            return {}
        self._budget = self.values
        found = self._value(values, 0)
        return found if isinstance(found, dict) else {}

    def _value(self, value: Any, depth: int) -> Any:
        self._budget -= BASE_BYTES
        match value:
            case None | bool():
                return value
            case str():
                return self._counted(value)
            case int():
                return self._integer(value)
            case float():
                return value if math.isfinite(value) else str(value)
            case dict() | list() | tuple() if depth >= DEEPEST:
                self._lost = True
                return TOO_DEEP
            case dict():
                return self._entries(value, depth)
            case list() | tuple():
                return self._items(value, depth)
        self._lost = True
        return f"[left out: {type(value).__name__}]"

    def _entries(self, value: dict[Any, Any], depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, one in value.items():
            if self._budget <= 0:
                self._lost = True
                found[LEFT_OUT] = None
                break
            found[self._counted(str(name))] = self._value(one, depth + 1)
        return found

    def _items(self, value: list[Any] | tuple[Any, ...], depth: int) -> list[Any]:
        found: list[Any] = []
        for one in value:
            if self._budget <= 0:
                self._lost = True
                found.append(LEFT_OUT)
                break
            found.append(self._value(one, depth + 1))
        return found

    def _counted(self, text: str) -> str:
        found = self.text(text)
        self._budget -= len(found) if found.isascii() else len(found.encode())
        return found

    def _integer(self, value: int) -> int | str:
        if value.bit_length() <= MOST_BITS:
            return int(value)
        self._lost = True
        return f"[left out: a number of {value.bit_length()} bits]"

    def _seconds(self, seconds: float) -> float:
        return seconds if math.isfinite(seconds) and abs(seconds) < 1e9 else 0.0

    def _amount(self, amount: float | None) -> float | None:
        return amount if amount is not None and math.isfinite(amount) else None

    def _count(self, count: int | None) -> int | None:
        return count if count is not None and abs(count) <= LARGEST_COUNT else None

    def _tokens(self, tokens: Tokens) -> Tokens:
        counts = tokens.model_dump()
        if all(0 <= count <= LARGEST_COUNT for count in counts.values()):
            return tokens
        return Tokens(**{name: min(max(count, 0), LARGEST_COUNT) for name, count in counts.items()})
