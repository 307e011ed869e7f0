# SPDX-License-Identifier: MIT
"""The agent that does nothing: shows what nothing scores."""

from collections.abc import Mapping
from importlib.metadata import version

from m4bench.harness.agents.agent import (
    SKILL_FOLDERS,
    AgentContext,
    AgentSettings,
    Launch,
    refuse_settings,
)

SCRIPT = 'import os\nopen(os.environ["M4BENCH_OUTPUT"], "w").close()\n'


class EmptyAgent:
    """Writes a deliverable of no bytes; it is the lower end of the scale, so its runs are never publishable."""

    name = "empty"
    publishable = False
    skill_folders = SKILL_FOLDERS

    def __init__(self, settings: AgentSettings) -> None:
        refuse_settings(self.name, settings)

    def version(self) -> str:
        """Return the version of m4bench."""
        return version("m4bench")

    def options(self) -> Mapping[str, str]:
        """Return nothing: there is nothing to choose."""
        return {}

    def prepare(self, context: AgentContext) -> Launch:
        """Return the start of a script that makes an empty file."""
        script = f"{context.layout.program}/empty.py"
        return Launch((context.layout.python, script), files={"empty.py": SCRIPT})
