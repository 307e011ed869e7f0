# SPDX-License-Identifier: MIT
"""Counts what a lane uses, and tells when it has used enough or failed too often. Knows no socket."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol

from m4bench.harness.gateway.lane import Ending, LaneConfig, LaneSummary
from m4bench.harness.gateway.protocols.protocol import Answered, RequestKind
from m4bench.model.legible import legible
from m4bench.model.usage import ModelUsage, Tokens, Usage

# An answer without a count is taken to have one token in so many bytes, towards the limits only.
BYTES_A_TOKEN = 4
FAILURES_IN_A_ROW = 3
REFUSED_KEYS = 2
# Requests that name no model, as for the list of models.
NO_MODEL = ""
# A hostile server may answer under a new name each time.
MOST_NAMES = 1000
Noted = Literal["models", "answered", "skills", "hosts"]


class Priced(Protocol):
    """A table of prices."""

    @property
    def name(self) -> str:
        """Which table, and of which day; empty where nothing has a price."""

    def cost(self, model: str, tokens: Tokens) -> float | None:
        """Return dollars, or None when the model has no price."""


@dataclass(frozen=True)
class Traffic:
    """Bytes of bodies that an attempt sent and received."""

    sent: int
    received: int

    @property
    def estimate(self) -> Tokens:
        """About as many tokens as the bytes are likely to be."""
        return Tokens(input=self.sent // BYTES_A_TOKEN, output=self.received // BYTES_A_TOKEN)


@dataclass
class _Model:
    requests: int = 0
    uncounted: int = 0
    tokens: Tokens = field(default_factory=Tokens)
    cost: float | None = 0.0


class Meter:
    """One lane's counts, limits and endings.

    `fatal` is set once, by `end`, which calls `on_fatal`.
    """

    def __init__(
        self, config: LaneConfig, prices: Priced, on_fatal: Callable[[Ending], None]
    ) -> None:
        self._config = config
        self._prices = prices
        self._on_fatal = on_fatal
        self.fatal: Ending | None = None
        self._last_failure: Ending | None = None
        self._refused: Ending | None = None
        self._answers = 0
        self._failures = self._refused_keys = 0
        self._models: dict[str, _Model] = {}
        self._requests = self._attempts = self._failed = self._sent = self._received = 0
        self._estimated = Tokens()
        self._estimated_cost = 0.0
        self._reserved = 0
        self._reserved_cost = 0.0
        self._stops: Counter[str] = Counter()
        self._refusals: Counter[str] = Counter()
        self._seen: dict[Noted, dict[str, None]] = {
            "models": {},
            "answered": {},
            "skills": {},
            "hosts": {},
        }
        self.divergences = self.recorded = self.replayed = 0

    @property
    def tokens(self) -> int:
        """Tokens that count towards the limit, estimates among them."""
        return sum((m.tokens.total for m in self._models.values()), self._estimated.total)

    @property
    def cost(self) -> float:
        """Dollars that count towards the limit: those of models with a price, estimates among them."""
        return sum((m.cost or 0.0 for m in self._models.values()), self._estimated_cost)

    def reserve(self, model: str | None, tokens: Tokens) -> None:
        """Set aside what a request is likely to use, until `release`."""
        self._reserved += tokens.total
        self._reserved_cost += self._prices.cost(model or NO_MODEL, tokens) or 0.0

    def release(self, model: str | None, tokens: Tokens) -> None:
        """Give back what was set aside for a request."""
        self._reserved -= tokens.total
        self._reserved_cost -= self._prices.cost(model or NO_MODEL, tokens) or 0.0

    def reached(self, *, begun: bool = False, likely: bool = False) -> str | None:
        """Return which limit leaves no room for a request.

        Args:
            begun: for one that was counted already.
            likely: whether what is set aside for requests under way counts, too.
        """
        limits = self._config.limits
        tokens = self.tokens + (self._reserved if likely else 0)
        cost = self.cost + (self._reserved_cost if likely else 0.0)
        if not begun and limits.requests is not None and self._requests >= limits.requests:
            return f"{limits.requests} requests"
        if limits.tokens is not None and tokens >= limits.tokens:
            return f"{limits.tokens} tokens"
        if limits.cost_usd is not None and cost >= limits.cost_usd:
            return f"{limits.cost_usd:g} US dollars"
        return None

    def refused(self, reason: str, ending: Ending | None) -> None:
        """Count a request that is not forwarded; `ending` is what it means for the run, None when it asked no model."""
        self._refusals[reason] += 1
        self._refused = ending or self._refused

    def begun(self, model: str | None) -> None:
        """Count a request that is forwarded."""
        self._requests += 1
        self._model(model).requests += 1

    def saw(self, what: Noted, name: str) -> None:
        """Note a model asked for, a model that says it answered, a skill shown, or a host connected to."""
        if len(self._seen[what]) < MOST_NAMES:
            self._seen[what][name] = None

    def has_seen(self, what: Noted, name: str) -> bool:
        """Tell whether it was noted."""
        return name in self._seen[what]

    def sent(self, traffic: Traffic) -> None:
        """Count an attempt that has ended."""
        self._attempts += 1
        self._sent += traffic.sent
        self._received += traffic.received

    def count(self, model: str | None, tokens: Tokens | None, traffic: Traffic) -> None:
        """Count the tokens of a model's answer; None when it told none."""
        name = model or NO_MODEL
        counted = self._model(name)
        if tokens is None:
            counted.uncounted += 1
            self._estimated += traffic.estimate
            self._estimated_cost += self._prices.cost(name, traffic.estimate) or 0.0
            return
        counted.tokens += tokens
        cost = self._prices.cost(name, tokens)
        counted.cost = None if cost is None or counted.cost is None else counted.cost + cost

    def answered(self, answered: Answered | None) -> None:
        """Note that a request was answered well; None for one that was not to a model."""
        if answered is None:
            return
        self._last_failure = self._refused = None
        self._failures = 0
        self._answers += 1
        if answered.model:
            self.saw("answered", legible(answered.model))
        if answered.stop:
            self._stops[answered.stop] += 1

    def abandoned(self) -> None:
        """Note that the client went away from a request: nobody's answer was at fault."""
        self._failed += 1

    def failed(self, ending: Ending, kind: RequestKind) -> None:
        """Note that a request was not answered well, after all retries; enough of them end the lane."""
        self._failed += 1
        if kind != "model":
            return
        self._last_failure = ending
        if not ending.state.startswith("provider-"):
            self._failures = 0
            return
        self._failures += 1
        self._refused_keys += ending.state == "provider-auth"
        # nobody there from the start: waiting would tell nothing more
        absent = ending.state == "provider-unreachable" and not self._answers
        locked = ending.state == "provider-auth" and self._refused_keys >= REFUSED_KEYS
        if absent or locked or self._failures >= FAILURES_IN_A_ROW:
            self.end(ending)

    def end(self, ending: Ending) -> None:
        """Answer nothing more, and tell the harness why; the first reason stays."""
        if self.fatal is None:
            self.fatal = ending
            self._on_fatal(ending)

    def summary(self) -> LaneSummary:
        """Return all counts."""
        return LaneSummary(
            usage=self._usage(),
            last_failure=self._last_failure,
            refused=self._refused,
            fatal=self.fatal,
            answers=self._answers,
            stop_reasons=dict(self._stops),
            skills_seen=tuple(self._seen["skills"]),
            models_seen=tuple(self._seen["models"]),
            models_answered=tuple(self._seen["answered"]),
            hosts=tuple(self._seen["hosts"]),
            refusals=dict(self._refusals),
            divergences=self.divergences,
            recorded=self.recorded,
            replayed=self.replayed,
        )

    def _usage(self) -> Usage:
        used = {name: model for name, model in self._models.items() if name != NO_MODEL}
        # what was not counted cost something too: without a count there is no sum
        told = {name: None if model.uncounted else model.cost for name, model in used.items()}
        costs = list(told.values())
        return Usage(
            requests=self._requests,
            attempts=self._attempts,
            refused=self._refusals.total(),
            failed=self._failed,
            uncounted=sum(model.uncounted for model in used.values()),
            tokens=sum((model.tokens for model in used.values()), Tokens()),
            cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
            prices=self._prices.name or None,
            models=tuple(
                ModelUsage(
                    model=name,
                    requests=model.requests,
                    uncounted=model.uncounted,
                    tokens=model.tokens,
                    cost_usd=told[name],
                )
                for name, model in used.items()
            ),
            bytes_sent=self._sent,
            bytes_received=self._received,
        )

    def _model(self, name: str | None) -> _Model:
        return self._models.setdefault(name or NO_MODEL, _Model())
