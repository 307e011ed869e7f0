# SPDX-License-Identifier: MIT
"""The processes that draw blocks at the same time, and the blocks in their order. Knows no table."""

import json
import os
import selectors
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from m4bench.data.synthetic.block import Block
from m4bench.model.errors import InputError

MOST = 64
"""Processes that draw at most, whatever number is asked for; each is an interpreter of its own."""
AHEAD = 2
"""Blocks a worker may be ahead of the one that is appended; they wait on the disk, not in memory."""
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_workers(count: int) -> None:
    """Check a number of workers that a person gave.

    Raises:
        InputError: it is less than one.
    """
    if count < 1:
        raise InputError("at least one process has to draw", remedy="give --workers 1 or more")


class Workers:
    """Processes that draw blocks into folders; they end with this object, or with this process.

    Each is a fresh interpreter: nothing of the caller's is run again in it, as `multiprocessing` would, nor is
    anything of the folder it is called in. There are never more than MOST; the rows are the same.
    """

    def __init__(self, count: int, folder: Path) -> None:
        self._count, self._folder = min(count, MOST), folder
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        try:
            for _ in range(self._count):
                self._processes.append(_started())
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def _end(self) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            _pipe(process.stdin).close()
            _pipe(process.stdout).close()
            process.wait()

    def drawn(self, site: str, blocks: Sequence[Block]) -> Iterator[Path]:
        """Yield the folder of each block in the order of the blocks.

        Raises:
            OSError: a worker could not write.
            InputError: a worker was ended from outside.
            RuntimeError: a worker failed; its traceback is the text.
        """
        waiting, finished, appended = deque(blocks), set[int](), 0
        idle = deque(self._processes)
        with selectors.DefaultSelector() as busy:
            while appended < len(blocks):
                while idle and waiting and waiting[0].number < appended + AHEAD * self._count:
                    worker = idle.popleft()
                    self._ask(worker, site, waiting.popleft())
                    busy.register(_pipe(worker.stdout), selectors.EVENT_READ, worker)
                if appended in finished:
                    yield self._place(appended)
                    finished.remove(appended)
                    appended += 1
                    continue
                for key, _ in busy.select():
                    busy.unregister(key.fileobj)
                    finished.add(_answered(key.data))
                    idle.append(key.data)

    def _place(self, number: int) -> Path:
        return self._folder / f"{number:06}"

    def _ask(self, worker: subprocess.Popen[bytes], site: str, block: Block) -> None:
        job = {"site": site, "block": asdict(block), "folder": str(self._place(block.number))}
        try:
            _pipe(worker.stdin).write(json.dumps(job).encode() + b"\n")
        except BrokenPipeError:
            raise _ended(worker) from None


def _started() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "m4bench.data.synthetic.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
        env=os.environ | _ONE_THREAD,
        # Control-C reaches this process alone, which then ends the others.
        process_group=0,
    )


def _pipe(stream: Any) -> Any:
    assert stream is not None
    return stream


def _answered(worker: subprocess.Popen[bytes]) -> int:
    """Return the number of the block that a worker has drawn."""
    line = _pipe(worker.stdout).readline()
    if not line:
        raise _ended(worker)
    answer = json.loads(line)
    if "errno" in answer:
        raise OSError(answer["errno"], answer["strerror"])
    if "failed" in answer:
        raise RuntimeError(f"a worker failed\n{answer['failed']}")
    return int(answer["done"])


def _ended(worker: subprocess.Popen[bytes]) -> InputError:
    code = worker.wait()
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return InputError(
        f"a process that drew patients was ended from outside ({how})",
        remedy="nothing was kept; run it again, with fewer --workers where memory is short",
    )
