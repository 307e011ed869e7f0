# SPDX-License-Identifier: MIT
"""No sentence of our skills changes or loses a fact unseen, however often the fact is stated elsewhere.

The changes are made on the text alone, by what stands in it; nothing that the lint knows decides which are made.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from m4bench.suites.derivation.specifications.comparison import Comparison
from m4bench.suites.derivation.specifications.library_facts import comparison_of
from m4bench.suites.derivation.specifications.skill import Skill, read_skill
from m4bench.suites.derivation.specifications.skill_lint import (
    lint_skill,
    skills_of_tasks,
    tasks_of_skill,
)
from m4bench.suites.derivation.specifications.stated_record import (
    changed,
    lost,
    read_record,
    record_text,
    recorded,
    stated,
)
from m4bench.suites.derivation.specifications.statements import Statement
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT

SKILLS = {
    name: folder for name, folder in skills_of_tasks().items() if folder.is_relative_to(TASKS_ROOT)
}


def _comparison(name: str) -> Comparison:
    return comparison_of(tasks_of_skill(name, SKILLS[name]))


def _statements(name: str) -> list[Statement]:
    return [one for told in read_skill(SKILLS[name]).statements().values() for one in told]


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
    """Every sentence is recorded, and none that is gone; `make stated` writes it."""
    family = SKILLS[name].parent.parent
    before = read_record(family, name)
    assert before
    assert before == recorded(read_skill(SKILLS[name]), _comparison(name))
    assert record_text({name: before}) == (family / "stated.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(SKILLS))
def test_no_changed_number_of_a_fact_escapes(name: str) -> None:
    """Wherever a number states a fact, each slip of one key changes what its sentence states."""
    comparison = _comparison(name)
    tried, escaped = 0, []
    for statement in _statements(name):
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


def _turned(text: str, *lines: str) -> str:
    """Return a text with the lines that begin so in the reverse order, each at a place of one of them."""
    rows = text.split("\n")
    places = [place for place, row in enumerate(rows) if row.startswith(lines)]
    turned = [rows[place] for place in reversed(places)]
    for place, row in zip(places, turned, strict=True):
        rows[place] = row
    return "\n".join(rows)


def _changes(name: str, change: Callable[[str], str]) -> list[tuple[int | None, str]]:
    """Return what the seal of one of our own skills says of a changed text: lines and words."""
    skill = read_skill(SKILLS[name])
    text = change(skill.texts["SKILL.md"])
    assert text != skill.texts["SKILL.md"]
    edited: Skill = replace(skill, texts=skill.texts | {"SKILL.md": text})
    before = read_record(SKILLS[name].parent.parent, name)
    found = changed(before, recorded(edited, _comparison(name)), edited)
    assert {one.file for one in found} <= {"SKILL.md"}
    return [(one.line, one.problem) for one in found]


def _line(name: str, words: str) -> int:
    lines = read_skill(SKILLS[name]).texts["SKILL.md"].split("\n")
    return next(number for number, line in enumerate(lines, start=1) if words in line)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("gcs-calculation", "the highest counts", "the lowest counts"),
        ("ventilation-classification", "| 1 | Tracheostomy", "| 2 | Tracheostomy"),
        ("urine-output-rate", "the start is excluded", "the start is included"),
        ("comorbidity-score", "| first three | I43", "| first four | I43"),
        ("sapsii-score", "| otherwise | 0 |", "| otherwise | 1 |"),
        ("vasopressor-equivalents", "is multiplied by 1000", "is divided by 1000"),
        ("oasis-score", "inc of urine", "Inc of urine"),
        ("sofa-score", "room air is not assumed", "room air is assumed"),
    ],
)
def test_a_changed_word_of_our_own_skill_fails(name: str, old: str, new: str) -> None:
    """Whether or not a fact holds it: one line, at the place, that it changed."""
    found = _changes(name, lambda text: text.replace(old, new, 1))
    assert [line for line, _ in found] == [_line(name, old)]
    assert found[0][1].startswith("changed since it was read against the derivation")


def test_a_sentence_that_states_other_facts_says_so() -> None:
    """The one line tells a lost fact from words that no fact holds."""
    found = _changes(
        "sofa-score", lambda text: text.replace("| dopamine | 221662", "| dopamine | 1")
    )
    assert ["states other facts" in problem for _, problem in found] == [True]
    found = _changes("sofa-score", lambda text: text.replace("room air is not", "Room air is not"))
    assert ["states other facts" in problem for _, problem in found] == [False]


@pytest.mark.parametrize(
    ("name", "edit", "problem"),
    [
        ("gcs-calculation", ("- No value is", "- Also use 1.\n- No value is"), "is new"),
        ("kdigo-aki-staging", ("No other item of weight counts, also not one in pounds. ", ""), "gone"),
        ("sepsis-3-cohort", ("| 1 | time of suspicion |", "| 2 | time of suspicion |"), "changed"),
        ("meld-score", ('version: "1"', 'version: "2"'), "front matter"),
        ("meld-score", ("## Windows", "### Windows"), "its headings or its marks"),
    ],
)  # fmt: skip
def test_any_other_edit_of_our_own_skill_fails(
    name: str, edit: tuple[str, str], problem: str
) -> None:
    """A sentence added or deleted, a row's number, the front matter, the depth of a heading."""
    found = _changes(name, lambda text: text.replace(*edit, 1))
    assert any(problem in words for _, words in found)


def test_rows_that_change_places_are_told_as_moved() -> None:
    """A row that moved is neither new nor gone."""

    def change(text: str) -> str:
        rows = text.split("\n")
        first = next(n for n, row in enumerate(rows) if row.startswith("| verbal is 0 "))
        rows[first], rows[first + 1] = rows[first + 1], rows[first]
        return "\n".join(rows)

    found = _changes("gcs-calculation", change)
    assert [words.split(" since")[0] for _, words in found] == ["moved"]


def test_lines_wrapped_anew_are_the_same_sentences() -> None:
    """White space is no change."""
    skill = read_skill(SKILLS["meld-score"])
    text = skill.texts["SKILL.md"]
    place = text.index(" ", text.index("## Definitions") + 200)
    edited = replace(skill, texts={"SKILL.md": text[:place] + "  " + text[place + 1 :]})
    before = read_record(SKILLS["meld-score"].parent.parent, "meld-score")
    assert changed(before, recorded(edited, _comparison("meld-score")), edited) == []


def _damaged(text: str) -> str:
    """Return the vasopressors with the items of the agents in the reverse order, and the terms too."""
    items = re.findall(r"^\| \w+ \| (\d{6}) \|", text, re.MULTILINE)
    assert len(items) == 7
    for item in items:
        text = text.replace(f"| {item} |", f"| <{item}> |", 1)
    for item, other in zip(items, reversed(items), strict=True):
        text = text.replace(f"<{item}>", other, 1)
    return _turned(
        text, *(f"| {name} | " for name in ("norepinephrine", "epinephrine", "dopamine"))
    )


def test_much_damage_does_not_make_our_skill_another_text(tmp_path: Path) -> None:
    """An edition of our name and family is held to the record however many sentences are false."""
    name = "vasopressor-equivalents"
    text = (SKILLS[name] / "SKILL.md").read_text(encoding="utf-8")
    damaged = _damaged(text)
    assert len(_changes(name, lambda _: damaged)) > 5
    folder = tmp_path / name
    folder.mkdir()
    (folder / "SKILL.md").write_text(damaged, encoding="utf-8")
    before = read_record(SKILLS[name].parent.parent, name)["SKILL.md"].sentences
    report = lint_skill(str(folder))
    assert not report.ours
    assert report.changed == ()
    assert len(report.lost) * 2 > len([one for one in before if one.facts])


@pytest.mark.parametrize(
    ("old", "new"), [("from 23 hours", "from 24 hours"), ("at most 30 hours", "at most 300 hours")]
)
def test_a_skill_answers_for_every_family_that_names_it(old: str, new: str, tmp_path: Path) -> None:
    """The hourly SOFA is the business of Sepsis-3, and stands in the skill of SOFA."""
    report = lint_skill(str(_edited("sofa-score", tmp_path, old, new)))
    assert "mimic-sepsis3-raw" in report.tasks
    assert not report.passed
    assert report.lost


def test_another_text_of_the_same_name_is_not_held_to_our_record(tmp_path: Path) -> None:
    """A clinician's own skill may bear the name of ours."""
    folder = tmp_path / "sofa-score"
    folder.mkdir()
    (folder / "SKILL.md").write_text(
        "---\nname: sofa-score\ndescription: mine\n---\n\nPlatelets below 20 give 4 points.\n",
        encoding="utf-8",
    )
    assert lint_skill(str(folder)).lost == ()
