# SPDX-License-Identifier: MIT
"""Keeps what a program prints, its beginning and its end, within a bound; reads on so that it never blocks."""

import threading
from collections import deque
from pathlib import Path
from typing import IO

CHUNK = 1 << 16


class Capture:
    """Drains one pipe into one private file.

    The first half of `limit` bytes is written as it comes, the second half holds the end; a line says how
    many bytes between them were left out.
    """

    def __init__(self, pipe: IO[bytes], path: Path, limit: int) -> None:
        self.pipe, self.path, self.half = pipe, path, limit // 2
        self.cut = 0
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self._thread = threading.Thread(target=self._drain, daemon=True)
        path.touch(mode=0o600)
        self._thread.start()

    def _drain(self) -> None:
        written = 0
        with self.pipe, self.path.open("wb", buffering=0) as target:
            while chunk := self.pipe.read1(CHUNK):  # type: ignore[attr-defined]
                head = chunk[: self.half - written]
                target.write(head)
                written += len(head)
                self._keep(chunk[len(head) :])
            if self.cut:
                target.write(f"\n[… {self.cut} bytes left out …]\n".encode())
            for chunk in self._tail:
                target.write(chunk)

    def _keep(self, chunk: bytes) -> None:
        if not chunk:
            return
        self._tail.append(chunk)
        self._tail_bytes += len(chunk)
        while self._tail_bytes > self.half:
            surplus = self._tail_bytes - self.half
            first = self._tail.popleft()
            dropped = min(surplus, len(first))
            if dropped < len(first):
                self._tail.appendleft(first[dropped:])
            self._tail_bytes -= dropped
            self.cut += dropped

    def finish(self, patience: float) -> None:
        """Wait until the pipe's last writer is gone, at most `patience` seconds."""
        self._thread.join(patience)
