# SPDX-License-Identifier: MIT
"""A run: one trial of a cell, and the record it leaves."""

from datetime import datetime
from typing import Literal

from pydantic import ConfigDict, Field

from m4bench.model.hashing import sha256_record
from m4bench.model.record import Document, Record
from m4bench.model.score import Score
from m4bench.model.task import Convention, Drops
from m4bench.model.trace import Activity
from m4bench.model.usage import Usage

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

    `state` is one of `m4bench.model.outcome.OUTCOMES` or of a suite's own; `reason` says why in one line.
    `retry`, `grade` and `valid` are what the table said of the state when the run was recorded, `rule` the
    version of the denominator rule that held; all are missing in records of before they were kept.
    """

    state: str
    reason: str | None = None
    exit_code: int | None = None
    seconds: float = 0.0
    retry: bool | None = None
    grade: bool | None = None
    valid: bool | None = None
    rule: str | None = None


class Publishability(Record):
    """Whether a run may enter analysis, and what speaks against it."""

    publishable: bool
    reasons: tuple[str, ...] = ()


class ModelFacts(Record):
    """How an agent reached its model, and what the gateway saw of it.

    `endpoint` is a name or host, never an address with a key; `permitted_by` is why data of this access may go
    there. `models` may be asked for, `models_seen` were, `models_answered` are the names answers
    came under, often with the model's version; `skills_seen` were shown to the model by the tool;
    `hosts` are all that were connected to. `refusals` counts by reason what was not forwarded, `stop_reasons`
    how the model ended its turns. `replayed` answers came from a recording, `divergences` of them to a request
    that only resembles the recorded one.
    """

    endpoint: str
    protocol: str
    permitted_by: str
    models: tuple[str, ...]
    models_seen: tuple[str, ...] = ()
    models_answered: tuple[str, ...] = ()
    skills_seen: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    stop_reasons: dict[str, int] = Field(default_factory=dict)
    refusals: dict[str, int] = Field(default_factory=dict)
    last_failure: str | None = None
    recorded: int = 0
    replayed: int = 0
    divergences: int = 0


class ToolFacts(Record):
    """What a tool said of itself when it started: its version, model, tools and skills, as far as it told them."""

    version: str | None = None
    model: str | None = None
    tools: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()


class RunRecord(Document):
    """The content of `run.json`: written last, so that a run exists whole or not at all.

    `materials` is the hash of the texts put before the agent, which `environment.json` lists one by one.
    `release` and `modified` say which release of the data set was used, and whether it departs from it. `usage`
    and `model` are there when the agent had a model, `activity` and `tool` when what it printed could be read.
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
    usage: Usage | None = None
    model: ModelFacts | None = None
    activity: Activity | None = None
    tool: ToolFacts | None = None
    artefacts: tuple[Artefact, ...]
