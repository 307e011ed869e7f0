# SPDX-License-Identifier: MIT
"""Joins the parts of the program `check` to one file that needs nothing of this package. Knows no task."""

import ast
from functools import lru_cache
from pathlib import Path

PARTS = ("form", "answer", "cells", "records", "check")
_FOLDER = Path(__file__).with_name("program")
_PACKAGE = f"{__package__}.program"


@lru_cache(maxsize=1)
def joined_program() -> str:
    """Return the source of the whole program: licence, the last part's docstring, imports, then part by part."""
    imports: set[str] = set()
    bodies = []
    for part in PARTS:
        source = (_FOLDER / f"{part}.py").read_text(encoding="utf-8")
        tree = ast.parse(source)
        last = 0
        for node in tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                last = node.end_lineno or 0
                if not (
                    isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_PACKAGE)
                ):
                    imports.add(ast.unparse(node))
        bodies.append("\n".join(source.splitlines()[last:]).strip())
    opening = f'# SPDX-License-Identifier: MIT\n"""{ast.get_docstring(tree, clean=False)}"""\n'
    return "\n\n".join([opening, _sorted(imports), "\n\n\n".join(bodies)]) + "\n"


def _sorted(imports: set[str]) -> str:
    """Return import statements as lines, names of one module together, the foreign package last."""
    names: dict[str, set[str]] = {}
    plain = set()
    for statement in imports:
        node = ast.parse(statement).body[0]
        if isinstance(node, ast.ImportFrom):
            names.setdefault(node.module or "", set()).update(name.name for name in node.names)
        else:
            plain.add(statement)
    foreign = {"import duckdb"}
    lines = sorted(plain - foreign)
    lines += [
        f"from {module} import {', '.join(sorted(names[module]))}" for module in sorted(names)
    ]
    return "\n".join([*lines, "", *sorted(foreign)]) + "\n"
