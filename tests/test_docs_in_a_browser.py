# SPDX-License-Identifier: MIT
"""The built documentation on a phone: names in tables stay whole, and wide tables scroll inside their page."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.report.test_page_in_a_browser import browser

__all__ = ["browser"]

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[1]
WIDTH = 390
PAGES = [
    *(
        page.relative_to(ROOT / "docs").with_suffix(".html").as_posix()
        for page in (ROOT / "docs/families").glob("*.md")
    ),
    *(
        f"reference/{name}.html"
        for name in ("checks", "cli", "conventions", "data", "run", "scoring", "tasks")
    ),
]
# Every text of code in a table that goes on in a new line between two letters, and how wide the page is.
BROKEN = """() => {
  const broken = [];
  const range = document.createRange();
  const codes = [...document.querySelectorAll(".md-typeset table code")];
  for (const code of codes) {
    const node = code.firstChild;
    if (!node || node.nodeType !== Node.TEXT_NODE) continue;
    let last = null;
    for (let i = 0; i < node.data.length; i++) {
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const { top, height } = range.getBoundingClientRect();
      if (last !== null && top - last > height / 2 && /\\w\\w/.test(node.data.slice(i - 1, i + 1))) {
        broken.push(node.data);
        break;
      }
      last = top;
    }
  }
  return [codes.length, broken, document.documentElement.scrollWidth];
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation as it is built."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return folder


def test_names_in_tables_stay_whole_on_a_phone(site: Path, browser: Browser) -> None:
    """No name is broken inside a word, no page is wider than the screen, and there are names to look at."""
    page = browser.new_page(viewport={"width": WIDTH, "height": 900})
    names = 0
    for name in PAGES:
        page.goto((site / name).as_uri())
        found, broken, width = page.evaluate(BROKEN)
        names += found
        assert (name, broken, width) == (name, [], WIDTH)
    assert names > 500
