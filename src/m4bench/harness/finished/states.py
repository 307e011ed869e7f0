# SPDX-License-Identifier: MIT
"""The states in which a run can end, as a report speaks of them. Knows no mean."""

from m4bench.model.outcome import COMPLETED, INFRASTRUCTURE, OUTCOMES, UNSCORED, rule_of
from m4bench.model.run import Outcome

__all__ = [
    "COMPLETED",
    "FAILURES",
    "INFRASTRUCTURE",
    "STATES",
    "UNMEASURED",
    "UNSCORED",
    "in_short",
    "may_pass",
    "with_reason",
]

AGENT_LIMIT = "agent-limit"
_WORDS = {
    "no-output": "wrote no output",
    "agent-error": "ended with an error",
    AGENT_LIMIT: "reached a limit of its own",
    "timeout": "ran out of time",
    "resources": "ran out of memory, disk or processes",
    INFRASTRUCTURE: "could not be measured",
    UNSCORED: "has an output that could not be scored",
}

FAILURES = {
    rule.state: _WORDS.get(rule.state, rule.meaning)
    for rule in OUTCOMES
    if rule.valid and not rule.grade
}
UNMEASURED = {
    rule.state: _WORDS.get(rule.state, rule.meaning) for rule in OUTCOMES if not rule.valid
}
STATES = FAILURES | UNMEASURED


def with_reason(outcome: Outcome) -> str:
    """Return how a run ended, with the reason its record gives."""
    words = STATES.get(outcome.state, outcome.state)
    return f"{words}: {outcome.reason}" if outcome.reason else words


def in_short(outcome: Outcome) -> str:
    """Return how a run ended in a few words; of an agent's own limit only the reason says which it was."""
    if outcome.state == AGENT_LIMIT:
        return with_reason(outcome)
    return STATES.get(outcome.state, outcome.state)


def may_pass(outcome: Outcome) -> bool:
    """Tell whether running the same again may give a measurement, as the record says or else the table of outcomes.

    Where not, whoever runs it has something to mend first.
    """
    if outcome.retry is not None:
        return outcome.retry
    rule = rule_of(outcome.state)
    return rule.retry or rule.blame != "user"
