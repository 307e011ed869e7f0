# SPDX-License-Identifier: MIT
"""An agent of another package, with a model: the whole contract of an adapter, through the real gateway and sandbox."""

from pathlib import Path

import pytest

from m4bench.data.store import Store
from m4bench.harness.agents.reading import Conclusion
from m4bench.harness.gateway.lane import LaneLimits
from m4bench.harness.model_choice import ModelSettings
from m4bench.harness.run import run
from m4bench.harness.trace.writer import read_trace
from m4bench.model.errors import InputError
from tests.harness.conftest import Ask, write_manifest
from tests.harness.gateway.scripted import Call, Done, ScriptedServer, Status

MODEL = "scripted"
KEY = "the-provider's-key"
RIGHT = Call("printf heron > answer.txt; cat instruction.md")


@pytest.mark.parametrize("sandbox", ["bwrap", "none"])
def test_a_package_brings_an_agent_with_a_model(
    sandbox: str, ask: Ask, bubblewrap: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is found by its entry point, started, followed, counted and scored; nothing here knows it."""
    monkeypatch.setenv("M4BENCH_ENDPOINT_KEY", KEY)
    with ScriptedServer([RIGHT, Done()], models=(MODEL,)) as server:
        endpoint = ModelSettings(endpoint=f"{server.url}/v1")
        request = ask(agent="toy-asker", model=MODEL, sandbox=sandbox, access=endpoint)
        record = run(request)
    assert record.outcome.state == "completed", record.outcome
    assert record.score is not None
    assert record.score.reward == 1.0
    folder = request.results / record.run_id

    events = read_trace(folder / "trace.jsonl")
    assert [event.kind for event in events] == [
        "session", "tool_call", "tool_result", "message", "end",
    ]  # fmt: skip
    assert events[2].text == "Find the word (plain).\n"
    assert events[-1].text == "dear diary"
    assert (folder / "agent" / "diary.txt").read_text() == "dear diary"
    assert record.tool is not None
    assert record.tool.version == "7"
    assert record.activity is not None
    assert (record.activity.tool_calls, record.activity.commands) == (1, 1)
    assert record.activity.first_output_seconds is not None

    assert record.usage is not None
    assert record.usage.requests == len(server.seen) == 2
    assert record.usage.tokens.total > 0
    assert record.model is not None
    assert record.model.hosts == (f"127.0.0.1:{server.port}",)
    assert (folder / "trajectory.json").is_file()
    written = [path for path in folder.rglob("*") if path.is_file()]
    assert not [path.name for path in written if KEY.encode() in path.read_bytes()]


def test_a_limit_of_the_run_ends_it_as_such(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The request beyond it is refused, and the run counts with reward 0."""
    with ScriptedServer([RIGHT, RIGHT, Done()], models=(MODEL,)) as server:
        access = ModelSettings(endpoint=f"{server.url}/v1", limits=LaneLimits(requests=1))
        record = run(ask(agent="toy-asker", model=MODEL, access=access))
    assert record.outcome.state == "gateway-limit"
    assert (record.outcome.valid, record.outcome.retry) == (True, False)
    assert record.score is not None
    assert record.score.reward == 0


def test_a_provider_that_refuses_the_key_leaves_no_measurement(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no score, the run lies apart, and the same run can be made afterwards."""
    with ScriptedServer([Status(401, times=None)], models=(MODEL,)) as server:
        access = ModelSettings(endpoint=f"{server.url}/v1")
        request = ask(agent="toy-asker", model=MODEL, access=access)
        record = run(request)
    assert record.outcome.state == "provider-auth"
    assert record.score is None
    assert not record.publishability.publishable
    assert not (request.results / record.run_id).exists()
    assert len(list((request.results / ".unmeasured").glob(f"{record.run_id}__*"))) == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"model": None}, "needs a model"),
        (
            {"agent": "reference", "model": None, "access": ModelSettings(endpoint="openai")},
            "has no model",
        ),
        (
            {"access": ModelSettings(endpoint="anthropic")},
            "anthropic speaks messages, and the agent chat-completions",
        ),
        ({"access": ModelSettings(endpoint="nowhere")}, "no endpoint is called nowhere"),
        ({"access": ModelSettings(replay=Path("/nonexistent"))}, "cannot be read"),
    ],
)
def test_a_way_to_a_model_that_leads_nowhere_is_refused(
    changes: dict[str, object], words: str, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One clear line, before anything is sent or written."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    request = ask(**{"agent": "toy-asker", "model": MODEL, **changes})
    with pytest.raises(InputError, match=words):
        run(request)
    assert not request.results.exists()


def test_a_tools_words_about_credentialed_data_stay_in_its_trace(
    ask: Ask, toy_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may quote rows, and a reason is shown in reports."""
    write_manifest(toy_store, modified=False, access="credentialed")
    monkeypatch.setattr(
        "toy_asker.AskerReader.conclusion",
        lambda self, code: Conclusion("agent-error", "patient 10014729 has no lactate"),
    )
    with ScriptedServer([Done()], models=(MODEL,)) as server:
        access = ModelSettings(endpoint=f"{server.url}/v1")
        request = ask(agent="toy-asker", model=MODEL, access=access)
        record = run(request)
    assert record.outcome.state == "agent-error"
    assert record.outcome.reason == "the tool says that it failed"
    assert "10014729" not in (request.results / record.run_id / "run.json").read_text()
