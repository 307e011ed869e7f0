# SPDX-License-Identifier: MIT
"""Which runs of a table are the paper's: its campaigns and their cells. Computes nothing."""

from collections.abc import Iterable
from typing import NamedTuple

from m4bench.analysis.runs import RunRow, RunTable

MINI, LARGE = "gpt-5.4-mini", "gpt-5.5"
CODEX_MODELS = (MINI, LARGE)
LOCAL_MODEL = "gpt-oss:20b"
NO_SKILL, WITH_SKILL = "no-skill", "with-skill"
DECOY, RAW_SQL, SPECIFICATION = "with-skill-decoy", "with-skill-rawsql", "operational-spec"
NATIVE, OBFUSCATED, RESTRUCTURED = "native", "obfuscated", "restructured"
TRANSFORMED = (OBFUSCATED, RESTRUCTURED)
DATASETS = ("mimic-iv", "eicu")


class Side(NamedTuple):
    """One side of a comparison."""

    condition: str
    schema: str = NATIVE


CONTROL, SKILL = Side(NO_SKILL), Side(WITH_SKILL)


def of_side(runs: Iterable[RunRow], side: Side) -> tuple[RunRow, ...]:
    """Return the runs of one side."""
    return tuple(run for run in runs if (run.condition, run.schema) == side)


class CellName(NamedTuple):
    """A cell as the published tables name it."""

    task: str
    condition: str
    schema: str
    model: str

    @classmethod
    def of(cls, run: RunRow) -> "CellName":
        """Return the name of a run's cell."""
        return cls(run.task, run.condition, run.schema, run.system.model)


class Campaign:
    """The runs of one published campaign, ordered by cell and trial, and those that figures stand for.

    `runs` are all of it, `cells` by name the ones entering (see `m4bench.analysis.runs.entering`).
    """

    def __init__(self, runs: Iterable[RunRow]) -> None:
        self.runs = tuple(sorted(runs, key=lambda run: (*CellName.of(run), run.trial, run.run_id)))
        found: dict[CellName, list[RunRow]] = {}
        for run in self.runs:
            found.setdefault(CellName.of(run), []).append(run)
        self.cells = {name: tuple(found[name]) for name in sorted(found)}

    def select(
        self,
        *sides: Side,
        tasks: Iterable[str] | None = None,
        models: Iterable[str] | None = None,
    ) -> tuple[RunRow, ...]:
        """Return the runs of the given sides, tasks and models; a criterion that is left out admits all."""
        wanted = None if tasks is None else frozenset(tasks)
        allowed = None if models is None else frozenset(models)
        return tuple(
            run
            for run in self.runs
            if (not sides or (run.condition, run.schema) in sides)
            and (wanted is None or run.task in wanted)
            and (allowed is None or run.system.model in allowed)
        )


class PaperRuns(NamedTuple):
    """The published campaigns of which runs were released."""

    primary: Campaign
    followup: Campaign
    local: Campaign
    transformed_control: Campaign


def _is_of_the_paper(run: RunRow) -> bool:
    """Tell whether a run may be the paper's: on its databases, scored its way, of no task version of this program."""
    setting = run.setting
    return (
        setting.dataset in DATASETS
        and setting.convention == setting.drops == "published"
        and not run.task_version
    )


def paper_runs_of(table: RunTable) -> PaperRuns:
    """Divide a table into the paper's campaigns; runs of anything else are in none.

    Conditions and schemas tell the campaigns of Codex apart: the primary one asked native schemas under four
    conditions, the follow-up the operational specification, and transformed schemas with skill. Transformed
    schemas without skill were run by the paper but not released; a table that has them fills those tables.
    """
    ours = [run for run in table if _is_of_the_paper(run)]
    codex = [
        run for run in ours if run.system.agent == "codex" and run.system.model in CODEX_MODELS
    ]
    primary = {NO_SKILL, WITH_SKILL, DECOY, RAW_SQL}
    return PaperRuns(
        Campaign(run for run in codex if run.schema == NATIVE and run.condition in primary),
        Campaign(
            run
            for run in codex
            if (run.schema == NATIVE and run.condition == SPECIFICATION)
            or (run.schema in TRANSFORMED and run.condition == WITH_SKILL)
        ),
        Campaign(run for run in ours if run.system.model == LOCAL_MODEL),
        Campaign(run for run in codex if run.schema in TRANSFORMED and run.condition == NO_SKILL),
    )
