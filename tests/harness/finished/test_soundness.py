# SPDX-License-Identifier: MIT
"""Records that were changed after the run: each contradiction is found, and an honest record has none."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from m4bench.harness.finished.results import read_results
from m4bench.harness.finished.soundness import contradiction
from m4bench.model.run import RunRecord
from m4bench.report import write_report
from tests.report.records import (
    OUTPUT,
    OUTPUT_FILE,
    build_run,
    build_score,
    build_study,
    write_runs,
)

HONEST = build_run(
    score=build_score(
        "mimic-sofa-24h", {"sofa": 0.5, "renal": 0.25}, reference=300, matched=200, extra=100
    )
)

BEYOND = 2**63


def changed(**changes: Any) -> RunRecord:
    """Return the honest record with values put at paths, written with two underscores for a step."""
    content = json.loads(HONEST.model_dump_json())
    for path, value in changes.items():
        *steps, last = path.split("__")
        place = content
        for step in steps:
            place = place[int(step) if isinstance(place, list) else step]
        place[int(last) if isinstance(place, list) else last] = value
    return RunRecord.model_validate_json(json.dumps(content))


def test_honest_records_hold() -> None:
    """Whatever its end, a run as a harness leaves it contradicts nothing."""
    states = [
        build_run(state=state, reason="why")
        for state in (
            "no-output",
            "agent-error",
            "timeout",
            "resources",
            "infrastructure",
            "unscored",
            "own",
        )
    ]
    used = changed(
        usage={"tokens": {"input": BEYOND - 1}, "cost_usd": 1e9, "models": [USED]},
        activity={"turns": 3, "first_event_seconds": 0.5},
        model=REACHED,
        score__ordered_nmae=1.0000000000000002,
        outcome__exit_code=3221225786,
    )
    for run in (HONEST, *build_study(), *states, used):
        assert contradiction(run, run.run_id) is None


USED = {"model": "m", "requests": 1, "uncounted": 0, "tokens": {}, "cost_usd": 0.1}
REACHED = {"endpoint": "host", "protocol": "chat", "permitted_by": "synthetic", "models": ["m"]}
TAMPERED: list[tuple[dict[str, Any], str]] = [
    ({"score__reward": 1.0}, "reward is not the mean"),
    ({"score__reward": 0.375 + 2e-6}, "reward is not the mean"),
    ({"score__reward": 2.0}, "reward is not between"),
    ({"score__reward": -0.1}, "reward is not between"),
    ({"score__reward": float("nan")}, "reward is not between"),
    ({"score__reward": float("inf")}, "reward is not between"),
    ({"score__error": "unreadable", "score__strict__passed": False}, "there is a reward"),
    ({"score__columns__sofa__match_rate": 0.9, "score__reward": 0.575}, "its counts give"),
    ({"score__columns__sofa__match_rate": float("nan")}, "match_rate is not between"),
    ({"score__columns__sofa__matched": 401}, "more rows match"),
    ({"score__columns__sofa__matched": -1}, "matched is out of bounds"),
    ({"score__columns__sofa__total": BEYOND}, "total is out of bounds"),
    ({"score__columns__sofa__total": 300}, "total is not the reference's"),
    ({"score__columns__sofa__mismatched": 7}, "do not add up to the matched keys"),
    ({"score__columns__sofa__unreadable": -3}, "unreadable is out of bounds"),
    ({"score__columns__sofa__missing_rows": 7}, "missing_rows"),
    ({"score__columns__sofa__tolerance": float("inf")}, "tolerance is out of bounds"),
    ({"score__columns__sofa__present": False}, "absent"),
    ({"score__keys__matched": 250}, "add up to the reference's"),
    ({"score__keys__output": 299}, "add up to the output's"),
    ({"score__keys__extra": -1}, "keys.extra is out of bounds"),
    ({"score__keys__unreadable": 101}, "unreadable keys"),
    ({"score__keys__precision": 1.0}, "keys.precision is not what"),
    ({"score__keys__recall": 1.5}, "keys.recall is not between"),
    ({"score__keys__f1": 0.99}, "keys.f1 is not what"),
    ({"score__ordered_nmae": -0.1}, "ordered_nmae"),
    ({"score__ordered_nmae": float("nan")}, "ordered_nmae"),
    ({"score__ordered_nmae": 1.1}, "ordered_nmae"),
    ({"score__strict__passed": True}, "strict.passed"),
    ({"score__strict__checks__1__passed": True}, "passed is not what"),
    ({"score__strict__checks__1__value": 5.0}, "value is not between"),
    ({"score__strict__checks": [], "score__strict__passed": True}, "strict.passed"),
    ({"score__task": "mimic-meld-24h"}, "another task"),
    ({"score__dataset": "mimic-iv"}, "another dataset"),
    ({"score__convention": "current"}, "another convention"),
    ({"score": None}, "has no score"),
    ({"outcome__state": "timeout"}, "is timeout and has a reward"),
    ({"outcome__seconds": float("inf")}, "outcome.seconds"),
    ({"outcome__seconds": -1.0}, "outcome.seconds"),
    ({"outcome__exit_code": BEYOND}, "exit_code"),
    ({"outcome__exit_code": -(2**31) - 1}, "exit_code"),
    ({"setup_seconds": float("nan")}, "setup_seconds"),
    ({"setup_bytes": -1}, "setup_bytes"),
    ({"started": "2026-11-29T09:00:00"}, "started has no time zone"),
    ({"finished": "2026-11-29T09:00:00"}, "finished has no time zone"),
    ({"started": "0001-01-01T00:00:00+14:00"}, "started is out of bounds"),
    ({"run_id": "another"}, "name of the folder"),
    ({"identity": "0" * 64}, "does not end in the identity"),
    ({"identity": HONEST.identity[:60] + "0000"}, "not that of the recorded"),
    ({"cell__agent": "better"}, "not that of the recorded"),
    ({"cell__trial": 7}, "not that of the recorded"),
    ({"cell__sandbox": "none"}, "not that of the recorded"),
    ({"task_version": "9.9"}, "not that of the recorded"),
    ({"dataset_hash": "0" * 64}, "not that of the recorded"),
    ({"agent_version": "2"}, "not that of the recorded"),
    ({"agent_options": {"program": "x"}}, "not that of the recorded"),
    ({"runtime": "other"}, "not that of the recorded"),
    ({"modified": True}, "publishable on modified data"),
    ({"publishability__reasons": ["no isolation"]}, "has reasons against"),
    ({"outcome__state": "infrastructure"}, "publishable without a measurement"),
    *(
        ({"usage": {"tokens": {name: tokens}}}, f"usage.tokens.{name} is out of bounds")
        for name in ("input", "cached", "cache_write", "output", "reasoning")
        for tokens in (-5, BEYOND, 10**310)
    ),
    *(
        ({"usage": {name: count}}, f"usage.{name} is out of bounds")
        for name in ("requests", "attempts", "refused", "failed", "uncounted", "bytes_sent")
        for count in (-1, BEYOND)
    ),
    *(
        ({"usage": {"cost_usd": cost}}, "usage.cost_usd is out of bounds")
        for cost in (-0.01, 1.7e308, 1_000_000_001, float("inf"), float("nan"))
    ),
    ({"usage": {"models": [USED | {"requests": -1}]}}, "usage.models.0.requests"),
    ({"usage": {"models": [USED | {"tokens": {"input": -1}}]}}, "usage.models.0.tokens.input"),
    ({"usage": {"models": [USED | {"cost_usd": 1e10}]}}, "usage.models.0.cost_usd"),
    ({"activity": {"turns": BEYOND}}, "activity.turns"),
    ({"activity": {"tools": {"shell": -1}}}, "activity.tools"),
    ({"activity": {"first_event_seconds": float("inf")}}, "activity.first_event_seconds"),
    ({"model": REACHED | {"recorded": -1}}, "model.recorded"),
    ({"model": REACHED | {"refusals": {"no key": 10**310}}}, "model.refusals"),
    ({"cell__condition": ""}, "cell.condition is empty"),
    ({"cell__task": " "}, "cell.task is empty"),
    ({"cell__agent": "x" * 10_001}, "cell.agent is too long"),
    ({"cell__model": "x" * 10_001}, "cell.model is too long"),
]


@pytest.mark.parametrize(("changes", "words"), TAMPERED)
def test_a_changed_record_does_not_hold(changes: dict[str, Any], words: str) -> None:
    """Each figure that another figure, the cell or the folder contradicts is named."""
    found = contradiction(changed(**changes), HONEST.run_id)
    assert found is not None
    assert words in found


def test_a_run_without_isolation_is_not_publishable() -> None:
    """A record that says both was not left by a run."""
    run = build_run(sandbox="none")
    assert contradiction(run, run.run_id) == "it is publishable without isolation"


def test_trials_count_from_one() -> None:
    """There is no trial 0."""
    run = build_run(trial=0)
    assert contradiction(run, run.run_id) == "trial is out of bounds"


def beside_another(folder: Path, changes: dict[str, Any]) -> Path:
    """Return a results folder of an honest run of another agent and the changed record."""
    results = write_runs(folder / "results", [build_run(agent="other")])
    place = results / HONEST.run_id
    place.mkdir()
    (place / OUTPUT_FILE.name).write_bytes(OUTPUT)
    (place / "run.json").write_text(changed(**changes).model_dump_json())
    return results


@pytest.mark.parametrize("changes", [changes for changes, _ in TAMPERED])
def test_a_changed_record_is_a_finding_and_in_no_mean(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    """The folder is named, the run left out, and the others are still read."""
    found = read_results(beside_another(tmp_path, changes))
    assert [run.cell.agent for run in found.runs] == ["other"]
    assert [finding.folder for finding in found.findings] == [HONEST.run_id]
    assert found.findings[0].problem.startswith("record does not hold: ")


@pytest.mark.parametrize(
    "changes", [{"score__reward": 1.0}, {"usage": {"tokens": {"input": 10**310}}}]
)
def test_a_changed_record_is_told_on_the_page(tmp_path: Path, changes: dict[str, Any]) -> None:
    """The report names what does not hold and still shows the others."""
    results = beside_another(tmp_path, changes)
    page = write_report(results, tmp_path / "out", tasks={}).read_text()
    assert "record does not hold: " in page
    assert "other" in page


def test_times_of_several_zones_are_shown_in_one(tmp_path: Path) -> None:
    """Runs of two zones are compared as moments and shown in UTC: 01:00 at +14:00 is 11:00 the day before."""
    late = build_run(trial=2).model_copy(
        update={"started": changed(started="2026-11-29T01:00:00+14:00").started}
    )
    results = write_runs(tmp_path / "results", [build_run(), late])
    page = write_report(results, tmp_path / "out", tasks={}).read_text()
    assert "2026-11-28 11:00 to 2026-11-29 09:00 UTC" in re.sub(r"<[^>]+>", "", page)
