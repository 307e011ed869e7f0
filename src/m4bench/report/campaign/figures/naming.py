# SPDX-License-Identifier: MIT
"""How systems, conditions and differences are written in a campaign's figures. Knows no chart."""

import math
from collections.abc import Collection, Hashable, Iterable, Mapping

from m4bench.analysis.results import Interval
from m4bench.analysis.runs import RunTable, System
from m4bench.report import wording
from m4bench.report.campaign import writing

LONGEST = 40
END = 15
LEAST_OF_A_PART = 8
BETWEEN_PARTS = " · "
BETWEEN_WORDS = "-_/:@ "
LEFT_OUT = "…"
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
    """Shorten a text, never within a word: parts in the middle go first, then words in the middle of the longest part.

    Parts are set apart by a middle dot, words by hyphens, slashes and spaces; `gpt-5.4-mini` cut between letters
    would read as another model. A part of one long word alone is cut in its middle.
    """
    if len(text) <= longest:
        return text
    parts = text.split(BETWEEN_PARTS)
    if len(parts) > 2:
        parts = [parts[0], LEFT_OUT, parts[-1]]
    while len(BETWEEN_PARTS.join(parts)) > longest:
        place = max(range(len(parts)), key=lambda one: len(parts[one]))
        others = len(BETWEEN_PARTS.join(parts)) - len(parts[place])
        if longest - others < LEAST_OF_A_PART:
            return _within(BETWEEN_PARTS.join(parts), longest)
        shorter = _within(parts[place], max(longest - others, len(parts[place]) // 2))
        if len(shorter) >= len(parts[place]):
            return _within(BETWEEN_PARTS.join(parts), longest)
        parts[place] = shorter
    return BETWEEN_PARTS.join(parts)


def _within(text: str, longest: int) -> str:
    """Return the beginning and the end of a text, whole words of both where there are any; ends set names apart."""
    most = min(END, longest // 2)
    ends = [at for at in range(len(text) - most, len(text)) if text[at] in BETWEEN_WORDS]
    end = text[ends[0] :] if ends else text[-most:]
    room = longest - len(end) - 1
    begins = [at + 1 for at in range(room // 3, room) if text[at] in BETWEEN_WORDS]
    return f"{text[: begins[-1] if begins else room]}{LEFT_OUT}{end}"


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
    """Return the label of each system: its model, and of agent and effort what sets systems of the table apart.

    The effort stands where an agent has a model with several, the agent where there are several; where that makes a
    label too long, only beside a model that several agents have.
    """
    parts: dict[str, System] = {str(run.system): run.system for run in table}
    efforts = _several(((one.agent, one.model), one.effort) for one in parts.values())
    agents = _several((one.model, one.agent) for one in parts.values())
    every = {one.agent for one in parts.values()}

    def spoken(system: System, name: str, *, sparing: bool) -> str:
        told = [
            system.agent if system.model in agents or (len(every) > 1 and not sparing) else "",
            system.model,
            system.effort if (system.agent, system.model) in efforts else "",
        ]
        return BETWEEN_PARTS.join(filter(None, told)) or name

    labels = {name: spoken(one, name, sparing=False) for name, one in sorted(parts.items())}
    if any(len(label) > LONGEST for label in labels.values()):
        sparing = {name: spoken(parts[name], name, sparing=True) for name in labels}
        if len(set(sparing.values())) == len(sparing):
            labels = sparing
    labels |= {name: name for name in sorted(names) if name not in labels}
    shown = distinct(labels.values())
    return {name: shown[text] for name, text in labels.items()}


def _several(pairs: Iterable[tuple[Hashable, str]]) -> set[Hashable]:
    """Return what stands in pairs with more than one other."""
    found: dict[Hashable, set[str]] = {}
    for one, other in pairs:
        found.setdefault(one, set()).add(other)
    return {one for one, others in found.items() if len(others) > 1}


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
    """Return the label of a name, of a system told with a setting both, the name itself where it has none."""
    if name in labels:
        return labels[name]
    system, setting = in_a_setting(labels, name)
    if not setting:
        return cut(wording.foreign(name))
    return f"{labels[system]}{BETWEEN_PARTS}{cut(wording.foreign(setting))}"


def in_a_setting(labels: Mapping[str, str], name: str) -> tuple[str, str]:
    """Return a name that has a label, and what is told behind it; the whole name where no part of it has one."""
    parts = name.split(BETWEEN_PARTS)
    for count in range(len(parts), 0, -1):
        system = BETWEEN_PARTS.join(parts[:count])
        if system in labels:
            return system, BETWEEN_PARTS.join(parts[count:])
    return name, ""
