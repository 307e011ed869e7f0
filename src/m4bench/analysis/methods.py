# SPDX-License-Identifier: MIT
"""The methods paragraph of an analysis, written from its plan and its data. Knows none of the figures it found."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version

from m4bench.analysis.arms import choice_of
from m4bench.analysis.contrasts import PERMUTATION_DRAWS
from m4bench.analysis.correction import primary_results, told
from m4bench.analysis.descriptives import FOLLOW_UP_SEED, LOCAL_SEED, PRIMARY_SEED
from m4bench.analysis.estimate import FLIPS
from m4bench.analysis.order import conditions_in_order, convention_key, schema_key
from m4bench.analysis.results import Analysis, ContrastResult
from m4bench.analysis.runs import RunRow, RunTable, entering
from m4bench.analysis.words import (
    SECONDARY,
    counted,
    decimal,
    each_equal,
    joined,
    minus,
)
from m4bench.model.outcome import COMPLETED
from m4bench.stats.bootstrap import DRAWS as BOOTSTRAP_DRAWS
from m4bench.stats.clustered import EXACT_BOOTSTRAP_GROUPS
from m4bench.stats.permutation import EXACT_EXCHANGES
from m4bench.stats.sign_flip import DRAWS as FLIP_DRAWS
from m4bench.stats.sign_flip import EXACT_GROUPS

SHOWN_SOURCES = 6
HASH_SHOWN = 12
Passage = Callable[[Analysis, RunTable], Iterable[str]]


def methods(found: Analysis, table: RunTable) -> str:
    """Return the paragraph; it claims nothing that the plan did not say and the runs do not show.

    Args:
        found: the analysis, complete but for this paragraph.
        table: the runs it was made of.
    """
    passages: tuple[Passage, ...] = (
        _runs,
        _declaration,
        _cells,
        _deltas,
        _intervals,
        _tests,
        _claims,
        _passes,
        _further,
        _descriptives,
        _software,
    )
    return " ".join(sentence for passage in passages for sentence in passage(found, table))


def _runs(found: Analysis, table: RunTable) -> Iterable[str]:
    systems = {run.system for run in table}
    conditions = conditions_in_order(run.condition for run in table)
    schemas = sorted({run.schema for run in table}, key=schema_key)
    families = len(set(found.families.values()))
    verb = "was" if found.runs == 1 else "were"
    yield (
        f"{counted(found.runs, 'run')} of {counted(found.tasks, 'task')} in "
        f"{counted(families, 'family', 'families')} by {counted(len(systems), 'system')} (agent, model and reasoning "
        f"effort) {verb} analysed, under {_named('condition', conditions)} and {_named('schema', schemas)}."
    )
    if found.sources:
        names = sorted(found.sources)
        shown = [f"{name} (sha256 {found.sources[name][:HASH_SHOWN]})" for name in names]
        more = len(shown) - SHOWN_SOURCES
        listed = shown[:SHOWN_SOURCES] + ([f"{more} more"] if more > 0 else [])
        yield (
            f"They were read from {joined(listed)}."
            if found.runs > 1
            else (f"It was read from {joined(listed)}.")
        )
    conventions = sorted({run.setting.convention for run in table} - {""}, key=convention_key)
    datasets = sorted({run.setting.dataset for run in table} - {""})
    if conventions:
        where = f" on {joined(datasets)}" if datasets else ""
        yield (
            f"Rewards measure agreement with reference tables under the {joined(conventions)} "
            f"{'convention' if len(conventions) == 1 else 'conventions'}{where}."
        )


def _named(noun: str, values: Sequence[str]) -> str:
    return f"the {noun}{'s' if len(values) > 1 else ''} {joined(values)}"


def _declaration(found: Analysis, _: RunTable) -> Iterable[str]:
    digest = found.plan_hash[:HASH_SHOWN]
    if found.plan.declared:
        yield f"The analysis was declared in a plan (sha256 {digest})."
    else:
        yield (
            "No analysis was declared: contrasts, weights and interval are those the program supplies or was asked "
            f"for (sha256 {digest}), and none is known to have been fixed before the runs."
        )


def _cells(found: Analysis, table: RunTable) -> Iterable[str]:
    yield (
        "A cell holds the runs of one task by one system under one condition and schema in one setting; its value "
        "is their mean."
    )
    cells = table.cells().values()
    choose = choice_of(found.plan)
    sizes = sorted({len(choose(runs)) for runs in cells} - {0})
    which = "with a measurement" if found.plan.denominator == "valid" else "with a run"
    if len(sizes) == 1:
        yield f"Each cell {which} has {counted(sizes[0], 'run')} that {_counts(sizes[0])}."
    elif sizes:
        yield f"Cells {which} have from {sizes[0]} to {counted(sizes[-1], 'run')} that count."
    failed = [run for runs in cells for run in entering(runs) if run.state != COMPLETED]
    if failed:
        which = f"{counted(len(failed), 'run')} in which the agent failed ({_states(failed)})"
        as_what = "counts as a failure" if len(failed) == 1 else "count as failures"
        zero = all(run.reward == 0 for run in failed)
        yield f"{which} {as_what}, with {'a reward of 0' if zero else 'the reward recorded'}."
    lacking = [run for run in table if not run.valid or run.reward is None]
    if lacking:
        fate = "left out" if found.plan.denominator == "valid" else "counted as 0"
        errors = any(one.metric == "ordered_nmae" for one in found.contrasts)
        but = ", in ordered nMAE left out" if fate == "counted as 0" and errors else ""
        yield (
            f"{counted(len(lacking), 'run')} without a measurement ({_states(lacking)}) "
            f"{'was' if len(lacking) == 1 else 'were'} {fate}{but}."
        )
    else:
        yield "No run lacks a measurement."
    yield from _publishable(found, table)


def _counts(number: int) -> str:
    return "counts" if number == 1 else "count"


def _states(runs: Iterable[RunRow]) -> str:
    states = Counter(run.state for run in runs)
    return ", ".join(f"{count} {state}" for state, count in sorted(states.items()))


def _publishable(found: Analysis, table: RunTable) -> Iterable[str]:
    unpublishable = sum(not run.publishable for run in table)
    if not unpublishable:
        yield "All runs are publishable."
    elif unpublishable == found.runs:
        yield "No run is publishable."
    else:
        yield (
            f"{counted(unpublishable, 'run')} {'is' if unpublishable == 1 else 'are'} not publishable: a cell, a "
            "contrast and an estimate of variance stand on publishable runs where they have any, otherwise on all."
        )


def _deltas(found: Analysis, _: RunTable) -> Iterable[str]:
    if not found.contrasts:
        yield "No contrast was made."
        return
    units = (
        "over tasks"
        if found.plan.weighting == "task"
        else "of the means of families over their tasks"
    )
    weight = f"{units}, {each_equal(found.plan)}"
    yield (
        "A contrast is paired: in each task, the treatment cell minus the control cell that differs in nothing but "
        f"what the contrast names, averaged over all such pairs{_pairs(found)}, each equal; then the mean {weight}."
    )
    settings = {one.setting for one in found.contrasts} - {""}
    if settings:
        yield (
            "Runs of different conventions, data, access or drops are never taken together: each contrast that does "
            f"not compare them is made in each setting alone ({joined(sorted(settings))})."
        )


def _pairs(found: Analysis) -> str:
    """Say what the pairs are, where all contrasts compare conditions within a system."""
    of_conditions = all("=" not in one.contrast for one in found.contrasts)
    return " (one for each system that has both)" if of_conditions else ""


def _intervals(found: Analysis, _: RunTable) -> Iterable[str]:
    plan = found.plan
    if not any(one.families > 1 for one in found.contrasts):
        if found.contrasts:
            yield "No contrast has tasks of two families, so that none has an interval or a test."
        return
    level = f"{decimal(100 * plan.confidence)} %"
    t = "standard errors clustered by task family (CR1) and Student's t with one degree of freedom less than families"
    bootstrap = f"the cluster bootstrap-t over families ({_draws(found)})"
    first, second = (t, bootstrap) if plan.interval == "family-t" else (bootstrap, t)
    yield f"The {level} intervals are from {first}; beside those of contrasts stand others from {second}."


def _draws(found: Analysis) -> str:
    made = f"{found.plan.draws:,} draws, seed {found.plan.seed}"
    families = [one.families for one in found.contrasts]
    if max(families) <= EXACT_BOOTSTRAP_GROUPS:
        return "every draw being counted"
    if min(families) > EXACT_BOOTSTRAP_GROUPS:
        return made
    return f"every draw being counted up to {EXACT_BOOTSTRAP_GROUPS} families, {made} beyond"


def _tests(found: Analysis, _: RunTable) -> Iterable[str]:
    if not any(one.p_value is not None for one in found.contrasts):
        return
    many = any(one.families > EXACT_GROUPS for one in found.contrasts)
    how = (
        f"all sign vectors being counted for up to {EXACT_GROUPS} families and {FLIPS:,} random ones (seed "
        f"{found.plan.seed}) beyond"
        if many
        else "all sign vectors being counted"
    )
    yield f"P-values are two-sided and flip the signs of whole families, {how}."
    tested = [one for one in found.contrasts if one.p_adjusted is not None]
    primary = primary_results(found.contrasts)
    exploratory = [one for one in tested if one.role == "exploratory"]
    corrected = []
    if primary:
        corrected.append(
            f"by Holm over {_counted_results(primary)} "
            f"({joined([told(one) for one in primary])}{_untested(primary)})"
        )
    if exploratory:
        corrected.append(
            f"by Benjamini and Hochberg over {counted(len(exploratory), 'exploratory result')}"
            f"{_secondary(exploratory)}"
        )
    claims = any(one.equivalence is not None for one in tested)
    entering_as = ", a claim within a margin entering with its own p-value" if claims else ""
    yield (
        f"They are corrected {joined(corrected)}{entering_as}; those of single tasks, which exchange the labels of "
        f"trials within systems{_exchanges(found)}, by Benjamini and Hochberg over the tasks of a contrast."
    )


def _counted_results(primary: Sequence[ContrastResult]) -> str:
    """Say how many primary results there are, and of how many contrasts where they are fewer."""
    contrasts = len({one.contrast for one in primary})
    if contrasts == len(primary):
        return counted(contrasts, "primary contrast")
    return f"{len(primary)} results of {counted(contrasts, 'primary contrast')}"


def _untested(primary: Sequence[ContrastResult]) -> str:
    untested = [told(one) for one in primary if one.p_adjusted is None]
    if not untested:
        return ""
    return (
        f"; {joined(untested)} could not be tested and {'counts' if len(untested) == 1 else 'count'} with a p-value "
        "of 1"
    )


def _exchanges(found: Analysis) -> str:
    """Say that exchanges were drawn, where they were too many to be counted."""
    if all(task.exact for one in found.contrasts for task in one.task_deltas):
        return ""
    return (
        f" (all exchanges up to {EXACT_EXCHANGES:,}, {PERMUTATION_DRAWS:,} random ones with seed {found.plan.seed} "
        "beyond)"
    )


def _secondary(exploratory: Sequence[ContrastResult]) -> str:
    """Say how many of the exploratory results are primary contrasts in other measures than the reward."""
    measures = [one.metric for one in exploratory if one.metric in SECONDARY]
    if not measures:
        return ""
    named = joined([name for metric, name in SECONDARY.items() if metric in measures])
    if len(exploratory) == 1:
        return f", a primary contrast in {named}"
    if len(measures) == len(exploratory):
        return f", all of them primary contrasts in {named}"
    which = (
        "one a primary contrast"
        if len(measures) == 1
        else f"{len(measures)} of them primary contrasts"
    )
    return f", {which} in {named}"


def _claims(found: Analysis, _: RunTable) -> Iterable[str]:
    alpha = 1 - found.plan.confidence
    for one in (*found.plan.contrasts, *found.plan.exploratory):
        results = [
            result
            for result in found.contrasts
            if result.contrast == one.contrast and result.metric == "reward"
        ]
        if one.margin is None or not results:
            continue
        name = minus(results[0].treatment_label, results[0].control_label)
        claimed = (
            f"{one.claim.capitalize()} of the sides of {name} was claimed within a margin of "
            f"{decimal(one.margin)} and"
        )
        untested = [result.setting for result in results if result.equivalence is None]
        if len(untested) == len(results):
            yield f"{claimed} could not be tested."
            continue
        tests = "two one-sided t tests" if one.claim == "equivalence" else "a one-sided t test"
        but = f"; under {joined(untested)} it could not be tested" if untested else ""
        yield f"{claimed} tested by {tests} at {decimal(alpha)} with the clustered standard error{but}."


def _passes(found: Analysis, _: RunTable) -> Iterable[str]:
    most = max((max(arm.pass_at, default=0) for arm in found.arms), default=0)
    if most > 1:
        yield (
            "pass@k and pass^k, the chances that one of k runs and that all of k runs pass strictly, are unbiased "
            f"estimates by task, averaged over the tasks with at least k runs, {each_equal(found.plan)}."
        )
        if any(len(set(arm.pass_tasks.values())) > 1 for arm in found.arms):
            yield "Where a larger k has fewer tasks, it is of other tasks than pass@1 and not to be compared with it."
        if found.plan.denominator == "all" and found.unmeasured:
            yield "In them a run without a measurement is one that did not pass."


def _further(found: Analysis, _: RunTable) -> Iterable[str]:
    if found.components:
        yield "Variance components of rewards are estimated by restricted maximum likelihood."
    if any(one.pairs for one in found.standings):
        yield (
            "Systems under one condition, schema and setting are compared in pairs on common tasks by the same "
            f"test, corrected by Holm over the pairs, at {decimal(1 - found.plan.confidence)}; systems not told apart "
            "share a letter, and there are no ranks."
        )


def _descriptives(found: Analysis, _: RunTable) -> Iterable[str]:
    """Name the published resampling, and of its seeds those that were used."""
    tasks = [one for one in found.contrasts if one.task_bootstrap]
    families = [one for one in found.contrasts if one.family_bootstrap or one.family_balanced]
    flips = [one for one in found.contrasts if one.task_sign_flip is not None]
    if not (tasks or families or flips):
        return
    seeds = {one.descriptive_seed for one in (*tasks, *flips)} - {None}
    seeds |= {FOLLOW_UP_SEED} if families else set()
    named = [str(seed) for seed in (PRIMARY_SEED, LOCAL_SEED, FOLLOW_UP_SEED) if seed in seeds]
    units = joined([name for name, own in (("tasks", tasks), ("families", families)) if own])
    what = [f"Percentile bootstraps of {units} ({BOOTSTRAP_DRAWS:,} draws)"] if units else []
    what += [f"the sign-flip of tasks ({FLIP_DRAWS:,} draws)"] if flips else []
    yield (
        f"{_upper(joined(what))} are descriptives, conditional on these tasks, drawn as those of the M4Bench paper "
        f"({'seed' if len(named) == 1 else 'seeds'} {joined(named)})."
    )


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _software(found: Analysis, _: RunTable) -> Iterable[str]:
    yield (
        f"Computed with m4bench {found.m4bench}, NumPy {version('numpy')} and SciPy {version('scipy')}."
    )
