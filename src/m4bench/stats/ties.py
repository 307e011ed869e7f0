# SPDX-License-Identifier: MIT
"""Letters that show which means are not told apart. Knows no test that tells them apart.

Piepho 2004, "An algorithm for a letter-based representation of all-pairwise comparisons", J Comput Graph Stat
13(2): insert and absorb.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from math import isfinite
from string import ascii_letters


def _groups(count: int, pairs: Sequence[tuple[int, int]]) -> list[frozenset[int]]:
    """Return the largest groups of 0..count-1 none of which holds a pair."""
    groups = [frozenset(range(count))]
    for pair in pairs:
        whole = [group for group in groups if group.issuperset(pair)]
        kept = [group for group in groups if not group.issuperset(pair)]
        parts = {group - {one} for group in whole for one in pair}
        # Groups that stay hold none of each other; only a part can lie within one of them, or within another part.
        groups = kept + [
            part
            for part in parts
            if not any(part <= group for group in kept) and not any(part < other for other in parts)
        ]
    return groups


def _letter(place: int) -> str:
    """Return a to z, then A to Z, then a2 to Z2 and so on: a letter with its number is one sign."""
    turn, position = divmod(place, len(ascii_letters))
    return ascii_letters[position] + (str(turn + 1) if turn else "")


def letters(
    names: Sequence[str], means: Sequence[float], distinguished: AbstractSet[frozenset[str]]
) -> dict[str, str]:
    """Return each name's letters; two names share a letter exactly when they are not `distinguished`.

    `names` and `means` have the same length, `distinguished` holds pairs of names. The letter a goes to a group
    that holds the highest mean, names of equal means being taken alphabetically. Names come back from the highest
    mean to the lowest. Sharing a letter is not being equal: it is not being told apart.

    Raises:
        ValueError: for a name given twice, lengths that differ, a mean that is not finite, or a pair that is not
            of two of the names.
    """
    if len(set(names)) != len(names) or len(means) != len(names):
        raise ValueError("each name comes once, with its mean")
    if not all(isfinite(mean) for mean in means):
        raise ValueError("means must be finite")
    if any(len(pair) != 2 or not pair <= set(names) for pair in distinguished):
        raise ValueError("a distinguished pair is of two of the names")
    ordered = [
        name for _, name in sorted((-mean, name) for mean, name in zip(means, names, strict=True))
    ]
    place = {name: number for number, name in enumerate(ordered)}
    pairs = sorted(
        (min(ends), max(ends)) for ends in ([place[n] for n in p] for p in distinguished)
    )
    groups = sorted(sorted(group) for group in _groups(len(ordered), pairs))
    signs: dict[str, list[str]] = {name: [] for name in ordered}
    for number, group in enumerate(groups):
        for member in group:
            signs[ordered[member]].append(_letter(number))
    return {name: "".join(found) for name, found in signs.items()}
