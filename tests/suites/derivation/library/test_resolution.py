# SPDX-License-Identifier: MIT
"""Parameters and macros become plain SQL, and what does not fit is refused by name."""

import pytest

from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.resolution import Macro, expanded, with_values

MACROS = {
    "half": Macro("half", ("a",), "a / 2"),
    "clamp": Macro("clamp", ("x", "low"), "CASE WHEN x < low THEN low ELSE t.x + x END"),
    "twice_half": Macro("twice_half", ("b",), "2 * half(b)"),
}


@pytest.mark.parametrize(
    ("sql", "values", "wanted"),
    [
        ("SELECT $age FROM t", {"age": "floor(years)"}, "SELECT floor(years) FROM t"),
        ("$a + $ab", {"a": "1", "ab": "2"}, "1 + 2"),
        ("$outer", {"outer": "f($inner)", "inner": "x"}, "f(x)"),
        ("'costs 5$' || x", {}, "'costs 5$' || x"),
    ],
)
def test_a_parameter_is_replaced_by_its_value(
    sql: str, values: dict[str, str], wanted: str
) -> None:
    """Whole names are replaced, and values may name other parameters."""
    assert with_values(sql, values) == wanted


@pytest.mark.parametrize(
    ("sql", "values", "fault"),
    [
        ("SELECT $age", {"year": "1"}, r"\$age is not declared"),
        ("$a", {"a": "$b", "b": "$a"}, "in a circle"),
    ],
)
def test_a_parameter_that_cannot_be_replaced_is_an_error(
    sql: str, values: dict[str, str], fault: str
) -> None:
    """Unknown and circular parameters are named."""
    with pytest.raises(InputError, match=fault):
        with_values(sql, values)


@pytest.mark.parametrize(
    ("sql", "wanted"),
    [
        ("SELECT half(v) FROM t", "SELECT (v / 2) FROM t"),
        ("half (v + 1)", "((v + 1) / 2)"),
        ("twice_half(v)", "(2 * (v / 2))"),
        ("clamp(greatest(p, q), 0)", "(CASE WHEN (greatest(p, q)) < 0 THEN 0 ELSE t.x + (greatest(p, q)) END)"),
        ("half(half(v))", "(((v / 2)) / 2)"),
        ("half('a, (b')", "(('a, (b') / 2)"),
        ("s.half(v), 'half(v)', \"half\"(v), halves(v)", "s.half(v), 'half(v)', \"half\"(v), halves(v)"),
        ("half(-- the value\n v)", "((-- the value\n v\n) / 2)"),
    ],
)  # fmt: skip
def test_a_macro_call_is_replaced_by_its_expression(sql: str, wanted: str) -> None:
    """Calls, nested calls and calls in macros are replaced; texts, quoted and qualified names are not calls."""
    assert expanded(sql, MACROS) == wanted


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("half(a, b)", "half takes 1 arguments and is given 2"),
        ("clamp()", "clamp takes 2 arguments and is given 0"),
        ("half((a)", "is not closed"),
    ],
)
def test_a_call_that_does_not_fit_is_an_error(sql: str, fault: str) -> None:
    """Another number of arguments and an open parenthesis are refused."""
    with pytest.raises(InputError, match=fault):
        expanded(sql, MACROS)


def test_macros_that_call_each_other_are_an_error() -> None:
    """A circle of macros ends."""
    circle = {"a": Macro("a", ("x",), "b(x)"), "b": Macro("b", ("x",), "a(x)")}
    with pytest.raises(InputError, match="in a circle"):
        expanded("a(1)", circle)
