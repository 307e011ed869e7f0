# SPDX-License-Identifier: MIT
"""Recorded event files of the real tools, and stand-ins for their installations."""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from m4bench.data.store import Store
from m4bench.harness.agents.agent import AgentContext, ModelAccess
from m4bench.harness.agents.reading import Conclusion, StreamReader
from m4bench.harness.gateway.lane import WireProtocol
from m4bench.harness.sandbox.sandbox import Layout
from m4bench.model.trace import TraceEvent
from m4bench.suites.suite import StageRequest, find_task

RECORDED = Path(__file__).with_name("recorded")
INSIDE = Layout("/task", "/agent", "/home/agent", "/runtime/bin/python3", "/bin", "/tools")


@dataclass(frozen=True)
class Reading:
    """What a reader made of a recorded stream."""

    events: list[TraceEvent]
    conclusion: Conclusion
    finished: bool
    unread: int

    def of(self, kind: str) -> list[TraceEvent]:
        """Return the events of one kind."""
        return [event for event in self.events if event.kind == kind]


def read(reader: StreamReader, tool: str, scenario: str) -> Reading:
    """Give a reader a recorded stream, line by line, and the exit code it ended with."""
    ended = tomllib.loads((RECORDED / tool / "index.toml").read_text(encoding="utf-8"))[scenario]
    events: list[TraceEvent] = []
    lines = (RECORDED / tool / f"{scenario}.jsonl").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        events += reader.line(line, float(number))
    events += reader.end({})
    conclusion = reader.conclusion(ended.get("exit_code"))
    return Reading(events, conclusion, reader.finished, reader.unread)


def context(
    protocol: WireProtocol,
    *,
    model: str = "some-model",
    skills: tuple[str, ...] = (),
    instruction: str = "# Write the file",
    layout: Layout = INSIDE,
) -> AgentContext:
    """What an agent is told about a run with a model behind a gateway."""
    suite, task = find_task("mimic-sofa-24h")
    store = Store(Path("store"))
    request = StageRequest(store, "synthetic", "no-skill", "native", "strict", "published")
    access = ModelAccess("http://127.0.0.1:8377", "lane-token", protocol, model)
    return AgentContext(suite, task, request, instruction, layout, access, skills, 900.0)


def npm_global(prefix: Path, package: str, command: str, version: str = "1.2.3") -> Path:
    """Make what `npm install -g` leaves below a prefix with its own node, and return the command."""
    folder = prefix / "lib" / "node_modules" / package
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "start.js").write_text("#!/usr/bin/env node\n", encoding="utf-8")
    manifest = {"name": package, "version": version, "bin": {command: "bin/start.js"}}
    (folder / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    (prefix / "bin").mkdir(exist_ok=True)
    (prefix / "bin" / "node").write_bytes(b"\x7fELF")
    link = prefix / "bin" / command
    link.symlink_to(Path("..") / "lib" / "node_modules" / package / "bin" / "start.js")
    for program in (link, prefix / "bin" / "node"):
        program.chmod(0o755)
    return link
