# SPDX-License-Identifier: MIT
"""The tables of a campaign: an analysis as rows, for a paper or further work. Knows no page and computes nothing.

A table without a row is left out; an empty field is a value that was not determined.
"""

from dataclasses import replace

from m4bench.analysis.results import Analysis
from m4bench.analysis.runs import RunTable
from m4bench.report.campaign import writing
from m4bench.report.campaign.arm_tables import (
    arms_table,
    bounds,
    failures_table,
    pairs_table,
    passes_table,
    standings_table,
    task_arms_table,
)
from m4bench.report.campaign.contrast_tables import all_contrast_tables, percentile_bounds
from m4bench.report.campaign.printing import HEADING, between, delta, printed, with_unknown
from m4bench.report.campaign.summary_table import summary_table
from m4bench.report.exhibits import Table


def campaign_tables(analysis: Analysis, table: RunTable) -> list[Table]:
    """Return every table of a campaign that has a row, those one reads first at the beginning."""
    found = [
        *all_contrast_tables(analysis),
        _descriptives(analysis),
        summary_table(analysis),
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


def _descriptives(analysis: Analysis) -> Table:
    described = [
        one
        for one in analysis.contrasts
        if one.task_bootstrap or one.family_bootstrap or one.task_sign_flip is not None
    ]
    rows = [
        {
            "contrast": one.contrast,
            "setting": one.setting or None,
            "metric": one.metric,
            "delta": one.delta,
            **percentile_bounds("task_bootstrap_", one.task_bootstrap),
            **percentile_bounds("family_bootstrap_", one.family_bootstrap),
            **percentile_bounds("family_balanced_", one.family_balanced),
            "task_sign_flip": one.task_sign_flip,
        }
        for one in described
    ]
    caption = (
        "Percentile bootstraps and the sign-flip test as the paper published them, with its generator and seeds: "
        "tasks resampled, families resampled with their tasks pooled, and means of families resampled; none where "
        "all deltas are equal. They are conditional on the tasks and as a rule narrower than what the number of "
        "families supports."
    )
    table = Table(
        "published-descriptives", "The published intervals and test, as descriptions", caption, rows
    )
    shown = [
        {
            "measure": writing.metric(one.metric),
            "delta": delta(one.delta),
            "tasks": between(row, "task_bootstrap_"),
            "families": between(row, "family_bootstrap_"),
            "means of_families": between(row, "family_balanced_"),
            HEADING: writing.sides(one),
        }
        for row, one in zip(rows, described, strict=True)
    ]
    in_print = Table(
        table.name, table.title, with_unknown(caption, shown), shown, headed_by=HEADING
    )
    return replace(table, in_print=in_print)


def _components(analysis: Analysis) -> Table:
    settings = ("setting",) if any(found.setting for found in analysis.components) else ()
    table = Table(
        "components",
        "Where rewards vary",
        "One row a condition, schema and source of variation: its variance by restricted maximum likelihood, the "
        "standard deviation, its share of the total, and how many levels it was estimated from. Figures of a fit "
        "that did not converge are left out.",
        [
            {
                "condition": found.condition,
                "schema": found.schema_name,
                "setting": found.setting or None,
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
    )
    headings = [
        ", ".join(str(row[name]) for name in ("condition", "schema", *settings) if row[name])
        for row in table.rows
    ]
    return printed(
        table,
        ("source", "deviation", "share", "levels"),
        "Of each source of variation the standard deviation by restricted maximum likelihood, its share of the "
        "variance, and how many levels it was estimated from. Figures of a fit that did not converge are left out.",
        headings,
    )


def _schemas(analysis: Analysis) -> Table:
    table = Table(
        "schemas",
        "Contrasts in other schemas",
        "One row a contrast, schema and system on the tasks that both schemas have. native_delta is "
        "the native one on the same tasks, ratio the delta here divided by it. An empty side was not run.",
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
                "native_delta": one.native_delta,
                "ratio": one.ratio,
            }
            for one in analysis.schemas
        ],
    )
    return printed(
        table,
        ("schema", "tasks", "control", "treatment", "delta", "interval", "native_delta", "ratio"),
        "Each system alone, on the tasks that both schemas have. native delta is the native one on "
        "the same tasks, ratio the delta there divided by it. A side that is not determined was not run.",
        [f"{writing.difference(one.contrast)}, {one.system}" for one in analysis.schemas],
    )


def _sources(analysis: Analysis) -> Table:
    return Table(
        "sources",
        "What the figures were made from",
        "One row a source: the sha256 of a file, or of the identities of a folder’s runs.",
        [{"source": name, "sha256": digest} for name, digest in sorted(analysis.sources.items())],
    )
