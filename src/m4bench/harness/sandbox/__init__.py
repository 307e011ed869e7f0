# SPDX-License-Identifier: MIT
"""Where an agent's program runs: bubblewrap, or nowhere special."""

from m4bench.harness.sandbox.readiness import probe
from m4bench.harness.sandbox.sandbox import Probe

__all__ = ["Probe", "probe"]
