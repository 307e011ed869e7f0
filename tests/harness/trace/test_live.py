# SPDX-License-Identifier: MIT
"""A tool's output read while it prints: whole lines whatever the pieces, and nothing that stops its stream."""

import json
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from m4bench.harness.agents.command_line_agent import JsonLinesReader
from m4bench.harness.agents.reading import Conclusion, StreamReader
from m4bench.harness.trace.live import LONGEST_LINE, LiveTrace
from m4bench.harness.trace.writer import TraceWriter, read_trace
from m4bench.model.trace import TraceEvent

SOON = 20.0


class WordReader:
    """Makes a message of each line; `last` is the tool's last word, `x` what no reader knows."""

    def __init__(self) -> None:
        self.finished = False
        self.unread = 0

    def line(self, text: str, seconds: float) -> list[TraceEvent]:
        """Return a message."""
        if text == "x":
            self.unread += 1
            return []
        self.finished = text == "last"
        return [TraceEvent(seconds=seconds, kind="message", text=text)]

    def end(self, files: Mapping[str, Path]) -> list[TraceEvent]:
        """Return a message with each file's content."""
        return [
            TraceEvent(seconds=0, kind="message", text=path.read_text()) for path in files.values()
        ]

    def conclusion(self, exit_code: int | None) -> Conclusion:
        """Return the exit code."""
        return Conclusion("completed", str(exit_code))


class BrokenReader(WordReader):
    """A plug-in's reader that breaks wherever it can."""

    def line(self, text: str, seconds: float) -> list[TraceEvent]:
        """Break over one line, and give what is no event for another."""
        if text == "broken":
            raise RuntimeError("a row of the data")
        if text == "junk":
            return [{"kind": "message"}]  # type: ignore[list-item]
        return super().line(text, seconds)

    def end(self, files: Mapping[str, Path]) -> list[TraceEvent]:
        """Break."""
        raise RuntimeError("a row of the data")

    def conclusion(self, exit_code: int | None) -> Conclusion:
        """Break."""
        raise RuntimeError("a row of the data")


def followed(
    chunks: Iterable[bytes], reader: StreamReader | None = None
) -> tuple[list[str | None], LiveTrace]:
    """The texts of the events of some chunks, and what followed them."""
    found: list[TraceEvent] = []
    live = LiveTrace(
        reader or WordReader(), found.append, grace=SOON, overdue=lambda: pytest.fail("overdue")
    )
    for chunk in chunks:
        live.feed(chunk)
    live.end({}, 0)
    return [event.text for event in found], live


WORDS = st.text(st.characters(exclude_characters="\n", exclude_categories=("Cs",)), max_size=5)


@given(st.lists(WORDS, max_size=6), st.lists(st.integers(0, 40), max_size=6), st.booleans())
def test_lines_are_whole_however_the_stream_is_cut(
    lines: list[str], cuts: list[int], ended: bool
) -> None:
    """Also within a letter of several bytes; blank lines tell nothing, the last one needs no end."""
    stream = "\n".join(lines).encode() + (b"\n" if ended else b"")
    places = sorted({min(cut, len(stream)) for cut in cuts} | {0, len(stream)})
    chunks = [stream[a:b] for a, b in pairwise(places)]
    told = [line.strip() for line in lines if line.strip() and line.strip() != "x"]
    assert followed(chunks)[0] == told


def test_bytes_that_are_no_text_are_told_as_such() -> None:
    """A line of another encoding loses a letter, not the run."""
    assert followed([b"caf\xe9\n"])[0] == ["caf\ufffd"]


def test_what_the_tool_left_comes_last_with_its_conclusion(tmp_path: Path) -> None:
    """Events of files follow those of the stream."""
    path = tmp_path / "left"
    path.write_text("in a file")
    found: list[TraceEvent] = []
    live = LiveTrace(WordReader(), found.append, grace=SOON, overdue=lambda: None)
    live.feed(b"x\nprinted")
    assert live.end({"left": path}, 3) == Conclusion("completed", "3")
    assert [event.text for event in found] == ["printed", "in a file"]
    assert live.unread == 1


def test_what_is_printed_after_the_end_is_not_read() -> None:
    """A thread that drains a pipe a little longer changes nothing that is written down already."""
    found: list[TraceEvent] = []
    live = LiveTrace(WordReader(), found.append, grace=SOON, overdue=lambda: None)
    live.feed(b"one\n")
    live.end({}, 0)
    live.feed(b"two\n")
    assert [event.text for event in found] == ["one"]


def test_a_reader_that_breaks_does_not_break_the_stream() -> None:
    """What it could not read is counted, the rest is told, and its exit code alone is left of its conclusion."""
    texts, live = followed([b"one\nbroken\njunk\ntwo\n"], BrokenReader())
    assert texts == ["one", "two"]
    assert live.unread == 3
    assert live.end({}, 0) == Conclusion(None)


def test_the_first_line_is_timed_from_the_start_whatever_it_says() -> None:
    """A banner counts, a blank line does not; a tool that prints nothing has no such time."""
    assert followed([b"\n \n"])[1].first_event_seconds is None
    reading = followed([b"x\n"])[1]
    assert reading.first_event_seconds is not None
    assert 0 <= reading.first_event_seconds < SOON


def test_a_tool_that_does_not_exit_after_its_last_word_is_overdue() -> None:
    """After the grace, once, from a thread of its own."""
    late = threading.Event()
    calls: list[str] = []

    def overdue() -> None:
        calls.append(threading.current_thread().name)
        late.set()

    live = LiveTrace(WordReader(), lambda event: None, grace=0.05, overdue=overdue)
    live.feed(b"last\n")
    live.feed(b"last\n")
    assert late.wait(SOON)
    live.end({}, None)
    assert len(calls) == 1
    assert calls[0] != threading.current_thread().name


def test_a_tool_that_exits_in_its_grace_is_not_overdue() -> None:
    """Nobody is asked to end what has ended."""
    calls: list[None] = []
    live = LiveTrace(
        WordReader(), lambda event: None, grace=0.2, overdue=lambda: calls.append(None)
    )
    live.feed(b"last\n")
    live.end({}, 0)
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join(SOON)
    assert calls == []


def test_a_line_too_long_is_unread_and_the_next_one_is_read() -> None:
    """Of exactly the longest length it is still read."""
    part = b"y" * (1 << 20)
    fitting = [part] * (LONGEST_LINE >> 20)
    texts, live = followed([*fitting, b"\nafter\n"])
    assert [len(text or "") for text in texts] == [LONGEST_LINE, 5]
    assert live.unread == 0
    texts, live = followed([*fitting, b"y\nafter\n"])
    assert (texts, live.unread) == (["after"], 1)
    texts, live = followed([*fitting, b"y", part])
    assert (texts, live.unread) == ([], 1)


class EchoReader(JsonLinesReader):
    """The shared reader of JSON lines, with one kind of event."""

    def read(self, message: dict[str, Any], seconds: float) -> list[TraceEvent] | None:
        """Return a message."""
        return [TraceEvent(seconds=seconds, kind="message", text=message.get("text"))]


ENDLESS = """
import sys
for _ in range(100):
    sys.stdout.buffer.write(b'{"text":"' + b"z" * (1 << 20))
sys.stdout.buffer.write(b'"}\\n{"text":"small"}\\n{"text":"' + b"w" * (12 << 20) + b'"}\\n')
"""


def test_lines_of_any_length_from_a_real_process_take_bounded_memory(tmp_path: Path) -> None:
    """A line of 100 MiB is not kept, one of 12 MiB is read and stored cut."""
    path = tmp_path / "trace.jsonl"
    writer = TraceWriter(path, agent="a", version="1", model=None, task="t")
    live = LiveTrace(EchoReader(), writer.add, grace=SOON, overdue=lambda: None)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        live.begin()
        drain = threading.Thread(target=_drain, args=(process.stdout.fileno(), live))
        drain.start()
        drain.join()
    live.end({}, process.returncode)
    writer.close()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    texts = [event.text or "" for event in read_trace(path)]
    assert texts[0] == "small"
    assert len(texts) == 2
    assert f"\n[left out: {12 << 20} bytes are too long]\n" in texts[1]
    assert (live.unread, writer.cut) == (1, 1)
    assert grown < 160 << 20
    assert path.stat().st_size < 1 << 20


def _drain(descriptor: int, live: LiveTrace) -> None:
    while chunk := os.read(descriptor, 1 << 16):
        live.feed(chunk)


def test_a_hundred_thousand_lines_are_read(tmp_path: Path) -> None:
    """Each is an event of the file, in order."""
    path = tmp_path / "trace.jsonl"
    writer = TraceWriter(path, agent="a", version="1", model=None, task="t")
    live = LiveTrace(EchoReader(), writer.add, grace=SOON, overdue=lambda: None)
    stream = b"".join(json.dumps({"text": str(one)}).encode() + b"\n" for one in range(100_000))
    for start in range(0, len(stream), 1 << 16):
        live.feed(stream[start : start + (1 << 16)])
    live.end({}, 0)
    writer.close()
    assert [event.text for event in read_trace(path)] == [str(one) for one in range(100_000)]
