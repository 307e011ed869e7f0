# SPDX-License-Identifier: MIT
"""One event of an agent's run in one vocabulary, whatever tool printed it. Knows no tool and no file."""

from typing import Any, Literal

from pydantic import Field

from m4bench.model.record import Record
from m4bench.model.usage import Tokens

TRACE_FORMAT = 1

EventKind = Literal[
    "session", "message", "reasoning", "tool_call", "tool_result", "usage", "error", "end"
]


class TraceEvent(Record):
    """An event, in the order in which the agent told it.

    `seconds` since the agent was started. `kind`:
    * `session`: the tool says what it is; `extra` holds `tool_version`, `model`, `tools`, `skills`, `session_id`
      as far as it tells them.
    * `message`: `role` and `text`; `reasoning`: `text`.
    * `tool_call`: `call_id`, `tool`, `arguments`, and `command` when it runs a shell command.
    * `tool_result`: `call_id`, `text` (what came back), `exit_code` and `failed` where told.
    * `usage`: `tokens` of one model call or, with `extra.cumulative`, of all so far; `cost_usd` where told.
    * `error`: `text`, and `status` where it is a provider's.
    * `end`: the tool's own conclusion in `text`.
    """

    seconds: float
    kind: EventKind
    role: Literal["system", "user", "assistant"] | None = None
    text: str | None = None
    call_id: str | None = None
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    command: str | None = None
    exit_code: int | None = None
    failed: bool | None = None
    tokens: Tokens | None = None
    cost_usd: float | None = None
    status: int | None = None
    model: str | None = None
    extra: dict[str, Any] = Field(default_factory=dict)


class Activity(Record):
    """What an agent did, counted from its trace.

    `queries` are commands, and calls of tools that take SQL, that hold a query.
    `first_event_seconds` is the first line the tool printed,
    `first_output_seconds` the moment from which the deliverable was there; both since the agent's start.
    """

    turns: int = 0
    tool_calls: int = 0
    failed_tool_calls: int = 0
    commands: int = 0
    queries: int = 0
    messages: int = 0
    tools: dict[str, int] = Field(default_factory=dict)
    first_event_seconds: float | None = None
    first_output_seconds: float | None = None
    unread_lines: int = 0
