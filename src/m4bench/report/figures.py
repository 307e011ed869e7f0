# SPDX-License-Identifier: MIT
"""Which figures a report has and what stands in them: from means and runs to described charts.

Knows neither how a chart is drawn nor where it is put.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from statistics import fmean

from m4bench.model.run import RunRecord
from m4bench.report import charts, losses, wording
from m4bench.report.arms import ArmName
from m4bench.report.chart_parts import COMPACT, NARROW
from m4bench.report.exhibits import Figure
from m4bench.report.palette import heat
from m4bench.report.shade_chart import AGREEMENT, Line, Shade, Shades, shade_chart, shade_parts
from m4bench.report.summary import ArmSummary, Cell, Question, Summary, passes_strictly

LONGEST_LABEL = 40
LABEL_END = 15
MARK = " †"
Named = Sequence[tuple[str, Cell]]

REWARD_CAPTION = (
    "A circle is the mean reward of a task’s trials, filled where all pass strictly; one with a number stands "
    "for so many tasks that are equal to three decimals, near ones are set apart upwards or downwards. The "
    "upright stroke is the mean over tasks, the bar the share of runs that pass strictly: a high reward without "
    "it means that most rows agree and a check does not hold."
)
LOSS_CAPTION = (
    "Mean over tasks and scored columns of the rows that are matched (their share is the reward), answered "
    "with another value, missing from the output, or in it without being in the reference; an output that "
    "was not there or could not be compared has lost everything to that. The parts add up to 1."
)
TRIALS_CAPTION = (
    "A circle is one trial, filled where it passes strictly; one with a number stands for so many trials that "
    "are equal to three decimals, near ones are set apart upwards or downwards. The upright stroke is the mean "
    "of the trials that enter it."
)
KEYS_CAPTION = (
    "Keys of output and reference, as a share of the reference’s keys: the upright stroke is the whole "
    "reference. To its left what both have and what the output lacks, to its right what the output has "
    "too much. Means of the trials that could be compared."
)
COLUMNS_CAPTION = (
    "Match rate: matched rows / (reference rows + extra keys + duplicate keys), mean of the trials that "
    "could be compared. The stronger the shade, the less agreement. "
    "* misses the threshold of its strict check."
)


def front_figures(summary: Summary) -> list[Figure]:
    """Return the figures over all tasks; none where nothing was measured."""
    arms = summary.measured_arms
    if not arms:
        return []
    called = _called(summary)
    names = [called[arm.name] + ("" if arm.publishable else MARK) for arm in arms]
    return [_noted(figure, names) for figure in (_rewards(arms, names), _losses(arms, names))]


def task_figures(summary: Summary, question: Question, name: str) -> list[Figure]:
    """Return the figures of one task that have anything to show; their names begin with `name`."""
    found = [(arm, cell) for arm, cell in summary.of_question(question) if cell.entering]
    if not found:
        return []
    called = _called(summary)
    cells = [(called[arm] + ("" if cell.publishable else MARK), cell) for arm, cell in found]
    figures = [_trials(cells, question, name)]
    compared = [(label, cell) for label, cell in cells if cell.compared]
    if compared:
        figures += [_keys(compared, question, name), _columns(compared, question, name)]
    return [_noted(figure, [label for label, _ in cells]) for figure in figures]


def _called(summary: Summary) -> dict[ArmName, str]:
    """Return the label of each arm, the same in every figure of a report."""
    names = [arm.name for arm in summary.arms]
    return dict(zip(names, labels(names), strict=True))


def _noted(figure: Figure, names: Sequence[str]) -> Figure:
    """Say in the caption what the mark of a label means, where one has it."""
    if not any(name.endswith(MARK) for name in names):
        return figure
    return replace(figure, caption=f"{figure.caption} † may not be published.")


def labels(names: Sequence[ArmName]) -> list[str]:
    """Return a label an arm, fit for a figure: what sets it apart, of bounded length, and no two alike.

    What all arms of one agent share, as its only model, is left out.
    """
    shared: dict[str, set[str]] = {}
    for name in names:
        details = set(name.details)
        shared[name.agent] = shared.get(name.agent, details) & details
    return _distinct(
        " · ".join((name.agent, *(d for d in name.details if d not in shared[name.agent])))
        for name in names
    )


def _cut(text: str) -> str:
    """Shorten a text in its middle; what sets names apart is often at their end."""
    if len(text) <= LONGEST_LABEL:
        return text
    return f"{text[: LONGEST_LABEL - LABEL_END - 1]}…{text[-LABEL_END:]}"


def _rewards(arms: Sequence[ArmSummary], names: Sequence[str]) -> Figure:
    cells = [
        {
            "arm": label,
            "reward": cell.reward,
            "strict": cell.strict_passes == len(cell.entering),
            "about": f"{label}, {_cut(wording.foreign(cell.question.task))}: reward "
            f"{wording.rate(cell.reward)}, {cell.strict_passes} of {len(cell.entering)} pass strictly",
        }
        for label, arm in zip(names, arms, strict=True)
        for cell in arm.cells
        if cell.reward is not None
    ]
    rows = [
        {
            "arm": label,
            "mean": arm.reward,
            "mean_text": wording.rate(arm.reward),
            "share": arm.strict_passes / arm.entering,
            "whole": 1,
            "passes": f"{arm.strict_passes} of {arm.entering}",
            "about": f"{label}: mean reward {wording.rate(arm.reward)} over "
            f"{wording.plural(arm.measured_tasks, 'task')}",
            "about_passes": f"{label}: {arm.strict_passes} of {arm.entering} runs pass strictly",
        }
        for label, arm in zip(names, arms, strict=True)
    ]
    return Figure(
        "rewards",
        "Graded reward and strict passes, by agent",
        REWARD_CAPTION,
        "; ".join(f"{row['about']}, {row['passes']} runs pass strictly" for row in rows),
        charts.rewards(cells, rows, names),
        charts.rewards(cells, rows, names, NARROW),
        table="agents",
    )


def _losses(arms: Sequence[ArmSummary], names: Sequence[str]) -> Figure:
    shares = []
    for label, arm in zip(names, arms, strict=True):
        found = losses.of_arm(arm) or losses.Losses()
        for place, kind in enumerate(losses.SHARES):
            share = getattr(found, kind)
            if share > 0:
                about = f"{label}: {charts.LOSSES[kind][0]} {wording.rate(share)}"
                shares.append(
                    {"arm": label, "kind": kind, "place": place, "share": share, "about": about}
                )
    return Figure(
        "losses",
        "Where the reward was lost, by agent",
        LOSS_CAPTION,
        "; ".join(str(share["about"]) for share in shares),
        charts.losses(shares, names),
        charts.losses(shares, names, NARROW),
        table="agents",
    )


def _trials(cells: Named, question: Question, name: str) -> Figure:
    points = [
        {
            "arm": label,
            "reward": run.score.reward,
            "strict": passes_strictly(run),
            "about": f"{label}, trial {run.cell.trial}: reward {wording.rate(run.score.reward)}",
        }
        for label, cell in cells
        for run in cell.entering
        if run.score
    ]
    means = [
        {"arm": label, "mean": cell.reward, "text": _mean_in_words(cell)} for label, cell in cells
    ]
    order = [label for label, _ in cells]
    one = all(len(cell.entering) == 1 for _, cell in cells)
    note = " With one trial an agent, there is no spread to be seen." if one else ""
    return Figure(
        f"{name}-trials",
        f"Reward of each trial, {wording.foreign(question.task)}",
        TRIALS_CAPTION + note,
        "; ".join(f"{row['arm']}: {row['text']}" for row in means),
        charts.trials(points, means, order),
        charts.trials(points, means, order, NARROW),
        table="runs",
    )


def _mean_in_words(cell: Cell) -> str:
    trials = len(cell.entering)
    if trials == 1:
        return f"{wording.rate(cell.reward)}, one trial"
    lowest, highest = wording.rate(min(cell.rewards)), wording.rate(max(cell.rewards))
    return f"{wording.rate(cell.reward)}, {trials} trials from {lowest} to {highest}"


def _keys(cells: Named, question: Question, name: str) -> Figure:
    counts, texts, cut = [], [], False
    for label, cell in cells:
        found = key_counts(cell.compared)
        cut = cut or sum(found[kind] for kind in charts.KEYS) > charts.CUT_AT * found["reference"]
        left = charts.CUT_AT
        for place, kind in enumerate(charts.KEYS):
            share = found[kind] / found["reference"]
            shown, left = min(share, left), max(left - share, 0.0)
            if shown > 0:
                about = f"{label}: {wording.mean_count(found[kind])} keys {charts.KEYS[kind][0]}"
                counts.append(
                    {"arm": label, "kind": kind, "place": place, "share": shown, "about": about}
                )
        words = [f"{wording.mean_count(found[kind])} {kind}" for kind in charts.KEYS if found[kind]]
        texts.append({"arm": label, "text": ", ".join(words) or "none in common"})
    order = [label for label, _ in cells]
    note = " Bars are cut at twice the reference; the text has the counts." if cut else ""
    return Figure(
        f"{name}-keys",
        f"Keys of output and reference, {wording.foreign(question.task)}",
        KEYS_CAPTION + note,
        "; ".join(f"{row['arm']}: {row['text']}" for row in texts),
        charts.keys(counts, order, texts),
        charts.keys(counts, order, texts, NARROW),
    )


def key_counts(runs: Sequence[RunRecord]) -> dict[str, float]:
    """Return the mean counts of keys over runs that were compared."""
    scores = [run.score.keys for run in runs if run.score]
    return {
        kind: fmean(getattr(score, kind) for score in scores)
        for kind in ("reference", *charts.KEYS)
    }


def _columns(cells: Named, question: Question, name: str) -> Figure:
    columns = list(dict.fromkeys(column.name for _, cell in cells for column in cell.columns))
    called = dict(zip(columns, _distinct(columns), strict=True))
    found = {}
    for arm, (label, cell) in enumerate(cells):
        for column in cell.columns:
            rate = wording.rate(column.rate) + ("*" if column.below else "")
            about = f"{called[column.name]}, {label}: {wording.rate(column.rate)}"
            if column.below:
                about += f", below the threshold of {column.threshold:g}"
            about += ", column absent" if column.absent else ""
            found[columns.index(column.name), arm] = Shade(rate, about, heat(column.rate))
    shades = Shades(
        [Line(label) for label in called.values()],
        [Line(label) for label, _ in cells],
        found,
        AGREEMENT,
        absent="not scored",
    )
    return Figure(
        f"{name}-columns",
        f"Match rate by column and agent, {wording.foreign(question.task)}",
        COLUMNS_CAPTION,
        f"{wording.plural(len(columns), 'column')} by {wording.plural(len(cells), 'agent')}; "
        "the same figures stand in the table of columns.",
        shade_chart(shades),
        shade_chart(shades, NARROW),
        partial(shade_chart, shades, COMPACT),
        table="columns",
        parts=partial(shade_parts, shades),
    )


def _distinct(names: Iterable[str]) -> list[str]:
    """Return the names shortened, and numbered where that makes two alike."""
    taken: set[str] = set()
    found = []
    for name in names:
        label, number = _cut(wording.foreign(name)), 1
        while label in taken:
            number += 1
            label = f"{_cut(wording.foreign(name))} ({number})"
        taken.add(label)
        found.append(label)
    return found
