# SPDX-License-Identifier: MIT
"""What a report says of what runs with a model used."""

from pathlib import Path

import pytest

from m4bench.model.run import ModelFacts, ToolFacts
from m4bench.model.trace import Activity
from m4bench.model.usage import Tokens, Usage
from m4bench.report.facts import facts
from m4bench.report.summary import summarise
from m4bench.report.usage import cost, used
from tests.report.records import build_run, write_runs
from tests.report.test_page import page_of

WAY = ModelFacts(
    endpoint="gpu",
    protocol="responses",
    permitted_by="synthetic data",
    models=("small",),
    models_answered=("small-2026-11-01",),
    skills_seen=("sofa",),
)
COUNTED = Usage(
    requests=7, failed=1, tokens=Tokens(input=52_000, output=1_200), cost_usd=0.0314, prices="own"
)
DONE = Activity(tool_calls=5, commands=4)


def only(**told: object) -> dict[str, str]:
    """Return what is written of one run with a model, by field."""
    run = build_run(model="small", **({"gateway": WAY, "usage": COUNTED, "activity": DONE} | told))
    summary = summarise([run])
    (found,) = used(summary.of_question(summary.questions[0]))
    return {name: value for name, value in vars(found).items() if isinstance(value, str)}


def test_what_was_counted_is_written() -> None:
    """Version, name of the model as it answered, way, counts and money of a run stand as recorded."""
    assert only() == {
        "version": "1.0",
        "answered": "small-2026-11-01",
        "endpoint": "gpu, responses",
        "requests": "7",
        "requests_note": "1 failed",
        "tokens": "52\u202f000 in, 1\u202f200 out",
        "tokens_note": "",
        "cost": "$0.0314",
        "tool_calls": "5",
        "commands": "4",
        "skills": "sofa",
    }


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"usage": None}, {"requests": "unknown", "tokens": "unknown", "cost": "unknown"}),
        ({"usage": Usage(requests=3, uncounted=3)}, {"tokens": "unknown", "cost": "unknown"}),
        (
            {"usage": Usage(requests=3, uncounted=1, tokens=Tokens(input=90, output=9))},
            {"tokens": "at least 90 in, 9 out", "tokens_note": "1 answer came without a count"},
        ),
        ({"usage": Usage()}, {"requests": "0", "tokens": "0 in, 0 out"}),
        ({"activity": None}, {"tool_calls": "unknown", "commands": "unknown"}),
        (
            {"gateway": WAY.model_copy(update={"models_answered": (), "skills_seen": ()})},
            {"answered": "unknown", "skills": "none"},
        ),
        (
            {"gateway": WAY.model_copy(update={"replayed": 2})},
            {"endpoint": "gpu, responses, recorded"},
        ),
    ],
)
def test_what_nobody_counted_is_unknown(told: dict[str, object], expected: dict[str, str]) -> None:
    """A count that is missing is never written as 0, and one that is too low says so."""
    found = only(**told)
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("dollars", "text"),
    [(None, "unknown"), (0.0, "$0.00"), (12.345, "$12.35"), (0.5, "$0.5000"), (5e-6, "<$0.0001")],
)
def test_money_is_written_so_that_little_is_not_nothing(dollars: float | None, text: str) -> None:
    """Without a price a cost is unknown; a small one is not rounded to none."""
    assert cost(Usage(cost_usd=dollars)) == text


@pytest.mark.parametrize(
    ("models", "sandbox", "words"),
    [
        ([None], "bwrap", "bubblewrap, no network"),
        ([WAY], "bwrap", "bubblewrap, no network but the model gateway"),
        (
            [None, WAY],
            "bwrap",
            "bubblewrap, no network; runs with a model: no network but the model gateway",
        ),
        ([WAY], "none", "no isolation"),
    ],
)
def test_the_sandbox_is_said_to_lead_to_the_gateway_where_it_does(
    models: list[ModelFacts | None], sandbox: str, words: str
) -> None:
    """No run with a model is said to have had no network at all."""
    runs = [build_run(gateway=model, sandbox=sandbox) for model in models]
    (fact,) = [fact for fact in facts(runs, {}) if fact.label == "Sandbox"]
    assert [value.meaning for value in fact.values] == [words]


def test_agents_stand_with_their_versions_and_models_with_their_ways() -> None:
    """A tool's own word on its version counts before the recorded one; a hash is shortened."""
    told = build_run(gateway=WAY, usage=COUNTED, model="small", agent="codex")
    told = told.model_copy(update={"tool": ToolFacts(version="0.171.0")})
    silent = told.model_copy(
        update={"model": WAY.model_copy(update={"models_answered": ()}), "usage": None}
    )
    runs = [told, silent, build_run(agent="own", agent_version="c" * 64)]
    found = {fact.label: fact.values for fact in facts(runs, {})}
    assert [(value.text, value.meaning) for value in found["Agents"]] == [
        ("codex", "version 0.171.0"),
        ("own", "version cccccccc"),
    ]
    assert [(value.text, value.meaning) for value in found["Models"]] == [
        ("small", "endpoint gpu, responses; answered as small-2026-11-01")
    ]
    assert [value.text for value in found["Prices"]] == ["own"]


def test_a_task_page_has_the_table_only_for_runs_with_a_model(tmp_path: Path) -> None:
    """Runs with a model have a row each; a path that a server answers under is not shown."""
    own = WAY.model_copy(update={"models_answered": ("/home/somebody/models/small.gguf",)})
    runs = [build_run(), build_run(agent="pi", model="small", gateway=own, usage=COUNTED)]
    page = tmp_path / "out" / "tasks" / "mimic-sofa-24h.html"
    page_of(write_runs(tmp_path / "results", runs))
    text = page.read_text(encoding="utf-8")
    table = text[text.index("What runs with a model used") :].split("</table>")[0]
    assert table.count("<tr>") == 2
    assert "(a path)" in table
    assert "somebody" not in text
    page_of(write_runs(tmp_path / "others" / "results", [build_run()]))
    other = tmp_path / "others" / "out" / "tasks" / "mimic-sofa-24h.html"
    assert "What runs with a model used" not in other.read_text(encoding="utf-8")
