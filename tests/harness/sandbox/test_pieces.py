# SPDX-License-Identifier: MIT
"""The parts of the sandbox that need none: messages, capture, sizes, names, views, filters, readiness."""

import io
import os
import shutil
import struct
from pathlib import Path

import pytest

from m4bench.harness.sandbox import readiness
from m4bench.harness.sandbox.capture import Capture
from m4bench.harness.sandbox.inside.collect import SAFE_NAME, Collection, Rules, safe_name
from m4bench.harness.sandbox.inside.frames import send
from m4bench.harness.sandbox.receive import Receiver
from m4bench.harness.sandbox.seccomp import seccomp_filter
from m4bench.harness.sandbox.sizes import read_size
from m4bench.harness.sandbox.view import View, unreadable_paths
from m4bench.model.errors import InputError

RULES = Rules("output.csv", largest_deliverable=100, largest_file=50, largest_total=120, files=3)


def messages(*entries: tuple[dict[str, object], bytes]) -> io.BytesIO:
    """A stream as a sandbox would send it."""
    stream = io.BytesIO()
    for header, body in entries:
        send(stream, header, io.BytesIO(body), len(body))
    stream.seek(0)
    return stream


HOSTILE = {
    "a path that climbs": [({"kind": "file", "path": "../../run.json"}, b"x")],
    "an absolute path": [({"kind": "file", "path": "/etc/passwd"}, b"x")],
    "a hidden name": [({"kind": "file", "path": ".bashrc"}, b"x")],
    "an empty name": [({"kind": "file", "path": ""}, b"x")],
    "a newline": [({"kind": "file", "path": "a\nb"}, b"x")],
    "a deep path": [({"kind": "file", "path": "/".join("abcdefghij")}, b"x")],
    "a large file": [({"kind": "file", "path": "a.txt"}, b"x" * 51)],
    "a large deliverable": [({"kind": "deliverable"}, b"x" * 101)],
    "two deliverables": [({"kind": "deliverable"}, b"x"), ({"kind": "deliverable"}, b"y")],
    "too many": [({"kind": "file", "path": f"{n}.txt"}, b"x") for n in range(4)],
    "too much": [({"kind": "file", "path": f"{n}.txt"}, b"x" * 50) for n in range(3)],
    "an unknown kind": [({"kind": "please"}, b"")],
}


@pytest.mark.parametrize("entries", HOSTILE.values(), ids=HOSTILE)
def test_what_breaks_the_rules_ends_the_reception(
    entries: list[tuple[dict[str, object], bytes]], tmp_path: Path
) -> None:
    """Whatever a sandbox sends, files stay below one folder and within bounds."""
    (tmp_path / "in").mkdir()
    receiver = Receiver(tmp_path / "in", RULES, lambda: None)
    report = receiver.read(messages(*entries, ({"kind": "done"}, b"")))
    assert not report.complete
    assert {path.name for path in tmp_path.iterdir()} == {"in"}
    sizes = [path.stat().st_size for path in (tmp_path / "in").rglob("*") if path.is_file()]
    assert sum(sizes) <= 120
    assert len(sizes) <= 3


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]\n", b"{}\n", b'{"size": -1}\n', b'{"size": "1"}\n', b"x" * (2 << 20)],
)
def test_what_is_no_message_ends_the_reception(content: bytes, tmp_path: Path) -> None:
    """Noise and a cut stream are an incomplete report, not an error."""
    assert not Receiver(tmp_path, RULES, lambda: None).read(io.BytesIO(content)).complete


def test_a_whole_report_is_taken(tmp_path: Path) -> None:
    """Start, ending, output and files arrive."""
    started: list[bool] = []
    report = Receiver(tmp_path, RULES, lambda: started.append(True)).read(
        messages(
            ({"kind": "started"}, b""),
            ({"kind": "ended", "state": "exited", "exit_code": 0}, b""),
            ({"kind": "output", "state": "present"}, b""),
            ({"kind": "deliverable"}, b"a\n"),
            ({"kind": "file", "path": "sub/notes.md"}, b"n"),
            ({"kind": "done", "left_out": {"hidden file": 2, "odd": "x"}}, b""),
        )
    )
    assert report.complete
    assert started == [True]
    assert report.left_out == {"hidden file": 2}
    assert (tmp_path / "output.csv").read_bytes() == b"a\n"
    assert (tmp_path / "files" / "sub" / "notes.md").read_bytes() == b"n"


@pytest.mark.parametrize(
    ("printed", "kept"),
    [
        (b"", b""),
        (b"short", b"short"),
        (b"0123456789", b"0123456789"),
        (b"0123456789A", "01234\n[… 1 bytes left out …]\n6789A".encode()),
    ],
)
def test_a_capture_keeps_both_ends(printed: bytes, kept: bytes, tmp_path: Path) -> None:
    """Half of the bound is the head, half the tail; nothing is cut that fits."""
    read, write = os.pipe()
    capture = Capture(os.fdopen(read, "rb"), tmp_path / "out.txt", limit=10)
    os.write(write, printed)
    os.close(write)
    capture.finish(10)
    assert (tmp_path / "out.txt").read_bytes() == kept


@pytest.mark.parametrize(
    ("text", "size"),
    [("8G", 8 << 30), ("512 MiB", 512 << 20), ("1.5g", 3 << 29), ("2000000", 2_000_000)],
)
def test_a_size_is_read_as_people_write_it(text: str, size: int) -> None:
    """Units are powers of 1024."""
    assert read_size(text) == size


@pytest.mark.parametrize("text", ["", "8X", "-1G", "G", "0", "1K"])
def test_what_is_no_usable_size_is_refused(text: str) -> None:
    """The remedy shows how to write one."""
    with pytest.raises(InputError, match="8G"):
        read_size(text)


def test_names_become_plain_and_stay_apart() -> None:
    """Two names that differ in odd characters only never become one."""
    odd = ["a\nb.txt", "a\rb.txt", "../x", "ü.md", ".", "..", "x" * 200, "a/b"]
    plain = [safe_name(name) for name in odd]
    assert len(set(plain)) == len(odd)
    assert all(SAFE_NAME.fullmatch(name) for name in plain)
    assert safe_name("notes-1 (final).md") != "notes-1 (final).md"
    assert safe_name("notes-1.md") == "notes-1.md"


def test_a_sparse_file_beyond_the_bound_is_no_deliverable(tmp_path: Path) -> None:
    """A file of a terabyte that takes no space is too large, and is not read."""
    with (tmp_path / "output.csv").open("wb") as stream:
        stream.truncate(1 << 40)
    collection = Collection(str(tmp_path), RULES)
    assert collection.deliverable() is None
    assert collection.output == "too large"


def test_a_view_knows_what_it_shows_and_covers(tmp_path: Path) -> None:
    """What lies below a cover is hidden, what lies below a folder shown on it is visible again."""
    view = View(shown=[Path("/usr"), Path("/usr/local/lib/py")], masked=[Path("/usr/local")])
    assert view.exposes(Path("/usr/share/store"))
    assert view.exposes(Path("/usr/local/lib/py/x"))
    assert not view.exposes(Path("/usr/local/store"))
    assert not view.exposes(tmp_path)


def test_paths_to_probe_leave_out_what_is_shown_on_purpose(tmp_path: Path) -> None:
    """A folder that has to exist inside is replaced by its other entries."""
    for name in ("home/.ssh", "home/.pyenv/versions/py", "home/.pyenv/shims", "store"):
        (tmp_path / name).mkdir(parents=True)
    view = View(shown=[tmp_path / "home/.pyenv/versions/py"])
    probed = unreadable_paths([tmp_path / "home", tmp_path / "store"], view, ["/task"])
    assert {Path(path).relative_to(tmp_path).as_posix() for path in probed} == {
        "home/.ssh",
        "home/.pyenv/shims",
        "store",
    }


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_a_filter_denies_by_number_and_allows_the_rest(machine: str) -> None:
    """Interpreted step by step, keyctl and io_uring are refused, read is allowed, another architecture killed."""
    program = seccomp_filter(machine)
    assert program is not None
    architecture = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}[machine]
    keyctl = {"x86_64": 250, "aarch64": 219}[machine]
    read = {"x86_64": 0, "aarch64": 63}[machine]
    assert interpret(program, keyctl, architecture) == 0x00050001
    assert interpret(program, 425, architecture) == 0x00050000 | 38
    assert interpret(program, read, architecture) == 0x7FFF0000
    assert interpret(program, read, 0x40000003) == 0x80000000
    if machine == "x86_64":
        assert interpret(program, 0x40000000 | read, architecture) == 0x00050000 | 38


def interpret(program: bytes, number: int, architecture: int) -> int:
    """Run a BPF program of the four kinds of step that the filter uses."""
    steps = list(struct.iter_unpack("=HBBI", program))
    at = value = 0
    while True:
        code, yes, no, operand = steps[at]
        at += 1
        if code == 0x20:
            value = {0: number, 4: architecture}[operand]
        elif code == 0x15:
            at += yes if value == operand else no
        elif code == 0x35:
            at += yes if value >= operand else no
        else:
            assert code == 0x06
            return operand


def test_an_unlisted_architecture_has_no_filter() -> None:
    """It runs without, rather than with a wrong one."""
    assert seccomp_filter("riscv64") is None


def test_a_missing_bubblewrap_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine without it, readiness says how to get it."""
    monkeypatch.setenv("PATH", "/nonexistent")
    found = readiness.probe()
    assert not found.ready
    assert found.remedy == "apt-get install bubblewrap"


def test_a_failing_bubblewrap_is_reported_with_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last line it prints is the reason, and a remedy stands beside it."""
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{Path(shutil.which('sh') or '/bin/sh').parent}")
    found = readiness.probe()
    assert (found.ready, found.reason) == (False, "bwrap: setting up uid map: Permission denied")
    assert found.remedy
