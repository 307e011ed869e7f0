# SPDX-License-Identifier: MIT
"""What model requests used: tokens, as the provider counted them, and money, by a dated table of prices."""

from pydantic import Field

from m4bench.model.record import Record


class Tokens(Record):
    """Tokens of one request or many.

    `input` counts all tokens sent, cached ones included; `cached` of them were read from a cache and
    `cache_write` written into one; `output` counts all tokens made, `reasoning` of them unseen.
    """

    input: int = 0
    cached: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0

    @property
    def total(self) -> int:
        """Tokens sent and made."""
        return self.input + self.output

    def __add__(self, other: "Tokens") -> "Tokens":
        """Return the sum, field by field."""
        mine, theirs = self.model_dump(), other.model_dump()
        return Tokens(**{name: mine[name] + theirs[name] for name in mine})


class ModelUsage(Record):
    """What requests to one model used; `uncounted` came back without a count, `cost_usd` is None without a price."""

    model: str
    requests: int
    uncounted: int
    tokens: Tokens
    cost_usd: float | None


class Usage(Record):
    """What a run used, as the gateway counted it.

    `requests` are those the agent made and that reached an upstream (or a recording), `attempts` those sent,
    with the gateway's own retries; `refused` those the gateway did not forward, `failed` those that were
    not answered well. `cost_usd` is None when a model has no price or
    an answer came without a count; `prices` names the table and its date.
    """

    requests: int = 0
    attempts: int = 0
    refused: int = 0
    failed: int = 0
    uncounted: int = 0
    tokens: Tokens = Field(default_factory=Tokens)
    cost_usd: float | None = None
    prices: str | None = None
    models: tuple[ModelUsage, ...] = ()
    bytes_sent: int = 0
    bytes_received: int = 0
