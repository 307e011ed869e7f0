# SPDX-License-Identifier: MIT
"""The list of a report’s files with sizes and hashes: to be checked by a reader, replaced by a later report."""

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from pathlib import Path

from m4bench.model.hashing import sha256_file

CONTENTS = "contents.json"
CONTENTS_FORMAT = 1
_REPLACEABLE = re.compile(
    r"(?:tasks|figures|tables)/[a-z0-9][a-z0-9-]{0,119}\.(?:html|svg|pdf|png|csv|md|tex)"
    r"|analysis\.json"
)


def listing(files: Mapping[str, bytes]) -> bytes:
    """Return the list of files by name, with bytes and sha256 of each."""
    entries = {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in sorted(files.items())
    }
    document = {"format_version": CONTENTS_FORMAT, "files": entries}
    return (json.dumps(document, indent=1) + "\n").encode()


def listed(out: Path) -> dict[str, list[str]]:
    """Return the files of the report in `out` by the folder they lie in, as its contents name them."""
    found: dict[str, list[str]] = {}
    for name in json.loads((out / CONTENTS).read_bytes())["files"]:
        folder, _, _ = name.rpartition("/")
        found.setdefault(folder, []).append(name)
    return found


def retired(out: Path, names: Collection[str]) -> list[Path]:
    """Return files of the former report in `out` that are not among `names`, as long as nobody changed them."""
    try:
        former = json.loads((out / CONTENTS).read_bytes())["files"]
        entries = {str(name): str(entry["sha256"]) for name, entry in former.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []
    found = []
    for name, digest in entries.items():
        path = out / name
        if name in names or not _REPLACEABLE.fullmatch(name):
            continue
        if path.is_file() and not path.is_symlink() and sha256_file(path) == digest:
            found.append(path)
    return found
