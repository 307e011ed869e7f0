# SPDX-License-Identifier: MIT
"""The scripted model server keeps to its script, in every protocol, and says what the gateway can read."""

import json
from typing import Any

import httpx
import pytest

from m4bench.harness.gateway.lane import WIRE_PROTOCOLS, WireProtocol
from m4bench.harness.gateway.protocols.protocol import Answered
from m4bench.harness.gateway.protocols.wires import wire_of
from m4bench.model.usage import Tokens
from tests.harness.gateway.protocols.test_requests import PATHS, PLAIN
from tests.harness.gateway.scripted import (
    Call,
    Counts,
    Cut,
    Done,
    Overflow,
    Overlong,
    Refuse,
    Say,
    ScriptedServer,
    Slow,
    Status,
)
from tests.harness.gateway.scripted.answer import Offer, instance_of
from tests.harness.gateway.scripted.script import Turn

COUNTS = Counts(input=120, cached=20, output=34, reasoning=0)


def send(server: ScriptedServer, protocol: WireProtocol, **change: object) -> httpx.Response:
    """Send a request that offers a shell tool."""
    path = PATHS[protocol]
    request: dict[str, Any] = {**PLAIN[protocol], **change}
    if protocol == "generate-content" and request.pop("stream", True) is False:
        path = path.replace("streamGenerateContent?alt=sse", "generateContent")
    return httpx.post(server.url + path, json=request, timeout=10, trust_env=False)


def read(protocol: WireProtocol, response: httpx.Response) -> Answered:
    """Return what the gateway reads of an answer."""
    reader = wire_of(protocol).answer(response.headers["content-type"] == "text/event-stream")
    reader.feed(response.content)
    return reader.end()


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("turn", "stop"),
    [
        (Say("Hi", COUNTS), "stop"),
        (Done(counts=COUNTS), "stop"),
        (Call("ls", COUNTS), "tool"),
        (Refuse(counts=COUNTS), "refusal"),
        (Overlong(20_000, COUNTS), "length"),
    ],
)
def test_a_turn_is_said_with_its_counts(
    protocol: WireProtocol, stream: bool, turn: Turn, stop: str
) -> None:
    """Each kind of turn ends as it should and claims the script's tokens, streamed or not."""
    with ScriptedServer([turn]) as server:
        response = send(server, protocol, stream=stream)
        if protocol == "chat-completions" and stream:
            response = send_again(response, server, turn)
    # Google's is named in the path
    model = PLAIN[protocol].get("model") or PATHS[protocol].split("/models/")[1].split(":")[0]
    expected = Answered(Tokens(input=120, cached=20, output=34), stop, True, model=model)  # type: ignore[arg-type]
    assert read(protocol, response) == expected


def send_again(response: httpx.Response, server: ScriptedServer, turn: Turn) -> httpx.Response:
    """Check that a chat tells no usage unasked, and return one that was asked."""
    assert read("chat-completions", response).tokens is None
    with ScriptedServer([turn]) as other:
        return send(other, "chat-completions", stream_options={"include_usage": True})


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
def test_failures_come_as_often_as_they_say(protocol: WireProtocol) -> None:
    """A status is given so many times, then the next turn; an overflow for ever."""
    with ScriptedServer(
        [Status(500, {"retry-after": "1"}, times=2), Say("Hi"), Overflow()]
    ) as server:
        answers = [send(server, protocol) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [500, 500, 200, 400, 400]
    assert answers[0].headers["retry-after"] == "1"
    wire = wire_of(protocol)
    assert wire.error(500, answers[0].content).state == "provider-error"
    assert wire.error(400, answers[3].content).state == "context-overflow"


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
def test_a_cut_turn_breaks_off_and_is_then_said(protocol: WireProtocol) -> None:
    """A cut answer ends without its end; the next request gets it whole."""
    with ScriptedServer([Cut(Say("It is so. " * 100), after=300), Say("Bye")]) as server:
        with pytest.raises(httpx.RemoteProtocolError):
            send(server, protocol)
        assert not server.script.finished
        assert read(protocol, send(server, protocol)).complete
        assert read(protocol, send(server, protocol)).complete
        assert server.script.finished


def test_a_slow_turn_is_whole() -> None:
    """Pauses between chunks change nothing that is said."""
    with ScriptedServer([Slow(Say("Hi", COUNTS), 0.01)]) as server:
        assert read("messages", send(server, "messages")).complete


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
def test_side_requests_do_not_move_the_script(protocol: WireProtocol) -> None:
    """A request without a shell tool, a count and a list of models leave the script where it is; all are kept."""
    with ScriptedServer([Say("Hi")]) as server:
        assert read(protocol, send(server, protocol, tools=[])).stop == "stop"
        for path in ("/v1/models", "/v1beta/models"):
            assert httpx.get(server.url + path, trust_env=False).status_code == 200
        count = httpx.post(server.url + "/v1/messages/count_tokens", json={}, trust_env=False)
        assert count.json()["input_tokens"] == 100
        assert not server.script.finished
        send(server, protocol)
        assert server.script.finished
        assert [seen.side for seen in server.seen] == [True] * 4 + [False]
        assert server.asked[0].body["tools"]


@pytest.mark.parametrize(
    ("tools", "name", "arguments"),
    [
        ({"exec_command": {"cmd": {}}}, "exec_command", {"cmd": "ls"}),
        ({"shell": {"command": {"type": "array"}}}, "shell", {"command": ["bash", "-c", "ls"]}),
        (
            {"Bash": {"command": {}, "description": {}}},
            "Bash",
            {"command": "ls", "description": "Run the command"},
        ),
        (
            {"run_shell_command": {"command": {}, "is_background": {}}},
            "run_shell_command",
            {"command": "ls", "is_background": False},
        ),
        ({"read": {"path": {}}, "bash": {"command": {}}}, "bash", {"command": "ls"}),
    ],
)
def test_a_command_uses_the_clients_own_tool(
    tools: dict[str, dict[str, Any]], name: str, arguments: dict[str, Any]
) -> None:
    """Each tool's shell is called by its name and with its arguments."""
    call = Offer(tools, "").shell("ls")
    assert call is not None
    assert (call.name, call.arguments) == (name, arguments)


def test_a_side_request_for_json_gets_json() -> None:
    """A check that wants its answer in a schema gets a value of it."""
    schema = {
        "type": "OBJECT",
        "properties": {
            "next": {"type": "STRING", "enum": ["user", "model"]},
            "n": {"type": "integer"},
        },
    }
    assert instance_of(schema) == {"next": "user", "n": 1}
    with ScriptedServer([]) as server:
        wanted = {"responseJsonSchema": schema}
        said = send(server, "generate-content", tools=[], generationConfig=wanted, stream=False)
    text = "".join(part["text"] for part in said.json()["candidates"][0]["content"]["parts"])
    assert json.loads(text) == {"next": "user", "n": 1}
