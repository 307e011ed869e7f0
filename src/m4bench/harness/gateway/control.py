# SPDX-License-Identifier: MIT
"""The lines that the harness and the gateway process exchange over its standard input and output."""

import json
from typing import Any, Literal

from pydantic import SecretStr

from m4bench.harness.gateway.lane import Ending, LaneConfig, LaneSummary
from m4bench.model.record import Record


class Asked(Record):
    """The harness asks for a lane to be opened (`config`) or closed (`lane`)."""

    number: int
    do: Literal["open", "close"]
    config: LaneConfig | None = None
    lane: str | None = None


class Reply(Record):
    """The gateway has done what was asked, or tells why not; `input` when what it was told is at fault."""

    number: int
    url: str | None = None
    summary: LaneSummary | None = None
    error: str | None = None
    input: bool = False


class Event(Record):
    """The gateway tells that it is ready, or that a lane answers nothing more."""

    event: Literal["ready", "fatal"]
    lane: str | None = None
    ending: Ending | None = None


class Said(Record):
    """One line of the gateway: a reply or an event."""

    reply: Reply | None = None
    event: Event | None = None


def asking(asked: Asked) -> bytes:
    """Return the line of a request, its secrets in the clear: it goes through a pipe and nowhere else."""
    return json.dumps(_revealed(asked.model_dump())).encode() + b"\n"


def _revealed(value: Any) -> Any:
    match value:
        case SecretStr():
            return value.get_secret_value()
        case dict():
            return {name: _revealed(one) for name, one in value.items()}
        case list() | tuple():
            return [_revealed(one) for one in value]
    return value
