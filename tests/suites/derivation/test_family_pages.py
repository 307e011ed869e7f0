# SPDX-License-Identifier: MIT
"""The families' pages: one a family, in one order of parts, with every written part as it would be written now."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from m4bench.suites.derivation.tasks.cards import TASKS_ROOT, load_tasks

ROOT = Path(__file__).parents[3]
PAGES = ROOT / "docs" / "families"
FAMILIES = sorted({task.family for task in load_tasks(TASKS_ROOT).values()})
SECTIONS = {
    "Definition": None,
    "Why it is hard": None,
    "Tasks": "tasks",
    "Worked example": "example",
    "How the conventions differ": "conventions",
    "What the reference is, and is not": "validity",
    "Sources": "sources",
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the parts of all pages into copies and return their folder."""
    folder = tmp_path_factory.mktemp("families") / "families"
    shutil.copytree(PAGES, folder)
    script = ROOT / "tools" / "family_pages.py"
    subprocess.run([sys.executable, script, "--to", folder], check=True, capture_output=True)
    return folder


def test_there_is_one_page_a_family() -> None:
    """No family goes without a page, none is left of a family that is gone, and the index links all."""
    assert sorted(page.stem for page in PAGES.glob("*.md")) == sorted([*FAMILIES, "index"])
    linked = re.findall(r"\]\(([\w-]+)\.md\)", (PAGES / "index.md").read_text(encoding="utf-8"))
    assert sorted(linked) == FAMILIES


def test_the_navigation_names_every_family() -> None:
    """Each page is reached from the section of families."""
    lines = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    sections = {name: pages for entry in yaml.safe_load(lines) for name, pages in entry.items()}
    reached = [path for entry in sections["Families"] for path in entry.values()]
    assert sorted(reached) == sorted(f"families/{name}.md" for name in [*FAMILIES, "index"])


def test_the_index_names_every_task_beside_its_family() -> None:
    """A line of the index holds the names of all tasks of its family and of no other."""
    told = {
        found[1]: set(re.findall(r"`([\w-]+)`", found[2]))
        for found in re.finditer(
            r"^\| \[[^]]+\]\(([\w-]+)\.md\) \|(.*)$",
            (PAGES / "index.md").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    }
    tasks: dict[str, set[str]] = {}
    for name, task in load_tasks(TASKS_ROOT).items():
        tasks.setdefault(task.family, set()).add(name)
    assert told == tasks


@pytest.mark.parametrize("family", FAMILIES)
def test_a_page_has_all_its_parts_in_order(family: str) -> None:
    """One title, the sections in the order readers know, and each written part within its section."""
    text = (PAGES / f"{family}.md").read_text(encoding="utf-8")
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)[1:]
    bodies = dict(zip(parts[::2], parts[1::2], strict=True))
    assert list(bodies) == list(SECTIONS)
    for name, part in SECTIONS.items():
        assert re.findall(r"^<!-- written: (\w+) -->$", bodies[name], re.MULTILINE) == (
            [part] if part else []
        )
        assert bodies[name].count("<!-- end -->") == bool(part)


@pytest.mark.parametrize("family", FAMILIES)
def test_written_parts_are_up_to_date(family: str, written: Path) -> None:
    """A page is as `make pages` writes it from tasks, headers, provenance, validity and examples."""
    page = f"{family}.md"
    assert (written / page).read_text(encoding="utf-8") == (PAGES / page).read_text(
        encoding="utf-8"
    )
