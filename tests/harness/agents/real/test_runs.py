# SPDX-License-Identifier: MIT
"""Each real tool goes the whole way; every way in which its model can fail ends as the table of outcomes says."""

import json

import pytest

from m4bench.harness.agents.gemini import EXCHANGED
from m4bench.harness.gateway.lane import WIRE_PROTOCOLS, WireProtocol
from m4bench.model.errors import InputError
from tests.harness.agents.real.conftest import Attempt
from tests.harness.agents.real.trial import KEY, Trial, answering, tokens
from tests.harness.gateway.scripted import Call, Cut, Done, Overflow, Overlong, Refuse, Slow, Status

AGENTS = ("codex", "claude-code", "gemini", "opencode", "pi", "qwen-code", "mini-swe-agent")
SKILL = "meld-score"
# What --effort becomes in a request.
EFFORTS = {"codex": "high", "claude-code": "low", "gemini": "high"}
ASKED_EFFORT = {
    "codex": '"effort": "high"',
    "claude-code": '"effort": "low"',
    "gemini": '"thinkingLevel": "HIGH"',
}
# What the effort high becomes by each protocol, for a model that the tool does not know.
HIGH_EFFORT: dict[tuple[str, WireProtocol], str] = {
    ("opencode", "responses"): '"reasoning": {"effort": "high"',
    ("opencode", "chat-completions"): '"reasoning_effort": "high"',
    ("opencode", "messages"): '"output_config": {"effort": "high"}',
    ("opencode", "generate-content"): '"thinkingLevel": "high"',
    ("pi", "responses"): '"reasoning": {"effort": "high"',
    ("pi", "chat-completions"): '"reasoning_effort": "high"',
    ("pi", "messages"): '"budget_tokens": 16384',
    ("pi", "generate-content"): '"thinkingBudget": 16384',
}
# Outside the sandbox's loopback: an address, a name, and the machine's own resolver.
LEAVE = """\
python3 - <<'END'
import socket
for host in ("1.1.1.1", "example.org"):
    try:
        socket.create_connection((host, 443), 5)
        print("REACHED", host)
    except OSError as error:
        print("unreachable", host, type(error).__name__)
END
curl -s -m 5 http://1.1.1.1/ >/dev/null && echo REACHED || echo unreachable by curl"""

every_agent = pytest.mark.parametrize("agent", AGENTS)


def assert_alone(trial: Trial) -> None:
    """Only the scripted model was contacted, with a key that no file of the run holds, for only the run's model."""
    place = f"127.0.0.1:{trial.server.port}"
    facts = trial.record.model
    assert facts is not None
    assert set(facts.hosts) == {place}
    sent = {f"{line['host']}:{line['port']}" for line in trial.egress if line.get("host")}
    assert sent == {place}
    assert set(facts.models_seen) == {trial.request.model}
    assert trial.record.outcome.state != "timeout"
    for seen in trial.server.seen:
        told = [value for value in seen.headers.values() if KEY in value]
        assert told, seen.path
    written = [path for path in trial.folder.rglob("*") if path.is_file()]
    assert not [path.name for path in written if KEY.encode() in path.read_bytes()]


def assert_counted(trial: Trial, turns: int, more_output: int = 0) -> None:
    """The gateway's count is what the script says."""
    usage = trial.record.usage
    assert usage is not None
    expected = tokens(turns, trial.side_requests(), more_output)
    found = usage.tokens.model_copy(update={"reasoning": 0})
    assert found == expected
    assert usage.uncounted == 0


def assert_solved(trial: Trial) -> None:
    """The run has a reward, and it is that of the file it left."""
    record = trial.record
    assert record.outcome.state == "completed", record.outcome
    assert record.score is not None
    assert record.score.reward == trial.scored_by_hand() > 0
    assert any("COPY (" in command for command in trial.commands())
    calls = [call for step in trial.trajectory["steps"] for call in step.get("tool_calls") or []]
    assert len(calls) >= len(trial.commands())
    assert record.activity is not None
    assert record.activity.queries >= 1
    assert record.activity.unread_lines == 0


def assert_unmeasured(trial: Trial, state: str) -> None:
    """A failure that is not the agent's has no reward, not even 0."""
    assert trial.record.outcome.state == state, trial.record.outcome
    assert trial.record.score is None
    assert not trial.record.outcome.valid


@every_agent
def test_a_run_with_a_skill_is_completed_and_the_skill_was_seen(
    attempt: Attempt, agent: str
) -> None:
    """It reads the database with its own shell and writes the answer; its model was shown the skill."""
    # a tool that looks for no skills names their folder in the prompt, and the model has to read there
    reading = [Call(f"cat .agents/skills/{SKILL}/SKILL.md")] if agent == "mini-swe-agent" else []
    turns = [*reading, answering(), Done()]
    trial = attempt(agent, turns, condition="with-skill")
    assert_solved(trial)
    assert_counted(trial, len(turns))
    assert_alone(trial)
    assert trial.record.model is not None
    assert trial.record.model.skills_seen == (SKILL,)
    said = trial.record.tool
    assert said is None or set(said.skills) <= {SKILL}


@every_agent
def test_a_failed_command_is_seen_and_no_skill_is_shown(attempt: Attempt, agent: str) -> None:
    """Without a skill of the run's there is none of the tool's own either."""
    trial = attempt(agent, [Call("ls /nowhere; exit 3"), answering(), Done()])
    assert_solved(trial)
    assert_counted(trial, 3)
    assert_alone(trial)
    assert "/nowhere" in trial.results()
    assert trial.record.model is not None
    assert trial.record.model.skills_seen == ()
    assert trial.record.tool is None or trial.record.tool.skills == ()


@every_agent
def test_a_refused_key_is_the_users_matter(attempt: Attempt, agent: str) -> None:
    """401 for ever: told at once, never a zero."""
    trial = attempt(agent, [Status(401, times=None)])
    assert_unmeasured(trial, "provider-auth")
    assert_alone(trial)


@every_agent
def test_a_provider_that_fails_for_ever_is_its_matter(attempt: Attempt, agent: str) -> None:
    """500 for ever: tools that would try without end are ended."""
    trial = attempt(agent, [answering(), Status(500, times=None)])
    assert_unmeasured(trial, "provider-error")
    assert trial.record.outcome.retry
    assert_alone(trial)


@every_agent
def test_a_rate_limit_is_waited_for(attempt: Attempt, agent: str) -> None:
    """429 once, then well: the gateway asks again and the tool does not notice."""
    trial = attempt(agent, [Status(429, {"retry-after": "0"}), answering(), Done()])
    assert_solved(trial)
    assert_counted(trial, 2)
    usage = trial.record.usage
    assert usage is not None
    assert usage.attempts == usage.requests + 1
    assert_alone(trial)


@pytest.mark.slow
@every_agent
def test_a_slow_answer_is_passed_on(attempt: Attempt, agent: str) -> None:
    """A pause before each piece changes nothing."""
    trial = attempt(agent, [Slow(answering(), 0.2), Slow(Done(), 0.2)])
    assert_solved(trial)
    assert_counted(trial, 2)
    assert_alone(trial)


@every_agent
def test_an_answer_that_always_breaks_off_is_the_providers_failure(
    attempt: Attempt, agent: str
) -> None:
    """The file that lies there is not graded."""
    trial = attempt(agent, [answering(), Cut(Done(), after=200, times=None)])
    assert_unmeasured(trial, "provider-error")
    assert_alone(trial)


@every_agent
def test_a_refusal_counts_as_nothing_done(attempt: Attempt, agent: str) -> None:
    """The model declines at once; the reward is 0 and valid."""
    trial = attempt(agent, [Refuse(), Refuse(), Refuse()])
    assert trial.record.outcome.state == "refused", trial.record.outcome
    assert trial.record.score is not None
    assert trial.record.score.reward == 0
    assert_alone(trial)


@pytest.mark.slow
@every_agent
def test_a_prompt_longer_than_the_context_counts_as_nothing_done(
    attempt: Attempt, agent: str
) -> None:
    """The provider says so for ever; the agent asked for it."""
    trial = attempt(agent, [Overflow()])
    assert trial.record.outcome.state == "context-overflow", trial.record.outcome
    assert trial.record.score is not None
    assert trial.record.score.reward == 0
    assert_alone(trial)


@pytest.mark.slow
@every_agent
def test_an_over_long_answer_does_no_harm(attempt: Attempt, agent: str) -> None:
    """200,000 characters cut off by the bound on output; some tools go on, some stop, all are counted."""
    trial = attempt(agent, [Overlong(), answering(), Done()])
    assert trial.record.outcome.valid, trial.record.outcome
    assert trial.record.outcome.state in {"completed", "no-output", "agent-limit", "agent-error"}
    assert_counted(trial, len(trial.server.asked), more_output=64_000 - 50)
    assert_alone(trial)


@every_agent
def test_a_model_that_tries_to_leave_does_not(attempt: Attempt, agent: str) -> None:
    """Neither an address nor a name is reached, and the gateway saw no such request."""
    trial = attempt(agent, [Call(LEAVE), answering(), Done()])
    assert_solved(trial)
    assert "REACHED" not in trial.results()
    assert "unreachable 1.1.1.1" in trial.results()
    assert "unreachable by curl" in trial.results()
    assert_alone(trial)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", WIRE_PROTOCOLS)
@pytest.mark.parametrize("agent", ["opencode", "pi"])
def test_a_tool_for_any_provider_speaks_every_protocol(
    attempt: Attempt, agent: str, protocol: WireProtocol
) -> None:
    """By whichever the endpoint speaks, the run is the same, and each request has the effort."""
    turns = [Call("ls /nowhere; exit 3"), answering(), Done()]
    trial = attempt(agent, turns, protocol=protocol, effort="high")
    assert_solved(trial)
    assert_counted(trial, 3)
    assert_alone(trial)
    assert trial.record.model is not None
    assert trial.record.model.protocol == protocol
    for asked in trial.server.asked:
        assert HIGH_EFFORT[agent, protocol] in json.dumps(asked.body)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "effort", "sent"),
    [
        ("scripted", "minimal", '"thinkingBudget": 1024'),
        ("gemini-2.5-pro", "high", '"thinkingBudget": 32768'),
        ("gemini-3-flash-preview", "minimal", '"thinkingLevel": "MINIMAL"'),
    ],
)
def test_an_effort_of_pi_reaches_googles_models(
    attempt: Attempt, model: str, effort: str, sent: str
) -> None:
    """A number where the tool has none, its own number or level where it has one."""
    turns = [answering(), Done()]
    trial = attempt("pi", turns, protocol="generate-content", effort=effort, model=model)
    assert_solved(trial)
    for asked in trial.server.asked:
        assert sent in json.dumps(asked.body)


def test_gemini_asks_for_the_model_that_was_named(attempt: Attempt) -> None:
    """By a name that it keeps; assured for each request by the gateway's list of what was seen."""
    trial = attempt("gemini", [answering(), Done()], model="gemini-3-flash-preview")
    assert_solved(trial)
    assert_alone(trial)


@pytest.mark.slow
@pytest.mark.parametrize(("model", "asked"), EXCHANGED.items())
def test_gemini_does_exchange_the_models_that_are_refused(
    attempt: Attempt, monkeypatch: pytest.MonkeyPatch, model: str, asked: str
) -> None:
    """Without the refusal the gateway meets the other name: a version that keeps one is found here."""
    monkeypatch.setattr("m4bench.harness.agents.gemini.EXCHANGED", {})
    trial = attempt("gemini", [answering(), Done()], model=model)
    assert {line["model"] for line in trial.egress} == {asked}
    assert trial.server.asked == []


def test_gemini_is_not_run_with_a_model_it_would_exchange(attempt: Attempt) -> None:
    """It is told before anything is run, not by a run that ends as a zero."""
    with pytest.raises(InputError, match=r"ask for gemini-3\.8-flash in the place of"):
        attempt("gemini", [answering(), Done()], model="gemini-3.5-flash")


@pytest.mark.slow
@every_agent
def test_without_isolation_it_works_the_same_and_is_not_for_publication(
    attempt: Attempt, agent: str
) -> None:
    """The gateway is a port of this machine then, and the tool stands where it stands."""
    trial = attempt(agent, [answering(), Done()], sandbox="none", effort=EFFORTS.get(agent))
    assert_solved(trial)
    assert_counted(trial, 2)
    assert_alone(trial)
    assert not trial.record.publishability.publishable
    sent = json.dumps(trial.server.asked[0].body)
    assert agent not in EFFORTS or ASKED_EFFORT[agent] in sent
