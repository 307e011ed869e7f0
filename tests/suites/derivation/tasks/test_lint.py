# SPDX-License-Identifier: MIT
"""Lint: the tasks of this version are clean, and each kind of fault in a folder is found."""

import shutil
from pathlib import Path

import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.tasks.cards import TASKS_ROOT, card, load_tasks
from m4bench.suites.derivation.tasks.lint import lint

TASKS = load_tasks()
CARD = "sofa/mimic-sofa-24h/instruction.md"
DEFINITION = "sofa/mimic-sofa-24h/task.toml"
QUERY = "sofa/naive.sql"
RULES = "sofa/operational-spec.md"
SKILL = "sofa/skills/sofa-score/SKILL.md"
LIVER_ROW = "| `liver` | integer | 0 to 4 | total bilirubin |\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The SOFA family alone, to be damaged."""
    shutil.copytree(TASKS_ROOT / "sofa", tmp_path / "tasks" / "sofa")
    return tmp_path / "tasks"


@pytest.fixture
def references(tmp_path: Path) -> Path:
    """A folder with the reference of the SOFA family."""
    folder = tmp_path / "references"
    folder.mkdir()
    (folder / "sofa-24h.sql").write_text("SELECT 1", encoding="utf-8")
    return folder


def test_the_tasks_of_this_version_are_clean() -> None:
    """Every folder reads, and card, definition, naive query and reference agree."""
    assert lint() == []


def test_an_undamaged_copy_is_clean(root: Path, references: Path) -> None:
    """The copies the following tests damage have no finding of their own."""
    assert lint(root=root, references=references) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        (CARD, LIVER_ROW, "", "is not scoring.required in its order"),
        (CARD, LIVER_ROW, LIVER_ROW * 2, "is not scoring.required in its order"),
        (CARD, "`coagulation`", "`clotting`", "is not scoring.required in its order"),
        (CARD, "## Output", "## Answer", "has no section Output"),
        (CARD, "One row per ICU stay", "Rows of ICU stays", "does not begin with 'One row per …'"),
        (CARD, "`output.csv`", "`answer.csv`", "does not name the file output.csv"),
        (CARD, "creatinine and", "mimiciv_hosp and", "names a schema of the source database"),
        (CARD, "platelets", "platelets (itemid)", "names item identifiers"),
        (CARD, "platelets", "platelets 51265", "names a number of five or more digits"),
        (CARD, "platelets", "SELECT platelets", "names a query"),
        (CARD, "platelets", "platelets JOIN stays", "names a query"),
        (CARD, "platelets", "select platelets from hosp.labs", "names a query"),
        (CARD, "platelets", "platelets in labevents", "names a source table"),
        (CARD, "ICU stay, from", "MIMIC stay, from", "names a database"),
        (CARD, "platelets", "first_day_lab", "names first_day_lab, which is not a column"),
        (
            CARD,
            "Glasgow Coma Scale |",
            "coma |",
            "differs from mimic-sofa-24h-raw, of one reference",
        ),
        (DEFINITION, 'key = ["stay_id"]', 'key = ["icu_id"]', "key names icu_id"),
        (DEFINITION, 'key = ["stay_id"]', "key = []", "scoring.key is empty"),
        (DEFINITION, 'values = ["sofa",', 'values = ["pf",', "values names pf"),
        (DEFINITION, 'scored = ["sofa",', 'scored = ["stay_id",', "scored names the key stay_id"),
        (DEFINITION, 'scored = ["sofa",', 'scored = ["liver",', "scored names a column twice"),
        (DEFINITION, 'scored = ["sofa",', 'scored = ["pf",', "scored names pf"),
        (DEFINITION, "unordered = []", 'unordered = ["pf"]', "unordered names pf"),
        (DEFINITION, "[scoring.tolerances]", "[scoring.tolerances]\npf = 1", "tolerances names pf"),
        (
            DEFINITION,
            "[scoring.tolerances]",
            "[scoring.tolerances]\nsofa = -1.0",
            "tolerances.sofa must be a finite number",
        ),
        (
            DEFINITION,
            "[scoring.tolerances]",
            "[scoring.tolerances]\nsofa = nan",
            "tolerances.sofa must be a finite number",
        ),
        (DEFINITION, "accuracy = 1.0", "accuracy = 1.2", "accuracy must be above 0"),
        (DEFINITION, "row_coverage = 1.0", "row_coverage = 0.0", "row_coverage must be above 0"),
        (DEFINITION, "scoring = 1\n", "scoring = 0\n", "version counts from 1"),
        (DEFINITION, 'target = ["first_day_sofa", "sofa"]', "target = []", "drops.target is empty"),
        (DEFINITION, "carriers = []", 'carriers = ["sofa"]', "carriers repeats the target sofa"),
        (DEFINITION, 'reference = "sofa-24h"', 'reference = "sofa-25h"', "no reference is called"),
        (DEFINITION, 'mode = "standard"', 'mode = "easy"', "mode: input should be"),
        (QUERY, "mimiciv_icu.outputevents", "mimiciv_derived.urine_output", "is no source table"),
        (QUERY, "mimiciv_icu.outputevents", "outputevents", "neither qualified nor a CTE"),
        (
            QUERY,
            "  renal\nFROM component",
            "  renal AS kidney\nFROM component",
            "returns other columns",
        ),
        (QUERY, "FROM component", "FROM (component", "does not parse"),
        (DEFINITION, 'skills = ["sofa-score"]', "skills = []", "skills is empty"),
        (DEFINITION, "sofa-score", "sofa-skore", "no skill is called sofa-skore"),
        (DEFINITION, "sapsii-score", "saps-score", "decoy: no skill is called saps-score"),
        (DEFINITION, "sapsii-score", "sofa-score", "decoy: sofa-score is the task's own skill"),
        (DEFINITION, 'decoy = "sapsii-score"\n', "", "decoy is missing"),
        (RULES, "#", "SELECT\n#", "names a query"),
        (RULES, "#", "```\n#", "names a code fence"),
        (RULES, "#", "itemid\n#", "names item identifiers"),
        (RULES, "#", "220045\n#", "names a number of five or more digits"),
        (RULES, "#", "mimiciv_icu\n#", "names a schema of the source database"),
        (RULES, "#", "github\n#", "names the public code repository"),
        (RULES, "#", "chartevents\n#", "names a source table"),
        (SKILL, "#", "TO WRITE\n#", "still has a place marked TO WRITE"),
    ],
)
def test_a_damaged_folder_is_found_out(
    root: Path, references: Path, file: str, old: str, new: str, problem: str
) -> None:
    """One change to a file gives a finding that names that file and the fault."""
    path = root / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    findings = lint(["mimic-sofa-24h"], root=root, references=references)
    assert any(problem in finding.problem and finding.file == path for finding in findings), (
        findings
    )


def test_a_raw_name_wants_raw_mode(root: Path, references: Path) -> None:
    """A task whose name ends in -raw must not be a standard one."""
    path = root / "sofa/mimic-sofa-24h-raw/task.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('mode = "raw"', 'mode = "standard"'), encoding="utf-8")
    findings = lint(root=root, references=references)
    assert [finding.task for finding in findings] == ["mimic-sofa-24h-raw"]
    assert "ends in -raw" in findings[0].problem


@pytest.mark.parametrize("file", [CARD, DEFINITION, QUERY, RULES])
def test_a_missing_file_is_found_out(root: Path, references: Path, file: str) -> None:
    """A folder that lacks card, definition or naive query is a finding, not a crash."""
    (root / file).unlink()
    findings = lint(["mimic-sofa-24h"], root=root, references=references)
    assert [finding.file for finding in findings] == [root / file]


def test_an_empty_operational_specification_is_found_out(root: Path, references: Path) -> None:
    """A file of blanks says nothing."""
    (root / RULES).write_text(" \n", encoding="utf-8")
    findings = lint(["mimic-sofa-24h"], root=root, references=references)
    assert [finding.problem for finding in findings] == ["is empty"]


def test_the_same_name_in_two_families_is_found_out(root: Path, references: Path) -> None:
    """Task names are unique across families."""
    shutil.copytree(root / "sofa", root / "twin")
    findings = lint(["mimic-sofa-24h"], root=root, references=references)
    assert "its name is taken twice" in {finding.problem for finding in findings}


def test_an_unknown_task_lists_the_known_ones() -> None:
    """A name that is no task is bad usage, not a finding; of one that is near to some these alone are told."""
    with pytest.raises(InputError) as refused:
        lint(["nothing-like-it"])
    assert all(name in str(refused.value) for name in TASKS)
    with pytest.raises(InputError, match="did you mean mimic-sofa-24h or mimic-sofa-24h-raw"):
        lint(["mimic-sofa-24"])


@pytest.mark.parametrize("name", sorted(TASKS))
def test_no_card_names_a_derived_relation_or_a_source_table(name: str, shared: Path) -> None:
    """Cards are silent on how the data set must be read: none of its relations or columns is named."""
    source = (shared / "conformance/mimic/schema.csv").read_text(encoding="utf-8").splitlines()[1:]
    tables = {line.split(",")[1] for line in source} - {"patients", "admissions", "services"}
    concepts = {path.stem for path in (shared / "specs/concepts").glob("*.md")}
    columns = set(TASKS[name].scoring.required)
    words = set(card(TASKS[name]).replace("`", " ").replace("|", " ").split())
    compound = {concept for concept in concepts if "_" in concept}
    assert words & (tables | compound) - columns == set()
