# SPDX-License-Identifier: MIT
"""Letters of ties: what they promise, on any set of pairs, and small displays by hand."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from m4bench.stats.ties import letters

PAIRS = list(combinations("ABCDEFGH", 2))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.sets(st.sampled_from(PAIRS)),
    st.lists(st.integers(0, 4), min_size=8, max_size=8),
    st.permutations("ABCDEFGH"),
)
def test_a_letter_is_shared_exactly_where_two_are_not_told_apart(
    pairs: set[tuple[str, str]], means: list[int], order: list[str]
) -> None:
    """The promise, no letter that another holds whole, and no dependence on the order of the input."""
    distinguished = {frozenset(pair) for pair in pairs}
    value = dict(zip("ABCDEFGH", map(float, means), strict=True))
    found = letters("ABCDEFGH", list(value.values()), distinguished)
    for pair in PAIRS:
        shared = set(found[pair[0]]) & set(found[pair[1]])
        assert bool(shared) == (frozenset(pair) not in distinguished)
    holders = [
        {name for name in found if sign in found[name]} for sign in set("".join(found.values()))
    ]
    assert not any(one < other for one in holders for other in holders)
    assert letters(order, [value[name] for name in order], distinguished) == found


@pytest.mark.parametrize(
    ("distinguished", "expected"),
    [
        ([], {"best": "a", "good": "a", "fair": "a", "poor": "a"}),
        (["best poor"], {"best": "a", "good": "ab", "fair": "ab", "poor": "b"}),
        (
            ["best fair", "best poor", "good poor"],
            {"best": "a", "good": "ab", "fair": "bc", "poor": "c"},
        ),
        (
            ["best good", "best fair", "best poor", "good fair", "good poor", "fair poor"],
            {"best": "a", "good": "b", "fair": "c", "poor": "d"},
        ),
        # The best is told from neither of two that are told apart: two letters.
        (["good fair"], {"best": "ab", "good": "a", "fair": "b", "poor": "ab"}),
    ],
)
def test_small_displays(distinguished: list[str], expected: dict[str, str]) -> None:
    """Displays a reader would draw by hand, from the highest mean down."""
    found = letters(
        ["poor", "good", "best", "fair"],
        [0.1, 0.6, 0.9, 0.4],
        {frozenset(pair.split()) for pair in distinguished},
    )
    assert list(found.items()) == list(expected.items())


def test_more_letters_than_the_alphabet_are_still_one_sign_each() -> None:
    """Sixty systems all told apart have sixty signs."""
    names = [f"s{number:02d}" for number in range(60)]
    found = letters(
        names, [-float(n) for n in range(60)], set(map(frozenset, combinations(names, 2)))
    )
    assert len(set(found.values())) == 60
    assert (found["s00"], found["s26"], found["s52"]) == ("a", "A", "a2")


@pytest.mark.parametrize(
    ("names", "means", "distinguished"),
    [
        (["x", "x"], [0.1, 0.2], set()),
        (["x", "y"], [0.1], set()),
        (["x", "y"], [0.1, float("nan")], set()),
        (["x", "y"], [0.1, 0.2], {frozenset("xz")}),
        (["x", "y"], [0.1, 0.2], {frozenset("x")}),
    ],
)
def test_what_has_no_display_is_refused(
    names: list[str], means: list[float], distinguished: set[frozenset[str]]
) -> None:
    """Names given twice, missing means and strange pairs are errors."""
    with pytest.raises(ValueError):
        letters(names, means, distinguished)


def test_nothing_has_no_letters() -> None:
    """An empty table stays empty."""
    assert letters([], [], set()) == {}
