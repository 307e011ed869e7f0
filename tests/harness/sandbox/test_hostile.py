# SPDX-License-Identifier: MIT
"""Agents that misbehave: each ends in a proper outcome, within its bounds, and leaves nothing behind."""

import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from m4bench.harness.sandbox.sandbox import Execution

pytestmark = pytest.mark.sandbox
Execute = Callable[..., Execution]

WRITE = "open('output.csv', 'w').write('a\\n1\\n')\n"
IGNORE = "import signal, time\nfor one in (1, 2, 15): signal.signal(one, signal.SIG_IGN)\n"
FOREVER = "while True: time.sleep(1)\n"

FILL = "f = open('{folder}/big', 'wb')\nwhile True: f.write(b'x' * (1 << 20))\n"
BOUNDED = {
    "fork bomb": (
        "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass\n",
        "resources",
        "processes",
    ),
    "memory of many": (
        "import os, time\nfor _ in range(8):\n  if os.fork() == 0:\n"
        "    held = b'x' * (100 << 20)\n    time.sleep(60)\ntime.sleep(60)\n",
        "resources",
        "memory",
    ),
    "shared memory": (
        "import mmap, time\nheld = mmap.mmap(-1, 900 << 20)\n"
        "while held.tell() < 890 << 20: held.write(b'x' * (1 << 20))\ntime.sleep(60)\n",
        "resources",
        "memory",
    ),
    "memory of one": ("held = b'x' * (900 << 20)\n", "exited", None),
    "disk": (FILL.format(folder="/task"), "resources", "the work folder of 32 MiB is full"),
    "home": (FILL.format(folder="/home/agent"), "resources", "the home of 16 MiB is full"),
    "temporary files": (FILL.format(folder="/tmp"), "resources", "/tmp of 16 MiB is full"),
    "shared memory's files": (FILL.format(folder="/dev/shm"), "resources", "/dev/shm of 16 MiB is full"),
    "fails with room left": ("import sys\nopen('/tmp/small', 'wb').write(b'x')\nsys.exit(3)\n", "exited", None),
    "many files": (
        "import time\nfor n in range(5000): open(f'f{n}', 'w').close()\ntime.sleep(60)\n",
        "resources",
        "files in /task",
    ),
    "endless output": ("import os\nwhile True: os.write(1, b'y' * 65536)\n", "timeout", "longer"),
    "deaf": (IGNORE + FOREVER, "timeout", "longer"),
    "writes, then deaf": (IGNORE + WRITE + FOREVER, "timeout", "longer"),
    "no program": ("", "exited", "cannot be started"),
}  # fmt: skip


@pytest.mark.parametrize(("script", "state", "reason"), BOUNDED.values(), ids=BOUNDED)
def test_an_agent_without_measure_is_ended(
    script: str, state: str, reason: str | None, execute: Execute
) -> None:
    """Time, memory, disk, processes and files are bounded, and the ending says which bound it was."""
    argv = None if script else ("/agent/no-such-program",)
    ended = execute(script, timeout=2.5 if state == "timeout" else 30.0, argv=argv)
    assert ended.state == state
    assert ended.exit_code != 0
    assert reason is None or reason in (ended.reason or "")


def test_output_beyond_the_bound_keeps_its_beginning_and_end(
    execute: Execute, tmp_path: Path
) -> None:
    """Of a long standard output the head, the tail and the number of bytes between stay."""
    script = "print('first')\nfor _ in range(50): print('x' * 100_000)\nprint('last')\n" + WRITE
    ended = execute(script)
    kept = (tmp_path / "out" / "stdout.txt").read_text()
    printed = len("first\n") + 50 * 100_001 + len("last\n")
    assert kept.startswith("first\n")
    assert kept.endswith("last\n")
    assert ended.cut["stdout"] == printed - (1 << 20)
    assert f"{ended.cut['stdout']} bytes left out" in kept


def test_a_daemon_ends_with_its_agent(execute: Execute) -> None:
    """A twice-forked process that ignores signals is gone when the run is, and holds nothing up."""
    marker = f"{time.time_ns()}"
    script = (
        "import os, sys\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0:\n"
        f"    os.execvp('sh', ['sh', '-c', 'trap \"\" INT TERM HUP; while :; do sleep 1; done', '{marker}'])\n"
        "  os._exit(0)\nimport time; time.sleep(0.3)\n" + WRITE
    )
    ended = execute(script)
    assert (ended.state, ended.exit_code, ended.output) == ("exited", 0, "present")
    assert not [one for one in Path("/proc").iterdir() if marker in _command(one)]


def _command(process: Path) -> str:
    try:
        return (process / "cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""


def test_an_agent_cannot_end_its_supervisor(execute: Execute) -> None:
    """Signals to process 1, and to everything, leave the run whole: the agent's own work is kept."""
    script = (
        "import os\nfor one in range(1, 65):\n  try: os.kill(1, one)\n  except OSError: pass\n"
        + WRITE
        + "os.kill(os.getpid(), 9)\n"
    )
    ended = execute(script)
    assert (ended.state, ended.exit_code, ended.output) == ("exited", -9, "present")


def test_an_agent_that_listens_ends_at_the_interrupt(execute: Execute) -> None:
    """The first stage of a time-out lets an agent put down what it has."""
    script = (
        "import time\ntry:\n  time.sleep(60)\nexcept KeyboardInterrupt:\n"
        "  open('notes.txt', 'w').write('half way')\n"
    )
    ended = execute(script, timeout=1.0)
    assert (ended.state, ended.exit_code) == ("timeout", 0)


OUTPUTS = {
    "a link": ("import os; os.symlink('/etc/passwd', 'output.csv')", "not a regular file"),
    "a dangling link": ("import os; os.symlink('/nowhere', 'output.csv')", "not a regular file"),
    "a pipe": ("import os; os.mkfifo('output.csv')", "not a regular file"),
    "a socket": (
        "import socket; socket.socket(socket.AF_UNIX).bind('output.csv')",
        "not a regular file",
    ),
    "a folder": ("import os; os.mkdir('output.csv')", "not a regular file"),
    "nothing": ("", "missing"),
    "no permission": (WRITE + "import os; os.chmod('output.csv', 0)", "present"),
    "a closed folder": (WRITE + "import os; os.chmod('.', 0)", "present"),
    "a hard link": (
        "import os; open('real', 'w').write('a\\n1\\n'); os.link('real', 'output.csv')",
        "present",
    ),
}


@pytest.mark.parametrize(("script", "output"), OUTPUTS.values(), ids=OUTPUTS)
def test_only_a_regular_file_is_an_output(
    script: str, output: str, execute: Execute, tmp_path: Path
) -> None:
    """A link is not followed and a pipe not waited for; permission bits of the agent's do not matter."""
    ended = execute(script)
    assert (ended.state, ended.exit_code, ended.output) == ("exited", 0, output)
    kept = tmp_path / "out" / "output.csv"
    assert kept.is_file() == (output == "present")
    if output == "present":
        assert kept.read_text() == "a\n1\n"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_odd_names_and_deep_folders_leave_as_plain_files_or_not_at_all(
    execute: Execute, tmp_path: Path
) -> None:
    """A name with a newline is made plain; links, hidden folders, databases and depths stay behind."""
    script = (
        "import os\n"
        "open('notes.md', 'w').write('n')\n"
        "open('two\\nlines.txt', 'w').write('t')\n"
        "open(b'\\xff\\xfe.csv', 'w').write('b')\n"
        "os.makedirs('sub/dir'); open('sub/dir/query.sql', 'w').write('q')\n"
        "os.makedirs('.claude'); open('.claude/state.json', 'w').write('s')\n"
        "open('copy.duckdb', 'w').write('d')\n"
        "os.symlink('/etc/passwd', 'linked.txt')\n"
        "os.truncate(open('instruction.md').name, 0)\n"
        "for _ in range(1000):\n  os.mkdir('d'); os.chdir('d')\n"
        "open('bottom.txt', 'w').write('x')\n"
    )
    ended = execute(script)
    assert ended.exit_code == 0, (tmp_path / "out" / "stderr.txt").read_text()
    root = tmp_path / "out" / "files"
    names = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    plain = {name for name in names if not name.startswith("_")}
    assert plain == {"notes.md", "sub/dir/query.sql"}
    assert {Path(name).suffix for name in names - plain} == {".txt", ".csv"}
    assert len(names - plain) == 2
    assert "\n" not in "".join(names)
    assert set(ended.left_out) == {
        "hidden folder",
        "not a text file",
        "not a regular file",
        "too deep",
    }
