# SPDX-License-Identifier: MIT
"""All of a run that is known before it starts: the request, what it names, and its identity. Runs nothing."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

from m4bench.data.store import Store
from m4bench.harness.agents.agent import Agent, AgentSettings, make_agent, skill_folders
from m4bench.harness.model_choice import ModelChoice, ModelSettings, choose_model
from m4bench.harness.sandbox.runtime import runtime_identity
from m4bench.harness.sandbox.sandbox import Limits
from m4bench.harness.workspace.given import Given, given_files, materials_hash
from m4bench.model.errors import InputError
from m4bench.model.legible import is_utf8
from m4bench.model.run import Cell, RunIdentity, SandboxName
from m4bench.model.task import Convention, Drops, Task
from m4bench.suites.suite import StageRequest, Staging, Suite, find_task

DEFAULT_MEMORY = Limits.memory
DEFAULT_DISK = Limits.disk
LONGEST_TIMEOUT = 7 * 24 * 3600.0
LAST_TRIAL = 1_000_000
LONGEST_NAME = 300
# A run's folder gets the rest of a file name's 255 bytes for its trial, its hash and a failure's own mark.
LONGEST_RUN_ID = 190


@dataclass(frozen=True)
class RunRequest:
    """What is asked for: a cell, a trial, and where everything is.

    `schema` None is the suite's first, `timeout` None the suite's own. `memory` and `disk` in bytes.
    """

    results: Path
    store: Store
    dataset: str
    task: str
    condition: str
    agent: str
    sandbox: SandboxName = "bwrap"
    schema: str | None = None
    drops: Drops = "strict"
    convention: Convention = "published"
    trial: int = 1
    model: str | None = None
    effort: str | None = None
    program: Path | None = None
    program_args: str | None = None
    timeout: float | None = None
    memory: int = DEFAULT_MEMORY
    disk: int = DEFAULT_DISK
    access: ModelSettings = field(default_factory=ModelSettings)


@dataclass(frozen=True)
class Prepared:
    """Everything about a run that is known before it starts.

    `given` are the texts of the work folder beside the instruction, by path; `model` is the way to the agent's
    model, None for an agent without one.
    """

    suite: Suite
    task: Task
    agent: Agent
    staging: Staging
    given: Mapping[str, Given]
    stage_request: StageRequest
    cell: Cell
    identity: RunIdentity
    digest: str
    limits: Limits
    model: ModelChoice | None = None

    @property
    def run_id(self) -> str:
        """The name of the run's folder."""
        cell = self.cell
        parts = [cell.task, cell.condition.replace("+", "-and-"), cell.schema_, cell.agent]
        parts += [cell.model] if cell.model else []
        named = [re.sub(r"[^A-Za-z0-9.-]+", "-", part).strip(".-") for part in parts]
        words = "__".join(named)[:LONGEST_RUN_ID].rstrip("._-")
        return "__".join([words, f"t{cell.trial}", self.digest[:12]])


def identify(request: RunRequest) -> tuple[str, str]:
    """Return the run id and the full identity a request would have, without running it.

    Raises:
        InputError: as `run`.
    """
    prepared = prepare(request)
    return prepared.run_id, prepared.digest


def prepare(request: RunRequest) -> Prepared:
    """Return a run with everything it names found and checked.

    Raises:
        InputError: something does not exist, is not ready, or makes no sense.
    """
    for option, place in (("results", request.results.absolute()), ("store", request.store.root)):
        if not is_utf8(str(place)):
            raise InputError(
                "its name is not UTF-8", file=place, remedy=f"choose another --{option}"
            )
    if not is_utf8(request.dataset):
        raise InputError(f"no dataset can be called {request.dataset}")
    suite, task = find_task(request.task)
    schema = request.schema or suite.schemas[0]
    _require("condition", request.condition, suite.conditions)
    _require("schema", schema, suite.schemas)
    _require("sandbox", request.sandbox, get_args(SandboxName))
    if not 1 <= request.trial <= LAST_TRIAL:
        remedy = f"trials count from 1 to {LAST_TRIAL}"
        raise InputError(f"there is no trial {request.trial}", remedy=remedy)
    for option, text in (("model", request.model), ("effort", request.effort)):
        if text is not None and not (text.isprintable() and 0 < len(text) <= LONGEST_NAME):
            raise InputError(f"--{option} is no name", remedy=f"1 to {LONGEST_NAME} characters")
    limits = Limits(
        timeout=suite.timeout_seconds if request.timeout is None else request.timeout,
        memory=request.memory,
        disk=request.disk,
    )
    if not (math.isfinite(limits.timeout) and 0 < limits.timeout <= LONGEST_TIMEOUT):
        raise InputError(
            f"a time-out has to be positive and at most {LONGEST_TIMEOUT:.0f} s (7 days)",
            remedy="give --timeout in seconds",
        )
    agent = make_agent(
        request.agent,
        AgentSettings(request.model, request.effort, request.program, request.program_args),
    )
    stage_request = StageRequest(
        store=request.store,
        dataset=request.dataset,
        condition=request.condition,
        schema=schema,
        drops=request.drops,
        convention=request.convention,
        host_paths=request.sandbox == "none",
    )
    staging = suite.stage(task, stage_request)
    if staging.access == "credentialed" and request.sandbox == "none":
        raise InputError(
            f"{request.dataset} is credentialed or not proven to be invented, and without isolation nothing "
            "keeps its rows here",
            remedy="run with --sandbox bwrap",
        )
    model = choose_model(
        agent, request.model, request.access, access=staging.access, dataset=request.dataset
    )
    cell = Cell(
        task=task.name,
        condition=request.condition,
        schema=schema,
        drops=request.drops,
        convention=request.convention,
        dataset=request.dataset,
        agent=request.agent,
        model=request.model,
        effort=request.effort,
        sandbox=request.sandbox,
        trial=request.trial,
    )
    version, options = agent.version(), dict(agent.options())
    options |= model.options() if model is not None else {}
    if not all(is_utf8(text) for text in (version, *options, *options.values())):
        raise InputError(f"the agent {request.agent} is described in text that is not UTF-8")
    given = given_files(staging.skills, staging.programs, skill_folders(agent))
    identity = RunIdentity(
        cell=cell,
        task_version=str(task.version),
        dataset_hash=staging.dataset_hash,
        agent_version=version,
        agent_options=options,
        runtime=runtime_identity(),
        materials=materials_hash(staging.instruction, given),
    )
    digest = identity.digest()
    return Prepared(
        suite, task, agent, staging, given, stage_request, cell, identity, digest, limits, model
    )


def _require(what: str, name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise InputError(f"no {what} is called {name}", remedy=f"choose one of: {', '.join(known)}")
