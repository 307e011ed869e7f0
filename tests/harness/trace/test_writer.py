# SPDX-License-Identifier: MIT
"""The file of a run's events: whole, private, bounded, and refused in one line when it is not what it should be."""

import json
import resource
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from m4bench.harness.trace.storable import Storable
from m4bench.harness.trace.writer import TraceBounds, TraceWriter, read_trace
from m4bench.model.errors import InputError
from m4bench.model.trace import TraceEvent

from .telling import RUNS, call, result, said, used

WHOSE: dict[str, Any] = {"agent": "toy", "version": "1", "model": None, "task": "toy-word"}
HEADER = '{"format_version":1,"kind":"header","agent":"toy","version":"1","model":null,"task":"t"}'
FIRST = '{"seconds":1.0,"kind":"message","text":"one"}'
CLOSING = '{"kind":"closing","events":1,"cut":0,"dropped":0}'


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The lines of a file, each as what it holds."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_each_event_is_in_the_file_before_the_next(tmp_path: Path) -> None:
    """What a crash leaves behind is all that was told until then."""
    path = tmp_path / "trace.jsonl"
    writer = TraceWriter(path, **WHOSE)
    for number in range(3):
        writer.add(said(f"number {number}"))
        assert lines_of(path)[-1]["text"] == f"number {number}"
    writer.close()


def test_the_file_says_what_it_is_and_that_it_is_whole(tmp_path: Path) -> None:
    """A header, the events without what they do not say, and a closing line; for the user alone."""
    path = tmp_path / "trace.jsonl"
    writer = TraceWriter(path, **WHOSE)
    writer.add(said("hello"))
    writer.close()
    writer.close()
    assert lines_of(path) == [
        {"format_version": 1, "kind": "header", **WHOSE},
        {"seconds": 1.0, "kind": "message", "role": "assistant", "text": "hello"},
        {"kind": "closing", "events": 1, "cut": 0, "dropped": 0},
    ]
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_is_there_already_is_not_overwritten(tmp_path: Path) -> None:
    """Neither a file nor one a link leads to."""
    path = tmp_path / "trace.jsonl"
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        TraceWriter(path, **WHOSE)
    assert not (tmp_path / "elsewhere").exists()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(RUNS)
def test_any_events_are_read_back_as_they_were_stored(
    tmp_path: Path, events: list[TraceEvent]
) -> None:
    """In order, each once."""
    path = tmp_path / "trace.jsonl"
    path.unlink(missing_ok=True)
    writer = TraceWriter(path, **WHOSE)
    for event in events:
        writer.add(event)
    writer.close()
    storable = Storable()
    assert read_trace(path) == [storable.event(event) for event in events]


def test_a_full_trace_keeps_events_with_short_texts_then_none(tmp_path: Path) -> None:
    """What is cut and what is not there is counted in the closing line."""
    path = tmp_path / "trace.jsonl"
    writer = TraceWriter(path, **WHOSE, bounds=TraceBounds(size=20_000, events=1_000))
    for number in range(200):
        writer.add(result(f"c{number}", "x" * 1_000))
    writer.close()
    events = read_trace(path)
    long = [event for event in events if event.text == "x" * 1_000]
    short = events[len(long) :]
    assert 15 <= len(long) <= 20
    assert short
    assert all("[left out: 1000 bytes are too long]" in (one.text or "") for one in short)
    assert all(len(one.text or "") <= 256 for one in short)
    assert path.stat().st_size < 27_000
    assert len(events) + writer.dropped == 200
    assert lines_of(path)[-1] == {
        "kind": "closing", "events": len(events), "cut": len(short), "dropped": writer.dropped,
    }  # fmt: skip


def test_no_more_events_are_kept_than_the_bound(tmp_path: Path) -> None:
    """A tool that tells tiny events for ever fills neither disk nor memory."""
    writer = TraceWriter(tmp_path / "trace.jsonl", **WHOSE, bounds=TraceBounds(events=5))
    for number in range(8):
        writer.add(said(str(number)))
    writer.close()
    texts = [event.text for event in read_trace(tmp_path / "trace.jsonl")]
    assert (texts, writer.dropped) == (["0", "1", "2", "3", "4"], 3)


def test_threads_never_mix_their_lines(tmp_path: Path) -> None:
    """Each event of each thread is there once, a thread's own in order."""
    path = tmp_path / "trace.jsonl"
    writer = TraceWriter(path, **WHOSE)

    def tell(name: str) -> None:
        for number in range(300):
            writer.add(said("x" * 500, tool=name, exit_code=number))

    threads = [threading.Thread(target=tell, args=(str(one),)) for one in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    writer.close()
    events = read_trace(path)
    for one in range(4):
        assert [e.exit_code for e in events if e.tool == str(one)] == list(range(300))


FILLS = """
import sys
from pathlib import Path
from m4bench.harness.trace.writer import TraceWriter
from m4bench.model.trace import TraceEvent
writer = TraceWriter(Path(sys.argv[1]) / "trace.jsonl", agent="a", version="1", model=None, task="t")
for number in range(100):
    writer.add(TraceEvent(seconds=number, kind="message", text="x" * 100_000))
print("told")
try:
    writer.close()
except OSError as error:
    print(type(error).__name__, error.errno)
"""


def test_a_full_disk_is_told_at_the_end_and_not_before(tmp_path: Path) -> None:
    """The agent's stream goes on; errno 28 is that no space is left."""
    unshare = ("unshare", "--user", "--map-root-user", "--mount")
    if (
        shutil.which("unshare") is None
        or subprocess.run([*unshare, "true"], check=False).returncode
    ):
        pytest.skip("needs a mount namespace of its own")
    script = 'mount -t tmpfs -o size=1m none "$0" && exec "$@"'
    command = [sys.executable, "-c", FILLS, str(tmp_path)]
    ended = subprocess.run(
        [*unshare, "sh", "-c", script, str(tmp_path), *command],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout.split("\n")[:2] == ["told", "OSError 28"], ended.stderr


def test_a_file_that_may_not_grow_is_told_at_the_end(tmp_path: Path) -> None:
    """Another reason than a full disk, by the same way, and the file is closed all the same."""
    script = (
        f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))\n{FILLS}"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert ended.stdout.split("\n")[:2] == ["told", "OSError 27"], ended.stderr
    assert (tmp_path / "trace.jsonl").stat().st_size == 50_000


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([], "row 1: has no header"),
        (["no JSON"], "row 1: has no header"),
        ([FIRST, CLOSING], "row 1: has no header"),
        (["[" * 100_000], "row 1: has no header"),
        ([HEADER.replace("1,", "2,", 1), FIRST, CLOSING], "row 1: is of another format version"),
        ([HEADER.replace('"agent":"toy",', "")], "row 1, column agent: Field required"),
        ([HEADER], "row 1: has no closing line"),
        ([HEADER, FIRST], "row 2: has no closing line"),
        ([HEADER, FIRST, FIRST, CLOSING], "row 4: holds 2 events and was closed with 1"),
        ([HEADER, FIRST, CLOSING, FIRST], "row 4: goes on after its end"),
        ([HEADER, FIRST, "no JSON", CLOSING], "row 3: Invalid JSON"),
        ([HEADER, '{"seconds":1,"kind":"secret"}'], "row 2, column kind: Input should be"),
        ([HEADER, '{"seconds":"secret","kind":"end"}'], "row 2, column seconds: Input should be"),
        ([HEADER, '{"seconds":1,"kind":"end","secret":1}'], "row 2: Extra inputs"),
    ],
)
def test_what_is_no_trace_is_refused_by_row_without_its_content(
    tmp_path: Path, lines: list[str], says: str
) -> None:
    """The error names the file and the row."""
    path = tmp_path / "trace.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(InputError) as refused:
        read_trace(path)
    assert str(refused.value).startswith(f"{path}, {says}")
    assert "secret" not in str(refused.value)


def test_a_trace_cut_within_a_line_is_refused(tmp_path: Path) -> None:
    """As a crash of the machine leaves it."""
    path = tmp_path / "trace.jsonl"
    path.write_text(f"{HEADER}\n{FIRST[:20]}")
    with pytest.raises(InputError, match="row 2: is cut off"):
        read_trace(path)


def test_a_trace_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The error of the system, in one line."""
    with pytest.raises(InputError, match=r"none\.jsonl: cannot be read \(No such file"):
        read_trace(tmp_path / "none.jsonl")


def test_a_hundred_thousand_events_are_kept_whole(tmp_path: Path) -> None:
    """No event is lost, and memory beyond the events themselves stays small."""
    path = tmp_path / "trace.jsonl"
    turn = [said("look"), call("c", "ls"), result("c", "x" * 100), used(10)]
    writer = TraceWriter(path, **WHOSE)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(25_000):
        for event in turn:
            writer.add(event)
    writer.close()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    events = read_trace(path)
    assert events == turn * 25_000
    assert (writer.cut, writer.dropped) == (0, 0)
    assert grown < 64 << 20
    assert path.stat().st_size < 16 << 20
