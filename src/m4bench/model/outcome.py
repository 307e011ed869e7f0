# SPDX-License-Identifier: MIT
"""What may happen to a run, and for each whether it is run again, graded, and counted. Knows no run."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Blame = Literal["agent", "provider", "user", "machine"]

DENOMINATOR_RULE = (
    "a run in a valid state counts, at 0 when nothing of it is graded; any other is no measurement, never a 0, "
    "listed apart and still owed"
)
RULE_VERSION = "1"
COMPLETED, INFRASTRUCTURE, UNSCORED = "completed", "infrastructure", "unscored"


@dataclass(frozen=True)
class OutcomeRule:
    """What one state of an outcome means.

    `retry`: running the same again may give a measurement. `grade`: what the agent left is compared with the
    reference. `valid`: the reward, 0 when not graded, counts in the denominator. `blame`: whose doing it is.
    """

    state: str
    retry: bool
    grade: bool
    valid: bool
    blame: Blame
    meaning: str


OUTCOMES: tuple[OutcomeRule, ...] = (
    OutcomeRule("completed", False, True, True, "agent", "ended by itself and left an output"),
    OutcomeRule("no-output", False, False, True, "agent", "ended by itself and left no output"),
    OutcomeRule("refused", False, False, True, "agent", "the model declined to go on; no output"),
    OutcomeRule(
        "context-overflow", False, False, True, "agent", "asked for more than the model's context"
    ),
    OutcomeRule(
        "agent-limit",
        False,
        False,
        True,
        "agent",
        "reached a limit of the agent's own, as of turns",
    ),
    OutcomeRule("agent-error", False, False, True, "agent", "the agent's program failed"),
    OutcomeRule("timeout", False, False, True, "agent", "did not end in its time"),
    OutcomeRule(
        "resources", False, False, True, "agent", "used more memory, disk or processes than it may"
    ),
    OutcomeRule(
        "gateway-limit",
        False,
        False,
        True,
        "agent",
        "used more requests, tokens or money than it may",
    ),
    OutcomeRule(
        "provider-auth", False, False, False, "user", "the provider refused the key (401, 403)"
    ),
    OutcomeRule(
        "provider-quota", False, False, False, "user", "the account has nothing left (402, quota)"
    ),
    OutcomeRule(
        "provider-request",
        False,
        False,
        False,
        "user",
        "the provider knows no such model or request (400, 404)",
    ),
    OutcomeRule(
        "provider-rate-limit",
        True,
        False,
        False,
        "provider",
        "too many requests (429), after all retries",
    ),
    OutcomeRule(
        "provider-error", True, False, False, "provider", "5xx or a cut answer, after all retries"
    ),
    OutcomeRule(
        "provider-unreachable", True, False, False, "provider", "no connection, after all retries"
    ),
    OutcomeRule(
        "policy",
        False,
        False,
        False,
        "user",
        "the gateway refused what the agent asks for, and no model ever answered",
    ),
    OutcomeRule(
        "replay-mismatch", False, False, False, "user", "asked for what the recording does not hold"
    ),
    OutcomeRule(
        "infrastructure", True, False, False, "machine", "the sandbox or the gateway failed"
    ),
    OutcomeRule(
        "unscored", False, True, False, "machine", "left an output that could not be scored yet"
    ),
)
_BY_STATE = {rule.state: rule for rule in OUTCOMES}


def rule_of(state: str, own: Iterable[OutcomeRule] = ()) -> OutcomeRule:
    """Return the rule of a state; a suite's `own` rules come first, and a state nobody declared is the agent's failure.

    Args:
        state: as in `Outcome.state`.
        own: a suite's rules.
    """
    for rule in own:
        if rule.state == state:
            return rule
    return _BY_STATE.get(state) or OutcomeRule(
        state, False, False, True, "agent", "a state of its own"
    )
