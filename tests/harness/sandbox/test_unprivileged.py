# SPDX-License-Identifier: MIT
"""The sandbox as an ordinary user starts it; meaningful where the tests themselves run as root."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from m4bench.harness.sandbox.bwrap import BubblewrapSandbox
from m4bench.harness.sandbox.runtime import Runtime
from m4bench.harness.sandbox.sandbox import Execution

pytestmark = pytest.mark.sandbox
SYSTEM_PYTHON = Path("/usr/bin/python3")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder anyone can read."""
    path = Path(tempfile.mkdtemp(prefix="m4bench-unprivileged-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def as_nobody(bubblewrap: BubblewrapSandbox, folder: Path) -> BubblewrapSandbox:
    """A sandbox whose bubblewrap is started by nobody, with the system's own Python inside."""
    if os.geteuid() != 0:
        pytest.skip("the other tests already run as an ordinary user")
    if not SYSTEM_PYTHON.is_file() or shutil.which("setpriv") is None:
        pytest.skip("needs the system's Python and setpriv")
    programs = folder / "runtime" / "bin"
    programs.mkdir(parents=True)
    (programs / "python3").symlink_to(SYSTEM_PYTHON)
    wrapper = folder / "bwrap-as-nobody"
    wrapper.write_text(
        "#!/bin/sh\nexec setpriv --reuid 65534 --regid 65534 --clear-groups "
        f'{bubblewrap.program} "$@"\n'
    )
    wrapper.chmod(0o755)
    runtime = Runtime(folder / "runtime", "system", {}, SYSTEM_PYTHON.resolve())
    sandbox = BubblewrapSandbox(runtime)
    sandbox.program = str(wrapper)
    return sandbox


def test_an_ordinary_user_gets_the_same_sandbox(
    as_nobody: BubblewrapSandbox, execute: Callable[..., Execution], folder: Path
) -> None:
    """Without any privilege on the host an agent runs, writes its output, and has no way to more."""
    script = (
        "import os, ctypes\n"
        "assert os.getuid() == 1000\n"
        "assert ctypes.CDLL(None).unshare(0x10000000) != 0\n"
        "for path in ('/x', '/etc/x', '/run/x', '/dev/x'):\n"
        "  try: open(path, 'w'); raise SystemExit(path)\n"
        "  except OSError: pass\n"
        "open('output.csv', 'w').write('a\\n1\\n')\n"
    )
    ended = execute(script, sandbox=as_nobody, folder=folder)
    stderr = (folder / "out" / "stderr.txt").read_text()
    assert (ended.state, ended.exit_code, ended.output) == ("exited", 0, "present"), stderr


def test_an_ordinary_user_is_refused_more_processes(
    as_nobody: BubblewrapSandbox, execute: Callable[..., Execution], folder: Path
) -> None:
    """The kernel itself holds the number of processes for a user who is not root."""
    script = (
        "import os, time\nmade = 0\n"
        "while made < 300:\n"
        "  try: child = os.fork()\n"
        "  except BlockingIOError: break\n"
        "  if child == 0: time.sleep(30); os._exit(0)\n"
        "  made += 1\n"
        "assert 50 < made <= 100, made\n"
        "open('output.csv', 'w').write('a\\n')\n"
    )
    ended = execute(script, sandbox=as_nobody, folder=folder)
    assert (ended.state, ended.exit_code) == ("exited", 0), (folder / "out/stderr.txt").read_text()
