# SPDX-License-Identifier: MIT
"""Passes an answer down to the agent piece by piece, without the secrets it may hold. Knows no upstream."""

import asyncio
from collections.abc import Mapping

from aiohttp import web

from m4bench.harness.gateway.recording import ChunkTexts
from m4bench.harness.gateway.secrecy import Secrets, SecretStream

JSON = "application/json"
_SERVER = {"server": "m4bench"}


class ClientGoneError(Exception):
    """The agent's program went away from its answer, or takes nothing more of it."""


class Passage:
    """One answer on its way down.

    A piece is passed on before the next is asked for, so that an agent that reads slowly slows its upstream.
    `texts` keeps what passed, where somebody asks for it.
    """

    def __init__(
        self, request: web.BaseRequest, secrets: Secrets, patience: float, texts: ChunkTexts | None
    ) -> None:
        self._request = request
        self._clean = SecretStream(secrets)
        self._patience = patience
        self._texts = texts
        self.response: web.StreamResponse | None = None

    async def begin(self, status: int, headers: Mapping[str, str]) -> None:
        """Tell the status and the headers."""
        self.response = web.StreamResponse(status=status, headers={**headers, **_SERVER})
        try:
            await self.response.prepare(self._request)
        except ConnectionError as error:
            raise ClientGoneError from error

    async def pass_on(self, piece: bytes) -> None:
        """Pass on a piece.

        Raises:
            ClientGoneError: it cannot be.
        """
        await self._write(self._clean.feed(piece))

    async def flush(self) -> None:
        """Pass on what was held back, after the last piece."""
        await self._write(self._clean.end())

    async def end(self) -> web.StreamResponse:
        """Pass on the end."""
        assert self.response
        try:
            await self.response.write_eof()
        except ConnectionError as error:
            raise ClientGoneError from error
        return self.response

    def cut(self) -> web.StreamResponse:
        """End the connection where the answer broke off; the agent sees that it is not whole."""
        assert self.response
        self.response.force_close()
        if transport := self._request.transport:
            transport.close()
        return self.response

    async def _write(self, clean: bytes) -> None:
        if not clean:
            return
        if self._texts:
            self._texts.feed(clean)
        assert self.response
        try:
            async with asyncio.timeout(self._patience):
                await self.response.write(clean)
        except (ConnectionError, TimeoutError) as error:
            raise ClientGoneError from error


def answer_whole(status: int, headers: Mapping[str, str], body: bytes) -> web.StreamResponse:
    """Return an answer that is known from the start."""
    return web.Response(status=status, headers={**headers, **_SERVER}, body=body)
