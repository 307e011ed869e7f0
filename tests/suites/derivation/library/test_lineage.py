# SPDX-License-Identifier: MIT
"""Lineage read from SQL, checked against headers."""

from pathlib import Path

import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.catalogue import library, read_library
from m4bench.suites.derivation.library.lineage import build_order, relations, renamed
from tests.suites.derivation.library.toy import derivation, toy_library


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("SELECT 1 AS a FROM s.t", {"s.t"}),
        ("WITH c AS (SELECT * FROM s.t) SELECT * FROM c JOIN u.v USING (a)", {"s.t", "u.v"}),
        ("SELECT * FROM s.t AS a, LATERAL (SELECT * FROM s.w WHERE w.x = a.x)", {"s.t", "s.w"}),
        ("SELECT * FROM S.T UNION ALL SELECT * FROM s.u", {"s.t", "s.u"}),
        ("SELECT x FROM s.t ASOF JOIN s.u ON t.k = u.k AND t.a >= u.a", {"s.t", "s.u"}),
        ("SELECT * FROM s.t, range(3)", {"s.t"}),
    ],
)
def test_relations_of_a_query(sql: str, found: set[str]) -> None:
    """Qualified tables are found wherever they stand; CTEs and table functions are not tables."""
    assert relations(sql) == found


def test_an_unqualified_table_is_refused() -> None:
    """A table without a schema has no place in a derivation."""
    with pytest.raises(InputError, match="neither qualified nor a CTE"):
        relations("SELECT * FROM chartevents")


def test_renaming_keeps_column_qualifiers_working() -> None:
    """A renamed table keeps its old name as alias, so that columns qualified by it still resolve."""
    text = renamed("SELECT bg.po2 FROM mimiciv_derived.bg", {"mimiciv_derived.bg": "rebuilt_bg"})
    assert " ".join(text.split()) == "SELECT bg.po2 FROM rebuilt_bg AS bg"


def test_build_order_follows_dependencies_and_refuses_circles() -> None:
    """What is needed comes first; a circle names its members."""
    assert build_order({"c": ["b"], "b": ["a"], "a": []}) == ["a", "b", "c"]
    with pytest.raises(InputError, match="circle"):
        build_order({"a": ["b"], "b": ["a"]})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("inputs: [toy_icu.stays]", "inputs: [toy_icu.other]"), "inputs and SQL differ"),
        (lambda text: text.replace("name: doubled", "name: other"), "declares the name other"),
        (lambda text: text.replace("kind: concept", "kind: reference"), "stands among the concepts"),
        (lambda text: text.replace("key: [stay_id]", "key: [nothing]"), "key names a column"),
        (lambda text: text.replace("/*", "--", 1), "has no YAML header"),
        (lambda text: text.replace("grain: one row per stay\n", ""), "grain"),
    ],
)  # fmt: skip
def test_a_header_that_does_not_fit_is_refused(change, message: str, tmp_path: Path) -> None:
    """Each way in which a header can be wrong names the file."""
    toy_library(tmp_path)
    file = tmp_path / "concepts" / "toy" / "doubled.sql"
    file.write_text(
        change(derivation("doubled", "SELECT stay_id, value FROM toy_icu.stays", "toy_icu.stays"))
    )
    with pytest.raises(InputError, match=message) as refused:
        read_library(tmp_path)
    assert str(file) in str(refused.value)


def test_the_library_is_sound() -> None:
    """Every derivation of the suite has a fitting header, and all concepts can be put in an order."""
    whole = library()
    order = whole.order(whole.concepts)
    assert sorted(order) == sorted(whole.concepts)
    for place, name in enumerate(order):
        assert whole.concepts[name].concepts <= set(order[:place])
    for reference in whole.references.values():
        assert reference.concepts <= set(whole.concepts)
        assert reference.header.key


def test_descendants_are_found_through_others(tmp_path: Path) -> None:
    """What reads a concept through another one descends from it."""
    toy = toy_library(tmp_path)
    assert toy.descendants(["doubled"]) == {"summed"}
    assert toy.descendants(["summed"]) == set()
    assert toy.source_tables("answer") == {"toy_icu.stays"}
