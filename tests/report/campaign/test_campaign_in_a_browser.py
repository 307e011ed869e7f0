# SPDX-License-Identifier: MIT
"""The page on a campaign in a real browser: whole on a desk and a phone, in the dark, printed, and offline."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.report.test_page_in_a_browser import (
    CONTRAST,
    DRAWN_CONTRAST,
    PRINTED_WIDTH,
    Visit,
)
from tests.report.test_page_in_a_browser import (
    browser as browser,
)

pytestmark = pytest.mark.browser

OPEN = "document.querySelectorAll('details').forEach((d) => (d.open = true))"
BEYOND = """() => [...document.querySelectorAll('td, th, p, li, dd, figure svg')].filter(
  (e) => e.checkVisibility() && !e.closest('thead') && !e.closest('.scroll, .vh')
    && e.getBoundingClientRect().right > innerWidth + 1).length"""


def test_the_page_loads_itself_and_nothing_else(browser: Browser, published: Path) -> None:
    """Offline and without a word on the console; with its figures drawn and labelled by their captions."""
    visit = Visit(browser, published.as_uri(), offline=True)
    visit.page.wait_for_load_state("networkidle")
    assert [url for url in visit.requests if not url.startswith("data:")] == [published.as_uri()]
    assert visit.said == []
    visit.page.evaluate(OPEN)
    figures = visit.page.locator("figure.drawn")
    assert figures.count() >= 6
    for n in range(figures.count()):
        drawing = figures.nth(n).locator("svg:visible")
        label = drawing.get_attribute("aria-labelledby")
        assert figures.nth(n).locator(f"#{label}").inner_text().strip()


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_runs_off_the_side_of_a_campaign(
    browser: Browser, published: Path, width: int
) -> None:
    """With everything unfolded the page scrolls in one direction only, on a phone and on a desk."""
    page = Visit(browser, published.as_uri(), viewport={"width": width, "height": 800}).page
    page.evaluate(OPEN)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(BEYOND) == 0
    unlabelled = page.evaluate(
        "() => [...document.querySelectorAll('.stack td')].filter((cell) => !cell.dataset.label).length"
    )
    assert unlabelled == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_of_a_campaign_has_contrast(
    browser: Browser, published: Path, scheme: str
) -> None:
    """Every visible text, drawn or written, stands out by 4.5 to 1."""
    page = Visit(browser, published.as_uri(), color_scheme=scheme).page
    page.evaluate(OPEN)
    found = page.evaluate(CONTRAST)
    assert len(found) > 500
    assert found[0][0] >= 4.5, found[:5]
    drawn = page.evaluate(DRAWN_CONTRAST)
    assert len(drawn) > 100
    assert drawn[0][0] >= 4.5, drawn[:5]


def test_the_methods_are_selected_by_one_click(browser: Browser, published: Path) -> None:
    """A reader copies the paragraph whole, without a script."""
    page = Visit(browser, published.as_uri(), java_script_enabled=True).page
    page.locator("p.methods").click()
    selected = page.evaluate("getSelection().toString().trim()")
    assert selected == page.locator("p.methods").inner_text().strip()


def test_a_campaign_prints(browser: Browser, published: Path, tmp_path: Path) -> None:
    """Printed it is light, unfolded, clips no table and no figure, and fills more than one page."""
    page = Visit(
        browser,
        published.as_uri(),
        color_scheme="dark",
        viewport={"width": PRINTED_WIDTH, "height": 1000},
    ).page
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    clipped = page.evaluate(
        """() => [...document.querySelectorAll('table, svg')].filter((e) => e.checkVisibility()
             && e.getBoundingClientRect().right > innerWidth + 1)
             .map((e) => `${e.tagName} ${e.className} ${e.closest('section')?.getAttribute('aria-labelledby')}`)"""
    )
    assert clipped == []
    named = page.locator(".descriptives tbody th").first.bounding_box()
    assert named is not None
    assert named["width"] > PRINTED_WIDTH / 6  # several words a line
    page.pdf(path=tmp_path / "campaign.pdf", format="A4")
    printed = (tmp_path / "campaign.pdf").read_bytes()
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") > 5


def test_the_keyboard_stops_at_what_scrolls_alone(browser: Browser, published: Path) -> None:
    """Of what can be seen on a desk and on a phone only a frame that its content overflows can be reached."""
    for width in (1280, 390):
        page = Visit(browser, published.as_uri(), viewport={"width": width, "height": 800}).page
        page.evaluate(OPEN)
        page.wait_for_timeout(200)
        found = page.evaluate(
            """() => [...document.querySelectorAll('.scroll')].filter((e) => e.checkVisibility())
                 .map((e) => [e.tabIndex >= 0 && e.hasAttribute('tabindex'), e.scrollWidth > e.clientWidth + 1])"""
        )
        assert len(found) > 5
        assert all(reached is overflows for reached, overflows in found), width


def test_what_is_beside_the_point_stays_folded_in_print(browser: Browser, published: Path) -> None:
    """Families left out in turn and the tasks of later contrasts are not printed; what is folded else is."""
    page = Visit(browser, published.as_uri()).page
    opened = "() => [...document.querySelectorAll('details.shut')].map((e) => e.open)"
    before = page.evaluate(opened)
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(opened) == before
    assert before.count(False) >= 4
    others = page.locator("details:not(.shut, .same)")
    assert all(others.nth(n).evaluate("(e) => e.open") for n in range(others.count()))


def test_long_tables_are_folded_on_a_phone(browser: Browser, published: Path) -> None:
    """On a phone tasks, arms and components are one line each until they are asked for; on a desk they are open."""
    sections = ("by-task", "arms", "components", "failures", "descriptives", "exploratory")
    for width, opened in ((390, False), (1280, True)):
        page = Visit(browser, published.as_uri(), viewport={"width": width, "height": 800}).page
        for name in sections:
            folded = page.locator(
                f"section[aria-labelledby=campaign-{name}-title] details.fold-narrow"
            )
            assert folded.first.evaluate("(e) => e.open") is opened, name


def test_a_link_into_a_fold_opens_it(browser: Browser, published: Path) -> None:
    """On a phone the caveats are folded; the link of a family opens them and shows its own."""
    page = Visit(browser, published.as_uri(), viewport={"width": 390, "height": 800}).page
    caveat = page.locator("#caveat-3")
    assert not caveat.is_visible()
    page.locator('section[aria-labelledby=campaign-primary-title] a[href="#caveat-3"]').click()
    caveat.wait_for(state="visible")
    page.wait_for_function(
        "() => { const { top } = document.getElementById('caveat-3').getBoundingClientRect();"
        " return top > -1 && top < innerHeight; }"
    )
