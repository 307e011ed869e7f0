# SPDX-License-Identifier: MIT
"""What surrounds an agent: the variables it is given, and the record of bounds and versions a run leaves."""

from collections.abc import Mapping
from dataclasses import asdict

from pydantic import Field

from m4bench.harness.preparation import Prepared
from m4bench.harness.sandbox.runtime import Runtime
from m4bench.harness.sandbox.sandbox import Execution, Layout
from m4bench.harness.workspace.given import given_hashes
from m4bench.harness.workspace.workspace import INSTRUCTION
from m4bench.model.hashing import sha256_text
from m4bench.model.record import Document

ENVIRONMENT = "environment.json"
ENVIRONMENT_FORMAT = 1


class RunEnvironment(Document):
    """What surrounded a run: bounds, the agent's Python, what it was given, and what the sandbox saw at the end.

    `instruction` is the sha256 of the instruction, `given` that of each skill file and program by its path in
    the work folder; both are missing in records of before they were kept.
    """

    format_version: int = ENVIRONMENT_FORMAT
    sandbox: str
    limits: dict[str, float]
    runtime: str
    packages: dict[str, str]
    inputs: dict[str, str]
    instruction: str | None = None
    given: dict[str, str] = Field(default_factory=dict)
    output: str
    left_out: dict[str, int]
    cut: dict[str, int]

    @classmethod
    def of(cls, prepared: Prepared, runtime: Runtime, execution: Execution) -> "RunEnvironment":
        """Return the record of a run's surroundings."""
        return cls(
            sandbox=prepared.cell.sandbox,
            limits={name: float(value) for name, value in asdict(prepared.limits).items()},
            runtime=runtime.identity,
            packages=runtime.packages,
            inputs=dict(prepared.staging.inputs),
            instruction=sha256_text(prepared.staging.instruction),
            given=given_hashes(prepared.given),
            output=execution.output,
            left_out=dict(execution.left_out),
            cut=dict(execution.cut),
        )


def variables(prepared: Prepared, layout: Layout) -> Mapping[str, str]:
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
