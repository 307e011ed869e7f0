# SPDX-License-Identifier: MIT
"""Writes the lock of each pinned agent tool anew, from its `package.json`; run it after changing a version.

A lock names versions and hashes and no registry. What a registry does not hold, as builds for other systems, is
taken out of the lists that name it: then no package without a hash is ever installed.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PINNED = Path(__file__).parents[1] / "src" / "m4bench" / "harness" / "agents" / "pinned"
LOCK = "package-lock.json"
COMMAND = (
    "npm", "install", "--package-lock-only", "--omit-lockfile-registry-resolved", "--ignore-scripts",
    "--no-audit", "--no-fund",
)  # fmt: skip


def whole(lock: dict[str, Any]) -> dict[str, Any]:
    """Return a lock whose optional dependencies are all in it."""
    packages: dict[str, dict[str, Any]] = lock["packages"]
    held = {place.rpartition("node_modules/")[2] for place in packages}
    for package in packages.values():
        optional = package.get("optionalDependencies")
        if optional is not None:
            package["optionalDependencies"] = {
                name: version for name, version in optional.items() if name in held
            }
    return lock


def main(names: list[str]) -> None:
    """Lock the named tools, or all."""
    for manifest in sorted(PINNED.glob("*/package.json")):
        if names and manifest.parent.name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / manifest.name
            copy.write_bytes(manifest.read_bytes())
            subprocess.run(COMMAND, cwd=folder, check=True)
            lock = whole(json.loads((Path(folder) / LOCK).read_text(encoding="utf-8")))
        text = json.dumps(lock, indent=2, ensure_ascii=False) + "\n"
        (manifest.parent / LOCK).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
