# SPDX-License-Identifier: MIT
"""One run, from request to record, with a suite that knows no table and real sandboxes."""

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from m4bench.data.store import Store
from m4bench.harness.finished.results import read_runs
from m4bench.harness.run import PROJECT, RunExistsError, RunRequest, identify, run
from m4bench.harness.run_folder import RunFolder
from m4bench.harness.sandbox.bwrap import BubblewrapSandbox
from m4bench.harness.sandbox.inside.collect import safe_name
from m4bench.model.errors import InputError, MissingError
from m4bench.model.run import RunRecord

from .conftest import TOY_PACKAGE, write_manifest
from .processes import await_true, running

Ask = Callable[..., RunRequest]
RIGHT = "import os\nopen(os.environ['M4BENCH_OUTPUT'], 'w').write('heron')\n"


@pytest.fixture(autouse=True)
def _bubblewrap_works(bubblewrap: BubblewrapSandbox) -> None:
    """Every run here uses the real sandbox unless it says otherwise."""


def test_a_run_leaves_a_whole_private_folder(ask: Ask, tmp_path: Path) -> None:
    """Record, instruction, output, prints, environment and the agent's own files, all private, all hashed."""
    script = RIGHT + "print('hello')\nopen('notes.md', 'w').write('n')\n"
    record = run(ask(script, condition="plain+hint", model="some/model:1"))
    folder = tmp_path / "results" / record.run_id
    assert RunRecord.read(folder / "run.json") == record
    assert record.run_id.startswith(
        "toy-word__plain-and-hint__upright__command__some-model-1__t1__"
    )
    assert record.run_id.endswith(record.identity[:12])
    assert {one.name for one in record.artefacts} == {
        "answer.txt", "environment.json", "files/notes.md", "instruction.md", "stderr.txt", "stdout.txt",
    }  # fmt: skip
    for path in [tmp_path / "results", *folder.rglob("*"), folder]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert (folder / "instruction.md").read_text() == "Find the word (plain+hint).\n"
    assert (folder / "stdout.txt").read_text() == "hello\n"
    assert (record.score.reward if record.score else None) == 1.0
    assert record.publishability.publishable
    assert record.task_version == "1.2"
    environment = json.loads((folder / "environment.json").read_text())
    assert environment["packages"]["duckdb"]
    assert [path.name for path in (tmp_path / "results").iterdir()] == [record.run_id]


ENDINGS = {
    "right": (RIGHT, "completed", 1.0),
    "wrong": ("open('answer.txt', 'w').write('stork')", "completed", 0.0),
    "right, but fails": (RIGHT + "raise SystemExit(3)", "agent-error", 0.0),
    "right, but killed": (RIGHT + "os.kill(os.getpid(), 9)", "agent-error", 0.0),
    "nothing": ("", "no-output", 0.0),
    "a link to the answer": ("import os; os.symlink('x', 'answer.txt')", "no-output", 0.0),
    "right, but late": (RIGHT + "import time; time.sleep(60)", "timeout", 0.0),
    "right, but greedy": (RIGHT + "while True:\n  try: os.fork()\n  except OSError: pass", "resources", 0.0),
}  # fmt: skip


@pytest.mark.parametrize(("script", "state", "reward"), ENDINGS.values(), ids=ENDINGS)
def test_only_a_completed_run_earns_a_reward(
    script: str, state: str, reward: float, ask: Ask, tmp_path: Path
) -> None:
    """An agent's failure is a measurement of 0 with its reason, whatever the output says."""
    record = run(ask(script, timeout=1.5 if state == "timeout" else 60.0))
    assert record.outcome.state == state
    assert record.score is not None
    assert record.score.reward == reward
    assert (record.score.error is None) == (state == "completed")
    assert (record.score.error or state).startswith(state)
    assert not record.score.strict.passed or reward == 1.0
    assert (tmp_path / "results" / record.run_id / "run.json").is_file()


@pytest.mark.parametrize(
    ("agent", "reward", "publishable"),
    [
        ("reference", 1.0, False),
        ("naive", 1.0, False),
        ("empty", 0.0, False),
        ("toy-copier", 0.0, True),
    ],
)
def test_installed_agents_run_on_an_installed_suite(
    agent: str, reward: float, publishable: bool, ask: Ask
) -> None:
    """Ours and a third party's work on a suite neither was written for; baselines are never published."""
    record = run(ask(agent=agent))
    assert record.outcome.state == "completed"
    assert (record.score.reward if record.score else None) == reward
    assert record.publishability.publishable == publishable
    assert record.setup_bytes <= 2_000_000


def test_without_isolation_nothing_is_publishable(ask: Ask) -> None:
    """A run under `none` works the same and says why it may not be published."""
    record = run(ask(RIGHT, sandbox="none"))
    assert record.outcome.state == "completed"
    assert record.publishability.reasons == ("no isolation (sandbox none)",)
    late = run(ask("import time; time.sleep(60)", sandbox="none", timeout=0.5))
    assert late.outcome.state == "timeout"


def test_modified_data_are_not_publishable(ask: Ask) -> None:
    """A data set that departs from its release speaks against a run."""
    request = ask(RIGHT)
    write_manifest(request.store, modified=True)
    assert run(request).publishability.reasons == ("the data set is not as released",)


def test_credentialed_rows_are_not_shown_without_isolation(
    ask: Ask, toy_store: Store, tmp_path: Path
) -> None:
    """Where nothing keeps the rows here, credentialed data are refused before an agent starts."""
    write_manifest(toy_store, modified=False, access="credentialed")
    with pytest.raises(InputError, match="is credentialed"):
        run(ask(sandbox="none"))
    assert not (tmp_path / "results").exists()


def test_a_run_is_never_overwritten(ask: Ask, tmp_path: Path) -> None:
    """The same request again is refused with what to do; another trial is another run."""
    record = run(ask(RIGHT))
    before = (tmp_path / "results" / record.run_id / "run.json").read_bytes()
    with pytest.raises(RunExistsError, match="--trial"):
        run(ask(RIGHT))
    assert (tmp_path / "results" / record.run_id / "run.json").read_bytes() == before
    assert run(ask(RIGHT, trial=2)).run_id != record.run_id


def test_an_identity_depends_on_all_it_should(ask: Ask, tmp_path: Path) -> None:
    """Condition, schema, drops, convention, model, effort, trial, program and sandbox make another run."""
    base = ask(RIGHT)
    changed = [
        replace(base, **change)  # type: ignore[arg-type]
        for change in (
            {"condition": "plain+hint"}, {"schema": "mirrored"}, {"drops": "published"},
            {"convention": "current"}, {"model": "m"}, {"effort": "high"}, {"trial": 2},
            {"program_args": "x"}, {"sandbox": "none"},
        )
    ]  # fmt: skip
    digests = [identify(one)[1] for one in (base, *changed)]
    assert len(set(digests)) == len(digests)
    assert identify(replace(base, results=tmp_path / "elsewhere", timeout=9.0)) == identify(base)
    ask(RIGHT + "# changed")
    assert identify(base)[1] != digests[0]


REFUSED: dict[str, tuple[dict[str, object], str]] = {
    "task": ({"task": "no-such"}, "no task"),
    "condition": ({"condition": "with-magic"}, "choose one of: plain, plain\\+hint"),
    "schema": ({"schema": "native"}, "choose one of: upright, mirrored"),
    "agent": ({"agent": "nobody"}, "no agent"),
    "trial": ({"trial": 0}, "trials count from 1"),
    "time-out": ({"timeout": 0.0}, "positive"),
    "endless time-out": ({"timeout": 1e300}, "7 days"),
    "model without end": ({"model": "m" * 301}, "--model is no name"),
    "model that is no text": ({"model": "a\nb"}, "--model is no name"),
    "trial without end": ({"trial": 10**30}, "trials count from 1"),
    "sandbox": ({"sandbox": "jail"}, "choose one of: bwrap, none"),
    "exposed results": ({"results": Path("/usr/share/results")}, "visible to the agent"),
}


@pytest.mark.parametrize(("change", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_run_is_refused_at_once(
    change: dict[str, object], message: str, ask: Ask, tmp_path: Path
) -> None:
    """A wrong name, number or place is one line, and leaves nothing."""
    with pytest.raises(InputError, match=message):
        run(ask(**change))
    assert not (tmp_path / "results").exists()


NESTED = {
    "results in the store": ("store/runs", "store", "inside the store"),
    "results are the store": ("store", "store", "inside the store"),
    "the store in the results": (".", "store", "the store lies inside the results"),
    "a link into the store": ("link/runs", "store", "inside the store"),
    "results in the source": (str(PROJECT / "runs"), "store", "inside the project's source"),
}


@pytest.mark.parametrize(("results", "store", "message"), NESTED.values(), ids=NESTED)
def test_results_store_and_source_lie_apart(
    results: str, store: str, message: str, ask: Ask, tmp_path: Path
) -> None:
    """What agents leave never lies among what they are measured against, nor around it."""
    (tmp_path / "link").symlink_to(tmp_path / store)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InputError, match=message):
        run(ask(agent="empty", results=tmp_path / results))
    assert sorted(tmp_path.rglob("*")) == before
    assert not (PROJECT / "runs").exists()


def test_a_long_model_name_has_a_run_folder(ask: Ask) -> None:
    """The run's name is cut to what a file system holds; two that differ in their ends stay apart."""
    names = [run(ask(RIGHT, model="m" * 299 + end)).run_id for end in "ab"]
    assert len(set(names)) == 2
    assert all(len(name) <= 230 for name in names)


BROKEN = {
    "one of ours": (MissingError("the reference is gone", remedy="build it"), "the reference is gone"),
    "another's": (ValueError("heron is wrong"), "ValueError"),
    "the disk's": (OSError(28, "No space left on device"), "No space left on device"),
}  # fmt: skip


@pytest.mark.parametrize(("error", "words"), BROKEN.values(), ids=BROKEN)
def test_a_scorer_that_fails_loses_no_run(
    error: Exception, words: str, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The agent's work is kept whole, without a score and out of every analysis, and told apart."""

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("toy_suite.ToySuite.score", fail)
    record = run(ask(RIGHT))
    folder = tmp_path / "results" / record.run_id
    assert RunRecord.read(folder / "run.json") == record
    assert (folder / "answer.txt").read_text() == "heron"
    assert (record.outcome.state, record.score) == ("unscored", None)
    assert words in (record.outcome.reason or "")
    assert "heron" not in (record.outcome.reason or "")
    assert not record.publishability.publishable
    late = run(ask("import time; time.sleep(60)", timeout=0.5))
    assert late.outcome.state == "unscored"
    assert (late.outcome.reason or "").startswith("timeout (longer than 0.5 s); scoring failed")
    assert [one.run_id for one in read_runs(tmp_path / "results")] == sorted(
        [record.run_id, late.run_id]
    )


def test_text_that_cannot_be_written_loses_no_run(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes that are not UTF-8, in whatever a suite or a path adds to a record, are told as escapes."""

    def score(self: object, task: object, deliverable: object, **measured: object) -> None:
        raise InputError("no such file", file="/rows\udcff")

    monkeypatch.setattr("toy_suite.ToySuite.score", score)
    request = ask()
    record = run(request)
    assert record.outcome.state == "unscored"
    assert str(record.outcome.reason).endswith("/rows\\udcff: no such file")
    assert RunRecord.read(request.results / record.run_id / "run.json") == record


@pytest.mark.parametrize("told", ["version", "options"])
def test_an_agent_that_no_record_can_describe_is_refused(
    told: str, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused before anything is run."""
    value = {"version": "1\udcff", "options": {"how": "\udcff"}}[told]
    monkeypatch.setattr(f"toy_agent.CopierAgent.{told}", lambda self: value)
    request = ask(agent="toy-copier")
    with pytest.raises(InputError, match="toy-copier is described in text that is not UTF-8"):
        run(request)
    assert not request.results.exists()


@pytest.mark.parametrize("sandbox", ["bwrap", "none"])
def test_a_folder_that_is_not_utf8_may_hold_a_program(
    sandbox: str, ask: Ask, tmp_path: Path
) -> None:
    """Nothing of where a program stands is recorded, nor the names in its folder."""
    program = tmp_path / "programs\udcff" / "mine"
    program.mkdir(parents=True)
    (program / "main.py").write_text("open('answer.txt', 'w').write('heron')")
    (program / "note\udcff.txt").touch()
    record = run(ask(agent="command", program=program, sandbox=sandbox))
    assert (record.outcome.state, record.score and record.score.reward) == ("completed", 1.0)


def test_files_that_collide_do_not_void_a_run(ask: Ask) -> None:
    """A bad answer beside two files whose plain names meet is a measurement of 0."""
    odd = safe_name("é.txt")
    script = f"for name in ('é.txt', {odd!r}): open(name, 'w').close()\n"
    record = run(ask(script + "open('answer.txt', 'w').write('stork')"))
    assert record.outcome.state == "completed"
    assert (record.score.reward if record.score else None) == 0.0
    assert len([one for one in record.artefacts if one.name.startswith("files/")]) == 2


@pytest.mark.parametrize("program", ["store/toy/words.txt", "store", "."])
def test_a_program_that_holds_a_secret_is_refused(program: str, ask: Ask, tmp_path: Path) -> None:
    """Neither the store as a program, nor a folder around it, reaches the agent."""
    path = tmp_path / program
    if path.is_dir():
        (path / "main.py").write_text("")
    else:
        path.chmod(0o755)
    with pytest.raises(InputError, match="keep them apart"):
        run(ask(agent="command", program=path))


@pytest.mark.parametrize("name", ["words.txt", "skill.md"])
def test_a_suite_that_would_show_a_reference_is_stopped(name: str, ask: Ask) -> None:
    """A file to be copied or shown may not lead into the hidden references, not even by a link."""
    request = ask(RIGHT)
    hidden = request.store.private_references() / "answer.txt"
    hidden.write_text("heron\n")
    shown = request.store.root / "toy" / name
    shown.unlink()
    shown.symlink_to(hidden)
    with pytest.raises(InputError, match="hidden reference"):
        run(request)


def test_a_sandbox_that_fails_is_no_measurement(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its record lies apart, has no score, and does not stand in the way of the same run."""
    fake = tmp_path / "bin" / "bwrap"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho 'bwrap: no namespaces today' >&2\nexit 1\n")
    fake.chmod(0o755)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
        record = run(ask(RIGHT))
    assert record.outcome.state == "infrastructure"
    assert "no namespaces today; " in (record.outcome.reason or "")
    assert record.score is None
    assert not record.publishability.publishable
    kept = list((tmp_path / "results" / ".unmeasured").iterdir())
    assert [one.name.split("__t1__")[0] for one in kept] == ["toy-word__plain__upright__command"]
    assert run(ask(RIGHT)).outcome.state == "completed"


def test_a_harness_that_is_killed_leaves_no_run_and_no_agent(ask: Ask, tmp_path: Path) -> None:
    """After kill -9 only a partial folder is left; the agent is gone, and the next run clears the folder."""
    marker = f"{time.time_ns()}"
    request = ask(RIGHT + f"import time\nprint('up', flush=True)\ntime.sleep(120) # {marker}\n")
    script = (
        f"import sys\nsys.path.insert(0, {str(TOY_PACKAGE)!r})\nfrom pathlib import Path\n"
        "from m4bench.data.store import Store\nfrom m4bench.harness.run import RunRequest, run\n"
        f"run(RunRequest(results=Path({str(request.results)!r}), store=Store(Path({str(request.store.root)!r})),"
        f" dataset='toy', task='toy-word', condition='plain', agent='command', timeout=100.0,"
        f" program=Path({str(request.program)!r}), program_args='{marker}'))\n"
    )
    harness = subprocess.Popen([sys.executable, "-c", script])
    await_true(lambda: any(request.results.glob(".partial-*/stdout.txt")) and running(marker))
    [partial] = request.results.iterdir()
    with pytest.raises(InputError, match="under way in another process"):
        run(replace(request, program_args=marker))
    harness.send_signal(signal.SIGKILL)
    harness.wait()
    await_true(lambda: not running(marker))
    assert list(request.results.iterdir()) == [partial]
    record = run(replace(request, program_args=marker, timeout=1.0))
    assert record.outcome.state == "timeout"
    assert [path.name for path in request.results.iterdir()] == [record.run_id]


def test_a_folder_left_unfinished_leaves_nothing(tmp_path: Path) -> None:
    """Without a record the partial folder is removed, whatever permissions its parts have."""
    with RunFolder(tmp_path / "results", "some-run", "token") as folder:
        (folder.path / "closed").mkdir()
        (folder.path / "closed" / "file").touch()
        (folder.path / "closed").chmod(0)
    assert list((tmp_path / "results").iterdir()) == []
