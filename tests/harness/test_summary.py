# SPDX-License-Identifier: MIT
"""The one line about a run says why nothing was earned."""

import pytest

from m4bench.harness.summary import spent, why_nothing
from m4bench.model.score import Check, ColumnScore, KeyScore, Score, StrictResult
from m4bench.model.usage import Tokens, Usage


def score(
    *, present: bool, output: int, matched: int, reward: float, checks: tuple[Check, ...]
) -> Score:
    """A score of one column over two reference rows."""
    column = ColumnScore(
        match_rate=reward, matched=0, total=2, kind="numeric", tolerance=0.0, present=present,
        mismatched=0, unreadable=0, missing_rows=2 - matched,
    )  # fmt: skip
    keys = KeyScore(
        reference=2, output=output, matched=matched, missing=2 - matched, extra=output - matched,
        duplicate=0, unreadable=0, precision=0.0, recall=0.0, f1=0.0,
    )  # fmt: skip
    return Score(
        task="t", dataset="d", convention="published", reward=reward, columns={"sofa": column},
        keys=keys, ordered_nmae=None, strict=StrictResult(passed=False, checks=checks),
    )  # fmt: skip


PASSED = Check(name="row coverage", passed=True, value=1.0, threshold=0.99)
FAILED = Check(name="accuracy of sofa", passed=False, value=0.25, threshold=0.9)
CASES = {
    "something earned": (score(present=True, output=2, matched=2, reward=0.5, checks=(FAILED,)), None),
    "no column": (
        score(present=False, output=2, matched=2, reward=0.0, checks=()), "no scored column is present",
    ),
    "no row": (score(present=True, output=0, matched=0, reward=0.0, checks=()), "the output has no row"),
    "no key": (
        score(present=True, output=2, matched=0, reward=0.0, checks=()),
        "no key of the output is one of the reference's",
    ),
    "a check": (
        score(present=True, output=2, matched=2, reward=0.0, checks=(PASSED, FAILED)),
        "accuracy of sofa is 0.25, needs 0.9",
    ),
    "no value": (score(present=True, output=2, matched=2, reward=0.0, checks=()), "no value matches"),
}  # fmt: skip


@pytest.mark.parametrize(("given", "why"), CASES.values(), ids=CASES)
def test_a_reward_of_nothing_has_a_reason(given: Score, why: str | None) -> None:
    """The first thing that holds, from the coarsest to the finest."""
    assert why_nothing(given) == why


@pytest.mark.parametrize(
    ("usage", "words"),
    [
        (
            Usage(requests=3, tokens=Tokens(input=1200, output=34), cost_usd=0.01234, prices="t 1"),
            ["3 model requests", "1,234 tokens", "0.0123 US dollars by t 1"],
        ),
        (
            Usage(requests=2, uncounted=1, tokens=Tokens(input=10)),
            ["2 model requests", "10 tokens", "1 answers without a count of tokens"],
        ),
    ],
)
def test_what_a_run_used_is_told_with_what_nobody_knows(usage: Usage, words: list[str]) -> None:
    """A cost is told only where there is one."""
    assert spent(usage) == words
