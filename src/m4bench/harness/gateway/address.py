# SPDX-License-Identifier: MIT
"""The base address of an endpoint, read strictly, so that all who compare it mean the same. Resolves no name."""

import ipaddress
import re
from dataclasses import dataclass, replace
from typing import Self

from yarl import URL

from m4bench.harness.gateway.lane import WireProtocol

_WELL_FORMED = re.compile(r"[!-~]{1,2000}")
_PATH = re.compile(r"(?:/[A-Za-z0-9_~:@+.-]+)*/?")
_HOST = re.compile(r"[a-z0-9_.:-]+")
_QUERY = re.compile(r"(?:api-version=[A-Za-z0-9.-]+)?")
_STANDARD_PORTS = {"http": 80, "https": 443}
# What the gateway puts between a base address and the calls of a protocol.
_BETWEEN: dict[WireProtocol, str] = {
    "responses": "",
    "chat-completions": "",
    "messages": "/v1",
    "generate-content": "/v1beta",
}


@dataclass(frozen=True)
class Address:
    """A base address: `path` is empty or begins with a slash and ends without one; `query` has no question mark."""

    scheme: str
    host: str
    port: int
    path: str = ""
    query: str = ""

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the address a text holds, by the parser with which the gateway connects.

        Raises:
            ValueError: it is none, or one that could be read in two ways; the error never repeats it.
        """
        if not _WELL_FORMED.fullmatch(text) or "\\" in text:
            raise ValueError("is no address")
        before, _, query = text.partition("?")
        try:
            url = URL(text)
            port = url.port
        except ValueError:
            raise ValueError("is no address") from None
        if url.scheme not in _STANDARD_PORTS or not url.host or port is None:
            raise ValueError("is not an http or https address")
        if "@" in before.split("://", 1)[1].split("/", 1)[0]:
            raise ValueError("holds a user name; a key is given apart")
        path = "/" + before.split("://", 1)[1].partition("/")[2]
        if "#" in text or not _PATH.fullmatch(path) or {".", ".."} & set(path.split("/")):
            raise ValueError("has a path that is not plain")
        if not _QUERY.fullmatch(query):
            raise ValueError("has a query other than api-version; a key is given apart")
        host = (url.raw_host or "").lower()
        if not _HOST.fullmatch(host):
            raise ValueError("has a host that is not plain")
        return cls(url.scheme, host, port, path.rstrip("/"), query)

    def __str__(self) -> str:
        query = f"?{self.query}" if self.query else ""
        return f"{self.scheme}://{self.site}{self.path}{query}"

    @property
    def site(self) -> str:
        """Host, and port where it is not the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _STANDARD_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether the host is written as this machine: `localhost`, 127.0.0.0/8 or ::1."""
        return self.host == "localhost" or is_loopback(self.host)

    def for_protocol(self, protocol: WireProtocol) -> Self:
        """Return the base the gateway expects: with `/v1` for OpenAI's protocols, without a version for others."""
        if between := _BETWEEN[protocol]:
            return replace(self, path=self.path.removesuffix(between))
        return self if self.path else replace(self, path="/v1")

    def below(self, protocol: WireProtocol) -> Self:
        """Return the address below which every request of the protocol lies, for a base made by `for_protocol`."""
        return replace(self, path=self.path + _BETWEEN[protocol])

    def holds(self, other: "Address") -> bool:
        """Tell whether another address is this one or lies below it: same scheme, host and port, path by segments."""
        same = (self.scheme, self.host, self.port) == (other.scheme, other.host, other.port)
        return same and f"{other.path}/".startswith(f"{self.path}/")


def is_loopback(address: str) -> bool:
    """Tell whether an IP address, as text, is this machine's own; a name is not."""
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False
