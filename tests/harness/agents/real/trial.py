# SPDX-License-Identifier: MIT
"""One run of a real tool against the scripted model, and what it left."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from m4bench.harness.run import RunRequest
from m4bench.harness.trace.writer import read_trace
from m4bench.model.run import RunRecord
from m4bench.model.trace import TraceEvent
from m4bench.model.usage import Tokens
from m4bench.suites.suite import StageRequest, find_task
from tests.harness.gateway.scripted import ScriptedServer
from tests.harness.gateway.scripted.script import Call, Counts
from tests.harness.gateway.scripted.server import SIDE_COUNTS

TASK, MODEL, KEY = "mimic-meld-24h", "scripted", "the-key-of-the-provider"


def answering() -> Call:
    """The command of a hurried analyst: reads the database by a query and writes the deliverable."""
    suite, task = find_task(TASK)
    request = StageRequest(None, "synthetic", "no-skill", "native", "strict", "published")  # type: ignore[arg-type]
    script = suite.baseline("naive", task, request)
    return Call(f"python3 - <<'END'\n{script}\nEND\nwc -l output.csv")


@dataclass(frozen=True)
class Trial:
    """A finished run: its record, what was asked for, and the model it spoke to."""

    record: RunRecord
    request: RunRequest
    server: ScriptedServer

    @property
    def folder(self) -> Path:
        """Where the run's files are, whether it counts or not."""
        results = self.request.results
        (found,) = results.rglob(f"{self.record.run_id}*/run.json")
        return found.parent

    @property
    def trace(self) -> list[TraceEvent]:
        """What the agent did, in order."""
        return read_trace(self.folder / "trace.jsonl")

    @property
    def trajectory(self) -> dict[str, Any]:
        """The same in the exchange format."""
        found: dict[str, Any] = json.loads((self.folder / "trajectory.json").read_text())
        return found

    @property
    def egress(self) -> list[dict[str, Any]]:
        """The gateway's log."""
        lines = (self.folder / "egress.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def commands(self) -> list[str]:
        """Return the shell commands of the trace."""
        return [event.command or "" for event in self.trace if event.kind == "tool_call"]

    def results(self) -> str:
        """Return all that commands gave back."""
        return "\n".join(event.text or "" for event in self.trace if event.kind == "tool_result")

    def scored_by_hand(self) -> float:
        """Return the reward of the file the run left, scored apart from the run."""
        suite, task = find_task(TASK)
        request = self.request
        score = suite.score(
            task,
            self.folder / task.deliverable,
            store=request.store,
            dataset=request.dataset,
            convention=request.convention,
        )
        return score.reward

    def side_requests(self) -> int:
        """Return how many requests of the tool's own the model answered: titles, checks."""
        return len(
            [
                seen
                for seen in self.server.seen
                if seen.side and seen.method == "POST" and "count" not in seen.path.lower()
            ]
        )


def tokens(turns: int, side: int, more_output: int = 0) -> Tokens:
    """Return what answers of the scripted model add up to, without reasoning, which not every protocol tells.

    Args:
        turns: answers with the script's usual counts.
        side: answers to requests of a tool's own.
        more_output: output tokens beyond the usual.
    """
    usual = Counts()
    return Tokens(
        input=turns * usual.input + side * SIDE_COUNTS.input,
        cached=turns * usual.cached,
        output=turns * usual.output + side * SIDE_COUNTS.output + more_output,
    )
