# SPDX-License-Identifier: MIT
"""From a table of runs and a plan to everything an analysis shows. Knows no file and no page."""

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version

from m4bench.analysis.arms import arms
from m4bench.analysis.components import components
from m4bench.analysis.contrasts import contrast_result
from m4bench.analysis.correction import corrected, notes_on_correction
from m4bench.analysis.methods import methods
from m4bench.analysis.pairing import (
    Metric,
    Pair,
    Reading,
    is_publishable,
    metrics,
    publishable,
    unmeasured,
)
from m4bench.analysis.plan import at_entry, default_plan, resolve
from m4bench.analysis.pools import DatasetPools, Pools
from m4bench.analysis.progress import Progress, unheard
from m4bench.analysis.questions import Question, ask, reading_of
from m4bench.analysis.results import Analysis, ArmResult, ContrastResult, Role
from m4bench.analysis.runs import CellKey, RunRow, RunTable, entering
from m4bench.analysis.schemas import Asked, schema_robustness
from m4bench.analysis.standings import standings
from m4bench.analysis.words import SECONDARY, counted, in_setting, joined, minus, of_unmeasured
from m4bench.model.analysis import AnalysisPlan, DeclaredContrast
from m4bench.model.errors import InputError
from m4bench.model.legible import shortened

Cells = Mapping[CellKey, tuple[RunRow, ...]]


def analyse(table: RunTable, plan: AnalysisPlan, progress: Progress = unheard) -> Analysis:
    """Work out a plan on runs: contrasts, arms, schemas, components, standings, and how it was done.

    Primary contrasts come first, then exploratory ones, then the primary ones in strict passes, key F1 and ordered
    nMAE, which count as exploratory. The same table and plan give the same result.

    Raises:
        InputError: a declared plan names no contrast; a side of a contrast has no run or cannot be told; two
            contrasts are of the same sides; or a contrast has no task with runs of both sides: one that this
            program supplies is left out instead, which a note tells.
    """
    if plan.declared and not (plan.contrasts or plan.exploratory):
        with at_entry("contrasts"):
            raise InputError(
                "the declared analysis names no contrast",
                remedy="list what is compared under contrasts or exploratory",
            )
    cells = table.cells()
    of = metrics(table)
    pools = Pools(cells)
    questions, left_out = _questions(table, plan, pools, reading_of(of["reward"], plan))
    made, undetermined = _results(questions, of, plan, len(table.families()), progress)
    results = corrected(made, plan)
    progress("finding what varies", 0, 1)
    varying = components(cells, of["reward"], plan)
    arms_found = arms(cells, of, plan)
    found = Analysis(
        m4bench=version("m4bench"),
        plan=plan,
        plan_hash=plan.digest(),
        sources=dict(table.sources),
        runs=len(table),
        entering=_entering(cells, questions),
        unmeasured=len(unmeasured(table.runs)),
        tasks=len(table.families()),
        families=table.families(),
        contrasts=results,
        arms=arms_found,
        schemas=schema_robustness(_asked(questions), cells, of["reward"], plan),
        components=varying.components,
        standings=standings(cells, of["reward"], plan, progress),
        methods="",
        notes=(
            *table.notes,
            *_notes(cells, plan),
            *pools.notes(),
            *left_out,
            *notes_on_correction(results, plan),
            *_notes_on_passes(arms_found),
            *undetermined,
            *varying.notes,
        ),
    )
    return found.model_copy(update={"methods": methods(found, table)})


def _questions(
    table: RunTable, plan: AnalysisPlan, pools: Pools, reading: Reading
) -> tuple[list[Question], list[str]]:
    """Find the pairs of every contrast; tell which supplied ones have none."""
    supplied = set() if plan.declared else _supplied(table)
    questions: list[Question] = []
    left_out = []
    planned: list[tuple[str, int, DeclaredContrast, Role]] = [
        *(("contrasts", at, one, "primary") for at, one in enumerate(plan.contrasts)),
        *(("exploratory", at, one, "exploratory") for at, one in enumerate(plan.exploratory)),
    ]
    for name, at, declared, role in planned:
        try:
            with at_entry(name, at):
                sides = resolve(declared.contrast, table)
                asked = ask(declared, sides, role, pools, reading)
        except InputError:
            if declared.contrast not in supplied:
                raise
            left_out.append(
                f"{declared.contrast} is left out: no task has measured runs of both sides"
            )
        else:
            with at_entry(name, at):
                _require_new(asked.questions[0], questions)
            questions += asked.questions
            left_out += asked.notes
    return questions, left_out


def _require_new(question: Question, formers: Iterable[Question]) -> None:
    """Refuse a contrast of the sides of a former one, however it is written and whichever comes first."""
    sides = [side.values for side in question.sides]
    for former in formers:
        values = [side.values for side in former.sides]
        if values in (sides, sides[::-1]):
            both = " and ".join(shortened(one.declared.contrast) for one in (former, question))
            raise InputError(
                f"the contrasts {both} compare the same two sides",
                remedy="name each comparison once, in one direction",
            )


def _supplied(table: RunTable) -> set[str]:
    usual = default_plan(table)
    return {one.contrast for one in (*usual.contrasts, *usual.exploratory)}


def _results(
    questions: Sequence[Question],
    of: Mapping[str, Metric],
    plan: AnalysisPlan,
    tasks: int,
    progress: Progress,
) -> tuple[list[ContrastResult], list[str]]:
    """Work out the contrasts, then the primary ones in other metrics; tell which of these no run has a number for."""
    reward, *others = of.values()
    asked = [(question, reward) for question in questions] + [
        (question, metric)
        for question in questions
        if question.role == "primary"
        for metric in others
    ]
    made: list[ContrastResult] = []
    without: dict[str, list[str]] = {}
    for place, (question, metric) in enumerate(asked):
        progress("comparing conditions", place, len(asked))
        found = contrast_result(question, metric, plan, tasks)
        if found is not None:
            made.append(found)
        else:
            told = minus(*(side.label for side in question.sides)) + in_setting(question.setting)
            without.setdefault(metric.name, []).append(told)
    return made, [
        f"{SECONDARY[metric]}: not determined of {joined(contrasts)}, since no task has a figure on both sides"
        for metric, contrasts in without.items()
    ]


def _entering(cells: Cells, questions: Iterable[Question]) -> int:
    """Return how many measured runs means are made of.

    Of a cell that contrasts pair, the runs count where a contrast's figures stand on it. Of any other, they count
    as in standings: unless it is not publishable and others of its condition, schema and setting are.
    """
    paired: set[str] = set()
    standing: set[str] = set()
    for question in questions:
        paired |= _first_runs(question.pairing.pairs)
        standing |= _first_runs(question.standing)
    groups = _groups(cells)
    shown = {groups[key] for key, runs in cells.items() if publishable(runs)}
    return sum(
        len(entering(runs))
        for key, runs in cells.items()
        if (
            runs[0].run_id in standing
            if runs[0].run_id in paired
            else is_publishable([runs]) or groups[key] not in shown
        )
    )


def _first_runs(pairs: Iterable[Pair]) -> set[str]:
    """Return the cells of pairs, by the id of the first run of each."""
    return {runs[0].run_id for one in pairs for runs in one.cells}


def _groups(cells: Cells) -> dict[CellKey, tuple[str, ...]]:
    """Return what systems share that standings compare, of each cell."""
    datasets = DatasetPools(cells)
    return {
        key: (
            key.condition,
            key.schema,
            key.setting.convention,
            key.setting.drops,
            datasets.of(key),
            key.setting.access,
        )
        for key in cells
    }


def _asked(questions: Iterable[Question]) -> list[Asked]:
    """Return the contrasts of two conditions in one schema, each pair of conditions once."""
    found: dict[tuple[str, str], Asked] = {}
    for question in questions:
        treatment, control = (
            side.values for side in (question.sides.treatment, question.sides.control)
        )
        same_schema = treatment.get("schema") == control.get("schema")
        if "condition" in treatment and same_schema and set(treatment) <= {"condition", "schema"}:
            conditions = (treatment["condition"], control["condition"])
            found.setdefault(conditions, Asked(":".join(conditions), *conditions))
    return list(found.values())


def _notes_on_passes(found: Iterable[ArmResult]) -> list[str]:
    """Say where a larger k rests on fewer tasks, so that pass@k may fall where more trials cannot make it fall."""
    uneven = sum(len(set(arm.pass_tasks.values())) > 1 for arm in found)
    if not uneven:
        return []
    return [
        f"pass@k and pass^k of {counted(uneven, 'arm')} rest on fewer tasks for larger k, those with as many runs: of "
        "other tasks than pass@1, they are not to be compared with it"
    ]


def _notes(cells: Cells, plan: AnalysisPlan) -> list[str]:
    """Say which runs stand aside and what is mixed."""
    notes = []
    aside = sum(
        len([run for run in runs if run.valid and run.reward is not None]) - len(entering(runs))
        for runs in cells.values()
    )
    if aside:
        notes.append(
            "1 measured run is not publishable and stands aside, since its cell has publishable ones"
            if aside == 1
            else f"{aside:,} measured runs are not publishable and stand aside, since their cells have publishable ones"
        )
    empty = sum(not entering(runs) for runs in cells.values())
    if empty:
        fate = of_unmeasured(plan)
        notes.append(
            f"{counted(empty, 'cell')} {'has' if empty == 1 else 'have'} no measured run: {fate}"
        )
    sandboxes = {key.setting.sandbox for key in cells}
    if len(sandboxes) > 1:
        told = ", ".join(sorted(one or "none told" for one in sandboxes))
        notes.append(f"arms and standings take runs of several sandboxes together ({told})")
    return notes
