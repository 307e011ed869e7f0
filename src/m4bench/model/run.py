# SPDX-License-Identifier: MIT
"""A run: one trial of a cell, and the record it leaves."""

from datetime import datetime
from typing import Literal

from pydantic import ConfigDict, Field

from m4bench.model.hashing import sha256_record
from m4bench.model.record import Document, Record
from m4bench.model.score import Score
from m4bench.model.task import Convention, Drops

RUN_FORMAT = 1
SandboxName = Literal["bwrap", "none"]


class Cell(Record):
    """What is measured: task × condition × schema × agent × model, under one data set and convention."""

    task: str
    condition: str
    schema_: str = Field(alias="schema")
    drops: Drops
    convention: Convention
    dataset: str
    agent: str
    model: str | None = None
    effort: str | None = None
    sandbox: SandboxName
    trial: int

    model_config = ConfigDict(
        frozen=True, extra="forbid", populate_by_name=True, serialize_by_alias=True
    )


class RunIdentity(Record):
    """Everything a run's result depends on; its hash is the run's identity.

    `materials` is the sha256 of all texts put before the agent; runs recorded before it was kept have none.
    """

    cell: Cell
    task_version: str
    dataset_hash: str
    agent_version: str
    agent_options: dict[str, str]
    runtime: str
    materials: str | None = None

    def digest(self) -> str:
        """Return the sha256 of the identity."""
        left_out = {"materials"} if self.materials is None else set()
        return sha256_record(self.model_dump(mode="json", by_alias=True, exclude=left_out))


class Artefact(Record):
    """A file a run left in its folder."""

    name: str
    bytes: int
    sha256: str


class Outcome(Record):
    """How the agent's program ended.

    `state` is one of `completed`, `no-output`, `agent-error`, `timeout`, `resources`, `infrastructure`,
    or a state of a suite's own; `reason` says why in one line. A timeout or an agent's failure scores 0;
    an infrastructure failure is no measurement at all.
    """

    state: str
    reason: str | None = None
    exit_code: int | None = None
    seconds: float = 0.0


class Publishability(Record):
    """Whether a run may enter analysis, and what speaks against it."""

    publishable: bool
    reasons: tuple[str, ...] = ()


class RunRecord(Document):
    """The content of `run.json`: written last, so that a run exists whole or not at all.

    `materials` is the hash of the texts put before the agent, which `environment.json` lists one by one.
    `release` and `modified` say which release of the data set was used, and whether it departs from it.
    """

    format_version: int = RUN_FORMAT
    run_id: str
    identity: str
    cell: Cell
    task_version: str
    dataset_hash: str
    access: str
    release: str | None
    modified: bool
    reference_hash: str
    agent_version: str
    agent_options: dict[str, str]
    runtime: str
    materials: str | None = None
    engine: str
    m4bench: str
    started: datetime
    finished: datetime
    setup_seconds: float
    setup_bytes: int
    outcome: Outcome
    score: Score | None
    publishability: Publishability
    artefacts: tuple[Artefact, ...]
