# SPDX-License-Identifier: MIT
"""Carries out several runs at a time in processes of their own. It does not know what is run or why.

A run depends on nothing but its request, so the order in which runs end changes no record.
"""

import json
import os
import selectors
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Self

from m4bench.data.synthetic.workers import cores
from m4bench.doors.demo_worker import order
from m4bench.harness.run import RunRequest
from m4bench.model.errors import InputError, M4BenchError, MeasurementFailedError
from m4bench.model.run import RunRecord

MOST_WORKERS = 4
PATIENCE = 30.0
"""Seconds a worker has to end its agent and put away what is half made."""

Begun = Callable[[RunRequest], None]
Ended = Callable[[RunRequest, RunRecord], None]


def workers_for(runs: int) -> int:
    """Return how many runs go at a time: one a processor, four at most."""
    return max(1, min(runs, cores(), MOST_WORKERS))


class Worker:
    """A process that carries out one run at a time; leaving the block ends it and its agent.

    Args:
        held: descriptors that stay open as long as the process lives.
    """

    def __init__(self, held: Sequence[int] = ()) -> None:
        self.request: RunRequest | None = None
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "m4bench.doors.demo_worker", str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,
            pass_fds=tuple(held),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        if self.request is not None:
            self.process.terminate()
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def fileno(self) -> int:
        """Return the descriptor that can be read when a reply is there."""
        assert self.process.stdout is not None
        return self.process.stdout.fileno()

    def begin(self, request: RunRequest) -> None:
        """Start a run."""
        assert self.process.stdin is not None
        self.request = request
        # A worker that is gone is noticed where its reply is read.
        with suppress(BrokenPipeError):
            self.process.stdin.write(order(request) + "\n")
            self.process.stdin.flush()

    def reply(self) -> RunRecord:
        """Return the record of the run that was begun.

        Raises:
            InputError, MeasurementFailedError: what the run raised.
        """
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.request = None
        if not line:
            raise MeasurementFailedError(
                "a process that carried out runs was ended from outside, perhaps for want of memory; "
                "start again: finished runs are kept"
            )
        told = json.loads(line)
        if "record" not in told:
            raise _error(told["error"], told["exit_code"])
        return RunRecord.model_validate(told["record"])


def _error(line: str, code: int) -> M4BenchError:
    return InputError(line) if code == InputError.exit_code else MeasurementFailedError(line)


def carry_out(
    requests: Iterable[RunRequest],
    *,
    workers: int,
    begun: Begun,
    ended: Ended,
    held: Sequence[int] = (),
) -> None:
    """Carry out runs, `workers` at a time.

    Args:
        requests: what to run; begun in this order.
        workers: how many processes.
        begun: told of each run as it starts.
        ended: told of each run and its record, in the order in which they end.
        held: descriptors that stay open until the last worker has ended.

    Raises:
        InputError, MeasurementFailedError: the first run that raised; the others under way are ended and
            leave nothing.
    """
    waiting = list(requests)
    with ExitStack() as stack, selectors.DefaultSelector() as selector:
        for _ in range(min(workers, len(waiting))):
            worker = stack.enter_context(Worker(held))
            selector.register(worker, selectors.EVENT_READ)
            _begin_next(worker, waiting, begun)
        while selector.get_map():
            for key, _ in selector.select():
                worker = key.fileobj  # type: ignore[assignment]
                request = worker.request
                record = worker.reply()
                assert request is not None
                ended(request, record)
                if waiting:
                    _begin_next(worker, waiting, begun)
                else:
                    selector.unregister(worker)


def _begin_next(worker: Worker, waiting: list[RunRequest], begun: Begun) -> None:
    request = waiting.pop(0)
    worker.begin(request)
    begun(request)
