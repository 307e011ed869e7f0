# SPDX-License-Identifier: MIT
"""A diagnosis as lines that lose nothing at any width and in any encoding. Needs no package and no terminal."""

from itertools import groupby

from m4bench.doors.doctor import Diagnosis
from m4bench.model.legible import legible

MARKS = {"ready": "✓", "optional": "○", "needed": "✗"}
IN_ASCII = str.maketrans({"✓": "+", "○": "o", "✗": "x", "→": "->", "·": "-"})


def plain_lines(diagnosis: Diagnosis, encoding: str | None) -> str:
    """Return the findings and the verdict, a line for each finding and each remedy.

    Args:
        diagnosis: what was found.
        encoding: what the lines will be written in; ASCII marks are used where it lacks the others.
    """
    lines: list[str] = []
    for group, findings in groupby(diagnosis.findings, lambda finding: finding.group):
        lines.append(group)
        for one in findings:
            lines.append(legible(f"{MARKS[one.state]} {one.name}: {one.found} · {one.meaning}"))
            if one.remedy:
                lines.append(f"  → {legible(one.remedy)}")
    text = "\n".join([*lines, verdict(diagnosis), ""])
    return text if has_marks(encoding) else text.translate(IN_ASCII)


def has_marks(encoding: str | None) -> bool:
    """Tell whether an encoding has the signs a diagnosis is marked with."""
    try:
        "".join([*MARKS.values(), "→·"]).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def verdict(diagnosis: Diagnosis) -> str:
    """Return what the findings come to, as one line."""
    if not diagnosis.ready:
        return f"not ready: what is marked {MARKS['needed']} is needed"
    if not diagnosis.publishable:
        return "ready, but without isolation: runs made here cannot be published"
    return "ready"
