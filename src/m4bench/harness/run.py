# SPDX-License-Identifier: MIT
"""One run: stage a task, let an agent at it in a sandbox, score what it left outside, and record it whole.

It knows suites, agents and sandboxes by their protocols alone.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import m4bench
from m4bench.data.store import REFERENCES
from m4bench.harness.agents.agent import AgentContext, Launch
from m4bench.harness.audit.publishability import judge
from m4bench.harness.environment import ENVIRONMENT, RunEnvironment, variables
from m4bench.harness.gateway.process import Gateway
from m4bench.harness.interruption import unwinding
from m4bench.harness.model_choice import skill_markers
from m4bench.harness.model_session import ModelSession
from m4bench.harness.outcome import at_endpoint, outcome_of, told
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
    Stop,
    make_sandbox,
)
from m4bench.harness.storage import naming_full_disks
from m4bench.harness.trace.watch import Watch
from m4bench.harness.workspace.workspace import INSTRUCTION, build_workspace, place_program
from m4bench.model.errors import InputError, M4BenchError
from m4bench.model.files import write_text
from m4bench.model.outcome import DENOMINATOR_RULE, RULE_VERSION, UNSCORED, rule_of
from m4bench.model.run import Outcome, RunRecord
from m4bench.model.score import Score
from m4bench.suites.suite import Staging

__all__ = ["RunExistsError", "RunRequest", "identify", "run"]

PROJECT = Path(m4bench.__file__).resolve().parent
PRIVATE_FILE = 0o600


def run(
    request: RunRequest,
    note: Callable[[str], None] = lambda _: None,
    gateway: Gateway | None = None,
) -> RunRecord:
    """Carry out one run and return its record, which is also in `<results>/<run id>/run.json`.

    How it ended is decided by the table in `m4bench.model.outcome`. A run that fails because of the agent is a
    measurement with reward 0. A failure of the sandbox or of a provider is none: its record has no score and
    lies in `<results>/.unmeasured/`. When scoring fails, the run is kept with the state `unscored` and no score,
    to be scored again.

    Args:
        request: what to run.
        note: told one line before long work, and the rule by which runs of models are counted.
        gateway: one that several runs share; by default a run with a model starts its own.

    Raises:
        RunExistsError: the results hold this run already.
        InputError: something asked for does not exist, is not ready, or would be exposed to the agent; or a
            disk is full.
        EndedBySignal: SIGTERM or SIGHUP came; the agent is ended and nothing is left.
    """
    with unwinding(), naming_full_disks(request.results.absolute()):
        return _run(request, note, gateway)


def _run(request: RunRequest, note: Callable[[str], None], gateway: Gateway | None) -> RunRecord:
    _refuse_nesting(request)
    started, clock = datetime.now(UTC), time.monotonic()
    prepared = prepare(request)
    if prepared.model is not None:
        note(f"counted by rule {RULE_VERSION}: {DENOMINATOR_RULE}")
    staged = time.monotonic() - clock
    runtime = ensure_runtime(note=note)
    sandbox = make_sandbox(request.sandbox)
    clock = time.monotonic()
    sandbox.refuse_exposure(_secrets(request))
    results = request.results.absolute()
    # while the folder is still there, the full disk is known by its being full
    with (
        RunFolder(results, prepared.run_id, prepared.digest[:24]) as folder,
        naming_full_disks(results),
    ):
        layout = sandbox.layout(folder.scratch)
        stop = Stop()
        with ModelSession(
            prepared.model,
            folder.path,
            lane=prepared.digest[:24],
            isolated=sandbox.isolated,
            stop=stop,
            markers=skill_markers(prepared.staging.skills),
            gateway=gateway,
        ) as session:
            plan, launch, copied = _plan(request, prepared, layout, folder, session)
            watch = Watch(launch, prepared, folder.path, started, stop)
            plan = replace(plan, tap=watch.tap, begun=watch.begun, stop=stop)
            setup = staged + time.monotonic() - clock
            with watch:
                execution = _execute(sandbox, plan, layout, folder.path)
            seen = session.close()
        folder.clear_scratch()
        if session.broken is not None:
            execution = replace(execution, state="infrastructure", reason=session.broken)
        watched = watch.end(execution, seen.usage if seen else None)
        RunEnvironment.of(prepared, runtime, execution).write(
            folder.path / ENVIRONMENT, mode=PRIVATE_FILE
        )
        word = watched.conclusion
        if word is not None and prepared.staging.access == "credentialed":
            # a tool's own words may quote rows; they stay in the trace
            word = replace(word, reason=None)
        ended = outcome_of(execution, seen, word)
        if prepared.model is not None:
            ended = at_endpoint(ended, prepared.model.chosen.place)
        outcome, score = _judged(request, prepared, ended, folder.path)
        model = session.facts()
        record = RunRecord(
            **_facts(prepared, runtime),
            started=started,
            finished=datetime.now(UTC),
            setup_seconds=round(setup + execution.start_seconds, 4),
            setup_bytes=copied,
            outcome=outcome,
            score=score,
            publishability=judge(
                sandbox,
                prepared.agent,
                outcome,
                modified=prepared.staging.modified,
                model=model,
            ),
            usage=seen.usage if seen else None,
            model=model,
            activity=watched.activity,
            tool=watched.tool,
            artefacts=folder.artefacts(),
        ).writable()
        folder.keep(record)
    return record


def _plan(
    request: RunRequest,
    prepared: Prepared,
    layout: Layout,
    folder: RunFolder,
    session: ModelSession,
) -> tuple[Plan, Launch, int]:
    """Return what the sandbox is to do, how the agent is started, and the bytes copied for it."""
    staging, task = prepared.staging, prepared.task
    secret = _secrets(request)
    instruction = folder.path / INSTRUCTION
    write_text(instruction, staging.instruction, mode=PRIVATE_FILE)
    workspace = build_workspace(
        staging, instruction, task.deliverable, prepared.given, folder.scratch / "given"
    )
    launch = prepared.agent.prepare(
        AgentContext(
            prepared.suite,
            task,
            prepared.stage_request,
            staging.instruction,
            layout,
            access=session.access,
            skills=tuple(sorted({name.split("/")[0] for name in staging.skills})),
            timeout=prepared.limits.timeout,
        )
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
        tools=launch.tools,
        home=launch.home,
        collect=launch.collect,
        model=session.socket,
    )
    return plan, launch, workspace.bytes + program_bytes


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
        "materials": prepared.identity.materials,
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


def _refuse_nesting(request: RunRequest) -> None:
    """Keep what an agent writes, what it must not see and what is measured apart."""
    results, store = request.results.resolve(), request.store.root.resolve()
    for what, path in (("the store", store), ("the project's source", PROJECT)):
        if results.is_relative_to(path):
            raise InputError(
                f"the results would lie inside {what}",
                file=results,
                remedy="choose --results elsewhere",
            )
    if store.is_relative_to(results):
        raise InputError(
            "the store lies inside the results", file=store, remedy="choose --results elsewhere"
        )


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


def _judged(
    request: RunRequest, prepared: Prepared, outcome: Outcome, folder: Path
) -> tuple[Outcome, Score | None]:
    """Return outcome and score; an agent's finished work outlives a scorer that fails, whatever the failure."""
    try:
        return outcome, _score(request, prepared, outcome, folder / prepared.task.deliverable)
    except Exception as error:  # noqa: BLE001 # a suite is a third party's, and the run is paid for
        why = f"scoring failed: {_one_line(error)}"
        if outcome.state != "completed":
            why = f"{outcome.state} ({outcome.reason}); {why}"
        return told(outcome.model_copy(update={"state": UNSCORED, "reason": why})), None


def _one_line(error: Exception) -> str:
    """Return an error's words where they are ours; another's may hold a value of the data."""
    if isinstance(error, M4BenchError):
        return " ".join(str(error).split())[:400]
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return type(error).__name__


def _score(
    request: RunRequest, prepared: Prepared, outcome: Outcome, deliverable: Path
) -> Score | None:
    """Return the score: of the deliverable when it is graded, of nothing when the agent failed, none otherwise."""
    rule = rule_of(outcome.state)
    if not rule.valid:
        return None
    measured: dict[str, Any] = {
        "store": request.store,
        "dataset": request.dataset,
        "convention": request.convention,
    }
    if rule.grade:
        return prepared.suite.score(prepared.task, deliverable, **measured)
    nothing = deliverable.parent / "nothing" / prepared.task.deliverable
    zero = prepared.suite.score(prepared.task, nothing, **measured)
    return zero.model_copy(update={"error": f"{outcome.state}: {outcome.reason}"})
