# SPDX-License-Identifier: MIT
"""From the columns of a runs CSV to a run. Knows no other row and no file but by its name."""

from collections.abc import Mapping
from dataclasses import replace

from m4bench.analysis.csv_fields import Fields
from m4bench.analysis.csv_soundness import is_credentialed, require_sound
from m4bench.analysis.runs import RunRow, Setting, System
from m4bench.analysis.task_facts import TaskFacts
from m4bench.harness.finished.soundness import DEAREST, EXIT_CODES, LONGEST_SECONDS
from m4bench.model.near_names import near
from m4bench.model.outcome import COMPLETED, INFRASTRUCTURE, rule_of

REQUIRED = ("run_id", "task", "condition", "schema", "model", "trial", "reward", "publishable")
COUNTS = ("passed", "failed", "errors")
READ = (
    *REQUIRED,
    *COUNTS,
    "agent",
    "reasoning_effort",
    "match_rates",
    "agent_status",
    "agent_returncode",
    "elapsed_seconds",
    "truth_rows",
    "agent_unique_keys",
    "extra_keys",
    "key_precision",
    "key_recall",
    "key_f1",
    "ordered_value_columns",
    "ordered_value_nmae",
    "isolated",
    "filesystem_canary",
    "contamination_lint",
    "diagnostics_failed",
    "format_version",
    "strict_pass",
    "family",
    "mode",
    "dataset",
    "dataset_hash",
    "access",
    "convention",
    "drops",
    "sandbox",
    "task_version",
    "outcome_valid",
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "cost_usd",
)
PAPER = "published"


def run_row(
    row: Fields, facts: Mapping[str, TaskFacts], source: str, *, held: bool = False
) -> RunRow:
    """Return the run that a row tells of; one that is `held` comes from a record that agrees with itself.

    Where a table has no `agent_status`, the state follows: without a reward `infrastructure` (no measurement),
    a return code other than 0 `agent-error`, an error without distinct keys and without a check
    `no-output`, else `completed`. A table without `convention` and `drops` is the paper's: `published`; its
    dataset is the task's site. Where it has no `agent`, the run id tells it.

    Raises:
        InputError: a field does not hold what its column is for, nobody knows the task's family, or nothing tells
            whether a measured run passes strictly; or fields contradict one another.
    """
    run_id, task, condition, schema = (row.named(name) for name in REQUIRED[:4])
    known = _facts(row, task, facts)
    reward, trial = row.share("reward"), row.whole("trial")
    if not trial:
        problem = "is empty" if trial is None else "is 0"
        raise row.wrong("trial", problem, "number the trials of a cell from 1")
    publishable = row.truth("publishable")
    if publishable is None:
        raise row.wrong("publishable", "is empty", "write True or False")
    passed, failed, errors = (row.whole(name) or 0 for name in COUNTS)
    strict = row.truth("strict_pass")
    if strict is None and reward is not None and not any(row.has(name) for name in COUNTS):
        raise row.wrong(
            "strict_pass",
            "is empty, and passed, failed and errors do not tell it either",
            "write True or False; a missing value is no failed check",
        )
    keys, returncode = row.whole("agent_unique_keys"), row.whole("agent_returncode", *EXIT_CODES)
    model = row.interned("model")
    state = row.interned("agent_status") or _state(
        reward, returncode, errors > 0 and keys is None and passed + failed == 0
    )
    valid = row.truth("outcome_valid")
    run = RunRow(
        run_id=run_id,
        task=task,
        family=known.family,
        mode=known.mode,
        condition=condition,
        schema=schema,
        system=System(
            row.interned("agent") or _agent(row, run_id, (task, condition, schema), model, trial),
            model,
            row.interned("reasoning_effort"),
        ),
        setting=_setting(row, known.site),
        trial=trial,
        reward=reward,
        strict=passed >= 1 and failed == errors == 0 if strict is None else strict,
        state=state,
        valid=rule_of(state).valid if valid is None else valid,
        publishable=publishable,
        passed=passed,
        failed=failed,
        errors=errors,
        task_version=row.interned("task_version"),
        match_rates=row.rates("match_rates"),
        truth_rows=row.whole("truth_rows"),
        agent_unique_keys=keys,
        extra_keys=row.whole("extra_keys"),
        key_precision=row.share("key_precision"),
        key_recall=row.share("key_recall"),
        key_f1=row.share("key_f1"),
        ordered_columns=row.whole("ordered_value_columns"),
        ordered_nmae=row.mean_of_shares("ordered_value_nmae"),
        isolated=row.truth("isolated"),
        filesystem_canary=row.truth("filesystem_canary"),
        contamination_lint=row.truth("contamination_lint"),
        diagnostics_failed=row.truth("diagnostics_failed"),
        returncode=returncode,
        seconds=row.number("elapsed_seconds", 0, LONGEST_SECONDS),
        input_tokens=row.whole("input_tokens"),
        cached_tokens=row.whole("cached_tokens"),
        output_tokens=row.whole("output_tokens"),
        cost_usd=row.number("cost_usd", 0, DEAREST),
        source=source,
    )
    if run.is_baseline:
        run = replace(run, publishable=False)
    if not held:
        require_sound(row, run, mean_of_rates=bool(known.values))
    return run


def _facts(row: Fields, task: str, facts: Mapping[str, TaskFacts]) -> TaskFacts:
    """Return what is known of a task: what the installed suites say, else the row's own columns."""
    known = facts.get(task)
    if known is not None:
        return known
    family = row.text("family")
    if family is None:
        meant = near(task, facts)
        remedy = "add a column family, or install the suite the task is of"
        if meant is not None:
            remedy = f"did you mean {meant}? Otherwise {remedy}"
        raise row.wrong(
            "task", "names a task of no installed suite, so that its family is unknown", remedy
        )
    return TaskFacts(row.interned("family"), row.interned("mode"))


def _setting(row: Fields, site: str) -> Setting:
    dataset = row.interned("dataset") or site
    return Setting(
        dataset=dataset,
        dataset_hash=row.interned("dataset_hash"),
        convention=row.interned("convention") or PAPER,
        drops=row.interned("drops") or PAPER,
        sandbox=row.interned("sandbox"),
        access=row.interned("access") or ("credentialed" if is_credentialed(dataset) else ""),
    )


def _state(reward: float | None, returncode: int | None, nothing: bool) -> str:
    if reward is None:
        return INFRASTRUCTURE
    if returncode:
        return "agent-error"
    return "no-output" if nothing else COMPLETED


def _agent(row: Fields, run_id: str, place: tuple[str, str, str], model: str, trial: int) -> str:
    """Return the agent that a run id names: `TASK_CONDITION[_SCHEMA]_AGENT_MODEL_tTRIAL_DATE_TIME`.

    The condition there may be an older name for the same, and a model's colon a hyphen.

    Raises:
        InputError: it names none.
    """
    task, condition, schema = place
    for name in dict.fromkeys((model, model.replace(":", "-").replace("/", "-"))):
        head, found, _ = run_id.rpartition(f"_{name}_t{trial}_")
        if not found or not head.startswith(f"{task}_"):
            continue
        rest = head.removeprefix(f"{task}_")
        for begin in (f"{condition}_{schema}_", f"{condition}_"):
            if rest.startswith(begin):
                return rest.removeprefix(begin)
        return rest.rpartition("_")[2]
    raise row.wrong("agent", "is missing, and the run id does not tell it", "add a column agent")
