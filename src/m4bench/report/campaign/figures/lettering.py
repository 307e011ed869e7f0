# SPDX-License-Identifier: MIT
"""How wide a text is in the letters of the figures. Knows no chart.

Widths are those of Helvetica, in thousandths of the size of its letters, as Adobe's font metrics give them.
"""

import unicodedata

SIZE = 12.0
WIDTHS = {
    letter: width
    for width, letters in (
        (222, "'ijl"),
        (278, " !,./:;I[\\]ft·"),
        (333, "()-`r"),
        (389, "*"),
        (500, "Jcksvxyz"),
        (556, "#$0123456789?L_abdeghnopqu–†"),
        (584, "+<=>~−±"),
        (611, "FTZ"),
        (667, "&ABEKPSVXY"),
        (722, "CDHNRUw"),
        (778, "GOQ"),
        (833, "Mm"),
        (889, "%"),
        (944, "W"),
        (1000, "→…"),
        (1015, "@"),
    )
    for letter in letters
}
OTHER = 667
FULL = 1000


def width(text: str) -> float:
    """Return the width of a text in pixels."""
    return sum(map(_letter, text)) * SIZE / 1000


def _letter(letter: str) -> int:
    if letter in WIDTHS:
        return WIDTHS[letter]
    return FULL if unicodedata.east_asian_width(letter) in "WF" else OTHER
