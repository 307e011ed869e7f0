# SPDX-License-Identifier: MIT
"""Which drawing of a figure stands in files, and in how many parts, so that a paper's page holds it. Knows no run."""

from collections.abc import Sequence
from dataclasses import replace

from m4bench.report.drawing import draw, fits_a_page, is_legible_on_paper
from m4bench.report.exhibits import Figure


def on_paper(figure: Figure, wide: str, narrow: str) -> list[tuple[Figure, str]]:
    """Return the drawings that stand in files, each with its name, title and caption: the whole, then its parts.

    The whole is the widest drawing that can be read at the width of a paper's text; where it is too high for a page,
    and the figure can be parted, its parts stand beside it.

    Args:
        figure: what is drawn.
        wide: its drawing for a screen, as SVG.
        narrow: its drawing for a phone.
    """
    whole = _whole(figure, wide, narrow)
    described = figure.parts() if figure.parts and not fits_a_page(whole) else ()
    count = len(described)
    if count < 2:
        return [(figure, whole)]
    found = [(_with_parts(figure, count), whole)]
    for number, description in enumerate(described, 1):
        part = _part(figure, number, count)
        found.append((part, draw(description, part.title, part.alt)))
    return found


def _whole(figure: Figure, wide: str, narrow: str) -> str:
    """Return the drawing of the whole: one for paper where the wide one cannot be read there or is too high."""
    if is_legible_on_paper(wide) and (fits_a_page(wide) or figure.compact is None):
        return wide
    if figure.compact:
        compact = draw(figure.compact(), figure.title, figure.alt)
        if is_legible_on_paper(compact):
            return compact
    return narrow


def _part(figure: Figure, number: int, count: int) -> Figure:
    """Return what a part of a figure is called, and its caption: that of the whole stands with the first."""
    name = f"{figure.name}-{number}"
    if number == 1:
        return replace(figure, name=name, caption=f"{figure.caption} The first of {count} parts.")
    told = f"Part {number} of {count}; the caption of the first says what the marks are."
    return replace(figure, name=name, title=f"{figure.title} (continued)", caption=told)


def _with_parts(figure: Figure, count: int) -> Figure:
    """Return a figure whose caption names its parts."""
    names = _joined([f"{figure.name}-{number}" for number in range(1, count + 1)])
    told = (
        f"{figure.caption} It is too high for a page of a paper, and stands in parts too: {names}."
    )
    return replace(figure, caption=told)


def _joined(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
