# SPDX-License-Identifier: MIT
"""The generator uses no routine of NumPy whose last digit or order of equals hangs on the processor."""

import ast
from pathlib import Path

import pytest

import m4bench.data.synthetic as package

FOLDER = Path(package.__file__).parent
INEXACT = {"exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "tanh", "sinh",
           "cosh", "arctan", "arctan2", "power", "float_power", "cbrt", "hypot", "dot", "matmul", "einsum"}  # fmt: skip
MODULES = sorted(FOLDER.rglob("*.py"))


def exact(power: ast.BinOp) -> bool:
    """Tell whether a power is one of whole numbers, a product or a square root, all of which are exact."""
    base, exponent = power.left, power.right
    if isinstance(base, ast.UnaryOp):
        base = base.operand
    whole = isinstance(base, ast.Constant) and isinstance(base.value, int)
    plain = isinstance(exponent, ast.Constant) and exponent.value in (2, 3, 0.5)
    return whole or plain


def findings(source: str) -> list[str]:
    """Return the calls of a module that a hospital's rows must not depend on."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "np"
        ) and node.attr in INEXACT:
            found.append(f"line {node.lineno}: np.{node.attr}")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            stable = any(word.arg == "kind" for word in node.keywords)
            if node.func.attr == "argsort" and not stable:
                found.append(f"line {node.lineno}: argsort without kind='stable'")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not exact(node):
            found.append(f"line {node.lineno}: ** instead of power")
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_elementary_functions_are_those_of_the_hospital(module: Path) -> None:
    """Exponentials and their like come from `elementary`, orders are stable."""
    assert findings(module.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "wrong", ["np.exp(x)", "x.argsort()", "np.argsort(x)", "0.5 ** x", "x**1.15", "x**y"]
)
def test_what_is_inexact_is_found(wrong: str) -> None:
    """The search finds what it is for."""
    assert findings(wrong)
