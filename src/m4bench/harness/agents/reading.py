# SPDX-License-Identifier: MIT
"""What a reader of an agent's event stream is: lines in, events and a conclusion out. Knows no tool."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from m4bench.model.trace import TraceEvent


@dataclass(frozen=True)
class Conclusion:
    """How a tool itself says it ended.

    `state` is one of `m4bench.model.outcome` (`completed`, `agent-error`, `refused`, `context-overflow`,
    `agent-limit`, `provider-…`) or None when it does not say; what the gateway saw counts before it.
    """

    state: str | None
    reason: str | None = None


class StreamReader(Protocol):
    """Reads what one run's tool prints, line by line, while it runs.

    `finished` becomes true when the tool has told its last event: a tool that does not exit then is ended after
    a grace. `unread` counts lines that could not be read. A reader never raises for what a line holds.
    """

    finished: bool
    unread: int

    def line(self, text: str, seconds: float) -> list[TraceEvent]:
        """Return the events of one line of standard output, printed `seconds` after the start."""

    def end(self, files: Mapping[str, Path]) -> list[TraceEvent]:
        """Return the events that follow from files the tool left, by the name under which they were collected."""

    def conclusion(self, exit_code: int | None) -> Conclusion:
        """Return how the tool says it ended, by exit code and events together."""
