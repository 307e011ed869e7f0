# SPDX-License-Identifier: MIT
"""The comparer against a slow scorer written from the definitions, on small and dirty tables."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from m4bench.suites.derivation.scoring import batches
from tests.suites.derivation.scoring.oracle import expect
from tests.suites.derivation.scoring.tables import (
    KINDS,
    rules,
    score,
    spelled,
)

HOURS = [datetime(2150, 1, 2, hour) for hour in range(4)]
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "rate": st.none() | st.sampled_from([0.0, 0.1, 0.11, 1.5, 1e308, float("inf"), -2.25]),
    "points": st.none() | st.integers(0, 4),
    "onset": st.none() | st.sampled_from(HOURS),
    "label": st.none() | st.sampled_from(["None", "NA", "a b", "nan", 'say "x"', "é"]),
    "flag": st.none() | st.booleans(),
}
COLUMNS = tuple(VALUES)
DIRT = st.sampled_from(
    [
        *(
            "",
            " ",
            "n/a",
            "nan",
            "inf",
            "NULL",
            "None",
            "1e400",
            "1e-99999999999999999999",
            "0e" + "9" * 390,
            "0" * 500 + "1",
            "0x1",
            "1_0",
            " 1 ",
            "true",
            "TRUE",
        ),
        *("0", "1", "1.0", "1e0", "0.1", "0.10000000000000001", "0.11", "1.51", "x" * 50, "1;2"),
        *("2150-01-02", "2150-01-02T01:00", "2150-01-02 01:00:00Z", "2150-1-2", "é", "a b"),
        *('"1"', '""', '"a ""b"""', '"1"0', '5"', '"1,5"', '"1\n2"', "a\x00b"),
    ]
)
KEY_DIRT = st.sampled_from(
    [
        *("", "x", "1.0", " 2", "3e0", "1.5", "99", "99.0", '"1"', "-1", "9" * 30, "0x1", "1_0"),
        *("inf", "true", "1e-99999999999999999999", "1e99999999999999999999", "0e" + "9" * 390),
        *("10e-1", "1" + "0" * 390 + "e-390", str(-(2**63)), f"{-(2**63)}.0", str(2**63)),
    ]
)


def field(value: Any) -> str:
    """Return a value as a CSV field, quoted where it must be."""
    text = spelled(value)
    return '"' + text.replace('"', '""') + '"' if set(text) & set('",\n\r') else text


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, list[dict[str, Any]], tuple[str, ...]]:
    """Draw a reference and a submission that starts from it and went wrong here and there."""
    key = draw(st.sampled_from([("stay_id",), ("stay_id", "charttime")]))
    stays = draw(st.lists(st.integers(1, 12), min_size=1, max_size=8, unique=True))
    reference = []
    for stay in stays:
        row: dict[str, Any] = {"stay_id": stay}
        if len(key) == 2:
            row["charttime"] = draw(st.sampled_from(HOURS))
        reference.append(row | {name: draw(values) for name, values in VALUES.items()})
    header = [*key, *COLUMNS]
    lines = [[field(row[name]) for name in header] for row in reference]
    for position in draw(st.lists(st.integers(0, len(lines) - 1), max_size=3)):
        lines.append(list(lines[position]))
    lines = draw(st.permutations(lines))[: draw(st.integers(0, len(lines)))]
    for line in lines:
        for _ in range(draw(st.integers(0, 2))):
            line[draw(st.integers(len(key), len(header) - 1))] = draw(DIRT)
        if draw(st.integers(0, 5)) == 0:
            line[0] = draw(KEY_DIRT)
        match draw(st.integers(0, 11)):
            case 0:
                del line[draw(st.integers(1, len(line))) :]
            case 1:
                line.append(draw(DIRT))
    order = draw(st.permutations(range(len(header))))
    if all(len(line) == len(header) for line in lines):
        header = [header[place] for place in order]
        lines = [[line[place] for place in order] for line in lines]
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    text = end.join(",".join(line) for line in [header, *lines])
    return text + draw(st.sampled_from(["", end, end + end])), reference, key


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(case=cases(), chunk=st.sampled_from([48, 200, 4 << 20]), group=st.sampled_from([2, 100]))
def test_the_comparer_equals_the_definitions(
    case: tuple[str, list[dict[str, Any]], tuple[str, ...]],
    chunk: int,
    group: int,
    tmp_path: Path,
) -> None:
    """Reward, counts, distances and checks are those of the slow scorer, however the file is cut."""
    text, reference, key = case
    by = rules(*COLUMNS, key=key, unordered=("label",), rate=0.01, onset=3600.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "CHUNK_BYTES", chunk)
        found = score(tmp_path, text, reference, by, row_group=group)
    if found.error is not None:
        records = expect(text, reference, KINDS, by)
        assert found.error == "it has a header and no rows"
        assert records.reward == found.reward == 0.0
        return
    told = expect(text, reference, KINDS, by)
    assert found.reward == told.reward
    assert {name: column.matched for name, column in found.columns.items()} == told.matched
    assert {name: column.unreadable for name, column in found.columns.items()} == told.unreadable
    assert {column.total for column in found.columns.values()} == {told.total}
    keys = found.keys
    assert (keys.matched, keys.missing, keys.extra, keys.duplicate) == (
        told.found,
        told.missing,
        told.extra,
        told.duplicate,
    )
    assert found.strict.passed == told.strict
    assert found.ordered_nmae == (None if told.nmae is None else pytest.approx(told.nmae))
