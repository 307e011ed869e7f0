# SPDX-License-Identifier: MIT
"""A request as a row of turns, so that two runs' requests can be told equal. Knows no wire protocol."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

# Of a longer text the first and the last part count, so that one request never takes minutes.
_PART = 512 << 10
# What differs between two runs that do the same. Each pattern is linear in the text.
_CHANGES = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"(?:/private)?/(?:var/)?tmp/[^\s\"'`<>()\[\]{},;:]*", "<path>"),
        (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "<id>"),
        (r"\b(?:call|toolu|msg|resp|fc|rs|chatcmpl|req|item|ses|prt)_[0-9a-z_-]+", "<id>"),
        (r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b(?=,? )", "<day>"),
        (
            r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
            r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b(?= ?\d)",
            "<month>",
        ),
        (r"\b(?=[a-f]*\d)[0-9a-f]{7,}\b", "<id>"),
        # Codex numbers what a command printed by six random digits.
        (r"(?<=chunk id: )[0-9a-f]+\b", "<id>"),
        (r"\d+(?:(?:st|nd|rd|th)\b)?", "0"),
    )
)


@dataclass(frozen=True)
class Turn:
    """One piece of a conversation: `kind` is a role, `call:<tool>` or `result`; `texts` what it says."""

    kind: str
    texts: tuple[str, ...] = ()


def strings_of(value: object) -> Iterator[str]:
    """Yield every string value inside a parsed JSON value, in order, without names and data URLs. Not recursive."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            if not item.startswith("data:"):
                yield item
        elif isinstance(item, dict):
            waiting.extend(reversed(item.values()))
        elif isinstance(item, list):
            waiting.extend(reversed(item))


def texts_of(value: object) -> tuple[str, ...]:
    """Return the strings inside a parsed JSON value."""
    return tuple(strings_of(value))


def parts_said(content: object) -> object:
    """Return the text of OpenAI's content parts, without their types."""
    if not isinstance(content, list):
        return content
    return [part.get("text") if isinstance(part, dict) else part for part in content]


def normalised(text: str) -> str:
    """Return a text without numbers, ids, dates and temporary paths; of a very long one its two ends."""
    if len(text) > 2 * _PART:
        text = text[:_PART] + text[-_PART:]
    for pattern, replacement in _CHANGES:
        text = pattern.sub(replacement, text)
    return text


def fingerprint_of(turns: list[Turn], tools: tuple[str, ...]) -> str:
    """Return the sha256, in hex, of turns and the names of offered tools, normalised."""
    digest = hashlib.sha256()
    for name in sorted(tools):
        digest.update(b"tool\0" + _bytes(name) + b"\0")
    for turn in turns:
        digest.update(b"turn\0" + _bytes(turn.kind) + b"\0")
        for text in turn.texts:
            digest.update(_bytes(normalised(text)) + b"\0")
    return digest.hexdigest()


def shape_of(turns: list[Turn], offers_tools: bool) -> str:
    """Return the sha256, in hex, of the kinds of turns in their order."""
    kinds = "\0".join(turn.kind for turn in turns)
    return hashlib.sha256(_bytes(f"{offers_tools}\0{kinds}")).hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
