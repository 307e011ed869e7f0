# SPDX-License-Identifier: MIT
"""Sends a request to a lane's upstream, and nowhere else. Knows no agent, no limit and no log."""

import asyncio
import ipaddress
import os
import socket
import ssl
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import aiohttp
import certifi
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from m4bench.harness.gateway.address import is_loopback
from m4bench.harness.gateway.lane import Ending, LaneConfig, Upstream
from m4bench.model.errors import InputError

CONNECT_SECONDS = 30.0
# Servers of local models close an idle connection after 5 seconds; a request must not meet that.
KEEP_ALIVE_SECONDS = 4.0
LONGEST_ERROR_BODY = 1 << 20
# What a client may tell an upstream beside the body; its own key and whatever names an account are not here.
_PASSED_UP = (
    "accept", "user-agent", "anthropic-version", "anthropic-beta", "openai-beta", "x-goog-api-client",
    "session_id", "conversation_id",
)  # fmt: skip
_PASSED_DOWN = ("content-type", "retry-after", "retry-after-ms")
_REQUEST_IDS = ("x-request-id", "request-id", "x-goog-request-id")


class OffLoopbackError(OSError):
    """A lane that may only reach this machine was to reach another."""


class LoopbackResolver(AbstractResolver):
    """Resolves names, and refuses those that lead off this machine."""

    def __init__(self) -> None:
        self._any = aiohttp.ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return a name's addresses.

        Raises:
            OffLoopbackError: one of them is another machine's.
        """
        found = await self._any.resolve(host, port, family)
        if not all(is_loopback(one["host"]) for one in found):
            raise OffLoopbackError("leads off this machine")
        return found

    async def close(self) -> None:
        """Release what it holds."""
        await self._any.close()


class UpstreamClient:
    """Connections to one upstream.

    Redirects are never followed, proxies and cookies never used, certificates always verified: against the
    system's authorities, those of `SSL_CERT_FILE` where set, certifi's, and the endpoint's own.
    """

    def __init__(self, config: LaneConfig) -> None:
        """Prepare; nothing is sent.

        Raises:
            InputError: the base address is not one, or the lane may not use it.
        """
        self._upstream = config.upstream
        self._base = _base_of(config.upstream)
        on_loopback = config.access == "credentialed" and config.permitted_by is None
        host = self._base.host or ""
        if on_loopback and _is_address(host) and not is_loopback(host):
            raise InputError(
                f"endpoint {config.upstream.name}: credentialed data may not leave this machine"
            )
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=0,
                ssl=_verified(config.upstream),
                keepalive_timeout=KEEP_ALIVE_SECONDS,
                resolver=LoopbackResolver() if on_loopback else None,
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(
                total=None, connect=CONNECT_SECONDS, sock_connect=CONNECT_SECONDS
            ),
            skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding", "Content-Type"),
            trust_env=False,
            max_line_size=1 << 16,
            max_field_size=1 << 16,
        )

    @property
    def scheme(self) -> str:
        """`https` or `http`."""
        return self._base.scheme

    @property
    def host(self) -> str:
        """The only host that is connected to."""
        return self._base.host or ""

    @property
    def port(self) -> int:
        """Its port."""
        return self._base.port or 0

    async def send(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes
    ) -> aiohttp.ClientResponse:
        """Send a request and return the answer once its head is there.

        Args:
            method: `GET` or `POST`.
            path: what follows the base address, with its query.
            headers: the client's; the few that are passed on are picked here.
            body: sent as it is; empty for `GET`.

        Raises:
            aiohttp.ClientError: no answer.
            TimeoutError: no connection in time.
        """
        return await self._session.request(
            method,
            self._url(path),
            headers=self._headers(headers, body),
            data=body or None,
            allow_redirects=False,
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()

    def path(self, path: str) -> str:
        """Return the whole path that a request for what follows the base address goes to, without its query."""
        return self._url(path).path

    def _url(self, path: str) -> URL:
        plain, _, query = path.partition("?")
        url = self._base.with_path(self._base.raw_path.rstrip("/") + plain, encoded=True)
        asked = "&".join(part for part in (self._base.raw_query_string, query) if part)
        url = url.with_query(None) if not asked else URL(f"{url}?{asked}", encoded=True)
        if (url.scheme, url.host, url.port) != (self.scheme, self.host, self.port):
            raise aiohttp.InvalidURL("another host")
        return url

    def _headers(self, given: Mapping[str, str], body: bytes) -> dict[str, str]:
        sent = {name: given[name] for name in _PASSED_UP if name in given}
        sent["accept-encoding"] = "identity"
        if body:
            sent["content-type"] = "application/json"
        if (key := self._upstream.key) and (header := self._upstream.key_header) != "none":
            secret = key.get_secret_value()
            sent[header] = f"Bearer {secret}" if header == "authorization" else secret
        for name, value in self._upstream.headers.items():
            sent[name.lower()] = value.get_secret_value()
        return sent


def passed_down(headers: Mapping[str, str]) -> dict[str, str]:
    """Return what of an answer's headers the client is told; values that are not plain letters are dropped."""
    told = {name: headers[name] for name in (*_PASSED_DOWN, *_REQUEST_IDS) if name in headers}
    return {name: value for name, value in told.items() if value.isascii() and value.isprintable()}


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds an upstream asks to wait, or None when it does not."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        given = headers.get("retry-after", "")
        if given.replace(".", "", 1).isdecimal():
            return float(given)
        if given:
            return max(0.0, (parsedate_to_datetime(given) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        pass
    return None


async def error_body(response: aiohttp.ClientResponse, idle: float) -> bytes:
    """Return the body of an answer that is an error, as far as it came within `idle` seconds and is not too long."""
    pieces: list[bytes] = []
    left = LONGEST_ERROR_BODY
    try:
        async with asyncio.timeout(idle):
            while left and (piece := await response.content.read(min(left, 1 << 16))):
                pieces.append(piece)
                left -= len(piece)
    except (aiohttp.ClientError, TimeoutError):
        pass  # what came before it broke off tells enough
    return b"".join(pieces)


def connection_failure(error: Exception) -> tuple[Ending, bool]:
    """Return what a request without an answer counts as, and whether a connection was made."""
    match error:
        case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientSSLError():
            return Ending(
                state="provider-unreachable", reason="its TLS certificate or handshake is not good"
            ), False
        case aiohttp.ClientConnectorError(os_error=OffLoopbackError()):
            return Ending(state="policy", reason="its name leads off this machine"), False
        case aiohttp.ClientConnectorDNSError():
            return Ending(state="provider-unreachable", reason="its name leads nowhere"), False
        case aiohttp.ClientConnectorError():
            told = os.strerror(error.errno) if error.errno else "no connection"
            return Ending(state="provider-unreachable", reason=told), False
        case aiohttp.ConnectionTimeoutError():
            return Ending(state="provider-unreachable", reason="no connection in time"), False
        case aiohttp.ServerDisconnectedError() | aiohttp.ClientOSError():
            return Ending(state="provider-error", reason="the connection broke off"), True
    return Ending(state="provider-error", reason="the answer is no HTTP"), True


def is_loopback_host(base_url: str) -> bool:
    """Tell whether a base address names this machine."""
    try:
        host = URL(base_url).host or ""
    except ValueError:
        return False
    return host == "localhost" or is_loopback(host)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _base_of(upstream: Upstream) -> URL:
    try:
        base = URL(upstream.base_url)
    except ValueError:
        base = URL()
    if base.scheme not in ("http", "https") or not base.host or base.fragment:
        raise InputError(
            f"endpoint {upstream.name}: its base address is not an http or https address"
        )
    if base.user is not None or base.password is not None:
        raise InputError(
            f"endpoint {upstream.name}: its base address holds a user name",
            remedy="give a key or a header instead",
        )
    return base


def _verified(upstream: Upstream) -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    if upstream.ca_file is not None:
        try:
            context.load_verify_locations(upstream.ca_file)
        except OSError:  # which an SSLError is too
            raise InputError(
                "holds no authority in PEM form",
                file=upstream.ca_file,
                remedy=f"it is the ca_file of the endpoint {upstream.name}",
            ) from None
    return context
