# SPDX-License-Identifier: MIT
"""How runs ended, by condition and system: every state that occurs, and apart what is no measurement.

Knows runs by their state alone.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from m4bench.analysis.order import condition_key, schema_key
from m4bench.analysis.runs import RunTable
from m4bench.analysis.words import joined, of_unmeasured
from m4bench.model.analysis import AnalysisPlan
from m4bench.model.outcome import COMPLETED, OUTCOMES
from m4bench.report import wording
from m4bench.report.campaign.figures.naming import (
    apart,
    by_name,
    condition_label,
    distinct,
    listed,
)
from m4bench.report.chart_parts import COMPACT, NARROW
from m4bench.report.exhibits import Figure
from m4bench.report.palette import share_step
from m4bench.report.shade_chart import SHARES, Line, Shade, Shades, shade_chart, shade_parts

MOST_ROWS = 60
UNMEASURED = "no measurement"
TABLE = "failures"
CAPTION = (
    "Runs by how they ended{settings}. {counted} The shade is the share of a row’s runs that ended in that way "
    "without completing. {owed}{meanings}"
)
EVERY = "Every state counts as a measurement: a run that did not complete, as 0."
NEARLY_EVERY = (
    "Every state but “no measurement” counts as a measurement: a run that did not complete, as 0."
)
OWED = "“no measurement” is not the agent’s doing ({states}); such runs are {counted} and are still owed. "
OVER = {
    "convention": "conventions",
    "dataset": "data sets",
    "drops": "drops",
    "access": "accesses",
}
Arm = tuple[str, str, str]


def failure_figure(table: RunTable, labels: Mapping[str, str], plan: AnalysisPlan) -> Figure | None:
    """Return the figure, or nothing where every run completed.

    Args:
        table: all runs; a row of the figure is over all conventions and data sets, which its caption says.
        labels: what each system is called.
        plan: says what becomes of runs without a measurement.
    """
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
    arms = sorted(
        counts, key=lambda a: (schema_key(a[1]), condition_key(a[0]), by_name(labels, a[2]))
    )
    caption = _caption(states, lost, _settings(table), plan)
    if len(arms) > MOST_ROWS:
        some = [arm for arm in arms if set(counts[arm]) - {COMPLETED}]
        arms = some[:MOST_ROWS]
        caption += f" Of {len(counts)} rows those are drawn that have such runs"
        caption += f", the first {MOST_ROWS}." if len(some) > MOST_ROWS else "."
        caption += " The table has them all."
    shades = _shades(arms, counts, states, labels)
    whole = Counter(run.state if run.valid else UNMEASURED for run in table)
    columns = distinct(states)
    told = listed(f"{columns[state]} {wording.count(whole[state])}" for state in states)
    return Figure(
        "failures",
        "How runs ended",
        caption,
        f"Of {wording.plural(len(table), 'run')}: {told}.",
        shade_chart(shades),
        shade_chart(shades, NARROW),
        partial(shade_chart, shades, COMPACT),
        table=TABLE,
        parts=partial(shade_parts, shades),
    )


def _shades(
    arms: Sequence[Arm],
    counts: Mapping[Arm, Counter[str]],
    states: Sequence[str],
    labels: Mapping[str, str],
) -> Shades:
    """Return the map: how many runs a row has, and how many of these ended in which state."""
    kinds = list(dict.fromkeys((condition, schema) for condition, schema, _ in arms))
    groups = dict(zip(kinds, apart(condition_label(*kind) for kind in kinds), strict=True))
    systems = {arm: by_name(labels, arm[2]) for arm in arms}
    columns = list(distinct(states).values())
    cells = {}
    for row, arm in enumerate(arms):
        name = f"{groups[arm[0], arm[1]]}, {systems[arm]}"
        total = counts[arm].total()
        runs = wording.plural(total, "run")
        cells[row, 0] = Shade(wording.count(total), f"{name}: {runs}", None)
        for place, (state, label) in enumerate(zip(states, columns, strict=True), 1):
            many = counts[arm][state]
            step = None if state == COMPLETED else share_step(many / total)
            about = f"{name}, {label}: {wording.count(many)} of {runs}"
            cells[row, place] = Shade(wording.count(many), about, step)
    lines = [Line(systems[arm], groups[arm[0], arm[1]]) for arm in arms]
    return Shades(lines, [Line("all runs"), *map(Line, columns)], cells, SHARES, headed=True)


def _settings(table: RunTable) -> str:
    """Say over what a row is where runs have several settings."""
    several = [
        name
        for field, name in OVER.items()
        if len({getattr(run.setting, field) for run in table}) > 1
    ]
    return f", over all {joined(several)}" if several else ""


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


def _caption(states: Sequence[str], lost: Counter[str], settings: str, plan: AnalysisPlan) -> str:
    meanings = "; ".join(
        f"{rule.state}: {rule.meaning}"
        for rule in OUTCOMES
        if rule.state in states and rule.state != COMPLETED
    )
    meanings = f"{meanings[:1].upper()}{meanings[1:]}." if meanings else ""
    owed = ""
    if lost:
        why = listed(f"{wording.foreign(state)} {count}" for state, count in sorted(lost.items()))
        owed = OWED.format(states=why, counted=of_unmeasured(plan))
    counted = NEARLY_EVERY if lost else EVERY
    told = CAPTION.format(settings=settings, counted=counted, owed=owed, meanings=meanings)
    return told.strip()
