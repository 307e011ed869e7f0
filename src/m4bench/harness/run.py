# SPDX-License-Identifier: MIT
"""One run: stage a task, let an agent at it in a sandbox, score what it left outside, and record it whole.

It knows suites, agents and sandboxes by their protocols alone.
"""

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import m4bench
from m4bench.data.store import REFERENCES
from m4bench.harness.agents.agent import AgentContext, Launch
from m4bench.harness.audit.publishability import judge
from m4bench.harness.environment import ENVIRONMENT, RunEnvironment, variables
from m4bench.harness.preparation import Prepared, RunRequest, identify, prepare
from m4bench.harness.run_folder import RunExistsError, RunFolder
from m4bench.harness.sandbox.readiness import probe
from m4bench.harness.sandbox.runtime import Runtime, ensure_runtime
from m4bench.harness.sandbox.sandbox import (
    Execution,
    Layout,
    Plan,
    Sandbox,
    SandboxError,
    make_sandbox,
)
from m4bench.harness.workspace.workspace import INSTRUCTION, build_workspace, place_program
from m4bench.model.errors import InputError
from m4bench.model.files import write_text
from m4bench.model.run import Outcome, RunRecord
from m4bench.model.score import Score
from m4bench.suites.suite import Staging

__all__ = ["RunExistsError", "RunRequest", "identify", "run"]

PROJECT = Path(m4bench.__file__).resolve().parent
PRIVATE_FILE = 0o600


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
    prepared = prepare(request)
    staged = time.monotonic() - clock
    runtime = ensure_runtime(note=note)
    sandbox = make_sandbox(request.sandbox)
    clock = time.monotonic()
    sandbox.refuse_exposure(_secrets(request))
    with RunFolder(request.results.absolute(), prepared.run_id, prepared.digest[:24]) as folder:
        layout = sandbox.layout(folder.scratch)
        plan, copied = _plan(request, prepared, layout, folder)
        setup = staged + time.monotonic() - clock
        execution = _execute(sandbox, plan, layout, folder.path)
        folder.clear_scratch()
        RunEnvironment.of(prepared, runtime, execution).write(
            folder.path / ENVIRONMENT, mode=PRIVATE_FILE
        )
        outcome = _outcome(execution)
        score = _score(request, prepared, outcome, folder.path / prepared.task.deliverable)
        record = RunRecord(
            **_facts(prepared, runtime),
            started=started,
            finished=datetime.now(UTC),
            setup_seconds=round(setup + execution.start_seconds, 4),
            setup_bytes=copied,
            outcome=outcome,
            score=score,
            publishability=judge(
                sandbox, prepared.agent, outcome, modified=prepared.staging.modified
            ),
            artefacts=folder.artefacts(),
        )
        folder.keep(record)
    return record


def _plan(
    request: RunRequest, prepared: Prepared, layout: Layout, folder: RunFolder
) -> tuple[Plan, int]:
    """Return what the sandbox is to do, and the bytes copied for it."""
    staging, task = prepared.staging, prepared.task
    secret = _secrets(request)
    instruction = folder.path / INSTRUCTION
    write_text(instruction, staging.instruction, mode=PRIVATE_FILE)
    workspace = build_workspace(staging, instruction, task.deliverable)
    launch = prepared.agent.prepare(
        AgentContext(prepared.suite, task, prepared.stage_request, staging.instruction, layout)
    )
    _refuse_program(launch, secret)
    _refuse_references(request, staging)
    program, program_bytes = place_program(launch, folder.scratch / "agent")
    plan = Plan(
        argv=launch.argv,
        env={**variables(prepared, layout), **launch.env},
        work=workspace.files,
        program=program,
        binds=staging.binds,
        forbidden=(*secret.values(), Path.home(), Path("/etc/shadow")),
        deliverable=task.deliverable,
        limits=prepared.limits,
    )
    return plan, workspace.bytes + program_bytes


def _facts(prepared: Prepared, runtime: Runtime) -> dict[str, Any]:
    """Return what a record says of a run that was known before it started."""
    return {
        "run_id": prepared.run_id,
        "identity": prepared.digest,
        "cell": prepared.cell,
        "task_version": prepared.identity.task_version,
        "dataset_hash": prepared.staging.dataset_hash,
        "access": prepared.staging.access,
        "release": prepared.staging.release,
        "modified": prepared.staging.modified,
        "reference_hash": prepared.staging.reference_hash,
        "agent_version": prepared.identity.agent_version,
        "agent_options": prepared.identity.agent_options,
        "runtime": runtime.identity,
        "engine": f"duckdb {version('duckdb')}",
        "m4bench": version("m4bench"),
    }


def _secrets(request: RunRequest) -> Mapping[str, Path]:
    """Return what no agent may see; of the store, which holds the references, a staging shows files."""
    return {
        "the store": request.store.root.resolve(),
        "the results": request.results.resolve(),
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


def _refuse_references(request: RunRequest, staging: Staging) -> None:
    """Hold a suite to the promise that a hidden reference is never put before an agent."""
    hidden = (request.store.root / REFERENCES).resolve()
    for name, source in {**staging.files, **staging.binds}.items():
        if source.resolve().is_relative_to(hidden):
            raise InputError("a suite would show a hidden reference", file=name)


def _execute(sandbox: Sandbox, plan: Plan, layout: Layout, into: Path) -> Execution:
    try:
        return sandbox.execute(plan, layout, into)
    except SandboxError as error:
        reason = str(error)
        machine = probe() if sandbox.isolated else None
        if machine is not None and not machine.ready:
            reason = f"{reason}; {machine.remedy}"
        return Execution("infrastructure", reason, None, 0.0, 0.0, "missing")


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
    request: RunRequest, prepared: Prepared, outcome: Outcome, deliverable: Path
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
