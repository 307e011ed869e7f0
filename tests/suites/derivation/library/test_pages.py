# SPDX-License-Identifier: MIT
"""The pages of concepts, references and conventions are those the library would write now."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from m4bench.suites.derivation.library.catalogue import library

ROOT = Path(__file__).parents[4]
PAGES = ROOT / "docs" / "reference"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write all pages apart and return their folder."""
    folder = tmp_path_factory.mktemp("pages")
    script = ROOT / "tools" / "derivation_pages.py"
    subprocess.run([sys.executable, script, "--to", folder], check=True, capture_output=True)
    return folder


def test_pages_are_up_to_date(written: Path) -> None:
    """Every page is as `make pages` writes it, and none is left of a derivation that is gone."""
    names = {p.relative_to(written) for p in written.rglob("*.md")}
    kept = {p.relative_to(PAGES) for p in PAGES.glob("*/*.md")} | {Path("conventions.md")}
    assert names == kept
    stale = [str(n) for n in sorted(names) if (PAGES / n).read_text() != (written / n).read_text()]
    assert stale == []


def test_each_derivation_has_a_page_with_its_rules_and_its_lineage(written: Path) -> None:
    """A page shows every column, every convention's value and every relation the query reads."""
    for kind, derivations in (
        ("concepts", library().concepts),
        ("references", library().references),
    ):
        for name, derivation in derivations.items():
            page = (written / kind / f"{name}.md").read_text()
            assert all(f"`{column.name}`" in page for column in derivation.header.columns)
            drawn = re.findall(r"<text [^>]*>([^<]+)</text>", page)
            assert {relation.split(".")[1] for relation in derivation.inputs} <= set(drawn)
            plain = " ".join(page.split())
            for parameter in derivation.written.parameters:
                for convention in ("published", "current", "adjudicated"):
                    assert " ".join(parameter.under(convention).split()) in plain  # type: ignore[arg-type]
