# SPDX-License-Identifier: MIT
"""How a campaign's figures write numbers and names."""

import pytest

from m4bench.analysis.runs import System
from m4bench.report.campaign import writing
from m4bench.report.campaign.figures.naming import (
    breadth,
    cut,
    distinct,
    signed,
    system_labels,
)
from tests.report.campaign.samples import build_run, table


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1357, "+0.136"),
        (-0.0404, "−0.040"),
        (0.0, "0.000"),
        (1e-12, "0.000"),
        (0.0002, "+0.0002"),
        (-0.0002, "−0.0002"),
        (None, "–"),
        (float("nan"), "–"),
    ],
)
def test_a_difference_has_its_sign(value: float | None, text: str) -> None:
    """Only what is 0 within 1e-9 is written as 0; what rounds to it says on which side it lies."""
    assert signed(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(-0.0001, "−0.0001"), (-0.0344, "−0.034"), (1.2, "1.200")]
)
def test_a_bound_has_no_plus(value: float, text: str) -> None:
    """Bounds of an interval are plain numbers."""
    assert writing.bound(value) == text


def test_names_cut_alike_are_numbered() -> None:
    """No two names have one label, and none is longer than it may be."""
    names = [f"{'x' * 30}{n}{'y' * 30}" for n in range(12)]
    labels = distinct(names)
    assert len(set(labels.values())) == 12
    assert max(map(len, labels.values())) <= 41
    assert cut("short") == "short"
    assert breadth("ab名") == 4


@pytest.mark.parametrize(
    ("systems", "labels"),
    [
        ([System("codex", "m", "medium")], ["m"]),
        ([System("codex", "m", "high"), System("codex", "m", "low")], ["m · high", "m · low"]),
        ([System("claude", "m", ""), System("codex", "m", "")], ["claude · m", "codex · m"]),
        ([System("reference", "", ""), System("reference", "n", "")], ["reference", "n"]),
    ],
)
def test_a_system_is_called_by_what_sets_it_apart(systems: list[System], labels: list[str]) -> None:
    """The model always, agent and effort where systems differ in them; the whole name where nothing is left."""
    runs = table([build_run(system=system) for system in systems])
    assert [system_labels(runs)[str(system)] for system in systems] == labels
