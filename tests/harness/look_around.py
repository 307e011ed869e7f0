# SPDX-License-Identifier: MIT
"""A hostile program: reads all it can below /, tells what it was given and where it found what it must not.

It stands in no package, is given to the agent `command` and knows nothing of the harness. The lines it looks
for are hidden in `sought.json`, or it would find them in itself.
"""

import base64
import hashlib
import importlib.util
import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SKIPPED = ("/proc", "/sys")


def files(root: str, skipped: tuple[str, ...]) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield every regular file below a folder, links not followed."""
    for folder, names, found in os.walk(root):
        names[:] = [name for name in names if str(Path(folder, name)) not in skipped]
        for name in found:
            path = Path(folder, name)
            try:
                status = path.lstat()
            except OSError:
                continue
            if stat.S_ISREG(status.st_mode):
                yield path, status


def given() -> dict[str, list[object]]:
    """Return sha256 and executability of each file of the work folder, by relative path."""
    return {
        str(path): [hashlib.sha256(path.read_bytes()).hexdigest(), bool(status.st_mode & 0o100)]
        for path, status in files(".", ())
    }


def holds(path: Path, sought: set[bytes]) -> bool:
    """Tell whether a file holds one of the lines, indented or not, as text or inside a text of JSON or code."""
    try:
        content = path.read_bytes()
    except OSError:
        return False
    if b"\\n" in content:
        content = content.replace(b"\\n", b"\n")
    return not sought.isdisjoint(map(bytes.strip, content.split(b"\n")))


def main() -> None:
    """Write what was seen."""
    sought = json.loads(Path(__file__).with_name("sought.json").read_text(encoding="utf-8"))
    lines = set(base64.b64decode(sought["lines"]).split(b"\n"))
    work = given()
    skipped = (*SKIPPED, *sought["skipped"])
    paths = [
        path
        for path, status in files("/", skipped)
        if status.st_size <= sought["largest_of_system"] or not path.is_relative_to("/usr")
    ]
    seen = {
        "work": work,
        "looked_at": len(paths),
        "found": sorted(str(path) for path in paths if holds(path, lines)),
        "named": sorted(str(path) for path in paths if "m4bench" in str(path).lower()),
        "imports": importlib.util.find_spec("m4bench") is not None,
        "python": sys.prefix,
        "checks": checked(),
    }
    Path("seen.json").write_text(json.dumps(seen), encoding="utf-8")


def checked() -> list[object]:
    """Return how the program check ends on an answer of one letter, and its last line."""
    if not shutil.which("./check"):
        return []
    Path("wrong.csv").write_text("x\n", encoding="utf-8")
    done = subprocess.run(["./check", "wrong.csv"], capture_output=True, text=True)
    return [done.returncode, (done.stdout.strip() or done.stderr.strip()).splitlines()[-1:]]


main()
