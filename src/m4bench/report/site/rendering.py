# SPDX-License-Identifier: MIT
"""The pages of a site from templates: one look with the report, a script that only filters, every text escaped.

Knows no run.
"""

import base64
import hashlib
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from m4bench.report import wording
from m4bench.report.campaign import writing
from m4bench.report.site.boards import NOT_TOLD, SIGN

SHORT_HASH = 12
LONGEST_NAME = 48


def render(template: str, context: Mapping[str, Any]) -> str:
    """Return a page that carries its styles and its one script with it and needs nothing from elsewhere."""
    environment = _environment()
    script = _own_text("site.js")
    return environment.get_template(template).render(
        styles=Markup(_own_text("page.css") + _own_text("site.css")),  # noqa: S704 - our own files
        script=Markup(script),  # noqa: S704 - our own file
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        wording=wording,
        **context,
    )


def money(value: float | None) -> str:
    """Write an amount in US dollars: cents, or more places where it is below ten cents."""
    if value is None:
        return "–"
    return f"${value:.2f}" if value >= 0.1 or value == 0 else f"${value:.2g}"


def short(text: str) -> str:
    """Return a name where it stands among others: its beginning where it is very long."""
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"


def marks(letters: str) -> list[str]:
    """Return the single signs of a system's letters; of many groups a sign is a letter with a number."""
    return SIGN.findall(letters)


def within(value: float) -> float:
    """Return the place of a rate on its bar, in per cent; an interval's end may lie beside the scale."""
    return 100 * min(1.0, max(0.0, value))


@cache
def _own_text(name: str) -> str:
    environment = _environment()
    loader = environment.loader
    if loader is None:  # pragma: no cover - `_environment` gives one
        raise RuntimeError("the environment has no loader")
    return loader.get_source(environment, name)[0]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=ChoiceLoader(
            [PackageLoader("m4bench.report.site"), PackageLoader("m4bench.report")]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_fit_for_a_line,
    )
    environment.filters.update(
        rate=wording.rate,
        count=wording.count,
        mean_count=wording.mean_count,
        seconds=wording.seconds,
        money=money,
        signed=writing.signed,
        within=within,
        p_value=writing.p_value,
        interval=writing.interval,
        short=short,
        told=lambda text: text or NOT_TOLD,
        short_hash=lambda digest: str(digest)[:SHORT_HASH],
    )
    environment.globals.update(plural=wording.plural, marks=marks)
    return environment


def _fit_for_a_line(value: Any) -> Any:
    """Treat every printed text as foreign unless it is markup of our own templates."""
    if value is None:
        return ""
    if isinstance(value, Markup):
        return value
    return _foreign(value) if isinstance(value, str) else wording.foreign(value)


@lru_cache(maxsize=1 << 16)
def _foreign(text: str) -> str:
    """Treat the same text once: names stand on a site many times."""
    return wording.foreign(text)
