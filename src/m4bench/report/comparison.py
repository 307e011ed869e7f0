# SPDX-License-Identifier: MIT
"""Means that can be held against one another: over the same tasks, on the same data. Knows no page.

A mean over easy tasks says nothing beside one over hard tasks, nor does a mean on one hospital beside one on
another; what arms are compared in is therefore only what all of them were measured in.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from m4bench.report.arms import Arm
from m4bench.report.summary import ArmSummary, Question


@dataclass(frozen=True)
class Comparison:
    """Mean rewards of some arms over `questions`; `partial` where an arm was measured in others besides."""

    questions: frozenset[Question]
    means: tuple[tuple[float, ArmSummary], ...]
    partial: bool

    def runs(self, arm: ArmSummary) -> tuple[int, int]:
        """Return how many runs of an arm stand behind its mean here, and how many of them pass strictly."""
        cells = [cell for cell in arm.cells if cell.question in self.questions]
        return sum(len(cell.entering) for cell in cells), sum(cell.strict_passes for cell in cells)


def among_agents(arms: Sequence[ArmSummary]) -> Comparison | None:
    """Compare arms with one another; None where the data differ or no task is common to all."""
    if len({_setting(arm.arm) for arm in arms}) != 1:
        return None
    return _compared(arms)


def against_naive(arm: ArmSummary, naive: Sequence[ArmSummary]) -> Comparison | None:
    """Compare an arm with the naive one in its setting, its own condition before another; None without one."""
    alike = [other for other in naive if _setting(other.arm) == _setting(arm.arm)]
    alike.sort(
        key=lambda other: (
            other.arm.condition != arm.arm.condition,
            other.arm.drops != arm.arm.drops,
            other.arm.sandbox != arm.arm.sandbox,
        )
    )
    found = (_compared([arm, other]) for other in alike)
    return next((comparison for comparison in found if comparison is not None), None)


def _setting(arm: Arm) -> tuple[str, ...]:
    return (arm.dataset, arm.dataset_hash, arm.schema, arm.convention)


def _measured(arm: ArmSummary) -> frozenset[Question]:
    return frozenset(cell.question for cell in arm.cells if cell.reward is not None)


def _compared(arms: Sequence[ArmSummary]) -> Comparison | None:
    measured = [_measured(arm) for arm in arms]
    common = frozenset.intersection(*measured)
    if not common:
        return None
    means = tuple(
        (
            fmean(
                cell.reward
                for cell in arm.cells
                if cell.question in common and cell.reward is not None
            ),
            arm,
        )
        for arm in arms
    )
    return Comparison(common, means, partial=any(found != common for found in measured))
