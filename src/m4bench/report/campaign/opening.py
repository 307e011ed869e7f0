# SPDX-License-Identifier: MIT
"""The first words on a campaign: what was compared, what came out, how far to trust it. Knows no page."""

from collections.abc import Sequence

from m4bench.analysis.order import conditions_in_order, schema_key
from m4bench.analysis.results import Analysis, ContrastResult
from m4bench.report.campaign import writing
from m4bench.report.wording import BASELINES, foreign, plural, plural_word

MOST_NAMED = 6


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
    """Return one sentence a primary contrast: the delta, its interval, tasks that improved, and what is shown."""
    primary = [one for one in analysis.contrasts if one.role == "primary"]
    return [
        f"{headline(one, analysis.tasks)}; {writing.verdict(one, analysis.plan)}{_limits(one, analysis)}."
        for one in primary[:MOST_NAMED]
    ]


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
    moved = f"{contrast.positive} improved, {contrast.negative} declined"
    if contrast.unchanged:
        moved += f", {contrast.unchanged} unchanged"
    return (
        f"{foreign(contrast.treatment_label)} minus {foreign(contrast.control_label)}{within_setting}: "
        f"{writing.signed(contrast.delta)} in {writing.metric(contrast.metric)} {over}, {within}; {moved}"
    )


def _limits(contrast: ContrastResult, analysis: Analysis) -> str:
    """Say on which part of the report a contrast stands, and whether it can be published."""
    told = {arm.system for arm in analysis.arms if arm.entering and arm.agent not in BASELINES}
    own = contrast.systems
    said = ""
    if len(own) == 1 and len(told) > 1:
        said += f"; within {foreign(own[0])} alone"
    elif own and len(own) < len(told):
        said += f"; within {len(own)} of the {len(told)} systems"
    return said if contrast.publishable else f"{said}; not publishable"


def _counted(analysis: Analysis) -> str:
    enter, lost = analysis.entering, analysis.unmeasured
    said = f"{plural(enter, 'run')} {plural_word(enter, 'enters', 'enter')} the means"
    if lost:
        said += f"; {plural(lost, 'run')} without a measurement {plural_word(lost, 'is', 'are')} in none"
    return f"{said}."


def _named(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMED:
        return ""
    return f" ({', '.join(foreign(name) or 'unnamed' for name in names)})"
