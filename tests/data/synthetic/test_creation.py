# SPDX-License-Identifier: MIT
"""The command that makes a hospital, in the store or as files."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from m4bench.cli.synth import synth
from m4bench.data.store import Store
from m4bench.data.synthetic.creation import store_hospital, write_hospital
from m4bench.model.errors import InputError

RUNNER = CliRunner()


@pytest.fixture
def app() -> typer.Typer:
    """The command on its own."""
    alone = typer.Typer()
    alone.command()(synth)
    return alone


def test_the_command_imports_a_hospital(app: typer.Typer, tmp_path: Path) -> None:
    """Without a folder the hospital becomes dataset `synthetic`; JSON stands alone on standard output."""
    given = ["--stays", "12", "--seed", "4", "--store", str(tmp_path), "--json"]
    result = RUNNER.invoke(app, given)
    assert result.exit_code == 0, result.stderr
    printed = json.loads(result.stdout)
    assert printed["dataset"] == "synthetic"
    manifest = Store(tmp_path).dataset("synthetic").manifest()
    stays = manifest.table("mimiciv_icu.icustays")
    assert stays is not None
    assert stays.rows == 12


def test_the_command_writes_files(app: typer.Typer, tmp_path: Path) -> None:
    """With a folder the files are left there and the next command is named."""
    folder = tmp_path / "hospital"
    result = RUNNER.invoke(app, ["--stays", "5", "--to", str(folder)])
    assert result.exit_code == 0, result.stderr
    assert f"m4bench data import synthetic --from {folder}" in result.stdout
    assert (folder / "icu" / "chartevents.parquet").is_file()


def test_one_place_is_given(app: typer.Typer, tmp_path: Path) -> None:
    """A folder and a store together are bad usage."""
    given = ["--to", str(tmp_path / "a"), "--store", str(tmp_path / "b")]
    result = RUNNER.invoke(app, given)
    assert isinstance(result.exception, InputError)
    assert list(tmp_path.iterdir()) == []


def test_the_same_hospital_is_not_imported_twice(tmp_path: Path) -> None:
    """Asked again for the same stays and seed, the dataset in the store is left as it is; another replaces it."""
    store = Store(tmp_path)
    first = store_hospital(store, stays=6, seed=1)
    assert store_hospital(store, stays=6, seed=1).imported == first.imported
    other = store_hospital(store, stays=6, seed=2)
    assert other.content_hash() != first.content_hash()
    assert store.dataset("synthetic").manifest().content_hash() == other.content_hash()


def test_a_place_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    """A folder below a file is bad input that names the place."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_hospital(tmp_path / "file" / "hospital", stays=2)
