# SPDX-License-Identifier: MIT
"""From the effects of tasks to a mean with interval and test, as a plan weighs them. Knows no run and no pairing."""

from collections.abc import Sequence
from dataclasses import dataclass

from m4bench.analysis.pairing import TaskEffect, mean
from m4bench.analysis.results import Equivalence, FamilyDelta, Interval, Sensitivity
from m4bench.model.analysis import AnalysisPlan, DeclaredContrast, IntervalMethod, Weighting
from m4bench.stats.clustered import ClusteredMean, cluster_bootstrap_t, clustered_t
from m4bench.stats.equivalence import equivalent, non_inferior
from m4bench.stats.power import detectable_difference
from m4bench.stats.sign_flip import exact_sign_flip

THRESHOLD = 1e-9
"""A task delta nearer to zero is unchanged: rounding of the order of 1e-13 is no improvement."""
POWER = 0.8
NO_SPREAD = 1e-9
FEWEST_FAMILIES = 2
HEADLINE_FLIPS, OTHER_FLIPS = 200_000, 20_000
"""Random sign vectors with more than 20 families, of a headline and of all others."""


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
    headline: bool = True,
) -> Estimate:
    """Estimate a contrast: point value, the plan's interval, and the family sign-flip test.

    Args:
        effects: at least one task.
        plan: confidence, draws, seed, interval.
        weighting: the plan's where it is not given.
        headline: with the bootstrap-t interval also where the plan's is another.
    """
    weighting = weighting or plan.weighting
    families = [one.family for one in effects]
    weighed = units([one.delta for one in effects], families, weighting)
    clustered = clustered_mean(weighed, plan.confidence)
    wanted = headline or plan.interval == "family-bootstrap-t"
    bootstrap = _bootstrap_t(weighed, clustered, plan) if wanted else None
    family_t = _family_t(weighed, clustered, plan)
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
        p_value=sign_flip(weighed, plan, HEADLINE_FLIPS if headline else OTHER_FLIPS),
    )


def quick_interval(
    values: Sequence[float], families: Sequence[str], plan: AnalysisPlan, weighting: Weighting
) -> Interval | None:
    """Return the plan's interval of a mean of values of tasks; None where it cannot be computed."""
    weighed = units(values, families, weighting)
    return interval_of(weighed, plan)


def interval_of(weighed: Units, plan: AnalysisPlan) -> Interval | None:
    """Return the plan's interval; None where families do not differ, or the bootstrap is degenerate."""
    clustered = clustered_mean(weighed, plan.confidence)
    if plan.interval == "family-t":
        return _family_t(weighed, clustered, plan)
    return _bootstrap_t(weighed, clustered, plan)


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
    weighed: Units, clustered: ClusteredMean | None, plan: AnalysisPlan
) -> Interval | None:
    if clustered is None or not has_spread(weighed, clustered):
        return None
    return Interval(
        low=clustered.low, high=clustered.high, method="family-t", level=plan.confidence
    )


def _bootstrap_t(
    weighed: Units, clustered: ClusteredMean | None, plan: AnalysisPlan
) -> Interval | None:
    method: IntervalMethod = "family-bootstrap-t"
    enough_tails = int((plan.draws + 1) * (1 - plan.confidence) / 2) >= 1
    if not has_spread(weighed, clustered) or not enough_tails:
        return None
    found = cluster_bootstrap_t(
        weighed.values, weighed.families, level=plan.confidence, draws=plan.draws, seed=plan.seed
    )
    if found is None:
        return None
    return Interval(low=found.low, high=found.high, method=method, level=plan.confidence)


def sign_flip(weighed: Units, plan: AnalysisPlan, draws: int) -> float | None:
    """Return the p-value of flipping signs of whole families; None with a single one, where nothing can be told.

    `draws` are made with more than 20 families. Values that the threshold calls unchanged are 0: rounding is no
    difference.
    """
    if weighed.clusters < FEWEST_FAMILIES:
        return None
    values = [value if abs(value) > THRESHOLD else 0.0 for value in weighed.values]
    return float(exact_sign_flip(values, weighed.families, draws=draws, seed=plan.seed))


def detectable(clustered: ClusteredMean | None, plan: AnalysisPlan) -> float | None:
    """Return the smallest true delta found with a power of 80 %; None where no standard error is, or it is zero."""
    if clustered is None or clustered.standard_error <= 0:
        return None
    return float(
        detectable_difference(
            clustered.standard_error,
            clustered.degrees_of_freedom,
            alpha=1 - plan.confidence,
            power=POWER,
        )
    )


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
        interval=Interval(
            low=found.low,
            high=found.high,
            method="family-t",
            level=round(1 - 2 * alpha, 12),
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
