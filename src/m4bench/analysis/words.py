# SPDX-License-Identifier: MIT
"""Counts, lists and numbers as English says them. Knows of no subject but the measures' names."""

from collections.abc import Sequence

from m4bench.model.analysis import AnalysisPlan

SECONDARY = {"strict": "strict passes", "key_f1": "key F1", "ordered_nmae": "ordered nMAE"}
"""Measures beside the reward."""
DETECTABLE = "the smallest true delta that would be found with a power of 80 % by Student's t test, before correction"
"""What `detectable` is of a difference."""
DETECTABLE_MARGIN = (
    "the smallest margin that would be shown with a power of 80 % by its own t test, before correction, if there "
    "were no difference"
)
"""What `detectable` is of a claim of non-inferiority or equivalence."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: `1 run`, `1,210 runs`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def joined(parts: Sequence[str]) -> str:
    """Return parts as a list in a sentence: `a`, `a and b`, `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def decimal(value: float) -> str:
    """Return a number without what rounding left behind and without trailing zeros."""
    return f"{value:.10f}".rstrip("0").rstrip(".")


def in_setting(setting: str) -> str:
    """Return what is put after a contrast's name where there are several settings."""
    return f" ({setting})" if setting else ""


def minus(treatment: str, control: str) -> str:
    """Return a contrast as a reader is told it, by the labels of its sides."""
    return f"{treatment} − {control}"


def each_equal(plan: AnalysisPlan) -> str:
    """Say what has equal weight in a mean: `each task equal`, or families."""
    return "each task equal" if plan.weighting == "task" else "each family equal"


def what_is_averaged(plan: AnalysisPlan) -> str:
    """Say over what a mean is: `tasks`, or the means of families."""
    return "tasks" if plan.weighting == "task" else "means of families"


def of_unmeasured(plan: AnalysisPlan) -> str:
    """Say what becomes of runs without a measurement: `in no mean`, or `in every mean as 0`."""
    return "in no mean" if plan.denominator == "valid" else "in every mean as 0"
