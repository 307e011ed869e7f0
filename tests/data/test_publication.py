# SPDX-License-Identifier: MIT
import fcntl
import threading
from pathlib import Path

import pytest

from m4bench.data.publication import LOCK, import_lock, reading
from m4bench.model.errors import InputError


def test_many_read_at_once(tmp_path: Path) -> None:
    """A reader does not wait for another."""
    notes: list[str] = []
    with reading(tmp_path, notes.append), reading(tmp_path, notes.append):
        assert notes == []
    assert (tmp_path / LOCK).is_file()


def test_a_folder_that_is_not_there_is_not_made_by_reading(tmp_path: Path) -> None:
    """Reading a dataset that is not in the store leaves the store as it was."""
    with reading(tmp_path / "store" / "synthetic"):
        assert list(tmp_path.iterdir()) == []


def test_a_reader_waits_for_an_import(tmp_path: Path) -> None:
    """A reader says that it waits, and reads after the import has ended."""
    order: list[str] = []
    waits = threading.Event()

    def read() -> None:
        with reading(tmp_path, lambda _text: waits.set()):
            order.append("read")

    reader = threading.Thread(target=read)
    with import_lock(tmp_path):
        reader.start()
        assert waits.wait(30)
        order.append("imported")
    reader.join(30)
    assert order == ["imported", "read"]


def test_a_second_import_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    """Who writes is not waited for, who reads is."""
    with (
        import_lock(tmp_path),
        pytest.raises(InputError, match="another import"),
        import_lock(tmp_path),
    ):
        pass


def test_who_waited_for_a_deletion_holds_the_folder_that_is_there_afterwards(
    tmp_path: Path,
) -> None:
    """The lock that went with a deleted folder is not taken for the lock of the new one."""
    root = tmp_path / "synthetic"
    waits, holds, ends = threading.Event(), threading.Event(), threading.Event()

    def read() -> None:
        with reading(root, lambda _text: waits.set()):
            holds.set()
            ends.wait(30)

    reader = threading.Thread(target=read)
    with import_lock(root):
        reader.start()
        assert waits.wait(30)
        root.rename(tmp_path / "deleted")
        root.mkdir()
    assert holds.wait(30)
    with (root / LOCK).open() as lock, pytest.raises(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    ends.set()
    reader.join(30)
