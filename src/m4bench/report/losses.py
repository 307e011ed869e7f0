# SPDX-License-Identifier: MIT
"""Where reward was lost: to wrong values, missing rows, rows in excess, or to having nothing to compare.

A column's match rate is matched rows / (reference rows + extra keys + duplicate keys), and every row of
the reference is matched, or answered with another value, or missing; so the four losses and the reward
of a run add up to 1. Knows no page.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from m4bench.model.run import RunRecord
from m4bench.report.summary import ArmSummary, Cell


@dataclass(frozen=True)
class Losses:
    """Shares of 1: the reward, and what is missing from it."""

    matched: float = 0.0
    values: float = 0.0
    missing: float = 0.0
    excess: float = 0.0
    nothing: float = 0.0

    @classmethod
    def mean(cls, parts: Iterable["Losses"]) -> "Losses | None":
        """Return the mean of each share, or None of nothing."""
        found = list(parts)
        if not found:
            return None
        return cls(*(fmean(getattr(part, name) for part in found) for name in SHARES))


SHARES = ("matched", "values", "missing", "excess", "nothing")


def of_run(run: RunRecord) -> Losses:
    """Return the shares of a measured run; a run whose output could not be compared has lost all to that."""
    score = run.score
    if score is None or score.error is not None or not score.columns:
        return Losses(nothing=1.0)
    columns = score.columns.values()
    excess = score.keys.extra + score.keys.duplicate

    def share(counts: Sequence[int]) -> float:
        return fmean(count / column.total for count, column in zip(counts, columns, strict=True))

    return Losses(
        matched=share([column.matched for column in columns]),
        values=share([column.mismatched for column in columns]),
        missing=share([column.missing_rows for column in columns]),
        excess=share([excess for _ in columns]),
    )


def of_cell(cell: Cell) -> Losses | None:
    """Return the mean shares of a cell's entering runs, or None without a measurement."""
    return Losses.mean(of_run(run) for run in cell.entering)


def of_arm(arm: ArmSummary) -> Losses | None:
    """Return the mean shares over an arm's tasks, each task equal."""
    found = (of_cell(cell) for cell in arm.cells)
    return Losses.mean(losses for losses in found if losses is not None)
