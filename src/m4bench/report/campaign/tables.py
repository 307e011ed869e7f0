# SPDX-License-Identifier: MIT
"""The tables of a campaign: an analysis as rows, for a paper or further work. Knows no page and computes nothing.

A table without a row is left out; an empty field is a value that was not determined.
"""

from collections.abc import Iterable

from m4bench.analysis.results import (
    Analysis,
    ContrastResult,
    Sensitivity,
)
from m4bench.analysis.runs import RunTable
from m4bench.report.campaign.arm_tables import (
    arms_table,
    bounds,
    failures_table,
    pairs_table,
    passes_table,
    standings_table,
    task_arms_table,
)
from m4bench.report.exhibits import Table

DELTA = (
    "Deltas are treatment minus control, paired within task and system, each task equal unless the analysis "
    "says otherwise."
)
INTERVALS = (
    "low and high bound the headline interval, which takes the task family as the cluster; bootstrap_t is the "
    "cluster bootstrap-t one; p_value is of the sign-flip of whole families."
)


def campaign_tables(analysis: Analysis, table: RunTable) -> list[Table]:
    """Return every table of a campaign that has a row, those one reads first at the beginning."""
    found = [
        _contrasts(analysis),
        _contrast_tasks(analysis),
        _contrast_systems(analysis),
        _contrast_families(analysis),
        _sensitivity(analysis),
        _descriptives(analysis),
        arms_table(analysis),
        passes_table(analysis),
        task_arms_table(table),
        _components(analysis),
        _schemas(analysis),
        standings_table(analysis),
        pairs_table(analysis),
        failures_table(analysis),
        _sources(analysis),
    ]
    return [one for one in found if one.rows]


def _contrasts(analysis: Analysis) -> Table:
    rows = [
        {
            "contrast": one.contrast,
            "metric": one.metric,
            "role": one.role,
            "treatment": one.treatment,
            "control": one.control,
            "delta": one.delta,
            **bounds("", one.interval),
            **bounds("bootstrap_t_", one.bootstrap_t),
            "p_value": one.p_value,
            "p_adjusted": one.p_adjusted,
            "detectable": one.detectable,
            "improved": one.positive,
            "declined": one.negative,
            "unchanged": one.unchanged,
            "tasks": one.tasks,
            "families": one.families,
            "systems": len(one.systems),
            "runs_treatment": one.runs[0],
            "runs_control": one.runs[1],
            "strict_treatment": one.strict[0].passes,
            "strict_runs_treatment": one.strict[0].runs,
            "strict_control": one.strict[1].passes,
            "strict_runs_control": one.strict[1].runs,
            "claim": one.equivalence.claim if one.equivalence else "difference",
            "margin": one.equivalence.margin if one.equivalence else None,
            "claim_shown": one.equivalence.shown if one.equivalence else None,
            "claim_p": one.equivalence.p_value if one.equivalence else None,
            "publishable": one.publishable,
        }
        for one in analysis.contrasts
    ]
    return Table(
        "contrasts",
        "Contrasts",
        f"One row a contrast and metric. {DELTA} {INTERVALS} p_adjusted is Holm’s over the primary contrasts, "
        "Benjamini and Hochberg’s over the exploratory ones; detectable the smallest true delta found with a "
        "power of 80 %; improved, declined and unchanged count tasks.",
        rows,
        (
            "contrast",
            "metric",
            "delta",
            "low",
            "high",
            "p_adjusted",
            "improved",
            "declined",
            "tasks",
        ),
    )


def _contrast_tasks(analysis: Analysis) -> Table:
    rows = [
        {
            "contrast": one.contrast,
            "metric": one.metric,
            "task": delta.task,
            "family": delta.family,
            "mode": delta.mode,
            "treatment": delta.treatment,
            "control": delta.control,
            "delta": delta.delta,
            "runs_treatment": delta.runs[0],
            "runs_control": delta.runs[1],
            "p_value": delta.p_value,
            "p_adjusted": delta.p_adjusted,
        }
        for one in analysis.contrasts
        for delta in one.task_deltas
    ]
    return Table(
        "contrast-tasks",
        "Contrasts by task",
        f"One row a contrast, metric and task: means over systems, each equal. {DELTA} p_value is of the test that "
        "exchanges trials within a system; p_adjusted is Benjamini and Hochberg’s over the tasks of the contrast.",
        rows,
        ("contrast", "metric", "task", "treatment", "control", "delta", "p_adjusted"),
    )


def _contrast_systems(analysis: Analysis) -> Table:
    rows = [
        {
            "contrast": one.contrast,
            "metric": one.metric,
            "system": system.system,
            "tasks": system.tasks,
            "families": system.families,
            "treatment": system.treatment,
            "control": system.control,
            "delta": system.delta,
            **bounds("", system.interval),
            **bounds("task_bootstrap_", system.task_bootstrap),
            "improved": system.positive,
            "declined": system.negative,
        }
        for one in analysis.contrasts
        for system in one.by_system
    ]
    return Table(
        "contrast-systems",
        "Contrasts within each system",
        f"One row a contrast, metric and system. {DELTA} {INTERVALS} task_bootstrap resamples tasks and is a "
        "description, conditional on them.",
        rows,
        ("contrast", "metric", "system", "delta", "low", "high", "tasks"),
    )


def _contrast_families(analysis: Analysis) -> Table:
    rows = [
        {
            "contrast": one.contrast,
            "metric": one.metric,
            "family": family.family,
            "tasks": family.tasks,
            "delta": family.delta,
        }
        for one in analysis.contrasts
        for family in one.family_deltas
    ]
    return Table(
        "contrast-families",
        "Contrasts by family",
        "One row a contrast, metric and task family: the mean of its task deltas.",
        rows,
    )


def _sensitivity(analysis: Analysis) -> Table:
    rows = [
        {
            "contrast": one.contrast,
            "metric": one.metric,
            "changed": line.name,
            "kind": kind,
            "tasks": line.tasks,
            "families": line.families,
            "delta": line.delta,
            **bounds("", line.interval),
            "p_value": line.p_value,
        }
        for one in analysis.contrasts
        for kind, line in _choices(one)
    ]
    return Table(
        "sensitivity",
        "Contrasts under other choices",
        f"One row a contrast and one choice made otherwise: other tasks or runs, or another weighting. {DELTA}",
        rows,
        ("contrast", "metric", "changed", "tasks", "delta", "low", "high", "p_value"),
    )


def _choices(contrast: ContrastResult) -> Iterable[tuple[str, Sensitivity]]:
    yield from (("mode", line) for line in contrast.by_mode)
    yield from (("choice", line) for line in contrast.sensitivity)


def _descriptives(analysis: Analysis) -> Table:
    rows = [
        {
            "contrast": one.contrast,
            "metric": one.metric,
            "delta": one.delta,
            **bounds("task_bootstrap_", one.task_bootstrap),
            **bounds("family_bootstrap_", one.family_bootstrap),
            **bounds("family_balanced_", one.family_balanced),
            "task_sign_flip": one.task_sign_flip,
        }
        for one in analysis.contrasts
        if one.task_bootstrap or one.family_bootstrap or one.task_sign_flip is not None
    ]
    return Table(
        "published-descriptives",
        "The published intervals and test, as descriptions",
        "Percentile bootstraps and the sign-flip test as the paper published them, with its generator and seeds: "
        "tasks resampled, families resampled with their tasks pooled, and means of families resampled. They are "
        "conditional on the tasks and narrower than what the number of families supports.",
        rows,
        (
            "contrast",
            "metric",
            "delta",
            "task_bootstrap_low",
            "task_bootstrap_high",
            "family_bootstrap_low",
            "family_bootstrap_high",
        ),
    )


def _components(analysis: Analysis) -> Table:
    return Table(
        "components",
        "Where rewards vary",
        "One row a condition, schema and source of variation: its variance by restricted maximum likelihood, the "
        "standard deviation, its share of the total, and how many levels it was estimated from. Figures of a fit "
        "that did not converge are left out.",
        [
            {
                "condition": found.condition,
                "schema": found.schema_name,
                "source": part.name,
                "variance": part.variance if found.converged else None,
                "deviation": part.deviation if found.converged else None,
                "share": part.share if found.converged else None,
                "levels": part.levels,
                "runs": found.runs,
                "cells": found.cells,
                "converged": found.converged,
            }
            for found in analysis.components
            for part in found.components
        ],
        ("condition", "schema", "source", "deviation", "share", "levels"),
    )


def _schemas(analysis: Analysis) -> Table:
    return Table(
        "schemas",
        "Contrasts in other schemas",
        "One row a contrast, schema and system on the tasks that both schemas have. ratio is the delta here divided "
        "by the native one on the same tasks. An empty side was not run.",
        [
            {
                "contrast": one.contrast,
                "schema": one.schema_name,
                "system": one.system,
                "tasks": one.tasks,
                "treatment": one.treatment,
                "control": one.control,
                "delta": one.delta,
                **bounds("", one.interval),
                "improved": one.positive,
                "ratio": one.ratio,
            }
            for one in analysis.schemas
        ],
        ("contrast", "schema", "tasks", "control", "treatment", "delta", "low", "high", "ratio"),
    )


def _sources(analysis: Analysis) -> Table:
    return Table(
        "sources",
        "What the figures were made from",
        "One row a source: the sha256 of a file, or of the identities of a folder’s runs.",
        [{"source": name, "sha256": digest} for name, digest in sorted(analysis.sources.items())],
    )
