# SPDX-License-Identifier: MIT
"""A toy suite, its store, and the agent's Python."""

import os
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from m4bench.data.manifest import Access, DatasetManifest
from m4bench.data.store import Store
from m4bench.harness.run import RunRequest
from m4bench.harness.sandbox import probe
from m4bench.harness.sandbox.bwrap import BubblewrapSandbox
from m4bench.harness.sandbox.runtime import Runtime, ensure_runtime
from m4bench.harness.sandbox.sandbox import Execution, Limits, Plan

TOY_PACKAGE = Path(__file__).with_name("toy_package")
MIB = 1 << 20
Execute = Callable[..., Execution]
Ask = Callable[..., RunRequest]


@pytest.fixture(scope="session")
def runtime() -> Runtime:
    """The agent's Python, made once a machine."""
    return ensure_runtime()


@pytest.fixture(scope="session")
def bubblewrap(runtime: Runtime) -> BubblewrapSandbox:
    """The real sandbox; a machine without one skips, or fails where it is required."""
    found = probe()
    if not found.ready:
        message = f"bubblewrap does not work here: {found.reason}"
        if os.environ.get("M4BENCH_REQUIRE_SANDBOX") == "1":
            pytest.fail(message)
        pytest.skip(message)
    return BubblewrapSandbox(runtime)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy package, installed as far as Python can tell."""
    monkeypatch.syspath_prepend(str(TOY_PACKAGE))


@pytest.fixture
def toy_store(tmp_path: Path, toy: None) -> Store:
    """A store with the toy's data."""
    store = Store(tmp_path / "store")
    folder = store.root / "toy"
    (folder / "source").mkdir(parents=True)
    (folder / "words.txt").write_text("heron stork crane\n")
    (folder / "skill.md").write_text("# Look at the first word\n")
    write_manifest(store, modified=False)
    return store


def write_manifest(store: Store, *, modified: bool, access: Access = "open") -> None:
    """Say whether the toy's data are as released, and who may have them."""
    DatasetManifest(
        dataset="toy", site="toy", release="1", access=access, modified=modified, tables=(),
        engine="none", imported=datetime(2026, 1, 1),
    ).write(store.dataset("toy").manifest_path)  # fmt: skip


@pytest.fixture
def ask(toy_store: Store, tmp_path: Path) -> Ask:
    """Make requests for runs of the toy's task; `script` is run by the agent `command`."""

    def make(script: str | None = None, **changes: object) -> RunRequest:
        given: dict[str, object] = {"agent": "reference"}
        if script is not None:
            program = tmp_path / "programs" / "agent.py"
            program.parent.mkdir(exist_ok=True)
            program.write_text(script)
            given = {"agent": "command", "program": program}
        return RunRequest(
            **{
                "results": tmp_path / "results",
                "store": toy_store,
                "dataset": "toy",
                "task": "toy-word",
                "condition": "plain",
                **given,
                **changes,
            }  # type: ignore[arg-type]
        )

    return make


@pytest.fixture
def execute(bubblewrap: BubblewrapSandbox, tmp_path: Path) -> Execute:
    """Run one Python script in the sandbox under small limits; its files are in `tmp_path / "out"`."""

    def run(
        script: str,
        *,
        sandbox: BubblewrapSandbox = bubblewrap,
        folder: Path = tmp_path,
        timeout: float = 20.0,
        binds: dict[str, Path] | None = None,
        forbidden: tuple[Path, ...] = (),
        argv: tuple[str, ...] | None = None,
    ) -> Execution:
        program = folder / "program"
        program.mkdir(mode=0o755, exist_ok=True)
        (program / "agent.py").write_text(script)
        (folder / "instruction.md").write_text("Do it.\n")
        shutil.rmtree(folder / "out", ignore_errors=True)
        layout = sandbox.layout(folder)
        plan = Plan(
            argv=argv or (layout.python, f"{layout.program}/agent.py"),
            env={"PATH": layout.path, "HOME": layout.home},
            work={"instruction.md": folder / "instruction.md"},
            program=program,
            binds=binds or {},
            forbidden=forbidden,
            deliverable="output.csv",
            limits=Limits(
                timeout=timeout,
                memory=400 * MIB,
                disk=32 * MIB,
                scratch=16 * MIB,
                processes=100,
                entries=2_000,
                capture=1 * MIB,
                interrupt_grace=0.5,
                terminate_grace=0.5,
            ),
        )
        return sandbox.execute(plan, layout, folder / "out")

    return run
