# SPDX-License-Identifier: MIT
"""The table of outcomes: what each state says is consistent, and nothing is silently a zero or silently dropped."""

import pytest

from m4bench.model.outcome import OUTCOMES, OutcomeRule, rule_of


@pytest.mark.parametrize("rule", OUTCOMES, ids=lambda rule: rule.state)
def test_a_state_says_whose_doing_it_is_and_counts_accordingly(rule: OutcomeRule) -> None:
    """What the agent did counts, what others did does not; only what does not count is run again."""
    assert rule.valid == (rule.blame == "agent")
    assert not (rule.valid and rule.retry)
    assert rule.meaning
    assert rule_of(rule.state) is rule


def test_each_state_is_declared_once() -> None:
    """A state has one rule."""
    states = [rule.state for rule in OUTCOMES]
    assert len(states) == len(set(states))


def test_states_of_a_suite_come_first_and_unknown_ones_are_the_agents() -> None:
    """A suite may say otherwise of a state; one that nobody declared counts, so that none vanishes."""
    own = OutcomeRule("abandoned", False, True, True, "agent", "left the portal")
    assert rule_of("abandoned", [own]) is own
    unknown = rule_of("abandoned")
    assert (unknown.valid, unknown.retry, unknown.grade) == (True, False, False)
