# SPDX-License-Identifier: MIT
"""Several runs at a time: the same records as one at a time, and no worse an end."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import psutil
import pytest

from m4bench.data.store import Store
from m4bench.doors.demo_runs import carry_out
from m4bench.doors.demo_worker import order, ordered
from m4bench.harness.run import RunRequest
from m4bench.model.errors import InputError, MeasurementFailedError
from m4bench.model.run import RunRecord

from .conftest import Finished

pytestmark = pytest.mark.sandbox
TASKS = ("mimic-meld-24h", "mimic-charlson-raw")
MEASURED = {"started", "finished", "setup_seconds", "outcome", "artefacts"}


def requests(finished: Finished, results: Path) -> list[RunRequest]:
    """Two agents on two tasks."""
    return [
        RunRequest(
            results=results, store=Store(finished.out / "store"), dataset="synthetic", task=task,
            condition="no-skill", agent=agent,
        )
        for task, agent in product(TASKS, ("reference", "naive"))
    ]  # fmt: skip


def test_an_order_says_all_of_a_request(finished: Finished, tmp_path: Path) -> None:
    """A request that went to a worker as a line is the request."""
    for request in requests(finished, tmp_path):
        changed = replace(request, sandbox="none")
        assert ordered(order(changed)) == changed
        assert "\n" not in order(changed)


def test_records_do_not_depend_on_how_many_at_a_time(finished: Finished, tmp_path: Path) -> None:
    """One worker and two give the same runs with the same scores; each is told as it begins and ends."""
    found = []
    for workers in (1, 2):
        begun: list[RunRequest] = []
        ended: dict[RunRequest, RunRecord] = {}
        asked = requests(finished, tmp_path / str(workers))
        carry_out(asked, workers=workers, begun=begun.append, ended=ended.__setitem__)
        assert begun == asked
        found.append([ended[request].model_dump(exclude=MEASURED) for request in asked])
    assert found[0] == found[1]


def test_the_first_error_ends_the_others(finished: Finished, tmp_path: Path) -> None:
    """A run that cannot be is told as it was there, and nothing stays of the one beside it."""
    bad = replace(requests(finished, tmp_path)[0], task="mimic-sofa-48h")
    with pytest.raises(InputError, match="no task is called mimic-sofa-48h"):
        carry_out(
            [*requests(finished, tmp_path)[:1], bad, *requests(finished, tmp_path)[1:]],
            workers=2, begun=lambda _: None, ended=lambda *_: None,
        )  # fmt: skip
    assert not _workers()
    assert not list(tmp_path.glob(".partial-*"))


def test_a_worker_ended_from_outside_is_told(finished: Finished, tmp_path: Path) -> None:
    """Killed as when memory runs out, it ends the whole with one line and no process left."""

    def kill(_: RunRequest) -> None:
        for worker in _workers():
            worker.kill()

    with pytest.raises(MeasurementFailedError, match="ended from outside"):
        carry_out(requests(finished, tmp_path), workers=2, begun=kill, ended=lambda *_: None)
    assert not _workers()


def _workers() -> list[psutil.Process]:
    """Return the worker processes of this one that still run."""
    return [
        child
        for child in psutil.Process().children()
        if child.status() != psutil.STATUS_ZOMBIE
        and "m4bench.doors.demo_worker" in " ".join(child.cmdline())
    ]
