# SPDX-License-Identifier: MIT
"""How runs ended, by condition and system: every state that occurs, and apart what is no measurement.

Knows runs by their state alone.
"""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any

from m4bench.analysis.order import conditions_in_order
from m4bench.analysis.runs import RunTable
from m4bench.model.outcome import COMPLETED, OUTCOMES
from m4bench.report import charts, wording
from m4bench.report.campaign.figures.naming import (
    NATIVE,
    apart,
    by_name,
    condition_label,
    distinct,
    listed,
)
from m4bench.report.chart_parts import COMPACT, NARROW
from m4bench.report.exhibits import Figure
from m4bench.report.palette import heat

MOST_ROWS = 60
LONGEST_ROW = 52
UNMEASURED = "no measurement"
CAPTION = (
    "Runs by how they ended. Every state but the last column’s counts as a measurement: a run that did not "
    "complete, as 0. The shade is the share of a row’s runs that did not complete in that way. “no measurement” "
    "is not the agent’s doing ({states}); such runs stand in no mean and are still owed. {meanings}"
)
NO_UNMEASURED = (
    "Runs by how they ended. Every state counts as a measurement: a run that did not complete, as 0. The shade is "
    "the share of a row’s runs that did not complete in that way. {meanings}"
)
Arm = tuple[str, str, str]


def failure_figure(table: RunTable, labels: dict[str, str]) -> Figure | None:
    """Return the figure, or nothing where every run completed."""
    counts: dict[Arm, Counter[str]] = {}
    lost: Counter[str] = Counter()
    for run in table:
        arm = (run.condition, run.schema, str(run.system))
        state = run.state if run.valid else UNMEASURED
        counts.setdefault(arm, Counter())[state] += 1
        if not run.valid:
            lost[run.state] += 1
    states = _states(counts)
    if states == [COMPLETED]:
        return None
    order = conditions_in_order(condition for condition, _, _ in counts)
    arms = sorted(
        counts, key=lambda a: (a[1] != NATIVE, a[1], order.index(a[0]), by_name(labels, a[2]))
    )
    caption = _caption(states, lost)
    if len(arms) > MOST_ROWS:
        some = [arm for arm in arms if set(counts[arm]) - {COMPLETED}]
        arms = some[:MOST_ROWS]
        caption += f" Of {len(counts)} rows those are drawn that have such runs"
        caption += f", the first {MOST_ROWS}." if len(some) > MOST_ROWS else "."
    called = [f"{condition_label(a[0], a[1])} · {by_name(labels, a[2])}" for a in arms]
    names = dict(zip(arms, apart(called, LONGEST_ROW), strict=True))
    columns = distinct(states)
    cells = [cell for arm in arms for cell in _cells(names[arm], counts[arm], columns)]
    whole = Counter(run.state if run.valid else UNMEASURED for run in table)
    heads, rows = list(columns.values()), list(names.values())
    told = listed(f"{columns[state]} {wording.count(whole[state])}" for state in states)
    return Figure(
        "failures",
        "How runs ended",
        caption,
        f"Of {wording.plural(len(table), 'run')}: {told}.",
        charts.columns(cells, rows, heads),
        charts.columns(cells, rows, heads, NARROW),
        partial(charts.columns, cells, rows, heads, COMPACT),
    )


def _cells(name: str, counts: Counter[str], columns: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return a row of the map: how many of its runs ended in which state."""
    total = sum(counts.values())
    return [
        {
            "column": name,
            "arm": label,
            "step": heat(1 - counts[state] / total) if state != COMPLETED and counts[state] else 0,
            "text": wording.count(counts[state]),
            "about": f"{name}, {label}: {wording.count(counts[state])} of {wording.plural(total, 'run')}",
        }
        for state, label in columns.items()
    ]


def _states(counts: dict[Arm, Counter[str]]) -> list[str]:
    """Return the states that occur: completed, the agent's failures in the order of the rule, and what is none."""
    whole = Counter[str]()
    for counter in counts.values():
        whole += counter
    known = [rule.state for rule in OUTCOMES]
    places = {state: place for place, state in enumerate(known)}
    failed = sorted(
        set(whole) - {COMPLETED, UNMEASURED}, key=lambda s: (places.get(s, len(known)), s)
    )
    return [COMPLETED, *failed, *([UNMEASURED] if whole[UNMEASURED] else [])]


def _caption(states: list[str], lost: Counter[str]) -> str:
    meanings = "; ".join(
        f"{rule.state}: {rule.meaning}"
        for rule in OUTCOMES
        if rule.state in states and rule.state != COMPLETED
    )
    meanings = f"{meanings[:1].upper()}{meanings[1:]}." if meanings else ""
    if not lost:
        return NO_UNMEASURED.format(meanings=meanings).strip()
    why = listed(f"{wording.foreign(state)} {count}" for state, count in sorted(lost.items()))
    return CAPTION.format(states=why, meanings=meanings).strip()
