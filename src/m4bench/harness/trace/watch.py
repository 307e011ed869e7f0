# SPDX-License-Identifier: MIT
"""Follows one run: the trace while the agent prints, its summary and its ATIF file when it has ended."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Self

from m4bench.harness.agents.agent import Launch
from m4bench.harness.agents.reading import Conclusion
from m4bench.harness.outcome import FINISHED
from m4bench.harness.preparation import Prepared
from m4bench.harness.sandbox.sandbox import Execution, Stop
from m4bench.harness.trace.activity import activity_of
from m4bench.harness.trace.atif import to_atif
from m4bench.harness.trace.live import LiveTrace
from m4bench.harness.trace.writer import TraceWriter, read_trace
from m4bench.model.run import ToolFacts
from m4bench.model.trace import Activity, TraceEvent
from m4bench.model.usage import Usage

TRACE, TRAJECTORY, COLLECTED = "trace.jsonl", "trajectory.json", "agent"
GRACE = 20.0
LONGEST_WORD, MOST_WORDS = 200, 500


@dataclass(frozen=True)
class Watched:
    """What was seen of a run; all None for an agent whose output nobody reads."""

    conclusion: Conclusion | None = None
    activity: Activity | None = None
    tool: ToolFacts | None = None


class Watch:
    """The follower of a run; for an agent without a reader it does nothing."""

    def __init__(
        self, launch: Launch, prepared: Prepared, folder: Path, started: datetime, stop: Stop
    ) -> None:
        self.prepared, self.folder, self.started = prepared, folder, started
        self.launch = launch
        self.live: LiveTrace | None = None
        self.writer: TraceWriter | None = None
        if launch.reader is not None:
            self.writer = TraceWriter(
                folder / TRACE,
                agent=prepared.cell.agent,
                version=prepared.identity.agent_version,
                model=prepared.cell.model,
                task=prepared.task.name,
            )
            self.live = LiveTrace(
                launch.reader, self.writer.add, grace=GRACE, overdue=lambda: stop.ask(FINISHED)
            )

    def __enter__(self) -> Self:
        """Follow from here; what breaks off in the block leaves no thread and no open file."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        if kind is not None and self.live is not None and self.writer is not None:
            self.live.end({}, None)
            with suppress(OSError):
                self.writer.close()

    @property
    def begun(self) -> Callable[[], None] | None:
        """What is called when the agent starts."""
        return self.live.begin if self.live is not None else None

    @property
    def tap(self) -> Callable[[bytes], None] | None:
        """What is given the agent's standard output as it comes."""
        return self.live.feed if self.live is not None else None

    def end(self, execution: Execution, usage: Usage | None) -> Watched:
        """Write what is left to write and return what was seen.

        Raises:
            OSError: the trace could not be stored.
        """
        if self.live is None or self.writer is None:
            return Watched()
        files = {name: self.folder / COLLECTED / name for name in self.launch.collect}
        present = {name: path for name, path in files.items() if path.is_file()}
        conclusion = self.live.end(present, execution.exit_code)
        self.writer.close()
        events = read_trace(self.folder / TRACE)
        counted = activity_of(
            events,
            first_event_seconds=self.live.first_event_seconds,
            first_output_seconds=execution.first_output_seconds,
            unread_lines=self.live.unread + self.writer.dropped,
        )
        to_atif(
            events,
            session_id=self.prepared.run_id,
            agent=self.prepared.cell.agent,
            version=self.prepared.identity.agent_version,
            model=self.prepared.cell.model,
            instruction=self.prepared.staging.instruction,
            started=self.started,
            usage=usage,
        ).write(self.folder / TRAJECTORY)
        return Watched(conclusion, counted, _told(events))


def _told(events: Iterable[TraceEvent]) -> ToolFacts:
    """Return what the tool said of itself, its last word where it said it twice."""
    facts: dict[str, object] = {}
    for event in events:
        if event.kind == "session":
            found = {
                "version": event.extra.get("tool_version"),
                "model": event.model or event.extra.get("model"),
                "tools": event.extra.get("tools"),
                "skills": event.extra.get("skills"),
            }
            facts |= {name: value for name, value in found.items() if value}
    return ToolFacts(
        version=_word(facts.get("version")),
        model=_word(facts.get("model")),
        tools=_words(facts.get("tools")),
        skills=_words(facts.get("skills")),
    )


def _word(found: object) -> str | None:
    return str(found)[:LONGEST_WORD] if isinstance(found, str) else None


def _words(found: object) -> tuple[str, ...]:
    if not isinstance(found, list | tuple):
        return ()
    return tuple(str(one)[:LONGEST_WORD] for one in found[:MOST_WORDS])
