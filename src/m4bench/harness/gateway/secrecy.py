# SPDX-License-Identifier: MIT
"""Takes secrets out of what passes, wherever they appear in it. Knows no protocol and no socket."""

import base64
import json
import re
from collections.abc import Iterable
from urllib.parse import quote

from m4bench.harness.gateway.lane import Upstream

# Shorter values of a header are words (`1`, `true`, a date) that any text may hold.
SHORTEST_SECRET = 8
REPLACEMENT = b"[secret]"


class Secrets:
    """Values that must not be seen, and the spellings in which JSON, an address or a log would show them."""

    def __init__(self, values: Iterable[str]) -> None:
        spellings = {
            spelling
            for value in values
            for whole_or_word in {value, *value.split()}
            if len(whole_or_word) >= SHORTEST_SECRET
            for spelling in _spellings(whole_or_word)
        }
        # The longest first, so that a value within another leaves nothing of the other.
        self._spellings = sorted(spellings, key=len, reverse=True)
        self._any = re.compile(b"|".join(map(re.escape, self._spellings)) or b"(?!)")

    def scrub(self, data: bytes) -> bytes:
        """Return the data with each secret replaced."""
        return self._any.sub(REPLACEMENT, data) if self._spellings else data

    def scrub_text(self, text: str) -> str:
        """Return the text with each secret replaced."""
        return self.scrub(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    def started(self, data: bytes) -> int:
        """Return how many bytes at the end of the data may be the beginning of a secret."""
        longest = 0
        for spelling in self._spellings:
            for length in range(min(len(spelling) - 1, len(data)), longest, -1):
                if data.endswith(spelling[:length]):
                    longest = length
                    break
        return longest


class SecretStream:
    """Scrubs a stream that is cut anywhere: only what may be the beginning of a secret waits for the next chunk."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self._held = b""

    def feed(self, data: bytes) -> bytes:
        """Return what can be passed on."""
        clean = self._secrets.scrub(self._held + data)
        waiting = self._secrets.started(clean)
        self._held = clean[len(clean) - waiting :]
        return clean[: len(clean) - waiting]

    def end(self) -> bytes:
        """Return the rest."""
        rest, self._held = self._held, b""
        return rest


def secrets_of(upstream: Upstream) -> Secrets:
    """Return what an upstream's requests carry and nobody else may see."""
    key = [upstream.key.get_secret_value()] if upstream.key else []
    return Secrets([*key, *(value.get_secret_value() for value in upstream.headers.values())])


def _spellings(value: str) -> set[bytes]:
    raw = value.encode("utf-8", "surrogateescape")
    quoted = json.dumps(value)[1:-1]
    return {
        raw,
        quoted.encode(),
        quoted.replace("/", r"\/").encode(),
        quote(value, safe="", errors="surrogateescape").encode(),
        base64.b64encode(raw),
    }
