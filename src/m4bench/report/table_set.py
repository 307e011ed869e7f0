# SPDX-License-Identifier: MIT
"""All tables of a report with their captions, and those that follow from means. Knows no file and no page."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from m4bench.harness.finished.results import Results
from m4bench.model.task import Task
from m4bench.report import losses
from m4bench.report.disagreements import Examination, Examined, reason
from m4bench.report.exhibits import Row, Table
from m4bench.report.summary import Cell, Summary, is_measured
from m4bench.report.tables import (
    PRINTED_OF_A_RUN,
    arm_fields,
    cell_rows,
    column_rows,
    marked_in_print,
    run_rows,
)
from m4bench.report.trouble import Trouble

NAMES = ("agents", "cells", "runs", "columns", "checks", "disagreements", "troubles")

REWARD = (
    "Reward: mean over scored columns of matched rows / (reference rows + extra keys + duplicate keys); "
    "0 for an agent’s failure or a time-out, empty where there is no measurement."
)


def all_tables(
    results: Results,
    summary: Summary,
    tasks: Mapping[str, Task],
    examination: Examination,
    found_troubles: Sequence[Trouble],
) -> list[Table]:
    """Return every table of a report, those one reads first at the beginning."""
    return [
        marked_in_print(
            Table(
                "agents",
                "Agents, over all tasks",
                "One row an agent with what sets it apart. Means over tasks, each task equal. "
                f"{REWARD} share_matched and the four losses (other value, missing row, row in excess, "
                "nothing to compare) add up to 1.",
                agent_rows(summary),
                ("name", "tasks", "entering_runs", "reward", "strict_passes", "key_f1"),
            ),
            "name",
        ),
        marked_in_print(
            Table(
                "cells",
                "Cells: task by agent",
                "One row a task and agent. Means over the trials that enter: the publishable ones where there "
                f"are any, else every measured one. {REWARD}",
                cell_rows(summary),
                (
                    "task",
                    "agent",
                    "model",
                    "condition",
                    "entering_runs",
                    "reward",
                    "strict_passes",
                    "key_f1",
                ),
            ),
            "agent",
        ),
        marked_in_print(
            Table(
                "runs",
                "Runs",
                "One row a run, with the columns of the published run tables and ours. " + REWARD,
                run_rows(results.runs, tasks),
                PRINTED_OF_A_RUN,
            ),
            "agent",
        ),
        Table(
            "columns",
            "Scored columns of each run",
            "One row a run and scored column. match_rate = matched / total, where total counts reference "
            "rows, extra and duplicate keys; mismatched counts shared keys with another value.",
            column_rows(results.runs),
            ("run_id", "column", "match_rate", "matched", "total"),
        ),
        Table(
            "checks",
            "Strict checks that failed",
            "One row a run and failed check: its value and the threshold it had to reach. A run passes "
            "strictly when at least one check ran and none failed. An empty value could not be computed.",
            check_rows(summary),
            ("task", "agent", "trial", "check", "value", "threshold"),
        ),
        Table(
            "disagreements",
            "Where outputs and references disagree",
            "One row a scored column of the first compared run of a cell that lost any: for what its rows do "
            "not count, and, where the patients are proven to be invented, the first row that disagrees. Of "
            "other data no value is here.",
            disagreement_rows(summary, examination),
            (
                "task",
                "agent",
                "column",
                "match_rate",
                "differing",
                "missing_rows",
                "rows_in_excess",
            ),
        ),
        Table(
            "troubles",
            "What went wrong",
            "One row a thing that went wrong, by kind, the gravest kind first.",
            trouble_rows(found_troubles),
            ("kind", "what", "runs"),
        ),
    ]


FREE_TEXT = (
    "what",
    "why",
    "agent_options",
    "outcome_reason",
    "score_error",
    "score_notes",
    "unpublishable_reasons",
)


def without_free_text(table: Table) -> Table:
    """Return a table without the texts that others wrote, which may tell more than rates and counts."""
    if not table.rows or not set(FREE_TEXT) & set(table.rows[0]):
        return table
    kept = [name for name in table.rows[0] if name not in FREE_TEXT]
    return replace(
        table,
        caption=f"{table.caption} Reasons, errors and options as they were told stand in the CSV alone.",
        rows=[{name: row[name] for name in kept} for row in table.rows],
        printed=tuple(name for name in table.printed if name in kept),
    )


def agent_rows(summary: Summary) -> list[Row]:
    """Return one row an arm: its task-balanced means and where its reward was lost."""
    rows: list[Row] = []
    for arm in summary.arms:
        lost = losses.of_arm(arm)
        rows.append(
            {
                "name": str(arm.name),
                **arm_fields(arm.arm),
                "tasks": arm.measured_tasks,
                "runs": arm.runs,
                "entering_runs": arm.entering,
                "publishable": arm.publishable,
                "reward": arm.reward,
                "strict_passes": arm.strict_passes,
                "key_f1": arm.key_f1,
                **{
                    f"share_{name}": getattr(lost, name) if lost else None for name in losses.SHARES
                },
            }
        )
    return rows


def check_rows(summary: Summary) -> list[Row]:
    """Return one row a measured run and strict check that failed."""
    return [
        {
            "run_id": run.run_id,
            "task": run.cell.task,
            "agent": str(name),
            "trial": run.cell.trial,
            "check": check.name,
            "value": check.value,
            "threshold": check.threshold,
        }
        for name, cell in _in_order(summary)
        for run in cell.runs
        if is_measured(run) and run.score
        for check in run.score.strict.checks
        if not check.passed
    ]


def disagreement_rows(summary: Summary, examination: Examination) -> list[Row]:
    """Return one row a column that lost something, and one a whole row that disagrees."""
    rows: list[Row] = []
    for name, cell in _in_order(summary):
        examined = examination.get((cell.question, cell.arm))
        if examined is not None:
            rows += _examined_rows(str(name), examined)
    return rows


def _examined_rows(name: str, examined: Examined) -> list[Row]:
    head = {"run_id": examined.run.run_id, "task": examined.run.cell.task, "agent": name}
    rows: list[Row] = []
    for counted in examined.counted:
        if not counted.lost:
            continue
        row = examined.row_of(counted.column)
        rows.append(
            {
                **head,
                "column": counted.column,
                "match_rate": counted.score.match_rate,
                "differing": counted.values,
                "unreadable": counted.score.unreadable,
                "missing_rows": counted.score.missing_rows,
                "rows_in_excess": counted.excess,
                "tolerance": counted.score.tolerance,
                "key": json.dumps(dict(row.key)) if row else None,
                "expected": json.dumps(row.expected) if row else None,
                "answered": json.dumps(row.answered) if row else None,
                "why": reason(row, counted.score) if row else examined.unshown,
            }
        )
    whole: list[Row] = [
        dict.fromkeys(DISAGREEMENT_FIELDS)
        | head
        | {"key": json.dumps(dict(row.key)), "why": reason(row)}
        for row in examined.whole_rows
    ]
    return rows + whole


DISAGREEMENT_FIELDS = (
    "run_id",
    "task",
    "agent",
    "column",
    "match_rate",
    "differing",
    "unreadable",
    "missing_rows",
    "rows_in_excess",
    "tolerance",
    "key",
    "expected",
    "answered",
    "why",
)


def trouble_rows(found: Sequence[Trouble]) -> list[Row]:
    """Return one row an item of what went wrong."""
    return [
        {
            "kind": trouble.title,
            "grave": trouble.grave,
            "what": json.dumps(item.what, ensure_ascii=False),
            "agents": json.dumps(item.who, ensure_ascii=False),
            "tasks": json.dumps(item.tasks, ensure_ascii=False),
            "runs": item.runs,
        }
        for trouble in found
        for item in trouble.items
    ]


def _in_order(summary: Summary) -> list[tuple[object, Cell]]:
    return [found for question in summary.questions for found in summary.of_question(question)]
