# SPDX-License-Identifier: MIT
"""The states in which a run can end, as a report speaks of them. Knows no run."""

COMPLETED = "completed"
INFRASTRUCTURE = "infrastructure"
UNSCORED = "unscored"

FAILURES = {
    "no-output": "wrote no output",
    "agent-error": "ended with an error",
    "timeout": "ran out of time",
    "resources": "ran out of memory, disk or processes",
}
UNMEASURED = {
    INFRASTRUCTURE: "could not be measured",
    UNSCORED: "has an output that could not be scored",
}
STATES = FAILURES | UNMEASURED
