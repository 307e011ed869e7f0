# SPDX-License-Identifier: MIT
"""The gateway is a process of its own that ends with its harness, keeps nothing, and answers nothing unlogged."""

import asyncio
import json
import os
import resource
import shutil
import signal
import ssl
import subprocess
import sys
import time
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from m4bench.harness.gateway.egress import EgressLine, EgressLog
from m4bench.harness.gateway.process import Gateway, GatewayError
from m4bench.harness.sandbox.bwrap import BubblewrapSandbox
from m4bench.model.errors import InputError
from tests.harness.gateway.rig import (
    KEY,
    MODEL,
    TOKEN,
    Rig,
    begin_stream,
    events,
    streaming,
    upstream,
)


def wait_until_gone(pid: int) -> bool:
    """Whether a process is gone within a generous time."""
    for _ in range(600):
        if not Path(f"/proc/{pid}").exists():
            return True
        time.sleep(0.05)
    return False


def test_keys_are_nowhere_to_be_read(gateway: Gateway, rig: Rig) -> None:
    """Neither its command line nor its environment holds one, and there is no proxy or other setting in it."""
    rig.lane("http://127.0.0.1:9")
    environment = Path(f"/proc/{gateway.pid}/environ").read_bytes()
    names = {one.partition(b"=")[0] for one in environment.split(b"\0") if one}
    assert names <= {b"PATH", b"LANG", b"SSL_CERT_FILE", b"SSL_CERT_DIR"}
    assert KEY.encode() not in environment + Path(f"/proc/{gateway.pid}/cmdline").read_bytes()
    limits = Path(f"/proc/{gateway.pid}/limits").read_text()
    assert next(line for line in limits.splitlines() if "core file" in line).split()[4] == "0"


def test_a_proxy_of_the_user_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gateway goes to its upstream only."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with Gateway() as gateway, upstream(streaming()) as server:
        assert Rig(gateway, tmp_path).lane(server.url).ask().status == 200


def test_only_a_certificate_that_is_good_is_talked_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unknown one gets nothing, not even twice; a site's own authority is taken from `SSL_CERT_FILE`."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=site",
    ]
    names = [
        "-addext",
        "subjectAltName=IP:127.0.0.1",
        "-keyout",
        str(key),
        "-out",
        str(certificate),
    ]
    subprocess.run([*made, *names], check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    with upstream(streaming(), tls) as server:
        with Gateway() as gateway:
            lane = Rig(gateway, tmp_path).lane(server.url)
            assert lane.ask().status == 502
            summary = lane.close()
        assert not server.seen
        assert summary.last_failure
        assert "certificate" in summary.last_failure.reason
        assert (summary.last_failure.state, summary.usage.attempts) == ("provider-unreachable", 1)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with Gateway() as gateway:
            (tmp_path / "good").mkdir()
            assert Rig(gateway, tmp_path / "good").lane(server.url).ask().status == 200


@pytest.mark.parametrize("orphan", [False, True], ids=["pipe closes", "pipe held by another"])
def test_it_ends_when_its_harness_is_killed(tmp_path: Path, orphan: bool) -> None:
    """Killed outright, a harness leaves no gateway; not even when another process keeps its end of the pipe."""
    program = f"""
import os, sys, time
from m4bench.harness.gateway.process import Gateway
gateway = Gateway().__enter__()
held = 0
if {orphan}:
    held = os.fork()
    if held == 0:
        os.close(1)
        time.sleep(60)
        os._exit(0)
print(gateway.pid, held, flush=True)
time.sleep(60)
"""
    harness = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert harness.stdout
    gateway, held = map(int, harness.stdout.readline().split())
    assert Path(f"/proc/{gateway}").exists()
    harness.kill()
    harness.wait()
    try:
        assert wait_until_gone(gateway)
    finally:
        if held:
            os.kill(held, signal.SIGKILL)


def test_a_block_that_ends_leaves_nothing(tmp_path: Path) -> None:
    """No process and no socket; a lane that was open is cut."""
    with Gateway() as gateway, upstream(streaming()) as server:
        pid = gateway.pid
        lane = Rig(gateway, tmp_path).lane(server.url)
        lane.ask()
    assert pid
    assert wait_until_gone(pid)
    assert not (tmp_path / "0.sock").exists()
    assert not lane.endings
    with pytest.raises(GatewayError):
        lane.close()


def test_a_gateway_that_cannot_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line."""
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(GatewayError, match="did not start"), Gateway():
        pass


def test_a_reply_that_cannot_be_read_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits for it fails at once, with a word of why."""
    program = tmp_path / "python"
    ready = json.dumps({"event": {"event": "ready"}})
    program.write_text(
        f"#!/bin/sh\necho '{ready}'\nread asked\necho '{{\"reply\": 1}}'\nread more\n"
    )
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    with Gateway() as gateway, pytest.raises(GatewayError, match="cannot be read"):
        gateway.close("lane")


def test_lanes_are_closed_once_and_named_once(rig: Rig) -> None:
    """A second of the same name, and a second close, are refused."""
    lane = rig.lane("http://127.0.0.1:9")
    with pytest.raises(GatewayError, match="open already"):
        rig.gateway.open(lane.config, print)
    lane.close()
    with pytest.raises(GatewayError, match="is open"):
        rig.gateway.close(lane.config.lane)


@pytest.mark.parametrize("field", ["socket", "egress", "record"])
def test_a_file_that_cannot_be_made_is_told(rig: Rig, tmp_path: Path, field: str) -> None:
    """It is named, and the gateway goes on."""
    with pytest.raises(InputError, match=str(tmp_path / "none")):
        rig.lane("http://127.0.0.1:9", **{field: str(tmp_path / "none" / "x")})
    rig.lane("http://127.0.0.1:9", lane="another")


def test_sixty_four_streams_flow_at_once(rig: Rig) -> None:
    """Every stream has begun before any ends, over eight lanes; each arrives whole and is counted."""
    begun = 0
    all_begun = asyncio.Event()
    told = events("chat-completions", [f"word{number}" for number in range(30)])

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        nonlocal begun
        response = await begin_stream(request)
        await response.write(told[0])
        begun += 1
        if begun == 64:
            all_begun.set()
        async with asyncio.timeout(60):
            await all_begun.wait()
        for event in told[1:]:
            await response.write(event)
            await asyncio.sleep(0)
        return response

    async def one(socket: str) -> bytes:
        connector = aiohttp.UnixConnector(path=socket)
        async with aiohttp.ClientSession(connector=connector) as session:
            body = {"model": MODEL, "stream": True, "messages": []}
            headers = {"authorization": f"Bearer {TOKEN}"}
            url = "http://gateway/v1/chat/completions"
            async with session.post(url, json=body, headers=headers) as response:
                return await response.read()

    async def all_of(sockets: list[str]) -> list[bytes]:
        return await asyncio.gather(*(one(socket) for socket in sockets))

    with upstream(answer) as server:
        lanes = [rig.lane(server.url) for _ in range(8)]
        bodies = asyncio.run(all_of([lane.config.socket or "" for lane in lanes] * 8))
        assert all(body == b"".join(told) for body in bodies)
        assert [lane.close().usage.tokens.total for lane in lanes] == [8 * 18] * 8


def test_a_busy_lane_starves_no_other(rig: Rig) -> None:
    """One lane has fifty requests waiting at an endpoint that takes one at a time; another's is not the last."""
    order: list[str] = []

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        body = await asyncio.to_thread(lambda: server.seen[number].body)
        order.append(json.loads(body)["messages"][0]["content"])
        return await streaming()(request, number)

    async def many(first: str, second: str) -> None:
        async with (
            aiohttp.ClientSession(connector=aiohttp.UnixConnector(first, limit=0)) as busy,
            aiohttp.ClientSession(connector=aiohttp.UnixConnector(second)) as quiet,
        ):

            async def ask(session: aiohttp.ClientSession, text: str) -> None:
                said = {
                    "model": MODEL,
                    "stream": True,
                    "messages": [{"role": "user", "content": text}],
                }
                async with session.post(
                    "http://gateway/v1/chat/completions", json=said, headers={"x-api-key": TOKEN}
                ) as response:
                    assert response.status == 200
                    await response.read()

            waiting = [asyncio.create_task(ask(busy, "busy")) for _ in range(50)]
            while not order:
                await asyncio.sleep(0.001)
            await ask(quiet, "quiet")
            await asyncio.gather(*waiting)

    with upstream(answer) as server:
        rate = {"concurrent": 1}
        lanes = [rig.lane(server.url, rate=rate) for _ in range(2)]
        asyncio.run(many(lanes[0].config.socket or "", lanes[1].config.socket or ""))
    assert order.count("busy") == 50
    assert order.index("quiet") < 25


LINE = EgressLine("lane", 1, 1, "responses", "POST", "/" + "p" * 9000, "m" * 9000)


def test_nothing_leaves_when_the_log_is_full(tmp_path: Path) -> None:
    """The lane ends before anything is sent; every request that was sent has its line."""
    with Gateway() as gateway, upstream(streaming()) as server:
        lane = Rig(gateway, tmp_path).lane(server.url)
        assert lane.ask().status == 200
        assert gateway.pid
        bound = Path(lane.config.egress).stat().st_size + 4200
        resource.prlimit(gateway.pid, resource.RLIMIT_FSIZE, (bound, bound))
        told = [lane.ask().status for _ in range(4)]
        assert lane.ended.wait(30)
        summary = lane.close()
    assert told == [200, 503, 503, 503]
    assert summary.fatal
    assert summary.fatal.state == "infrastructure"
    assert "egress log cannot be written" in summary.fatal.reason
    sent = [line for line in lane.egress if line["outcome"] == "answered"]
    assert len(sent) == len(server.seen) == 2


@pytest.mark.sandbox
def test_a_promised_line_is_written_on_a_full_disk(bubblewrap: BubblewrapSandbox) -> None:
    """On a file system of 256 kB that fills up in the middle of an attempt; the next attempt is refused."""
    program = """
from pathlib import Path
from m4bench.harness.gateway.egress import EgressLine, EgressLog
log = EgressLog(Path("/mnt/egress.jsonl"))
log.reserve()
with open("/mnt/rest", "wb", buffering=0) as rest:
    try:
        while True:
            rest.write(b"x" * 4096)
    except OSError:
        pass
log.write(EgressLine("lane", 1, 1, "responses", "POST", "/p", "m"))
print(len(Path("/mnt/egress.jsonl").read_text().splitlines()))
try:
    log.reserve()
except OSError as error:
    print(error.errno)
"""
    small = ["bwrap", "--dev-bind", "/", "/", "--size", "262144", "--tmpfs", "/mnt"]
    told = subprocess.run([*small, sys.executable, "-c", program], capture_output=True, check=True)
    assert told.stdout.split() == [b"1", b"28"]


def limited(size: int, program: str) -> "subprocess.CompletedProcess[bytes]":
    """Run a program that may write files of so many bytes."""
    return subprocess.run(
        [sys.executable, "-c", program],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
        check=False,
        capture_output=True,
    )


def test_the_log_s_room_is_promised_before(tmp_path: Path) -> None:
    """Where a file may not grow, the room is refused; and the longest line fits what was promised."""
    log = EgressLog(tmp_path / "egress.jsonl")
    log.reserve()
    log.write(LINE)
    log.release()
    log.close()
    line = (tmp_path / "egress.jsonl").read_bytes()
    assert len(line) < 4096
    assert (tmp_path / "egress.jsonl").stat().st_mode & 0o777 == 0o600
    program = f"""
from pathlib import Path
from m4bench.harness.gateway.egress import EgressLog
log = EgressLog(Path({str(tmp_path / "small.jsonl")!r}))
log.reserve()
try:
    log.reserve()
except OSError as error:
    print(error.errno)
"""
    assert limited(6000, program).stdout.strip() == b"27"


def test_a_line_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """When its bodies do not fit, the line without them is there, and it is told."""
    program = f"""
from pathlib import Path
from m4bench.harness.gateway.egress import EgressLine, EgressLog
log = EgressLog(Path({str(tmp_path / "small.jsonl")!r}))
line = EgressLine("lane", 1, 1, "responses", "POST", "/p", "m")
try:
    log.write(line, {{"request_body": "x" * 9000}})
except OSError as error:
    print(error.errno)
"""
    assert limited(6000, program).stdout.strip() == b"27"
    (line,) = (tmp_path / "small.jsonl").read_text().splitlines()
    assert json.loads(line)["outcome"] == "cut"
