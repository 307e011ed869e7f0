# SPDX-License-Identifier: MIT
"""Where things are kept unless a command says otherwise."""

import os
from pathlib import Path

import platformdirs

STORE_VARIABLE = "M4BENCH_STORE"
RUNTIME_VARIABLE = "M4BENCH_RUNTIME"
AGENTS_VARIABLE = "M4BENCH_AGENTS"


def default_store() -> Path:
    """Return the store's folder: `M4BENCH_STORE`, or the platform's data folder."""
    given = os.environ.get(STORE_VARIABLE)
    return Path(given) if given else Path(platformdirs.user_data_path("m4bench")) / "store"


def default_runtime() -> Path:
    """Return the folder that holds agent runtimes: `M4BENCH_RUNTIME`, or the platform's cache folder."""
    given = os.environ.get(RUNTIME_VARIABLE)
    return Path(given) if given else Path(platformdirs.user_cache_path("m4bench")) / "runtime"


def default_agents() -> Path:
    """Return the folder that holds installed agent tools: `M4BENCH_AGENTS`, or the platform's cache folder."""
    given = os.environ.get(AGENTS_VARIABLE)
    return Path(given) if given else Path(platformdirs.user_cache_path("m4bench")) / "agents"
