# SPDX-License-Identifier: MIT
"""Reading and linting checks.toml, and joining the program's parts to one file."""

import ast
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from m4bench.model.errors import InputError
from m4bench.model.task import Task
from m4bench.suites.derivation.checks.declared import CHECKS, checks_file, load_checks
from m4bench.suites.derivation.checks.joined import PARTS, joined_program
from m4bench.suites.derivation.checks.lint import check_problems
from m4bench.suites.derivation.checks.script import check_script
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT, card, column_rows, load_tasks

TASKS = load_tasks()
SOFA = TASKS["mimic-sofa-24h"]
Edited = Callable[[Task, str, str], Path]


@pytest.fixture
def edited(tmp_path: Path) -> Edited:
    """A function that copies a task's family with one text of its checks replaced, and returns the copy's root."""

    def edit(task: Task, old: str, new: str) -> Path:
        family = TASKS_ROOT / task.family
        shutil.copytree(family, tmp_path / task.family)
        file = tmp_path / checks_file(task).relative_to(TASKS_ROOT)
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
        return tmp_path

    return edit


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_every_task_has_checks_that_are_its_card_s(task: Task) -> None:
    """Columns, types, ranges and nulls are those of the card's table, and every rule can be asked."""
    assert list(check_problems(task)) == []
    assert list(load_checks(task).columns) == list(task.scoring.required)


@pytest.mark.parametrize(
    ("old", "new", "column", "problem"),
    [
        ("[columns]", "[columns", None, "is not TOML"),
        ("[columns]", "[colums]", "columns", "field required"),
        ('type = "integer"', 'type = "int"', "columns.subject_id.type", "'integer'"),
        ("at_least = 0", "least = 0", "columns.sofa.least", "extra inputs"),
        ('type = "integer", at_least', 'type = "text", at_least', "columns.sofa", "has no range"),
        ('of = "stays"', 'of = "visits"', "members.0.of", "no relation is called visits"),
        ("complete = true", 'complete = "all"', "members.0.complete", "boolean"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_its_field(
    edited: Edited, old: str, new: str, column: str | None, problem: str
) -> None:
    """The error names the file and the field."""
    root = edited(SOFA, old, new)
    with pytest.raises(InputError) as caught:
        load_checks(SOFA, root)
    assert caught.value.file == root / "sofa" / CHECKS
    assert caught.value.column == column
    assert problem in caught.value.problem
    assert len(list(check_problems(SOFA, root))) == 1


def test_a_family_without_the_file_is_refused(tmp_path: Path) -> None:
    """The file that is missing is named."""
    with pytest.raises(InputError, match="cannot be read") as caught:
        load_checks(SOFA, tmp_path)
    assert caught.value.file == tmp_path / "sofa" / CHECKS


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        ("sofa", "at_most = 24", "at_most = 25", "columns.sofa: allows 0 to 25, but the card says 0 to 24"),
        ("sofa", ", at_least = 0, at_most = 4", "", "columns.respiration: allows anything, but"),
        ("sofa", 'renal = {type = "integer"', 'renal = {type = "real"', "columns.renal: type is real"),
        ("sofa", "at_most = 24}", 'at_most = 24, null = "never"}', "columns.sofa: null is given"),
        ("sofa", 'hadm_id = {type = "integer"}\n', "", "columns are not scoring.required"),
        ("sofa", "icustays", "icu_stays", "relations.stays: reads mimiciv_icu.icu_stays"),
        ("sofa", "icustays", "icustays, mimiciv_derived.sofa", "relations.stays: reads mimiciv_derived.sofa"),
        ("sofa", "hadm_id, stay_id FROM", "stay_id FROM", "linked.1.holds: binder error"),
        ("sofa", "respiration + ", "breathing + ", "rows.0.holds: binder error"),
        ("sofa", "sofa = resp", "sofa + resp", "rows.0.holds: is no condition"),
        ("creatinine-baseline", 'where = "ckd = 1"', 'where = "kidney = 1"', "rows.1.where: binder error"),
        ("creatinine-baseline", 'where = "ckd = 1"', 'where = "ckd + 1"', "rows.1.where: is no condition"),
        ("sofa", 'on = ["stay_id"]', 'on = ["stay"]', "members.0.on: binder error"),
        ("suspicion-infection", 'null = "where the', 'values = ["a"], null = "where the', "does not name the value a"),
        ("suspicion-infection", "values = [0, 1]", "values = [0, 2]", "does not name the value 2"),
        ("suspicion-infection", ', null = "where the start is unknown"', "", "is null somewhere by the card"),
        ("suspicion-infection", "ab_id = {", "ab_id = {at_most = 9, ", "at_most is given, but the card has no range"),
        ("suspicion-infection", 'by = ["antibiotic_time"]', 'by = ["start"]', "sequences.0: binder error"),
        ("ventilation", '"HFNC"', '"Hfnc"', "does not name the value Hfnc"),
        ("ventilation", 'start = "starttime"', 'start = "start"', "intervals.0: binder error"),
    ],
)  # fmt: skip
def test_lint_tells_where_checks_and_card_part(
    edited: Edited, name: str, old: str, new: str, problem: str
) -> None:
    """One change gives one problem of that field, or one more of what rests on it."""
    task = next(task for task in TASKS.values() if task.family == name)
    found = list(check_problems(task, edited(task, old, new)))
    assert any(problem in one for one in found), found


def test_only_the_table_of_columns_is_read() -> None:
    """A table of something else is not taken for it."""
    assert column_rows("| status | support |\n|---|---|\n| `HFNC` | cannula |\n") == []


def declared(script: str) -> dict[str, Any]:
    """Return the JSON that stands in a script."""
    found = re.search(r"r'''\n(.*?)\n'''", script, re.DOTALL)
    assert found is not None
    content: dict[str, Any] = json.loads(found[1])
    return content


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_a_script_holds_what_the_card_states_and_nothing_of_this_package(task: Task) -> None:
    """It parses, imports the standard library and duckdb alone, and names tables in its queries only."""
    script = check_script(task)
    assert script.startswith("#!/usr/bin/env python3\n# SPDX-License-Identifier: MIT\n")
    assert "m4bench" not in script
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(script))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported == {
        "argparse", "codecs", "collections", "csv", "dataclasses", "difflib", "duckdb", "io", "json", "pathlib",
        "stat", "sys", "typing",
    }  # fmt: skip
    content = declared(script)
    assert [column["name"] for column in content["columns"]] == list(task.scoring.required)
    rest = script.replace(json.dumps(content["relations"]), "")
    assert not re.search(r"mimiciv_|eicu_crd|itemid|derived", rest)
    assert "mimiciv_derived" not in script


def test_a_script_can_be_written_for_a_database_with_other_names() -> None:
    """Queries, the only place with native names, go through the given function."""
    script = check_script(
        SOFA, presented=lambda query: query.replace("mimiciv_icu.icustays", "s1.t1")
    )
    assert "icustays" not in script
    assert (
        declared(script)["relations"]["stays"] == "SELECT subject_id, hadm_id, stay_id FROM s1.t1"
    )


def test_the_joined_program_is_its_parts_in_order_each_once() -> None:
    """Every function and class of a part stands in the whole once, and nothing else does."""
    folder = Path(joined_program.__wrapped__.__code__.co_filename).with_name("program")
    names = [
        node.name
        for part in PARTS
        for node in ast.parse((folder / f"{part}.py").read_text()).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
    whole = ast.parse(joined_program())
    found = [n.name for n in whole.body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    assert found == names
    assert len(set(found)) == len(found)
    assert {file.stem for file in folder.glob("*.py")} == {"__init__", *PARTS}
    assert "hand" in (ast.get_docstring(whole) or "")


def test_a_card_names_no_range_the_checks_pass_over() -> None:
    """The tables of all cards together give ranges or values for most columns, and all of them are checked."""
    stated = [
        (task.name, name)
        for task in TASKS.values()
        for cells in column_rows(card(task))
        for name in [cells["column"].strip("`")]
        if re.search(r"\d", cells.get("range", cells.get("values", "")))
    ]
    assert len(stated) > 150
    for task_name, name in stated:
        check = load_checks(TASKS[task_name]).columns[name]
        assert check.values or check.at_least is not None, (task_name, name)
