# SPDX-License-Identifier: MIT
"""Whether Spark can be tested here, and a dataset it may build in."""

import os
import shutil
from pathlib import Path

import pytest

from m4bench.data.store import Store, StoredDataset

REQUIRED_VARIABLE = "M4BENCH_REQUIRE_SPARK"


def require_spark() -> None:
    """Skip without Spark and Java, or fail where they are required."""
    if shutil.which("java") is None:
        reason = "needs Java"
    else:
        try:
            import pyspark  # noqa: F401
        except ImportError:
            reason = "needs pyspark"
        else:
            return
    if os.environ.get(REQUIRED_VARIABLE) == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def copy_of_sources(dataset: StoredDataset, root: Path) -> StoredDataset:
    """Return the same dataset in a store of its own, nothing derived."""
    other = Store(root).dataset(dataset.name)
    shutil.copytree(dataset.manifest_path.parent, other.manifest_path.parent)
    return other
