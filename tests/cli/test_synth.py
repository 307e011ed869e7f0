# SPDX-License-Identifier: MIT
"""`m4bench data synth` and `data reveal` as a user runs them."""

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from m4bench.cli.main import run
from m4bench.data.store import REFERENCES, Store

FEW = ("--stays", "5", "--density", "0.2")


class Done(NamedTuple):
    """How a command ended and what it printed."""

    returncode: int
    stdout: str
    stderr: str


Data = Callable[..., Done]


@pytest.fixture
def data(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Data:
    """A function that runs a command of the group `data` through the door."""

    def called(*arguments: object, store: Path) -> Done:
        monkeypatch.setenv("M4BENCH_STORE", str(store))
        monkeypatch.setattr(sys, "argv", ["m4bench", "data", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            run()
        return Done(int(ended.value.code or 0), *capsys.readouterr())

    return called


def test_a_hospital_is_imported_and_its_content_told(data: Data, tmp_path: Path) -> None:
    """JSON stands alone on standard output and is the manifest; text names size and content."""
    done = data("synth", *FEW, "--seed", 4, "--json", store=tmp_path)
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    manifest = Store(tmp_path).dataset("synthetic").manifest()
    assert printed == manifest.model_dump(mode="json")
    assert manifest.invented is not None
    assert (manifest.invented.seed, manifest.invented.stays) == (4, 5)
    stays = manifest.table("mimiciv_icu.icustays")
    assert stays is not None
    assert stays.rows == 5
    told = data("synth", *FEW, "--seed", 4, "--workers", 1, store=tmp_path)
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith("synthetic: 5 ICU stays, 31 tables, ")
    assert told.stdout.splitlines()[1] == f"content {manifest.invented.content}"


def test_files_are_written_and_the_next_command_named(data: Data, tmp_path: Path) -> None:
    """With a folder the files are left there, and the command that is named imports them."""
    folder, store = tmp_path / "hospital", tmp_path / "store"
    done = data("synth", *FEW, "--to", folder, store=store)
    assert done.returncode == 0, done.stderr
    following = done.stdout.splitlines()[0].partition("import them with: m4bench data ")[2]
    assert (folder / "icu" / "chartevents.parquet").is_file()
    assert not store.exists()
    assert data(*shlex.split(following), store=store).returncode == 0
    again = data("synth", *FEW, "--to", folder, "--json", store=store)
    assert f"content {json.loads(again.stdout)['content']}" in done.stdout


def test_a_seal_is_kept_until_it_is_asked_for(data: Data, tmp_path: Path) -> None:
    """Only the commitment is told; `reveal` tells the seed and a command that gives the same rows."""
    made = data("synth", *FEW, "--sealed", store=tmp_path)
    assert made.returncode == 0, made.stderr
    invented = Store(tmp_path).dataset("synthetic").manifest().invented
    assert invented is not None
    assert f"commitment {invented.commitment}" in made.stdout
    listed = data("list", "--json", store=tmp_path)
    told = json.loads(data("reveal", "synthetic", "--json", store=tmp_path).stdout)
    for said in (made.stdout, made.stderr, listed.stdout, listed.stderr):
        assert told["seed"] not in said
    plain = data("reveal", "synthetic", store=tmp_path)
    assert f"seed {told['seed']}" in plain.stdout
    assert told["command"] in plain.stdout
    assert plain.stderr == ""
    *words, to, _ = shlex.split(told["command"])[2:]
    assert to == "--to"
    again = data(*words, "--to", tmp_path / "again", "--json", store=tmp_path)
    assert json.loads(again.stdout)["content"] == invented.content
    there = data(*words, "--json", store=tmp_path)
    assert json.loads(there.stdout)["invented"]["sealed"] is True
    assert data("verify", "synthetic", store=tmp_path).returncode == 0


def test_another_hospital_is_replaced_on_demand_alone(data: Data, tmp_path: Path) -> None:
    """The refusal names what stands there; with --replace the new one stands."""
    dataset = Store(tmp_path).dataset("synthetic")
    assert data("synth", *FEW, "--seed", 1, store=tmp_path).returncode == 0
    refused = data("synth", *FEW, "--seed", 2, store=tmp_path)
    assert refused.returncode == 2
    assert "another hospital (5 stays, seed 1, density 0.2)" in refused.stderr
    assert "--replace" in refused.stderr
    assert dataset.manifest().invented.seed == 1  # type: ignore[union-attr]
    assert data("synth", *FEW, "--seed", 2, "--replace", store=tmp_path).returncode == 0
    assert dataset.manifest().invented.seed == 2  # type: ignore[union-attr]


def test_a_sealed_hospital_is_not_replaced_in_silence(data: Data, tmp_path: Path) -> None:
    """The one line says what would be lost and what to do."""
    assert data("synth", *FEW, "--sealed", store=tmp_path).returncode == 0
    seals = list((tmp_path / REFERENCES).rglob("seal-*"))
    for arguments in ((), ("--sealed",), ("--replace",)):
        done = data("synth", *FEW, *arguments, store=tmp_path)
        assert done.returncode == 2
        assert "m4bench data delete synthetic" in done.stderr
    assert list((tmp_path / REFERENCES).rglob("seal-*")) == seals
    assert len(seals) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["synth", "--stays", "0"], "at least one stay"),
        (["synth", "--stays", "1000000"], "identifiers suffice for"),
        (["synth", "--seed", "-1"], "a seed cannot be negative"),
        (["synth", "--density", "0"], "a share of the rows, 0.001 to 1"),
        (["synth", "--density", "nan"], "a share of the rows, 0.001 to 1"),
        (["synth", "--workers", "0"], "--workers 1 or more"),
        (["synth", "--site", "amsterdam"], "choose: mimic, eicu"),
        (["synth", "--sealed", "--seed", "3"], "draws its own seed"),
        (["synth", "--sealed", "--to", "hospital"], "leave --to out"),
        (["synth", "--to", "a", "--store", "b"], "give one of the two"),
        (["reveal", "synthetic"], "m4bench data synth"),
        (["reveal", "../synthetic"], "no dataset can be called"),
    ],
)
def test_bad_usage_is_one_line_and_exit_2(
    data: Data, arguments: list[str], said: str, tmp_path: Path
) -> None:
    """Whatever cannot be made is refused before anything is written."""
    done = data(*arguments, store=tmp_path / "store")
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_named(data: Data, tmp_path: Path) -> None:
    """A folder below a file is bad input."""
    done = data("synth", *FEW, "--to", "/dev/null/hospital", store=tmp_path / "store")
    assert done.returncode == 2
    assert "m4bench: /dev/null/hospital: cannot be written" in done.stderr
