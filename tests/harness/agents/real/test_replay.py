# SPDX-License-Identifier: MIT
"""A recorded run is run again from its recording: no provider, no key, the same answers, and marked as what it is."""

from dataclasses import replace
from pathlib import Path

import pytest

from m4bench.harness.model_choice import ModelSettings
from m4bench.harness.run import run
from m4bench.model.errors import InputError
from tests.harness.agents.real.conftest import Attempt
from tests.harness.agents.real.trial import MODEL, answering
from tests.harness.gateway.scripted import Done


@pytest.mark.parametrize("agent", ["codex", "opencode", "mini-swe-agent"])
def test_a_recording_gives_the_same_run_without_a_provider(
    agent: str, attempt: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reward and tokens are those of the recorded run, nothing is contacted, and it may not be published."""
    first = attempt(agent, [answering(), Done()], record=True)
    assert first.record.outcome.state == "completed", first.record.outcome
    recording = first.folder / "recording.jsonl"
    assert first.record.model is not None
    assert first.record.model.recorded > 0

    monkeypatch.delenv("M4BENCH_ENDPOINTS")
    again = replace(first.request, access=ModelSettings(replay=recording), trial=2)
    record = run(again)
    assert record.outcome.state == "completed", record.outcome
    assert record.score is not None
    assert first.record.score is not None
    assert record.score.reward == first.record.score.reward > 0
    assert record.usage is not None
    assert first.record.usage is not None
    assert record.usage.tokens == first.record.usage.tokens
    assert record.model is not None
    assert record.model.replayed > 0
    assert record.model.hosts == ()
    assert record.model.models_answered == first.record.model.models_answered == (MODEL,)
    assert record.publishability.reasons == ("its model's answers came from a recording",)


def test_another_task_is_not_answered_from_a_recording(
    attempt: Attempt, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What the recording does not hold ends the run as a mismatch; a file that is none is refused before."""
    first = attempt("codex", [answering(), Done()], record=True)
    recording = first.folder / "recording.jsonl"
    lines = recording.read_text(encoding="utf-8").splitlines(keepends=True)
    monkeypatch.delenv("M4BENCH_ENDPOINTS")

    short = tmp_path / "short.jsonl"
    short.write_text(lines[0], encoding="utf-8")
    record = run(replace(first.request, access=ModelSettings(replay=short), trial=2))
    assert record.outcome.state == "replay-mismatch", record.outcome
    assert record.score is None

    none = tmp_path / "none.jsonl"
    none.write_text("no recording\n", encoding="utf-8")
    with pytest.raises(InputError, match="is no recording"):
        run(replace(first.request, access=ModelSettings(replay=none), trial=3))
