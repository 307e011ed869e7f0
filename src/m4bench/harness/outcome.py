# SPDX-License-Identifier: MIT
"""Says how a run ended, from three witnesses: the sandbox, the gateway, and the tool's own word, in this order.

A tool's exit code and words lie; what the gateway saw does not. An agent must not be able to take a bad run
back, so a failure that its own requests can bring about counts against it once its model has answered it.
"""

from m4bench.harness.agents.reading import Conclusion
from m4bench.harness.gateway.lane import Ending, LaneSummary
from m4bench.harness.sandbox.sandbox import Execution
from m4bench.model.outcome import INFRASTRUCTURE, RULE_VERSION, rule_of
from m4bench.model.run import Outcome

# The tool had told its last event and did not exit: how it ended is what it said.
FINISHED = "finished"
# Failures that an agent can provoke by what it sends: the user's doing only while nothing was ever answered.
PROVOKED = ("provider-request", "policy")
BEFORE_THE_GATEWAY = ("timeout", "resources", "agent-error")


def outcome_of(
    execution: Execution, lane: LaneSummary | None = None, tool: Conclusion | None = None
) -> Outcome:
    """Return how a run ended.

    Args:
        execution: how the sandbox ended.
        lane: what the gateway saw, when there was one.
        tool: how the tool says it ended, when it says anything.
    """
    state, reason = _ending(execution, lane, tool)
    return told(
        Outcome(
            state=state,
            reason=reason,
            exit_code=execution.exit_code,
            seconds=execution.seconds,
        )
    )


def at_endpoint(outcome: Outcome, place: str) -> Outcome:
    """Return an outcome that is a provider's with the endpoint it is about, by the name a record may say."""
    if not outcome.state.startswith("provider-"):
        return outcome
    return outcome.model_copy(update={"reason": f"{outcome.reason}; endpoint {place}"})


def told(outcome: Outcome) -> Outcome:
    """Return an outcome with what the table of outcomes says of its state."""
    rule = rule_of(outcome.state)
    flags = {
        "retry": rule.retry,
        "grade": rule.grade,
        "valid": rule.valid,
        "rule": RULE_VERSION,
    }
    return outcome.model_copy(update=flags)


def _ending(
    execution: Execution, lane: LaneSummary | None, tool: Conclusion | None
) -> tuple[str, str | None]:
    if execution.state == INFRASTRUCTURE:
        return INFRASTRUCTURE, execution.reason
    seen = _of_the_gateway(lane)
    if seen is not None:
        return seen.state, seen.reason
    if execution.state in BEFORE_THE_GATEWAY:
        return execution.state, execution.reason
    finished = execution.state == "stopped" and execution.reason == FINISHED
    if execution.state == "stopped" and not finished:
        return "agent-error", execution.reason
    return _of_the_tool(execution, lane, tool or Conclusion(None), finished)


def _of_the_gateway(lane: LaneSummary | None) -> Ending | None:
    """Return what ended the requests of a run, unless the agent could have brought it about."""
    if lane is None:
        return None
    ending = lane.fatal or lane.last_failure
    answered = lane.usage.requests > lane.usage.failed
    if ending is None or (ending.state in PROVOKED and answered):
        return None
    return ending


def _of_the_tool(
    execution: Execution, lane: LaneSummary | None, tool: Conclusion, finished: bool
) -> tuple[str, str | None]:
    present = execution.output == "present"
    refused = tool.state == "refused" or (lane is not None and "refusal" in lane.stop_reasons)
    if refused and not present:
        return "refused", tool.reason or "the model declined to go on"
    if tool.state not in (None, "completed", "refused"):
        # the gateway saw no failure of a provider's, so such a word of the tool's is the tool's own failure
        state = "agent-error" if tool.state.startswith("provider-") else tool.state
        return state, tool.reason or "the tool says that it failed"
    code = execution.exit_code
    if code and not finished:
        how = f"exit code {code}" if code > 0 else f"ended by signal {-code}"
        return "agent-error", execution.reason or how
    if present:
        return "completed", execution.reason if not finished else None
    return "no-output", f"the output is {execution.output}"
