# SPDX-License-Identifier: MIT
"""How the figures of a comparison are written: differences, intervals, p-values, claims. Knows no page."""

from m4bench.analysis.results import Equivalence, Interval
from m4bench.report.wording import DECIMALS, THIN_SPACE, rate

NOTHING = 1e-9  # a smaller difference is noise of floating point
SMALLEST_P = 0.0001
FIRST_SMALL_P = 0.01
UNDETERMINED = "not determined"
MINUS = "−"
METRICS = {
    "reward": "reward",
    "strict": "strict passes",
    "key_f1": "F1 of keys",
    "ordered_nmae": "nMAE of ordered columns",
}
METHODS = {
    "family-t": "clustered by family, t",
    "family-bootstrap-t": "families resampled, bootstrap-t",
}
CLAIMS = {
    "difference": "a difference",
    "non-inferiority": "non-inferiority",
    "equivalence": "equivalence",
}


def signed(value: float | None) -> str:
    """Write a difference with its sign and three decimals; only one that is none is 0.000."""
    if value is None:
        return UNDETERMINED
    if abs(value) <= NOTHING:
        return f"{0:.{DECIMALS}f}"
    unit = 10**-DECIMALS
    if abs(value) < unit / 2:
        return f"<+{unit}" if value > 0 else f">{MINUS}{unit}"
    return f"{'+' if value > 0 else MINUS}{abs(value):.{DECIMALS}f}"


def bound(value: float) -> str:
    """Write an end of an interval."""
    shown = f"{abs(value):.{DECIMALS}f}"
    return f"{MINUS}{shown}" if value < 0 and float(shown) else shown


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
    return f"{value:.4f}" if value < FIRST_SMALL_P else f"{value:.3f}"


def percent(level: float) -> str:
    """Write a level of confidence."""
    return f"{100 * level:.4g}{THIN_SPACE}%"


def metric(name: str) -> str:
    """Return what a metric is called."""
    return METRICS.get(name, name)


def verdict(found: Equivalence) -> str:
    """Say what became of a claim that one side matches the other."""
    within = "equal within ±" if found.claim == "equivalence" else "worse by less than "
    return f"{'shown' if found.shown else 'not shown'}: {within}{found.margin:g}"


def ratio(value: float | None) -> str:
    """Write how large a delta is beside another."""
    return UNDETERMINED if value is None else f"{value:.2f}".replace("-", MINUS)


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
