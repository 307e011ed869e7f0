# SPDX-License-Identifier: MIT
"""How systems, conditions and differences are written in a campaign's figures. Knows no chart."""

import math
import unicodedata
from collections.abc import Collection, Iterable, Mapping

from m4bench.analysis.results import Interval
from m4bench.analysis.runs import RunTable, System
from m4bench.report import wording
from m4bench.report.campaign import writing

LONGEST = 40
LONGEST_NARROW = 32
END = 15
NATIVE = "native"
MARK = " †"
UNPUBLISHABLE = "† may not be published."
BASELINE = "no-skill"


def signed(value: float | None) -> str:
    """Write a difference as tables do, and a dash where there is none."""
    return "–" if value is None or math.isnan(value) else writing.signed(value)


def with_interval(delta: float, interval: Interval | None) -> str:
    """Write a difference with its interval, or that this is not determined, which says nothing of the difference."""
    told = f" {writing.interval(interval)}" if interval else ", interval not determined"
    return f"{signed(delta)}{told}"


def percent(level: float) -> str:
    """Write a level of confidence."""
    return f"{100 * level:g}{wording.THIN_SPACE}%"


def cut(text: str, longest: int = LONGEST) -> str:
    """Shorten a text in its middle; what sets names apart is often at their end."""
    if len(text) <= longest:
        return text
    end = min(END, longest // 2)
    return f"{text[: longest - end - 1]}…{text[-end:]}"


def breadth(text: str) -> int:
    """Return how many letters of usual width a text is as wide as."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def apart(names: Iterable[str], longest: int = LONGEST) -> list[str]:
    """Return a label for each name, fit for a figure: legible, shortened, and numbered where two are alike."""
    taken: set[str] = set()
    found: list[str] = []
    for name in names:
        whole = wording.foreign(name)
        label, number = cut(whole, longest), 1
        while label in taken:
            number += 1
            label = f"{cut(whole, longest - 4)} ({number})"
        taken.add(label)
        found.append(label)
    return found


def distinct(names: Iterable[str], longest: int = LONGEST) -> dict[str, str]:
    """Return each name with its label, a name that comes twice once."""
    once = list(dict.fromkeys(names))
    return dict(zip(once, apart(once, longest), strict=True))


def system_labels(table: RunTable, names: Collection[str] = ()) -> dict[str, str]:
    """Return the label of each system: its model, and of agent and effort what sets systems of the table apart."""
    parts: dict[str, System] = {str(run.system): run.system for run in table}
    shared = {place for place in (0, 2) if len({system[place] for system in parts.values()}) <= 1}
    spoken = {
        name: " · ".join(part for place, part in enumerate(system) if part and place not in shared)
        or name
        for name, system in sorted(parts.items())
    }
    spoken |= {name: name for name in sorted(names) if name not in spoken}
    labels = distinct(spoken.values())
    return {name: labels[text] for name, text in spoken.items()}


def condition_label(condition: str, schema: str = NATIVE) -> str:
    """Return a condition, with its schema where that is another than the native one."""
    return condition if schema == NATIVE else f"{condition}@{schema}"


def listed(items: Iterable[str], most: int = 30) -> str:
    """Return items as a list in words, a long one shortened."""
    found = list(items)
    if len(found) > most:
        found = [*found[:most], f"and {len(found) - most} more"]
    return "; ".join(found)


def marked(label: str, publishable: bool, longest: int = LONGEST) -> str:
    """Return a label with the mark of what may not be published."""
    return label if publishable else cut(label, longest) + MARK


def noted(caption: str, labels: Iterable[str]) -> str:
    """Say in a caption what the mark of a label means, where one has it."""
    return f"{caption} {UNPUBLISHABLE}" if any(MARK in label for label in labels) else caption


def by_name(labels: Mapping[str, str], name: str) -> str:
    """Return the label of a name, the name itself where it has none."""
    return labels.get(name, cut(wording.foreign(name)))
