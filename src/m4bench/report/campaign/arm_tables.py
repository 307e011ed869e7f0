# SPDX-License-Identifier: MIT
"""The tables of single systems: arms, cells, strict passes, failures, tie groups. Knows no contrast and no page.

Their rows come in the one order of conditions, schemas and conventions.
"""

from collections.abc import Mapping
from typing import Any

from m4bench.analysis import words
from m4bench.analysis.order import condition_key, convention_key, schema_key
from m4bench.analysis.results import Analysis, ArmResult, Interval, Standings
from m4bench.analysis.runs import CellKey, RunTable, entering
from m4bench.report.campaign import writing
from m4bench.report.campaign.printing import in_settings
from m4bench.report.exhibits import Row, Table


def arms_table(analysis: Analysis) -> Table:
    """Return one row an arm."""
    plan = analysis.plan
    found = Table(
        "arms",
        "Arms: system, condition and schema",
        f"One row a system under a condition and schema in one setting, over its tasks, {words.each_equal(plan)}. "
        "entering_runs are those the means stand for; unmeasured ones have no result through no fault of the agent and "
        f"are {words.of_unmeasured(plan)}. cost_usd, tokens and seconds are means a run over the entering runs that "
        "told each, of which cost_told_by, tokens_told_by and seconds_told_by say how many.",
        [_arm(arm) for arm in analysis.arms],
    )
    return in_settings(
        found,
        ("system", "tasks", "reward", "interval", "strict_passes"),
        f"Means over an arm’s own tasks, {words.each_equal(plan)}, of the runs that enter: arms with other tasks are "
        f"not comparable. Intervals are over families, of {writing.percent(plan.confidence)}. Strict passes are of so "
        f"many runs. Runs without a measurement are {words.of_unmeasured(plan)}.",
    )


def _arm(arm: ArmResult) -> Row:
    told = arm.told_by
    return {
        **_place(arm),
        "tasks": arm.tasks,
        "families": arm.families,
        "runs": arm.runs,
        "entering_runs": arm.entering,
        "unmeasured": arm.unmeasured,
        "reward": arm.reward,
        **bounds("", arm.interval),
        "strict_passes": arm.strict.passes,
        "strict_runs": arm.strict.runs,
        "key_f1": arm.key_f1,
        "ordered_value_nmae": arm.ordered_nmae,
        "cost_usd": arm.cost_usd,
        "tokens": arm.tokens,
        "seconds": arm.seconds,
        "cost_told_by": told.get("cost_usd", 0),
        "tokens_told_by": told.get("tokens", 0),
        "seconds_told_by": told.get("seconds", 0),
        "publishable": arm.publishable,
    }


def passes_table(analysis: Analysis) -> Table:
    """Return one row an arm and number of trials."""
    plan = analysis.plan
    means = (
        f"means over the tasks with at least k trials, {words.each_equal(plan)}, whose number is tasks: a larger "
        "k that stands on fewer tasks is of other tasks"
    )
    return in_settings(
        Table(
            "passes",
            "Strict passes in several trials",
            "One row an arm and number of trials k: pass_at_k is the chance that one of k trials passes strictly, "
            f"pass_all_k that all of k do; {means}.",
            [
                {
                    **_place(arm),
                    "k": k,
                    "tasks": arm.pass_tasks.get(k),
                    "pass_at_k": arm.pass_at.get(k),
                    "pass_all_k": arm.pass_all.get(k),
                    "publishable": arm.publishable,
                }
                for arm in analysis.arms
                for k in sorted(arm.pass_at.keys() | arm.pass_all.keys())
            ],
        ),
        ("system", "k", "tasks", "pass_at_k", "pass_all_k"),
        "pass at k is the chance that one of k trials passes strictly, pass all k that all of k do; "
        f"{means}.",
    )


def task_arms_table(table: RunTable) -> Table:
    """Return one row a cell, which a page of many tasks has no room for."""
    rows: list[Row] = []
    for cell, runs in sorted(table.cells().items(), key=lambda found: _order(found[0])):
        counted = entering(runs)
        rewards = [run.reward for run in counted if run.reward is not None]
        rows.append(
            {
                "task": cell.task,
                "family": runs[0].family,
                "mode": runs[0].mode,
                "condition": cell.condition,
                "schema": cell.schema,
                "system": str(cell.system),
                "dataset": cell.setting.dataset,
                "convention": cell.setting.convention,
                "access": cell.setting.access,
                "drops": cell.setting.drops,
                "runs": len(runs),
                "entering_runs": len(counted),
                "reward": sum(rewards) / len(rewards) if rewards else None,
                "strict_passes": sum(run.strict for run in counted),
                "strict_runs": len(counted),
                "publishable": bool(counted) and all(run.publishable for run in counted),
            }
        )
    caption = (
        "One row a task, system, condition and schema in one setting: the mean reward and the strict passes of its "
        "measured entering runs."
    )
    return in_settings(
        Table("task-arms", "Cells: task by arm", caption, rows),
        ("task", "system", "reward", "strict_passes"),
    )


def _order(cell: CellKey) -> tuple[object, ...]:
    """Return what cells are sorted by: condition, schema and setting, then task and system."""
    setting = cell.setting
    return (
        condition_key(cell.condition),
        schema_key(cell.schema),
        convention_key(setting.convention),
        setting,
        cell.task,
        cell.system,
    )


def failures_table(analysis: Analysis) -> Table:
    """Return one row an arm and way of not completing."""
    rows = [
        {**_place(arm), "state": state, "runs": count, "of_runs": arm.runs}
        for arm in analysis.arms
        for state, count in sorted(arm.failures.items())
        if count
    ]
    return in_settings(
        Table(
            "failures",
            "Runs that did not complete",
            "One row an arm and way of ending without completing. An agent’s failure counts as reward 0; a run without "
            f"a measurement is {words.of_unmeasured(analysis.plan)}.",
            rows,
        ),
        ("system", "state", "runs", "of_runs"),
    )


def standings_table(analysis: Analysis) -> Table:
    """Return one row a system in one setting."""
    return in_settings(
        Table(
            "standings",
            "Systems in tie groups",
            "One row a system under a condition and schema in one setting. Within one condition, schema and setting, "
            "systems that share a letter are not told apart; there are no ranks, and a letter means nothing in another "
            "setting.",
            [
                {
                    **_group(group),
                    "system": one.system,
                    "tasks": one.tasks,
                    "reward": one.reward,
                    **bounds("", one.interval),
                    "strict_passes": one.strict.passes,
                    "strict_runs": one.strict.runs,
                    "letters": one.letters if len(group.standings) > 1 else "",
                    "publishable": one.publishable,
                }
                for group in analysis.standings
                for one in group.standings
            ],
        ),
        ("system", "tasks", "reward", "interval", "strict_passes", "letters"),
        "Under each heading, systems that share a letter are not told apart; there are no ranks, and a letter means "
        f"nothing under another heading. Intervals are of {writing.percent(analysis.plan.confidence)}.",
    )


def pairs_table(analysis: Analysis) -> Table:
    """Return one row two systems in one setting."""
    rows = [
        {
            **_group(group),
            "first": pair.first,
            "second": pair.second,
            "tasks": pair.tasks,
            "families": pair.families,
            "delta": pair.delta,
            **bounds("", pair.interval),
            "p_value": pair.p_value,
            "p_adjusted": pair.p_adjusted,
        }
        for group in analysis.standings
        for pair in group.pairs
    ]
    return in_settings(
        Table(
            "pairs",
            "Pairs of systems",
            "One row two systems on the tasks both have: first minus second. p_adjusted is Holm’s over the pairs of a "
            "setting.",
            rows,
        ),
        ("first", "second", "tasks", "delta", "interval", "p_adjusted"),
        "The first minus the second, on the tasks both have. p adjusted is Holm’s over the pairs under a heading.",
    )


def _place(arm: ArmResult) -> dict[str, Any]:
    return {
        "system": arm.system,
        "agent": arm.agent,
        "model": arm.model,
        "effort": arm.effort,
        "condition": arm.condition,
        "schema": arm.schema_name,
        "dataset": arm.dataset,
        "convention": arm.convention,
        "access": arm.access,
        "drops": arm.drops,
    }


def _group(group: Standings) -> dict[str, Any]:
    return {
        "condition": group.condition,
        "schema": group.schema_name,
        "dataset": group.dataset,
        "convention": group.convention,
        "access": group.access,
        "drops": group.drops,
    }


def bounds(prefix: str, interval: Interval | None) -> Mapping[str, float | None]:
    """Return the two fields of an interval, empty where there is none."""
    return {
        f"{prefix}low": interval.low if interval else None,
        f"{prefix}high": interval.high if interval else None,
    }
