# SPDX-License-Identifier: MIT
"""From a Vega-Lite description to SVG, to SVG that follows a page's colours, to PDF and to PNG. Knows no run.

Nothing leaves the machine: vl-convert carries Vega with it, and a description may fetch no data. The
same description gives the same bytes; a PDF only as long as one font has all its letters.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import Any

from m4bench.report import wording
from m4bench.report.palette import VARIABLES

VEGA_LITE = "6.4"
TEXT_WIDTH = 343.6  # of a paper, in points of 1/72 inch: LaTeX's article class has 345 of its own, smaller ones
TEXT_HEIGHT = 440.0  # of its page's 548; the rest is for the caption
LEAST_LETTER = 7.0  # points
PIXEL = 0.75  # points
WRITTEN_VERSION, TOLD_VERSION = b"%PDF-1.7", b"%PDF-1.5"
"""What is drawn needs nothing that PDF 1.5 lacks, and LaTeX warns of later versions."""
_SVG = "http://www.w3.org/2000/svg"
_ELEMENTS = {"svg", "g", "path", "text", "rect", "line", "title", "desc", "tspan"}
_SPOKEN = ("aria-label", "aria-roledescription", "aria-hidden", "role")
_FRACTION = re.compile(r"(\d+\.\d{2})\d+")


def draw(specification: Mapping[str, Any], title: str, about: str) -> str:
    """Return a figure as a file of SVG on its own: light colours, with title and description.

    Each mark says in its title what it stands for, which a reader sees on pointing at it.
    """
    import vl_convert  # loads a JavaScript engine: only where a figure is drawn

    drawn = vl_convert.vegalite_to_svg(
        _fit(dict(specification)), vl_version=VEGA_LITE, allowed_base_urls=[]
    )
    root = ET.fromstring(drawn)  # noqa: S314 - written by vl-convert a line above
    _tidy(root)
    for place, (tag, text) in enumerate((("title", title), ("desc", about))):
        element = ET.Element(f"{{{_SVG}}}{tag}")
        element.text = wording.visible(text)
        root.insert(place, element)
    ET.register_namespace("", _SVG)
    return ET.tostring(root, encoding="unicode") + "\n"


def inline(drawn: str, described_by: str) -> str:
    """Return drawn SVG as an element of a page: its colours are the page's variables, its text is labelled.

    Args:
        drawn: what `draw` returned.
        described_by: the id of the caption.
    """
    root = ET.fromstring(drawn)  # noqa: S314 - written by `draw`
    for element in root.iter():
        for name in ("fill", "stroke"):
            variable = VARIABLES.get(element.get(name, ""))
            if variable:
                element.set(name, f"var({variable})")
    for tag in ("title", "desc", "rect"):  # the rectangle is the paper, which the page has
        for child in root.findall(f"{{{_SVG}}}{tag}"):
            root.remove(child)
    root.set("role", "img")
    root.set("aria-labelledby", described_by)
    ET.register_namespace("", _SVG)
    return ET.tostring(root, encoding="unicode")


def fits_a_page(drawn: str) -> bool:
    """Tell whether a drawing stands on a paper's page with its caption below it."""
    root = ET.fromstring(drawn)  # noqa: S314 - written by `draw`
    return float(root.get("height", 0)) * _points(root) <= TEXT_HEIGHT


def is_legible_on_paper(drawn: str) -> bool:
    """Tell whether a drawing's smallest letters are large enough where it is no wider than a paper's text."""
    root = ET.fromstring(drawn)  # noqa: S314 - written by `draw`
    return _smallest(root) * _points(root) >= LEAST_LETTER


def _smallest(root: ET.Element) -> float:
    """Return the size of a drawing's smallest letters, in pixels."""
    texts = [one for one in root.iter(f"{{{_SVG}}}text") if one.text]
    sizes = [float(one.get("font-size", "12").removesuffix("px")) for one in texts]
    return min(sizes, default=LEAST_LETTER / PIXEL)


def for_paper(drawn: str) -> str:
    """Return drawn SVG no wider than a paper's text, shrunk where it is wider."""
    root = ET.fromstring(drawn)  # noqa: S314 - written by `draw`
    return _sized(root, _points(root) / PIXEL) if _points(root) < PIXEL else drawn


def print_ready(drawn: str) -> bytes:
    """Return drawn SVG as a PDF no wider than a paper's text; 12 pixels are 9 points, or less where it is wide."""
    import vl_convert

    root = ET.fromstring(drawn)  # noqa: S314 - written by `draw`
    pdf: bytes = vl_convert.svg_to_pdf(_sized(root, _points(root)))  # a pixel becomes a point
    return pdf.replace(WRITTEN_VERSION, TOLD_VERSION, 1)


def _points(root: ET.Element) -> float:
    """Return how many points a pixel of a drawing is on paper: fewer where it is wide, or high and still legible."""
    by_width = min(PIXEL, TEXT_WIDTH / float(root.get("width", 1)))
    by_height = TEXT_HEIGHT / float(root.get("height", 1))
    return min(by_width, max(by_height, LEAST_LETTER / _smallest(root)))


def _sized(root: ET.Element, scale: float) -> str:
    """Return a drawing in another size; what is in it keeps its coordinates."""
    for side in ("width", "height"):
        root.set(side, f"{float(root.get(side, 0)) * scale:.2f}")
    ET.register_namespace("", _SVG)
    return ET.tostring(root, encoding="unicode") + "\n"


def pixels(drawn: str, scale: float) -> bytes:
    """Return drawn SVG as a PNG of `scale` pixels to each of the figure's own."""
    import vl_convert

    png: bytes = vl_convert.svg_to_png(drawn, scale=scale)
    return png


def _fit(value: Any) -> Any:
    """Return a description whose texts SVG can hold: the library ends the process at some that it cannot."""
    if isinstance(value, Mapping):
        return {_fit(name): _fit(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_fit(inner) for inner in value]
    return wording.visible(value) if isinstance(value, str) else value


def _tidy(element: ET.Element) -> None:
    """Turn spoken labels into titles, shorten coordinates, and keep nothing but shapes and text."""
    for child in list(element):
        if child.tag.removeprefix(f"{{{_SVG}}}") not in _ELEMENTS:
            element.remove(child)
            continue
        if child.tag == f"{{{_SVG}}}text":
            child.set("pointer-events", "none")  # the mark behind it is what has a title
        elif child.tag == f"{{{_SVG}}}path" and child.get("aria-label"):
            title = ET.SubElement(child, f"{{{_SVG}}}title")
            title.text = child.get("aria-label")
        for name in _SPOKEN:
            child.attrib.pop(name, None)
        if child.get("opacity") == "1":
            del child.attrib["opacity"]
        for name in ("d", "transform", "x", "y"):
            if name in child.attrib:
                child.set(name, _FRACTION.sub(r"\1", child.attrib[name]))
        _tidy(child)
