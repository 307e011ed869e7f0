# SPDX-License-Identifier: MIT
"""A recorded run can be answered again without any provider, and a recording tells when it is not whole."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from m4bench.harness.gateway.lane import WIRE_PROTOCOLS, LaneSummary, WireProtocol
from m4bench.harness.gateway.process import Gateway, GatewayError
from m4bench.harness.gateway.secrecy import Secrets, SecretStream
from m4bench.model.errors import InputError
from tests.harness.gateway.rig import (
    KEY,
    TOKEN,
    Reply,
    Rig,
    begin_stream,
    events,
    statuses,
    streaming,
    upstream,
)

NOWHERE = "http://127.0.0.1:9"


def seen_alike(first: LaneSummary, second: LaneSummary) -> None:
    """What a replay counts is what the recorded run counted, but for attempts and hosts."""
    for name in ("requests", "failed", "uncounted", "tokens", "refused"):
        assert getattr(first.usage, name) == getattr(second.usage, name), name
    assert first.stop_reasons == second.stop_reasons
    assert first.last_failure == second.last_failure
    assert first.models_seen == second.models_seen


def test_a_run_of_many_endings_is_replayed(rig: Rig, tmp_path: Path) -> None:
    """Streams, whole answers, errors, cut answers and lists come again as they were, without upstream and key."""

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        match number:
            case 0:
                return await streaming(words=["grüße", " 😀"])(request, number)
            case 1:
                usage = {"prompt_tokens": 1, "completion_tokens": 2}
                choice = {"message": {"content": KEY}, "finish_reason": "stop"}
                return web.json_response({"choices": [choice], "usage": usage})
            case 2:
                return await statuses(404)(request, number)
            case 3:
                response = await begin_stream(request)
                await response.write(events("chat-completions", ["cut"])[0])
                assert request.transport
                request.transport.close()
                return response
        return web.json_response({"data": []})

    record = tmp_path / "recording.jsonl"

    def talk(lane: Any) -> list[Reply]:
        return [
            lane.ask(text="one"),
            lane.ask(text=f"two {KEY} {TOKEN}", stream=False),
            lane.ask(text="three"),
            lane.ask(text="four"),
            lane.ask(path="/v1/models", method="GET"),
        ]

    with upstream(answer) as server:
        lane = rig.lane(server.url, record=str(record))
        first, heard = talk(lane), lane.close()
    again = rig.lane(NOWHERE, replay=str(record), upstream_more={"key": None})
    second, told = talk(again), again.close()
    assert [(r.status, r.body, r.whole) for r in second] == [
        (r.status, r.body, r.whole) for r in first
    ]
    assert [r.headers["content-type"] for r in second] == [r.headers["content-type"] for r in first]
    seen_alike(heard, told)
    assert (heard.recorded, heard.replayed, told.recorded, told.replayed) == (5, 0, 0, 5)
    assert (told.divergences, told.hosts) == (0, ())
    assert [line["host"] for line in again.egress] == [None] * 5
    assert record.stat().st_mode & 0o777 == 0o600
    assert KEY not in record.read_text()
    assert [json.loads(line)["n"] for line in record.read_text().splitlines()] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
def test_each_protocol_is_replayed(rig: Rig, tmp_path: Path, protocol: WireProtocol) -> None:
    """Tokens are counted as in the original."""
    record = tmp_path / "recording.jsonl"
    with upstream(streaming(protocol)) as server:
        lane = rig.lane(server.url, (protocol,), record=str(record))
        first, heard = lane.ask(protocol), lane.close()
    lane = rig.lane(NOWHERE, (protocol,), replay=str(record))
    assert lane.ask(protocol).body == first.body
    assert lane.close().usage.tokens == heard.usage.tokens
    assert heard.usage.tokens.total == 18


def test_other_words_of_the_same_shape_are_a_divergence(rig: Rig, tmp_path: Path) -> None:
    """The same words come first, wherever they stand; then the first that is left; then there is nothing."""
    record = tmp_path / "recording.jsonl"

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        return await streaming(words=[f"answer-{number}"])(request, number)

    with upstream(answer) as server:
        lane = rig.lane(server.url, record=str(record))
        for text in ("heron", "stork", "crane"):
            lane.ask(text=text)
        lane.close()
    lane = rig.lane(NOWHERE, replay=str(record))
    told = [lane.ask(text=text).body for text in ("crane", "a goose", "heron")]
    assert [b"answer-2" in told[0], b"answer-0" in told[1], b"answer-1" in told[2]] == [True] * 3
    refused = lane.ask(text="crane")
    assert lane.ended.wait(30)
    summary = lane.close()
    assert (refused.status, summary.divergences, summary.refusals) == (400, 2, {"replay": 1})
    assert summary.fatal
    assert summary.fatal.state == "replay-mismatch"
    assert summary.last_failure == summary.fatal


@pytest.mark.parametrize(
    ("offered", "status"), [(["bash"], 200), (["bash", "read"], 400), (["read"], 400), ([], 400)]
)
def test_another_tools_request_is_no_divergence(
    offered: list[str], status: int, rig: Rig, tmp_path: Path
) -> None:
    """Other words are answered by shape only where the same functions are offered: an answer calls those."""
    record = tmp_path / "recording.jsonl"

    def tools(names: list[str]) -> list[dict[str, Any]]:
        return [{"type": "function", "function": {"name": name}} for name in names]

    with upstream(streaming()) as server:
        lane = rig.lane(server.url, record=str(record))
        assert lane.ask(text="one", tools=tools(["bash"])).status == 200
        lane.close()
    lane = rig.lane(NOWHERE, replay=str(record))
    more = {"tools": tools(offered)} if offered else {}
    assert lane.ask(text="another", **more).status == status
    summary = lane.close()
    assert (summary.divergences, summary.replayed) == ((1, 1) if status == 200 else (0, 0))


def test_another_shape_or_protocol_is_no_answer(rig: Rig, tmp_path: Path) -> None:
    """A conversation that took another course ends the run at once."""
    record = tmp_path / "recording.jsonl"
    with upstream(streaming()) as server:
        lane = rig.lane(server.url, record=str(record))
        lane.ask(text="one")
        lane.close()
    lane = rig.lane(NOWHERE, replay=str(record))
    said = [{"role": "user", "content": "one"}, {"role": "assistant", "content": "yes"}]
    assert lane.ask(messages=[*said, said[0]]).status == 400
    assert lane.ended.wait(30)
    assert lane.ask(text="one").status == 503


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda whole: whole[:-20], "row 2: the last line was not written to its end"),
        (lambda whole: whole + b"{}\n", "row 3: is not a line of a recording"),
        (lambda whole: whole.replace(b'"format":1', b'"format":2'), "row 1: is not a line"),
        (lambda whole: b"\xff\n" + whole, "row 1: is not a line of a recording"),
        (lambda whole: b"[" * 100_000 + b"\n", "row 1: is not a line of a recording"),
    ],
)
def test_a_damaged_recording_is_told(rig: Rig, tmp_path: Path, damage: Any, said: str) -> None:
    """In one line that names the row and what to do, and nothing of what the row holds."""
    record = tmp_path / "recording.jsonl"
    with upstream(streaming()) as server:
        lane = rig.lane(server.url, record=str(record))
        for text in ("private words", "others"):
            lane.ask(text=text)
        lane.close()
    record.write_bytes(damage(record.read_bytes()))
    with pytest.raises(InputError, match=said) as raised:
        rig.lane(NOWHERE, replay=str(record))
    assert "private" not in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "change",
    [
        {"status": 101},
        {"status": 600},
        {"content_type": "text/plain\r\nX-Other: 1"},
        {"content_type": "text/\u017elu\u0165"},
        {"chunks": ["\ud800"]},
        {"status": 500, "failure": {"state": "infrastructure", "reason": "x"}},
        {"status": 500, "failure": {"state": "completed", "reason": "x"}},
    ],
    ids=["below", "above", "header", "letters", "surrogate", "machine", "agent"],
)
def test_what_no_upstream_can_have_said_is_not_replayed(
    rig: Rig, tmp_path: Path, change: dict[str, Any]
) -> None:
    """A row with another status, type, text or ending is told before anything is answered from it."""
    record = tmp_path / "recording.jsonl"
    with upstream(streaming()) as server:
        lane = rig.lane(server.url, record=str(record))
        lane.ask(text="one")
        lane.close()
    whole = json.loads(record.read_text())
    rig.lane(NOWHERE, replay=str(record)).close()
    record.write_text(json.dumps({**whole, **change}) + "\n")
    with pytest.raises(InputError, match="row 1: is not a line of a recording"):
        rig.lane(NOWHERE, replay=str(record))


def test_an_answer_too_long_to_be_kept_is_marked(rig: Rig, tmp_path: Path) -> None:
    """The agent gets it whole and the run goes on; a replay breaks off there."""

    async def answer(request: web.Request, number: int) -> web.StreamResponse:
        return await streaming(words=["x" * (7 << 20)] * 10 if not number else None)(
            request, number
        )

    record = tmp_path / "recording.jsonl"
    with upstream(answer) as server:
        lane = rig.lane(server.url, record=str(record))
        first, second = lane.ask(text="one"), lane.ask(text="two")
        summary = lane.close()
    assert (first.status, first.whole, len(first.body) > 70 << 20) == (200, True, True)
    assert (summary.fatal, summary.last_failure, summary.recorded) == (None, None, 2)
    marked, kept = map(json.loads, record.read_text().splitlines())
    assert (marked["cut"], marked["chunks"], kept["cut"]) == (True, [], False)
    assert marked["failure"]["reason"] == "the answer was longer than a recording holds"
    lane = rig.lane(NOWHERE, replay=str(record))
    assert not lane.ask(text="one").whole
    assert lane.ask(text="two").body == second.body


@pytest.mark.parametrize(("levels", "status"), [(190, 200), (900, 403)])
def test_a_deep_request_is_recorded_or_refused(
    rig: Rig, tmp_path: Path, levels: int, status: int
) -> None:
    """Whatever is forwarded can be written down: no depth of an agent's request ends its run."""
    deep: Any = "x"
    for _ in range(levels):
        deep = {"a": deep}
    record = tmp_path / "recording.jsonl"
    with upstream(streaming()) as server:
        lane = rig.lane(server.url, record=str(record))
        assert lane.ask(metadata=deep).status == status
        assert lane.ask().status == 200
        summary = lane.close()
    assert summary.fatal is None
    rig.lane(NOWHERE, replay=str(record)).close()


def test_a_recording_is_not_mixed_into_another(rig: Rig, tmp_path: Path) -> None:
    """A file that holds one already is refused; one that is not there can not be replayed."""
    record = tmp_path / "recording.jsonl"
    record.write_text("something\n")
    with pytest.raises(InputError, match="holds a recording already"):
        rig.lane(NOWHERE, record=str(record))
    with pytest.raises(InputError, match="cannot be read"):
        rig.lane(NOWHERE, replay=str(tmp_path / "none.jsonl"))


def test_a_recording_outlives_a_killed_gateway(tmp_path: Path) -> None:
    """What was answered when the gateway was killed can be replayed; the harness hears of the end."""
    record = tmp_path / "recording.jsonl"
    with Gateway() as gateway, upstream(streaming()) as server:
        rig = Rig(gateway, tmp_path)
        lane = rig.lane(server.url, record=str(record))
        first = [lane.ask(text=text).body for text in ("one", "two")]
        assert gateway.pid
        os.kill(gateway.pid, signal.SIGKILL)
        assert lane.ended.wait(30)
        assert lane.endings[0].state == "infrastructure"
        with pytest.raises(GatewayError, match="the gateway process ended"):
            lane.close()
    with Gateway() as gateway:
        again = Rig(gateway, tmp_path / "again")
        again.folder.mkdir()
        lane = again.lane(NOWHERE, replay=str(record))
        assert [lane.ask(text=text).body for text in ("one", "two")] == first
        assert lane.close().replayed == 2


@pytest.mark.parametrize("cut", range(1, 9))
def test_a_secret_is_found_across_pieces(cut: int) -> None:
    """Wherever a stream is cut, nothing of the secret passes, and all else does, in order."""
    secrets = Secrets(["secret-secret-7", "short"])
    stream = SecretStream(secrets)
    whole = b"se secret- secret-secret-7secret-secret-secret-7 short se"
    passed = [stream.feed(whole[at : at + cut]) for at in range(0, len(whole), cut)]
    assert b"".join([*passed, stream.end()]) == (b"se secret- [secret]secret-[secret] short se")


def test_an_event_passes_at_once() -> None:
    """Only what may be the beginning of a secret waits."""
    stream = SecretStream(Secrets(["secret-secret-7"]))
    assert stream.feed(b"data: {}\n\n") == b"data: {}\n\n"
    assert stream.feed(b"data: s") == b"data: "
