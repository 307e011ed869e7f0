# SPDX-License-Identifier: MIT
"""The pages in a real browser: no request leaves, they fit a phone, print, and can be read in the dark."""

import os
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from m4bench.report import write_report
from tests.conftest import REQUIRED_VARIABLE
from tests.report.hospital import TASK, build_store, scored_run
from tests.report.records import build_run, build_study, write_runs

pytestmark = pytest.mark.browser

# Contrast of every visible text with the first opaque background behind it, by WCAG 2.
CONTRAST = """() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b]
    .map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => {
    for (let e = node; e; e = e.parentElement) {
      const [r, g, b, a = 1] = parse(getComputedStyle(e).backgroundColor);
      if (a === 1) return [r, g, b];
    }
    return null;
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !e.checkVisibility() || e.closest("script,.vh,.skip,svg")) continue;
    const [x, y] = [light(parse(getComputedStyle(e).color)), light(behind(e))];
    found.push([(Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05), walker.currentNode.data.trim()]);
  }
  return found.sort((a, b) => a[0] - b[0]);
}"""


# Contrast of every letter drawn in a figure with the mark behind it, or with the page where there is none.
DRAWN_CONTRAST = """() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b]
    .map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const paper = parse(getComputedStyle(document.body).backgroundColor);
  const found = [];
  for (const text of document.querySelectorAll(".drawn svg text")) {
    if (!text.textContent.trim() || !text.checkVisibility()) continue;
    const { fill, stroke } = getComputedStyle(text);
    if (fill === stroke) continue;  // the halo of the same text above it
    text.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = text.getBoundingClientRect();
    const mark = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2)
      .find((e) => e.tagName === "path" && e.closest(".role-mark") && getComputedStyle(e).fill !== "none");
    const behind = mark ? parse(getComputedStyle(mark).fill) : paper;
    const [x, y] = [light(parse(getComputedStyle(text).fill)), light(behind)];
    found.push([(Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05), text.textContent]);
  }
  return found.sort((a, b) => a[0] - b[0]);
}"""

# Labels of the cells of folded tables, and cells, in which a word of common length stands on two lines.
BROKEN_WORDS = """() => {
  const found = [];
  const canvas = document.createElement("canvas").getContext("2d");
  for (const cell of document.querySelectorAll(".stack td[data-label]")) {
    if (!cell.checkVisibility()) continue;
    const style = getComputedStyle(cell, "::before");
    if (style.content === "none") continue;
    canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    for (const word of cell.dataset.label.split(/[\\s-]+/).filter((one) => one.length <= 14))
      if (canvas.measureText(word).width > parseFloat(style.width) + 1) found.push(`label ${word}`);
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (!node.parentElement.closest(".stack td, .stack tbody th") || !node.parentElement.checkVisibility()) continue;
    for (const match of node.data.matchAll(/(?<![\\w])[A-Za-z]{2,10}(?![\\w])/g)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const lines = new Set(Array.from(range.getClientRects(), (one) => Math.round(one.top)));
      if (lines.size > 1) found.push(match[0]);
    }
  }
  return found;
}"""

# What a printed page of A4 has between its margins, in CSS pixels.
PRINTED_WIDTH = 703


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium; the test skips where there is none, or fails where everything is required."""
    path = (
        shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )
    if path is None:
        reason = "needs Chromium: apt-get install chromium"
        if os.environ.get(REQUIRED_VARIABLE) == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a page of a study that also holds long and foreign names."""
    folder = tmp_path_factory.mktemp("browser")
    long = [
        build_run(
            agent="a-very-long-agent-name-" * 6, model="m" * 120, rates={"column_" * 20: 0.3}
        ),
        build_run(agent="wakes", state="agent-error", reason="x" * 390, reasons=["y" * 390]),
    ]
    results = write_runs(folder / "results", [*build_study(), *long])
    (results / "torn").mkdir()
    (results / "torn" / "run.json").write_text("{")
    return write_report(results, folder / "out", tasks={}).as_uri()


@pytest.fixture(params=["index", "tasks/mimic-sofa-24h"])
def address(report: str, request: pytest.FixtureRequest) -> str:
    """The address of the front page, and of the task's page with the long names."""
    return report.replace("index", str(request.param))


class Visit:
    """A page that was opened, with the requests that it made and what its console said."""

    def __init__(self, browser: Browser, address: str, **options: object) -> None:
        context = browser.new_context(**options)  # type: ignore[arg-type]
        self.requests: list[str] = []
        self.said: list[str] = []
        self.page: Page = context.new_page()
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.goto(address)


def test_no_request_leaves_and_the_console_is_silent(browser: Browser, address: str) -> None:
    """Offline, a page loads itself and nothing else, without an error."""
    visit = Visit(browser, address, offline=True)
    visit.page.wait_for_load_state("networkidle")
    assert [url for url in visit.requests if not url.startswith("data:")] == [address]
    assert visit.said == []


def test_the_matrix_holds_the_figures_of_the_runs(browser: Browser, report: str) -> None:
    """A reader finds the reward of a task and an agent where its row and column meet."""
    page = Visit(browser, report).page
    heads = page.locator(".matrix thead th").all_inner_texts()
    column = next(i for i, head in enumerate(heads) if head.startswith("naive"))
    row = page.locator(".matrix tbody tr").filter(has_text="mimic-meld-24h-raw")
    assert (
        row.locator("th, td").nth(column).locator(".value").inner_text() == "0.849"
    )  # 259 of 305 rows
    reference = next(i for i, head in enumerate(heads) if head.startswith("reference"))
    assert "1.000" in row.locator("th, td").nth(reference).inner_text()
    assert "not publishable" in (row.locator("th, td").nth(reference).text_content() or "")


def test_the_page_is_complete_without_script(browser: Browser, report: str) -> None:
    """With scripts off every run is there and no dead control is shown."""
    page = Visit(browser, report, java_script_enabled=False).page
    assert page.locator("#all-runs tbody tr").count() == len(build_study()) + 2
    assert not page.locator("#run-tools").is_visible()


@pytest.mark.parametrize("width", [320, 390, 700, 1280])
def test_no_word_is_broken_in_a_table(browser: Browser, address: str, width: int) -> None:
    """Labels and cells keep a word of common length on one line, beside values that are long."""
    page = Visit(browser, address, viewport={"width": width, "height": 800}).page
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert page.locator(".stack td[data-label]").count()
    assert page.evaluate(BROKEN_WORDS) == []


@pytest.mark.parametrize("width", [320, 390, 700, 1024])
def test_nothing_runs_off_the_side(browser: Browser, address: str, width: int) -> None:
    """On a phone or a narrow window a page scrolls in one direction only, long names or not."""
    page = Visit(browser, address, viewport={"width": width, "height": 800}).page
    page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [320, 390, 700, 800, 1024])
def test_no_figure_needs_scrolling_to_the_side(browser: Browser, address: str, width: int) -> None:
    """Every figure is whole in its place, with letters that can be read; on a phone it is one drawn for it."""
    page = Visit(browser, address, viewport={"width": width, "height": 800}).page
    figures = page.locator("figure.drawn")
    for n in range(figures.count()):
        drawing = figures.nth(n).locator("svg:visible")
        assert drawing.count() == 1
        box = drawing.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["width"] >= 0.7 * float(drawing.get_attribute("width") or 0)
        cut = drawing.evaluate(
            """(svg) => { const frame = svg.getBoundingClientRect(); return [...svg.querySelectorAll("text, path")]
               .map((mark) => mark.getBoundingClientRect())
               .filter((box) => box.width > 0)
               .filter((box) => box.left < frame.left - 1 || box.right > frame.right + 1).length; }"""
        )
        assert cut == 0
    assert page.locator(".drawn .scroll:visible").evaluate_all(
        "(frames) => frames.every((frame) => frame.scrollWidth <= frame.clientWidth + 1)"
    )


def test_the_row_that_is_worked_is_marked_whole_on_a_phone(
    browser: Browser, tmp_path: Path
) -> None:
    """The ground of the highlighted row is that of one box around all its cells."""
    store, content = build_store(tmp_path / "store")
    reference = store.dataset("synthetic").references("published") / "invented.parquet"
    output = "stay_id,score,rate,seen,word\n1,7,0.5,2150-01-01 12:00:00,a\n"
    scored_run(tmp_path / "results", output, reference, content)
    front = write_report(
        tmp_path / "results", tmp_path / "out", tasks={TASK.name: TASK}, store=store
    )
    page = Visit(browser, front.as_uri(), viewport={"width": 390, "height": 800}).page
    row = page.locator("tr.this")
    ground, cells = row.evaluate(
        """(row) => [getComputedStyle(row).backgroundColor,
             [...row.cells].map((cell) => getComputedStyle(cell).backgroundColor)]"""
    )
    assert ground != "rgba(0, 0, 0, 0)"
    assert set(cells) == {"rgba(0, 0, 0, 0)"}
    box = row.bounding_box()
    assert box is not None
    assert box["width"] > 300
    broken = page.locator(".whole").evaluate_all(
        "(spans) => spans.filter((span) => span.getClientRects().length > 1).length"
    )
    assert (page.locator(".whole").count() > 5, broken) == (True, 0)


def test_on_a_phone_each_figure_has_its_label(browser: Browser, address: str) -> None:
    """Where the table heads are folded away, every cell names itself and stays on the screen."""
    page = Visit(browser, address, viewport={"width": 390, "height": 800}).page
    unlabelled = page.evaluate(
        """() => [...document.querySelectorAll('.stack td')].filter(
             (cell) => !cell.dataset.label || getComputedStyle(cell, '::before').content === 'none').length"""
    )
    beyond = page.evaluate(
        """() => [...document.querySelectorAll('.stack td, .stack th')].filter(
             (cell) => cell.checkVisibility() && !cell.closest('thead')
               && cell.getBoundingClientRect().right > innerWidth).length"""
    )
    assert (unlabelled, beyond) == (0, 0)


def test_a_table_that_goes_on_to_the_right_says_so(browser: Browser, tmp_path: Path) -> None:
    """With twelve agents the matrix names the columns out of sight, and task names stay in sight."""
    runs = [build_run(agent=f"agent-{n:02}") for n in range(12)]
    address = write_report(write_runs(tmp_path / "r", runs), tmp_path / "o", tasks={}).as_uri()
    page = Visit(browser, address, viewport={"width": 1000, "height": 800}).page
    frame = page.locator(".scroll:has(.matrix)")
    hint = frame.locator("xpath=preceding-sibling::*[1]")
    assert hint.is_visible()
    assert "to the right" in hint.inner_text()
    frame.evaluate("(node) => node.scrollTo(node.scrollWidth, 0)")
    page.locator(".hint", has_text="last column").first.wait_for()
    name, left = page.locator(".matrix tbody th").first, frame.bounding_box()
    box = name.bounding_box()
    assert box is not None
    assert left is not None
    assert abs(box["x"] - left["x"]) < 1


def test_a_table_that_fits_says_nothing_of_the_right(browser: Browser, tmp_path: Path) -> None:
    """No hint is shown where everything is in sight."""
    results = write_runs(tmp_path / "r", [build_run()])
    address = write_report(results, tmp_path / "o", tasks={}).as_uri()
    page = Visit(browser, address, viewport={"width": 1300, "height": 800}).page
    assert page.locator(".hint").count() > 0
    assert page.locator(".hint:visible").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_has_contrast(browser: Browser, address: str, scheme: str) -> None:
    """Every visible text, drawn or written, stands out by 4.5 to 1 in both schemes."""
    page = Visit(browser, address, color_scheme=scheme).page
    page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    found = page.evaluate(CONTRAST)
    assert len(found) > 200
    assert found[0][0] >= 4.5, found[:5]
    drawn = page.evaluate(DRAWN_CONTRAST)
    assert len(drawn) > 20
    assert drawn[0][0] >= 4.5, drawn[:5]
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 26)"
    assert dark is (scheme == "dark")


def test_runs_can_be_sorted_and_filtered(browser: Browser, report: str) -> None:
    """A click on Reward orders the runs, a second turns the order, words leave only their rows."""
    page = Visit(browser, report).page
    head = page.locator("#all-runs thead th").filter(has_text="Reward")
    head.locator("button").click()
    first = page.locator("#all-runs tbody tr").first.locator("td[data-label=Reward]")
    assert (head.get_attribute("aria-sort"), first.inner_text()) == ("ascending", "0.000")
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    rewards = page.locator("#all-runs tbody td[data-label=Reward]").all_inner_texts()
    assert "1.000" in rewards[:9]
    page.locator("#run-tools input").fill("naive meld-24h-raw")
    assert page.locator("#all-runs tbody tr:visible").count() == 1
    assert page.locator("#run-tools output").inner_text() == f"1 of {len(rewards)}"


def test_the_page_prints(browser: Browser, address: str, tmp_path: Path) -> None:
    """Printing opens what is folded, is light even for a dark reader, and clips no table and no figure."""
    page = Visit(
        browser,
        address,
        color_scheme="dark",
        viewport={"width": PRINTED_WIDTH, "height": 1000},
    ).page
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open]):not(.same)").count() == 0
    page.emulate_media(media="print")
    white = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(white) == "rgb(255, 255, 255)"
    clipped = page.evaluate(
        """() => [...document.querySelectorAll('table, svg')].filter((e) => e.checkVisibility()
             && !e.closest('.wide') && e.getBoundingClientRect().right > innerWidth + 1).length"""
    )
    assert clipped == 0
    assert page.evaluate(CONTRAST)[0][0] >= 4.5
    page.pdf(path=tmp_path / "report.pdf", format="A4")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")


def test_figures_are_drawn_in_the_page(browser: Browser, address: str) -> None:
    """Every figure has marks of a size, a caption it is labelled by, and titles on its marks."""
    page = Visit(browser, address).page
    own = "figure.drawn:not(section[aria-labelledby^=campaign-] figure)"
    figures = page.locator(own)
    assert figures.count() == (2 if address.endswith("index.html") else 3)
    for n in range(figures.count()):
        drawing = figures.nth(n).locator("svg:visible")
        box = drawing.bounding_box()
        assert box is not None
        assert box["width"] > 200
        assert box["height"] > 60
        label = drawing.get_attribute("aria-labelledby")
        assert drawing.get_attribute("role") == "img"
        assert figures.nth(n).locator(f"#{label}").inner_text().strip()
        assert drawing.locator("path > title").count() > 1
    for drawing in page.locator("section[aria-labelledby^=campaign-] figure svg:visible").all():
        assert drawing.locator("path > title").count() > 0  # a line a system: there may be one


def test_pages_lead_to_one_another(browser: Browser, report: str) -> None:
    """From the matrix to a task's page, on to the next task, and back to the front."""
    page = Visit(browser, report).page
    page.locator(".matrix a", has_text="mimic-gcs-24h-raw").click()
    assert page.locator("h1").inner_text() == "mimic-gcs-24h-raw"
    page.locator("nav a[rel=next]").click()
    assert page.locator("h1").inner_text() == "mimic-meld-24h"
    page.locator("nav a", has_text="report").first.click()
    assert page.locator("h1").inner_text().startswith("8 tasks")


def test_headings_descend_one_level_at_a_time(browser: Browser, address: str) -> None:
    """A page has one first heading, and none is skipped on the way down."""
    page = Visit(browser, address).page
    levels = page.evaluate(
        "() => [...document.querySelectorAll('h1,h2,h3,h4')].map((h) => Number(h.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_table_heads_have_a_scope(browser: Browser, address: str) -> None:
    """Every head cell says whether it names a row or a column."""
    page = Visit(browser, address).page
    assert page.locator("th").count() > 20
    assert page.locator("th:not([scope])").count() == 0


def test_hundreds_of_runs_are_quick_to_read(browser: Browser, tmp_path: Path) -> None:
    """Six hundred runs of nine arms: the front page is small, folds its list of runs, and fits its window."""
    runs = [
        build_run(
            f"task-{task:02}", agent, model=f"{agent}-model", condition=condition, trial=trial
        )
        for task in range(12)
        for agent in ("alpha", "beta", "gamma")
        for condition in ("no-skill", "with-skill", "with-skill-decoy")
        for trial in range(1, 7)
    ]
    front = write_report(write_runs(tmp_path / "r", runs), tmp_path / "o", tasks={})
    assert len(runs) == 648
    assert front.stat().st_size < 1_000_000
    page = Visit(browser, front.as_uri(), viewport={"width": 1440, "height": 900}).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    assert page.evaluate("document.documentElement.scrollHeight") < 8000
    assert page.locator("#all-runs tbody tr:visible").count() == 0
    page.locator("summary", has_text="Show all 648 runs").click()
    page.locator("#run-tools input").fill("task-07 beta with-skill-decoy")
    assert page.locator("#all-runs tbody tr:visible").count() == 6
