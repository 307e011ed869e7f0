# SPDX-License-Identifier: MIT
"""The page of published figures is what its script writes."""

import importlib.util
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "reference" / "published-figures.md"


def test_the_page_is_as_its_script_writes_it(shared: Path) -> None:
    """Figures, statuses and reasons on the page are those computed now."""
    place = ROOT / "tools" / "published_page.py"
    spec = importlib.util.spec_from_file_location("published_page", place)
    assert spec is not None
    assert spec.loader is not None
    script: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    text = PAGE.read_text(encoding="utf-8")
    tables = shared / "specs" / "tasks" / "published-results"
    assert script.written(text, tables) == text, "run: python tools/published_page.py PUBLISHED"
    beside = script.BESIDE
    stale = text.replace(f"0.099{beside}0.099", f"0.099{beside}0.098")
    assert stale != text
    assert script.written(stale, tables) == text
