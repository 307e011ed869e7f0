# SPDX-License-Identifier: MIT
"""How the figures of a comparison are written: differences, intervals, p-values, claims. Knows no page."""

import math
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from m4bench.analysis.results import ContrastResult, Interval
from m4bench.model.analysis import AnalysisPlan, DeclaredContrast, IntervalMethod
from m4bench.report.wording import DECIMALS, THIN_SPACE, rate

NOTHING = 1e-9  # a smaller difference is noise of floating point
SMALLEST_P = 0.0001
FIRST_SMALL_P = 0.01
UNDETERMINED = "not determined"
UNDECLARED = (
    "Not declared before the runs: m4bench supplied the contrasts for the runs that are there."
)
MINUS = "−"
LESS_IS_BETTER = "ordered_nmae"
METRICS = {
    "reward": "reward",
    "strict": "strict passes",
    "key_f1": "F1 of keys",
    "ordered_nmae": "nMAE of ordered columns",
}
METHODS = {
    "family-t": "clustered by family, Student’s t",
    "family-bootstrap-t": "families resampled, bootstrap-t",
}
OTHER_METHOD = {"family-t": "Bootstrap-t", "family-bootstrap-t": "Student’s t"}
CORRECTIONS = {"primary": "Holm", "exploratory": "BH"}
CLAIMS = {
    "difference": "a difference",
    "non-inferiority": "non-inferiority",
    "equivalence": "equivalence",
}


def signed(value: float | None) -> str:
    """Write a difference with its sign and three decimals; of a smaller one its first figure that is not 0.

    Only what is no difference is 0.000: a reader must see on which side of zero a small one lies.
    """
    if value is None:
        return UNDETERMINED
    if abs(value) <= NOTHING:
        return f"{0:.{DECIMALS}f}"
    return f"{'+' if value > 0 else MINUS}{_figures(value)}"


def bound(value: float) -> str:
    """Write an end of an interval, as exactly as a difference."""
    if abs(value) <= NOTHING:
        return f"{0:.{DECIMALS}f}"
    return f"{MINUS if value < 0 else ''}{_figures(value)}"


def _figures(value: float) -> str:
    """Write a size with three decimals, or with as many as show that it is not 0."""
    shown = f"{abs(value):.{DECIMALS}f}"
    if float(shown):
        return shown
    decimals = -math.floor(math.log10(abs(value)))
    return f"{abs(value):.{decimals}f}"


def interval(found: Interval | None) -> str:
    """Write an interval in brackets, or that there is none."""
    if found is None:
        return UNDETERMINED
    return f"[{bound(found.low)}, {bound(found.high)}]"


def p_value(value: float | None) -> str:
    """Write a p-value: four decimals where it is small, never as 0."""
    if value is None:
        return UNDETERMINED
    if value < SMALLEST_P:
        return f"<{SMALLEST_P:.4f}"
    return half_up(value, 4 if value < FIRST_SMALL_P else DECIMALS)


def half_up(value: float, decimals: int) -> str:
    """Write a number rounded to decimals, a tie away from zero as readers round: exact p-values end in a 5 often."""
    unit = Decimal(1).scaleb(-decimals)
    return str(Decimal(str(value)).quantize(unit, ROUND_HALF_UP))


def percentile(found: Interval | None) -> str:
    """Write a percentile interval; of deltas that are all equal resampling tells nothing."""
    if found is not None and found.high - found.low <= NOTHING:
        return f"{UNDETERMINED}: all deltas are equal"
    return interval(found)


def percent(level: float) -> str:
    """Write a level of confidence."""
    return f"{100 * level:.4g}{THIN_SPACE}%"


def metric(name: str) -> str:
    """Return what a metric is called."""
    return METRICS.get(name, name)


def compared(contrast: ContrastResult) -> str:
    """Say what is compared, within which setting, and in which measure where it is not the reward."""
    measure = f", {metric(contrast.metric)}" if contrast.metric != "reward" else ""
    return f"{sides(contrast)}{measure}"


def sides(contrast: ContrastResult) -> str:
    """Say what is compared, and within which setting where there are several."""
    both = f"{contrast.treatment_label} {MINUS} {contrast.control_label}"
    return f"{both}, {contrast.setting}" if contrast.setting else both


def difference(contrast: str) -> str:
    """Write the text `A:B` of a contrast as what it is, `A − B`; as it stands where a side holds a colon itself."""
    treatment, colon, control = contrast.partition(":")
    return f"{treatment} {MINUS} {control}" if colon and ":" not in control else contrast


def is_of_conditions(contrast: ContrastResult) -> bool:
    """Tell whether a contrast compares conditions, and not systems or conventions by `FIELD=VALUE`."""
    return "=" not in contrast.contrast or "condition=" in contrast.contrast


def moved(contrast: ContrastResult) -> tuple[str, str]:
    """Return what tasks did that count as positive and as negative: under a condition they improve or decline.

    Of systems the one is higher or lower than the other, and in nMAE, where less is better, better or worse.
    """
    if is_of_conditions(contrast):
        return "improved", "declined"
    return ("better", "worse") if contrast.metric == LESS_IS_BETTER else ("higher", "lower")


def beside(contrast: ContrastResult, method: IntervalMethod) -> Interval | None:
    """Return the interval of the other kind than the headline's."""
    return contrast.bootstrap_t if method == "family-t" else contrast.family_t


def declared(contrast: ContrastResult, plan: AnalysisPlan) -> DeclaredContrast:
    """Return what a contrast was declared as; of measures beside the reward no more than a difference is claimed."""
    found = [one for one in plan.contrasts if one.contrast == contrast.contrast]
    if found and contrast.role == "primary":
        return found[0]
    return DeclaredContrast(contrast=contrast.contrast)


def is_shown(contrast: ContrastResult, plan: AnalysisPlan) -> bool:
    """Tell whether what a contrast claims is shown, after the correction."""
    adjusted, found = contrast.p_adjusted, contrast.equivalence
    return (
        adjusted is not None
        and adjusted <= 1 - plan.confidence + NOTHING
        and (found is None or found.shown)
    )


def verdict(contrast: ContrastResult, plan: AnalysisPlan) -> str:
    """Say what became of what a contrast claims, after the correction; not shown is no proof of the opposite."""
    claim = declared(contrast, plan)
    claimed = _claimed(claim)
    adjusted = contrast.p_adjusted
    if adjusted is None:
        return f"{claimed}: {UNDETERMINED}"
    level = 1 - plan.confidence
    found = contrast.equivalence
    shown = is_shown(contrast, plan)
    correction = CORRECTIONS[contrast.role]
    said = f"{claimed}: {'shown' if shown else 'not shown'} at {_level(level)} ({correction} p {p_value(adjusted)})"
    if found is not None and found.shown and not shown:
        said += "; uncorrected it would be"
    return said


def _claimed(claim: DeclaredContrast) -> str:
    if claim.margin is None:
        return "difference"
    within = "equal within ±" if claim.claim == "equivalence" else "worse by less than "
    return f"{within}{claim.margin:g}"


def _level(level: float) -> str:
    return f"{level:.10f}".rstrip("0")


def ratio(value: float | None) -> str:
    """Write how large a delta is beside another."""
    return UNDETERMINED if value is None else f"{value:.2f}".replace("-", MINUS)


def flips(contrasts: Sequence[ContrastResult]) -> str:
    """Say by which flips of families the p-values of some contrasts are made: all, or random ones."""
    kinds = {one.exact for one in contrasts if one.p_value is not None}
    if kinds == {True, False}:
        return "the flip of whole families, exact where they are few and by random flips where they are many"
    return (
        "random flips of whole families" if kinds == {False} else "the exact flip of whole families"
    )


def drawn(contrasts: Sequence[ContrastResult]) -> str:
    """Say how far another seed moves the ends of intervals that are drawn at random, at most; nothing where none is."""
    errors = [
        error
        for one in contrasts
        if one.bootstrap_t is not None and one.bootstrap_t.draw_errors is not None
        for error in one.bootstrap_t.draw_errors
    ]
    if not errors:
        return ""
    return f"Bootstrap-t intervals are drawn: another seed moves their ends by about {max(errors):.1g} or less."


def share(value: float) -> str:
    """Write a share of a whole in per cent."""
    return f"{100 * value:.0f}{THIN_SPACE}%"


def money(value: float | None) -> str:
    """Write a mean cost in dollars with three figures."""
    if value is None:
        return "not recorded"
    return f"${value:.3f}" if value < 1 else f"${value:,.2f}"


def mean(value: float | None) -> str:
    """Write a mean reward or rate, or that there is none."""
    return UNDETERMINED if value is None else rate(value)
