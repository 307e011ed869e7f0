# SPDX-License-Identifier: MIT
"""The tables of single systems: arms, cells, strict passes, failures, tie groups. Knows no contrast and no page."""

from collections.abc import Mapping
from typing import Any

from m4bench.analysis.results import Analysis, ArmResult, Interval, Standings
from m4bench.analysis.runs import RunTable, entering
from m4bench.report.campaign import writing
from m4bench.report.campaign.marking import in_print, told_apart
from m4bench.report.exhibits import Row, Table


def arms_table(analysis: Analysis) -> Table:
    """Return one row an arm."""
    found = Table(
        "arms",
        "Arms: system, condition and schema",
        "One row a system under a condition and schema in one setting, over its tasks, each equal. entering_runs "
        "are those the means stand for; unmeasured ones have no result through no fault of the agent and are in "
        "no mean. cost_usd, tokens and seconds are means a run over the runs that told them, cost_told_by how many.",
        [
            {
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
                "cost_told_by": arm.told,
                "publishable": arm.publishable,
            }
            for arm in analysis.arms
        ],
        (
            "system",
            "condition",
            "schema",
            "tasks",
            "reward",
            "low",
            "high",
            "strict_passes",
            "strict_runs",
        ),
    )
    return in_print(
        found,
        "One row a system under a condition and schema in one setting, over its tasks. Means and intervals over "
        "families are those of the runs that enter; low and high bound intervals of "
        f"{writing.percent(analysis.plan.confidence)}. Strict passes are of so many strict runs.",
    )


def passes_table(analysis: Analysis) -> Table:
    """Return one row an arm and number of trials."""
    return in_print(
        Table(
            "passes",
            "Strict passes in several trials",
            "One row an arm and number of trials k: pass_at_k is the chance that one of k trials passes strictly, "
            "pass_all_k that all of k do; means over the tasks with at least k trials.",
            [
                {
                    **_place(arm),
                    "k": k,
                    "pass_at_k": arm.pass_at.get(k),
                    "pass_all_k": arm.pass_all.get(k),
                    "publishable": arm.publishable,
                }
                for arm in analysis.arms
                for k in sorted(arm.pass_at.keys() | arm.pass_all.keys())
            ],
            ("system", "condition", "schema", "k", "pass_at_k", "pass_all_k"),
        )
    )


def task_arms_table(table: RunTable) -> Table:
    """Return one row a cell, which a page of many tasks has no room for."""
    rows: list[Row] = []
    for cell, runs in table.cells().items():
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
                "publishable": bool(counted) and all(run.publishable for run in counted),
            }
        )
    return in_print(
        Table(
            "task-arms",
            "Cells: task by arm",
            "One row a task, system, condition and schema in one setting: the mean reward and the strict passes of its "
            "entering runs.",
            rows,
            ("task", "condition", "schema", "system", "entering_runs", "reward", "strict_passes"),
        )
    )


def failures_table(analysis: Analysis) -> Table:
    """Return one row an arm and way of not completing."""
    rows = [
        {**_place(arm), "state": state, "runs": count, "of_runs": arm.runs}
        for arm in analysis.arms
        for state, count in sorted(arm.failures.items())
        if count
    ]
    return told_apart(
        Table(
            "failures",
            "Runs that did not complete",
            "One row an arm and way of ending without completing. An agent’s failure counts as reward 0; a run without "
            "a measurement is in no mean.",
            rows,
            ("system", "condition", "schema", "state", "runs", "of_runs"),
        )
    )


def standings_table(analysis: Analysis) -> Table:
    """Return one row a system in one setting."""
    return in_print(
        Table(
            "standings",
            "Systems in tie groups",
            "One row a system under a condition and schema in one setting. Systems that share a letter are not told "
            "apart; there are no ranks.",
            [
                {
                    **_group(group),
                    "system": one.system,
                    "tasks": one.tasks,
                    "reward": one.reward,
                    **bounds("", one.interval),
                    "strict_passes": one.strict.passes,
                    "strict_runs": one.strict.runs,
                    "letters": one.letters,
                    "publishable": one.publishable,
                }
                for group in analysis.standings
                for one in group.standings
            ],
            ("condition", "schema", "system", "tasks", "reward", "low", "high", "letters"),
        )
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
    return told_apart(
        Table(
            "pairs",
            "Pairs of systems",
            "One row two systems on the tasks both have: first minus second. p_adjusted is Holm’s over the pairs of a "
            "setting.",
            rows,
            (
                "condition",
                "schema",
                "first",
                "second",
                "tasks",
                "delta",
                "low",
                "high",
                "p_adjusted",
            ),
        )
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
