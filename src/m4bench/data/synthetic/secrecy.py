# SPDX-License-Identifier: MIT
"""Keeping a private seed within the process that holds it. Knows no recipe and no row."""

import resource


def leave_no_core() -> None:
    """Let this process and those it starts leave no core file, should they crash: a seed may be in it."""
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, most))
