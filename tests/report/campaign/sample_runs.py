# SPDX-License-Identifier: MIT
"""Runs of an invented campaign, for tests of its report."""

from collections.abc import Iterable, Sequence
from typing import Any

from m4bench.analysis.runs import RunRow, RunTable, Setting, System

FAMILIES = {
    "demo-lactate-raw": "lactate",
    "demo-lactate": "lactate",
    "demo-fluid-balance-raw": "fluid-balance",
    "demo-fluid-balance": "fluid-balance",
    "demo-sedation-depth": "sedation",
    "demo-frailty-score-raw": "frailty",
    "demo-frailty-score": "frailty",
    "demo-transfusion-raw": "transfusion",
    "demo-weaning": "weaning",
    "demo-weaning-raw": "weaning",
}
CONTROLS = tuple(FAMILIES)[:6]
SPECIFIED = tuple(FAMILIES)[2:7]
LARGE = System("codex", "gpt-5.5", "medium")
SMALL = System("codex", "gpt-5.4-mini", "medium")
PUBLISHED = Setting("mimic-iv-demo", "", "published", "strict", "bwrap", "open")
TRIALS = 3
UNMEASURED = {"infrastructure", "provider-rate-limit"}
# What each condition adds to the reward of a task without a skill, before it is bounded by 1.
GAINS = {
    "no-skill": 0.0,
    "with-skill-decoy": -0.01,
    "operational-spec": 0.12,
    "with-skill-rawsql": 0.24,
    "with-skill": 0.18,
    "with-skill+checks": 0.20,
}


def build_run(
    task: str = "demo-lactate",
    condition: str = "no-skill",
    *,
    family: str | None = None,
    schema: str = "native",
    system: System = LARGE,
    setting: Setting = PUBLISHED,
    trial: int = 1,
    reward: float | None = 0.5,
    strict: bool = False,
    state: str = "completed",
    publishable: bool = True,
    **measured: Any,
) -> RunRow:
    """Return a run; one in a state without a measurement has no reward."""
    valid = state not in UNMEASURED
    told = reward if valid else None
    return RunRow(
        run_id="_".join((task, condition, schema, *system, setting.convention, f"t{trial}")),
        task=task,
        family=FAMILIES.get(task, task) if family is None else family,
        mode="raw" if task.endswith("-raw") else "standard",
        condition=condition,
        schema=schema,
        system=system,
        setting=setting,
        trial=trial,
        reward=told if state in {"completed", *UNMEASURED} else 0.0,
        strict=strict and state == "completed",
        state=state,
        valid=valid,
        publishable=publishable,
        **measured,
    )


def sample_table() -> RunTable:
    """Return a whole campaign: ten tasks, two systems, six conditions, three schemas, three conventions, failures.

    Raw SQL and the decoy were run on six tasks, the operational specification on five; `obfuscated` with and
    without the skill, `restructured` with it alone, both by the small model; costs are told of the large model only.
    """
    runs = [
        run
        for condition in GAINS
        for task in _tasks(condition)
        for system in (LARGE, SMALL)
        for run in _trials(task, condition, system)
    ]
    for schema, conditions in (
        ("obfuscated", ("no-skill", "with-skill")),
        ("restructured", ("with-skill",)),
    ):
        for condition in conditions:
            for task in FAMILIES:
                runs += _trials(task, condition, SMALL, schema=schema, less=0.08)
    for convention, less in (("current", 0.03), ("adjudicated", 0.11)):
        for condition in ("no-skill", "with-skill"):
            for task in CONTROLS:
                setting = PUBLISHED._replace(convention=convention)
                runs += _trials(task, condition, LARGE, setting=setting, less=less)
    return table(runs)


def table(runs: Iterable[RunRow]) -> RunTable:
    """Return runs in the order a table has."""
    return RunTable(
        tuple(sorted(runs, key=lambda run: (run.cell, run.trial))), {"runs.csv": "0" * 64}
    )


def _tasks(condition: str) -> Sequence[str]:
    if condition == "operational-spec":
        return SPECIFIED
    return CONTROLS if condition in {"with-skill-rawsql", "with-skill-decoy"} else tuple(FAMILIES)


def _trials(
    task: str,
    condition: str,
    system: System,
    *,
    schema: str = "native",
    setting: Setting = PUBLISHED,
    less: float = 0.0,
) -> list[RunRow]:
    """Return the trials of a cell: their rewards follow from the task's place and the condition's gain."""
    place = tuple(FAMILIES).index(task)
    base = 0.42 + 0.05 * place + (0.06 if system == LARGE else 0.0) - less
    gain = (
        GAINS[condition] * (1.9 - 0.22 * place) * (1.0 if system == LARGE else 1.3 - 0.05 * place)
    )
    told: dict[str, Any] = {"seconds": 180.0 + 22 * place + 40 * len(condition)}
    if system == LARGE:
        told |= {
            "cost_usd": 0.31 + 0.02 * place,
            "input_tokens": 410_000 + 9_000 * place,
            "output_tokens": 8_000 + 100 * place,
        }
    found = []
    for trial in range(1, TRIALS + 1):
        reward = min(1.0, max(0.0, base + gain + 0.015 * (trial - 2)))
        state = "completed"
        if (place, condition, trial) == (4, "no-skill", 3) and system == SMALL:
            state = "timeout"
        elif (place, condition, trial) == (7, "with-skill", 2) and system == LARGE:
            state = "infrastructure"
        elif (place, condition, trial) == (1, "with-skill+checks", 1):
            state = "no-output"
        found.append(
            build_run(
                task,
                condition,
                schema=schema,
                system=system,
                setting=setting,
                trial=trial,
                reward=reward,
                strict=reward > 0.9,
                state=state,
                **told,
            )
        )
    return found
