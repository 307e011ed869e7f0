# SPDX-License-Identifier: MIT
"""One fact a derivation depends on, as a text would have to state it. Knows neither SQL nor texts."""

from typing import Literal

from m4bench.model.record import Record

Kind = Literal["item", "code", "text", "cut", "window", "constant", "unit"]
Side = Literal["upper", "lower"]


class Fact(Record):
    """A value in the definition of a derivation, with what it is about.

    Attributes:
        kind: an itemid; a diagnosis or procedure code or a prefix of one; a text of the data, or a part
            of one; a threshold; a duration; a factor, offset or default; the unit of a column.
        derivation: the concept whose query holds it, or `references.` and the name of the reference.
        columns: the needed output columns of that derivation it bears on.
        subjects: the columns that are compared or made, the most specific first; a text names one of them.
        value: the value as a text would write it: `220045`, `0.957`, `I21`, `ART.`, `6 hour`.
        side: of a cut or a window, the side of the value to which the value itself belongs: `< 40` and
            `>= 40` say upper, `> 40` and `<= 40` say lower. None where it does not tell.
        closed: of a window, whether the condition as written holds at its very end. None where it does
            not tell.
        points: of a cut, or of a factor in a comparison, the literal that its CASE gives where the condition holds.
        unit: of a window, its unit in the singular; of a code, `icd9` or `icd10`; of a cut or constant,
            the unit of its first subject where the library declares one; of a unit, the unit itself.
        clause: the condition or expression as the query writes it, on one line.
    """

    kind: Kind
    derivation: str
    columns: tuple[str, ...]
    subjects: tuple[str, ...]
    value: str
    side: Side | None = None
    closed: bool | None = None
    points: str | None = None
    unit: str | None = None
    clause: str
