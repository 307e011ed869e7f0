# SPDX-License-Identifier: MIT
"""The states in which a run can end, as a report speaks of them. Knows no run."""

from m4bench.model.outcome import COMPLETED, INFRASTRUCTURE, OUTCOMES, UNSCORED

__all__ = ["COMPLETED", "FAILURES", "INFRASTRUCTURE", "STATES", "UNMEASURED", "UNSCORED"]

_WORDS = {
    "no-output": "wrote no output",
    "agent-error": "ended with an error",
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
