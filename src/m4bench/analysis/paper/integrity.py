# SPDX-License-Identifier: MIT
"""The published tables of audits and resources, as far as run lists tell them. Knows no reward but whether it is."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from m4bench.analysis.paper.arms import (
    CODEX_MODELS,
    CONTROL,
    MINI,
    OBFUSCATED,
    RESTRUCTURED,
    SKILL,
    SPECIFICATION,
    TRANSFORMED,
    WITH_SKILL,
    PaperRuns,
    Side,
)
from m4bench.analysis.paper.cells import (
    Cell,
    Column,
    PaperTable,
    columns,
    definition,
    design,
    figure,
)
from m4bench.analysis.paper.measures import (
    Runs,
)
from m4bench.analysis.paper.shape import cell_count, paired_tasks
from m4bench.analysis.paper.tasks import CONTROL_TEN, PAPER_TASKS, TRIALS
from m4bench.analysis.runs import RunRow

FLAGS: dict[str, Callable[[RunRow], bool]] = {
    "Publishable flag failures": lambda run: not run.publishable,
    "Isolation flag failures": lambda run: run.isolated is False,
    "Filesystem canary failures": lambda run: run.filesystem_canary is False,
    "Contamination-lint failures": lambda run: run.contamination_lint is False,
    "Nonzero agent exits": lambda run: run.returncode not in (None, 0),
}
MISSING: dict[str, Callable[[RunRow], bool]] = {"Missing rewards": lambda run: run.reward is None}
DIAGNOSTICS: dict[str, Callable[[RunRow], bool]] = {
    "Fully passing diagnostic runs": lambda run: run.strict,
    "Runs with semantic diagnostic failures": lambda run: bool(run.diagnostics_failed),
}
ARTEFACTS = ("output.csv", "trace.jsonl", "instruction.md", "egress.jsonl")


def _count(runs: Runs, holds: Callable[[RunRow], bool]) -> int:
    return sum(holds(run) for run in runs)


def _counts(runs: Runs, criteria: dict[str, Callable[[RunRow], bool]]) -> dict[str, Cell]:
    return {label: figure(runs, partial(_count, holds=holds)) for label, holds in criteria.items()}


def _table(name: str, title: str, counts: dict[str, Cell | None]) -> PaperTable:
    """Return a table of counts; None stands for one that no run list tells."""
    return PaperTable(
        name,
        title,
        ("audit_quantity",),
        columns("audit_quantity count"),
        tuple(
            {"audit_quantity": label} | ({} if count is None else {"count": count})
            for label, count in counts.items()
        ),
    )


def _kept(*names: str) -> dict[str, Cell | None]:
    return {f"Retained {name} artifacts": None for name in names}


def expected_primary_runs() -> int:
    """Return the runs that the primary campaign was to have: five trials of each of its cells."""
    conditions = 2 * len(PAPER_TASKS) + 2 * len(CONTROL_TEN)
    return TRIALS * len(CODEX_MODELS) * conditions


def primary_integrity(runs: PaperRuns) -> PaperTable:
    """Return the audit of the primary campaign."""
    found = runs.primary.runs
    return _table(
        "codex_integrity",
        "Audit of the primary campaign",
        {
            "Runs": figure(found, len),
            "Expected primary/supplementary runs": definition(expected_primary_runs()),
            "Task/condition/schema/model cells": design(found, cell_count),
            **_counts(found, FLAGS | MISSING | DIAGNOSTICS),
            **_kept(*ARTEFACTS),
        },
    )


def followup_integrity(runs: PaperRuns) -> PaperTable:
    """Return the audit of the follow-up campaign."""
    campaign = runs.followup
    specification = Side(SPECIFICATION)
    transformed = [Side(WITH_SKILL, schema) for schema in TRANSFORMED]
    parts = [(specification, model) for model in CODEX_MODELS]
    parts += [(Side(WITH_SKILL, schema), MINI) for schema in (OBFUSCATED, RESTRUCTURED)]
    passing = {"Fully passing diagnostic runs": DIAGNOSTICS["Fully passing diagnostic runs"]}
    return _table(
        "codex_followup_integrity",
        "Audit of the follow-up campaign",
        {
            "Raw result directories": None,
            "Canonical run keys": figure(campaign.runs, len),
            "Superseded duplicate directories": None,
            "Operational-spec canonical runs": figure(campaign.select(specification), len),
            "Transformed-schema with-skill canonical runs": figure(
                campaign.select(*transformed), len
            ),
            **_counts(campaign.runs, FLAGS | passing),
            **{
                f"{side.condition} / {side.schema} / {model}": figure(
                    campaign.select(side, models=[model]), len
                )
                for side, model in parts
            },
        },
    )


def local_integrity(runs: PaperRuns) -> PaperTable:
    """Return the audit of the local arm."""
    found = runs.local.runs
    flags = {label: holds for label, holds in FLAGS.items() if label != "Publishable flag failures"}
    native = runs.local.select(CONTROL, SKILL)
    return _table(
        "oss_integrity",
        "Audit of the local arm",
        {
            "Runs": figure(found, len),
            "Publishable runs": figure(found, partial(_count, holds=lambda run: run.publishable)),
            "Non-publishable local Ollama runs": figure(
                found, partial(_count, holds=lambda run: not run.publishable)
            ),
            "Task/condition/schema/model cells": design(found, cell_count),
            "Native paired tasks": design(native, partial(paired_tasks, sides=(CONTROL, SKILL))),
            **_counts(found, flags | MISSING | DIAGNOSTICS),
            **_kept(*ARTEFACTS),
        },
    )


def _campaigns(runs: PaperRuns, name: str, title: str, names: str) -> PaperTable:
    """Return a table with a row a campaign, of which the run list tells how many runs are canonical."""
    return PaperTable(
        name,
        title,
        ("campaign",),
        columns(names, decimals=1),
        (
            {"campaign": "Codex primary", "canonical_runs": figure(runs.primary.runs, len)},
            {"campaign": "Claude sentinel"},
        ),
    )


def artefacts(runs: PaperRuns) -> PaperTable:
    """Return what the release's artefact package holds, as far as run lists tell."""
    names = (
        "campaign canonical_runs provenance_only_dirs retained_dirs result_json output_csv "
        "instruction_md trace_jsonl egress_jsonl retained_size"
    )
    return _campaigns(runs, "artifact_package", "Artefacts kept", names)


def _hours(runs: Runs) -> float:
    return sum(run.seconds or 0.0 for run in runs) / 3600


def resources(runs: PaperRuns) -> PaperTable:
    """Return what campaigns took, with the hours of canonical runs in a column of ours."""
    names = (
        "campaign canonical_runs provenance_only_dirs retained_dirs hardware agent_wall_clock_h "
        "uncached_input cached_input output_tokens selected_dirs"
    )
    table = _campaigns(runs, "compute_resources", "Resources", names)
    codex, claude = table.rows
    hours = figure(runs.primary.runs, _hours)
    return replace(
        table,
        columns=(*table.columns, Column("hours_of_canonical_runs", decimals=1, added=True)),
        rows=({**codex, "hours_of_canonical_runs": hours}, claude),
        note="The hours of the 760 canonical runs stand in a column of ours; the published ones are of more runs.",
    )
