# SPDX-License-Identifier: MIT
"""What lies in a patient: catheters in veins, arteries, skull and bladder, and from when to when.

Who has which follows the support and the illness; it is documented elsewhere. Knows no value and no wording
but that of sites. Shares are near those of the open MIMIC-IV demo.
"""

from typing import NamedTuple

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import BoolArray, FloatArray, IntArray, dealt
from m4bench.data.synthetic.physiology import CIRCULATORY, NEUROLOGIC
from m4bench.data.synthetic.support import INVASIVE, Support

PERIPHERAL, ARTERIAL, CENTRAL, PERIPHERAL_CENTRAL, DIALYSIS, SKULL, BLADDER, BONE = range(8)
FAMILIES = (
    "Peripheral", "Invasive Arterial", "Invasive Venous", "Invasive Venous", "Dialysis", "ICP Line",
    "Catheter, GU", "Intraosseous",
)  # fmt: skip
"""Location category of each family."""

_LIMBS = ("Right Antecube", "Left Antecube", "Right Brachial", "Left Brachial")
_DEEP = (
    "Right IJ", "Left IJ", "Right Subclavian", "Left Subclavian", "Right Femoral", "Left Femoral",
    "Right Femoral.", "Left Femoral.", None,
)  # fmt: skip
SITES: dict[int, tuple[str | None, ...]] = {
    PERIPHERAL: (
        "Right Forearm", "Left Forearm", "Right Hand", "Left Hand", "Right Antecub", "Left Antecub",
        *_LIMBS, "Right Antecube ", "Left Upper Arm", None, None, None,
    ),
    ARTERIAL: (
        "Right Radial", "Left Radial", "Right Femoral", "Left Femoral", "Right Brachial",
        "Left Brachial", "Right Axilla", "Left Axilla", "Right Brachial.", "Left Brachial.",
        "Right Femoral.", "Left Femoral.", "Right Axilla.", "Left Axilla.", None,
    ),
    CENTRAL: _DEEP,
    PERIPHERAL_CENTRAL: (
        *_LIMBS, "Right Basilic", "Left Basilic", "Right Antecub", "Left Antecub", "Right Brachial.",
        "Left Brachial.", "Right Axilla", "Left Axilla.", "Right Antecube ", None, None,
    ),
    DIALYSIS: (*_DEEP, "Right Antecube "),
    SKULL: ("Right Frontal", "Left Frontal", None),
    BLADDER: (None, None, "Urethra"),
    BONE: ("Right Tibia", "Left Humerus"),
}  # fmt: skip
"""Sites of each family, as they are written: some with a full stop or a blank at the end."""


class Line(NamedTuple):
    """A kind of line: its item in procedureevents, its family, and its share of the stays when it is rare."""

    itemid: int
    family: int
    share: float


ARTERIAL_LINE = Line(225752, ARTERIAL, 0.0)
MULTI_LUMEN, PICC, INTRODUCER, PULMONARY = (
    Line(224263, CENTRAL, 0.0),
    Line(224264, PERIPHERAL_CENTRAL, 0.0),
    Line(224267, CENTRAL, 0.0),
    Line(224560, CENTRAL, 0.0),
)
SKULL_CATHETER, FOLEY, DIALYSIS_CATHETER = (
    Line(226124, SKULL, 0.0),
    Line(244040, BLADDER, 0.0),
    Line(224270, DIALYSIS, 0.0),
)
CANNULAS = (
    (Line(224275, PERIPHERAL, 0.0), 0.50),  # 20 gauge
    (Line(244001, PERIPHERAL, 0.0), 0.30),  # 18 gauge
    (Line(244002, PERIPHERAL, 0.0), 0.12),  # 22 gauge
    (Line(244003, PERIPHERAL, 0.0), 0.07),  # 16 gauge
    (Line(244004, PERIPHERAL, 0.0), 0.01),  # 14 gauge
)
RARE = (
    Line(227719, CENTRAL, 0.006),  # AVA
    Line(224269, CENTRAL, 0.012),  # continuous cardiac output catheter
    Line(224272, ARTERIAL, 0.008),  # balloon pump
    Line(228169, ARTERIAL, 0.004),  # Impella
    Line(225202, CENTRAL, 0.016),  # port
    Line(228286, BONE, 0.004),  # intraosseous
    Line(225204, PERIPHERAL_CENTRAL, 0.016),  # midline
    Line(225203, DIALYSIS, 0.004),  # pheresis
    Line(224273, CENTRAL, 0.006),  # oximetric central line
    Line(225789, CENTRAL, 0.014),  # venous sheath
    Line(225761, CENTRAL, 0.005),  # sheath insertion
    Line(228201, ARTERIAL, 0.004),  # Tandem Heart inflow
    Line(228202, ARTERIAL, 0.004),  # Tandem Heart outflow
    Line(224268, CENTRAL, 0.020),  # trauma line
    Line(225199, CENTRAL, 0.005),  # triple introducer
    Line(225315, CENTRAL, 0.008),  # Hickman
    Line(225205, CENTRAL, 0.005),  # rapid infusion catheter
)
LINES = (
    ARTERIAL_LINE, MULTI_LUMEN, PICC, INTRODUCER, PULMONARY, SKULL_CATHETER, FOLEY, DIALYSIS_CATHETER,
    *(line for line, _ in CANNULAS), *RARE,
)  # fmt: skip


class Access(NamedTuple):
    """Lines in place, arrays of one length; `line` indexes LINES, hours count from ICU admission."""

    stay: IntArray
    begin: FloatArray
    end: FloatArray
    line: IntArray


def _in_place(
    rng: np.random.Generator, los: FloatArray, stay: IntArray, line: IntArray, delay: float
) -> Access:
    """Return lines from about `delay` hours after admission on; a third come out early, some are changed."""
    begin = np.minimum(rng.gamma(1.2, delay, len(stay)), 0.7 * los[stay])
    whole = los[stay] - begin
    early = rng.random(len(stay)) < 0.35
    end = begin + whole * np.where(early, rng.uniform(0.2, 0.9, len(stay)), 1.0)
    return Access(stay, begin, np.maximum(end, begin + 0.2), line)


def _held(rng: np.random.Generator, cohort: Cohort, support: Support) -> dict[Line, BoolArray]:
    """Return which stays hold which of the common lines."""
    course = cohort.stays.course
    n = len(course.los)
    shock, brain = course.level[:, CIRCULATORY], course.level[:, NEUROLOGIC]
    tube = (support.airway == INVASIVE).any(axis=1)
    chance = rng.random((n, 6))
    return {
        ARTERIAL_LINE: support.arterial_line & (chance[:, 0] < 0.97),
        MULTI_LUMEN: chance[:, 1] < 0.06 + 0.72 * shock,
        PICC: chance[:, 2] < np.where(course.los > 120, 0.5, 0.15),
        INTRODUCER: chance[:, 3] < 0.14 * shock,
        PULMONARY: chance[:, 4] < 0.11 * shock,
        SKULL_CATHETER: (brain > 0.5) & (chance[:, 5] < 0.2),
        FOLEY: rng.random(n) < np.where(tube, 0.45, 0.2),
    }


def lines_in_place(rng: np.random.Generator, cohort: Cohort, support: Support) -> Access:
    """Return all lines of a block but the dialysis catheters, which the dialysis knows."""
    los = cohort.stays.course.los
    n = len(los)
    index = {line: place for place, line in enumerate(LINES)}
    parts = []
    for line, held in _held(rng, cohort, support).items():
        stay = np.flatnonzero(held)
        stay = np.concatenate([stay, stay[rng.random(len(stay)) < 0.12]])
        parts.append(_in_place(rng, los, stay, np.full(len(stay), index[line]), 3.0))
    cannulas = np.minimum(rng.poisson(1.3 + 0.25 * los / 24), 12) + (rng.random(n) < 0.6)
    stay = np.repeat(np.arange(n), cannulas)
    kind = dealt(rng, [share for _, share in CANNULAS], len(stay))
    line_of = np.array([index[line] for line, _ in CANNULAS])
    parts.append(_in_place(rng, los, stay, line_of[kind], 6.0))
    shares = [line.share for line in RARE]
    charted = np.flatnonzero(~cohort.stays.silent)
    rare = dealt(rng, [1.0 - sum(shares), *shares], len(charted))
    stay, rare = charted[rare > 0], rare[rare > 0]
    parts.append(_in_place(rng, los, stay, index[RARE[0]] + rare - 1, 2.0))
    return Access(*(np.concatenate(column) for column in zip(*parts, strict=True)))
