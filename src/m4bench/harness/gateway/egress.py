# SPDX-License-Identifier: MIT
"""The log of what left a sandbox: one JSON line an attempt or a refusal. Knows no socket and no secret."""

import ctypes
import errno
import json
import os
import resource
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from m4bench.model.usage import Tokens

# No line without bodies is longer: its texts are bounded below.
LONGEST_LINE = 4096
LONGEST_TEXT = 200
_FALLOC_FL_KEEP_SIZE = 1
_WITHOUT_RESERVING = {errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}


@dataclass
class EgressLine:
    """One attempt to send a request, or one request that was refused.

    `host` and `port` are None when nothing was sent. `outcome` is `answered`, `failed:<state>`,
    `refused:<why>` or `cut`. `bytes_sent` and `bytes_received` are those of the bodies, `seconds` from the
    attempt's start to its end, `first_byte_seconds` to the first byte of the answer's body.
    """

    lane: str
    request: int
    attempt: int
    protocol: str | None
    method: str
    path: str
    model: str | None
    outcome: str = "cut"
    scheme: str | None = None
    host: str | None = None
    port: int | None = None
    status: int | None = None
    bytes_sent: int = 0
    bytes_received: int = 0
    tokens: Tokens | None = None
    seconds: float = 0.0
    first_byte_seconds: float | None = None


class EgressLog:
    """An append-only file, private to the user, with room set aside for the lines of attempts under way.

    Nothing leaves unlogged: before an attempt starts, the file system has promised the room for its line.
    """

    def __init__(self, path: Path) -> None:
        """Open or make the log.

        Raises:
            OSError: it cannot be written.
        """
        self._file = open_appending(path)
        self._under_way = 0

    def reserve(self) -> None:
        """Take the room for one line, until `release`.

        Raises:
            OSError: there is none.
        """
        _reserve(self._file, (self._under_way + 1) * LONGEST_LINE)
        self._under_way += 1

    def release(self) -> None:
        """Give the room back, to the line that is written next."""
        self._under_way -= 1

    def write(self, line: EgressLine, bodies: dict[str, str] | None = None) -> None:
        """Append a line; when its bodies do not fit, the line without them.

        Raises:
            OSError: it could not be written, or not with its bodies.
        """
        told = {"time": _now(), **asdict(line)}
        told["path"] = line.path[:LONGEST_TEXT]
        told["model"] = line.model and line.model[:LONGEST_TEXT]
        told["tokens"] = line.tokens and line.tokens.model_dump()
        try:
            append_line(self._file, {**told, **(bodies or {})})
        except OSError:
            if bodies:
                append_line(self._file, told)
            raise

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def append_line(file: int, value: object) -> None:
    """Append a value as one JSON line, whole or not at all.

    Raises:
        OSError: it could not be written.
    """
    data = json.dumps(value, separators=(",", ":")).encode() + b"\n"
    before = os.fstat(file).st_size
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]
    except OSError:
        os.ftruncate(file, before)
        raise


def open_appending(path: Path) -> int:
    """Open a file, private to the user, for lines that are appended; return its descriptor.

    Raises:
        OSError: it cannot be written.
    """
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.open(path, flags, 0o600)
    os.fchmod(file, 0o600)
    return file


def _reserve(file: int, size: int) -> None:
    end = os.fstat(file).st_size
    longest, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if longest != resource.RLIM_INFINITY and end + size > longest:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    failed = _fallocate(file, end, size)
    if failed in _WITHOUT_RESERVING:
        found = os.fstatvfs(file)
        failed = errno.ENOSPC if found.f_bavail * found.f_frsize < size else 0
    if failed:
        raise OSError(failed, os.strerror(failed))


def _fallocate(file: int, offset: int, size: int) -> int:
    """Set room aside beyond the end of a file without making it longer; return the error's number or 0."""
    while True:
        if _C.fallocate(file, _FALLOC_FL_KEEP_SIZE, offset, size) == 0:
            return 0
        if (number := ctypes.get_errno()) != errno.EINTR:
            return number


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


_C = ctypes.CDLL(None, use_errno=True)
_C.fallocate.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64)
