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
from m4bench.harness.sandbox.inside.formats import damage
from m4bench.harness.sandbox.inside.frames import send
from m4bench.harness.sandbox.inside.watch import Machine, numbers_of_sockets, read_meminfo
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
    "a large deliverable": [({"kind": "deliverable"}, b"x" * 101)],
    "two deliverables": [({"kind": "deliverable"}, b"x"), ({"kind": "deliverable"}, b"y")],
    "a file larger than all may be": [({"kind": "file", "path": "a.txt"}, b"x" * 121)],
    "an unknown kind": [({"kind": "please"}, b"")],
}
SUPERFLUOUS = {
    "a path that climbs": [({"kind": "file", "path": "../../run.json"}, b"x")],
    "an absolute path": [({"kind": "file", "path": "/etc/passwd"}, b"x")],
    "a hidden name": [({"kind": "file", "path": ".bashrc"}, b"x")],
    "an empty name": [({"kind": "file", "path": ""}, b"x")],
    "a newline": [({"kind": "file", "path": "a\nb"}, b"x")],
    "a deep path": [({"kind": "file", "path": "/".join("abcdefghij")}, b"x")],
    "a large file": [({"kind": "file", "path": "a.txt"}, b"x" * 51)],
    "the same name twice": [({"kind": "file", "path": "a.txt"}, b"x")] * 2,
    "a folder that is a file": [({"kind": "file", "path": name}, b"x") for name in ("a", "a/b")],
    "too many": [({"kind": "file", "path": f"{n}.txt"}, b"x") for n in range(4)],
    "too much": [({"kind": "file", "path": f"{n}.txt"}, b"x" * 50) for n in range(3)],
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


@pytest.mark.parametrize("entries", SUPERFLUOUS.values(), ids=SUPERFLUOUS)
def test_a_file_beside_the_answer_never_costs_the_answer(
    entries: list[tuple[dict[str, object], bytes]], tmp_path: Path
) -> None:
    """What may not leave is dropped and counted, the rest arrives whole, and the report is complete."""
    (tmp_path / "in").mkdir()
    receiver = Receiver(tmp_path / "in", RULES, lambda: None)
    report = receiver.read(
        messages(({"kind": "deliverable"}, b"right"), *entries, ({"kind": "done"}, b""))
    )
    assert report.complete
    assert report.left_out == {"refused": 1}
    assert (tmp_path / "in" / "output.csv").read_bytes() == b"right"
    assert {path.name for path in tmp_path.iterdir()} == {"in"}
    kept = [path for path in (tmp_path / "in" / "files").rglob("*") if path.is_file()]
    assert len(kept) == len(entries) - 1


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


def test_files_whose_plain_names_meet_both_leave(tmp_path: Path) -> None:
    """A file named like another's plain name is numbered, and so is a folder."""
    other = safe_name("é.txt")
    for name in ("é.txt", other, "sub\n/a.md", safe_name("sub\n") + "/b.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    names = []
    for left in Collection(str(tmp_path), Rules("output.csv", 100)).others():
        names.append(left.name)
        left.stream.close()
    assert len(set(names)) == 4
    assert len({name.split("/")[0] for name in names}) == 4
    assert other in names
    assert all(SAFE_NAME.fullmatch(part) for name in names for part in name.split("/"))


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


ALLOWED, REFUSED, NO_FAMILY = 0x7FFF0000, 0x00050001, 0x00050000 | 97
ARGUMENTS = {
    "a Unix socket": ((41, 198), (1, 1), ALLOWED),
    "an IPv6 socket": ((41, 198), (10, 1), ALLOWED),
    "a netlink socket": ((41, 198), (16, 3), ALLOWED),
    "a vsock socket": ((41, 198), (40, 1), NO_FAMILY),
    "a vsock socket in a wide word": ((41, 198), (0xABC << 32 | 40, 1), NO_FAMILY),
    "a pair of vsock sockets": ((53, 199), (40, 1), NO_FAMILY),
    "a lock by fcntl": ((72, 25), (3, 6), ALLOWED),
    "a lease": ((72, 25), (3, 1024), REFUSED),
    "own bounds": ((302, 261), (0, 7), ALLOWED),
    "a child's bounds": ((302, 261), (12, 7), ALLOWED),
    "the supervisor's bounds": ((302, 261), (1, 7), REFUSED),
    "a thread's processors": ((203, 122), (12, 8), ALLOWED),
    "the supervisor's processors": ((203, 122), (1, 8), REFUSED),
    "the supervisor's scheduling": ((144, 119), (1, 5), REFUSED),
    "own priority": ((141, 140), (0, 0), ALLOWED),
    "the supervisor's priority": ((141, 140), (0, 1), REFUSED),
    "the priority of all of a user's": ((141, 140), (2, 0), REFUSED),
    "own priority on disks": ((251, 30), (1, 0), ALLOWED),
    "the supervisor's on disks": ((251, 30), (1, 1), REFUSED),
    "a group's on disks": ((251, 30), (2, 0), REFUSED),
}


@pytest.mark.parametrize("column", [0, 1], ids=["x86_64", "aarch64"])
@pytest.mark.parametrize(("numbers", "given", "verdict"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_a_filter_looks_at_arguments(
    numbers: tuple[int, int], given: tuple[int, int], verdict: int, column: int
) -> None:
    """Some calls are refused for what they are about; every argument is taken as the kernel takes it."""
    machine = ("x86_64", "aarch64")[column]
    architecture = (0xC000003E, 0xC00000B7)[column]
    program = seccomp_filter(machine)
    assert program is not None
    assert interpret(program, numbers[column], architecture, given) == verdict


def interpret(
    program: bytes, number: int, architecture: int, given: tuple[int, int] = (0, 0)
) -> int:
    """Run a BPF program of the four kinds of step that the filter uses."""
    words = {0: number, 4: architecture, 16: given[0] & 0xFFFFFFFF, 24: given[1] & 0xFFFFFFFF}
    steps = list(struct.iter_unpack("=HBBI", program))
    at = value = 0
    while True:
        code, yes, no, operand = steps[at]
        at += 1
        if code == 0x20:
            value = words[operand]
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


GIB = 1 << 20  # in the kernel's kB
MEMORY = {
    "quiet": ({}, False),
    "processes take it": ({"AnonPages": 14 * GIB, "MemFree": GIB // 4, "MemAvailable": GIB // 2}, False),
    "the kernel takes it, and there is more": ({"MemFree": 6 * GIB, "MemAvailable": 8 * GIB}, False),
    "the kernel takes it": ({"MemFree": GIB // 4, "MemAvailable": GIB // 2}, True),
    "shared memory takes it": (
        {"MemFree": GIB // 4, "MemAvailable": GIB // 2, "Cached": 11 * GIB, "Shmem": 10 * GIB}, True,
    ),
    "a cache takes it": ({"MemFree": GIB // 4, "MemAvailable": GIB // 2, "Cached": 13 * GIB}, False),
}  # fmt: skip


@pytest.mark.parametrize(("change", "low"), MEMORY.values(), ids=MEMORY)
def test_only_memory_without_an_owner_is_the_backstop_s(change: dict[str, int], low: bool) -> None:
    """It trips when little is left and the kernel's own share, not a process's, has grown."""
    before = {
        "MemTotal": 16 * GIB, "MemFree": 12 * GIB, "MemAvailable": 14 * GIB, "Buffers": 0,
        "Cached": GIB, "SwapCached": 0, "AnonPages": 2 * GIB, "SReclaimable": 0, "Shmem": 0,
    }  # fmt: skip

    def text(values: dict[str, int]) -> str:
        return "".join(f"{name}: {value} kB\n" for name, value in values.items())

    machine = Machine(read_meminfo(text(before)))
    assert machine.low(read_meminfo(text(before | change))) == low


def test_sockets_are_counted_by_the_kernel() -> None:
    """The first line of its statistics is every socket of the namespace."""
    assert numbers_of_sockets("sockets: used 12\nTCP: inuse 3\n") == 12


WHOLE = b"PAR1" + b"x" * 20 + (16).to_bytes(4, "little") + b"PAR1"
FILES = {
    "a whole Parquet file": ("a.parquet", WHOLE, None),
    "half a Parquet file": ("a.parquet", WHOLE[:-6], "Parquet"),
    "another file's bytes": ("a.parquet", b"y" * 40, "Parquet"),
    "an empty Parquet file": ("a.parquet", b"", "Parquet"),
    "a footer longer than the file": ("a.parquet", b"PAR1xx\xff\0\0\0PAR1", "Parquet"),
    "a database": ("a.duckdb", b"8bytes..DUCK and more", None),
    "no database": ("a.duckdb", b"SQLite format 3\0", "DuckDB"),
    "an empty text": ("a.txt", b"", None),
}


@pytest.mark.parametrize(("name", "content", "why"), FILES.values(), ids=FILES)
def test_a_damaged_file_is_known_by_its_ends(
    name: str, content: bytes, why: str | None, tmp_path: Path
) -> None:
    """Magic and footer tell in constant time whether a file can be what it is called."""
    (tmp_path / name).write_bytes(content)
    found = damage(str(tmp_path / name))
    assert (found is None) if why is None else (why in (found or ""))
    assert damage(str(tmp_path / "missing.parquet")) == "No such file or directory"
