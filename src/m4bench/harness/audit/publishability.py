# SPDX-License-Identifier: MIT
"""Says whether a run may enter analysis and what speaks against it; it does not say whether it is right."""

from m4bench.harness.agents.agent import Agent
from m4bench.harness.sandbox.sandbox import Sandbox
from m4bench.model.outcome import INFRASTRUCTURE, UNSCORED, rule_of
from m4bench.model.run import ModelFacts, Outcome, Publishability

# The ends of the scale and a point between; a suite of any kind has them, and what they earn is no one's work.
BASELINES = frozenset({"reference", "naive", "empty"})
BASELINE = "a baseline is no measured agent"


def is_baseline(agent: str, model: str) -> bool:
    """Tell whether an agent is one of the benchmark's own baselines, which have no model."""
    return agent in BASELINES and not model


def not_measured(agent: str) -> str:
    """Return the reason of an agent that is only there to be compared with."""
    return BASELINE if agent in BASELINES else f"the agent {agent} is not one to be measured"


def as_baseline(agent: str, judged: Publishability) -> Publishability:
    """Return what was judged of a run, with a baseline's as one that may not be published.

    Records of versions that took `naive` and `empty` for agents like any other then stand aside like new ones.
    """
    if agent not in BASELINES:
        return judged
    own = {BASELINE, f"the agent {agent} is not one to be measured"}
    others = tuple(reason for reason in judged.reasons if reason not in own)
    return Publishability(publishable=False, reasons=(BASELINE, *others))


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
