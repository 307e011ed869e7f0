# SPDX-License-Identifier: MIT
"""The derivation suite as the harness sees it: tasks, staging of their databases, scoring, baselines."""

from collections.abc import Mapping
from pathlib import Path

from m4bench.data.store import Store
from m4bench.model.score import Score
from m4bench.model.task import Convention, Task
from m4bench.suites.derivation.scoring.compare import score_file
from m4bench.suites.derivation.tasks.cards import CONDITIONS, SCHEMAS, load_tasks
from m4bench.suites.suite import StageRequest, Staging

TIMEOUT_SECONDS = 1800


class DerivationSuite:
    """Rebuild a derived table of critical-care research (Ill et al., 2026, M4Bench)."""

    name = "derivation"
    conditions = CONDITIONS
    schemas = SCHEMAS
    timeout_seconds = TIMEOUT_SECONDS

    def tasks(self) -> Mapping[str, Task]:
        """Return all tasks by name."""
        return load_tasks()

    def stage(self, task: Task, request: StageRequest) -> Staging:
        """Return instruction, database and data files of a run.

        Raises:
            InputError: a condition or schema that is not available.
            MissingError, StaleError: the dataset, a concept, the reference or the database is absent or out of
                date; the remedy is the command that makes it.
        """
        # Neither the engine nor the library is needed to score a table against a file.
        from m4bench.suites.derivation.staging import staged

        return staged(task, request)

    def score(
        self, task: Task, deliverable: Path, *, store: Store, dataset: str, convention: Convention
    ) -> Score:
        """Score a table against the hidden reference, its honeytokens left out.

        Raises:
            MissingError, StaleError: the reference is absent or out of date.
        """
        from m4bench.suites.derivation.library.catalogue import library
        from m4bench.suites.derivation.library.plan import current_reference, open_stage
        from m4bench.suites.derivation.schemas.databases import require_site

        place = store.dataset(dataset)
        require_site(task, open_stage(place, convention))
        entry = current_reference(
            library(convention), place, convention, task.reference, hashed=True
        )
        return score_file(
            deliverable,
            place.references(convention) / entry.file,
            task.scoring,
            task=task.name,
            dataset=dataset,
            convention=convention,
            exclude_keys=[tuple(key) for key in entry.honeytokens],
        )

    def baseline(self, kind: str, task: Task, request: StageRequest) -> str:
        """Return the script of a baseline agent.

        Raises:
            InputError: no such baseline.
        """
        from m4bench.suites.derivation.staging import baseline

        return baseline(kind, task, request)
