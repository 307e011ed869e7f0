# SPDX-License-Identifier: MIT
"""The agent without a model: does the obvious and shows what the obvious scores."""

from m4bench.harness.agents.baseline import BaselineAgent


class NaiveAgent(BaselineAgent):
    """Runs the suite's naive script; it is a mark on the scale, so its runs are never publishable."""

    name = "naive"
    publishable = False
