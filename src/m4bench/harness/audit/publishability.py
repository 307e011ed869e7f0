# SPDX-License-Identifier: MIT
"""Says whether a run may enter analysis and what speaks against it; it does not say whether it is right."""

from m4bench.harness.agents.agent import Agent
from m4bench.harness.sandbox.sandbox import Sandbox
from m4bench.model.outcome import INFRASTRUCTURE, UNSCORED, rule_of
from m4bench.model.run import ModelFacts, Outcome, Publishability


def not_measured(agent: str) -> str:
    """Return the reason of an agent that is only there to be compared with."""
    return f"the agent {agent} is not one to be measured"


def judge(
    sandbox: Sandbox,
    agent: Agent,
    outcome: Outcome,
    *,
    modified: bool,
    model: ModelFacts | None = None,
) -> Publishability:
    """Return whether a run is publishable.

    Args:
        sandbox: where it ran.
        agent: what ran.
        outcome: how it ended; only a state that is no measurement, or that it could not be scored, speaks against it.
        modified: whether the data set departs from its release.
        model: what the gateway saw, when the agent had a model.
    """
    against = {
        f"no isolation (sandbox {sandbox.name})": not sandbox.isolated,
        not_measured(agent.name): not agent.publishable,
        "the data set is not as released": modified,
        "the infrastructure failed": outcome.state == INFRASTRUCTURE,
        f"it is no measurement ({outcome.state})": outcome.state not in (INFRASTRUCTURE, UNSCORED)
        and not rule_of(outcome.state).valid,
        "it could not be scored": outcome.state == UNSCORED,
        "its model's answers came from a recording": model is not None and model.replayed > 0,
    }
    reasons = tuple(reason for reason, holds in against.items() if holds)
    return Publishability(publishable=not reasons, reasons=reasons)
