# SPDX-License-Identifier: MIT
"""How a run ended, from the sandbox's, the gateway's and the tool's words."""

from dataclasses import replace

import pytest

from m4bench.harness.agents.reading import Conclusion
from m4bench.harness.gateway.lane import Ending, LaneSummary
from m4bench.harness.outcome import FINISHED, outcome_of
from m4bench.harness.sandbox.sandbox import Execution
from m4bench.model.usage import Usage

WELL = Execution("exited", None, 0, 3.0, 0.1, "present")
FAILED = replace(WELL, exit_code=1)
NOTHING = replace(WELL, output="missing")
LATE = replace(WELL, state="timeout", reason="longer than 1800 s", exit_code=-9)
HUNG = replace(WELL, state="stopped", reason=FINISHED, exit_code=-15)


def lane(
    last: str | None = None,
    *,
    fatal: str | None = None,
    answered: int = 3,
    failed: int = 0,
    stops: dict[str, int] | None = None,
) -> LaneSummary:
    return LaneSummary(
        usage=Usage(requests=answered + failed, failed=failed),
        answers=answered,
        refused=Ending(state=last, reason="seen by the gateway") if last == "policy" else None,
        last_failure=(
            Ending(state=last, reason="seen by the gateway") if last and last != "policy" else None
        ),
        fatal=Ending(state=fatal, reason="seen by the gateway") if fatal else None,
        stop_reasons=stops or {},
    )


SAYS = Conclusion
CASES: dict[str, tuple[Execution, LaneSummary | None, Conclusion | None, str]] = {
    "a baseline that wrote": (WELL, None, None, "completed"),
    "a baseline that wrote nothing": (NOTHING, None, None, "no-output"),
    "a baseline that failed": (FAILED, None, None, "agent-error"),
    "a tool that ended well": (WELL, lane(), SAYS("completed"), "completed"),
    "exit 0 and nothing": (NOTHING, lane(), SAYS("completed"), "no-output"),
    # exit codes lie: the tool's own words count before its exit code
    "exit 0 with an error told": (WELL, lane(), SAYS("agent-error", "crashed"), "agent-error"),
    "exit 1 with no word": (FAILED, lane(), SAYS(None), "agent-error"),
    # the gateway counts before the tool
    "401 with exit 0": (
        NOTHING, lane("provider-auth", answered=0, failed=1), SAYS("completed"), "provider-auth",
    ),
    "500 for ever": (FAILED, lane(fatal="provider-error", failed=3), SAYS(None), "provider-error"),
    # an agent must not take a bad run back by one request that its provider fails at
    "a single failure after the output was handed in": (
        WELL, lane("provider-error", failed=1), SAYS("completed"), "completed",
    ),
    "a single failure that the tool ends on, with exit 0 and an output": (
        WELL, lane("provider-error", failed=1), SAYS("agent-error", "other side closed"), "provider-error",
    ),
    "a single failure, then out of memory": (
        replace(WELL, state="resources", reason="memory"), lane("provider-rate-limit", failed=1), None,
        "resources",
    ),
    "a model that stays away, whatever lies there": (
        WELL, lane(fatal="provider-error", failed=3), SAYS("completed"), "provider-error",
    ),
    "a tool that would void its own run": (FAILED, lane(), SAYS("infrastructure"), "agent-error"),
    "429 at the end": (FAILED, lane("provider-rate-limit", failed=1), None, "provider-rate-limit"),
    "429, then well": (WELL, lane(failed=1), SAYS("completed"), "completed"),
    "a provider that stays away until the time was over": (
        LATE, lane(fatal="provider-unreachable", failed=3), None, "provider-unreachable",
    ),
    "a single failure as the time was over": (
        LATE, lane("provider-unreachable", failed=1), None, "timeout",
    ),
    "a time-out with a provider that answered": (LATE, lane(), None, "timeout"),
    "a tool that speaks of a provider's failure nobody saw": (
        FAILED, lane(), SAYS("provider-error", "HTTP 500"), "agent-error",
    ),
    "tokens are used up": (FAILED, lane(fatal="gateway-limit", failed=1), None, "gateway-limit"),
    "the context is full": (FAILED, lane("context-overflow", failed=1), None, "context-overflow"),
    # what an agent can bring about by what it sends does not void a run that has begun
    "a malformed request of the agent's own": (
        NOTHING, lane("provider-request", failed=1), None, "no-output",
    ),
    "a model nobody knows, from the start": (
        NOTHING, lane("provider-request", answered=0, failed=1), None, "provider-request",
    ),
    "a refused address after the work was done": (
        WELL, lane("policy", failed=1), SAYS("completed"), "completed",
    ),
    "nothing but refused requests": (NOTHING, lane("policy", answered=0, failed=2), None, "policy"),
    "a refusal without an output": (
        NOTHING, lane(stops={"refusal": 1}), SAYS("completed"), "refused",
    ),
    "a refusal that the tool tells": (NOTHING, lane(), SAYS("refused", "declined"), "refused"),
    "a refusal after the output": (WELL, lane(stops={"refusal": 1}), SAYS("refused"), "completed"),
    "its own limit of turns": (WELL, lane(), SAYS("agent-limit", "40 turns"), "agent-limit"),
    # a tool that has told its last event and hangs has ended as it said
    "told its end and hung": (HUNG, lane(), SAYS("completed"), "completed"),
    "told its end with an error and hung": (HUNG, lane(), SAYS("agent-error"), "agent-error"),
    "told its end without an output and hung": (
        replace(HUNG, output="missing"), lane(), SAYS("completed"), "no-output",
    ),
    "the sandbox failed": (
        replace(WELL, state="infrastructure", reason="no namespaces"), lane(), None, "infrastructure",
    ),
    "out of memory": (replace(WELL, state="resources", reason="memory"), lane(), None, "resources"),
    "ended by a signal": (replace(WELL, exit_code=-11), lane(), None, "agent-error"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_ending_of_a_run(case: str) -> None:
    """The gateway's evidence counts before the tool's word, and the tool's word before its exit code."""
    execution, seen, tool, expected = CASES[case]
    outcome = outcome_of(execution, seen, tool)
    assert outcome.state == expected
    assert outcome.reason or expected == "completed"


def test_an_outcome_says_what_follows_from_it() -> None:
    """The three flags and the version of the rule stand in the record."""
    failed = outcome_of(NOTHING, lane(fatal="provider-error", answered=0, failed=3))
    assert (failed.retry, failed.grade, failed.valid, failed.rule) == (True, False, False, "1")
    well = outcome_of(WELL)
    assert (well.retry, well.grade, well.valid) == (False, True, True)
