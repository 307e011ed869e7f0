# SPDX-License-Identifier: MIT
"""A third party's agent: copies the one word file it is shown."""

from m4bench.harness.agents.agent import AgentContext, AgentSettings, Launch


class CopierAgent:
    """Copies `/data/words/words.txt` to the deliverable."""

    name = "toy-copier"
    publishable = True

    def __init__(self, settings: AgentSettings) -> None:
        self.settings = settings

    def version(self) -> str:
        """Return its own version."""
        return "1.0"

    def options(self) -> dict[str, str]:
        """Return nothing."""
        return {}

    def prepare(self, context: AgentContext) -> Launch:
        """Return a shell command; it needs no program folder."""
        return Launch(("/bin/sh", "-c", f'cp {context.task.grain} "$M4BENCH_OUTPUT"; echo copied'))
