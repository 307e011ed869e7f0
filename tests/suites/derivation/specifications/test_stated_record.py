# SPDX-License-Identifier: MIT
"""No sentence of our skills loses a fact unseen, however often the fact is stated elsewhere.

The changes are made on the text alone, by what stands in it; nothing that the lint knows decides which are made.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from m4bench.suites.derivation.specifications.library_facts import comparison_of
from m4bench.suites.derivation.specifications.skill import read_skill
from m4bench.suites.derivation.specifications.skill_lint import (
    lint_skill,
    skills_of_tasks,
    statements_of,
)
from m4bench.suites.derivation.specifications.stated_record import lost, read_record, stated
from m4bench.suites.derivation.specifications.statements import Statement
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT, load_tasks

SKILLS = {
    name: folder for name, folder in skills_of_tasks().items() if folder.is_relative_to(TASKS_ROOT)
}


def _tasks(name: str) -> list:
    family = SKILLS[name].parent.parent.name
    return [task for task in load_tasks(TASKS_ROOT).values() if task.family == family]


def _numbers(written: str) -> Iterator[str]:
    """Yield every number that a slip of one key gives: each digit up and down, ten times, the point moved."""
    for place, digit in enumerate(written):
        if digit.isdigit():
            for other in ((int(digit) + 1) % 10, (int(digit) - 1) % 10):
                yield written[:place] + str(other) + written[place + 1 :]
    yield written + "0" if "." not in written else written.replace(".", "")
    if written.isdigit() and len(written) > 1:
        yield f"{written[:-1]}.{written[-1]}"


@pytest.mark.parametrize("name", sorted(SKILLS))
def test_the_record_is_of_the_skill_as_it_is(name: str) -> None:
    """Every sentence that states a fact is recorded, and none that is gone; `make stated` writes it."""
    recorded = read_record(SKILLS[name].parent.parent, name)
    assert recorded
    assert recorded == stated(statements_of(read_skill(SKILLS[name])), comparison_of(_tasks(name)))


@pytest.mark.parametrize("name", sorted(SKILLS))
def test_no_changed_number_of_a_fact_escapes(name: str) -> None:
    """Wherever a number states a fact, each slip of one key changes what its sentence states."""
    comparison = comparison_of(_tasks(name))
    tried, escaped = 0, []
    for statement in statements_of(read_skill(SKILLS[name])):
        found = comparison.read(statement).stated
        spans = {span for places in found.values() for span in places}
        codes = {
            span
            for number, places in found.items()
            if comparison.facts[number].kind == "code"
            for span in places
        }
        before = stated([statement], comparison)
        for start, end in sorted(spans):
            written = statement.text[start:end]
            if not re.fullmatch(r"\d+(?:\.\d+)?", written):
                continue
            for other in _numbers(written):
                same_code = (start, end) in codes and other.replace(".", "") == written
                if float(other) == float(written) or same_code:
                    continue  # 557.9 is the code 5579
                tried += 1
                edited: Statement = statement.edited(start, end, other)
                if not lost(before, stated([edited], comparison)):
                    escaped.append(f"line {statement.line}: {written} to {other}")
    assert tried > 0
    assert escaped == []


def _edited(name: str, to: Path, old: str, new: str) -> Path:
    folder = to / name
    shutil.copytree(SKILLS[name], folder)
    text = (folder / "SKILL.md").read_text(encoding="utf-8")
    assert old in text
    (folder / "SKILL.md").write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("sofa-score", "| dopamine | 221662 |", "| dopamine | 221653 |"),
        ("meld-score", "below 125", "below 12.5"),
        ("kdigo-aki-staging", "creatinine at least 3.0 ×", "creatinine at most 3.0 ×"),
        ("ventilation-classification", "| 223834 |", "| 223835 |"),
        (
            "sofa-score",
            "| creatinine | 50912 | Creatinine | mg/dL |",
            "| creatinine | 50912 | Creatinine | mmol/L |",
        ),
    ],
)
def test_a_copy_with_one_false_sentence_fails(
    name: str, old: str, new: str, tmp_path: Path
) -> None:
    """An edition of our skill outside of the package is held to the record too."""
    report = lint_skill(str(_edited(name, tmp_path, old, new)))
    assert not report.passed
    assert report.lost


def test_rows_that_change_places_fail(tmp_path: Path) -> None:
    """The tests of a score are tried in their order, and items of two rows are not each other's."""
    folder = tmp_path / "sofa-score"
    shutil.copytree(SKILLS["sofa-score"], folder)
    lines = (folder / "SKILL.md").read_text(encoding="utf-8").split("\n")
    first = next(n for n, line in enumerate(lines) if "platelets below 20" in line)
    lines[first], lines[first + 1] = lines[first + 1], lines[first]
    (folder / "SKILL.md").write_text("\n".join(lines), encoding="utf-8")
    assert lint_skill(str(folder)).lost


def test_another_text_of_the_same_name_is_not_held_to_our_record(tmp_path: Path) -> None:
    """A clinician's own skill may bear the name of ours."""
    folder = tmp_path / "sofa-score"
    folder.mkdir()
    (folder / "SKILL.md").write_text(
        "---\nname: sofa-score\ndescription: mine\n---\n\nPlatelets below 20 give 4 points.\n",
        encoding="utf-8",
    )
    assert lint_skill(str(folder)).lost == ()
