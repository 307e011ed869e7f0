# SPDX-License-Identifier: MIT
"""Interrupts in tests: a test run started in the background ignores them, and its children with it."""

import signal


def heed_interrupts() -> None:
    """Let a child process be interrupted, whatever its parent ignores; for `preexec_fn`."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
