# SPDX-License-Identifier: MIT
"""When two requests are told equal, so that a recording can answer the second."""

from typing import Any

import pytest

from m4bench.harness.gateway.lane import WIRE_PROTOCOLS, WireProtocol
from m4bench.harness.gateway.protocols.conversation import normalised
from tests.harness.gateway.protocols.test_requests import PLAIN, ask


def conversation(protocol: WireProtocol, said: str, command: str, result: str) -> dict[str, Any]:
    """Return a request after one call of a tool."""
    request = dict(PLAIN[protocol])
    if protocol == "responses":
        request["input"] = [
            {"role": "user", "content": said},
            {"type": "reasoning", "encrypted_content": said},
            {"type": "function_call", "call_id": "c", "name": "shell", "arguments": command},
            {"type": "function_call_output", "call_id": "c", "output": result},
        ]
    elif protocol == "chat-completions":
        call = {"id": "c", "function": {"name": "shell", "arguments": command}}
        request["messages"] = [
            {"role": "user", "content": said},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c", "content": result},
        ]
    elif protocol == "messages":
        use = {"type": "tool_use", "id": "t", "name": "shell", "input": {"command": command}}
        request["messages"] = [
            {"role": "user", "content": said},
            {"role": "assistant", "content": [{"type": "thinking", "signature": said}, use]},
            {"role": "user", "content": [{"type": "tool_result", "content": result}]},
        ]
    else:
        request["contents"] = [
            {"role": "user", "parts": [{"text": said}]},
            {
                "role": "model",
                "parts": [{"functionCall": {"name": "shell", "args": {"c": command}}}],
            },
            {"role": "user", "parts": [{"functionResponse": {"response": {"output": result}}}]},
        ]
    return request


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
def test_what_differs_between_equal_runs_makes_no_difference(protocol: WireProtocol) -> None:
    """Dates, ids, counts and temporary paths change from run to run; the fingerprint does not."""
    one = conversation(
        protocol,
        "Today is Monday, November 30, 2026 (session 0b3f2a91-7f0d-4a5e-9d6e-1c2b3a4d5e6f)",
        "cat /tmp/tmp_a1/x.csv",
        "pid 4711, took 0.25 s, commit 3d905a1",
    )
    two = conversation(
        protocol,
        "Today is Tuesday, December 1, 2026 (session 11111111-2222-3333-4444-555555555555)",
        "cat /tmp/b/y.csv",
        "pid 12, took 1.75 s, commit 571722e",
    )
    assert ask(protocol, one).fingerprint == ask(protocol, two).fingerprint


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_another_word_makes_another_fingerprint(protocol: WireProtocol, place: int) -> None:
    """What is said, done or found otherwise is another conversation of the same shape."""
    words = ["write it", "ls", "done"]
    one = ask(protocol, conversation(protocol, *words))
    words[place] = "something else"
    two = ask(protocol, conversation(protocol, *words))
    assert one.fingerprint != two.fingerprint
    assert one.shape == two.shape


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
def test_another_turn_makes_another_shape(protocol: WireProtocol) -> None:
    """One turn more is another shape."""
    assert (
        ask(protocol, PLAIN[protocol]).shape
        != ask(protocol, conversation(protocol, "a", "b", "c")).shape
    )


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("sofa score", "sofa score"),
        ("may be defaced in the facade", "may be defaced in the facade"),
        ("call_Abc-1 and toolu_0X", "<id> and <id>"),
        ("Sat, Jan 3rd 2026 at 10:02:03", "<day>, <month> 0 0 at 0:0:0"),
        ("Chunk ID: e0c0fa", "Chunk ID: <id>"),
        ("open /tmp/x/y.csv, then", "open <path>, then"),
    ],
)
def test_normalised(text: str, plain: str) -> None:
    """Words stay, what numbers a run goes."""
    assert normalised(text) == plain
