# SPDX-License-Identifier: MIT
"""The page on checks names every field there is, and its example is one."""

import re
import tomllib
from pathlib import Path

import pytest

from m4bench.suites.derivation.checks.declared import Checks, ColumnCheck
from m4bench.suites.derivation.checks.program.answer import Finding
from m4bench.suites.derivation.checks.program.check import ORDER

PAGE = Path(__file__).parents[4] / "docs" / "reference" / "checks.md"


@pytest.mark.parametrize(
    "name", [name for name in Checks.model_fields if name not in {"relations", "columns"}]
)
def test_every_table_of_rules_is_told_with_its_fields(name: str) -> None:
    """The row of a table names exactly the fields its rules have."""
    (row,) = re.findall(rf"^\| `\[\[{name}\]\]` \| ([^|]*) \|", PAGE.read_text(), re.MULTILINE)
    (rule,) = [arg for arg in Checks.model_fields[name].annotation.__args__ if arg is not ...]  # type: ignore[union-attr]
    assert set(re.findall(r"`(\w+)`", row)) == set(rule.model_fields) - {"says", "remedy"}


def test_the_example_is_read_and_uses_every_field_of_a_column() -> None:
    """The example of the page is a valid file."""
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    checks = Checks.model_validate(tomllib.loads(example))
    used = {field for column in checks.columns.values() for field in column.model_fields_set}
    assert used == set(ColumnCheck.model_fields)


def test_every_state_and_field_of_a_finding_is_told() -> None:
    """What begins a line and what JSON holds are in the page."""
    text = PAGE.read_text()
    assert all(f"`{name}`" in text for name in (*ORDER, *Finding.__dataclass_fields__))
