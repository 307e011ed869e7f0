# SPDX-License-Identifier: MIT
"""Every published table, computed from runs. Knows which tables there are."""

from collections.abc import Callable

from m4bench.analysis.paper import (
    cell_tables,
    controls,
    counts,
    effect,
    extremes,
    integrity,
    inventory,
    keys,
    local,
    schemas,
)
from m4bench.analysis.paper.arms import PaperRuns, paper_runs_of
from m4bench.analysis.paper.cells import PaperTable
from m4bench.analysis.paper.status import UNRELEASED_TABLES
from m4bench.analysis.runs import RunTable

TABLES: tuple[Callable[[PaperRuns], PaperTable], ...] = (
    effect.native_effect,
    effect.camera_ready_native_effect,
    effect.mode_effect,
    effect.family_sensitivity,
    keys.key_table,
    keys.diagnostics_by_task,
    controls.matched_controls,
    controls.operational_specification,
    controls.specification_by_task,
    schemas.schema_probe,
    schemas.generalisation,
    schemas.camera_ready_generalisation,
    extremes.gains,
    extremes.declines,
    extremes.membership,
    extremes.rerun_changes,
    counts.camera_ready_counts,
    counts.secondary_summary,
    integrity.primary_integrity,
    integrity.followup_integrity,
    integrity.artefacts,
    integrity.resources,
    inventory.task_inventory,
    inventory.task_details,
    local.local_effect,
    local.local_deltas,
    local.local_schemas,
    integrity.local_integrity,
    cell_tables.primary_cells,
    cell_tables.followup_cells,
    cell_tables.local_cells,
)


def published_tables(table: RunTable) -> dict[str, PaperTable]:
    """Return the paper's tables by name, computed from runs as far as they determine them.

    Tables of which no run was released come last, without rows.

    Args:
        table: runs that hold the paper's (see `m4bench.analysis.paper.release.paper_runs`); others are left out.
    """
    runs = paper_runs_of(table)
    made = [make(runs) for make in TABLES]
    made += [PaperTable(name, title, (), ()) for name, title in UNRELEASED_TABLES.items()]
    return {one.name: one for one in made}
