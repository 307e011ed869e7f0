# SPDX-License-Identifier: MIT
"""What the gateway adds to a request, and whether it keeps 64 streams flowing, beside the same upstream asked directly.

Usage: python benchmarks/gateway.py [--requests 200] [--streams 64] [--events 200] [--pause 0.02]

Prints JSON with milliseconds (median and 95th percentile) of a request answered in one piece, asked directly and
through a lane's Unix socket in turn, what the gateway adds, and the wall time of all streams at once both ways.
Exits 1 when it adds more than 10 ms (median or 95th percentile), or when a stream is not whole.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import aiohttp
from aiohttp import web

from m4bench.harness.gateway.lane import LaneConfig, Upstream
from m4bench.harness.gateway.process import Gateway

MOST_MILLISECONDS = 10.0
TOKEN = "lane-token-of-the-benchmark"
MODEL = "a-model"
PATH = "/v1/chat/completions"
# About what an agent's request holds after some turns.
CONVERSATION = [
    {"role": role, "content": "SELECT stay_id, charttime FROM icustays; " * 100}
    for role in ("user", "assistant") * 10
]
WHOLE = {
    "choices": [{"message": {"content": "done"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 10_000, "completion_tokens": 10},
}


def serve(events: int, pause: float) -> None:
    """Be the upstream, in a process of its own; prints its port."""

    async def answer(request: web.BaseRequest) -> web.StreamResponse:
        asked = json.loads(await request.read())
        if not asked.get("stream"):
            return web.json_response(WHOLE)
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await response.prepare(request)
        for number in range(events):
            delta = {"choices": [{"index": 0, "delta": {"content": f"word {number} "}}]}
            await response.write(f"data: {json.dumps(delta)}\n\n".encode())
            await asyncio.sleep(pause)
        await response.write(b"data: [DONE]\n\n")
        return response

    async def run() -> None:
        factory = web.Server(answer, access_log=None)
        runner = web.ServerRunner(factory)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        print(runner.addresses[0][1], flush=True)
        await asyncio.Event().wait()

    asyncio.run(run())


async def timed(session: aiohttp.ClientSession, url: str, *, stream: bool) -> tuple[float, bytes]:
    """Seconds and body of one request."""
    body = json.dumps({"model": MODEL, "stream": stream, "messages": CONVERSATION}).encode()
    started = time.perf_counter()
    async with session.post(url + PATH, data=body, headers={"x-api-key": TOKEN}) as response:
        told = await response.read()
        assert response.status == 200, told
    return time.perf_counter() - started, told


async def measure(direct_url: str, socket: Path, options: argparse.Namespace) -> dict[str, object]:
    """Ask both ways in turn, so that what else the machine does falls on both."""
    ways = (("direct", direct_url, aiohttp.TCPConnector(limit=0)),
            ("gateway", "http://gateway", aiohttp.UnixConnector(str(socket), limit=0)))  # fmt: skip
    sessions = {name: (aiohttp.ClientSession(connector=how), url) for name, url, how in ways}
    seconds: dict[str, list[float]] = {name: [] for name in sessions}
    walls: dict[str, float] = {}
    whole: dict[str, int] = {}
    try:
        for turn in range(options.requests + 5):
            for name, (session, url) in sessions.items():
                took, _ = await timed(session, url, stream=False)
                if turn >= 5:  # the first ones open connections
                    seconds[name].append(took * 1000)
        for name, (session, url) in sessions.items():
            started = time.perf_counter()
            bodies = await asyncio.gather(
                *(timed(session, url, stream=True) for _ in range(options.streams))
            )
            walls[name] = time.perf_counter() - started
            whole[name] = sum(
                body.count(b"data: ") == options.events + 1 and body.endswith(b"[DONE]\n\n")
                for _, body in bodies
            )
    finally:
        for session, _ in sessions.values():
            await session.close()
    return figures(seconds, walls, whole)


def figures(
    seconds: dict[str, list[float]], walls: dict[str, float], whole: dict[str, int]
) -> dict[str, object]:
    """What is printed."""
    at = {
        name: (statistics.median(took), statistics.quantiles(took, n=20)[18])
        for name, took in seconds.items()
    }
    added = [through - direct for through, direct in zip(at["gateway"], at["direct"], strict=True)]
    return {
        "direct_ms": [round(one, 2) for one in at["direct"]],
        "gateway_ms": [round(one, 2) for one in at["gateway"]],
        "added_ms": [round(one, 2) for one in added],
        "streams_whole": whole,
        "streams_seconds": {name: round(wall, 2) for name, wall in walls.items()},
        "streams_ratio": round(walls["gateway"] / walls["direct"], 3),
    }


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--streams", type=int, default=64)
    parser.add_argument("--events", type=int, default=200)
    parser.add_argument("--pause", type=float, default=0.02)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.events, options.pause)
        return 0
    given = ["--serve", "--events", str(options.events), "--pause", str(options.pause)]
    upstream = subprocess.Popen([sys.executable, __file__, *given], stdout=subprocess.PIPE)
    assert upstream.stdout
    try:
        url = f"http://127.0.0.1:{int(upstream.stdout.readline())}"
        with tempfile.TemporaryDirectory(prefix="m4bench-gateway-") as folder, Gateway() as gateway:
            socket = Path(folder) / "socket"
            config = LaneConfig(
                lane="benchmark",
                socket=str(socket),
                token=TOKEN,
                upstream=Upstream(
                    name="here", base_url=f"{url}/v1", protocols=("chat-completions",), key="none"
                ),
                models=(MODEL,),
                access="synthetic",
                egress=str(Path(folder) / "egress.jsonl"),
                markers={"skill": "a text that no request holds"},
            )
            gateway.open(config, print)
            found = asyncio.run(measure(url, socket, options))
            counted = gateway.close("benchmark").usage
    finally:
        upstream.kill()
        upstream.wait()
    print(json.dumps(found))
    complete = all(count == options.streams for count in found["streams_whole"].values())  # type: ignore[attr-defined]
    fast = max(found["added_ms"]) <= MOST_MILLISECONDS  # type: ignore[call-overload]
    return 0 if complete and fast and counted.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
