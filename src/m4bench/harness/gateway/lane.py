# SPDX-License-Identifier: MIT
"""What the harness tells the gateway process of one run, and what it hears back. Data only.

A lane is one run's way through the gateway: one socket, one endpoint, one set of bounds.
"""

from typing import Literal

from pydantic import Field, SecretStr

from m4bench.model.record import Record
from m4bench.model.usage import Usage

WireProtocol = Literal["responses", "chat-completions", "messages", "generate-content"]
WIRE_PROTOCOLS: tuple[WireProtocol, ...] = (
    "responses",
    "chat-completions",
    "messages",
    "generate-content",
)
KeyHeader = Literal["authorization", "x-api-key", "x-goog-api-key", "none"]


class Upstream(Record):
    """Where a lane's requests go.

    `base_url` is what the protocol's paths follow: with `/v1` for `responses` and `chat-completions`
    (`https://api.openai.com/v1`), without for `messages` (`https://api.anthropic.com`) and
    `generate-content` (`https://generativelanguage.googleapis.com`). `headers` are sent with each request;
    they and `key` are secret and are never logged. `ca_file` holds further authorities its certificate may be of.
    """

    name: str
    base_url: str
    protocols: tuple[WireProtocol, ...]
    key: SecretStr | None = None
    key_header: KeyHeader = "authorization"
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    ca_file: str | None = None


class RetryPolicy(Record):
    """When a request is sent again: on 408, 409, 429, 5xx and failed connections, before any byte came back.

    `tries` in all; waits `first_wait` seconds, doubled each time, at most `longest_wait`; a `Retry-After` of
    the upstream counts instead, up to `longest_wait`.
    """

    tries: int = 5
    first_wait: float = 1.0
    longest_wait: float = 60.0


class LaneLimits(Record):
    """What one run may use; None is without bound. `stream_idle` is how many seconds an answer may say nothing."""

    requests: int | None = None
    tokens: int | None = None
    cost_usd: float | None = None
    stream_idle: float = 300.0
    longest_request: int = 32 << 20


class RateLimit(Record):
    """What an endpoint takes of all lanes together, shared fairly between lanes that wait."""

    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    concurrent: int | None = None


class LaneConfig(Record):
    """One run's way through the gateway.

    `socket` is the path of the Unix socket it listens on, or None for a free loopback port (`--sandbox none`).
    `token` is what the agent uses as its key; anything else is refused. `models` may be asked for, others are
    refused. `markers` are texts by skill name: the first request that holds one tells that the tool saw the
    skill. `record` is the file a recording is written to, `replay` one that is answered from instead of an
    upstream. `egress` is the log. `bodies` adds request and response bodies to it.
    """

    lane: str
    socket: str | None
    token: SecretStr
    upstream: Upstream
    models: tuple[str, ...]
    access: str
    permitted_by: str | None = None
    limits: LaneLimits = Field(default_factory=LaneLimits)
    retry: RetryPolicy = Field(default_factory=RetryPolicy)
    rate: RateLimit = Field(default_factory=RateLimit)
    egress: str
    bodies: bool = False
    record: str | None = None
    replay: str | None = None
    prices: str | None = None
    markers: dict[str, str] = Field(default_factory=dict)


class Ending(Record):
    """Why the requests of a lane stopped being answered; `state` is one of `m4bench.model.outcome`."""

    state: str
    reason: str


class LaneSummary(Record):
    """What a lane has seen when it is closed.

    `last_failure` is set while the most recent model request was not answered well, and None when it was.
    `refused` is the same of a model request that the gateway did not forward. `answers` counts answers of a model.
    `stop_reasons` counts how the model ended its turns (`refusal` and `context` are normalised words).
    `skills_seen` are the markers found, `models_seen` the models asked for,
    `models_answered` the names under which answers came, `hosts` the host:port pairs that
    were connected to.
    """

    usage: Usage
    last_failure: Ending | None = None
    refused: Ending | None = None
    fatal: Ending | None = None
    answers: int = 0
    stop_reasons: dict[str, int] = Field(default_factory=dict)
    skills_seen: tuple[str, ...] = ()
    models_seen: tuple[str, ...] = ()
    models_answered: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    refusals: dict[str, int] = Field(default_factory=dict)
    divergences: int = 0
    recorded: int = 0
    replayed: int = 0
