# SPDX-License-Identifier: MIT
"""The small table of a paper: systems by conditions, with reward, interval and strict passes. Computes nothing.

It is of the schema and setting that come first, as their tables are in order; others stand in the table of arms.
"""

from m4bench.analysis import words
from m4bench.analysis.results import Analysis, ArmResult
from m4bench.report.campaign import writing
from m4bench.report.campaign.arm_tables import bounds
from m4bench.report.campaign.printing import (
    bracketed,
    explained,
    figure,
    marked,
    with_unknown,
)
from m4bench.report.exhibits import Row, Table
from m4bench.report.wording import plural, rate

MOST_ACROSS = 4
SEVERAL = 2
Setting = tuple[str, ...]


def summary_table(analysis: Analysis) -> Table:
    """Return one row a system with the means of each condition in the first setting; in print a cell has three lines.

    Systems stand side by side in print where they are few, else conditions, else each arm has a row.
    """
    arms = _of_the_first_setting(analysis)
    systems = list(dict.fromkeys(arm.system for arm in arms))
    conditions = list(dict.fromkeys(arm.condition for arm in arms))
    if len(systems) * len(conditions) < SEVERAL:
        return Table("summary", "", "", [])
    by_place = {(arm.system, arm.condition): arm for arm in arms}
    setting = _told(arms[0])
    plan = analysis.plan
    caption = (
        f"Means over an arm’s own tasks, {words.each_equal(plan)}, with intervals over families of "
        f"{writing.percent(plan.confidence)}, and strict passes of so many runs; {setting}. Arms with other tasks are "
        "not comparable."
    )
    rows = [
        {
            "system": system,
            **{
                name: value
                for condition in conditions
                for name, value in _columns(condition, by_place.get((system, condition))).items()
            },
        }
        for system in systems
    ]
    title = "Systems by conditions"
    shown = _crossed(systems, conditions, by_place)
    fit = [arm.publishable or not arm.entering for arm in arms]
    in_print = Table(
        "summary",
        title,
        with_unknown(explained(caption, fit), shown),
        shown,
        spaced_by="place" if "place" in shown[0] else "",
    )
    return Table("summary", title, f"One row a system. {caption}", rows, in_print=in_print)


def _of_the_first_setting(analysis: Analysis) -> list[ArmResult]:
    """Return the measured arms in the schema and setting of the first of them."""
    measured = [arm for arm in analysis.arms if arm.entering]
    first = _setting(measured[0]) if measured else ()
    return [arm for arm in measured if _setting(arm) == first]


def _setting(arm: ArmResult) -> Setting:
    return (arm.schema_name, arm.convention, arm.access, arm.drops)


def _told(arm: ArmResult) -> str:
    """Say of which schema and convention the table is."""
    of = f", convention {arm.convention}" if arm.convention else ""
    return f"schema {arm.schema_name}{of}"


def _columns(condition: str, arm: ArmResult | None) -> Row:
    return {
        f"{condition} reward": arm.reward if arm else None,
        **bounds(f"{condition} ", arm.interval if arm else None),
        f"{condition} strict_passes": arm.strict.passes if arm else None,
        f"{condition} strict_runs": arm.strict.runs if arm else None,
    }


def _crossed(
    systems: list[str], conditions: list[str], arms: dict[tuple[str, str], ArmResult]
) -> list[Row]:
    """Return the rows of print, of whichever fits across a page."""
    if len(systems) <= MOST_ACROSS:
        crossed = {
            condition: {_name(system, arms): arms.get((system, condition)) for system in systems}
            for condition in conditions
        }
        return _three_lines("condition", crossed)
    if len(conditions) <= MOST_ACROSS:
        return _three_lines(
            "system",
            {
                _name(system, arms): {
                    condition: arms.get((system, condition)) for condition in conditions
                }
                for system in systems
            },
        )
    return [
        {"condition": arm.condition, "system": _name(arm.system, arms), **_written(arm)}
        for arm in arms.values()
    ]


def _name(system: str, arms: dict[tuple[str, str], ArmResult]) -> str:
    """Return the name of a system, marked where none of its arms may be published."""
    own = [arm for (name, _), arm in arms.items() if name == system]
    return marked(system, any(arm.publishable for arm in own))


def _three_lines(first: str, cells: dict[str, dict[str, ArmResult | None]]) -> list[Row]:
    """Return three rows a name: the rewards, their intervals, the strict passes."""
    return [
        {
            first: {"reward": name, "interval": _tasks(row)}.get(line, ""),
            **{across: _written(arm)[line] if arm else "" for across, arm in row.items()},
            "place": place,
        }
        for place, (name, row) in enumerate(cells.items())
        for line in ("reward", "interval", "strict passes")
    ]


def _tasks(row: dict[str, ArmResult | None]) -> str:
    """Say on how many tasks the means of a row are."""
    numbers = sorted({arm.tasks for arm in row.values() if arm})
    if len(numbers) > 1:
        return f"{numbers[0]} to {numbers[-1]} tasks"
    return plural(numbers[0], "task") if numbers else ""


def _written(arm: ArmResult) -> dict[str, str]:
    return {
        "reward": figure(arm.reward, rate),
        "interval": bracketed(arm.interval),
        "strict passes": f"{arm.strict.passes} of {arm.strict.runs}",
    }
