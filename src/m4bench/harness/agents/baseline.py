# SPDX-License-Identifier: MIT
"""What the baselines share: a script of the suite's, run by the agent's Python."""

from collections.abc import Mapping
from importlib.metadata import version

from m4bench.harness.agents.agent import (
    SKILL_FOLDERS,
    AgentContext,
    AgentSettings,
    Launch,
    refuse_settings,
)


class BaselineAgent:
    """An agent whose program a suite writes for each task."""

    name: str
    publishable: bool
    skill_folders = SKILL_FOLDERS

    def __init__(self, settings: AgentSettings) -> None:
        refuse_settings(self.name, settings)

    def version(self) -> str:
        """Return the version of m4bench, which the script comes with."""
        return version("m4bench")

    def options(self) -> Mapping[str, str]:
        """Return nothing: a baseline has no options."""
        return {}

    def prepare(self, context: AgentContext) -> Launch:
        """Return the start of the suite's script."""
        script = context.suite.baseline(self.name, context.task, context.request)
        file = f"{self.name}.py"
        return Launch(
            (context.layout.python, f"{context.layout.program}/{file}"), files={file: script}
        )
