# SPDX-License-Identifier: MIT
"""How figures and words are written in a report: rewards, counts, durations, foreign text. Knows no run."""

import math
from collections.abc import Collection

from m4bench.model.legible import visible as visible
from m4bench.model.legible import without_paths as without_paths

THIN_SPACE = "\u202f"  # one at which no line breaks
LONGEST_TEXT = 400
DECIMALS = 3
MOST_EXACT = 2**53

CONDITIONS = {
    "no-skill": "the task card and the database, nothing else",
    "with-skill": "the task's written procedure beside card and database",
    "with-skill-all": "the written procedures of all tasks beside card and database",
    "with-skill-decoy": "the written procedure of another family's task beside card and database",
    "with-skill-rawsql": "the derivation scored against, as SQL without prose, beside card and database",
    "operational-spec": "the complete rules in prose at the end of the instruction, no procedure",
    "with-checks": "a program that checks an answer's form beside card and database",
    "with-skill+checks": "the task's written procedure and the program that checks an answer's form",
}
CONVENTIONS = {
    "published": "the definitions M4Bench scored against",
    "current": "today's community definitions",
    "adjudicated": "what the clinical sources say; not yet signed by a clinician",
}
SCHEMAS = {
    "native": "tables and columns under their own names",
    "obfuscated": "tables and columns under coded names",
    "restructured": "tables cut differently",
    "shifted": "values moved too",
}
DROPS = {
    "strict": "the answer, all that descends from it and all that carries it were removed",
    "published": "the tables the paper removed were removed",
}
SANDBOXES = {
    "bwrap": "bubblewrap, no network",
    "none": "no isolation",
}
GATEWAY_ALONE = "no network but the model gateway"
BASELINES = {
    "reference": "baseline: the project's own derivation, the upper end of the scale",
    "naive": "baseline: a hurried analyst's query on the source tables",
    "empty": "baseline: writes an empty file, the lower end of the scale",
}
GRAINS = {
    "stay": "ICU stay",
    "admission": "hospital admission",
    "stay-window": "ICU stay and charting time",
}
ACCESS = {
    "open": "open data",
    "credentialed": "credentialed data",
    "synthetic": "recorded as synthetic",
}
PROVEN = "invented patients"


def rate(value: float | None) -> str:
    """Write a reward, rate or F1 with three decimals; only an exact 1 is 1.000 and only an exact 0 is 0.000."""
    if value is None or math.isnan(value):
        return "–"
    unit = 10**-DECIMALS
    if 0 < value < unit / 2:
        return f"<{unit}"
    if 1 - unit / 2 <= value < 1:
        return f">{1 - unit}"
    return f"{value:.{DECIMALS}f}"


def count(value: int | None) -> str:
    """Write a count with thin spaces between thousands."""
    return "–" if value is None else f"{value:,}".replace(",", THIN_SPACE)


def mean_count(value: float) -> str:
    """Write a mean of counts: whole where it is, else with one decimal."""
    return (
        count(round(value)) if value == round(value) else f"{value:,.1f}".replace(",", THIN_SPACE)
    )


def plural(number: int, one: str, many: str | None = None) -> str:
    """Write a count with its noun."""
    return f"{count(number)} {plural_word(number, one, many)}"


def plural_word(number: int, one: str, many: str | None = None) -> str:
    """Return a noun in the number that is asked for."""
    return one if number == 1 else many or one + "s"


def seconds(value: float) -> str:
    """Write a duration: tenths below ten seconds, then whole seconds, minutes, hours."""
    if value < 10:
        return f"{value:.1f}{THIN_SPACE}s"
    whole = round(value)
    if whole < 120:
        return f"{whole}{THIN_SPACE}s"
    minutes, rest = divmod(whole, 60)
    if minutes < 120:
        return f"{minutes}{THIN_SPACE}min" + (f" {rest}{THIN_SPACE}s" if rest else "")
    hours, minutes = divmod(minutes, 60)
    return f"{hours}{THIN_SPACE}h {minutes}{THIN_SPACE}min"


def amount(value: float) -> str:
    """Write a difference: whole numbers whole, others with four figures."""
    if abs(value) < MOST_EXACT and value == round(value):
        return count(round(value))
    return f"{value:.4g}"


def threshold(value: float | None) -> str:
    """Write a threshold as short as it is."""
    return "–" if value is None else f"{value:g}"


def at_least(value: float) -> str:
    """Write a threshold that has to be reached in per cent: `100 %` where nothing is above it."""
    percent = f"{100 * value:.6g}{THIN_SPACE}%"
    return percent if value >= 1 else f"at least {percent}"


def strict_pass(coverage: float, accuracy: float) -> str:
    """Say what a strict pass takes: how many of the keys, and how many rows of each scored column."""
    keys = "all keys" if coverage >= 1 else f"{at_least(coverage)} of the keys"
    return f"{keys}, and a match rate of {at_least(accuracy)} in every scored column"


def sandbox(name: str, with_model: Collection[bool]) -> str:
    """Say what isolated runs and what they could reach, by whether runs with a model, without, or both are meant."""
    words = SANDBOXES.get(name, "")
    if name != "bwrap" or True not in with_model:
        return words
    if False in with_model:
        return f"{words}; runs with a model: {GATEWAY_ALONE}"
    return f"bubblewrap, {GATEWAY_ALONE}"


def access(name: str, *, proven: bool = False) -> str:
    """Say who may have a dataset; that its patients are invented only where that is proven."""
    return PROVEN if proven else ACCESS.get(name, name)


def foreign(text: object) -> str:
    """Make text that others wrote fit for a line: invisible and reordering characters shown, length bounded."""
    shown = visible(text)
    return shown if len(shown) <= LONGEST_TEXT else f"{shown[: LONGEST_TEXT - 1]}…"
