# SPDX-License-Identifier: MIT
"""Reads sizes as people write them; knows nothing that has a size."""

import re

from m4bench.model.errors import InputError

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
LARGEST = 1024 * UNITS["T"]
SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)


def read_size(text: str) -> int:
    """Return the bytes of a size such as `8G`, `512 MiB` or `1000000`; units are powers of 1024.

    Raises:
        InputError: it is no size, or less than 1 MiB or more than 1 PiB.
    """
    match = SIZE.fullmatch(text.strip())
    size = float(match[1]) * UNITS[match[2].upper()] if match else 0.0
    if not UNITS["M"] <= size <= LARGEST:
        raise InputError(
            f"{text[:40]} is no usable size",
            remedy="write for example 8G or 512M (at least 1M, at most 1024T)",
        )
    return int(size)
