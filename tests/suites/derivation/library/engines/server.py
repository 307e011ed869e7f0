# SPDX-License-Identifier: MIT
"""A PostgreSQL server of the tests' own: a temporary folder, a Unix socket, no network, gone afterwards."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

USER, PASSWORD = "builder", "not-to-be-told"
_PATIENCE = 60


def programs() -> Path | None:
    """Return the folder of the newest server's programs, or None where there is none."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"),
        key=lambda path: int(path.parts[-3]) if path.parts[-3].isdigit() else 0,
    )
    elsewhere = shutil.which("initdb")
    if found:
        return found[-1].parent
    return Path(elsewhere).resolve().parent if elsewhere else None


def _unprivileged() -> dict[str, Any]:
    """Return how a program is started: a server refuses root, so that another user is taken there."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}
    raise AssertionError("there is no unprivileged user to run a server")


@contextmanager
def server(folder_of_programs: Path) -> Iterator[str]:
    """Yield the URL of a fresh server, its texts ordered by a language where the server can."""
    folder = Path(tempfile.mkdtemp(prefix="m4b-pg-", dir="/tmp"))
    identity = _unprivileged()
    try:
        secret = folder / "password"
        secret.write_text(PASSWORD)
        if identity:
            for path in (folder, secret):
                os.chown(path, identity["user"], identity["group"])
        data = folder / "data"
        command = [
            folder_of_programs / "initdb",
            *("-D", data, "-U", USER, "--pwfile", secret, "--auth=scram-sha-256", "--no-sync"),
            *("--encoding=UTF8", "--locale=C.UTF-8"),
        ]
        by_language = ["--locale-provider=icu", "--icu-locale=en-US"]
        for options in (by_language, []):
            made = subprocess.run(
                [*command, *options], capture_output=True, text=True, cwd=folder, **identity
            )
            if made.returncode == 0:
                break
        assert made.returncode == 0, made.stderr
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(folder),
            "fsync": "off",
            "full_page_writes": "off",
            "synchronous_commit": "off",
            "max_wal_size": "2GB",
            "shared_buffers": "128MB",
            "autovacuum": "off",
            "logging_collector": "off",
        }
        chosen = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (folder / "log").open("wb") as log:
            running = subprocess.Popen(
                [folder_of_programs / "postgres", "-D", data, *chosen],
                stdout=log,
                stderr=log,
                cwd=folder,
                **identity,
            )
        try:
            _wait(folder, running)
            yield f"postgresql://{USER}:{PASSWORD}@/postgres?host={folder}"
        finally:
            running.send_signal(signal.SIGQUIT)
            running.wait(_PATIENCE)
    finally:
        shutil.rmtree(folder)


def _wait(folder: Path, running: "subprocess.Popen[bytes]") -> None:
    ready = folder / "data" / "postmaster.pid"
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        told = (folder / "log").read_text() if running.poll() is not None else ""
        assert running.poll() is None, told
        if ready.is_file() and "ready" in ready.read_text():
            return
        time.sleep(0.05)
    raise AssertionError("the server did not start")
