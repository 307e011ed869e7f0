# SPDX-License-Identifier: MIT
"""Passes bytes between a port of the sandbox's loopback and one Unix socket; knows no protocol and no agent.

It is a process of its own beside the agent, forked before it: what an agent does to it costs the agent its
model and nothing else. It leads to that socket and nowhere else.
"""

import mmap
import os
import resource
import selectors
import signal
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

# Also what is held for one direction of one connection before its sender has to wait.
CHUNK = 1 << 16
# More wait to be accepted, in the kernel's queue, until one has ended.
MOST_CONNECTIONS = 256
QUEUE = 512
KERNEL_BUFFER = 1 << 18
# How often a connection that the gateway's full queue refused is tried again.
RETRY = 0.02
SIGNALS_OF_AN_ENDING = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)


class Relay:
    """A running relay, as the supervisor sees it: its process, its port, and how many sockets it holds."""

    def __init__(self, process: int, port: int, held: mmap.mmap) -> None:
        self.process: int | None = process
        self.port = port
        self._held = held

    def sockets(self) -> int:
        """Return how many sockets of the namespace are the relay's and not the agent's."""
        return int(struct.unpack_from("=Q", self._held)[0]) if self.process is not None else 0

    def ended(self, process: int) -> None:
        """Take note that a process has ended; another one may get its number."""
        if process == self.process:
            self.process = None


def start_relay(port: int, gateway: str, private: Callable[[], None]) -> Relay:
    """Fork a relay that listens when this returns.

    Args:
        port: where it listens on 127.0.0.1.
        gateway: the Unix socket's path.
        private: what the new process does to itself first.

    Raises:
        OSError: it cannot listen there.
    """
    held = mmap.mmap(-1, mmap.PAGESIZE)
    listener = listen(port)
    process = os.fork()
    if not process:
        serve(listener, gateway, private, held)
    listener.close()
    return Relay(process, port, held)


def listen(port: int) -> socket.socket:
    """Return a listening socket whose connections buffer little in the kernel."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, KERNEL_BUFFER)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(QUEUE)
    listener.setblocking(False)
    return listener


def serve(
    listener: socket.socket, gateway: str, private: Callable[[], None], held: mmap.mmap
) -> NoReturn:
    """Be the relay: nothing of the parent's is kept but the listener."""
    try:
        private()
        for number in SIGNALS_OF_AN_ENDING:
            signal.signal(number, signal.SIG_IGN)
        os.setsid()
        os.chdir("/")
        keep_only(listener.fileno())
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        Switch(listener, gateway, lambda count: struct.pack_into("=Q", held, 0, count)).run()
    finally:
        os._exit(1)


def keep_only(descriptor: int) -> None:
    """Close every descriptor but one; standard input, output and error become nothing."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for one in range(3):
        os.dup2(nothing, one)
    for one in [int(name) for name in os.listdir("/proc/self/fd")]:  # noqa: PTH208 # numbers, not paths
        if one > 2 and one != descriptor:
            with suppress(OSError):
                os.close(one)


class End:
    """One end of a connection: its socket, and what waits to be written to it."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.waiting = bytearray()
        self.silent = False  # nothing more comes from it
        self.shut = False  # nothing more goes to it
        self.deaf = False  # it takes nothing more: what is meant for it is let go
        self.other: End

    @property
    def interest(self) -> int:
        """What is to be watched."""
        events = 0
        if not self.silent and len(self.other.waiting) < CHUNK:
            events |= selectors.EVENT_READ
        if self.waiting:
            events |= selectors.EVENT_WRITE
        return events


class Switch:
    """All connections of a relay; `count` is told the number of sockets held whenever it changes."""

    def __init__(self, listener: socket.socket, gateway: str, count: Callable[[int], None]) -> None:
        self.listener, self.gateway, self.count = listener, gateway, count
        self.selector = selectors.DefaultSelector()
        self.watched: dict[End, int] = {}
        self.waiting: list[socket.socket] = []
        self.next_try = 0.0
        self.connections = 0
        self.listening = False
        self._counted()

    def run(self) -> NoReturn:
        """Serve for ever."""
        while True:
            self.turn()

    def turn(self) -> None:
        """Do what can be done now, waiting for something to do when there is nothing."""
        for key, events in self.selector.select(RETRY if self.waiting else None):
            if key.data is None:
                self._accept()
            else:
                self._pass_on(key.data, events)
        if self.waiting and time.monotonic() >= self.next_try:
            self.next_try = time.monotonic() + RETRY
            clients, self.waiting = self.waiting, []
            for client in clients:
                self._connect(client)
            self._counted()

    def _counted(self) -> None:
        """Listen while there is room, and tell how many sockets are held."""
        room = self.connections < MOST_CONNECTIONS
        if room and not self.listening:
            self.selector.register(self.listener, selectors.EVENT_READ, None)
        elif self.listening and not room:
            self.selector.unregister(self.listener)
        self.listening = room
        # The gateway's end of a Unix connection is of the namespace of whoever connected.
        self.count(1 + 3 * self.connections - 2 * len(self.waiting))

    def _accept(self) -> None:
        while self.connections < MOST_CONNECTIONS:
            try:
                client, _ = self.listener.accept()
            except BlockingIOError:
                break
            except OSError:  # it went away while it waited
                continue
            client.setblocking(False)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections += 1
            self._connect(client)
            self._counted()

    def _connect(self, client: socket.socket) -> None:
        upstream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        upstream.setblocking(False)
        try:
            upstream.connect(self.gateway)
        except BlockingIOError:
            upstream.close()
            self.waiting.append(client)
        except OSError:
            upstream.close()
            client.close()
            self.connections -= 1
        else:
            near, far = End(client), End(upstream)
            near.other, far.other = far, near
            self._watch(near)
            self._watch(far)

    def _watch(self, end: End) -> None:
        before, now = self.watched.get(end, 0), end.interest
        if before == now:
            return
        if not before:
            self.selector.register(end.socket, now, end)
        elif not now:
            self.selector.unregister(end.socket)
        else:
            self.selector.modify(end.socket, now, end)
        self.watched[end] = now

    def _pass_on(self, end: End, events: int) -> None:
        if end not in self.watched:  # closed in this very turn
            return
        whole = True
        if events & selectors.EVENT_WRITE:
            whole = self._write(end)
        if whole and events & selectors.EVENT_READ:
            whole = self._read(end)
        done = end.shut and end.silent and end.other.shut and end.other.silent
        if done or not whole:
            self._close(end)
            return
        self._watch(end)
        self._watch(end.other)

    def _read(self, end: End) -> bool:
        """Take what there is; False when the connection is broken."""
        try:
            chunk = end.socket.recv(CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            # A gateway that refuses a request unread resets; what it said before is still delivered.
            if end.socket.family != socket.AF_UNIX:
                return False
            chunk = b""
        if not chunk:
            end.silent = True
        elif not end.other.deaf:
            end.other.waiting += chunk
        return self._write(end.other)

    def _write(self, end: End) -> bool:
        """Give what waits; False when the connection is broken."""
        try:
            while end.waiting:
                sent = end.socket.send(memoryview(end.waiting)[:CHUNK])
                del end.waiting[:sent]
        except BlockingIOError:
            return True
        except OSError:
            if end.socket.family != socket.AF_UNIX:
                return False
            end.deaf = True
            end.waiting.clear()
        if end.other.silent and not end.shut:
            end.shut = True
            with suppress(OSError):
                end.socket.shutdown(socket.SHUT_WR)
        return True

    def _close(self, end: End) -> None:
        for one in (end, end.other):
            if self.watched.pop(one, 0):
                self.selector.unregister(one.socket)
            one.socket.close()
        self.connections -= 1
        self._counted()
