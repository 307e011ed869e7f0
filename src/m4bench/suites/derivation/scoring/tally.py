# SPDX-License-Identifier: MIT
"""The running counts of one comparison, and which submitted row answers which reference row.

The first row of a key in file order counts, so claims are made batch after batch in that order.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from m4bench.suites.derivation.scoring.agreement import Agreement
from m4bench.suites.derivation.scoring.extras import ExtraKeys, Hashes
from m4bench.suites.derivation.scoring.keys import NOWHERE, Codes, ascending

EXTRA_KEYS_ALWAYS_TAKEN = 1_000_000
EXTRA_KEYS_A_REFERENCE_ROW = 10


@dataclass
class Tally:
    """What a comparison counts.

    `reference` is the number of reference rows that take part; `rows` all submitted rows, `matched`
    distinct submitted keys found in the reference, `unmatched` rows whose key is not, `unreadable_keys`
    those of them without a readable key, `duplicate_found` further rows of a key that was found.
    """

    reference: int
    columns: dict[str, Agreement] = field(default_factory=dict)
    rows: int = 0
    matched: int = 0
    unmatched: int = 0
    unreadable_keys: int = 0
    duplicate_found: int = 0
    honeytokens: int = 0
    distinct_extra: int = 0

    @property
    def extra(self) -> int:
        """Distinct submitted keys absent from the reference, each unreadable one its own."""
        return self.distinct_extra + self.unreadable_keys

    @property
    def duplicate(self) -> int:
        """Rows of a key already submitted, in the reference or not."""
        return self.duplicate_found + self.unmatched - self.extra

    @property
    def total(self) -> int:
        """The denominator of every rate: reference rows, extra keys and duplicate rows."""
        return self.reference + self.extra + self.duplicate

    def add(self, agreements: Mapping[str, Agreement]) -> None:
        """Add the counts of some rows."""
        for name, found in agreements.items():
            self.columns[name] = self.columns.get(name, Agreement()) + found


class Claims:
    """Which reference rows have been answered, in the order of the submitted file."""

    def __init__(self, tally: Tally, rows: int, excluded: Codes) -> None:
        """Begin with nothing claimed; excluded reference rows can never be."""
        self._tally = tally
        self._claimed = np.zeros(rows, dtype=np.bool_)
        self._highest = NOWHERE  # no row beyond this one is claimed
        self._excluded = np.zeros(rows, dtype=np.bool_) if len(excluded) else None
        if self._excluded is not None:
            self._excluded[excluded] = True
        self._extra = ExtraKeys(
            EXTRA_KEYS_ALWAYS_TAKEN + EXTRA_KEYS_A_REFERENCE_ROW * tally.reference
        )

    def withdraw(self, rows: Codes) -> Codes:
        """Return the row numbers with NOWHERE in place of excluded reference rows, which are counted."""
        if self._excluded is None:
            return rows
        held = (rows != NOWHERE) & self._excluded[rows]
        if not held.any():
            return rows
        self._tally.honeytokens += int(np.count_nonzero(held))
        return np.where(held, NOWHERE, rows)

    def claim(self, rows: Codes) -> tuple[Codes, Codes]:
        """Return which of the next n submitted rows are the first to answer a reference row, and which row.

        Args:
            rows: the reference row of each submitted row, or NOWHERE.
        """
        found = rows != NOWHERE
        candidates = np.flatnonzero(found)
        answered = rows if len(candidates) == len(rows) else rows[candidates]
        if not ascending(answered):
            if (answered[1:] >= answered[:-1]).all():  # repeated rows beside each other
                first = np.flatnonzero(np.append(True, answered[1:] > answered[:-1]))
            else:
                first = np.sort(np.unique(answered, return_index=True)[1])
            candidates, answered = candidates[first], answered[first]
        ahead = ascending(answered) and (not len(answered) or answered[0] > self._highest)
        if not ahead and self._claimed[answered].any():
            fresh = ~self._claimed[answered]
            candidates, answered = candidates[fresh], answered[fresh]
        if len(answered):
            self._claimed[answered] = True
            self._highest = max(self._highest, int(answered[-1] if ahead else answered.max()))
        self._tally.rows += len(rows)
        self._tally.matched += len(candidates)
        self._tally.duplicate_found += int(np.count_nonzero(found)) - len(candidates)
        return candidates, answered

    def leave(self, hashes: Hashes, unreadable: int) -> None:
        """Count rows whose key the reference does not hold: hashes of readable keys, number of others."""
        self._tally.unmatched += len(hashes) + unreadable
        self._tally.unreadable_keys += unreadable
        if len(hashes):
            self._extra.add(hashes)

    def finish(self) -> None:
        """Settle how many extra keys are distinct."""
        self._tally.distinct_extra = self._extra.distinct()
