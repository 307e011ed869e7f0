# SPDX-License-Identifier: MIT
"""The report's figures as CSV: one row a run, a cell, a scored column. Knows no page.

Text that others wrote (reasons, errors, notes, options) stands as JSON. In every text what is invisible,
breaks a line or reorders is shown as JSON escapes it, and an apostrophe stands before what a spreadsheet
takes for a formula. An empty field is a value that does not exist.
"""

from collections.abc import Iterable
from dataclasses import replace

from m4bench.analysis.run_csv import TABLE_FORMAT as TABLE_FORMAT
from m4bench.analysis.run_csv import Row, as_json, is_measured
from m4bench.analysis.run_csv import csv_text as csv_text
from m4bench.analysis.run_csv import field as field
from m4bench.analysis.run_csv import run_rows as run_rows
from m4bench.model.run import RunRecord
from m4bench.report.arms import Arm
from m4bench.report.exhibits import Table
from m4bench.report.summary import Cell, Summary

PRINTED_OF_A_RUN = (
    "task",
    "condition",
    "schema",
    "agent",
    "model",
    "trial",
    "reward",
    "strict_pass",
    "agent_status",
)
"""The columns of a run that are printed; the CSV has all."""


def cell_rows(summary: Summary) -> list[Row]:
    """Return one row a cell: means over its entering runs, and how many runs stand behind them."""
    return [
        {
            **_place(cell),
            "runs": len(cell.runs),
            "entering_runs": len(cell.entering),
            "publishable": cell.publishable,
            "reward": cell.reward,
            "reward_lowest": min(cell.rewards, default=None),
            "reward_highest": max(cell.rewards, default=None),
            "strict_passes": cell.strict_passes,
            "key_f1": cell.key_f1,
            "ordered_value_nmae": cell.ordered_nmae,
            "format_version": TABLE_FORMAT,
        }
        for cell in _in_order(summary)
    ]


def column_rows(runs: Iterable[RunRecord]) -> list[Row]:
    """Return one row a run and scored column: how many rows matched of how many, and why not."""
    return [
        {
            "run_id": run.run_id,
            "task": run.cell.task,
            "column": name,
            "kind": column.kind,
            "tolerance": column.tolerance,
            "match_rate": column.match_rate,
            "matched": column.matched,
            "total": column.total,
            "mismatched": column.mismatched,
            "unreadable": column.unreadable,
            "missing_rows": column.missing_rows,
            "present": column.present,
            "format_version": TABLE_FORMAT,
        }
        for run in runs
        if is_measured(run) and run.score
        for name, column in run.score.columns.items()
    ]


def _in_order(summary: Summary) -> list[Cell]:
    return [cell for question in summary.questions for _, cell in summary.of_question(question)]


def _place(cell: Cell) -> Row:
    return {
        "task": cell.question.task,
        "task_version": cell.question.version,
        **arm_fields(cell.arm),
    }


MARKED = " † may not be published."


def marked_in_print(table: Table, column: str) -> Table:
    """Return a table that in print marks the names of rows that may not be published, and says what the mark means.

    Args:
        table: rows with `publishable`.
        column: that of the names.
    """
    if all(row["publishable"] for row in table.rows):
        return table
    rows = [
        row if row["publishable"] else {**row, column: f"{row[column]} †"} for row in table.rows
    ]
    printed = Table(table.name, table.title, table.caption + MARKED, rows, table.printed)
    return replace(table, in_print=printed)


def arm_fields(arm: Arm) -> Row:
    """Return what an arm holds fixed, a field each."""
    return {
        "agent": arm.agent,
        "model": arm.model or None,
        "reasoning_effort": arm.effort or None,
        "condition": arm.condition,
        "schema": arm.schema,
        "dataset": arm.dataset,
        "convention": arm.convention,
        "drops": arm.drops,
        "sandbox": arm.sandbox,
        "agent_version": arm.agent_version,
        "agent_options": as_json(dict(arm.agent_options)),
        "dataset_hash": arm.dataset_hash,
    }
