# SPDX-License-Identifier: MIT
"""The list of a report’s files with sizes and hashes: to be checked by a reader, replaced by a later report."""

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from m4bench.model.errors import InputError
from m4bench.model.hashing import sha256_file

CONTENTS = "contents.json"
CONTENTS_FORMAT = 1
REPLACING = "replacing"
"""The key of a list whose files are not all in place: names and hashes of what stood there and may still."""
KIND = "report"
REPLACEABLE = re.compile(
    r"(?:tasks|figures|tables)/[a-z0-9][a-z0-9-]{0,119}\.(?:html|svg|pdf|png|csv|md|tex)"
    r"|analysis\.json"
)


def listing(
    files: Mapping[str, bytes],
    kind: str = KIND,
    replacing: Mapping[str, Collection[str]] | None = None,
) -> bytes:
    """Return the list of files by name, with bytes and sha256 of each, and of what kind the whole is.

    With `replacing`, files that may still stand there and their hashes, so that a writer that is killed leaves
    none that nobody knows.
    """
    entries = {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in sorted(files.items())
    }
    document: dict[str, Any] = {
        "format_version": CONTENTS_FORMAT,
        "kind": kind,
        "files": entries,
    }
    if replacing:
        document[REPLACING] = {name: sorted(hashes) for name, hashes in sorted(replacing.items())}
    return (json.dumps(document, indent=1) + "\n").encode()


def listed(out: Path) -> dict[str, list[str]]:
    """Return the files of the report in `out` by the folder they lie in, as its contents name them."""
    found: dict[str, list[str]] = {}
    for name in json.loads((out / CONTENTS).read_bytes())["files"]:
        folder, _, _ = name.rpartition("/")
        found.setdefault(folder, []).append(name)
    return found


def refuse_foreign(out: Path, names: Collection[str], kind: str, option: str) -> None:
    """Refuse to replace a file that no former report, or site, of this kind lists as its own.

    Args:
        out: the folder.
        names: the files that are to be written, the list of contents among them.
        kind: of what kind the whole is.
        option: the option that names the folder.

    Raises:
        InputError: with the file, or where the list itself is another's.
    """
    remedy = f"move it away or name another folder with {option}"
    place = out / CONTENTS
    former: Mapping[str, Any] = {}
    if place.is_file():
        former = _former(place)
        if former.get("kind", KIND) != kind or not isinstance(former.get("files"), dict):
            raise InputError(f"is not the list of a {kind}", file=place, remedy=remedy)
    own = _hashes(former)
    for name in sorted(names):
        if name != CONTENTS and name not in own and (out / name).is_file():
            raise InputError(
                f"is not a file of the {kind} that stands there, and would be replaced",
                file=out / name,
                remedy=remedy,
            )


def _former(place: Path) -> Mapping[str, Any]:
    """Return the list that stands there, or nothing where it is none."""
    try:
        document = json.loads(place.read_bytes())
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}


def former_hashes(out: Path) -> dict[str, frozenset[str]]:
    """Return the files that the list in `out` names, with the hashes that each may have there; none without a list."""
    return _hashes(_former(out / CONTENTS))


def _hashes(former: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    listed, replacing = (
        found if isinstance(found, dict) else {}
        for found in (former.get("files"), former.get(REPLACING))
    )
    hashes = {name: frozenset[str]() for name in (*listed, *replacing)}
    for name, entry in listed.items():
        if isinstance(entry, dict) and isinstance(entry.get("sha256"), str):
            hashes[name] |= {entry["sha256"]}
    for name, found in replacing.items():
        if isinstance(found, list):
            hashes[name] |= {one for one in found if isinstance(one, str)}
    return hashes


def retired(
    out: Path,
    former: Mapping[str, Collection[str]],
    names: Collection[str],
    replaceable: re.Pattern[str] = REPLACEABLE,
) -> list[Path]:
    """Return files of the former report in `out` that are not among `names`, as long as nobody changed them.

    Only files whose name is `replaceable` are ever removed.
    """
    found = []
    for name, hashes in former.items():
        path = out / name
        if name in names or not replaceable.fullmatch(name):
            continue
        if path.is_file() and not path.is_symlink() and sha256_file(path) in hashes:
            found.append(path)
    return found
