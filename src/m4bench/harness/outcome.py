# SPDX-License-Identifier: MIT
"""Says how a run ended, from three witnesses: the sandbox, the gateway, and the tool's own word, in this order.

A tool's exit code and words lie; what the gateway saw does not. An agent must not be able to take a bad run
back: a failure that its own requests can bring about counts against it once its model has answered it; a single
failure of the provider's at the end voids neither a run that was handed in (exit code 0 and an output) nor one that
used up its time or means. Only a model that stays away (`LaneSummary.fatal`) does.
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
    closed = _not_provoked(lane, lane.fatal) if lane is not None else None
    if closed is not None:
        return closed.state, closed.reason
    if execution.state in BEFORE_THE_GATEWAY:
        return execution.state, execution.reason
    content = tool is None or tool.state in (None, "completed", "refused")
    handed_in = content and execution.exit_code == 0 and execution.output == "present"
    last = _not_provoked(lane, lane.last_failure or lane.refused) if lane is not None else None
    if last is not None and not handed_in:
        return last.state, last.reason
    finished = execution.state == "stopped" and execution.reason == FINISHED
    if execution.state == "stopped" and not finished:
        return "agent-error", execution.reason
    return _of_the_tool(execution, lane, tool or Conclusion(None), finished)


def _not_provoked(lane: LaneSummary, ending: Ending | None) -> Ending | None:
    """Return what ended the requests of a run, None where the agent could have brought it about by what it sent."""
    if ending is None or (ending.state in PROVOKED and lane.answers > 0):
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
        # a tool's word never voids its run: of a failure that is not its own the gateway would know
        state = tool.state if rule_of(tool.state).valid else "agent-error"
        return state, tool.reason or "the tool says that it failed"
    code = execution.exit_code
    if code and not finished:
        how = f"exit code {code}" if code > 0 else f"ended by signal {-code}"
        return "agent-error", execution.reason or how
    if present:
        return "completed", execution.reason if not finished else None
    return "no-output", f"the output is {execution.output}"
