# SPDX-License-Identifier: MIT
"""The runs of several sources as one table that is read again as the same runs. Knows no page and no statistic."""

import json
from collections.abc import Mapping

from m4bench.analysis.runs import RunRow, RunTable
from m4bench.report.exhibits import Row, Table
from m4bench.report.site.names import source_labels
from m4bench.report.tables import PRINTED_OF_A_RUN, TABLE_FORMAT


def runs_table(read: RunTable) -> Table:
    """Return one row a run, as read: versions of a task are told in a column of their own."""
    labels = source_labels(read.sources)
    return Table(
        "runs",
        "Runs",
        "One row a run of all sources together; m4bench stats and m4bench report read the CSV again. A run without a "
        "reward has no measurement; an agent’s failure counts as 0.",
        [run_row(run, labels) for run in read],
        PRINTED_OF_A_RUN,
    )


def run_row(run: RunRow, labels: Mapping[str, str]) -> Row:
    """Return a run as a row, with what its source is called."""
    return {
        "run_id": run.run_id,
        "task": run.task,
        "condition": run.condition,
        "schema": run.schema,
        "agent": run.system.agent,
        "model": run.system.model or None,
        "trial": run.trial,
        "reasoning_effort": run.system.effort or None,
        "reward": run.reward,
        "match_rates": json.dumps(dict(run.match_rates), ensure_ascii=False),
        "passed": run.passed,
        "failed": run.failed,
        "errors": run.errors,
        "agent_status": run.state,
        "agent_returncode": run.returncode,
        "elapsed_seconds": run.seconds,
        "truth_rows": run.truth_rows,
        "agent_unique_keys": run.agent_unique_keys,
        "extra_keys": run.extra_keys,
        "key_precision": run.key_precision,
        "key_recall": run.key_recall,
        "key_f1": run.key_f1,
        "ordered_value_columns": run.ordered_columns,
        "ordered_value_nmae": run.ordered_nmae,
        "publishable": run.publishable,
        "isolated": run.isolated,
        "filesystem_canary": run.filesystem_canary,
        "contamination_lint": run.contamination_lint,
        "diagnostics_failed": run.diagnostics_failed,
        "strict_pass": run.strict,
        "family": run.family,
        "mode": run.mode or None,
        **{name: value or None for name, value in run.setting._asdict().items()},
        "task_version": run.task_version or None,
        "outcome_valid": run.valid,
        "input_tokens": run.input_tokens,
        "cached_tokens": run.cached_tokens,
        "output_tokens": run.output_tokens,
        "cost_usd": run.cost_usd,
        "source": labels.get(run.source),
        "format_version": TABLE_FORMAT,
    }
