# SPDX-License-Identifier: MIT
"""A process that carries out runs it is told of, one after another. It knows neither the demo nor its screen.

Orders come as lines of JSON on standard input, a reply for each goes out on standard output. It has a
session of its own, so that Ctrl-C reaches only whoever started it; it ends when that process does.
"""

import ctypes
import json
import os
import signal
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from m4bench.data.store import Store
from m4bench.harness.run import RunExistsError, RunRequest, run
from m4bench.harness.run_folder import RECORD
from m4bench.model.errors import M4BenchError
from m4bench.model.run import RunRecord

PR_SET_PDEATHSIG = 1


def order(request: RunRequest) -> str:
    """Return a run as one line for a worker: a task and an agent on a dataset, everything else as by default."""
    return json.dumps(
        {
            "results": str(request.results),
            "store": str(request.store.root),
            "dataset": request.dataset,
            "task": request.task,
            "condition": request.condition,
            "agent": request.agent,
            "sandbox": request.sandbox,
        }
    )


def ordered(line: str) -> RunRequest:
    """Return the run an order asks for."""
    told: dict[str, Any] = json.loads(line)
    results, store = Path(told.pop("results")), Store(Path(told.pop("store")))
    return RunRequest(results=results, store=store, **told)


def serve(orders: Iterable[str], replies: IO[str]) -> None:
    """Carry out each order and reply with the run's record, or with the line and exit code of an error."""
    for line in orders:
        try:
            reply: dict[str, Any] = {"record": _carried_out(ordered(line))}
        except M4BenchError as error:
            reply = {"error": str(error), "exit_code": error.exit_code}
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


def _carried_out(request: RunRequest) -> dict[str, Any]:
    try:
        record = run(request)
    except RunExistsError as there:
        record = RunRecord.read(there.folder / RECORD)
    return record.model_dump(mode="json", by_alias=True)


def _end_with(parent: int) -> None:
    """Have the kernel end this process when its parent is gone, however that went."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit(128 + signal.SIGTERM)


def main() -> None:
    """Serve the process whose id is the only argument."""
    _end_with(int(sys.argv[1]))
    # Whatever a library prints must not stand between the replies.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as replies:
        os.dup2(2, 1)
        try:
            serve(sys.stdin, replies)
        except KeyboardInterrupt:
            sys.exit(128 + signal.SIGTERM)


if __name__ == "__main__":
    main()
