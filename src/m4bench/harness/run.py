# SPDX-License-Identifier: MIT
"""One run: stage a task, let an agent at it in a sandbox, score what it left outside, and record it whole.

It knows suites, agents and sandboxes by their protocols alone.
"""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import m4bench
from m4bench.data.store import Store
from m4bench.harness.agents.agent import Agent, AgentContext, AgentSettings, Launch, make_agent
from m4bench.harness.audit.publishability import judge
from m4bench.harness.run_folder import RunExistsError, RunFolder
from m4bench.harness.sandbox.runtime import ensure_runtime, runtime_identity
from m4bench.harness.sandbox.sandbox import (
    Execution,
    Layout,
    Limits,
    Plan,
    Sandbox,
    SandboxError,
    make_sandbox,
)
from m4bench.harness.workspace.workspace import INSTRUCTION, build_workspace, place_program
from m4bench.model.errors import InputError
from m4bench.model.files import write_text
from m4bench.model.record import Document
from m4bench.model.run import Cell, Outcome, RunIdentity, RunRecord, SandboxName
from m4bench.model.score import Score
from m4bench.model.task import Convention, Drops, Task
from m4bench.suites.suite import StageRequest, Staging, Suite, find_task

__all__ = ["RunExistsError", "RunRequest", "identify", "run"]

ENVIRONMENT = "environment.json"
ENVIRONMENT_FORMAT = 1
PROJECT = Path(m4bench.__file__).resolve().parent
DEFAULT_MEMORY = Limits.memory
DEFAULT_DISK = Limits.disk


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


class RunEnvironment(Document):
    """What surrounded a run: bounds, the agent's Python, and what the sandbox saw at the end."""

    format_version: int = ENVIRONMENT_FORMAT
    sandbox: str
    limits: dict[str, float]
    runtime: str
    packages: dict[str, str]
    inputs: dict[str, str]
    output: str
    left_out: dict[str, int]
    cut: dict[str, int]


@dataclass(frozen=True)
class _Prepared:
    """Everything about a run that is known before it starts."""

    suite: Suite
    task: Task
    agent: Agent
    staging: Staging
    stage_request: StageRequest
    cell: Cell
    identity: RunIdentity
    digest: str
    limits: Limits

    @property
    def run_id(self) -> str:
        """The name of the run's folder."""
        cell = self.cell
        parts = [cell.task, cell.condition.replace("+", "-and-"), cell.schema_, cell.agent]
        parts += [cell.model] if cell.model else []
        named = [re.sub(r"[^A-Za-z0-9.-]+", "-", part).strip(".-") for part in parts]
        return "__".join([*named, f"t{cell.trial}", self.digest[:12]])


def identify(request: RunRequest) -> tuple[str, str]:
    """Return the run id and the full identity a request would have, without running it.

    Raises:
        InputError: as `run`.
    """
    prepared = _prepare(request)
    return prepared.run_id, prepared.digest


def run(request: RunRequest, note: Callable[[str], None] = lambda _: None) -> RunRecord:
    """Carry out one run and return its record, which is also in `<results>/<run id>/run.json`.

    A run that fails because of the agent is a measurement with reward 0. A failure of the sandbox is none:
    its record has the state `infrastructure` and no score, and lies in `<results>/.infrastructure/`.

    Args:
        request: what to run.
        note: told one line before long work.

    Raises:
        RunExistsError: the results hold this run already.
        InputError: something asked for does not exist, is not ready, or would be exposed to the agent.
    """
    started, clock = datetime.now(UTC), time.monotonic()
    prepared = _prepare(request)
    setup = time.monotonic() - clock
    runtime = ensure_runtime(note=note)
    sandbox = make_sandbox(request.sandbox)
    clock = time.monotonic()
    secret = _secrets(request)
    sandbox.refuse_exposure(secret)
    with RunFolder(request.results.absolute(), prepared.run_id, prepared.digest[:24]) as folder:
        instruction = folder.path / INSTRUCTION
        write_text(instruction, prepared.staging.instruction, mode=0o600)
        workspace = build_workspace(prepared.staging, instruction, prepared.task.deliverable)
        layout = sandbox.layout(folder.scratch)
        launch = prepared.agent.prepare(
            AgentContext(
                prepared.suite,
                prepared.task,
                prepared.stage_request,
                prepared.staging.instruction,
                layout,
            )
        )
        _refuse_program(launch, secret)
        program, program_bytes = place_program(launch, folder.scratch / "agent")
        plan = Plan(
            argv=launch.argv,
            env={**_environment(prepared, layout), **launch.env},
            work=workspace.files,
            program=program,
            binds=prepared.staging.binds,
            forbidden=(*secret.values(), Path.home(), Path("/etc/shadow")),
            deliverable=prepared.task.deliverable,
            limits=prepared.limits,
        )
        setup += time.monotonic() - clock
        execution = _execute(sandbox, plan, layout, folder.path)
        folder.clear_scratch()
        outcome = _outcome(execution)
        score = _score(request, prepared, outcome, folder.path / prepared.task.deliverable)
        RunEnvironment(
            sandbox=sandbox.name,
            limits={name: float(value) for name, value in asdict(prepared.limits).items()},
            runtime=runtime.identity,
            packages=runtime.packages,
            inputs=dict(prepared.staging.inputs),
            output=execution.output,
            left_out=dict(execution.left_out),
            cut=dict(execution.cut),
        ).write(folder.path / ENVIRONMENT, mode=0o600)
        record = RunRecord(
            run_id=prepared.run_id,
            identity=prepared.digest,
            cell=prepared.cell,
            task_version=prepared.identity.task_version,
            dataset_hash=prepared.staging.dataset_hash,
            access=prepared.staging.access,
            reference_hash=prepared.staging.reference_hash,
            agent_version=prepared.identity.agent_version,
            agent_options=prepared.identity.agent_options,
            runtime=runtime.identity,
            engine=f"duckdb {version('duckdb')}",
            m4bench=version("m4bench"),
            started=started,
            finished=datetime.now(UTC),
            setup_seconds=round(setup + execution.start_seconds, 4),
            setup_bytes=workspace.bytes + program_bytes,
            outcome=outcome,
            score=score,
            publishability=judge(sandbox, prepared.agent, outcome, modified=_modified(request)),
            artefacts=folder.artefacts(),
        )
        folder.keep(record)
    return record


def _prepare(request: RunRequest) -> _Prepared:
    suite, task = find_task(request.task)
    schema = request.schema or suite.schemas[0]
    _require("condition", request.condition, suite.conditions)
    _require("schema", schema, suite.schemas)
    if request.trial < 1:
        raise InputError(f"trial {request.trial} does not exist", remedy="trials count from 1")
    limits = Limits(
        timeout=suite.timeout_seconds if request.timeout is None else request.timeout,
        memory=request.memory,
        disk=request.disk,
    )
    if limits.timeout <= 0:
        raise InputError("a time-out has to be positive", remedy="give --timeout in seconds")
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
    identity = RunIdentity(
        cell=cell,
        task_version=str(task.version),
        dataset_hash=staging.dataset_hash,
        agent_version=agent.version(),
        agent_options=dict(agent.options()),
        runtime=runtime_identity(),
    )
    digest = identity.digest()
    return _Prepared(suite, task, agent, staging, stage_request, cell, identity, digest, limits)


def _require(what: str, name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise InputError(f"no {what} is called {name}", remedy=f"choose one of: {', '.join(known)}")


def _secrets(request: RunRequest) -> Mapping[str, Path]:
    """Return what no agent may see; of the store, which holds the references, a staging shows files."""
    return {
        "the store": request.store.root.absolute(),
        "the results": request.results.absolute(),
        "the project's source": PROJECT,
    }


def _refuse_program(launch: Launch, secret: Mapping[str, Path]) -> None:
    if launch.program is None:
        return
    program = launch.program.resolve()
    for what, path in secret.items():
        hidden = path.resolve()
        if hidden.is_relative_to(program) or program.is_relative_to(hidden):
            raise InputError(
                f"the program and {what} lie in one another", file=program, remedy="keep them apart"
            )


def _environment(prepared: _Prepared, layout: Layout) -> dict[str, str]:
    """Return the whole environment of an agent; nothing of this process's own enters it."""
    given = {
        "PATH": layout.path,
        "HOME": layout.home,
        "USER": "agent",
        "LOGNAME": "agent",
        "SHELL": "/bin/sh",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "dumb",
        "M4BENCH_TASK": prepared.task.name,
        "M4BENCH_INSTRUCTION": f"{layout.work}/{INSTRUCTION}",
        "M4BENCH_OUTPUT": f"{layout.work}/{prepared.task.deliverable}",
        "M4BENCH_TIMEOUT_SECONDS": f"{prepared.limits.timeout:g}",
        "M4BENCH_MEMORY_BYTES": str(prepared.limits.memory),
    }
    chosen = {"M4BENCH_MODEL": prepared.cell.model, "M4BENCH_EFFORT": prepared.cell.effort}
    return given | {name: value for name, value in chosen.items() if value is not None}


def _execute(sandbox: Sandbox, plan: Plan, layout: Layout, into: Path) -> Execution:
    try:
        return sandbox.execute(plan, layout, into)
    except SandboxError as error:
        return Execution("infrastructure", str(error), None, 0.0, 0.0, "missing")


def _outcome(execution: Execution) -> Outcome:
    """Return how the run ended: a non-zero exit is the agent's failure whatever it left."""
    state: str = execution.state
    reason = execution.reason
    if state == "exited":
        code = execution.exit_code
        if code:
            state = "agent-error"
            reason = reason or (f"exit code {code}" if code > 0 else f"ended by signal {-code}")
        elif execution.output == "present":
            state = "completed"
        else:
            state, reason = "no-output", f"the output is {execution.output}"
    return Outcome(
        state=state, reason=reason, exit_code=execution.exit_code, seconds=execution.seconds
    )


def _score(
    request: RunRequest, prepared: _Prepared, outcome: Outcome, deliverable: Path
) -> Score | None:
    """Return the score: of the deliverable when the run completed, of nothing when the agent failed."""
    if outcome.state == "infrastructure":
        return None
    measured: dict[str, Any] = {
        "store": request.store,
        "dataset": request.dataset,
        "convention": request.convention,
    }
    if outcome.state == "completed":
        return prepared.suite.score(prepared.task, deliverable, **measured)
    nothing = deliverable.parent / "nothing" / prepared.task.deliverable
    zero = prepared.suite.score(prepared.task, nothing, **measured)
    return zero.model_copy(update={"error": f"{outcome.state}: {outcome.reason}"})


def _modified(request: RunRequest) -> bool:
    dataset = request.store.dataset(request.dataset)
    return dataset.exists() and dataset.manifest().modified
