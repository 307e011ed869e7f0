# SPDX-License-Identifier: MIT
"""What adapters to command-line tools share: settings, the prompt, reading JSON lines, words for failures.

It knows no tool; an adapter is one small module over it.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from m4bench.harness.agents.agent import (
    AgentContext,
    AgentSettings,
    Launch,
    ModelAccess,
    refuse_settings,
)
from m4bench.harness.agents.failure_words import state_of
from m4bench.harness.agents.installation import Installation, Tool
from m4bench.harness.agents.reading import Conclusion
from m4bench.harness.gateway.lane import WireProtocol
from m4bench.model.errors import InputError
from m4bench.model.trace import TraceEvent

# Linux takes 128 KiB an argument, with its end; what is longer is put into a file.
LONGEST_ARGUMENT = 120_000
PROMPT_FILE = "prompt.md"
LONGEST_LINE = 16 << 20
LONGEST_REASON = 400


class CommandLineAgent(ABC):
    """A tool in a fresh home, with a model behind the gateway.

    An adapter states `name`, `tool`, `protocols` (the preferred first), `skill_folders` (the one folder of the work
    folder that the tool looks into, so that it meets a skill once), `efforts` (the words of `--effort`, least
    first; none when it has no such setting), `adapter` (raised when the way it is started changes) and
    `disabled` (what of the tool's own is off, for the record), and writes `prepare`.
    """

    name: ClassVar[str]
    tool: ClassVar[Tool]
    publishable = True
    protocols: ClassVar[tuple[WireProtocol, ...]]
    skill_folders: ClassVar[tuple[str, ...]]
    efforts: ClassVar[tuple[str, ...]] = ()
    adapter: ClassVar[str] = "1"
    disabled: ClassVar[tuple[str, ...]] = ()

    def __init__(self, settings: AgentSettings) -> None:
        """Find the tool and check the settings.

        Raises:
            InputError: no model is named, the effort is unknown, or the tool is not there.
        """
        taken = ("model", "program", "effort") if self.efforts else ("model", "program")
        refuse_settings(self.name, settings, *taken)
        if settings.model is None:
            raise InputError(f"the agent {self.name} needs a model", remedy="add --model NAME")
        if settings.effort is not None and settings.effort not in self.efforts:
            raise InputError(
                f"{self.name} knows no effort {settings.effort}",
                remedy=f"choose one of: {', '.join(self.efforts)}",
            )
        self.model = settings.model
        self.effort = settings.effort
        self.installation: Installation = self.tool.find(settings.program)

    def version(self) -> str:
        """Return the tool's version."""
        return self.installation.version

    def options(self) -> Mapping[str, str]:
        """Return the adapter's version, the protocols, and what of the tool's own is off."""
        return {
            "adapter": self.adapter,
            "protocols": ", ".join(self.protocols),
            "disabled": ", ".join(self.disabled),
        }

    @abstractmethod
    def prepare(self, context: AgentContext) -> Launch:
        """Return how the tool is started for one run."""

    def access(self, context: AgentContext) -> ModelAccess:
        """Return the way to the model.

        Raises:
            InputError: the run has none.
        """
        if context.access is None:
            raise InputError(
                f"the agent {self.name} needs a model's endpoint", remedy="add --endpoint"
            )
        return context.access

    def prompt(self, context: AgentContext, text: str | None = None) -> tuple[str, dict[str, str]]:
        """Return what to say on the command line, and the files of the program folder it speaks of.

        Args:
            context: the run.
            text: what to say when it is not the run's prompt.
        """
        said = context.prompt if text is None else text
        if len(said.encode("utf-8", "surrogatepass")) <= LONGEST_ARGUMENT:
            return said, {}
        place = f"{context.layout.program}/{PROMPT_FILE}"
        return f"Read the file {place} whole and do what it says.", {PROMPT_FILE: said}


class JsonLinesReader(ABC):
    """Reads a stream of JSON objects, one a line; a tool's own reader says what each means.

    A line that is no object, too long, or means nothing to `read` is counted in `unread`; what goes wrong within
    `read` is counted too. Set by `read`: `finished` with the last event, `well` when the tool says that it
    ended well, `failure` and `status` when it tells of a failure (the last one counts).
    """

    def __init__(self) -> None:
        self.finished = False
        self.unread = 0
        self.well = False
        self.failure: str | None = None
        self.status: int | None = None

    def line(self, text: str, seconds: float) -> list[TraceEvent]:
        """Return the events of one line; never raises."""
        if not text.strip():
            return []
        found: list[TraceEvent] | None = None
        if len(text) <= LONGEST_LINE:
            try:
                message = json.loads(text)
                if isinstance(message, dict):
                    found = self.read(message, seconds)
            except Exception:  # noqa: BLE001 # whatever a tool prints, the run goes on
                found = None
        if found is None:
            self.unread += 1
            return []
        return found

    @abstractmethod
    def read(self, message: dict[str, Any], seconds: float) -> list[TraceEvent] | None:
        """Return the events of one object, none where it tells nothing, None where its kind is not known."""

    def end(self, files: Mapping[str, Path]) -> list[TraceEvent]:
        """Return nothing: the stream has told everything."""
        return []

    def failed(self, text: str, seconds: float, *, status: int | None = None) -> list[TraceEvent]:
        """Note a failure the tool tells of and return its event, none where it has just told the same."""
        again = text == self.failure and status in (None, self.status)
        self.failure = text
        self.status = self.status if again else status
        event = TraceEvent(seconds=seconds, kind="error", text=text, status=self.status)
        return [] if again else [event]

    def conclusion(self, exit_code: int | None) -> Conclusion:
        """Return how the tool ended: by what it told, then by its exit code."""
        if self.well:
            return Conclusion("completed")
        if self.failure is not None:
            reason = " ".join(self.failure.split())[:LONGEST_REASON]
            return Conclusion(state_of(self.failure, self.status) or "agent-error", reason)
        if exit_code is None:
            return Conclusion(None)
        if exit_code:
            told = f"exit code {exit_code}" if exit_code > 0 else f"ended by signal {-exit_code}"
            return Conclusion("agent-error", told)
        if not self.finished:
            return Conclusion("agent-error", "ended before its last event")
        return Conclusion("completed")


def text_in(value: Any) -> str:
    """Return the text of a value as tools give it: a text, a list of parts with texts, or nothing."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(filter(None, (text_in(part) for part in value)))
    if isinstance(value, dict):
        return text_in(value.get("text") or value.get("content") or "")
    return ""


def count_in(value: Mapping[str, Any], *names: str) -> int:
    """Return the first of the named counts that is one, else 0."""
    for name in names:
        found = value.get(name)
        if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
            return found
    return 0


def mapping_in(value: Any) -> dict[str, Any]:
    """Return a mapping, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}
