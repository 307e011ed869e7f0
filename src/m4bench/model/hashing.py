# SPDX-License-Identifier: MIT
"""Hashes of files, texts and records: how a stage knows what it was made from."""

import hashlib
import json
from pathlib import Path
from typing import Any

CHUNK = 1 << 20


def sha256_file(path: Path) -> str:
    """Return the hex sha256 of a file's bytes, read in chunks of 1 MiB."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def sha256_text(text: str) -> str:
    """Return the hex sha256 of a text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def sha256_record(value: Any) -> str:
    """Return the hex sha256 of a JSON-able value, keys sorted, so that equal values hash equal."""
    return sha256_text(json.dumps(value, sort_keys=True, separators=(",", ":"), default=str))
