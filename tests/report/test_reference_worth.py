# SPDX-License-Identifier: MIT
"""What a reference is worth stands beside the results of its task, and only where something is known of it."""

from pathlib import Path

import pytest

from m4bench.report import write_report
from m4bench.report.reference_worth import worth_of
from m4bench.report.write import installed_tasks
from m4bench.suites.derivation.tasks.validity import validity
from tests.report.records import build_run, write_runs

TASKS = installed_tasks()


@pytest.mark.parametrize("name", sorted(TASKS))
def test_every_task_has_what_is_known_of_its_reference(name: str) -> None:
    """Each of the suite's tasks has its family's entry, with names for everybody who says something."""
    worth = worth_of(TASKS[name])
    assert worth is not None
    assert worth.family == TASKS[name].family
    assert {caveat.source for caveat in worth.validity.caveats} <= set(worth.sources)


def test_a_task_of_another_suite_or_family_has_none() -> None:
    """Nothing is said of a reference that nobody looked at."""
    task = TASKS["mimic-sofa-24h"]
    assert worth_of(None) is None
    assert worth_of(task.model_copy(update={"suite": "consults"})) is None
    assert worth_of(task.model_copy(update={"family": "lactate"})) is None


def test_caveats_stand_on_the_page_of_the_task(tmp_path: Path) -> None:
    """Every caveat of the family is on the task's page, beside its results, and the review is not called ours."""
    task = TASKS["mimic-sofa-24h"]
    write_runs(tmp_path / "runs", [build_run(task.name, "naive")])
    page = write_report(tmp_path / "runs", tmp_path / "out", tasks=TASKS)
    text = (page.parent / "tasks" / f"{task.name}.html").read_text(encoding="utf-8")
    assert "What the reference is, and is not" in text
    for caveat in validity("sofa").caveats:
        assert caveat.says.replace("'", "&#39;") in text.replace("\u202f", " ")
    assert "which nobody has signed" in text
