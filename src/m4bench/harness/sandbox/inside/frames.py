# SPDX-License-Identifier: MIT
"""Messages over a pipe, each a line of JSON and an optional body of known size; knows no message's meaning."""

import json
from collections.abc import Mapping
from typing import Any, BinaryIO

LONGEST_HEADER = 1 << 20
CHUNK = 1 << 20


class FrameError(Exception):
    """The other side sent something that is not a message, or stopped inside one."""


def send(
    stream: BinaryIO, header: Mapping[str, Any], body: BinaryIO | None = None, size: int = 0
) -> None:
    """Write one message; `body` is read for exactly `size` bytes.

    Raises:
        FrameError: the body is shorter than `size`.
        OSError: the other side is gone.
    """
    stream.write(json.dumps({**header, "size": size}).encode() + b"\n")
    left = size
    while body is not None and left:
        chunk = body.read(min(CHUNK, left))
        if not chunk:
            raise FrameError("a body is shorter than announced")
        stream.write(chunk)
        left -= len(chunk)
    stream.flush()


def receive(stream: BinaryIO) -> dict[str, Any]:
    """Read the header of the next message; its body, `size` bytes, is left in the stream.

    Raises:
        FrameError: the stream ended, or what follows is no header.
    """
    line = stream.readline(LONGEST_HEADER)
    if not line.endswith(b"\n"):
        raise FrameError(
            "the stream ended" if len(line) < LONGEST_HEADER else "a header is too long"
        )
    try:
        header = json.loads(line)
    except ValueError as error:
        raise FrameError("a header is not JSON") from error
    if not isinstance(header, dict) or type(header.get("size")) is not int or header["size"] < 0:
        raise FrameError("a header lacks its size")
    return header


def copy_body(stream: BinaryIO, target: BinaryIO, size: int) -> None:
    """Copy a body of `size` bytes from the stream.

    Raises:
        FrameError: the stream ended before.
    """
    left = size
    while left:
        chunk = stream.read(min(CHUNK, left))
        if not chunk:
            raise FrameError("the stream ended inside a body")
        target.write(chunk)
        left -= len(chunk)
