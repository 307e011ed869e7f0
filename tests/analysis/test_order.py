# SPDX-License-Identifier: MIT
"""The order in which conditions, schemas and conventions are told."""

from m4bench.analysis.order import conditions_in_order, convention_key, schema_key


def test_conditions_stand_from_the_barest_to_the_fullest_help() -> None:
    """Known ones in the benchmark's order, others behind them by name."""
    given = ["with-skill", "zeta", "with-skill-rawsql", "alpha", "no-skill", "operational-spec"]
    assert conditions_in_order(given) == [
        "no-skill",
        "operational-spec",
        "with-skill-rawsql",
        "with-skill",
        "alpha",
        "zeta",
    ]


def test_native_and_published_come_first() -> None:
    """What everything else is compared with is told first, unknown words last."""
    schemas = ["zeta", "restructured", "native", "obfuscated"]
    assert sorted(schemas, key=schema_key) == ["native", "obfuscated", "restructured", "zeta"]
    conventions = ["current", "adjudicated", "mine", "published"]
    assert sorted(conventions, key=convention_key) == [
        "published",
        "current",
        "adjudicated",
        "mine",
    ]
