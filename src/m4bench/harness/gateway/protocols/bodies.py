# SPDX-License-Identifier: MIT
"""Reading JSON that a hostile program wrote: bounded, and refused where two readers could differ. Knows no protocol."""

import json
import re
from collections.abc import Iterator
from typing import Any, Never

# The names of a request's own members in OpenAI's and Anthropic's protocols: a server that ignores case reads
# `Tools` as `tools`, which is not what was checked.
LOWER_CASE = re.compile(r"[a-z][a-z0-9_]*")
# Tokens of one answer; a count of more is none, and stays more in every sum with others.
GREATEST_COUNT = 10**9
NO_COUNT = 10**12
# Each object and array takes far more memory than its two bytes; a long conversation has some thousands.
MOST_OPENED = 200_000
MOST_LEVELS = 200
# Values in them all, and names in one object.
MOST_PARTS = 1_000_000
MOST_NAMES = 10_000


class MalformedError(ValueError):
    """A body that is no JSON object, or one that two readers could read differently."""


def request_object(body: bytes) -> dict[str, Any]:
    """Return the object a request's body is.

    Raises:
        MalformedError: it is not UTF-8, not JSON, no object, too deep, of too many parts, or an object in it has a name
            twice (of which servers take the first or the last).
    """
    if body.count(b"{") + body.count(b"[") > MOST_OPENED:
        raise MalformedError("too many parts")
    try:
        value = json.loads(
            body.decode("utf-8"), object_pairs_hook=_each_once, parse_constant=_no_number
        )
    except MalformedError:
        raise
    except (ValueError, RecursionError):
        raise MalformedError("no JSON") from None
    if not isinstance(value, dict):
        raise MalformedError("no object")
    _refuse_boundless(value)
    return value


def answer_value(text: str | bytes) -> object:
    """Return what an answer's JSON holds, None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def member(value: object, *names: str) -> object:
    """Return a member of nested objects, None where it or an object on the way is missing."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def objects(value: object) -> list[dict[str, Any]]:
    """Return the objects in an array; none where it is no array."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def word(value: object) -> str:
    """Return a value that should be a short word, empty where it is no text."""
    return value[:256] if isinstance(value, str) else ""


def count(value: object) -> int:
    """Return a value that should be a count, 0 where there is none, `NO_COUNT` where it cannot be one."""
    if value is None:
        return 0
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= GREATEST_COUNT:
        return value
    return NO_COUNT


def every_object(value: object, skipped: frozenset[str]) -> Iterator[dict[str, Any]]:
    """Yield each object inside a value, without those under the names in `skipped`. Not recursive."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            yield item
            waiting.extend(part for name, part in item.items() if name not in skipped)
        elif isinstance(item, list):
            waiting.extend(item)


def _refuse_boundless(value: dict[str, Any]) -> None:
    """Refuse objects and arrays deeper inside one another, or of more values, than is taken; not recursive."""
    level: list[Any] = [value]
    left = MOST_PARTS
    for _ in range(MOST_LEVELS):
        left -= sum(map(len, level))
        if left < 0:
            raise MalformedError("too many parts")
        parts = (item.values() if isinstance(item, dict) else item for item in level)
        level = [part for held in parts for part in held if isinstance(part, dict | list)]
        if not level:
            return
    raise MalformedError("too deep")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(pairs) > MOST_NAMES:
        raise MalformedError("too many names")
    made = dict(pairs)
    if len(made) != len(pairs):
        raise MalformedError("a name twice")
    return made


def _no_number(_: str) -> Never:
    raise MalformedError("no number")
