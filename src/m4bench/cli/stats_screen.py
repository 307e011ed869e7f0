# SPDX-License-Identifier: MIT
"""How an analysis looks on a terminal: a block a contrast, then arms and standings. Computes nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from m4bench.analysis.paper import Computed, PaperTable
from m4bench.analysis.results import (
    Analysis,
    ArmResult,
    ContrastResult,
    Interval,
    Standings,
    StrictCount,
)
from m4bench.analysis.words import DETECTABLE, DETECTABLE_MARGIN, each_equal, minus, of_unmeasured
from m4bench.cli.options import counted
from m4bench.model.analysis import AnalysisPlan
from m4bench.model.legible import legible
from m4bench.report.campaign.writing import (
    bound,
    interval,
    mean,
    moved,
    p_value,
    signed,
    verdict,
)

HEADLINE = "reward"
CORRECTION = {"primary": "Holm", "exploratory": "Benjamini-Hochberg"}
PASSES = (
    "Strict passes: the chance that one of k trials passes, and that all of k do (on how many tasks, where not on "
    "all of the arm)"
)
SETTING = ("convention", "dataset", "drops", "access")


def analysis_lines(found: Analysis) -> Iterator[RenderableType]:
    """Yield an analysis piece by piece, in the order it is read."""
    kind = "declared" if found.plan.declared else "not declared before the runs"
    yield Text(
        f"{counted(found.runs, 'run')} of {counted(found.tasks, 'task')} in "
        f"{_families(len(set(found.families.values())))}; the analysis is {kind} "
        f"({found.plan_hash[:12]})"
    )
    if found.unmeasured:
        verb = "has" if found.unmeasured == 1 else "have"
        yield Text(
            f"{counted(found.unmeasured, 'run')} {verb} no measurement: {of_unmeasured(found.plan)}"
        )
    if not found.contrasts:
        yield Text(
            "\nnothing is compared: no usual contrast has both sides; name one with --contrast A:B"
        )
    for one in found.contrasts:
        if one.metric == HEADLINE:
            yield from _contrast(one, found.plan)
    others = [one for one in found.contrasts if one.metric != HEADLINE]
    if others:
        yield from _titled("The primary contrasts in other measures", _measures(others))
    if found.arms:
        yield from _titled(f"Arms: mean rewards, {each_equal(found.plan)}", _arms(found.arms))
    repeated = [arm for arm in found.arms if max(arm.pass_at, default=0) > 1]
    if repeated:
        yield from _titled(PASSES, _passes(repeated))
    for standings in found.standings:
        if len(standings.standings) > 1 or standings.aside:
            yield from _titled(_place(standings, found.plan.confidence), _standings(standings))
            yield from (
                Padding(_text(f"note: {note}"), (0, 0, 0, 3), expand=False)
                for note in standings.notes
            )


def published_texts(tables: Mapping[str, PaperTable]) -> Iterator[str]:
    """Yield the paper's tables of which the runs determine a figure, and say how many others there are."""
    told = [table.text() for table in tables.values() if _is_measured(table)]
    yield from (f"\n{text.rstrip()}" for text in told)
    if len(told) < len(tables):
        yield f"\n{len(tables) - len(told)} of the paper's tables are of other runs or of none; --json lists them"


def _is_measured(table: PaperTable) -> bool:
    cells = (cell for row in table.rows for cell in row.values())
    return any(
        isinstance(cell, Computed) and cell.origin == "measured" and bool(cell.runs)
        for cell in cells
    )


def _titled(title: str, body: RenderableType) -> Iterator[RenderableType]:
    yield Text(f"\n{legible(title)}", style="bold")
    yield Padding(body, (0, 0, 0, 2), expand=False)


def _contrast(one: ContrastResult, plan: AnalysisPlan) -> Iterator[RenderableType]:
    of = f", {one.setting}" if one.setting else ""
    title = f"{one.treatment_label} minus {one.control_label}{of} ({one.role})"
    table = Table(box=None, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column()
    for name, text in _lines(one, plan):
        table.add_row(name, Text(legible(text)))
    yield from _titled(title, table)


def _lines(one: ContrastResult, plan: AnalysisPlan) -> Iterator[tuple[str, str]]:
    """Yield what is told of a contrast, each with its name."""
    yield "over", f"{counted(one.tasks, 'task')} in {_families(one.families)}, {_runs(one.runs)}"
    yield "systems", "; ".join(one.systems)
    within_systems = set(one.held_equal) <= set(one.systems)
    if not within_systems:
        number = f"{len(one.held_equal)} pairs of arms: " if len(one.held_equal) > 1 else ""
        yield "held equal", number + "; ".join(one.held_equal)
    yield "reward", f"{mean(one.treatment)} and {mean(one.control)}"
    yield "delta", f"{signed(one.delta)}, {_interval(one.interval)}"
    if plan.interval == "family-t":
        yield "bootstrap-t", _interval(one.bootstrap_t)
    else:
        yield "Student's t", _interval(one.family_t)
    adjusted = f"{CORRECTION[one.role]}: {p_value(one.p_adjusted)}"
    yield "p", _flipped(one) if one.equivalence else f"{_flipped(one)}; {adjusted}"
    more, less = moved(one)
    yield (
        "tasks",
        f"{one.positive} of {one.tasks} {more}, {one.negative} {less}, {one.unchanged} unchanged",
    )
    yield "strict passes", " and ".join(_strict(count) for count in one.strict)
    if one.equivalence is not None:
        yield "claim", verdict(one, plan)
        yield (
            "",
            f"{_interval(one.equivalence.interval)}, p {p_value(one.equivalence.p_value)}; {adjusted}",
        )
    if one.detectable is not None:
        what = DETECTABLE if one.equivalence is None else DETECTABLE_MARGIN
        yield "detectable", f"{bound(one.detectable)}: {what}"
    if len(one.by_system) > 1:
        for system in one.by_system:
            label = "within system" if within_systems else "within"
            yield label, f"{system.system}: {signed(system.delta)}, {_interval(system.interval)}"
    if not one.publishable:
        yield "note", "stands on runs that are not publishable"
    if one.missing:
        yield "note", f"{counted(len(one.missing), 'pair')} of task and system without one side"
    for note in one.notes:
        yield "note", note


def _measures(results: Iterable[ContrastResult]) -> Table:
    table = Table("contrast", "measure", "delta", "interval", "adjusted p", "tasks", box=None)
    for one in results:
        sides = minus(one.treatment_label, one.control_label)
        table.add_row(
            _text(f"{sides}, {one.setting}" if one.setting else sides),
            _text(one.metric),
            signed(one.delta),
            interval(one.interval),
            p_value(one.p_adjusted),
            f"{one.positive} of {one.tasks} {moved(one)[0]}",
        )
    return table


def _arms(arms: Sequence[ArmResult]) -> Table:
    """Lay out arms; what of their setting differs between them has a column, and so has what is not publishable."""
    differing, table = _named(arms)
    lacking = any(arm.unmeasured for arm in arms)
    marked = any(map(_is_unpublishable, arms))
    for name in ("tasks", "runs", "reward", "strict"):
        table.add_column(name)
    if lacking:
        table.add_column("no measurement")
    if marked:
        table.add_column("")
    for arm in arms:
        table.add_row(
            *(_text(getattr(arm, name)) for name in differing),
            str(arm.tasks),
            _entering(arm),
            mean(arm.reward),
            _strict(arm.strict),
            *([str(arm.unmeasured)] if lacking else []),
            *([_mark(arm)] if marked else []),
        )
    return table


def _named(arms: Sequence[ArmResult]) -> tuple[list[str], Table]:
    """Return the fields that name arms, and a table with a column of each."""
    told = [name for name in SETTING if len({getattr(arm, name) for arm in arms}) > 1]
    return ["system", "condition", "schema_name", *told], Table(
        "system", "condition", "schema", *told, box=None
    )


def _passes(arms: Sequence[ArmResult]) -> Table:
    """Lay out passes of several trials by their number; a larger one may rest on fewer tasks."""
    differing, table = _named(arms)
    numbers = sorted({k for arm in arms for k in arm.pass_at})
    for k in numbers:
        table.add_column(f"k = {k}")
    for arm in arms:
        table.add_row(
            *(_text(getattr(arm, name)) for name in differing),
            *(_pass(arm, k) for k in numbers),
        )
    return table


def _pass(arm: ArmResult, k: int) -> str:
    """Return the chances of one and of all of k trials; of a single one both are the same."""
    if k not in arm.pass_at:
        return ""
    chances = mean(arm.pass_at[k])
    if k > 1:
        chances += f", {mean(arm.pass_all[k])}"
    tasks = arm.pass_tasks.get(k, arm.tasks)
    return chances if tasks == arm.tasks else f"{chances} ({counted(tasks, 'task')})"


def _entering(arm: ArmResult) -> str:
    """Return an arm's runs; of those that do not all enter its means, how many do."""
    return str(arm.runs) if arm.entering == arm.runs else f"{arm.entering} of {arm.runs}"


def _is_unpublishable(arm: ArmResult) -> bool:
    """Tell whether an arm has figures and not all of them stand on publishable runs."""
    return bool(arm.entering) and not arm.publishable


def _mark(arm: ArmResult) -> str:
    """Return what sets an arm apart from those that are compared."""
    if not _is_unpublishable(arm):
        return ""
    return "baseline" if arm.is_baseline else "not publishable"


def _standings(standings: Standings) -> Table:
    table = Table("system", "tasks", "reward", "interval", "tie group", box=None)
    for one in standings.standings:
        table.add_row(
            _text(one.system),
            str(one.tasks),
            mean(one.reward),
            interval(one.interval),
            _text(one.letters),
        )
    return table


def _place(standings: Standings, confidence: float) -> str:
    where = [standings.condition, standings.schema_name, standings.convention, standings.dataset]
    place = ", ".join(part for part in where if part)
    level = f"{100 * confidence:g} %, Holm"
    return f"Systems under {place}: those that share a letter are not told apart ({level})"


def _text(text: str) -> Text:
    return Text(legible(text))


def _families(number: int) -> str:
    return f"{number:,} {'family' if number == 1 else 'families'}"


def _runs(runs: tuple[int, int]) -> str:
    return f"{runs[0]:,} and {counted(runs[1], 'run')}"


def _interval(found: Interval | None) -> str:
    """Return an interval with its level and how it was made; of a drawn one how far another seed moves its ends."""
    if found is None:
        return f"interval {interval(found)}"
    made = found.method
    if found.draw_errors is not None:
        low, high = map(bound, found.draw_errors)
        made += f"; standard errors of the draws {low} and {high}"
    return f"{100 * found.level:g} % {interval(found)} ({made})"


def _flipped(one: ContrastResult) -> str:
    """Return the p-value of a difference, and whether all flips of families were counted for it."""
    if one.p_value is None:
        return p_value(None)
    return f"{p_value(one.p_value)} ({'exact' if one.exact else 'random flips'})"


def _strict(count: StrictCount) -> str:
    return f"{count.passes}/{count.runs}"
