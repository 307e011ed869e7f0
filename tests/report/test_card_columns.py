# SPDX-License-Identifier: MIT
"""The columns of cards as a report explains them."""

import pytest

from m4bench.report.card_columns import card_columns, parse
from m4bench.report.write import installed_tasks

TASKS = installed_tasks()
CARD = """# A card

## Output

| column | type | unit | null | meaning |
|---|---|---|---|---|
| `stay_id` | integer | | never | ICU stay |
| `dose_6hr` | real | mg | where none is known | dose of the trailing 6 hours |
| `dose_12hr` | real | mg | as above | the same over 12 hours |
"""


def test_a_table_of_a_card_is_read_in_order() -> None:
    """Name, unit, when empty, meaning; `as above` is resolved, and so is what is the same as another."""
    found = parse(CARD)
    assert [(column.name, column.unit, column.empty) for column in found] == [
        ("stay_id", "", "never"),
        ("dose_6hr", "mg", "where none is known"),
        ("dose_12hr", "mg", "where none is known"),
    ]
    assert found[2].whole_meaning == (
        "dose of the trailing 6 hours (dose_6hr); here the same over 12 hours"
    )
    assert parse("# A card without a table") == ()


@pytest.mark.parametrize("name", sorted(TASKS))
def test_every_scored_column_of_every_card_has_a_meaning(name: str) -> None:
    """No task asks for a column that its report could not explain."""
    task = TASKS[name]
    meanings = {column.name: column.meaning for column in card_columns(task, str(task.version))}
    assert all(meanings.get(column) for column in (*task.scoring.key, *task.scoring.scored))
