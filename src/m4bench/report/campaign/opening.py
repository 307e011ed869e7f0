# SPDX-License-Identifier: MIT
"""The first words on a campaign: what was compared, what came out, how far to trust it. Knows no page."""

from collections.abc import Sequence

from m4bench.analysis import words
from m4bench.analysis.order import CONDITIONS, conditions_in_order, schema_key
from m4bench.analysis.results import Analysis, ContrastResult
from m4bench.report.campaign import writing
from m4bench.report.wording import count, foreign, plural, plural_word

MOST_NAMED = 8
MOST_FOUND = 12
CONTROL = CONDITIONS[0]


def compared(analysis: Analysis) -> list[str]:
    """Return how many runs of what were read, and how many of them count."""
    systems = sorted({arm.system for arm in analysis.arms})
    conditions = conditions_in_order(arm.condition for arm in analysis.arms)
    schemas = sorted({arm.schema_name for arm in analysis.arms}, key=schema_key)
    families = len(set(analysis.families.values()))
    said = [
        f"{plural(analysis.runs, 'run')} of {plural(len(systems), 'system')}{_named(systems)} on "
        f"{plural(analysis.tasks, 'task')} in {plural(families, 'family', 'families')}, under "
        f"{plural(len(conditions), 'condition')}{_named(conditions)}."
    ]
    if len(schemas) > 1:
        said.append(f"The database was shown in {plural(len(schemas), 'schema')}{_named(schemas)}.")
    said.append(_counted(analysis))
    return said


def found(analysis: Analysis) -> list[str]:
    """Return one sentence a primary contrast: the delta, its interval, tasks that improved, and what is shown.

    Where they are more than can be read, the last sentence counts the others and how many of them are shown; where
    nothing was compared it says why.
    """
    primary = [one for one in analysis.contrasts if one.role == "primary"]
    if not analysis.contrasts:
        return [_nothing(analysis)]
    said = [
        f"{headline(one, analysis.tasks)}; {writing.verdict(one, analysis.plan)}{_limits(one, analysis)}."
        for one in primary[:MOST_FOUND]
    ]
    rest = primary[MOST_FOUND:]
    if rest:
        shown = sum(writing.is_shown(one, analysis.plan) for one in rest)
        said.append(
            f"{plural(len(rest), 'primary contrast')} more, of which {count(shown)} {plural_word(shown, 'is', 'are')} "
            "shown, under Primary contrasts."
        )
    return said


def _nothing(analysis: Analysis) -> str:
    """Say why nothing was compared: no two arms make a contrast, most often since the control is elsewhere."""
    said = "Nothing was compared: no two arms of these runs make a contrast of the analysis"
    if all(arm.condition != CONTROL for arm in analysis.arms):
        said += f". None is under {CONTROL}, which others are held against; where its runs are in another table, "
        return f"{said}give both to one report."
    return f"{said}."


def headline(contrast: ContrastResult, tasks: int) -> str:
    """Say without a full stop what a contrast came to, on how many of so many tasks."""
    subset = f"{contrast.tasks} of the {tasks} tasks"
    counted = subset if contrast.tasks < tasks else plural(contrast.tasks, "task")
    over = f"over {counted} in {plural(contrast.families, 'family', 'families')}"
    if contrast.interval is None:
        within = "an interval is not determined"
    else:
        level = writing.percent(contrast.interval.level)
        within = f"{level} interval {writing.interval(contrast.interval)}"
    within_setting = f" ({foreign(contrast.setting)})" if contrast.setting else ""
    better, worse = writing.moved(contrast)
    moved = f"{contrast.positive} {better}, {contrast.negative} {worse}"
    if contrast.unchanged:
        moved += f", {contrast.unchanged} unchanged"
    return (
        f"{foreign(contrast.treatment_label)} minus {foreign(contrast.control_label)}{within_setting}: "
        f"{writing.signed(contrast.delta)} in {writing.metric(contrast.metric)} {over}, {within}; {moved}"
    )


def _limits(contrast: ContrastResult, analysis: Analysis) -> str:
    """Say on which part of the report a contrast stands, and whether it can be published."""
    told = {arm.system for arm in analysis.arms if arm.entering and not arm.is_baseline}
    own = contrast.systems
    said = ""
    if not writing.is_of_conditions(contrast):
        own = ()
    if len(own) == 1 and len(told) > 1:
        said += f"; of {foreign(own[0])} alone"
    elif own and len(own) < len(told):
        said += f"; of {len(own)} of the {len(told)} systems"
    return said if contrast.publishable else f"{said}; not publishable"


def _counted(analysis: Analysis) -> str:
    """Say how many runs the comparisons stand on, and what became of each of the others: the counts add up."""
    enter, lost = analysis.entering, analysis.unmeasured
    aside = analysis.runs - enter - lost
    compared_ones = " that are compared" if analysis.contrasts else ""
    said = (
        f"{plural(enter, 'run')} {plural_word(enter, 'enters', 'enter')} the means{compared_ones}"
    )
    if lost:
        said += (
            f"; {plural(lost, 'run')} without a measurement {plural_word(lost, 'is', 'are')} "
            f"{words.of_unmeasured(analysis.plan)}"
        )
    if aside > 0:
        stand = plural_word(aside, "stands", "stand")
        said += f"; {plural(aside, 'run')} {stand} aside, not publishable where others are"
        said += _aside(analysis)
    return f"{said}."


def _aside(analysis: Analysis) -> str:
    """Name the systems of which nothing may be published, in whose own rows their runs count."""
    fit = {arm.system for arm in analysis.arms if arm.publishable}
    names = sorted({arm.system for arm in analysis.arms if arm.entering} - fit)
    if not names:
        return ""
    return f"{_named(names)}: they count in the rows of {plural_word(len(names), 'that system', 'those systems')} alone"


def _named(names: Sequence[str]) -> str:
    told = [foreign(name) or "unnamed" for name in names[:MOST_NAMED]]
    more = len(names) - len(told)
    return f" ({', '.join(told)}{f' and {more} more' if more else ''})"
