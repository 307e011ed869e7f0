# SPDX-License-Identifier: MIT
"""Files that take the place of others: a writer that dies on its way, and two writers of one folder."""

import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from m4bench.report.placing import place
from m4bench.report.write import PAGE, REPORT
from tests.report.test_destination import files

LARGE = {PAGE: b"large", "tasks/one.html": b"1", "tasks/two.html": b"2", "tables/runs.csv": b"12"}
SMALL = {PAGE: b"small", "tasks/one.html": b"I", "figures/three.svg": b"3"}
OTHER = {PAGE: b"other", "analysis.json": b"{}"}

ALL_BUT_RETIRED = 9
"""The call at which a writer of `SMALL` over `LARGE` dies with its four files in place and none removed."""


class Died(BaseException):
    """The process is gone: nothing runs after it but what a new process does."""


def put(out: Path, content: Mapping[str, bytes]) -> None:
    """Put a report that consists of this content."""
    place(out, content, PAGE, REPORT, private=False)


def dies_at(number: int, patch: pytest.MonkeyPatch) -> None:
    """Let every rename and removal from this one on end the process."""
    calls = count(1)

    def deadly(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            if next(calls) >= number:
                raise Died
            return real(*given, **named)

        return call

    for name in ("replace", "unlink"):
        patch.setattr(os, name, deadly(getattr(os, name)))


def died(out: Path, content: Mapping[str, bytes], number: int) -> bool:
    """Tell whether a writer died at its nth rename or removal."""
    with pytest.MonkeyPatch.context() as patch:
        dies_at(number, patch)
        try:
            put(out, content)
        except Died:
            return True
    return False


def listed(out: Path) -> Any:
    """Return the list of contents."""
    return json.loads((out / "contents.json").read_bytes())


@pytest.mark.parametrize("after", [LARGE, SMALL, OTHER], ids=["back", "again", "another"])
@pytest.mark.parametrize(("first", "second"), [(LARGE, SMALL), (SMALL, LARGE)])
def test_wherever_a_writer_dies_the_next_leaves_its_own_files(
    tmp_path: Path,
    first: Mapping[str, bytes],
    second: Mapping[str, bytes],
    after: Mapping[str, bytes],
) -> None:
    """At every rename and removal: any report then takes the place, and nothing of the others stays."""
    for number in count(1):
        out = tmp_path / str(number)
        put(out, first)
        if not died(out, second, number):
            break
        put(out, after)
        there = files(out)
        del there["contents.json"]
        assert there == after
        assert set(listed(out)) == {"format_version", "kind", "files"}
    assert number > len(second)


def test_a_writer_that_dies_twice_leaves_no_stranger(tmp_path: Path) -> None:
    """What two writers left that died is known, wherever the second did."""
    for number in count(1):
        out = tmp_path / str(number)
        put(out, LARGE)
        assert died(out, SMALL, ALL_BUT_RETIRED)
        if not died(out, OTHER, number):
            break
        put(out, SMALL)
        assert set(files(out)) == {*SMALL, "contents.json"}
    assert number > len(OTHER)


def test_a_file_that_was_changed_meanwhile_stays(tmp_path: Path) -> None:
    """After a writer that died at its last step too, what somebody changed is theirs."""
    out = tmp_path / "out"
    put(out, LARGE)
    assert died(out, SMALL, ALL_BUT_RETIRED)
    (out / "tasks" / "two.html").write_text("mine")
    put(out, SMALL)
    assert (out / "tasks" / "two.html").read_text() == "mine"
    assert set(listed(out)["files"]) == set(SMALL)


def test_a_second_writer_looks_at_nothing_before_the_first_is_done(tmp_path: Path) -> None:
    """One that begins while another writes removes what the other put there: the last one's files stand alone."""
    out, second = tmp_path / "out", threading.Thread(target=lambda: put(tmp_path / "out", SMALL))
    real = os.replace

    def replace(*given: Any) -> None:
        if second.ident is None and threading.current_thread() is threading.main_thread():
            second.start()
            time.sleep(0.3)
        real(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", replace)
        put(out, LARGE)
    second.join()
    there = files(out)
    del there["contents.json"]
    assert there == SMALL
    assert set(listed(out)["files"]) == set(SMALL)
