# SPDX-License-Identifier: MIT
"""The agent that knows the answer: shows that a task can be solved and the harness is whole."""

from m4bench.harness.agents.baseline import BaselineAgent


class ReferenceAgent(BaselineAgent):
    """Runs the suite's reference script; it is given the answer, so its runs are never publishable."""

    name = "reference"
    publishable = False
