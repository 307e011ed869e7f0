# SPDX-License-Identifier: MIT
"""The relay between a sandbox's loopback and the gateway's socket: many streams, both ways, and nothing else."""

import mmap
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from m4bench.harness.sandbox.inside import relay
from m4bench.harness.sandbox.inside.relay import Switch, listen
from m4bench.harness.sandbox.inside.watch import sockets_of
from m4bench.harness.sandbox.sandbox import Execution, ModelSocket, SandboxError
from m4bench.model.errors import InputError
from tests.harness.sandbox.conftest import echo

CarryOut = Callable[..., Execution]
Serve = Callable[[Callable[[Any], None]], Path]
Join = Callable[[Path], socket.socket]
WRITE = "open('output.csv', 'w').write('a\\n1\\n')\n"
CONNECT = "import socket\ndef join(): return socket.create_connection(('127.0.0.1', 8377), 10)\n"
ASK = (
    "def ask(text):\n  with join() as one:\n    one.sendall(text); one.shutdown(socket.SHUT_WR)\n"
    "    said = b''\n    while more := one.recv(65536): said += more\n    return said\n"
)
MIB = 1 << 20


@pytest.fixture
def join() -> Iterator[Join]:
    """Connect to a relay that runs here, in a thread; its latest count of sockets is `join.held`."""
    opened: list[socket.socket] = []

    def connect(gateway: Path) -> socket.socket:
        if not opened:
            listener = listen(0)
            opened.append(listener)
            switch = Switch(listener, str(gateway), lambda _: None)
            threading.Thread(target=switch.run, daemon=True).start()
        one = socket.create_connection(opened[0].getsockname(), 10)
        opened.append(one)
        return one

    yield connect
    for one in opened[1:]:
        one.close()


def everything(connection: socket.socket) -> bytes:
    """All that comes until the other side has ended."""
    found = bytearray()
    while chunk := connection.recv(1 << 16):
        found += chunk
    return bytes(found)


def test_each_side_may_end_before_the_other(serve: Serve, join: Join) -> None:
    """An answer that begins when the question has ended arrives whole, and then its end does."""

    def answer(connection: socket.socket) -> None:
        connection.sendall(b"heard " + everything(connection) * 1000)

    client = join(serve(answer))
    client.sendall(b"question ")
    client.shutdown(socket.SHUT_WR)
    assert everything(client) == b"heard " + b"question " * 1000


def test_an_answer_that_ends_first_arrives_before_the_question_is_over(
    serve: Serve, join: Join
) -> None:
    """A gateway that refuses a long request unread is heard, though it takes no more of it."""

    def refuse(connection: socket.socket) -> None:
        connection.recv(1000)
        connection.sendall(b"too long")

    client = join(serve(refuse))
    sender = threading.Thread(target=lambda: client.sendall(b"x" * (16 * MIB)), daemon=True)
    sender.start()
    assert everything(client) == b"too long"
    sender.join(10)
    assert not sender.is_alive()


@pytest.mark.parametrize("flows", ["to the gateway", "to the agent"])
def test_a_side_that_does_not_read_holds_up_the_other(flows: str, serve: Serve, join: Join) -> None:
    """Little is held on the way, and nothing is lost once it is read."""
    total, sent = 64 * MIB, [0]
    go = threading.Event()
    received: list[int] = []

    def push(connection: socket.socket) -> None:
        block = b"x" * (1 << 16)
        for _ in range(total // len(block)):
            connection.sendall(block)
            sent[0] += len(block)
        connection.shutdown(socket.SHUT_WR)

    def pull(connection: socket.socket) -> None:
        go.wait(30)
        received.append(len(everything(connection)))

    near, far = (push, pull) if flows == "to the gateway" else (pull, push)
    client = join(serve(far))
    client.settimeout(30)
    ours = threading.Thread(target=near, args=(client,), daemon=True)
    ours.start()
    before = -1
    while before != sent[0] or not before:
        before = sent[0]
        time.sleep(0.3)
    assert before < 8 * MIB
    go.set()
    ours.join(30)
    deadline = time.monotonic() + 30
    while not received and time.monotonic() < deadline:
        time.sleep(0.05)
    assert received == [total]


def test_a_client_that_goes_away_is_told_to_the_gateway(serve: Serve, join: Join) -> None:
    """Whether it closes or resets, the gateway's side ends and stops paying for an answer nobody hears."""
    ends: list[str] = []

    def pour(connection: socket.socket) -> None:
        try:
            while True:
                connection.sendall(b"token " * 100)
                time.sleep(0.01)
        except OSError as error:
            ends.append(type(error).__name__)

    gateway = serve(pour)
    for _ in range(2):
        client = join(gateway)
        client.recv(10)
        client.close()
    deadline = time.monotonic() + 10
    while len(ends) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(ends) == 2


def test_a_gateway_that_is_away_ends_a_connection_and_not_the_relay(
    serve: Serve, join: Join, tmp_path: Path
) -> None:
    """The client sees an end; when the gateway is there, the next one is served."""
    gateway = serve(echo)
    away = tmp_path / "away"
    gateway.rename(away)
    assert everything(join(gateway)) == b""
    away.rename(gateway)
    client = join(gateway)
    client.sendall(b"here")
    assert client.recv(10) == b"here"


def test_more_connections_than_there_is_room_for_wait_their_turn(
    serve: Serve, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None is refused; a queue of the gateway's that is full is tried again."""
    monkeypatch.setattr(relay, "MOST_CONNECTIONS", 8)
    gateway = serve(echo)
    clients = [join(gateway) for _ in range(40)]
    for client in clients:
        client.sendall(b"mine")
        client.shutdown(socket.SHUT_WR)
    said = []
    for client in clients:
        said.append(everything(client))
        client.close()
    assert said == [b"mine"] * 40


def test_the_sockets_of_a_relay_are_counted(serve: Serve, join: Join) -> None:
    """Listener, clients and ways to the gateway are the relay's; after its end it holds none."""
    counts: list[int] = []
    listener = listen(0)
    switch = Switch(listener, str(serve(echo)), counts.append)
    client = socket.create_connection(listener.getsockname())
    switch.turn()
    client.close()
    while counts[-1] != 1:
        switch.turn()
    assert counts[0] == 1
    assert 4 in counts
    held = mmap.mmap(-1, mmap.PAGESIZE)
    held[:8] = (3).to_bytes(8, "little")
    one = relay.Relay(77, 8377, held)
    one.ended(76)
    assert one.sockets() == 3
    rows = "sl local_address\n" + "".join(
        f"0: 0100007F:{port:04X} 00000000:0000 {state} 00000000:0000000{queue} 0\n"
        for port, state, queue in ((9000, "0A", 9), (8377, "01", 7), (8377, "0A", 2))
    )
    assert sockets_of(one, rows) == 5
    one.ended(77)
    assert (one.sockets(), one.process) == (0, None)
    listener.close()


@pytest.mark.sandbox
def test_many_streams_flow_at_once(carry_out: CarryOut, serve: Serve, tmp_path: Path) -> None:
    """A hundred connections, each with its own bytes both ways, held open together."""
    script = CONNECT + (
        "import threading\nthreading.stack_size(1 << 18)\ntogether = threading.Barrier(100)\nwrong = []\n"
        "def stream(n):\n"
        "  with join() as one:\n"
        "    block = bytes([n]) * 65536\n"
        "    one.sendall(b'!'); assert one.recv(1) == b'!'\n"
        "    together.wait(20)\n"
        "    for _ in range(4):\n"
        "      one.sendall(block); left = len(block)\n"
        "      while left:\n"
        "        got = one.recv(left); left -= len(got)\n"
        "        if got != block[:len(got)] or not got: wrong.append(n); return\n"
        "    one.shutdown(socket.SHUT_WR)\n"
        "    if one.recv(1): wrong.append(n)\n"
        "threads = [threading.Thread(target=stream, args=(n,)) for n in range(100)]\n"
        "for one in threads: one.start()\n"
        "for one in threads: one.join()\n"
        "assert not wrong and not together.broken, wrong\n"
    )
    model = ModelSocket(serve(echo))
    ended = carry_out(script + WRITE, lambda _: {"model": model})
    assert (ended.exit_code, ended.output) == (0, "present"), said(tmp_path)


def said(folder: Path) -> str:
    """What the agent printed as errors."""
    return (folder / "out" / "stderr.txt").read_text()


@pytest.mark.sandbox
def test_ten_thousand_connections_one_after_another_are_nothing(
    carry_out: CarryOut, serve: Serve, tmp_path: Path
) -> None:
    """Opened and dropped at once, they leave the way to the model open."""
    script = (
        CONNECT + ASK + "for _ in range(10_000): join().close()\nassert ask(b'well') == b'well'\n"
    )
    model = ModelSocket(serve(echo))
    ended = carry_out(script + WRITE, lambda _: {"model": model}, timeout=60.0)
    assert (ended.state, ended.exit_code, ended.output) == ("exited", 0, "present"), said(tmp_path)


@pytest.mark.sandbox
def test_ten_thousand_connections_at_once_are_the_agent_s_end(
    carry_out: CarryOut, serve: Serve, tmp_path: Path
) -> None:
    """The sockets an agent holds are bounded as ever; the supervisor says so and hands out the work."""
    script = (
        CONNECT
        + WRITE
        + (
            "import os, time\n"
            "for _ in range(12):\n"
            "  if os.fork() == 0:\n"
            "    held = []\n"
            "    while True:\n"
            "      one = socket.socket(); one.setblocking(False)\n"
            "      try: one.connect(('127.0.0.1', 8377))\n      except OSError: pass\n"
            "      held.append(one)\n"
            "      if len(held) > 900: time.sleep(60)\n"
            "time.sleep(60)\n"
        )
    )
    model = ModelSocket(serve(echo))
    ended = carry_out(script, lambda _: {"model": model})
    assert (ended.state, ended.output) == ("resources", "present"), said(tmp_path)
    assert "sockets" in (ended.reason or "")


@pytest.mark.sandbox
def test_a_relay_uses_nothing_of_the_agent_s(
    carry_out: CarryOut, serve: Serve, tmp_path: Path
) -> None:
    """An agent of one process and forty sockets keeps its bounds with thirty streams open."""
    script = CONNECT + (
        "import time\nheld = [join() for _ in range(30)]\n"
        "for one in held: one.sendall(b'!'); assert one.recv(1) == b'!'\n"
        "time.sleep(0.5)\n"
    )
    model = ModelSocket(serve(echo))
    ended = carry_out(script + WRITE, lambda _: {"model": model}, sockets=40, processes=1)
    assert (ended.state, ended.exit_code, ended.output) == ("exited", 0, "present"), ended.reason
    ended = carry_out(script + WRITE, lambda _: {"model": model}, sockets=25)
    assert ended.state == "resources"


HARM = CONNECT + ASK + (
    "import ctypes, os, signal, sys, time\n"
    "other = [int(n) for n in os.listdir('/proc') if n.isdigit() and int(n) not in (1, os.getpid())]\n"
    "assert len(other) == 1, other\nrelay = other[0]\n"
)  # fmt: skip
HARMLESS = {
    "signals": "for one in (1, 2, 15): os.kill(relay, one)\ntime.sleep(0.2)\n",
    "a look inside": (
        "for name in ('mem', 'environ', 'maps', 'fd/3', 'root/etc', 'cwd'):\n"
        "  try: open(f'/proc/{relay}/{name}', 'rb')\n  except OSError: continue\n"
        "  raise SystemExit(name)\n"
        "assert ctypes.CDLL(None).ptrace(16, relay, 0, 0) != 0\n"
    ),
}


@pytest.mark.sandbox
@pytest.mark.parametrize("attempt", HARMLESS.values(), ids=HARMLESS)
def test_a_relay_minds_its_own_business(
    attempt: str, carry_out: CarryOut, serve: Serve, tmp_path: Path
) -> None:
    """Signals that ask for an end are not for it, and nobody can look into it."""
    model = ModelSocket(serve(echo))
    ended = carry_out(
        HARM + attempt + "assert ask(b'well') == b'well'\n" + WRITE, lambda _: {"model": model}
    )
    assert (ended.exit_code, ended.output) == (0, "present"), said(tmp_path)


@pytest.mark.sandbox
def test_an_agent_that_ends_its_relay_has_no_model_and_a_run(
    carry_out: CarryOut, serve: Serve, tmp_path: Path
) -> None:
    """It is the agent's own loss; what it leaves is handed out."""
    script = HARM + (
        "os.kill(relay, signal.SIGKILL)\ntime.sleep(0.2)\n"
        "try: join()\nexcept ConnectionRefusedError: pass\nelse: raise SystemExit('still there')\n"
    )
    model = ModelSocket(serve(echo))
    ended = carry_out(script + WRITE, lambda _: {"model": model})
    assert (ended.state, ended.exit_code, ended.output) == ("exited", 0, "present"), said(tmp_path)


OUTWARD = (
    "import errno, os, socket\n"
    "at_once = (errno.ENETUNREACH, errno.EADDRNOTAVAIL, errno.EHOSTUNREACH, errno.EACCES)\n"
    "def refused(family, kind, address, send=False):\n"
    "  with socket.socket(family, kind) as one:\n"
    "    one.settimeout(5)\n"
    "    try: one.sendto(b'x', address) if send else one.connect(address)\n"
    "    except OSError as error:\n"
    "      if error.errno in at_once: return\n"
    "      raise SystemExit(f'{address}: {error!r}')\n"
    "  raise SystemExit(f'{address}: reached')\n"
    "for host in ('192.0.2.1', '8.8.8.8', '10.0.0.1', '172.17.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1',\n"
    "             '224.0.0.1', '255.255.255.255'):\n"
    "  for port in (53, 80, 443): \n"
    "    refused(socket.AF_INET, socket.SOCK_DGRAM, (host, port), send=True)\n"
    "    if not host.startswith(('224', '255')): refused(socket.AF_INET, socket.SOCK_STREAM, (host, port))\n"
    "for host in ('2001:db8::1', 'fd00::1', 'ff02::1'):\n"
    "  refused(socket.AF_INET6, socket.SOCK_DGRAM, (host, 53), send=True)\n"
    "  if host != 'ff02::1': refused(socket.AF_INET6, socket.SOCK_STREAM, (host, 443))\n"
    "for name in ('example.org', 'api.openai.com', 'metadata.google.internal', socket.gethostname()):\n"
    "  try: found = socket.getaddrinfo(name, 443)\n  except socket.gaierror: continue\n"
    "  raise SystemExit(f'{name}: {found}')\n"
    "assert {one[4][0] for one in socket.getaddrinfo('localhost', 80)} == {'127.0.0.1'}\n"
)  # fmt: skip
LISTENING = (
    "def listening(path):\n"
    "  rows = [line.split() for line in open(path).readlines()[1:]]\n"
    "  return sorted(row[1] for row in rows if row[3] in ('0A', '07'))\n"
    "def all_listening(): return [one for name in ('tcp', 'tcp6', 'udp', 'udp6', 'raw')\n"
    "  for one in listening('/proc/net/' + name)]\n"
    "def sockets():\n"
    "  found = []\n"
    "  for root, folders, files in os.walk('/'):\n"
    "    if root in ('/proc', '/sys'): folders.clear(); continue\n"
    "    for name in files:\n"
    "      path = os.path.join(root, name)\n"
    "      if not os.path.islink(path) and os.path.exists(path) and os.stat(path).st_mode >> 12 == 12:\n"
    "        found.append(path)\n"
    "  return found\n"
    "def named(): return [row.split()[-1] for row in open('/proc/net/unix').readlines()[1:] if len(row.split()) > 7]\n"
)


@pytest.mark.sandbox
@pytest.mark.parametrize("with_model", [True, False], ids=["with a model", "without"])
def test_a_model_that_tries_to_leave_is_refused_at_once(
    with_model: bool, carry_out: CarryOut, serve: Serve, tmp_path: Path
) -> None:
    """No address but loopback is reached and no name found; one socket leads out, and none without a model."""
    ours = ["0100007F:20B9"] if with_model else []  # 127.0.0.1:8377 as the kernel writes it
    ways = ["/run/gateway/socket"] if with_model else []
    script = OUTWARD + LISTENING + (
        f"assert all_listening() == {ours}, all_listening()\n"
        f"assert sockets() == {ways}, sockets()\n"
        "assert named() == [], named()\n"
    )  # fmt: skip
    if with_model:
        script += (
            "for path in ('/run/gateway/other', '/run/gateway/socket'):\n"
            "  for attempt in (os.remove, lambda p: open(p, 'x')):\n"
            "    try: attempt(path)\n    except OSError: continue\n    raise SystemExit(path)\n"
        )
    model = ModelSocket(serve(echo)) if with_model else None
    ended = carry_out(script + WRITE, lambda _: {"model": model})
    assert (ended.exit_code, ended.output) == (0, "present"), said(tmp_path)


@pytest.mark.sandbox
def test_the_port_leads_to_the_gateway_and_nowhere_else(
    carry_out: CarryOut, serve: Serve, tmp_path: Path
) -> None:
    """What asks a proxy for another host is the gateway's to judge: it is passed on as it is, byte for byte."""
    requests = [
        b"CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n",
        b"GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\n\r\n",
        b"\x05\x01\x00\x05\x01\x00\x03\x0bexample.org\x01\xbb",
        b"\x04\x01\x00P\xc0\x00\x02\x01\x00",
    ]
    heard: list[bytes] = []

    def gateway(connection: socket.socket) -> None:
        heard.append(everything(connection))
        connection.sendall(b"no")

    script = CONNECT + ASK + f"for one in {requests}: assert ask(one) == b'no'\n"
    model = ModelSocket(serve(gateway))
    ended = carry_out(script + WRITE, lambda _: {"model": model})
    assert (ended.exit_code, heard) == (0, requests), said(tmp_path)


@pytest.mark.sandbox
def test_a_gateway_s_socket_has_to_be_one(carry_out: CarryOut, tmp_path: Path) -> None:
    """A file in its place is refused before anything starts."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="no socket"):
        carry_out(WRITE, lambda _: {"model": ModelSocket(tmp_path / "file")})


@pytest.mark.sandbox
def test_a_relay_that_cannot_listen_is_the_sandbox_s_failure(
    carry_out: CarryOut, serve: Serve, tmp_path: Path
) -> None:
    """The agent is not started, and nothing is charged to it."""
    model = ModelSocket(serve(echo), port=1)
    with pytest.raises(SandboxError, match="did not start: PermissionError"):
        carry_out(WRITE, lambda _: {"model": model})
    assert not (tmp_path / "out" / "output.csv").exists()


@pytest.mark.sandbox
def test_a_program_that_asks_a_name_server_gives_up_at_once(
    carry_out: CarryOut, tmp_path: Path
) -> None:
    """Statically linked ones know no other way; what they read names no server outside, and no waiting."""
    script = (
        "words = [line.split() for line in open('/etc/resolv.conf')]\n"
        "assert [one[1] for one in words if one[0] == 'nameserver'] == ['127.0.0.1']\n"
        "assert [one[1:] for one in words if one[0] == 'options'] == [['timeout:0', 'attempts:1']]\n"
    )
    ended = carry_out(script + WRITE)
    assert ended.exit_code == 0, said(tmp_path)
