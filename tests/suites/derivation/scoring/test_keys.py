# SPDX-License-Identifier: MIT
"""Keys of every kind, and the keys the reference does not hold."""

import os
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from m4bench.suites.derivation.scoring import extras, tally
from m4bench.suites.derivation.scoring.cells import Cells
from m4bench.suites.derivation.scoring.compare import score_file
from m4bench.suites.derivation.scoring.extras import ExtraKeys, key_hashes
from m4bench.suites.derivation.scoring.keys import NOWHERE, KeyIndex
from tests.suites.derivation.scoring.tables import rules, score


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        *((cell, 1) for cell in ("123", "123.0", "1.23e2", " 123 ", "+123", '"123"', "0123")),
        *((cell, 0) for cell in ("123.5", "122.99999999", "0x7b", "1_23", "123a", "")),
    ],
)
def test_an_integer_key_has_many_spellings(tmp_path: Path, cell: str, found: int) -> None:
    """Whole floats, blanks and quotes are the same key; whatever is not that number is not."""
    text = f"stay_id,rate\n{cell},1\n"
    keys = score(tmp_path, text, [{"stay_id": 123, "rate": 1.0}], rules("rate")).keys
    assert (keys.matched, keys.extra) == (found, 1 - found)


def test_integer_keys_beyond_doubles_stay_apart(tmp_path: Path) -> None:
    """2**53 and 2**53 + 1 are two keys, as text and as float spellings."""
    rows = [{"stay_id": 2**53 + more, "rate": float(more)} for more in (0, 1, 2)]
    text = f"stay_id,rate\n{2**53},0\n{2**53 + 1}.0,1\n{2**53 + 2}.00,2\n{2**53 + 3},3\n"
    found = score(tmp_path, text, rows, rules("rate"))
    assert (found.columns["rate"].matched, found.keys.extra) == (3, 1)


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("2150-01-01 00:00:00", 1),
        ("2150-01-01T00:00", 1),
        ("2150-01-01", 1),
        ("2150-01-01T00:00:00Z", 1),
        ("2150-01-01 00:00:00.000000", 1),
        ("2150-01-01 00:00:00.5", 0),
        ("2150-01-01 00:00:00+01:00", 0),
        ("1/1/2150", 0),
        ("", 0),
    ],
)
def test_a_time_key_has_many_spellings(tmp_path: Path, cell: str, found: int) -> None:
    """ISO spellings of the same wall clock are the same key."""
    rows = [{"stay_id": 1, "charttime": datetime(2150, 1, 1), "rate": 1.0}]
    text = f"stay_id,charttime,rate\n1,{cell},1\n"
    keys = score(tmp_path, text, rows, rules("rate", key=("stay_id", "charttime"))).keys
    assert (keys.matched, keys.extra) == (found, 1 - found)


def test_text_and_float_keys_work_too(tmp_path: Path) -> None:
    """Keys of other kinds are exact, and their extras are counted apart and once."""
    table = pa.table({"unit": ["a", "b", "ü"], "depth": [0.5, 1.5, -0.0], "rate": [1.0, 2.0, 3.0]})
    pq.write_table(table, tmp_path / "reference.parquet")
    output = tmp_path / "output.csv"
    output.write_text("unit,depth,rate\na,0.5,1\nü,0,3\nb,1.50,2\nb,0.5,2\nz,1,1\nz,1,1\nA,0.5,1\n")
    by = rules("rate", key=("unit", "depth"))
    found = score_file(output, tmp_path / "reference.parquet", by, task="t")
    assert (found.keys.matched, found.keys.extra, found.keys.duplicate) == (3, 3, 1)
    assert found.reward == round(3 / 7, 8)


def integers(values: list[int]) -> Cells:
    """Return integer cells."""
    return Cells("integer", np.array(values, dtype=np.int64), None, None)


def instants(values: list[int]) -> Cells:
    """Return time cells from microseconds."""
    return Cells("instant", np.array(values, dtype=np.int64), None, None)


FAR = st.integers(-(2**63), 2**63 - 1)
NEAR = st.integers(0, 3)


@given(
    st.lists(st.tuples(FAR | NEAR, FAR | NEAR), min_size=1, max_size=20, unique=True),
    st.lists(st.tuples(FAR | NEAR, FAR | NEAR), min_size=1, max_size=20),
)
def test_any_two_part_key_is_found_where_it_is(
    held: list[tuple[int, int]], sought: list[tuple[int, int]]
) -> None:
    """Over the whole range of 64 bits each key is found in its row, and others nowhere."""
    index = KeyIndex.of([integers([a for a, _ in held]), instants([b for _, b in held])])
    sought = [*sought, *held]
    rows = index.locate([integers([a for a, _ in sought]), instants([b for _, b in sought])])
    assert rows.tolist() == [held.index(key) if key in held else NOWHERE for key in sought]


def test_sub_second_times_are_told_apart() -> None:
    """Where all reference times are whole seconds a fraction is another key."""
    hour = int(timedelta(hours=1).total_seconds()) * 1_000_000
    index = KeyIndex.of([instants([0, hour, 2 * hour])])
    assert index.locate([instants([hour, hour + 1, hour - 1])]).tolist() == [1, NOWHERE, NOWHERE]


def test_extra_keys_are_counted_once_however_many() -> None:
    """Distinct extras stay distinct across batches."""
    extra = ExtraKeys(15)
    for start in (0, 5, 0):
        extra.add(np.arange(start, start + 10, dtype=np.uint64))
    assert extra.distinct() == 15


MASK = 2**64 - 1


def mixed(word: int) -> int:
    """The finaliser of SplitMix64, which anyone can look up."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ word >> 27) * 0x94D049BB133111EB & MASK
    return word ^ word >> 31


def unmixed(word: int) -> int:
    """The word that `mixed` turns into this one."""
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        word ^= word >> shift ^ (word >> 2 * shift)
        word = word * pow(factor, -1, 2**64) & MASK
    return word


def test_keys_made_to_collide_under_a_known_seed_are_told_apart() -> None:
    """Whoever knows the mixing but not the secret cannot make different extra keys count as one."""
    assert unmixed(mixed(12345)) == 12345
    seed, target = 0x9E3779B97F4A7C15, 0xDEADBEEF
    stays = list(range(1, 501))
    times = [unmixed(unmixed(target) ^ mixed(seed ^ mixed(stay))) for stay in stays]
    signed = np.array(times, dtype=np.uint64).view(np.int64).tolist()
    assert (
        len({mixed(mixed(seed ^ mixed(a)) ^ mixed(b)) for a, b in zip(stays, times, strict=True)})
        == 1
    )
    hashes = key_hashes([integers(stays), integers(signed)], np.arange(500))
    assert len(set(hashes.tolist())) == 500


def test_the_hash_of_a_key_is_another_in_another_process() -> None:
    """The secret is drawn anew in each process, for numbers as for texts, whatever Python's hash seed."""
    code = (
        "import numpy as np, pyarrow as pa\n"
        "from m4bench.suites.derivation.scoring.cells import Cells\n"
        "from m4bench.suites.derivation.scoring.extras import key_hashes\n"
        "one = np.arange(1)\n"
        "print(key_hashes([Cells('integer', one, None, None)], one),"
        " key_hashes([Cells('text', pa.array([b'a']), None, None)], one))\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": "0"},
        ).stdout
        for _ in range(2)
    }
    one, other = (words.split() for words in told)
    assert one[0] != other[0]
    assert one[1] != other[1]


@given(
    st.lists(st.lists(st.integers(0, 300), max_size=120), max_size=12),
    st.sampled_from([1, 7, 50]),
)
def test_extra_keys_in_any_portions_are_counted_once(
    portions: list[list[int]], compact_at: int
) -> None:
    """However often what has been seen is put together, each key counts once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extras, "_COMPACT_AT", compact_at)
        extra = ExtraKeys(1_000)
        for portion in portions:
            extra.add(np.array(portion, dtype=np.uint64))
        assert extra.distinct() == len({key for portion in portions for key in portion})


def test_putting_extra_keys_together_is_not_done_again_and_again() -> None:
    """Over many portions all new, what is sorted in all stays within a few times what was given."""
    worked = []
    sort = np.sort
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extras, "_COMPACT_AT", 10)
        patch.setattr(extras.np, "sort", lambda keys: worked.append(len(keys)) or sort(keys))
        extra = ExtraKeys(100_000)
        for start in range(0, 20_000, 10):
            extra.add(np.arange(start, start + 10, dtype=np.uint64))
        assert extra.distinct() == 20_000
    assert sum(worked) < 4 * 20_000


@pytest.mark.parametrize(("extra", "refused"), [(30, False), (31, True)])
def test_extra_keys_are_bounded_by_the_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extra: int, refused: bool
) -> None:
    """Ten extra keys a reference row, and some more, are counted; beyond that the file is refused."""
    monkeypatch.setattr(tally, "EXTRA_KEYS_ALWAYS_TAKEN", 10)
    rows = [{"stay_id": stay, "rate": 1.0} for stay in (1, 2)]
    text = "stay_id,rate\n1,1\n2,1\n" + "".join(f"{100 + key},1\n" * 2 for key in range(extra))
    found = score(tmp_path, text, rows, rules("rate"))
    assert found.reward == (0.0 if refused else round(2 / 62, 8))
    assert found.error == ("more than 30 keys are not in the reference" if refused else None)
