# SPDX-License-Identifier: MIT
"""From the effects of tasks to a mean with interval and test, as a plan weighs them. Knows no run and no pairing."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from m4bench.analysis.pairing import TaskEffect, mean
from m4bench.analysis.results import Equivalence, FamilyDelta, Interval, Sensitivity
from m4bench.model.analysis import AnalysisPlan, Claim, DeclaredContrast, Weighting
from m4bench.stats.clustered import (
    EXACT_BOOTSTRAP_GROUPS,
    ClusteredMean,
    clustered_t,
    drawn_bootstrap_t,
)
from m4bench.stats.clustered import Interval as Ends
from m4bench.stats.equivalence import equivalent, non_inferior
from m4bench.stats.power import detectable_difference, detectable_margin
from m4bench.stats.sign_flip import exact_sign_flip

THRESHOLD = 1e-9
"""A task delta nearer to zero is unchanged: rounding of the order of 1e-13 is no improvement."""
POWER = 0.8
NO_SPREAD = 1e-9
FEWEST_FAMILIES = 2
FLIPS = 200_000
"""Random sign vectors with more than 20 families: as many for every line, so that equal deltas give equal p-values."""


class Bounds(NamedTuple):
    """Between which values a mean can lie at all; an interval ends there."""

    least: float
    most: float


RATES, DELTAS, UNBOUNDED = Bounds(0.0, 1.0), Bounds(-1.0, 1.0), Bounds(-inf, inf)
"""Of a reward or a share, of a difference of two, and of what has no bound."""


@dataclass(frozen=True)
class Units:
    """What a mean is taken over: tasks within families, or families, each one equal."""

    values: tuple[float, ...]
    families: tuple[str, ...]

    @property
    def clusters(self) -> int:
        """The number of families."""
        return len(set(self.families))


@dataclass(frozen=True)
class Estimate:
    """A weighted mean of task deltas, with what the family-clustered sampling says about it."""

    tasks: int
    families: int
    treatment: float
    control: float
    delta: float
    clustered: ClusteredMean | None
    spread: bool
    bootstrap_t: Interval | None
    family_t: Interval | None
    interval: Interval | None
    p_value: float | None


def units(values: Sequence[float], families: Sequence[str], weighting: Weighting) -> Units:
    """Return what is averaged: the tasks' values, or the means of families in alphabetical order."""
    if weighting == "task":
        return Units(tuple(values), tuple(families))
    means = family_means(values, families)
    return Units(tuple(means.values()), tuple(means))


def family_means(values: Sequence[float], families: Sequence[str]) -> dict[str, float]:
    """Return the mean of each family's values, families in alphabetical order."""
    grouped: dict[str, list[float]] = {}
    for value, family in zip(values, families, strict=True):
        grouped.setdefault(family, []).append(value)
    return {family: mean(grouped[family]) for family in sorted(grouped)}


def family_deltas(effects: Sequence[TaskEffect]) -> tuple[FamilyDelta, ...]:
    """Return the mean delta of each family."""
    families = [one.family for one in effects]
    means = family_means([one.delta for one in effects], families)
    return tuple(
        FamilyDelta(family=family, tasks=families.count(family), delta=delta)
        for family, delta in means.items()
    )


def estimate(
    effects: Sequence[TaskEffect],
    plan: AnalysisPlan,
    *,
    weighting: Weighting | None = None,
    bounds: Bounds = DELTAS,
    headline: bool = True,
) -> Estimate:
    """Estimate a contrast: point value, the plan's interval, and the family sign-flip test.

    Args:
        effects: at least one task.
        plan: confidence, draws, seed, interval.
        weighting: the plan's where it is not given.
        bounds: where intervals end at the latest.
        headline: with the bootstrap-t interval also where the plan's is another.
    """
    weighting = weighting or plan.weighting
    families = [one.family for one in effects]
    weighed = units([one.delta for one in effects], families, weighting)
    clustered = clustered_mean(weighed, plan.confidence)
    wanted = headline or plan.interval == "family-bootstrap-t"
    bootstrap = _bootstrap_t(weighed, clustered, plan, bounds) if wanted else None
    family_t = _family_t(weighed, clustered, plan, bounds)
    return Estimate(
        tasks=len(effects),
        families=weighed.clusters,
        treatment=mean(units([one.treatment for one in effects], families, weighting).values),
        control=mean(units([one.control for one in effects], families, weighting).values),
        delta=mean(weighed.values),
        clustered=clustered,
        spread=has_spread(weighed, clustered),
        bootstrap_t=bootstrap,
        family_t=family_t,
        interval=family_t if plan.interval == "family-t" else bootstrap,
        p_value=sign_flip(weighed, plan),
    )


def quick_interval(
    values: Sequence[float],
    families: Sequence[str],
    plan: AnalysisPlan,
    weighting: Weighting,
    bounds: Bounds = DELTAS,
) -> Interval | None:
    """Return the plan's interval of a mean of values of tasks; None where it cannot be computed."""
    return interval_of(units(values, families, weighting), plan, bounds)


def interval_of(weighed: Units, plan: AnalysisPlan, bounds: Bounds = DELTAS) -> Interval | None:
    """Return the plan's interval; None where families do not differ, or the bootstrap is degenerate."""
    clustered = clustered_mean(weighed, plan.confidence)
    if plan.interval == "family-t":
        return _family_t(weighed, clustered, plan, bounds)
    return _bootstrap_t(weighed, clustered, plan, bounds)


def clustered_mean(weighed: Units, level: float) -> ClusteredMean | None:
    """Return mean and family-clustered standard error; None with a single family."""
    if weighed.clusters < FEWEST_FAMILIES:
        return None
    return clustered_t(weighed.values, weighed.families, level=level)


def has_spread(weighed: Units, clustered: ClusteredMean | None) -> bool:
    """Tell whether the families differ; where they do not, an interval of no width would feign precision."""
    largest = max(map(abs, weighed.values))
    if clustered is None or largest <= THRESHOLD:
        return False
    return clustered.standard_error > NO_SPREAD * largest


def _family_t(
    weighed: Units, clustered: ClusteredMean | None, plan: AnalysisPlan, bounds: Bounds
) -> Interval | None:
    if clustered is None or not has_spread(weighed, clustered):
        return None
    return _within(clustered.interval, bounds, method="family-t", level=plan.confidence)


def _bootstrap_t(
    weighed: Units, clustered: ClusteredMean | None, plan: AnalysisPlan, bounds: Bounds
) -> Interval | None:
    enough_tails = int((plan.draws + 1) * (1 - plan.confidence) / 2) >= 1
    if not has_spread(weighed, clustered) or not enough_tails:
        return None
    found = drawn_bootstrap_t(
        weighed.values, weighed.families, level=plan.confidence, draws=plan.draws, seed=plan.seed
    )
    if found is None:
        return None
    interval = _within(found.interval, bounds, method="family-bootstrap-t", level=plan.confidence)
    if weighed.clusters <= EXACT_BOOTSTRAP_GROUPS:
        return interval
    return interval.model_copy(update={"draw_errors": (found.low_error, found.high_error)})


def _within(ends: Ends, bounds: Bounds, *, method: str, level: float) -> Interval:
    """Return an interval that ends where no mean can be any more."""
    low, high = (min(max(end, bounds.least), bounds.most) for end in ends)
    return Interval(low=low, high=high, method=method, level=level)


def sign_flip(weighed: Units, plan: AnalysisPlan) -> float | None:
    """Return the p-value of flipping signs of whole families; None with a single one, where nothing can be told.

    Values that the threshold calls unchanged are 0: rounding is no difference.
    """
    if weighed.clusters < FEWEST_FAMILIES:
        return None
    values = [value if abs(value) > THRESHOLD else 0.0 for value in weighed.values]
    return float(exact_sign_flip(values, weighed.families, draws=FLIPS, seed=plan.seed))


def can_reach(families: int, plan: AnalysisPlan) -> bool:
    """Tell whether the sign-flip test of so many families has a p-value as small as the plan's confidence asks."""
    return 2.0 ** (1 - families) <= 1 - plan.confidence + THRESHOLD


def detectable(
    clustered: ClusteredMean | None,
    plan: AnalysisPlan,
    *,
    claim: Claim = "difference",
    most: float = 1.0,
) -> float | None:
    """Return the smallest true delta, or of a claim the smallest margin, found with a power of 80 % by its t test.

    Of a difference, the two-sided test's; of a margin, that of its own one-sided tests where the true delta is
    zero. None without a standard error above zero; where it would be more than `most`, the largest there can be;
    and where a difference has to be shown by so few families that their exact test never rejects.
    """
    if clustered is None or clustered.standard_error <= 0:
        return None
    error, freedom, alpha = (
        clustered.standard_error,
        clustered.degrees_of_freedom,
        1 - plan.confidence,
    )
    if claim != "difference":
        found = detectable_margin(
            error, freedom, alpha=alpha, power=POWER, two_sided=claim == "equivalence"
        )
    elif can_reach(freedom + 1, plan):
        found = detectable_difference(error, freedom, alpha=alpha, power=POWER)
    else:
        return None
    return found if found <= most else None


def equivalence(
    clustered: ClusteredMean | None, contrast: DeclaredContrast, plan: AnalysisPlan
) -> Equivalence | None:
    """Test a claim that two arms match; None where none is made or it cannot be tested."""
    if contrast.claim == "difference" or contrast.margin is None or clustered is None:
        return None
    alpha = 1 - plan.confidence
    test = equivalent if contrast.claim == "equivalence" else non_inferior
    found = test(
        clustered.mean,
        clustered.standard_error,
        clustered.degrees_of_freedom,
        contrast.margin,
        alpha,
    )
    return Equivalence(
        claim=contrast.claim,
        margin=contrast.margin,
        interval=_within(
            Ends(found.low, found.high), DELTAS, method="family-t", level=round(1 - 2 * alpha, 12)
        ),
        p_value=found.p_value,
        shown=found.shown,
    )


def counts(deltas: Sequence[float], better: int = 1) -> tuple[int, int, int]:
    """Return how many tasks improved, declined and stayed, by the threshold; of nMAE, less is an improvement."""
    improved = sum(better * delta > THRESHOLD for delta in deltas)
    declined = sum(better * delta < -THRESHOLD for delta in deltas)
    return improved, declined, len(deltas) - improved - declined


def as_line(name: str, found: Estimate) -> Sensitivity:
    """Return an estimate as one named line."""
    return Sensitivity(
        name=name,
        tasks=found.tasks,
        families=found.families,
        delta=found.delta,
        interval=found.interval,
        p_value=found.p_value,
    )
