# SPDX-License-Identifier: MIT
"""What must hold of any reference and any submission."""

import random
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from m4bench.model.score import Score
from m4bench.suites.derivation.scoring.compare import score_file
from tests.suites.derivation.scoring.tables import rules, write_output, write_reference

START = datetime(2150, 1, 1)
CELLS: dict[str, st.SearchStrategy[Any]] = {
    "rate": st.none() | st.floats(allow_nan=False),
    "points": st.none() | st.integers(-(2**31), 2**31 - 1),
    "onset": st.none() | st.datetimes(datetime(1800, 1, 1), datetime(2300, 1, 1)),
    "label": st.none() | st.text(min_size=1, max_size=8).filter(lambda word: "\x00" not in word),
    "flag": st.none() | st.booleans(),
}
BY = rules(*CELLS, key=("stay_id", "charttime"), unordered=("label",))

References = st.lists(
    st.tuples(st.integers(1, 2**62), st.integers(0, 5), st.fixed_dictionaries(CELLS)),
    min_size=2,
    max_size=8,
    unique_by=lambda row: row[:2],
).map(
    lambda rows: [
        {"stay_id": stay, "charttime": START + timedelta(hours=hour)} | cells
        for stay, hour, cells in rows
    ]
)
anything = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def compare(folder: Path, output: list[dict[str, Any]], reference: list[dict[str, Any]]) -> Score:
    """Score rows against rows, both through files."""
    write_output(folder / "output.csv", output)
    write_reference(folder / "reference.parquet", reference, row_group=3)
    return score_file(folder / "output.csv", folder / "reference.parquet", BY, task="t")


@anything
@given(reference=References)
def test_a_reference_scored_against_itself_is_perfect(
    reference: list[dict[str, Any]], tmp_path: Path
) -> None:
    """Reward 1, every check passed, every key metric 1, no distance."""
    found = compare(tmp_path, reference, reference)
    assert (found.reward, found.error, found.notes) == (1.0, None, ())
    assert found.strict.passed
    assert all(check.passed for check in found.strict.checks)
    assert (found.keys.precision, found.keys.recall, found.keys.f1) == (1.0, 1.0, 1.0)
    assert found.ordered_nmae in (0.0, None)


@anything
@given(reference=References, seed=st.integers())
def test_order_changes_nothing(reference: list[dict[str, Any]], seed: int, tmp_path: Path) -> None:
    """Columns and rows of a submission with unique keys may stand in any order."""
    rng = random.Random(seed)
    wrong = [row | {"rate": 1.0} if rng.random() < 0.3 else row for row in reference]
    before = compare(tmp_path, wrong, reference)
    names = rng.sample(list(wrong[0]), len(wrong[0]))
    shuffled = [{name: row[name] for name in names} for row in rng.sample(wrong, len(wrong))]
    after = compare(tmp_path, shuffled, rng.sample(reference, len(reference)))
    assert after.ordered_nmae == (
        None if before.ordered_nmae is None else pytest.approx(before.ordered_nmae)
    )
    assert after.model_copy(update={"ordered_nmae": before.ordered_nmae}) == before


@anything
@given(reference=References, data=st.data())
def test_no_trick_with_rows_pays(
    reference: list[dict[str, Any]], data: st.DataObject, tmp_path: Path
) -> None:
    """An invented row, a repeated row or a matching row left out never raises the reward."""
    honest = [row | {"rate": 0.5} if data.draw(st.booleans()) else row for row in reference]
    before = compare(tmp_path, honest, reference).reward
    row = data.draw(st.sampled_from(honest))
    invented = row | {"stay_id": 2**62 + 1}
    place = data.draw(st.integers(0, len(honest)))
    for trick in (
        [*honest[:place], invented, *honest[place:]],
        [*honest[:place], row, *honest[place:]],
        [other for other in honest if other is not row],
    ):
        assert compare(tmp_path, trick, reference).reward <= before


@anything
@given(reference=References, data=st.data())
def test_one_spoilt_cell_costs_one_cell(
    reference: list[dict[str, Any]], data: st.DataObject, tmp_path: Path
) -> None:
    """Garbage in one cell of a perfect submission costs that cell and no other."""
    column = data.draw(st.sampled_from(list(CELLS)))
    place = data.draw(st.integers(0, len(reference) - 1))
    spoilt = [dict(row) for row in reference]
    spoilt[place][column] = data.draw(st.sampled_from(["#REF!", "n/a", "<na>", "1_0", "12:61"]))
    if spoilt[place][column] == reference[place][column]:
        return
    found = compare(tmp_path, spoilt, reference)
    count = len(reference)
    for name, scored in found.columns.items():
        assert scored.matched == count - int(name == column)
    assert found.reward == round((4 + round(1 - 1 / count, 8)) / 5, 8)
