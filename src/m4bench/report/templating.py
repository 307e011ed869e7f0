# SPDX-License-Identifier: MIT
"""Templates that need no network and no script, and escape whatever a run says. Knows no task or mean."""

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from m4bench.report import wording
from m4bench.report.summary import is_measured, passes_strictly

_WHOLE = re.compile(
    r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)?"
    r"|(?<![\w:])\d\d:\d\d(?::\d\d)?(?![\w:])"
    r"|(?<![\w.])[-+±]?\d{1,18}(?:\.\d{1,18})?(?:[eE][-+]?\d{1,3})?(?![\w.])"
)


def render(template: str, context: Mapping[str, Any]) -> str:
    """Return a page that carries its styles and its one script with it.

    Everything that comes from a run is escaped, and a content policy lets no foreign script run and no
    request leave.
    """
    environment = _environment()
    script = _own_text(environment, "page.js")
    return environment.get_template(template).render(
        styles=Markup(_own_text(environment, "page.css")),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        wording=wording,
        **context,
    )


def sections(body: str) -> list[tuple[str, Markup]]:
    """Return the place and title of each section of a page, for a list of links to them."""
    found = re.findall(r'<h2 id="([a-z0-9-]+)">([^<]+)</h2>', body)
    return [(place, Markup(title)) for place, title in found]  # noqa: S704 - escaped where it was written


def _own_text(environment: Environment, name: str) -> str:
    loader = environment.loader
    if loader is None:  # pragma: no cover - `_environment` gives one
        raise RuntimeError("the environment has no loader")
    return loader.get_source(environment, name)[0]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("m4bench.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_fit_for_a_line,
    )
    environment.filters.update(
        rate=wording.rate,
        sections=sections,
        count=wording.count,
        seconds=wording.seconds,
        threshold=wording.threshold,
        mean_count=wording.mean_count,
        kept=kept_whole,
        whole=whole,
    )
    environment.globals.update(
        plural=wording.plural, passes_strictly=passes_strictly, is_measured=is_measured
    )
    return environment


def kept_whole(value: Any) -> Markup:
    """Return foreign text as markup in which no number, date or time breaks across lines."""
    text, pieces, end = wording.foreign(value), [], 0
    for found in _WHOLE.finditer(text):
        pieces += [
            escape(text[end : found.start()]),
            Markup('<span class="whole">{}</span>').format(found.group()),
        ]
        end = found.end()
    return Markup("").join([*pieces, escape(text[end:])])


def whole(value: str) -> Markup:
    """Return a text of ours as markup, however long: what others wrote in it was bounded where it was put in."""
    return escape(wording.visible(value))


def _fit_for_a_line(value: Any) -> Any:
    """Treat every printed text as foreign unless it is markup of our own templates."""
    if value is None:
        return ""
    return value if isinstance(value, Markup) else wording.foreign(value)
