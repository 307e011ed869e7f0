# SPDX-License-Identifier: MIT
"""P-values corrected for how many contrasts there are, and what that leaves to be shown. Knows no run."""

from collections.abc import Container, Iterable, Sequence

from m4bench.analysis.results import ContrastResult
from m4bench.analysis.words import counted, decimal, in_setting, joined, minus
from m4bench.model.analysis import AnalysisPlan
from m4bench.stats.multiplicity import benjamini_hochberg, holm
from m4bench.stats.sign_flip import EXACT_GROUPS

UNTESTABLE = 1.0
"""The p-value with which a primary contrast that cannot be tested counts: it was declared, and is not shown."""


def corrected(results: Iterable[ContrastResult], plan: AnalysisPlan) -> tuple[ContrastResult, ...]:
    """Return the results with p-values corrected: Holm's over the primary ones, BH's over the exploratory ones.

    Holm's family is what was declared: every result of a primary contrast, also one that cannot be tested, which
    then has no p-value of its own.
    """
    listed = list(results)
    margins = {one.contrast for one in (*plan.contrasts, *plan.exploratory) if one.margin}
    primary = [one for one in listed if one.role == "primary"]
    others = [one for one in listed if one.role != "primary"]
    alpha = 1 - plan.confidence
    return tuple(
        _with_correction(one, value, alpha)
        for one, value in (
            *zip(primary, _holm([_p_of_claim(one, margins) for one in primary]), strict=True),
            *zip(
                others,
                benjamini_hochberg([_p_of_claim(one, margins) for one in others]),
                strict=True,
            ),
        )
    )


def _holm(p_values: Sequence[float | None]) -> list[float | None]:
    adjusted = holm([UNTESTABLE if p is None else p for p in p_values])
    return [
        None if p is None else corrected for p, corrected in zip(p_values, adjusted, strict=True)
    ]


def _p_of_claim(one: ContrastResult, margins: Container[str]) -> float | None:
    """Return the p-value of what is claimed: of a margin in reward, else of a difference."""
    if one.metric != "reward" or one.contrast not in margins:
        return one.p_value
    return one.equivalence.p_value if one.equivalence else None


def _with_correction(one: ContrastResult, adjusted: float | None, alpha: float) -> ContrastResult:
    """Return a result with its corrected p-value, and a note where a claim is shown by the uncorrected one only."""
    claim = one.equivalence
    notes = one.notes
    if claim is not None and claim.shown and adjusted is not None and adjusted >= alpha:
        notes = (
            *notes,
            f"{claim.claim} is shown by its own test and not by the corrected p-value",
        )
    return one.model_copy(update={"p_adjusted": adjusted, "notes": notes})


def told(one: ContrastResult) -> str:
    """Return a contrast with its setting as a reader is told it."""
    return minus(one.treatment_label, one.control_label) + in_setting(one.setting)


def primary_results(results: Iterable[ContrastResult]) -> list[ContrastResult]:
    """Return the results that Holm's correction is over; none where not one of them can be tested."""
    primary = [one for one in results if one.role == "primary"]
    return primary if any(one.p_adjusted is not None for one in primary) else []


def notes_on_correction(results: Sequence[ContrastResult], plan: AnalysisPlan) -> list[str]:
    """Say over how much Holm's correction is where that is not what a reader expects, and what it cannot show.

    Args:
        results: corrected.
        plan: its confidence says what is shown.
    """
    primary = primary_results(results)
    contrasts = len({one.contrast for one in primary})
    settings = len({one.setting for one in primary})
    notes = []
    if len(primary) > contrasts:
        notes.append(
            f"{counted(contrasts, 'primary contrast')} {'has' if contrasts == 1 else 'have'} {len(primary)} results in "
            f"{counted(settings, 'setting')}: Holm's correction is over {len(primary)}"
        )
    untested = [told(one) for one in primary if one.p_adjusted is None]
    if untested:
        notes.append(
            f"{joined(untested)} could not be tested, and {'counts' if len(untested) == 1 else 'count'} in Holm's "
            f"correction over {len(primary)} with a p-value of 1"
        )
    return [*notes, *_beyond_reach(primary, plan)]


def _beyond_reach(primary: Sequence[ContrastResult], plan: AnalysisPlan) -> list[str]:
    """Say where no difference can be shown, since no exact p-value of so few families is small enough when corrected.

    A margin's own test has no least p-value; where it is rejected first, the differences are corrected among
    themselves and what cannot be tested, which is the most they can be spared.
    """
    differences = [one for one in primary if one.p_adjusted is not None and one.equivalence is None]
    factor = len(differences) + sum(one.p_adjusted is None for one in primary)
    families = max((one.families for one in differences), default=EXACT_GROUPS + 1)
    least = 2.0 ** (1 - families)
    alpha = 1 - plan.confidence
    if families > EXACT_GROUPS or least * factor <= alpha:
        return []
    said = f"with {families} families no p-value of a difference is below {least:g}"
    if factor > 1:
        said += f", and {factor} primary contrasts are corrected together: none can"
    else:
        said += ": the primary contrast cannot"
    return [f"{said} be shown at {decimal(alpha)}"]
