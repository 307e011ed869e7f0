# SPDX-License-Identifier: MIT
"""The folder of one run: a request to end, whenever it comes, leaves no half made folder behind."""

import subprocess
import sys
from pathlib import Path

import pytest

from m4bench.harness.run_folder import RunFolder

ENDED_AT_EACH_LINE = """
import itertools, linecache, os, pathlib, signal, sys
import m4bench.harness.run_folder as module
from m4bench.harness.interruption import unwinding

results = pathlib.Path(sys.argv[1])
ended = 0
for moment in itertools.count():
    seen, sent = 0, False
    def trace(frame, event, _):
        global seen, sent
        if frame.f_code.co_filename not in (module.__file__, unwinding.__wrapped__.__code__.co_filename):
            return None
        line = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
        if event == "line" and inside and line != "try:":  # no signal is heard there
            seen += 1
            if seen > moment and not sent:
                sent = True
                os.kill(os.getpid(), signal.SIGTERM)
        return trace
    inside = False
    try:
        with unwinding():
            inside = True
            sys.settrace(trace)
            with module.RunFolder(results, "run", "token") as folder:
                (folder.path / "kept").write_text("x")
                folder.clear_scratch()
            sys.settrace(None)
            inside = False
    except KeyboardInterrupt:
        ended += 1
    finally:
        sys.settrace(None)
    left = list(results.iterdir()) if results.exists() else []
    assert not left, (moment, left)
    if not sent:
        break
print(ended)
"""


def test_a_request_to_end_at_any_line_leaves_nothing(tmp_path: Path) -> None:
    """The process is asked to end at the first, second, ... line of making, clearing and removing."""
    done = subprocess.run(
        [sys.executable, "-c", ENDED_AT_EACH_LINE, str(tmp_path / "results")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 40


def test_a_folder_that_cannot_be_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk without room for the record is told at once, and the folder is gone."""

    def full(folder: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("m4bench.harness.run_folder.reserve", full)
    with pytest.raises(OSError, match="No space"), RunFolder(tmp_path / "results", "run", "token"):
        pass
    assert not list((tmp_path / "results").iterdir())
