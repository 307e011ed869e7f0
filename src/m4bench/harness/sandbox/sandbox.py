# SPDX-License-Identifier: MIT
"""What a sandbox is: a place that runs one program over one work folder. Knows no agent, task or score."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from m4bench.model.errors import InputError, M4BenchError
from m4bench.model.run import SandboxName

MIB = 1 << 20
GIB = 1 << 30

State = Literal["exited", "timeout", "resources", "stopped", "agent-error", "infrastructure"]
# Where an agent finds the gateway on its loopback.
MODEL_PORT = 8377


class SandboxError(M4BenchError):
    """The sandbox failed before the agent started: nothing was measured."""


@dataclass(frozen=True)
class Limits:
    """What a run may use.

    `timeout` seconds of wall time, then an interrupt, after `interrupt_grace` seconds a termination, after
    `terminate_grace` more the end. `memory` bytes of all processes together (one alone is refused more by
    the kernel), `disk` bytes of the work folder, `scratch` bytes each of `/tmp`, the home and `/dev/shm`,
    `capture` bytes kept each of standard output and error, `entries` files a file system. `sockets` bounds
    what the kernel buffers for all processes together, `descriptors` is each process's.
    """

    timeout: float
    memory: int = 8 * GIB
    disk: int = 2 * GIB
    scratch: int = 1 * GIB
    processes: int = 512
    descriptors: int = 1024
    sockets: int = 1024
    entries: int = 100_000
    capture: int = 32 * MIB
    interrupt_grace: float = 5.0
    terminate_grace: float = 5.0


@dataclass(frozen=True)
class Layout:
    """Where things stand, as the agent sees them.

    `tools` is the folder in which an agent's own installation is shown, by the names of `Plan.tools`; None
    where there is no file view and an installation stands where it stands on the host.
    """

    work: str
    program: str
    home: str
    python: str
    path: str
    tools: str | None = None

    def tool(self, name: str, host: Path) -> str:
        """Return where the part `name` of an installation, `host` outside, stands for the agent."""
        return str(host) if self.tools is None else f"{self.tools}/{name}"


class Stop:
    """A request from outside to end a running agent, with its reason; the first one counts. Thread-safe."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self._asked = threading.Event()
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []

    def ask(self, reason: str) -> None:
        """Ask for the end."""
        with self._lock:
            if self._asked.is_set():
                return
            self.reason = reason
            self._asked.set()
            listeners = list(self._listeners)
        for listener in listeners:
            listener()

    @property
    def asked(self) -> bool:
        """Whether it has been asked for."""
        return self._asked.is_set()

    def listen(self, listener: Callable[[], None]) -> None:
        """Have `listener` called when it is asked for, at once when it has been."""
        with self._lock:
            if not self._asked.is_set():
                self._listeners.append(listener)
                return
        listener()


@dataclass(frozen=True)
class ModelSocket:
    """The way to the gateway: a Unix socket of the host, reached inside at `127.0.0.1:port`."""

    socket: Path
    port: int = MODEL_PORT


@dataclass(frozen=True)
class Plan:
    """One execution.

    `argv` and `env` are the agent's; `work` are the files put into the work folder, by relative name;
    `program` the host folder shown as the program's; `binds` host files shown read-only by their absolute
    path inside; `forbidden` host paths nothing of which may be readable inside. `tools` are host files or
    folders of the agent's installation, shown read-only by relative name below `Layout.tools`; `home` are texts
    placed in the fresh home by relative name; `collect` are files the agent leaves outside the work folder,
    handed out to `agent/<name>` by their absolute path inside. `model` leads to the
    gateway. `begun` is called when the agent starts, `tap` is given each
    chunk of standard output as it comes. `stop` asks for an early end, in the three stages of a time-out.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    work: Mapping[str, Path]
    program: Path
    binds: Mapping[str, Path]
    forbidden: tuple[Path, ...]
    deliverable: str
    limits: Limits
    tools: Mapping[str, Path] = field(default_factory=dict)
    home: Mapping[str, str] = field(default_factory=dict)
    collect: Mapping[str, str] = field(default_factory=dict)
    model: ModelSocket | None = None
    tap: Callable[[bytes], None] | None = None
    begun: Callable[[], None] | None = None
    stop: Stop | None = None


@dataclass(frozen=True)
class Execution:
    """How an execution ended; the files it left are in the folder that was given.

    `state` is `agent-error` when the agent was started and its sandbox did not report to the end: whoever
    could bring that about could otherwise take a bad run back.
    `output` is `present`, `missing`, `not a regular file`, `too large` or `unreadable …`. `seconds` is the
    agent's own time, `start_seconds` what the sandbox took to start it, `first_output_seconds` the moment since
    the start at which the deliverable was first seen. `stopped` is the state of an agent ended by `Plan.stop`.
    """

    state: State
    reason: str | None
    exit_code: int | None
    seconds: float
    start_seconds: float
    output: str
    left_out: Mapping[str, int] = field(default_factory=dict)
    cut: Mapping[str, int] = field(default_factory=dict)
    first_output_seconds: float | None = None


@dataclass(frozen=True)
class Probe:
    """Whether a sandbox works on this machine and, when not, why and what to do."""

    ready: bool
    reason: str | None = None
    remedy: str | None = None


class Sandbox(Protocol):
    """A place to run a program."""

    name: SandboxName
    isolated: bool

    def layout(self, scratch: Path) -> Layout:
        """Return where an agent will find things; `scratch` is a fresh private folder of the run."""

    def refuse_exposure(self, secret: Mapping[str, Path]) -> None:
        """Raise InputError when one of the named host paths lies below what the sandbox shows."""

    def execute(self, plan: Plan, layout: Layout, into: Path) -> Execution:
        """Run the plan to its end and leave its files in `into`.

        Written are the deliverable under its name, `stdout.txt`, `stderr.txt` and, in `files/`, the other
        text files; all private to the user.

        Raises:
            SandboxError: the sandbox could not start, or something forbidden could be read inside.
            InputError: a file the agent is to be given cannot be read as what it is; it was not started.
            OSError: what the agent left cannot be stored.
        """


def make_sandbox(name: str) -> Sandbox:
    """Return the sandbox of that name.

    Raises:
        InputError: there is none.
    """
    from m4bench.harness.sandbox.bwrap import BubblewrapSandbox
    from m4bench.harness.sandbox.none import OpenSandbox

    if name == "bwrap":
        return BubblewrapSandbox()
    if name == "none":
        return OpenSandbox()
    raise InputError(f"no sandbox is called {name}", remedy="choose one of: bwrap, none")
