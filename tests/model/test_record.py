# SPDX-License-Identifier: MIT
from pathlib import Path

import pytest

from m4bench.model.errors import InputError
from m4bench.model.record import Document


class Note(Document):
    """A small document."""

    text: str


class Parts(Document):
    """A document of more than texts."""

    texts: dict[str, str]
    notes: tuple[Note, ...]


def test_a_document_comes_back_as_written(tmp_path: Path) -> None:
    """What was written is read again."""
    note = Note(format_version=1, text="µmol")
    note.write(tmp_path / "note.json")
    assert Note.read(tmp_path / "note.json") == note


def test_a_document_of_any_text_is_written(tmp_path: Path) -> None:
    """Bytes that are not UTF-8, wherever they stand, are told as escapes; the rest is as it was."""
    parts = Parts(
        format_version=1,
        texts={"a\udcff": "µ\udcff"},
        notes=(Note(format_version=2, text="\udc80"),),
    )
    parts.write(tmp_path / "parts.json")
    assert Parts.read(tmp_path / "parts.json") == parts.writable()
    assert parts.writable() == Parts(
        format_version=1, texts={r"a\udcff": r"µ\udcff"}, notes=(Note(format_version=2, text=r"\udc80"),)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"format_version": 1, "text": "\xb5mol"}', "is not UTF-8 text"),
        ('{"format_version": 1}'.encode("utf-16"), "is not UTF-8 text"),
        (b"\0\0\0\0", "Invalid JSON"),
        (b"", "Invalid JSON"),
        (b'{"format_version": 1', "Invalid JSON"),
        (b"[" * 100_000, "Invalid JSON"),
        (b"[]", "it is not a Note"),
        (b'{"format_version": 1}', "column text: Field required"),
        (b'{"format_version": 1, "text": "x", "more": 1}', "column more"),
    ],
    ids=["latin-1", "utf-16", "zeros", "empty", "cut-off", "deep", "list", "less", "more"],
)
def test_what_is_no_document_is_refused_by_name(tmp_path: Path, content: bytes, words: str) -> None:
    """A file of any bytes that is not the document is one line with the file's name."""
    path = tmp_path / "note.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as refused:
        Note.read(path)
    assert words in str(refused.value)
    assert str(refused.value).startswith(str(path))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("made", [Path.mkdir, lambda _path: None], ids=["folder", "nothing"])
def test_a_document_that_cannot_be_opened_is_refused_by_name(tmp_path: Path, made: object) -> None:
    """A folder, or nothing, in place of the file is one line."""
    path = tmp_path / "note.json"
    made(path)  # type: ignore[operator]
    with pytest.raises(InputError, match="cannot be read") as refused:
        Note.read(path)
    assert refused.value.file == path
