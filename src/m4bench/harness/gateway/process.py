# SPDX-License-Identifier: MIT
"""Starts, asks and ends the gateway process. Knows no agent and no task; keys go through a pipe only."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Self

from pydantic import ValidationError

from m4bench.harness.gateway.control import Asked, Event, Reply, Said, asking
from m4bench.harness.gateway.lane import Ending, LaneConfig, LaneSummary
from m4bench.model.errors import InputError, M4BenchError

START_SECONDS = 120.0
REPLY_SECONDS = 60.0
END_SECONDS = 5.0
# Authorities a site adds to the system's own.
CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")
UNREADABLE = "the gateway process gave a reply that cannot be read"
GONE = Ending(state="infrastructure", reason="the gateway process ended")


class GatewayError(M4BenchError):
    """The gateway failed."""


@dataclass(frozen=True)
class Address:
    """Where a lane listens: at a Unix socket, or at a loopback port (`http://127.0.0.1:PORT`)."""

    socket: Path | None
    url: str | None


class Gateway:
    """A gateway process and its lanes; ended when the block ends, and by the kernel when this process does.

    May be used by many threads at once. `on_fatal` of a lane is called from the thread that hears the gateway: it
    must not ask the gateway anything itself.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._lock = threading.Lock()
        self._number = 0
        self._replies: dict[int, SimpleQueue[Reply | None]] = {}
        self._lanes: dict[str, Callable[[Ending], None]] = {}
        self._ready = threading.Event()
        self._ended = False

    @property
    def pid(self) -> int | None:
        """The process's id while it runs."""
        return self._process.pid if self._process else None

    def __enter__(self) -> Self:
        """Start the process.

        Raises:
            GatewayError: it did not start.
        """
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-m", "m4bench.harness.gateway.server", str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(),
            cwd="/",
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, name="gateway", daemon=True)
        self._reader.start()
        self._ready.wait(START_SECONDS)
        if self._ended or not self._ready.is_set():
            self._end()
            told = (self._process.stderr.read() if self._process.stderr else b"").decode(
                "utf-8", "replace"
            )
            last = told.strip().splitlines()[-1:] or ["it said nothing"]
            raise GatewayError(f"the gateway process did not start: {last[0]}")
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def open(self, config: LaneConfig, on_fatal: Callable[[Ending], None]) -> Address:
        """Open a lane.

        Args:
            config: of the lane; its `lane` is a name no open one has.
            on_fatal: told once when the lane answers nothing more.

        Raises:
            InputError: something it was told cannot be used.
            GatewayError: the gateway failed.
        """
        with self._lock:
            if config.lane in self._lanes:
                raise GatewayError(f"lane {config.lane} is open already")
            self._lanes[config.lane] = on_fatal
        try:
            reply = self._ask("open", config=config)
        except M4BenchError:
            with self._lock:
                self._lanes.pop(config.lane, None)
            raise
        return Address(socket=Path(config.socket) if config.socket else None, url=reply.url)

    def close(self, lane: str) -> LaneSummary:
        """Close a lane: what is under way is cut; return what it has seen.

        Raises:
            GatewayError: the gateway failed, and nobody knows what the lane has seen.
        """
        try:
            reply = self._ask("close", lane=lane)
        finally:
            with self._lock:
                self._lanes.pop(lane, None)
        if reply.summary is None:
            raise GatewayError("the gateway did not tell what the lane has seen")
        return reply.summary

    def _ask(self, do: str, *, config: LaneConfig | None = None, lane: str | None = None) -> Reply:
        answer: SimpleQueue[Reply | None] = SimpleQueue()
        with self._lock:
            if self._ended or self._process is None or self._process.stdin is None:
                raise GatewayError(GONE.reason)
            self._number += 1
            number = self._number
            self._replies[number] = answer
            asked = Asked.model_validate(
                {"number": number, "do": do, "config": config, "lane": lane}
            )
            try:
                self._process.stdin.write(asking(asked))
                self._process.stdin.flush()
            except OSError as error:
                raise GatewayError(GONE.reason) from error
        try:
            reply = answer.get(timeout=REPLY_SECONDS)
        except Empty:
            raise GatewayError("the gateway process does not answer") from None
        finally:
            with self._lock:
                self._replies.pop(number, None)
        if reply is None:
            raise GatewayError(GONE.reason)
        if reply.error is not None:
            raise InputError(reply.error) if reply.input else GatewayError(reply.error)
        return reply

    def _read(self) -> None:
        assert self._process
        assert self._process.stdout
        for line in self._process.stdout:
            try:
                said = Said.model_validate_json(line)
            except ValidationError:
                self._fail_waiting()
                continue
            if said.event:
                self._heard(said.event)
            if said.reply:
                with self._lock:
                    waiting = self._replies.get(said.reply.number)
                if waiting:
                    waiting.put(said.reply)
        with self._lock:
            self._ended = True
            waiting_for, lanes = list(self._replies.values()), list(self._lanes.values())
            self._lanes.clear()
        self._ready.set()
        for one in waiting_for:
            one.put(None)
        for on_fatal in lanes:
            on_fatal(GONE)

    def _fail_waiting(self) -> None:
        """Fail what waits for a reply: the one that cannot be read may be its own."""
        with self._lock:
            waiting = list(self._replies.items())
        for number, one in waiting:
            one.put(Reply(number=number, error=UNREADABLE))

    def _heard(self, event: Event) -> None:
        if event.event == "ready":
            self._ready.set()
            return
        with self._lock:
            on_fatal = self._lanes.get(event.lane or "")
        if on_fatal and event.ending:
            on_fatal(event.ending)

    def _end(self) -> None:
        process = self._process
        if process is None:
            return
        with self._lock:
            self._lanes.clear()
        if process.stdin:
            with suppress(OSError):
                process.stdin.close()
        for ending in (None, signal.SIGTERM, signal.SIGKILL):
            if ending is not None:
                process.send_signal(ending)
            try:
                process.wait(END_SECONDS)
                break
            except subprocess.TimeoutExpired:
                continue
        if self._reader:
            self._reader.join(END_SECONDS)


def _environment() -> dict[str, str]:
    """Return the gateway's environment: no proxy, no key, no setting of any library."""
    kept = {name: os.environ[name] for name in CERTIFICATES if name in os.environ}
    return {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", **kept}
