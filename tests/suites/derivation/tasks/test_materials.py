# SPDX-License-Identifier: MIT
"""What each condition gives: for every task exactly that, and one clear error where there is nothing to give."""

import re
import shutil
from pathlib import Path

import pytest
import yaml

from m4bench.model.errors import InputError
from m4bench.model.task import Task
from m4bench.suites.derivation.tasks.cards import (
    CONDITIONS,
    TASKS_ROOT,
    family_file,
    load_tasks,
    task_folder,
)
from m4bench.suites.derivation.tasks.materials import Materials, materials
from m4bench.suites.derivation.tasks.roots import VARIABLE

TASKS = load_tasks()
ANY_TASK = TASKS["mimic-sofa-24h"]
SKILL_NAMES = (
    "apsiii-score", "baseline-creatinine", "comorbidity-score", "gcs-calculation", "kdigo-aki-staging",
    "meld-score", "oasis-score", "sapsii-score", "sepsis-3-cohort", "sirs-criteria", "sofa-score",
    "suspicion-of-infection", "urine-output-rate", "vasopressor-equivalents", "ventilation-classification",
)  # fmt: skip
SAME_INSTRUCTION = (
    "no-skill",
    "with-skill",
    "with-skill-all",
    "with-skill-decoy",
    "with-skill-rawsql",
)
# A query, where no text of an author has one.
CODE = re.compile(r"^\s*(?:SELECT|WITH|FROM|CREATE)\b.*$", re.MULTILINE)


def given(task: Task, condition: str) -> Materials:
    """What a condition gives for a task of this project under the default presentation."""
    return materials(task, condition, "native")


def expected_skills(task: Task, condition: str) -> set[str]:
    """The files of skills a condition gives, by the table of conditions."""
    names: tuple[str, ...] = {
        "with-skill": task.skills,
        "with-skill+checks": task.skills,
        "with-skill-all": SKILL_NAMES,
        "with-skill-decoy": (task.decoy or "",),
        "with-skill-rawsql": (f"{task.reference}-derivation",),
    }.get(condition, ())
    return {f"{name}/SKILL.md" for name in names}


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_a_condition_gives_exactly_its_files(task: Task, condition: str) -> None:
    """Each skill where it is given and nowhere else; the program check where checks are given."""
    found = given(task, condition)
    assert set(found.skills) == expected_skills(task, condition)
    assert set(found.programs) == ({"check"} if condition.endswith("checks") else set())


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_texts_are_the_authors_own(task: Task) -> None:
    """A skill is its file byte for byte, the decoy is another family's, and its text is not the task's own."""
    own = given(task, "with-skill").skills
    decoy = given(task, "with-skill-decoy").skills
    for path, text in {**own, **decoy}.items():
        (file,) = TASKS_ROOT.glob(f"*/skills/{path}")
        assert text.encode() == file.read_bytes()
    assert task.decoy not in task.skills
    assert not set(own.values()) & set(decoy.values())
    assert given(task, "with-skill+checks").skills == own


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_the_instruction_is_the_same_across_skills(task: Task) -> None:
    """Five conditions tell an agent the same words; the others add theirs at the end, under a heading of their own."""
    plain = given(task, "no-skill").instruction
    assert {given(task, condition).instruction for condition in SAME_INSTRUCTION} == {plain}
    rules = family_file(task, "operational-spec.md").read_text(encoding="utf-8").strip()
    with_rules = given(task, "operational-spec").instruction
    assert with_rules == f"{plain}\n## Operational specification\n\n{rules}\n"
    checks = given(task, "with-checks").instruction
    assert given(task, "with-skill+checks").instruction == checks
    assert checks.startswith(f"{plain}\n## Checks\n\n")
    assert "`./check output.csv`" in checks[len(plain) :]


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_no_condition_gives_what_another_is_for(task: Task) -> None:
    """Code stands in the raw SQL alone, rules of the operational specification in its instruction alone."""
    rules = family_file(task, "operational-spec.md").read_text(encoding="utf-8")
    own_lines = {line for line in rules.splitlines() if len(line) > 60}
    assert own_lines
    for condition in CONDITIONS:
        found = given(task, condition)
        texts = [found.instruction, *found.skills.values()]
        assert any(CODE.search(text) for text in texts) == (condition == "with-skill-rawsql")
        told = set(found.instruction.splitlines())
        assert bool(own_lines & told) == (condition == "operational-spec"), condition
        assert rules.strip() not in "\n".join(found.skills.values())
        assert not any("PROVENANCE" in text for text in texts)


@pytest.mark.parametrize("name", SKILL_NAMES)
def test_a_skill_is_valid_by_the_rules_of_agent_skills(name: str) -> None:
    """Front matter has no field beyond the standard's, the name is the folder's, the description is bounded."""
    text = given(ANY_TASK, "with-skill-all").skills[f"{name}/SKILL.md"]
    require_valid_skill(text, name)


def require_valid_skill(text: str, name: str) -> None:
    """Hold a SKILL.md to the standard: formats.md of the specifications gives its rules."""
    found = re.match(r"\A---\n(.*?)\n---\n", text, re.DOTALL)
    assert found is not None
    fields = yaml.safe_load(found[1])
    allowed = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
    assert set(fields) <= allowed
    assert fields["name"] == name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert len(name) <= 64
    assert 1 <= len(fields["description"]) <= 1024
    assert all(isinstance(value, str) for value in fields.get("metadata", {}).values())


@pytest.mark.parametrize("condition", CONDITIONS)
def test_an_unknown_condition_or_schema_is_refused(condition: str) -> None:
    """The names are checked before anything is read."""
    with pytest.raises(InputError, match="no condition is called"):
        materials(ANY_TASK, condition + "!", "native")
    with pytest.raises(InputError, match="no schema is called"):
        materials(ANY_TASK, condition, "upside-down")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two families of others: heart, with a skill of two files, and lung, which is its decoy."""
    for family, skills, decoy in (
        ("heart", '["beat"]', "breath"),
        ("lung", '["breath", "beat"]', "beat"),
    ):
        folder = tmp_path / family / f"any-{family}"
        shutil.copytree(task_folder(ANY_TASK), folder)
        definition = folder / "task.toml"
        text = definition.read_text(encoding="utf-8")
        text = re.sub(r"^name = .*$", f'name = "any-{family}"', text, count=1, flags=re.MULTILINE)
        text = re.sub(r"^family = .*$", f'family = "{family}"', text, count=1, flags=re.MULTILINE)
        text = re.sub(r"^skills = .*$", f"skills = {skills}", text, count=1, flags=re.MULTILINE)
        text = re.sub(r"^decoy = .*$", f'decoy = "{decoy}"', text, count=1, flags=re.MULTILINE)
        definition.write_text(text, encoding="utf-8")
        (tmp_path / family / "operational-spec.md").write_text(f"Rules of the {family}.\n")
    beat = tmp_path / "heart" / "skills" / "beat"
    (beat / "references").mkdir(parents=True)
    (beat / "SKILL.md").write_text("Beats.\r\nNo end of line")
    (beat / "references" / "table.md").write_text("| 1 |\n")
    (beat / ".draft").write_text("hidden")
    other = tmp_path / "lung" / "skills"
    (other / "breath").mkdir(parents=True)
    (other / "breath" / "SKILL.md").write_text("Breaths.\n")
    (other / "beat").mkdir()
    (other / "beat" / "SKILL.md").write_text("Beats of the lung.\n")
    return tmp_path


def test_a_skill_is_given_whole_and_hidden_files_are_not(root: Path) -> None:
    """Every file of a skill's folder, as it is; a family's own skill comes before another's of the same name."""
    tasks = load_tasks(root)
    heart = materials(tasks["any-heart"], "with-skill", "native", root=root)
    assert heart.skills == {
        "beat/SKILL.md": "Beats.\r\nNo end of line",
        "beat/references/table.md": "| 1 |\n",
    }
    lung = materials(tasks["any-lung"], "with-skill", "native", root=root)
    assert lung.skills == {
        "breath/SKILL.md": "Breaths.\n",
        "beat/SKILL.md": "Beats of the lung.\n",
    }


def test_of_one_name_the_first_in_task_order_is_given(root: Path) -> None:
    """With all skills, a name that two families use is the first task's, the other's files are left out."""
    for task in load_tasks(root).values():
        found = materials(task, "with-skill-all", "native", root=root).skills
        assert found["beat/SKILL.md"].startswith("Beats.\r\n")
        assert set(found) == {"beat/SKILL.md", "beat/references/table.md", "breath/SKILL.md"}


def test_a_task_s_own_operational_specification_comes_first(root: Path) -> None:
    """What stands beside a task's definition is given in place of what its family shares."""
    task = load_tasks(root)["any-heart"]
    told = materials(task, "operational-spec", "native", root=root).instruction
    assert told.endswith("## Operational specification\n\nRules of the heart.\n")
    (root / "heart" / "any-heart" / "operational-spec.md").write_text("{own} rules\n\n")
    told = materials(task, "operational-spec", "native", root=root).instruction
    assert told.endswith("## Operational specification\n\n{own} rules\n")


def test_skills_of_other_roots_are_among_all(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks a user brings add their skills to all skills, for every task."""
    monkeypatch.setenv(VARIABLE, str(root))
    found = given(ANY_TASK, "with-skill-all").skills
    assert {"beat/SKILL.md", "breath/SKILL.md"} <= set(found)
    assert expected_skills(ANY_TASK, "with-skill-all") <= set(found)
    heart = load_tasks()["any-heart"]
    assert set(given(heart, "with-skill-decoy").skills) == {"breath/SKILL.md"}


def _removed(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


NOTHING_TO_GIVE = {
    "no operational spec": ("operational-spec", "heart/operational-spec.md", _removed),
    "an empty operational spec": (
        "operational-spec",
        "heart/operational-spec.md",
        lambda path: path.write_text(" \n"),
    ),
    "an operational spec that is no text": (
        "operational-spec",
        "heart/operational-spec.md",
        lambda path: path.write_bytes(b"\xff\xfe"),
    ),
    "no SKILL.md": ("with-skill", "heart/skills/beat/SKILL.md", _removed),
    "an empty SKILL.md": (
        "with-skill",
        "heart/skills/beat/SKILL.md",
        lambda path: path.write_text(""),
    ),
    "an empty file of a skill": (
        "with-skill-all",
        "heart/skills/beat/references/table.md",
        lambda path: path.write_text(""),
    ),
    "a SKILL.md that is a folder": (
        "with-skill",
        "heart/skills/beat/SKILL.md",
        lambda path: (path.unlink(), path.mkdir()),
    ),
    "an empty folder": (
        "with-skill-decoy",
        "lung/skills/breath/SKILL.md",
        lambda path: path.unlink(),
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("condition", "file", "spoil"), NOTHING_TO_GIVE.values(), ids=NOTHING_TO_GIVE
)
def test_nothing_to_give_is_one_error_that_names_file_and_condition(
    condition: str, file: str, spoil: object, root: Path
) -> None:
    """A missing, empty or unreadable text stops the run; no-skill does not need it."""
    assert callable(spoil)
    task = load_tasks(root)["any-heart"]
    materials(task, condition, "native", root=root)
    spoil(root / file)
    with pytest.raises(InputError) as refused:
        materials(task, condition, "native", root=root)
    assert refused.value.file == root / file
    assert f"the condition {condition}" in str(refused.value)
    assert "\n" not in str(refused.value)
    materials(task, "no-skill", "native", root=root)


@pytest.mark.parametrize(
    ("condition", "folder"),
    [
        ("with-skill", "heart/skills/beat"),
        ("with-skill+checks", "heart/skills/beat"),
        ("with-skill-decoy", "lung/skills/breath"),
        ("with-skill-all", "lung/skills/breath"),
    ],
)
def test_a_skill_that_does_not_exist_is_named(condition: str, folder: str, root: Path) -> None:
    """Where no family has the skill, the error says which, for which task and condition."""
    shutil.rmtree(root / folder)
    if folder.endswith("beat"):
        shutil.rmtree(root / "lung" / "skills" / "beat")
    with pytest.raises(InputError) as refused:
        materials(load_tasks(root)["any-heart"], condition, "native", root=root)
    name = folder.rpartition("/")[2]
    assert f"there is no skill {name} of any-" in str(refused.value)
    assert f"for the condition {condition}" in str(refused.value)


@pytest.mark.parametrize(
    ("condition", "update", "column"),
    [
        ("with-skill", {"skills": ()}, "skills"),
        ("with-skill+checks", {"skills": ()}, "skills"),
        ("with-skill-decoy", {"decoy": None}, "decoy"),
    ],
)
def test_a_definition_that_names_no_skill_is_told(
    condition: str, update: dict[str, object], column: str, root: Path
) -> None:
    """A task without skills or decoy cannot be run under the condition that gives them."""
    task = load_tasks(root)["any-heart"].model_copy(update=update)
    with pytest.raises(InputError) as refused:
        materials(task, condition, "native", root=root)
    assert refused.value.file == root / "heart" / "any-heart" / "task.toml"
    assert refused.value.column == column
    assert f"the condition {condition}" in str(refused.value)


@pytest.mark.parametrize("condition", ["with-checks", "with-skill+checks"])
def test_checks_are_not_given_where_the_reference_departs_from_the_card(condition: str) -> None:
    """The adjudicated references leave unknown what cards say is never null: a check would call that wrong."""
    with pytest.raises(InputError, match="adjudicated references depart from it"):
        materials(ANY_TASK, condition, "native", "adjudicated")
    assert materials(ANY_TASK, condition, "native", "current").programs
