# SPDX-License-Identifier: MIT
"""Listens for one lane's agent, on a Unix socket or a loopback port. Knows no model and no upstream."""

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from m4bench.model.errors import InputError

# An agent that opens more is not working; those over the number are closed at once.
MOST_CONNECTIONS = 256
# Clients keep connections between two turns, and some do not expect to find one closed.
IDLE_SECONDS = 600.0
BACKLOG = 1024
# sun_path holds 108 bytes; a longer path is reached through its folder's descriptor.
LONGEST_SOCKET_PATH = 100

Handle = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


class _BoundedServer(web.Server):
    """A server with a bound on its connections."""

    def connection_made(self, handler: RequestHandler, transport: asyncio.Transport) -> None:
        super().connection_made(handler, transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()


class Listener:
    """One lane's socket and what is connected to it.

    A request whose client goes away is cancelled.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._running: set[asyncio.Task[object]] = set()
        self._server: asyncio.Server | None = None
        self._path: Path | None = None
        self._connections = _BoundedServer(
            self._tracked,
            handler_cancellation=True,
            access_log=None,
            logger=_silent(),
            keepalive_timeout=IDLE_SECONDS,
            auto_decompress=False,
            max_line_size=1 << 16,
            max_field_size=1 << 16,
        )

    async def open(self, path: Path | None) -> str | None:
        """Listen at the path of a Unix socket, or on a free loopback port; return the port's address.

        Raises:
            InputError: nothing can be made there.
        """
        if path is None:
            loop = asyncio.get_running_loop()
            self._server = await loop.create_server(
                self._connections, "127.0.0.1", 0, backlog=BACKLOG
            )
            return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        try:
            bound = _bound(path)
        except OSError as error:
            raise InputError(
                f"no socket can be made there ({error.strerror or error})", file=path
            ) from error
        self._path = path
        self._server = await asyncio.get_running_loop().create_unix_server(
            self._connections, sock=bound, backlog=BACKLOG
        )
        return None

    async def close(self) -> None:
        """Stop listening and cut what is under way."""
        if self._server:
            self._server.close()
        for task in (running := list(self._running)):
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        self._connections.pre_shutdown()
        await self._connections.shutdown(timeout=0.5)
        if self._path:
            self._path.unlink(missing_ok=True)

    async def _tracked(self, request: web.BaseRequest) -> web.StreamResponse:
        task = asyncio.current_task()
        assert task
        self._running.add(task)
        try:
            return await self._handle(request)
        finally:
            self._running.discard(task)


def _bound(path: Path) -> socket.socket:
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    folder = None
    try:
        where = str(path)
        if len(os.fsencode(path)) > LONGEST_SOCKET_PATH:
            folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
            where = f"/proc/self/fd/{folder}/{path.name}"
        bound.bind(where)
        # The sandbox's user may be another; the run's folder is private, and the token is asked for.
        path.chmod(0o666)
    except OSError:
        bound.close()
        raise
    finally:
        if folder is not None:
            os.close(folder)
    return bound


def _silent() -> logging.Logger:
    logger = logging.getLogger("m4bench.gateway.silent")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    logger.disabled = True
    return logger
