# SPDX-License-Identifier: MIT
"""A site in a real browser, from a folder: filters, no request, phones, the dark, and no script at all."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from m4bench.report.site import write_site
from tests.conftest import REQUIRED_VARIABLE
from tests.report.site.conftest import NAMES
from tests.report.site.run_tables import build_rows, write_table
from tests.report.test_page_in_a_browser import CONTRAST

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium; the test skips where there is none, or fails where everything is required."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
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

    def boards(self) -> list[tuple[str | None, ...]]:
        """Return condition, schema and convention of the boards that are shown."""
        shown = self.page.locator(".board:visible")
        return [
            tuple(
                shown.nth(n).get_attribute(f"data-{name}")
                for name in ("condition", "schema", "convention")
            )
            for n in range(shown.count())
        ]

    def lines(self) -> int:
        """Return how many systems are shown."""
        return self.page.locator(".board:visible .seats tbody tr:visible").count()


def test_filters_choose_among_settings_and_are_kept_in_the_address(
    browser: Browser, site: Path
) -> None:
    """One setting is shown first; another choice shows others, and its address shows them again."""
    visit = Visit(browser, site.as_uri(), offline=True)
    page = visit.page
    assert visit.boards() == [("no-skill", "native", "published")]
    assert visit.lines() == len(NAMES)
    page.select_option("select[name=condition]", "with-skill")
    assert visit.boards() == [("with-skill", "native", "published")]
    page.select_option("select[name=condition]", "")
    assert [one[0] for one in visit.boards()] == ["no-skill", "with-skill", "with-checks"]
    page.select_option("select[name=convention]", "current")
    assert visit.boards() == [("<b>other</b>", "native", "current")]
    page.fill("input[name=system]", "nobody")
    assert visit.boards() == []
    assert "No setting" in page.locator("#filters output").inner_text()
    kept = page.url
    page.click("#filters button")
    assert len(visit.boards()) == 5
    again = Visit(browser, kept)
    assert again.boards() == []
    again.page.fill("input[name=system]", "SOLV")
    assert again.boards() == [("<b>other</b>", "native", "current")]
    assert visit.requests == [site.as_uri()]
    assert visit.said == again.said == []


def test_data_of_different_access_are_chosen_apart(browser: Browser, tmp_path: Path) -> None:
    """Open and invented data stand on boards of their own, and the choice of access shows one of them."""
    rows = [
        *build_rows("solver", 0.3),
        *build_rows("solver", 0.6, access="synthetic", dataset="synthetic"),
    ]
    front = write_site([write_table(tmp_path / "runs.csv", rows)], tmp_path / "out")
    visit = Visit(browser, front.as_uri())
    shown = visit.page.locator(".board:visible")
    visit.page.select_option("select[name=access]", "")
    visit.page.select_option("select[name=dataset]", "")
    assert shown.count() == 2
    for access in ("open", "synthetic"):
        visit.page.select_option("select[name=access]", access)
        assert [shown.nth(n).get_attribute("data-access") for n in range(shown.count())] == [access]


def test_a_link_to_a_setting_shows_it(browser: Browser, site: Path) -> None:
    """From a system's page, and from the list of all settings, its board is shown whatever was chosen."""
    system = next(site.parent.glob("systems/solver-*.html"))
    for visit in (Visit(browser, path.as_uri()) for path in sorted(system.parent.glob("solver-*"))):
        link = visit.page.locator(".arms-of a", has_text="with-checks")
        if link.count():
            link.click()
            visit.page.wait_for_load_state()
            assert visit.boards() == [("with-checks", "native", "published")]
            visit.page.click(".settings summary")
            visit.page.locator(".settings a", has_text="with-skill").first.click()
            visit.page.wait_for_function("location.hash.includes('with-skill')")
            assert visit.boards() == [("with-skill", "native", "published")]
            assert visit.said == []
            return
    pytest.fail("no system has the condition")


def test_everything_is_there_without_script(browser: Browser, site: Path) -> None:
    """All settings stand one after the other, no dead control is shown, and links lead to pages."""
    visit = Visit(browser, site.as_uri(), java_script_enabled=False)
    assert len(visit.boards()) == 5
    assert not visit.page.locator("#filters").is_visible()
    visit.page.locator(".seats a", has_text="con").first.click()
    assert visit.page.locator("h1").inner_text() == "con"


def test_nothing_runs_off_the_side(browser: Browser, site: Path) -> None:
    """On a phone or a narrow window a page scrolls in one direction only, hostile names or not."""
    folder = site.parent
    for page in (
        site,
        folder / "reading.html",
        folder / "sources.html",
        folder / "tasks" / "alpha.html",
        next(folder.glob("systems/xxx*.html")),
        next(folder.glob("systems/solver-*.html")),
    ):
        visit = Visit(browser, page.as_uri())
        visit.page.evaluate(
            "document.querySelectorAll('details').forEach((d) => (d.open = true));"
            "document.querySelectorAll('.board').forEach((b) => (b.hidden = false))"
        )
        for width in (320, 390, 1024):
            visit.page.set_viewport_size({"width": width, "height": 800})
            assert visit.page.evaluate("document.documentElement.scrollWidth") <= width, page.name
        assert visit.requests == [page.as_uri()]
        assert visit.said == []


def test_on_a_phone_long_parts_are_folded_and_targets_are_large(
    browser: Browser, site: Path
) -> None:
    """What is long is folded until it is asked for, and every link, button and choice is 24 px high."""
    folder = site.parent
    for page in (site, folder / "tasks" / "alpha.html", next(folder.glob("systems/solver-*.html"))):
        wide, phone = (
            Visit(browser, page.as_uri(), viewport={"width": width, "height": 800}).page
            for width in (1280, 390)
        )
        folded = "details.fold-narrow"
        assert wide.locator(f"{folded}[open]").count() >= 1
        assert phone.locator(f"{folded}[open]").count() == 0
        phone.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        low = phone.evaluate(
            "Array.from(document.querySelectorAll('a:not(.skip, p a), button, select, input, summary'))"
            ".filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 24)"
            ".map((one) => one.textContent)"
        )
        assert low == [], page.name


def test_a_wide_window_has_room_for_wide_tables(browser: Browser, site: Path) -> None:
    """From 1,700 px a table that needs it goes on beside the text; one that does not stays as it was."""
    page = next(site.parent.glob("tasks/alpha.html"))
    widths = {}
    for width in (1280, 1920):
        visit = Visit(browser, page.as_uri(), viewport={"width": width, "height": 900})
        tables = visit.page.locator(".matrix")
        visit.page.evaluate(
            "document.querySelectorAll('details').forEach((one) => (one.open = true))"
        )
        tables.first.evaluate(
            "table => { table.style.width = '1500px'; table.style.maxWidth = 'none'; }"
        )
        frame = tables.first.locator("..")
        widths[width] = frame.evaluate("one => one.clientWidth")
        assert visit.page.evaluate("document.documentElement.scrollWidth") == width
        assert tables.last.locator("..").evaluate("one => one.clientWidth") <= 1200
    assert widths == {1280: 1200, 1920: 1500}


def test_the_keyboard_stops_at_tables_that_scroll_alone(browser: Browser, site: Path) -> None:
    """A table that fits its place is no stop; one that goes on to the right is."""
    page = next(site.parent.glob("tasks/alpha.html"))
    stops = {}
    for width in (700, 1920):
        visit = Visit(browser, page.as_uri(), viewport={"width": width, "height": 900})
        visit.page.evaluate(
            "document.querySelectorAll('details').forEach((one) => (one.open = true))"
        )
        visit.page.wait_for_timeout(200)
        stops[width] = visit.page.evaluate(
            "Array.from(document.querySelectorAll('.scroll'), (one) => "
            "[one.tabIndex === 0, one.scrollWidth > one.clientWidth + 1])"
        )
    for found in stops.values():
        assert found
        assert [stop for stop, _ in found] == [scrolls for _, scrolls in found]
    assert any(stop for stop, _ in stops[700])
    assert not any(stop for stop, _ in stops[1920])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read(browser: Browser, site: Path, scheme: str) -> None:
    """Letters and their ground differ by 4.5 to 1, by day and in the dark."""
    for page in (
        site,
        site.parent / "reading.html",
        next(site.parent.glob("systems/solver-*.html")),
    ):
        visit = Visit(browser, page.as_uri(), color_scheme=scheme)
        contrast = visit.page.evaluate(CONTRAST)
        assert contrast
        assert contrast[0][0] >= 4.5, contrast[:5]
