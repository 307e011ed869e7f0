# SPDX-License-Identifier: MIT
"""Where reward was lost: shares that follow from the counts of a score and add up to 1."""

import pytest

from m4bench.report import losses
from m4bench.report.summary import summarise
from tests.report.records import build_run, build_score, build_study


def test_the_shares_of_a_run_follow_from_its_counts() -> None:
    """100 reference keys, 90 answered, 20 extra: of 120 rows 60 and 72 match, 10 are missing, 20 in excess."""
    score = build_score(
        "mimic-sofa-24h", {"a": 60 / 120, "b": 72 / 120}, reference=100, matched=90, extra=20
    )
    found = losses.of_run(build_run(score=score))
    assert found.matched == pytest.approx((60 + 72) / 240) == pytest.approx(score.reward)
    assert found.values == pytest.approx((30 + 18) / 240)
    assert found.missing == pytest.approx(10 / 120)
    assert found.excess == pytest.approx(20 / 120)
    assert found.nothing == 0


def test_an_output_that_could_not_be_compared_lost_everything_to_that() -> None:
    """A time-out is no matter of rows."""
    assert losses.of_run(build_run(state="timeout", reason="x")) == losses.Losses(nothing=1.0)


def test_the_shares_of_every_arm_add_up_to_one() -> None:
    """Reward and losses of an agent over its tasks are the whole, and the reward is that of the summary."""
    summary = summarise(build_study())
    for arm in summary.arms:
        found = losses.of_arm(arm)
        assert found is not None
        assert sum(getattr(found, name) for name in losses.SHARES) == pytest.approx(1)
        assert found.matched == pytest.approx(arm.reward)


def test_without_a_measurement_there_is_no_loss() -> None:
    """An infrastructure failure is neither matched nor lost."""
    summary = summarise([build_run(state="infrastructure", reason="x")])
    assert losses.of_arm(summary.arms[0]) is None
