# SPDX-License-Identifier: MIT
"""The tools, installed once a machine; an invented hospital; and a model that says what a script tells it to."""

import os
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from m4bench.data.store import Store
from m4bench.data.synthetic.creation import DATASET, store_hospital
from m4bench.harness.agents.agent import ENTRY_POINTS
from m4bench.harness.agents.listing import installable
from m4bench.harness.agents.npm_tool import NpmTool
from m4bench.harness.gateway.lane import LaneLimits, WireProtocol
from m4bench.harness.model_choice import ModelSettings
from m4bench.harness.run import RunRequest, run
from m4bench.harness.sandbox.bwrap import BubblewrapSandbox
from m4bench.model.errors import InputError
from m4bench.model.run import SandboxName
from m4bench.suites.derivation.library.build import build_concepts, build_references
from m4bench.suites.derivation.library.catalogue import library
from m4bench.suites.derivation.library.plan import open_stage
from m4bench.suites.derivation.schemas.databases import build_database
from m4bench.suites.suite import find_task
from tests.harness.agents.real.trial import KEY, MODEL, TASK, Trial
from tests.harness.gateway.scripted import ScriptedServer
from tests.harness.gateway.scripted.script import Turn

# Addresses of these protocols end in a version.
WITH_VERSION = ("responses", "chat-completions")
REQUIRED = "M4BENCH_REQUIRE_AGENTS"
# Waits are those of a test: the policy is the same.
ENDPOINTS = """\
[scripted]
base_url = "{url}"
protocols = ["{protocol}"]
key_env = "SCRIPTED_KEY"

[scripted.retry]
tries = 3
first_wait = 0.05
longest_wait = 0.2
"""
Attempt = Callable[..., Trial]


def preferred(agent: str) -> WireProtocol:
    """Return the protocol an agent speaks when it may choose."""
    (point,) = entry_points(group=ENTRY_POINTS, name=agent)
    protocols: tuple[WireProtocol, ...] = point.load().protocols
    return protocols[0]


@pytest.fixture(scope="session")
def programs() -> Callable[[str], Path | None]:
    """Return the pinned tool of an agent, installed when it is not; None where its agent finds it by itself."""
    made: dict[str, Path | None] = {}

    def program(agent: str) -> Path | None:
        if agent not in made:
            tool = installable()[agent]
            try:
                found = tool.install()
            except InputError as error:
                if os.environ.get(REQUIRED) == "1":
                    pytest.fail(f"{agent} cannot be installed: {error}")
                pytest.skip(f"{agent} cannot be installed: {error}")
            made[agent] = found.place if isinstance(tool, NpmTool) else None
        return made[agent]

    return program


@pytest.fixture(scope="session")
def hospital(tmp_path_factory: pytest.TempPathFactory, bubblewrap: BubblewrapSandbox) -> Store:
    """A store with an invented hospital of twenty stays, ready for one task."""
    store = Store(tmp_path_factory.mktemp("hospital") / "store")
    dataset = store.dataset(DATASET)
    store_hospital(store, stays=20, seed=1)
    build_concepts(library(), dataset)
    _, task = find_task(TASK)
    build_references(library(), dataset, [task.reference])
    build_database(
        library(), open_stage(dataset, "published"), task, schema="native", drops="strict"
    )
    return store


@pytest.fixture
def attempt(
    hospital: Store,
    programs: Callable[[str], Path | None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Attempt:
    """Let an agent at the task while the model follows a script."""

    def make(
        agent: str,
        turns: Sequence[Turn],
        *,
        condition: str = "no-skill",
        limits: LaneLimits | None = None,
        effort: str | None = None,
        record: bool = False,
        sandbox: SandboxName = "bwrap",
        protocol: WireProtocol | None = None,
        model: str = MODEL,
    ) -> Trial:
        program = programs(agent)
        with ScriptedServer(turns, models=(model,)) as server:
            endpoints = tmp_path / "endpoints.toml"
            spoken = protocol or preferred(agent)
            url = f"{server.url}/v1" if spoken in WITH_VERSION else server.url
            told = ENDPOINTS.format(url=url, protocol=spoken)
            endpoints.write_text(told, encoding="utf-8")
            monkeypatch.setenv("M4BENCH_ENDPOINTS", str(endpoints))
            monkeypatch.setenv("SCRIPTED_KEY", KEY)
            request = RunRequest(
                results=tmp_path / "results",
                store=hospital,
                dataset=DATASET,
                task=TASK,
                condition=condition,
                agent=agent,
                model=model,
                effort=effort,
                sandbox=sandbox,
                program=program,
                timeout=120.0,
                access=ModelSettings(
                    endpoint="scripted", limits=limits or LaneLimits(), record=record
                ),
            )
            done = run(request)
        return Trial(done, request, server)

    return make
