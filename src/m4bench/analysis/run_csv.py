# SPDX-License-Identifier: MIT
"""The row a run is written as in a runs CSV, and its columns. Knows no analysis and no page.

Text that others wrote (reasons, errors, notes, options) stands as JSON. In every text what is invisible,
breaks a line or reorders is shown as JSON escapes it, and an apostrophe stands before what a spreadsheet
takes for a formula. An empty field is a value that does not exist.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from m4bench.analysis.csv_fields import guarded
from m4bench.harness.finished.states import COMPLETED, UNMEASURED
from m4bench.model.legible import visible
from m4bench.model.outcome import rule_of
from m4bench.model.run import RunRecord
from m4bench.model.score import Score
from m4bench.model.task import Task

TABLE_FORMAT = 1
Row = Mapping[str, Any]

SCORE_FIELDS = (
    "match_rates",
    "passed",
    "failed",
    "total_tests",
    "errors",
    "truth_rows",
    "agent_unique_keys",
    "matched_keys",
    "missing_keys",
    "extra_keys",
    "duplicate_keys",
    "unreadable_keys",
    "key_precision",
    "key_recall",
    "key_f1",
    "ordered_value_columns",
    "ordered_value_nmae",
)
COLUMNS = (
    "run_id",
    "task",
    "condition",
    "schema",
    "agent",
    "model",
    "trial",
    "reasoning_effort",
    "reward",
    *SCORE_FIELDS,
    "agent_status",
    "agent_returncode",
    "elapsed_seconds",
    "publishable",
    "isolated",
    "filesystem_canary",
    "contamination_lint",
    "diagnostics_failed",
    "tier",
    "tier_name",
    "format_version",
    "strict_pass",
    "family",
    "mode",
    "dataset",
    "access",
    "release",
    "modified",
    "convention",
    "drops",
    "sandbox",
    "task_version",
    "agent_version",
    "agent_options",
    "runtime",
    "engine",
    "m4bench",
    "identity",
    "dataset_hash",
    "reference_hash",
    "started",
    "finished",
    "setup_seconds",
    "setup_bytes",
    "outcome_reason",
    "score_error",
    "score_notes",
    "unpublishable_reasons",
    "outcome_retry",
    "outcome_graded",
    "outcome_valid",
    "denominator_rule",
    "endpoint",
    "protocol",
    "models_answered",
    "skills_seen",
    "gateway_refusals",
    "model_requests",
    "model_requests_failed",
    "model_requests_uncounted",
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "reasoning_tokens",
    "cost_usd",
    "prices",
    "turns",
    "tool_calls",
    "failed_tool_calls",
    "commands",
    "queries",
    "first_event_seconds",
    "first_output_seconds",
    "unread_lines",
)


def is_measured(run: RunRecord) -> bool:
    """Tell whether a run is a measurement: scored, and in a state that a score stands for."""
    return run.score is not None and run.outcome.state not in UNMEASURED


def passes_strictly(run: RunRecord) -> bool:
    """Tell whether a run passes: at least one check, none failed, no error."""
    score = run.score
    if score is None or not is_measured(run) or score.error is not None:
        return False
    checks = score.strict.checks
    return bool(checks) and all(check.passed for check in checks)


def run_rows(runs: Iterable[RunRecord], tasks: Mapping[str, Task]) -> list[Row]:
    """Return one row a run: the columns of M4Bench's published run tables, then our own.

    `tasks` supplies what a record does not hold (family, ordered columns); a task missing there leaves
    those fields empty. `tier`, `filesystem_canary` and `contamination_lint` are kept empty for readers
    of the published tables: audits that speak against a run are in `unpublishable_reasons`.
    """
    return [_run_row(run, tasks.get(run.cell.task)) for run in runs]


def _run_row(run: RunRecord, task: Task | None) -> Row:
    cell, score = run.cell, run.score if is_measured(run) else None
    return {
        "run_id": run.run_id,
        "task": cell.task,
        "condition": cell.condition,
        "schema": cell.schema_,
        "agent": cell.agent,
        "model": cell.model,
        "trial": cell.trial,
        "reasoning_effort": cell.effort,
        "reward": score.reward if score else None,
        **_score_fields(score, run.outcome.state == COMPLETED, task),
        "agent_status": run.outcome.state,
        "agent_returncode": run.outcome.exit_code,
        "elapsed_seconds": run.outcome.seconds,
        "publishable": run.publishability.publishable,
        "isolated": cell.sandbox != "none",
        "filesystem_canary": None,
        "contamination_lint": None,
        "diagnostics_failed": not passes_strictly(run),
        "tier": None,
        "tier_name": None,
        "format_version": TABLE_FORMAT,
        "strict_pass": passes_strictly(run),
        "family": task.family if task else None,
        "mode": task.mode if task else None,
        "dataset": cell.dataset,
        "access": run.access,
        "release": run.release,
        "modified": run.modified,
        "convention": cell.convention,
        "drops": cell.drops,
        "sandbox": cell.sandbox,
        "task_version": run.task_version,
        "agent_version": run.agent_version,
        "agent_options": as_json(run.agent_options),
        "runtime": run.runtime,
        "engine": run.engine,
        "m4bench": run.m4bench,
        "identity": run.identity,
        "dataset_hash": run.dataset_hash,
        "reference_hash": run.reference_hash,
        "started": run.started.isoformat(),
        "finished": run.finished.isoformat(),
        "setup_seconds": run.setup_seconds,
        "setup_bytes": run.setup_bytes,
        "outcome_reason": as_json(run.outcome.reason),
        "score_error": as_json(score.error) if score else None,
        "score_notes": as_json(score.notes) if score else None,
        "unpublishable_reasons": as_json(run.publishability.reasons),
        **_outcome_fields(run),
        **_model_fields(run),
        **_activity_fields(run),
    }


def _outcome_fields(run: RunRecord) -> Row:
    """Return what follows from how a run ended, as recorded, or as the table says for records without it."""
    outcome, rule = run.outcome, rule_of(run.outcome.state)
    return {
        "outcome_retry": rule.retry if outcome.retry is None else outcome.retry,
        "outcome_graded": rule.grade if outcome.grade is None else outcome.grade,
        "outcome_valid": rule.valid if outcome.valid is None else outcome.valid,
        "denominator_rule": outcome.rule,
    }


def _model_fields(run: RunRecord) -> Row:
    """Return what the gateway saw; empty for an agent without a model."""
    usage, model = run.usage, run.model
    return {
        "endpoint": model.endpoint if model else None,
        "protocol": model.protocol if model else None,
        "models_answered": as_json(model.models_answered) if model else None,
        "skills_seen": as_json(model.skills_seen) if model else None,
        "gateway_refusals": as_json(model.refusals) if model else None,
        "model_requests": usage.requests if usage else None,
        "model_requests_failed": usage.failed if usage else None,
        "model_requests_uncounted": usage.uncounted if usage else None,
        "input_tokens": usage.tokens.input if usage else None,
        "cached_tokens": usage.tokens.cached if usage else None,
        "output_tokens": usage.tokens.output if usage else None,
        "reasoning_tokens": usage.tokens.reasoning if usage else None,
        "cost_usd": usage.cost_usd if usage else None,
        "prices": usage.prices if usage else None,
    }


def _activity_fields(run: RunRecord) -> Row:
    """Return what the agent did; empty for one whose output nobody reads."""
    seen = run.activity
    return {
        name: getattr(seen, name) if seen else None
        for name in (
            "turns",
            "tool_calls",
            "failed_tool_calls",
            "commands",
            "queries",
            "first_event_seconds",
            "first_output_seconds",
            "unread_lines",
        )
    }


def _score_fields(score: Score | None, completed: bool, task: Task | None) -> Row:
    """Return the fields that stand for a score; without one, a run is one check that could not be made."""
    if score is None:
        return dict.fromkeys(SCORE_FIELDS) | {
            "match_rates": "{}",
            "passed": 0,
            "failed": 0,
            "total_tests": 1,
            "errors": 1,
        }
    checks, keys = score.strict.checks, score.keys
    passed = sum(check.passed for check in checks)
    errors = int(score.error is not None or not completed)
    return {
        "match_rates": as_json({name: column.match_rate for name, column in score.columns.items()}),
        "passed": passed,
        "failed": len(checks) - passed,
        "total_tests": len(checks) or 1,
        "errors": errors,
        "truth_rows": keys.reference,
        "agent_unique_keys": keys.output,
        "matched_keys": keys.matched,
        "missing_keys": keys.missing,
        "extra_keys": keys.extra,
        "duplicate_keys": keys.duplicate,
        "unreadable_keys": keys.unreadable,
        "key_precision": keys.precision,
        "key_recall": keys.recall,
        "key_f1": keys.f1,
        "ordered_value_columns": _ordered_columns(score, task),
        "ordered_value_nmae": score.ordered_nmae,
    }


def _ordered_columns(score: Score, task: Task | None) -> int | None:
    """Return how many value columns have an order, which only the task knows; 0 where nMAE is undefined."""
    if score.ordered_nmae is None:
        return 0
    if task is None:
        return None
    ordered = set(task.scoring.values) - set(task.scoring.unordered)
    return sum(
        column.kind == "numeric" for name, column in score.columns.items() if name in ordered
    )


def csv_text(rows: Sequence[Row]) -> str:
    """Return rows that share their columns as CSV; without rows it is empty."""
    stream = io.StringIO(newline="")
    if rows:
        writer = csv.DictWriter(stream, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: field(value) for name, value in row.items()} for row in rows)
    return stream.getvalue()


def field(value: Any) -> Any:
    """Return a value as it stands in a CSV field: numbers as they are, texts fit for a spreadsheet."""
    return guarded(_without_edges(visible(value))) if isinstance(value, str) else value


def _without_edges(text: str) -> str:
    """Return a text whose first and last blanks are shown as JSON escapes them: nobody sees them otherwise."""
    inner = text.strip()
    before, _, after = text.partition(inner) if inner else (text, "", "")
    return (
        "".join(f"\\u{ord(blank):04x}" for blank in before)
        + inner
        + "".join(f"\\u{ord(blank):04x}" for blank in after)
    )


def as_json(value: Any) -> str | None:
    """Return a value as the JSON of a field, None where there is none."""
    if value is None:
        return None
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
