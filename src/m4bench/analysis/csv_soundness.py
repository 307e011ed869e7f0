# SPDX-License-Identifier: MIT
"""Whether a row of a runs CSV agrees with itself: what a hand may have changed in one column and not in another.

Knows no other row. What is refused here could not have been left by a run, whoever made the table.
"""

from functools import cache
from statistics import fmean

from m4bench.analysis.csv_fields import Fields
from m4bench.analysis.runs import RunRow
from m4bench.data.catalogue import declared_datasets
from m4bench.model.outcome import OUTCOMES, rule_of

ROUNDING = 1e-6  # rates and rewards are written with eight decimals
_STATES = {rule.state for rule in OUTCOMES}


def require_sound(row: Fields, run: RunRow, *, mean_of_rates: bool) -> None:
    """Refuse a row whose columns contradict one another.

    Args:
        row: the fields, for the place of an error.
        run: what was read from them.
        mean_of_rates: whether the task's reward is the mean of its columns' match rates.

    Raises:
        InputError: a strict pass beside a failed check, an error or no reward; a reward of a run that failed; a
            measurement in a state that is none; a reward that its match rates do not give; a state written
            otherwise than it is; credentialed data called otherwise.
    """
    if run.strict and (run.failed or run.errors or run.reward is None):
        beside = (
            "no reward" if run.reward is None else "a failed check" if run.failed else "an error"
        )
        raise row.wrong("strict_pass", f"is a pass beside {beside}", "correct one of the two")
    _require_sound_state(row, run)
    if mean_of_rates and _departs_from_rates(run):
        problem = "is not the mean of the row’s match rates"
        raise row.wrong("reward", problem, "correct one of the two, or leave match_rates empty")
    if is_credentialed(run.setting.dataset) and run.setting.access != "credentialed":
        problem = f"is {run.setting.access}, and {run.setting.dataset} is credentialed"
        raise row.wrong("access", problem, "write credentialed, or name the open dataset")


@cache
def is_credentialed(dataset: str) -> bool:
    """Tell whether a dataset of this name is given under an agreement, as the catalogue says."""
    declared = declared_datasets().get(dataset)
    return declared is not None and declared.access == "credentialed"


def _departs_from_rates(run: RunRow) -> bool:
    if run.reward is None or run.errors or not run.match_rates:
        return False
    return abs(fmean(run.match_rates.values()) - run.reward) > ROUNDING


def _require_sound_state(row: Fields, run: RunRow) -> None:
    if not row.has("agent_status"):
        return  # the state follows from the other fields
    if run.state not in _STATES:
        meant = run.state.lower().replace(" ", "-").replace("_", "-")
        if meant in _STATES:
            raise row.wrong(
                "agent_status", "is a state written otherwise", f"did you mean {meant}?"
            )
        return
    rule = rule_of(run.state)
    if rule.valid and not rule.grade and run.reward:
        problem = f"is above 0, and the run ended as {run.state}"
        raise row.wrong("reward", problem, "a failure of the agent is a reward of 0")
    if run.valid and not rule.valid:
        problem = f"is True, and {run.state} is no measurement"
        raise row.wrong("outcome_valid", problem, "correct one of the two")
