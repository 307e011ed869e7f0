# SPDX-License-Identifier: MIT
"""Plans carried out by either sandbox, and a stand-in for the gateway."""

import shutil
import socketserver
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from m4bench.harness.sandbox.bwrap import BubblewrapSandbox
from m4bench.harness.sandbox.none import OpenSandbox
from m4bench.harness.sandbox.runtime import Runtime
from m4bench.harness.sandbox.sandbox import Execution, Layout, Limits, Plan, Sandbox

MIB = 1 << 20
Changes = Callable[[Layout], Mapping[str, Any]]
CarryOut = Callable[..., Execution]
Serve = Callable[[Callable[[Any], None]], Path]


@pytest.fixture
def carry_out(bubblewrap: BubblewrapSandbox, runtime: Runtime, tmp_path: Path) -> CarryOut:
    """Run one Python script under small limits; `limits` and a function of the layout change the plan."""
    sandboxes: dict[str, Sandbox] = {"bwrap": bubblewrap, "none": OpenSandbox(runtime)}

    def run(
        script: str,
        changes: Changes = lambda _: {},
        *,
        sandbox: str = "bwrap",
        **limits: float,
    ) -> Execution:
        folder = tmp_path / "execution"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "program").mkdir(parents=True)
        (folder / "scratch").mkdir()
        (folder / "program" / "agent.py").write_text(script)
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        layout = sandboxes[sandbox].layout(folder / "scratch")
        given: dict[str, Any] = {
            "timeout": 30.0, "memory": 400 * MIB, "disk": 32 * MIB, "scratch": 16 * MIB, "processes": 100,
            "entries": 2_000, "capture": MIB, "interrupt_grace": 0.5, "terminate_grace": 0.5, **limits,
        }  # fmt: skip
        plan = Plan(
            argv=(layout.python, f"{layout.program}/agent.py"),
            env={"PATH": layout.path, "HOME": layout.home},
            work={},
            program=folder / "program",
            binds={},
            forbidden=(),
            deliverable="output.csv",
            limits=Limits(**given),
        )
        plan = replace(plan, **changes(layout))
        return sandboxes[sandbox].execute(plan, layout, tmp_path / "out")

    return run


class _Gateway(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 16


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve each connection of a Unix socket by a function of its own; return the socket's path."""
    running: list[_Gateway] = []

    def start(answer: Callable[[Any], None]) -> Path:
        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                answer(self.request)

        path = tmp_path / f"gateway-{len(running)}"
        server = _Gateway(str(path), Handler)
        running.append(server)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        return path

    yield start
    for server in running:
        server.shutdown()
        server.server_close()


def echo(connection: Any) -> None:
    """Say everything again, then end as the other side did."""
    while chunk := connection.recv(1 << 16):
        connection.sendall(chunk)
