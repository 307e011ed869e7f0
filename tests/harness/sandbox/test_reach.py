# SPDX-License-Identifier: MIT
"""Agents that reach past their bounds: to the supervisor, the host's files, a neighbour, memory nobody owns."""

from collections.abc import Callable
from pathlib import Path

import pytest

from m4bench.harness.sandbox.sandbox import Execution
from m4bench.model.errors import InputError

pytestmark = pytest.mark.sandbox
Execute = Callable[..., Execution]
WRITE = "open('output.csv', 'w').write('a\\n1\\n')\n"
REFUSES = (
    "import ctypes, errno, fcntl, os, resource, socket\n"
    "libc = ctypes.CDLL(None, use_errno=True)\n"
    "def refused(what, call, *given):\n"
    "  try: got = call(*given)\n"
    "  except OSError: return\n"
    "  if not (type(got) is int and got < 0): raise SystemExit(what)\n"
)

OUT_OF_REACH = {
    "the host of a virtual machine": "refused('vsock', socket.socket, socket.AF_VSOCK, socket.SOCK_STREAM)",
    "kernel cryptography": "refused('alg', socket.socket, socket.AF_ALG, socket.SOCK_SEQPACKET)",
    "a lease on a shown file": "refused('lease', fcntl.fcntl, os.open('/data/words.txt', 0), 1024, 1)",
    "semaphores": "refused('semget', libc.semget, 0, 1, 0o600)",
    "message queues": "refused('msgget', libc.msgget, 0, 0o600)",
    "System V memory": "refused('shmget', libc.shmget, 0, 4096, 0o600)",
    "the kernel's log": "refused('syslog', libc.klogctl, 10, None, 0)",
    "the supervisor's bounds": "refused('bounds', resource.prlimit, 1, resource.RLIMIT_NOFILE, (3, 3))",
    "the supervisor's processors": "refused('affinity', os.sched_setaffinity, 1, {0})",
    "the supervisor's scheduling": (
        "refused('scheduler', os.sched_setscheduler, 1, os.SCHED_IDLE, os.sched_param(0))"
    ),
    "the supervisor's priority": "refused('priority', os.setpriority, os.PRIO_PROCESS, 1, 19)",
    "everybody's priority": "refused('user', os.setpriority, os.PRIO_USER, 0, 19)",
}


@pytest.mark.parametrize("attempt", OUT_OF_REACH.values(), ids=OUT_OF_REACH)
def test_what_is_not_the_agent_s_is_out_of_reach(
    attempt: str, execute: Execute, tmp_path: Path
) -> None:
    """The call is refused, and the run goes on."""
    (tmp_path / "words.txt").write_text("heron\n")
    ended = execute(
        REFUSES + attempt + "\n" + WRITE, binds={"/data/words.txt": tmp_path / "words.txt"}
    )
    said = (tmp_path / "out" / "stderr.txt").read_text()
    assert (ended.exit_code, ended.output) == (0, "present"), said


def test_honest_programs_do_not_notice(execute: Execute, tmp_path: Path) -> None:
    """Sockets on loopback, record locks, bounds and priorities of one's own and of a child work."""
    script = (
        "import fcntl, os, resource, socket, subprocess, threading\n"
        "server = socket.create_server(('127.0.0.1', 0))\n"
        "socket.create_connection(server.getsockname()).close()\n"
        "socket.socketpair()\n"
        "with open('lock', 'w') as lock: fcntl.lockf(lock, fcntl.LOCK_EX)\n"
        "child = subprocess.Popen(['sleep', '5'])\n"
        "resource.prlimit(child.pid, resource.RLIMIT_CORE)\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (512, 512))\n"
        "os.sched_setaffinity(threading.get_native_id(), os.sched_getaffinity(0))\n"
        "os.setpriority(os.PRIO_PROCESS, child.pid, 5); os.nice(1); child.kill()\n"
        "import duckdb\n"
        "with duckdb.connect('mine.duckdb') as mine: mine.execute('create table t as select 1')\n"
    )
    ended = execute(script + WRITE)
    said = (tmp_path / "out" / "stderr.txt").read_text()
    assert (ended.exit_code, ended.output) == (0, "present"), said


HELD = {
    "sockets": (
        "import os, socket, time\n"
        "for _ in range(4):\n"
        "  if os.fork() == 0:\n"
        "    held = [socket.socketpair() for _ in range(400)]\n    time.sleep(60)\n"
        "time.sleep(60)\n",
        "sockets",
    ),
    "threads": (
        "import threading, time\nthreading.stack_size(65536)\n"
        "for _ in range(1500): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        "time.sleep(60)\n",
        "threads",
    ),
    "hidden memory": (
        "import ctypes, os, time\nctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\n"
        "for _ in range(6):\n  if os.fork() == 0:\n"
        "    held = b'x' * (100 << 20)\n    time.sleep(60)\ntime.sleep(60)\n",
        "memory",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("script", "bound"), HELD.values(), ids=HELD)
def test_what_the_kernel_holds_for_an_agent_is_bounded(
    script: str, bound: str, execute: Execute
) -> None:
    """Socket buffers and the stacks of threads count, and memory does even where a process hides it."""
    ended = execute(script, timeout=30.0)
    if bound == "threads" and ended.state == "exited":
        assert ended.exit_code != 0  # an ordinary user is refused more by the kernel itself
        return
    assert ended.state == "resources"
    assert bound in (ended.reason or "")


def test_a_name_that_is_no_text_does_not_end_the_supervisor(execute: Execute) -> None:
    """A process may call itself what it likes; the watch goes on, and the work is kept."""
    script = "import ctypes, time\nctypes.CDLL(None).prctl(15, b'\\xff\\xfe', 0, 0, 0)\ntime.sleep(0.5)\n"
    ended = execute(script + WRITE)
    assert (ended.state, ended.exit_code, ended.output) == ("exited", 0, "present")


def test_a_sandbox_that_ends_under_its_agent_is_the_agent_s_failure(
    execute: Execute, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever could bring it about could otherwise take a bad run back and try again."""
    from m4bench.harness.sandbox import command_line

    lame = tmp_path / "lame"
    lame.mkdir()
    for module in command_line.SUPERVISOR.glob("*.py"):
        (lame / module.name).write_text(module.read_text())
    monkeypatch.setattr(command_line, "SUPERVISOR", lame)
    whole = (lame / "supervise.py").read_text()
    for broken in ("ending = run(config, incoming, relay)", "hand_out(config, outgoing)"):
        assert whole.count(broken + "\n") == 1
        (lame / "supervise.py").write_text(whole.replace(broken + "\n", f"{broken}; os._exit(0)\n"))
        if broken.startswith("hand"):
            (lame / "supervise.py").write_text(whole.replace(broken + "\n", "os._exit(0)\n"))
        ended = execute(WRITE)
        assert (ended.state, ended.output) == ("agent-error", "missing")
        assert "the sandbox ended before" in (ended.reason or "")


@pytest.mark.parametrize("name", ["patients.parquet", "database.duckdb"])
def test_a_file_that_cannot_be_read_is_not_the_agent_s_failure(
    name: str, execute: Execute, tmp_path: Path
) -> None:
    """The host's file is named before the agent starts; nothing is measured."""
    source = tmp_path / name
    source.write_bytes(b"PAR1 was here")
    with pytest.raises(InputError, match=f"{name}: an agent could not read this file"):
        execute(WRITE, binds={f"/data/{name}": source})
    assert not (tmp_path / "out" / "output.csv").exists()
