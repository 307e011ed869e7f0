# SPDX-License-Identifier: MIT
"""The way to a model is settled before anything is sent: for every agent, whatever it is, on real listening sockets."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from m4bench.data.store import Store
from m4bench.harness.agents.agent import ENTRY_POINTS, AgentSettings, make_agent
from m4bench.harness.agents.installation import Installation
from m4bench.harness.gateway import policy
from m4bench.harness.gateway.lane import LaneLimits
from m4bench.harness.model_choice import (
    RECORDED_ANSWERS,
    ModelSettings,
    choose_model,
    skill_markers,
)
from m4bench.harness.preparation import Prepared, prepare
from m4bench.harness.run import RunRequest
from m4bench.model.errors import InputError
from m4bench.model.plug_ins import BrokenPlugIn, loaded_plug_in

from .conftest import TOY_PACKAGE, write_manifest

Ask = Callable[..., RunRequest]
FACTORIES = {
    point.name: factory
    for point in entry_points(group=ENTRY_POINTS)
    if not isinstance(factory := loaded_plug_in(point), BrokenPlugIn)
}
WITH_MODEL = sorted(n for n, factory in FACTORIES.items() if getattr(factory, "protocols", ()))


class StandIn:
    """A tool that is always there; what is prepared here is never started."""

    name, needs, vendor, pinned = "stand-in", "nothing", "not at all", "1.0"

    def find(self, program: Path | None = None) -> Installation:
        """Return it."""
        return Installation("1.0", Path("/nowhere"), ())


@dataclass
class Upstream:
    """A server that listens and was connected to, or not."""

    listener: socket.socket

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    @property
    def connections(self) -> int:
        """How many connections came since it was last asked."""
        found = 0
        while True:
            try:
                self.listener.accept()[0].close()
            except BlockingIOError:
                return found
            found += 1


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    """A listening server that every address of this machine leads to."""
    with socket.create_server(("0.0.0.0", 0)) as listener:  # an address that is not loopback
        listener.setblocking(False)
        yield Upstream(listener)


@pytest.fixture
def far(upstream: Upstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Upstream:
    """The server under the names `far` and `far-ENDPOINT`, at an address that is not this machine's loopback.

    No file of this machine's own is read, and each tool counts as installed.
    """
    monkeypatch.setattr(policy, "SYSTEM_POLICY", tmp_path / "no-policy.toml")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("M4BENCH_POLICY", raising=False)
    tmp_path.chmod(0o700)
    path = tmp_path / "endpoints.toml"
    path.write_text(f"[far]\nbase_url = 'http://0.0.0.0:{upstream.port}/v1'\ninsecure = true\n")
    path.chmod(0o600)
    monkeypatch.setenv("M4BENCH_ENDPOINTS", str(path))
    for factory in FACTORIES.values():
        if hasattr(factory, "tool"):
            monkeypatch.setattr(factory, "tool", StandIn())
    return upstream


@pytest.fixture
def credentialed(toy_store: Store) -> Store:
    """A store whose data are credentialed."""
    write_manifest(toy_store, modified=False, access="credentialed")
    return toy_store


def asked(ask: Ask, agent: str, **settings: Any) -> RunRequest:
    """Return a request for a run with a model."""
    access = ModelSettings(**settings)
    if agent == "command":
        return ask("pass", model="a-model", access=access)
    return ask(agent=agent, model="a-model", access=access)


def test_the_agents_with_a_model_are_found() -> None:
    """So that the tests below are not empty."""
    assert {"command", "codex", "claude-code", "gemini"} <= set(WITH_MODEL)


@pytest.mark.parametrize("agent", WITH_MODEL)
def test_credentialed_data_go_nowhere_else_for_any_agent(
    agent: str, ask: Ask, credentialed: Store, far: Upstream, tmp_path: Path
) -> None:
    """Exit 2 before a connection is made or a folder is there; the same agent may ask a model of this machine."""
    with pytest.raises(InputError) as caught:
        prepare(asked(ask, agent, endpoint="far"))
    assert caught.value.exit_code == 2
    told = str(caught.value)
    assert "\n" not in told
    assert all(word in told for word in ("toy", f"0.0.0.0:{far.port}", "m4bench doctor"))
    assert far.connections == 0
    assert not (tmp_path / "results").exists()
    here = prepare(asked(ask, agent, endpoint=f"http://127.0.0.1:{far.port}/v1"))
    assert here.model is not None
    assert here.model.permitted_by == policy.ON_THIS_MACHINE
    assert far.connections == 0


@pytest.mark.parametrize("agent", WITH_MODEL)
def test_open_data_may_go_there_for_any_agent(
    agent: str, ask: Ask, toy_store: Store, far: Upstream
) -> None:
    """The same endpoint is prepared for open data, in a protocol of the agent's; nothing is sent yet."""
    found = prepare(asked(ask, agent, endpoint="far"))
    assert found.model is not None
    assert found.model.chosen.protocol in FACTORIES[agent].protocols
    assert found.model.permitted_by == policy.UNBOUND["open"]
    assert far.connections == 0
    with socket.create_connection(("0.0.0.0", far.port)):
        pass
    assert far.connections == 1, "the server would have seen it"


@pytest.mark.parametrize("agent", WITH_MODEL)
def test_the_usual_endpoint_of_any_agent_is_refused_too(
    agent: str, ask: Ask, credentialed: Store, far: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without --endpoint credentialed data would go to a provider; an agent that may do without a model has none."""
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(variable, "sk-not-to-be-shown-5f2c")
    request = asked(ask, agent)
    if getattr(FACTORIES[agent], "model_is_optional", False):
        assert prepare(request).model is None
        return
    with pytest.raises(
        InputError, match=r"may not be sent to (api\.|generativelanguage)"
    ) as caught:
        prepare(request)
    assert "5f2c" not in str(caught.value)


def test_the_policy_speaks_before_a_key_is_looked_for(
    ask: Ask, credentialed: Store, far: Upstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal is no question of a key, and a command that prints one is run only for where data may go."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(InputError, match="may not be sent to api"):
        prepare(asked(ask, "command", endpoint="openai"))
    touched = tmp_path / "touched"
    command = f"key_command = ['sh', '-c', 'touch {touched}; echo a-key']\n"
    with (tmp_path / "endpoints.toml").open("a") as stream:
        stream.write(command)
    with pytest.raises(InputError, match="may not be sent"):
        prepare(asked(ask, "command", endpoint="far"))
    assert not touched.exists()
    path = tmp_path / "policy.toml"
    path.write_text(GRANT.format(port=far.port))
    path.chmod(0o600)
    monkeypatch.setenv("M4BENCH_POLICY", str(path))
    found = prepare(asked(ask, "command", endpoint="far")).model
    assert touched.exists()
    assert found is not None
    assert found.chosen.upstream.key is not None
    assert found.chosen.upstream.key_header == "authorization"


def test_a_limit_of_money_needs_a_price(ask: Ask, toy_store: Store, tmp_path: Path) -> None:
    """Before a run, on this machine too; the table that comes along has no prices of servers here."""
    here, limits = "http://127.0.0.1:11434/v1", LaneLimits(cost_usd=1)
    for model in ("a-model", "gpt-5"):
        request = ask("pass", model=model, access=ModelSettings(endpoint=here, limits=limits))
        with pytest.raises(InputError, match=f"no price is known for model {model}"):
            prepare(request)
    table = tmp_path / "prices.toml"
    table.write_text(
        "name = 'ours'\ndate = 2026-11-01\nsource = 'x'\n[models.a-model]\ninput = 0\noutput = 0\n"
    )
    found = prepare(asked(ask, "command", endpoint=here, limits=limits, prices=table))
    assert found.model is not None
    table.write_text("name = 'ours'\n")
    with pytest.raises(InputError, match=r"docs/reference/gateway\.md"):
        prepare(asked(ask, "command", endpoint=here, prices=table))


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([{"path": "/responses", "request": {"model": "a-model"}}], None),
        (
            [{"path": "/models", "request": None}, {"path": "/responses", "request": {"model": "b"}}],
            r"with another model \(b\); give that one as --model",
        ),
        (
            [
                {"path": "/responses", "request": {"model": "b"}},
                {"path": "/responses", "request": {"model": "a-model"}},
            ],
            None,
        ),
        ([{"path": "/v1beta/models/a-model:generateContent", "request": {}}], None),
        ([{"path": "/v1beta/models/c:generateContent", "request": {}}], r"another model \(c\)"),
        ([{"path": "/models", "request": None}], None),
    ],
)  # fmt: skip
def test_a_recording_of_another_model_is_refused(
    lines: list[dict[str, Any]], told: str | None, ask: Ask, far: Upstream, tmp_path: Path
) -> None:
    """Its answers are not this model's; where it tells of none it is taken as it is."""
    path = tmp_path / "recording.jsonl"
    path.write_text("".join(json.dumps({"protocol": "responses", **one}) + "\n" for one in lines))
    request = asked(ask, "command", replay=path)
    if told is None:
        assert prepare(request).model is not None
        return
    with pytest.raises(InputError, match=told):
        prepare(request)


GRANT = """
[[permitted]]
base_url = "http://0.0.0.0:{port}"
agreement = "Agreement 7"
by = "Data protection"
date = 2026-01-02
"""


def test_an_agreement_is_in_the_record(
    ask: Ask, credentialed: Store, far: Upstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What permits it goes along with the choice; the identity tells the endpoint by its name and no address."""
    path = tmp_path / "policy.toml"
    path.write_text(GRANT.format(port=far.port))
    path.chmod(0o600)
    monkeypatch.setenv("M4BENCH_POLICY", str(path))
    found = prepare(asked(ask, "command", endpoint="far", limits=LaneLimits(tokens=9)))
    assert found.model is not None
    assert found.model.permitted_by == "Agreement 7 (by Data protection, 2026-01-02)"
    options = found.identity.agent_options
    assert {name: options[name] for name in ("endpoint", "protocol", "most tokens")} == {
        "endpoint": "far", "protocol": "chat-completions", "most tokens": "9",
    }  # fmt: skip
    assert str(far.port) not in json.dumps(options)


@pytest.mark.parametrize("also", [(), ("llama3.2",), ("x:cloud",)])
def test_every_model_it_may_ask_for_counts(
    also: tuple[str, ...], ask: Ask, credentialed: Store, far: Upstream
) -> None:
    """One that is answered on other machines is refused, though the run's own model is not."""
    request = asked(ask, "command", endpoint="http://127.0.0.1:11434/v1", also_models=also)
    if "x:cloud" in also:
        with pytest.raises(InputError, match="somebody else's machines"):
            prepare(request)
        return
    found: Prepared = prepare(request)
    assert found.model is not None
    assert found.model.models == ("a-model", *also)


def test_a_recording_needs_no_leave_and_no_key(
    ask: Ask, credentialed: Store, far: Upstream, tmp_path: Path
) -> None:
    """Nothing is sent; its protocol has to be one of the agent's, and what is no recording is told by its row."""
    path = tmp_path / "recording.jsonl"
    path.write_text('{"protocol": "messages"}\n')
    found = prepare(asked(ask, "command", replay=path))
    assert found.model is not None
    assert (found.model.chosen.place, found.model.permitted_by) == ("recording", RECORDED_ANSWERS)
    assert "replay" in found.identity.agent_options
    with pytest.raises(InputError, match="does not speak"):
        prepare(asked(ask, "codex", replay=path))
    for text in ("", "{", "[]", '{"protocol": "smoke-signals"}', '"x"'):
        path.write_text(text)
        with pytest.raises(InputError, match="is no recording"):
            prepare(asked(ask, "command", replay=path))
    with pytest.raises(InputError, match="cannot be read"):
        prepare(asked(ask, "command", replay=tmp_path / "none"))


def test_an_agent_without_a_model_takes_no_endpoint(ask: Ask, far: Upstream) -> None:
    """Neither an endpoint nor a limit is lost unseen."""
    assert prepare(ask(agent="empty")).model is None
    for settings in (ModelSettings(endpoint="far"), ModelSettings(limits=LaneLimits(tokens=1))):
        with pytest.raises(InputError, match="no model to be reached"):
            prepare(ask(agent="empty", access=settings))


def test_an_agent_with_a_model_needs_its_name(ask: Ask, far: Upstream) -> None:
    """An endpoint without a model is refused."""
    agent = make_agent("command", AgentSettings(program=Path(sys.executable)))
    with pytest.raises(InputError, match="add --model"):
        choose_model(agent, None, ModelSettings(endpoint="far"), access="open", dataset="toy")


def test_the_command_ends_with_2(ask: Ask, credentialed: Store, far: Upstream) -> None:
    """One line on standard error, nothing on standard output, no connection."""
    request = asked(ask, "command")
    done = subprocess.run(
        [sys.executable, "-m", "m4bench.cli.main", "run", request.task, "--condition", "plain",
         "--agent", "command", "--program", str(request.program), "--model", "m",
         "--dataset", request.dataset, "--store", request.store.root, "--results", request.results,
         "--endpoint", "far", "--json"],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(TOY_PACKAGE)},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    refused = [line for line in done.stderr.splitlines() if "may not be sent" in line]
    assert len(refused) == 1, done.stderr
    assert far.connections == 0


@pytest.mark.parametrize(
    ("text", "marker"),
    [
        ("---\nname: x\ndescription: The first\n  words count\n---\n# X", "The first words count"),
        (f"---\ndescription: {'long ' * 50}\n---\n", ("long " * 50)[:60]),
        ("# no front matter", None),
        ("---\ndescription: [a\n---\n", None),
        ("---\n- a list\n---\n", None),
        ("---\ndescription: 7\n---\n", None),
    ],
)
def test_a_skill_is_known_by_the_first_words_of_its_description(
    text: str, marker: str | None
) -> None:
    """What its front matter says, as a tool puts it before its model; other files of a skill have none."""
    found = skill_markers({"sofa/SKILL.md": text, "sofa/notes.md": text})
    assert found == ({} if marker is None else {"sofa": marker})
