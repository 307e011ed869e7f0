# SPDX-License-Identifier: MIT
"""Files of any shape get a score and a reason: no crash, no wait, no gain."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from m4bench.model.task import ScoringRules
from m4bench.suites.derivation.scoring import batches
from m4bench.suites.derivation.scoring.compare import score_file
from m4bench.suites.derivation.scoring.submission import LONGEST_LINE, open_submission
from tests.suites.derivation.scoring.tables import rules, score, write_reference

ROWS = [{"stay_id": stay, "rate": float(stay), "label": f"l{stay}"} for stay in (1, 2, 3, 4)]
BY = rules("rate", "label")
CLEAN = "stay_id,rate,label\n1,1,l1\n2,2,l2\n3,3,l3\n4,4,l4\n"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"\n\n\r\n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"stay_id,rate,label\n", "no rows"),
        (b"stay_id,rate,label", "no rows"),
        (b"stay,rate,label\n1,1,l1\n", "no key column stay_id"),
        (b"STAY_ID,rate,label\n1,1,l1\n", "no key column stay_id"),
        (b"1,1,l1\n2,2,l2\n", "no key column stay_id"),
        (CLEAN.replace(",", ";").encode(), "semicolons"),
        (CLEAN.replace(",", "\t").encode(), "tabs"),
        (CLEAN.replace(",", "|").encode(), "bars"),
        (CLEAN.encode("utf-16"), "UTF-16"),
        (CLEAN.encode("utf-16-le"), "not text"),
        (gzip.compress(CLEAN.encode(), mtime=0), "gzip"),
        (bytes(range(256)) * 40, "not text"),
        (b"\x89PNG\r\n\x1a\n", "not UTF-8"),
        (b"\x00" * 5000, "not text"),
        (b'"stay_id,rate,label\n1,1,l1\n', "quote"),
        (b'stay_id,rate,label\n1,1,"l1\n2,2,l2\n3,3,l3\n', "quote"),
        (b"x" * (LONGEST_LINE + 10), "longer than"),
        (b"stay_id,rate,label\n" + b"1" * (2 * LONGEST_LINE + 10), "longer than"),
        (b'stay_id,rate,label\n1,1,"' + b"x\n" * LONGEST_LINE, "longer than"),
        (b",".join(b"c%d" % place for place in range(20_000)) + b"\n1\n", "columns"),
        (b"[1, 2]\n", "no key column"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_what_is_no_table_scores_zero_and_says_why(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    """Reward 0, a reason that names the fault, no strict pass, and a whole score around it."""
    found = score(tmp_path, content, ROWS, BY)
    assert found.reward == 0.0
    assert reason in (found.error or "")
    assert not found.strict.passed
    assert found.ordered_nmae is None
    assert (found.keys.reference, found.keys.missing, found.keys.output) == (4, 4, 0)
    assert {column.match_rate for column in found.columns.values()} == {0.0}


@pytest.mark.parametrize(
    ("text", "reward", "note"),
    [
        ("\ufeff" + CLEAN, 1.0, "byte-order mark"),
        (CLEAN.replace("\n", "\r\n"), 1.0, None),
        (CLEAN.replace("\n", "\r"), 1.0, None),
        (CLEAN.replace("\n", "\n\n"), 1.0, None),
        (CLEAN.rstrip("\n"), 1.0, None),
        ("\n\n" + CLEAN, 1.0, None),
        (CLEAN.replace("1,1,l1", '"1","1","l1"'), 1.0, None),
        (CLEAN.replace("1,1,l1", "1.0,1.00,l1"), 1.0, None),
        (CLEAN.replace("1,1,l1", "1e0, 1 ,l1"), 1.0, None),
        (CLEAN.replace("1,1,l1", '1,1,"l\n1"'), 0.875, None),
        (CLEAN.replace("1,1,l1", '1,1,"l""1"'), 0.875, None),
        (CLEAN.replace("1,1,l1", "1,1,l\x001"), 0.875, None),
        (CLEAN.replace("1,1,l1", '1,1,l1"'), 0.875, None),
        (CLEAN.replace("1,1,l1", "1,1,l1,extra,extra"), 1.0, None),
        (CLEAN.replace("1,1,l1", "1,1"), 0.875, None),
        (CLEAN.replace("1,1,l1", "1"), 0.75, None),
        (CLEAN.replace("1,1,l1", ",1,l1"), 0.6, "1 rows have a key that cannot be read"),
        (CLEAN.replace("1,1,l1", "one,1,l1"), 0.6, "1 rows have a key that cannot be read"),
        (CLEAN.replace("1,1,l1", "1,1e308,l1"), 0.875, None),
        ("label,rate,stay_id\nl1,1,1\nl2,2,2\nl3,3,3\nl4,4,4\n", 1.0, None),
        (CLEAN.replace("label", "label,label").replace("l4", "l4,x"), 1.0, "repeated"),
        ("x,stay_id,y,rate,label\n?,1,?,1,l1\n?,2,?,2,l2\n,3,,3,l3\n0,4,0,4,l4\n", 1.0, None),
    ],
)
def test_what_is_odd_but_readable_is_read(
    tmp_path: Path, text: str, reward: float, note: str | None
) -> None:
    """Line ends, quoting, marks, order and ragged rows cost what they spoil and nothing else."""
    found = score(tmp_path, text, ROWS, BY)
    assert found.error is None
    assert found.reward == round(reward, 8)
    assert any(note in told for told in found.notes) if note else not found.notes


def test_a_latin_1_cell_is_one_wrong_cell(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 are compared as the bytes they are."""
    found = score(tmp_path, CLEAN.encode().replace(b"l1", b"l\xe9"), ROWS, BY)
    assert found.columns["label"].matched == 3
    assert found.reward == 0.875


def test_a_header_name_given_twice_counts_once(tmp_path: Path) -> None:
    """The first column of a name is the answer, whatever stands in the second."""
    found = score(tmp_path, "stay_id,rate,rate\n1,1,9\n2,9,2\n", ROWS[:2], rules("rate"))
    assert found.reward == 0.5


_PRESENT = ("folder.csv", "pipe.csv", "link.csv")


def reference_of(folder: Path) -> Path:
    """Write the reference alone."""
    return write_reference(folder / "reference.parquet", ROWS)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing.csv", "no such file"),
        ("folder.csv", "directory"),
        ("pipe.csv", "regular"),
        ("link.csv", "symbolic link"),
        ("missing/output.csv", "no such file"),
        ("a" * 400, "cannot be opened"),
        ("nul\x00.csv", "cannot be opened"),
    ],
)
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, name: str, reason: str) -> None:
    """Nothing is followed and nothing is waited for."""
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "real.csv").write_text(CLEAN)
    (tmp_path / "link.csv").symlink_to("real.csv")
    found = score_file(tmp_path / name, reference_of(tmp_path), BY, task="t")
    assert (found.reward, found.strict.passed) == (0.0, False)
    assert reason in (found.error or "")
    exists = found.strict.checks[0]
    assert (exists.name, exists.passed) == ("output_exists", name in _PRESENT)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/stdin"])
def test_devices_are_refused(tmp_path: Path, device: str) -> None:
    """An endless or silent device is not read."""
    found = score_file(Path(device), reference_of(tmp_path), BY, task="t")
    assert found.reward == 0.0
    assert found.error


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    """A sparse file beyond the bound costs nothing."""
    output = tmp_path / "output.csv"
    with output.open("wb") as stream:
        stream.truncate(9 << 30)
    found = score_file(output, reference_of(tmp_path), BY, task="t")
    assert "larger than 8 GiB" in (found.error or "")


def test_a_file_that_grows_meanwhile_is_not_scored(tmp_path: Path) -> None:
    """A file still being written measures nothing."""
    output = tmp_path / "output.csv"
    output.write_text(CLEAN)
    source = open_submission(output)
    with output.open("a") as stream:
        stream.write("5,5,l5\n")
    space = memoryview(bytearray(1_000))
    assert bytes(space[: source.fill(space)]).decode() == CLEAN.split("\n", 1)[1]
    assert not source.unchanged()
    source.close()


def peak_of_scoring(output: Path, reference: Path, by: ScoringRules) -> tuple[float, str, int]:
    """Score a file in a process of its own; return reward, reason and the peak of memory in MiB."""
    code = (
        "from pathlib import Path\n"
        "from m4bench.suites.derivation.scoring.compare import score_file\n"
        "from m4bench.model.task import ScoringRules\n"
        f"by = ScoringRules.model_validate_json({by.model_dump_json()!r})\n"
        f"found = score_file(Path({str(output)!r}), Path({str(reference)!r}), by, task='t')\n"
        "peak = Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0]\n"
        "print(found.reward, int(peak) // 1024, found.error or '', sep='|')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    reward, peak, reason = done.stdout.strip().split("|")
    return float(reward), reason, int(peak)


@pytest.mark.parametrize("content", ["one line", "a quote", "a key"])
def test_a_gigabyte_of_nothing_takes_little_memory(tmp_path: Path, content: str) -> None:
    """A sparse gigabyte without a line end, in whatever state of quoting, is refused in bounded memory."""
    start = {
        "one line": "",
        "a quote": 'stay_id,rate,label\n1,1,"',
        "a key": "stay_id,rate,label\n",
    }
    output = tmp_path / "output.csv"
    with output.open("wb") as stream:
        stream.write(start[content].encode())
        stream.truncate(1 << 30)
    reward, reason, peak = peak_of_scoring(output, reference_of(tmp_path), BY)
    assert reward == 0.0
    assert reason
    assert peak < 250


HEADER = b"stay_id,rate,label\n"
WIDE_HEADER = b",".join(b"c%d" % place for place in range(9_000)) + b"," + HEADER


@pytest.mark.parametrize(
    ("header", "row", "mebibytes", "reason"),
    [
        (HEADER, b'"\nab",', 96, "a row is longer than 4 MiB"),
        (HEADER, b"9\n", 96, ""),
        (HEADER, b'"9"\n', 24, ""),
        (HEADER, b"9\r", 24, ""),
        (HEADER, b",,\n", 96, ""),
        (HEADER, b"1,1,l1" + b"," * 4_000_000 + b"\n", 96, ""),
        (HEADER, b'1"' + b",ab" * 1_300_000 + b"\n", 96, ""),
        (WIDE_HEADER, b'a"' + b"," * 9_001 + b"1\n", 96, ""),
        (WIDE_HEADER, b'a"' + b"xy," * 9_002 + b"1\n", 96, ""),
    ],
    ids=[
        *("endless record", "tiny ragged rows", "quoted ragged rows", "lone returns"),
        *("empty cells", "over-wide rows", "over-wide odd rows", "wide odd rows", "wide odd cells"),
    ],
)
def test_a_hundred_megabytes_of_anything_take_bounded_memory(
    tmp_path: Path, header: bytes, row: bytes, mebibytes: int, reason: str
) -> None:
    """Records without end, rows of one byte, rows of millions of fields: none takes 600 MiB."""
    output = tmp_path / "output.csv"
    block = row * max(1, (1 << 20) // len(row))
    with output.open("wb") as stream:
        stream.write(header)
        while stream.tell() < mebibytes << 20:
            stream.write(block)
    reward, told, peak = peak_of_scoring(output, reference_of(tmp_path), BY)
    assert reward < 0.1
    assert told == reason
    assert peak < 600


@pytest.mark.parametrize("short", [0, 1])
@pytest.mark.parametrize("quote", ["", '"'])
def test_a_row_is_bounded_in_bytes_however_it_is_cut(
    tmp_path: Path, short: int, quote: str
) -> None:
    """A row of exactly 4 MiB with its line end is read, one byte more is refused, in any size of chunks."""
    cell = "é" * 100 + "x" * (LONGEST_LINE - 200 - len("2,2,\n") - 2 * len(quote) + 1 - short)
    text = f"stay_id,rate,label\n1,1,l1\n2,2,{quote}{cell}{quote}\n3,3,l3\n"
    for more in ("", '4,4,l"4\n'):
        for chunk in (1 << 18, 4 << 20):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(batches, "CHUNK_BYTES", chunk)
                found = score(tmp_path, text + more, ROWS, BY)
            assert found.error == (None if short else "a row is longer than 4 MiB")
            assert found.columns["rate"].matched == (len(more) // 8 + 3 if short else 0)


def test_an_unexpected_fault_is_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should scoring itself fail on a file, that file is refused with the kind of fault and no more."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("PATIENTVALUE")

    monkeypatch.setattr(batches.ByteBatch, "_columns", fail)
    found = score(tmp_path, CLEAN, ROWS, BY)
    assert (found.reward, found.strict.passed) == (0.0, False)
    assert found.error == "it could not be scored (ZeroDivisionError)"


@pytest.mark.parametrize("exponent", ["-99999999999999999999", "99999999999999999999", "9" * 390])
def test_an_absurd_exponent_is_a_cell_like_any_other(tmp_path: Path, exponent: str) -> None:
    """Exponents beyond any arithmetic, in keys and values, cost the row or the cell they are in."""
    text = CLEAN.replace("1,1,l1", f"1e{exponent},1,l1").replace("2,2,l2", f"2,2e{exponent},l2")
    found = score(tmp_path, text, ROWS, BY)
    assert found.error is None
    assert (found.keys.matched, found.keys.extra) == (3, 1)
    assert (found.columns["rate"].matched, found.columns["label"].matched) == (2, 3)


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    body=st.binary(max_size=300)
    | st.lists(
        st.sampled_from([b'"', b",", b"\n", b"\r", b"1", b"l1", b"\x00", b"\xff", b" "])
    ).map(b"".join),
    chunk=st.sampled_from([16, 64, 4 << 20]),
)
def test_any_bytes_after_a_header_get_a_score(body: bytes, chunk: int, tmp_path: Path) -> None:
    """Random bytes never raise, and however they are cut into batches they score the same."""
    text = b"stay_id,rate,label\n" + body
    whole = score(tmp_path, text, ROWS, BY)
    assert 0.0 <= whole.reward <= 1.0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "CHUNK_BYTES", chunk)
        assert score(tmp_path, text, ROWS, BY) == whole


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(content=st.binary(max_size=200))
def test_any_bytes_at_all_get_a_score(content: bytes, tmp_path: Path) -> None:
    """A file of random bytes scores 0 with a reason."""
    found = score(tmp_path, content, ROWS, BY)
    assert found.reward == 0.0
    assert found.error


def test_no_reason_or_note_holds_a_cell(tmp_path: Path) -> None:
    """What is said about a licensed file names none of its cells."""
    secret = "PATIENTVALUE"
    for text in (
        f'stay_id,rate,label\n1,{secret},"{secret}\n',
        f"stay_id,rate,label\n{secret},{secret},{secret}\n",
        f"stay_id,rate,label\n1,{secret}\n2,{secret},{secret},{secret}\n",
        f"{secret};{secret}\n{secret}\n",
        f"{secret},{secret}\n{secret}\n",
    ):
        assert secret not in score(tmp_path, text, ROWS, BY).model_dump_json()
