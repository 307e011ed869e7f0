# SPDX-License-Identifier: MIT
"""Draws a lineage as SVG: what a derivation is made from at its left, what reads it at its right.

Knows names and arrows alone. The colours are those of the text around it, so it serves on light and dark.
"""

import math
from collections.abc import Callable, Mapping
from html import escape

ROW, GAP, MARGIN, LETTER = 30, 70, 10, 6.7


def drawing(
    arrows: Mapping[str, set[str]], target: str, link: Callable[[str], str | None], title: str
) -> str:
    """Return an SVG of the names in `arrows` (name → those it is made from), the target marked.

    Args:
        arrows: every name drawn, with what it is made from.
        target: the name in the middle.
        link: the address a name leads to, None for one that has no page.
        title: what a reader who cannot see it is told.
    """
    layers = _layers(arrows)
    widths = [max(len(name) for name in layer) * LETTER + 16 for layer in layers]
    starts = [MARGIN + sum(widths[:n]) + GAP * n for n in range(len(layers))]
    tallest = max(len(layer) for layer in layers)
    places: dict[str, tuple[float, float, float]] = {}
    for layer, start, width in zip(layers, starts, widths, strict=True):
        top = MARGIN + (tallest - len(layer)) * ROW / 2
        for number, name in enumerate(layer):
            places[name] = (start, top + number * ROW, width)
    wide, high = starts[-1] + widths[-1] + MARGIN, tallest * ROW + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high}" width="{wide:.0f}" '
        f'style="max-width:none" role="img" font-family="monospace" font-size="11">',
        f"<title>{escape(title)}</title>",
    ]
    for name, sources in sorted(arrows.items()):
        parts += [_arrow(places[source], places[name]) for source in sorted(sources)]
    parts += [_box(name, places[name], link(name), name == target) for name in sorted(places)]
    return "".join([*parts, "</svg>"])


def _layers(arrows: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the names from left to right, each right of all it is made from, near to those it is tied to."""
    depth: dict[str, int] = {}

    def deep(name: str) -> int:
        if name not in depth:
            depth[name] = 1 + max((deep(source) for source in arrows[name]), default=-1)
        return depth[name]

    for name in arrows:
        deep(name)
    readers: dict[str, set[str]] = {name: set() for name in arrows}
    for name, sources in arrows.items():
        for source in sources:
            readers[source].add(name)
    # A source stands just left of the first that reads it, so that its arrows are short.
    for name in sorted(arrows, key=lambda each: -depth[each]):
        if readers[name]:
            depth[name] = min(depth[reader] for reader in readers[name]) - 1
    layers = [sorted(n for n in arrows if depth[n] == d) for d in range(max(depth.values()) + 1)]
    layers = [layer for layer in layers if layer]
    for _ in range(4):
        for near in (arrows, readers):
            heights = {
                name: place / len(layer) for layer in layers for place, name in enumerate(layer)
            }
            for layer in layers:
                layer.sort(key=lambda name: (_mean(heights, near[name], heights[name]), name))
    return layers


def _mean(heights: Mapping[str, float], names: set[str], own: float) -> float:
    return math.fsum(heights[name] for name in names) / len(names) if names else own


def _arrow(source: tuple[float, float, float], end: tuple[float, float, float]) -> str:
    x, y = source[0] + source[2], source[1] + ROW / 2
    to_x, to_y = end[0], end[1] + ROW / 2
    bend = (to_x - x) / 2
    return (
        f'<path d="M{x:.0f} {y:.0f} C{x + bend:.0f} {y:.0f} {to_x - bend:.0f} {to_y:.0f} {to_x:.0f} {to_y:.0f}" '
        f'fill="none" stroke="currentColor" stroke-opacity="0.35"/>'
    )


def _box(name: str, place: tuple[float, float, float], address: str | None, marked: bool) -> str:
    x, y, width = place
    weight = ' font-weight="bold"' if marked else ""
    drawn = (
        f'<rect x="{x:.0f}" y="{y + 4:.0f}" width="{width:.0f}" height="{ROW - 8}" rx="4" '
        f'fill="currentColor" fill-opacity="{0.18 if marked else 0.06}" stroke="currentColor" '
        f'stroke-opacity="{1 if marked else 0.4}"/>'
        f'<text x="{x + 8:.0f}" y="{y + ROW / 2 + 4:.0f}" fill="currentColor"{weight}>{escape(name)}</text>'
    )
    return f'<a href="{escape(address)}">{drawn}</a>' if address else drawn
