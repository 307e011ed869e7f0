# SPDX-License-Identifier: MIT
import csv
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from m4bench.data import text_stream
from m4bench.data.text_stream import TextFaultError, TextStream, place_of
from m4bench.model.errors import InputError

FIELDS = st.text(st.sampled_from('ab,"\n\r é µ'), max_size=6)


def read_all(path: Path, packed: bool = False, single: bool = False) -> bytes:
    with TextStream(path, packed=packed, single_column=single) as stream:
        return b"".join(iter(lambda: stream.read(16), b""))


@pytest.mark.parametrize("block", [1, 2, 3, 7, 1 << 20])
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=st.lists(st.lists(FIELDS, min_size=2, max_size=2), min_size=1, max_size=6))
def test_what_a_csv_writer_writes_passes_unchanged(
    tmp_path: Path, block: int, rows: list[list[str]]
) -> None:
    """Well-formed CSV passes byte by byte, wherever the blocks are cut."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    path = tmp_path / "t.csv"
    path.write_bytes(text.getvalue().encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_stream, "BLOCK", block)
        assert read_all(path) == path.read_bytes().removesuffix(b"\r\n") + b"\n"


@pytest.mark.parametrize("block", [1, 3, 1 << 20])
@pytest.mark.parametrize(
    ("content", "problem", "place"),
    [
        (b'a,b\n1,"2\n3,4\n', "unterminated quote", (2, 1)),
        (b'a,b\n1,"2\n3,"4",5\n', "not closed", (2, 1)),
        (b'a,b\n"x\ny",1\n1,"2"x\n', "not closed", (4, 1)),
        (b'a,b\n1,2"3\n', "not quoted", (2, 1)),
        (b'a,b\n1, "2"\n', "not quoted", (2, 1)),
        (b"a,b\n1,2\n3,\0\n", "NUL", (3, 1)),
        (b"a,b\n\xb5,2\n", "not UTF-8", (2, 0)),
        (b"a,b\n1,2\n3,\xc3", "not UTF-8", (3, 1)),
        (b'a,b\n1,"\n\n\xff"\n', "not UTF-8", (2, 1)),
        (b"a,b\n1,2\n\n3,4\n", "blank line", (3, 0)),
        (b"a,b\r\n1,2\r\n\r\n3,4\r\n", "blank line", (3, 0)),
        (b"\na,b\n1,2\n", "blank line", (1, 0)),
    ],
)
def test_malformed_text_is_refused_at_its_record_and_field(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    block: int,
    content: bytes,
    problem: str,
    place: tuple[int, int],
) -> None:
    """A fault is found wherever the blocks are cut, and its place is the line where the record begins."""
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    monkeypatch.setattr(text_stream, "BLOCK", block)
    with pytest.raises(TextFaultError) as met:
        read_all(path)
    assert problem in met.value.problem
    assert place_of(path, False, met.value.offset) == place


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"\xef\xbb\xbfa,b\n1,2\n", b"a,b\n1,2\n"),
        (b"a,b\n1,2", b"a,b\n1,2\n"),
        (b"a,b\n1,2\n\n\r\n\n", b"a,b\n1,2\n"),
        (b'a,b\n1,"\n\n"\n', b'a,b\n1,"\n\n"\n'),
        (b'a,b\n1,"x\n"', b'a,b\n1,"x\n"\n'),
        (b"", b""),
    ],
)
def test_harmless_ends_and_marks_are_smoothed(
    tmp_path: Path, content: bytes, expected: bytes
) -> None:
    """A byte order mark, a missing last line end and blank lines at the end do no harm."""
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    assert read_all(path) == expected


def test_a_blank_line_is_a_record_of_a_table_with_one_column(tmp_path: Path) -> None:
    """In a table of one column a blank line stands for a null."""
    path = tmp_path / "t.csv"
    path.write_bytes(b"a\n1\n\n2\n")
    assert read_all(path, single=True) == b"a\n1\n\n2\n"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data[:-8],
        lambda data: data[:-3],
        lambda data: data[:-6] + bytes([data[-6] ^ 1]) + data[-5:],
        lambda data: data[:40] + bytes([data[40] ^ 0x10]) + data[41:],
        lambda data: data + b"garbage",
        lambda _data: b"a,b\n1,2\n",
    ],
    ids=["half", "no-trailer", "cut-trailer", "checksum", "body", "trailing", "not-gzip"],
)
def test_a_damaged_gzip_file_is_refused(tmp_path: Path, spoil) -> None:  # type: ignore[no-untyped-def]
    """A gzip file that is cut off or damaged anywhere is refused, even where all its rows come out."""
    path = tmp_path / "t.csv.gz"
    path.write_bytes(spoil(gzip.compress(b"a,b\n" + b"1,2\n" * 5000, mtime=0)))
    with pytest.raises(InputError, match="truncated or corrupt gzip"):
        read_all(path, packed=True)


def test_a_gzip_file_of_several_members_is_read_whole(tmp_path: Path) -> None:
    """Members written one after another are one text."""
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n1,2\n") + gzip.compress(b"3,4\n"))
    assert read_all(path, packed=True) == b"a,b\n1,2\n3,4\n"
