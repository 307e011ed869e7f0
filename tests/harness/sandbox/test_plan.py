# SPDX-License-Identifier: MIT
"""What a plan asks of a sandbox beside its program: an installation, a home, files from outside the work, a tap."""

import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from m4bench.harness.sandbox.admission import installation, plain
from m4bench.harness.sandbox.inside.collect import Rules
from m4bench.harness.sandbox.inside.outside import Outside, open_below
from m4bench.harness.sandbox.sandbox import Execution, Layout, Limits, Plan
from m4bench.model.errors import InputError

pytestmark = pytest.mark.sandbox
CarryOut = Callable[..., Execution]
BOTH = pytest.mark.parametrize("sandbox", ["bwrap", "none"])
WRITE = "open('output.csv', 'w').write('a\\n1\\n')\n"


def said(folder: Path) -> str:
    """What the agent printed as errors."""
    return (folder / "out" / "stderr.txt").read_text()


@BOTH
def test_an_installation_is_shown_by_its_names(
    sandbox: str, carry_out: CarryOut, tmp_path: Path
) -> None:
    """A folder and a file of the host are found where the layout says, links inside them included."""
    tools = tmp_path / "installed"
    (tools / "node_modules" / ".bin").mkdir(parents=True)
    (tools / "node_modules" / "word.txt").write_text("heron")
    (tools / "node_modules" / ".bin" / "word").symlink_to("../word.txt")
    (tools / "say").write_text("#!/bin/sh\necho stork\n")
    (tools / "say").chmod(0o755)
    parts = {"lib/node_modules": tools / "node_modules", "say": tools / "say"}

    def changes(layout: Layout) -> Mapping[str, Any]:
        places = {name: layout.tool(name, path) for name, path in parts.items()}
        return {"tools": parts, "env": {"LIB": places["lib/node_modules"], "SAY": places["say"]}}

    script = (
        "import os, subprocess\n"
        "assert open(os.environ['LIB'] + '/.bin/word').read() == 'heron'\n"
        "assert subprocess.check_output([os.environ['SAY']]) == b'stork\\n'\n"
    )
    if sandbox == "bwrap":
        script += (
            "assert os.environ['LIB'] == '/opt/agent/lib/node_modules'\n"
            "for path in (os.environ['LIB'] + '/word.txt', os.environ['SAY'], '/opt/agent/new'):\n"
            "  try: open(path, 'a')\n  except OSError: continue\n  raise SystemExit(path)\n"
        )
    ended = carry_out(script + WRITE, changes, sandbox=sandbox)
    assert (ended.exit_code, ended.output) == (0, "present"), said(tmp_path)


def test_a_link_out_of_an_installation_leads_nowhere(carry_out: CarryOut, tmp_path: Path) -> None:
    """What is bound is what is visible."""
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "tool").mkdir()
    (tmp_path / "tool" / "link").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "tool" / "up").symlink_to("../../secret.txt")
    script = (
        "import os\nassert sorted(os.listdir('/opt/agent/tool')) == ['link', 'up']\n"
        "for name in ('link', 'up'): assert not os.path.exists('/opt/agent/tool/' + name)\n"
    )
    ended = carry_out(script + WRITE, lambda _: {"tools": {"tool": tmp_path / "tool"}})
    assert ended.exit_code == 0, said(tmp_path)


def plan_of(tmp_path: Path, **changes: Any) -> Plan:
    """A plan that is not carried out."""
    return Plan(
        **{
            "argv": ("true",), "env": {}, "work": {}, "program": tmp_path, "binds": {}, "forbidden": (),
            "deliverable": "output.csv", "limits": Limits(timeout=1), **changes,
        }
    )  # fmt: skip


EXPOSING = {
    "it is forbidden": ("store", "store"),
    "it holds something forbidden": ("", "store"),
    "it lies in something forbidden": ("store/tool", "store"),
    "it links to something forbidden": ("linked", "store"),
    "something forbidden is not made yet": ("", "results/later"),
    "it is the home": ("home", "home"),
    "it holds the home": ("", "home"),
}


@pytest.mark.parametrize(("tool", "forbidden"), EXPOSING.values(), ids=EXPOSING)
def test_an_installation_and_what_is_forbidden_lie_apart(
    tool: str, forbidden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither may hold the other, by whatever path."""
    for name in ("store/tool", "home/.local/tool"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "linked").symlink_to("store")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    plan = plan_of(tmp_path, tools={"tool": tmp_path / tool}, forbidden=(tmp_path / forbidden,))
    with pytest.raises(InputError, match="lie in one another"):
        installation(plan)


def test_an_installation_in_the_home_is_the_usual_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The home as such is forbidden, a folder of programs in it can be shown; one under another name of it not."""
    (tmp_path / "home" / ".local" / "tool").mkdir(parents=True)
    (tmp_path / "alias").symlink_to("home")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    shown = tmp_path / "home" / ".local" / "tool"
    forbidden = (tmp_path / "home", Path("/etc/shadow"))
    assert installation(plan_of(tmp_path, tools={"tool": shown}, forbidden=forbidden)) == {
        "tool": shown
    }
    with pytest.raises(InputError, match="lie in one another"):
        installation(plan_of(tmp_path, tools={"tool": tmp_path / "alias"}, forbidden=forbidden))


@pytest.mark.parametrize("source", ["/nonexistent/tool", "/proc/self", "/dev", "/", "/etc"])
def test_what_is_no_installation_is_refused(source: str, tmp_path: Path) -> None:
    """Nothing that is missing, the kernel's, or the whole machine."""
    plan = plan_of(tmp_path, tools={"tool": Path(source)}, forbidden=(Path("/etc/shadow"),))
    with pytest.raises(InputError):
        installation(plan)


@BOTH
@pytest.mark.parametrize("name", ["../x", "/x", "a//b", "", ".", "a/../../b", "a\nb"])
@pytest.mark.parametrize("what", ["tools", "home", "collect"])
def test_a_name_stays_where_it_belongs(
    what: str, name: str, sandbox: str, carry_out: CarryOut, tmp_path: Path
) -> None:
    """A name that climbs, is absolute, or has empty parts is refused before anything is made."""
    value = tmp_path if what == "tools" else "/home/agent/x"
    with pytest.raises(InputError):
        carry_out(WRITE, lambda _: {what: {name: value}}, sandbox=sandbox)
    assert not plain(name)
    assert not (tmp_path / "out").exists()


@BOTH
def test_the_home_holds_what_was_placed_there(
    sandbox: str, carry_out: CarryOut, tmp_path: Path
) -> None:
    """Texts stand in the fresh home, readable by its user alone, in folders of that kind, and can be changed."""
    script = (
        "import os, stat\n"
        "os.chdir(os.environ['HOME'])\n"
        "assert open('.tool/deep/settings.toml', encoding='utf-8').read() == 'name = \"h\\u00e9ron\"'\n"
        "modes = [stat.S_IMODE(os.stat(p).st_mode) for p in ('.tool', '.tool/deep', '.tool/deep/settings.toml')]\n"
        "assert modes == [0o700, 0o700, 0o600], modes\n"
        "assert open('.rc').read() == ''\n"
        "open('.rc', 'w').write('mine')\nos.chdir(os.environ['WORK'])\n"
    )
    home = {".tool/deep/settings.toml": 'name = "h\u00e9ron"', ".rc": ""}
    ended = carry_out(
        script + WRITE,
        lambda layout: {"home": home, "env": {"HOME": layout.home, "WORK": layout.work}},
        sandbox=sandbox,
    )
    assert (ended.exit_code, ended.output) == (0, "present"), said(tmp_path)


@BOTH
def test_files_outside_the_work_folder_are_handed_out_by_name(
    sandbox: str, carry_out: CarryOut, tmp_path: Path
) -> None:
    """Regular files arrive, private to the user; links in any part of the path, pipes and folders do not."""
    script = (
        "import os\nos.chdir(os.environ['HOME'])\n"
        "os.makedirs('logs/deep'); open('logs/deep/session.jsonl', 'w').write('{}\\n')\n"
        "open('locked.txt', 'w').write('l'); os.chmod('locked.txt', 0)\n"
        "os.symlink('/etc/passwd', 'link.txt')\n"
        "os.symlink('logs', 'folder')\n"
        "os.mkfifo('pipe'); os.mkdir('dir')\nos.chdir(os.environ['WORK'])\n"
    )
    wanted = {
        "session.jsonl": "logs/deep/session.jsonl", "sub/locked.txt": "locked.txt", "link.txt": "link.txt",
        "through.txt": "folder/deep/session.jsonl", "pipe": "pipe", "dir": "dir", "none": "none",
    }  # fmt: skip

    def changes(layout: Layout) -> Mapping[str, Any]:
        collect = {name: f"{layout.home}/{path}" for name, path in wanted.items()}
        return {"collect": collect, "env": {"HOME": layout.home, "WORK": layout.work}}

    ended = carry_out(script + WRITE, changes, sandbox=sandbox)
    assert (ended.exit_code, ended.output) == (0, "present"), said(tmp_path)
    root = tmp_path / "out" / "agent"
    found = {one.relative_to(root).as_posix(): one for one in root.rglob("*") if one.is_file()}
    assert {name: one.read_text() for name, one in found.items()} == {
        "session.jsonl": "{}\n",
        "sub/locked.txt": "l",
    }
    assert {stat.S_IMODE(one.stat().st_mode) for one in found.values()} == {0o600}
    assert ended.left_out == {"not a regular file": 3, "unreadable": 1}


def test_what_is_collected_is_bounded(tmp_path: Path) -> None:
    """One file and all together have a bound; what is beyond stays and is counted."""
    for name, size in {"a": 40, "b": 51, "c": 50, "d": 40}.items():
        (tmp_path / name).write_bytes(b"x" * size)
    left_out: dict[str, int] = {}
    rules = Rules("output.csv", 100, largest_file=50, largest_total=100)
    outside = Outside(rules, left_out)
    places = {name: (str(tmp_path), name) for name in ("d", "c", "b", "a")}
    assert [(one.name, one.size) for one in outside.files(places)] == [("a", 40), ("c", 50)]
    assert left_out == {"too large": 2}


@pytest.mark.parametrize("path", ["..", "/", "../x", "a/../b", "."])
def test_a_path_to_collect_does_not_climb(path: str, tmp_path: Path) -> None:
    """Nothing above the trusted folder is opened."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").write_text("b")
    assert open_below(str(tmp_path / "a"), path) is None
    found = open_below(str(tmp_path), "./b")
    assert found is not None
    found.close()


@BOTH
def test_a_tap_hears_everything_at_once(sandbox: str, carry_out: CarryOut, tmp_path: Path) -> None:
    """Chunks come while the agent runs and beyond what is stored; standard error is not among them."""
    heard: list[bytes] = []
    go = tmp_path / "go"

    def tap(chunk: bytes) -> None:
        heard.append(chunk)
        if b"first" in b"".join(heard) and not go.exists():
            go.mkdir()

    script = (
        "import sys\nprint('first', flush=True)\nprint('aside', file=sys.stderr)\n"
        "for _ in range(30): print('x' * 100_000)\nprint('last')\n"
    )
    ended = carry_out(script + WRITE, lambda _: {"tap": tap}, sandbox=sandbox)
    assert ended.output == "present", said(tmp_path)
    whole = b"".join(heard)
    assert whole == b"first\n" + (b"x" * 100_000 + b"\n") * 30 + b"last\n"
    assert len(heard) > 1
    assert ended.cut["stdout"] == len(whole) - (1 << 20)


@BOTH
def test_a_tap_that_fails_stops_nothing(sandbox: str, carry_out: CarryOut, tmp_path: Path) -> None:
    """What it raises does not end the draining, and the output is stored whole."""

    def tap(chunk: bytes) -> None:
        raise ValueError("not mine")

    script = "for _ in range(8): print('x' * 100_000, flush=True)\n"
    ended = carry_out(script + WRITE, lambda _: {"tap": tap}, sandbox=sandbox)
    assert (ended.exit_code, ended.output, ended.cut) == (0, "present", {})
    assert (tmp_path / "out" / "stdout.txt").stat().st_size == 8 * 100_001


FIRST = {
    "written, then more": ("time.sleep(0.2)\n" + WRITE + "time.sleep(0.4)\n", True),
    "written at the very end": (WRITE, True),
    "taken away again": (WRITE + "time.sleep(0.4)\nos.remove('output.csv')\n", True),
    "empty": ("open('output.csv', 'w').close(); time.sleep(0.2)\n", False),
    "a link": ("os.symlink('/etc/passwd', 'output.csv'); time.sleep(0.2)\n", False),
    "another name": ("open('output.txt', 'w').write('x'); time.sleep(0.2)\n", False),
}


@BOTH
@pytest.mark.parametrize(("script", "seen"), FIRST.values(), ids=FIRST)
def test_the_first_sight_of_the_deliverable_is_noted(
    script: str, seen: bool, sandbox: str, carry_out: CarryOut
) -> None:
    """A regular file with something in it counts, whatever becomes of it."""
    ended = carry_out("import os, time\n" + script, sandbox=sandbox)
    assert ended.exit_code == 0
    assert (ended.first_output_seconds is not None) == seen
    if ended.first_output_seconds is not None:
        assert 0 < ended.first_output_seconds <= ended.seconds


def test_locks_of_files_take_hold_of_nothing_on_the_host(
    carry_out: CarryOut, tmp_path: Path
) -> None:
    """A tool's own lock succeeds; one on a shown file leaves the host free to lock it while the agent runs."""
    import fcntl

    (tmp_path / "tool").mkdir()
    shown = tmp_path / "tool" / "shown.txt"
    shown.write_text("heron")
    free: list[bool] = []

    def tap(chunk: bytes) -> None:
        with shown.open() as held:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            free.append(True)

    script = (
        "import fcntl, time\nmine = open('/tmp/lock', 'w'); fcntl.flock(mine, fcntl.LOCK_EX)\n"
        "held = open('/opt/agent/tool/shown.txt'); fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "print('locked', flush=True)\ntime.sleep(0.5)\n"
    )
    changes = {"tools": {"tool": tmp_path / "tool"}, "tap": tap}
    ended = carry_out(script + WRITE, lambda _: changes)
    assert (ended.exit_code, free) == (0, [True]), said(tmp_path)
    assert os.path.lexists(tmp_path / "out" / "output.csv")
