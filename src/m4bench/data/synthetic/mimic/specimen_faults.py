# SPDX-License-Identifier: MIT
"""What keeps a result from being a plain number: limits of the analyser, lost and haemolysed specimens, slips.

It knows analytes and rates, no patient. Rates are those of ordinary laboratories, about one result in a hundred.
"""

import numpy as np

from m4bench.data.synthetic.draws import FloatArray, IntArray
from m4bench.data.synthetic.mimic.analytes import CREATININE, INR, PT, PTT, Analyte
from m4bench.data.synthetic.mimic.results import NO_WORD, REMARK, WORD

LOST, HIDDEN, HAEMOLYSED, ABSURD = 0.002, 0.002, 0.004, 0.0004
DRAWN_FROM_A_LINE = {PTT: 0.015, PT: 0.002}
"""Share of specimens with heparin from the line they were drawn from, which then do not clot in time."""
_FLOORS = {51003: (0.01, "<0.01"), 50889: (0.3, "<0.1"), 50963: (6.0, "<5"), 50883: (0.1, "<0.1")}
"""Below what an item is reported as a word only, and the word."""
_CEILINGS = {PT: (150.0, ">150"), PTT: (150.0, ">150"), INR: (20.0, ">20.0"), 51196: (50000.0, ">50000")}  # fmt: skip


def noted(
    rng: np.random.Generator, analyte: Analyte, number: FloatArray
) -> tuple[FloatArray, IntArray, IntArray]:
    """Return number, word and remark with the laboratory's exceptions put in."""
    n = len(number)
    word, remark = np.full(n, NO_WORD), np.full(n, NO_WORD)
    if analyte.itemid in _CEILINGS:
        limit, text = _CEILINGS[analyte.itemid]
        over = number >= limit
        word[over], number = WORD[text], np.where(over, np.nan, number)
    line = rng.random(n) < DRAWN_FROM_A_LINE.get(analyte.itemid, 0.0)
    word[line], number = WORD[">150"], np.where(line, np.nan, number)
    if analyte.itemid in _FLOORS:
        limit, text = _FLOORS[analyte.itemid]
        under = (number <= limit) & (rng.random(n) < 0.6)
        word[under], number = WORD[text], np.where(under, np.nan, number)
    chance = rng.random(n)
    lost = chance < LOST
    number = np.where(lost, np.nan, number)
    word[lost], remark[lost] = WORD["___"], REMARK["SPECIMEN CLOTTED.  NOTIFIED ___."]
    hidden = (chance > 1 - HIDDEN) & ~np.isnan(number)
    word[hidden] = WORD["___"]
    remark[(chance > 0.4) & (chance < 0.4 + HAEMOLYSED)] = REMARK[
        "HEMOLYSIS FALSELY ELEVATES THIS TEST."
    ]
    remark[(chance > 0.42) & (chance < 0.428)] = REMARK["VERIFIED."]
    remark[(chance > 0.43) & (chance < 0.432)] = REMARK["LIPEMIC SPECIMEN."]
    absurd = (chance > 0.5) & (chance < 0.5 + ABSURD)
    number = np.where(absurd, np.where(analyte.low < 0, -20.0, 0.0), number)
    failed = (chance > 0.55) & (chance < 0.5504)
    number = np.where(failed, np.nan, number)
    word[failed] = WORD["UNABLE TO REPORT"]
    if analyte.itemid == CREATININE:
        number = np.where((chance > 0.6) & (chance < 0.6002), 999.0, number)
    return number, word, remark
