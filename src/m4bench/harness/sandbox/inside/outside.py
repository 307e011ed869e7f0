# SPDX-License-Identifier: MIT
"""Picks named files an agent left outside its work folder, such as a log in its home; follows no link.

It does not know what they are for, nor where they go.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from .collect import Left, Rules, open_regular


class Outside:
    """Files by name, within the same bounds as what leaves a work folder, and with sums of their own."""

    def __init__(self, rules: Rules, left_out: dict[str, int]) -> None:
        self.rules, self.left_out = rules, left_out
        self._bytes = 0

    def files(self, places: Mapping[str, tuple[str, str]]) -> Iterator[Left]:
        """Yield those that exist, closed when the next is asked for.

        Args:
            places: by name a folder that is trusted and the path below it, which is not.
        """
        for name, (folder, path) in sorted(places.items()):
            try:
                stream = open_below(folder, path)
            except FileNotFoundError:
                continue
            except OSError:
                self._leave("unreadable")
                continue
            if stream is None:
                self._leave("not a regular file")
                continue
            with stream:
                size = os.fstat(stream.fileno()).st_size
                if size > self.rules.largest_file or self._bytes + size > self.rules.largest_total:
                    self._leave("too large")
                    continue
                self._bytes += size
                yield Left(name, size, stream)

    def _leave(self, reason: str) -> None:
        self.left_out[reason] = self.left_out.get(reason, 0) + 1


def open_below(folder: str, path: str) -> BinaryIO | None:
    """Open a regular file below a folder without following a link in any part of the path; None if it is none.

    Raises:
        OSError: a part does not exist, is no folder or a link, or cannot be opened.
    """
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts or ".." in parts:
        return None
    *folders, name = parts
    at = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in folders:
            flags = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
            below = os.open(part, flags, dir_fd=at)
            os.close(at)
            at = below
        if not stat.S_ISREG(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode):
            return None
        return open_regular(name, at)
    finally:
        os.close(at)
