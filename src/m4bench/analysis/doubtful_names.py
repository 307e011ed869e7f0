# SPDX-License-Identifier: MIT
"""Names in runs that may be slips of the pen, and split what belongs together. Refuses none: they may be meant."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from m4bench.analysis.order import CONDITIONS, CONVENTIONS, SCHEMAS
from m4bench.analysis.runs import RunRow
from m4bench.analysis.sides import FIELDS
from m4bench.analysis.words import counted, joined
from m4bench.model.near_names import NEAR, near, plain
from m4bench.model.outcome import OUTCOMES

VOCABULARIES: Mapping[str, tuple[tuple[str, ...], float]] = {
    "condition": (CONDITIONS, 0.92),  # one's own may well be called with-skill-v2
    "schema": (SCHEMAS, NEAR),
    "convention": (CONVENTIONS, NEAR),
}
"""The names that are known of a field, and how like one of them another has to be to be asked about."""
STATES = tuple(rule.state for rule in OUTCOMES)


def doubtful_names(runs: Sequence[RunRow]) -> list[str]:
    """Return notes on names that differ in case, hyphens or blanks alone, are nearly a known one, or are no state."""
    notes = []
    for field, of in FIELDS.items():
        told = Counter(of(run) for run in runs)
        told.pop("", None)
        alike = list(_alike(told))
        notes += [
            f"{field}: {joined([_times(name, told) for name in names])} differ in case, hyphens or blanks "
            "alone and are taken as different: if one is meant, write them alike"
            for names in alike
        ]
        if field in VOCABULARIES:
            known, least = VOCABULARIES[field]
            rest = sorted(told.keys() - known - {name for names in alike for name in names})
            notes += [
                f"{field}: {_times(name, told)} is taken as it stands: did you mean {meant}?"
                for name in rest
                if (meant := near(name, known, least))
            ]
    return [*notes, *_notes_on_states(runs)]


def _alike(told: Iterable[str]) -> Iterator[list[str]]:
    """Yield names that are the same but for case, hyphens and blanks, together."""
    groups: dict[str, list[str]] = {}
    for name in sorted(told):
        groups.setdefault(plain(name), []).append(name)
    return (names for names in groups.values() if len(names) > 1)


def _notes_on_states(runs: Sequence[RunRow]) -> Iterator[str]:
    """Yield a note for each state that is none of the table of outcomes; it counts, as a suite's own does."""
    own = Counter((run.state, run.valid) for run in runs if run.state not in STATES)
    for (state, valid), number in sorted(own.items()):
        meant = near(state, STATES)
        yield (
            f"state: {state} ({counted(number, 'run')}) is none that is known here and counts as "
            f"{'a measurement' if valid else 'none'}{f': did you mean {meant}?' if meant else ''}"
        )


def _times(name: str, told: Mapping[str, int]) -> str:
    return f"{name} ({counted(told[name], 'run')})"
