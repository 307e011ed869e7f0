# SPDX-License-Identifier: MIT
"""What the released runs determine of each published table, cell by cell, and why not. Computes nothing."""

from typing import NamedTuple

UNDETERMINED = "–"

APRIL = "the exploratory runs of 28 April were not released"
CLAUDE_FULL = "the full Claude campaign was not released"
CLAUDE_SENTINEL = "the run list of the Claude sentinel campaign was not released"
DIRECTORIES = "run lists do not tell which directories and files campaigns left"
MACHINE = "run lists do not tell of the machine"
OF_KEPT_RUNS = "more than the 760 released runs took, presumably of all 800 kept"
PILOT = "the pilot's runs were not released"
SECOND_OF_MAY = "the runs of 2 May that replacement runs superseded were not released"
SUMMARY = "a reader's summary, no target"
TOKENS = "the released run lists hold no token counts"
TRANSFORMED_CONTROL = "the no-skill runs on transformed schemas were not released"
ALL_EVIDENCE = "counts Claude runs too, whose lists were not released"

UNRELEASED_TABLES = {
    "camera_ready_claude_full_native_skill_effect": "Effect of targeted skills, Claude, all tasks",
    "camera_ready_claude_full_subsets": "Effect of targeted skills, Claude, by subset",
    "camera_ready_claude_full_task_deltas_top6": "The largest task deltas, Claude",
    "camera_ready_claude_full_harness": "Versions and routing of the Claude campaign",
    "claude_native_skill_effect": "Effect of targeted skills, Claude, eight tasks",
    "claude_task_deltas": "Task deltas, Claude, eight tasks",
    "claude_schema_probe": "Rewards without skill by schema, Claude",
    "cells_claude_sentinel": "Cells of the Claude sentinel campaign",
    "codex_skill_all_probe": "All skills at once",
    "pilot_audit": "Audit of the pilot",
    "pilot_condition_summary": "Rewards of the pilot",
    "pilot_skill_wins": "The largest gains of the pilot",
}
_EVERY = "*"
_CLAUDE_COUNTS = (
    "claude sentinel canonical runs",
    "claude full-coverage canonical runs",
    "claude full-coverage attempts excluded",
)
# Table, first key of the row, column: why it is not determined; the first that fits holds.
_RULES: tuple[tuple[str, str, str, str], ...] = (
    *((f"camera_ready_claude_full_{part}", _EVERY, _EVERY, CLAUDE_FULL)
      for part in ("native_skill_effect", "subsets", "task_deltas_top6", "harness")),
    *((table, _EVERY, _EVERY, CLAUDE_SENTINEL)
      for table in ("claude_native_skill_effect", "claude_task_deltas", "claude_schema_probe",
                    "cells_claude_sentinel")),
    ("codex_skill_all_probe", _EVERY, _EVERY, APRIL),
    *((table, _EVERY, _EVERY, PILOT)
      for table in ("pilot_audit", "pilot_condition_summary", "pilot_skill_wins")),
    ("codex_schema_probe", _EVERY, "native", APRIL),
    *(("codex_schema_probe", _EVERY, column, TRANSFORMED_CONTROL)
      for column in ("obfuscated", "restructured")),
    *(("camera_ready_schema_skill_generalization", schema, column, TRANSFORMED_CONTROL)
      for schema in ("obfuscated", "restructured")
      for column in ("tasks", "no_skill", "skill_delta", "ci_low", "ci_high", "positive_tasks",
                     "robustness_ratio")),
    ("rerun_changes", "claude", "final_delta", CLAUDE_SENTINEL),
    *(("rerun_changes", _EVERY, column, SECOND_OF_MAY) for column in ("delta_2_may", "change")),
    ("secondary_summary_unverified", _EVERY, "secondary_summary", SUMMARY),
    *(("secondary_summary_unverified", row, "recomputed_from_released_run_table", CLAUDE_FULL)
      for row in ("claude opus strict no/with", "claude sonnet strict no/with",
                  "claude nMAE task-balanced no/with")),
    *(("camera_ready_counts", row, "value", ALL_EVIDENCE)
      for row in ("runs in all public evidence", "paper-facing runs with egress logs")),
    ("camera_ready_counts", _CLAUDE_COUNTS[0], "value", CLAUDE_SENTINEL),
    *(("camera_ready_counts", row, "value", CLAUDE_FULL) for row in _CLAUDE_COUNTS[1:]),
    *((table, f"Retained {name} artifacts", "count", DIRECTORIES)
      for table in ("codex_integrity", "oss_integrity")
      for name in ("output.csv", "trace.jsonl", "instruction.md", "egress.jsonl")),
    *(("codex_followup_integrity", row, "count", DIRECTORIES)
      for row in ("Raw result directories", "Superseded duplicate directories")),
    *((table, "Claude sentinel", "canonical_runs", CLAUDE_SENTINEL)
      for table in ("artifact_package", "compute_resources")),
    *(("artifact_package", _EVERY, column, DIRECTORIES)
      for column in ("provenance_only_dirs", "retained_dirs", "result_json", "output_csv",
                     "instruction_md", "trace_jsonl", "egress_jsonl", "retained_size")),
    *(("compute_resources", _EVERY, column, DIRECTORIES)
      for column in ("provenance_only_dirs", "retained_dirs", "selected_dirs")),
    ("compute_resources", _EVERY, "hardware", MACHINE),
    *(("compute_resources", "Codex primary", column, reason)
      for column, reason in (("agent_wall_clock_h", OF_KEPT_RUNS),)),
    ("compute_resources", "Claude sentinel", "agent_wall_clock_h", CLAUDE_SENTINEL),
    *(("compute_resources", _EVERY, column, TOKENS)
      for column in ("uncached_input", "cached_input", "output_tokens")),
    ("compute_resources", "Claude sentinel", "hours_of_canonical_runs", CLAUDE_SENTINEL),
)  # fmt: skip


# Table, first key of the row, column: how the computed figure differs from the printed one, and why.
REMARKS = {
    (
        "secondary_summary_unverified",
        "key F1 GPT 5.4 Mini no/with",
        "recomputed_from_released_run_table",
    ): "0.952496 was rounded twice in print: to 0.9525, then to 0.953",
}


class Status(NamedTuple):
    """Whether the released runs, with the definitions of tasks, determine a cell.

    `why` is the reason if they do not, `remark` what is to be said where they do and the printed cell differs.
    """

    determined: bool
    why: str = ""
    remark: str = ""


def status_of(table: str, key: tuple[str, ...], column: str) -> Status:
    """Return the status of a cell of a published table, known by the texts of its row's key columns.

    Labels of rows are determined with the table they stand in; of a table of which nothing is, they are not.
    """
    first = key[0] if key else ""
    for of_table, row, of_column, why in _RULES:
        if of_table == table and row in (_EVERY, first) and of_column in (_EVERY, column):
            return Status(False, why)
    return Status(True, remark=REMARKS.get((table, first, column), ""))
