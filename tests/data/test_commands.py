# SPDX-License-Identifier: MIT
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.main import get_command
from typer.testing import CliRunner, Result

from m4bench.cli.data import app
from m4bench.data.importer import import_dataset
from m4bench.data.store import Store
from m4bench.data.synthetic.creation import store_hospital
from m4bench.model.errors import InputError, MeasurementFailedError, MissingError
from tests.data.folders import dataset_in, small_hospital, write


def run(folder: Path, *arguments: str) -> Result:
    store = [] if arguments[0] == "fetch" else ["--store", str(folder / "store")]
    return CliRunner().invoke(app, [*arguments, *store])


def imported(folder: Path) -> None:
    """Import rows as `synthetic` that nothing proves to be invented, as earlier versions did."""
    import_dataset(dataset_in(folder), small_hospital(folder / "from"))


def test_import_list_verify_and_delete_go_hand_in_hand(tmp_path: Path) -> None:
    """A dataset is imported, listed, verified and deleted through the command line."""
    source = small_hospital(tmp_path / "from")
    done = run(tmp_path, "import", "mimic-iv", "--from", str(source))
    assert (done.exit_code, done.stdout) == (
        0,
        "mimic-iv: 3 tables, 6 rows, no known release, modified\n",
    )
    listed: list[dict[str, Any]] = json.loads(run(tmp_path, "list", "--json").stdout)
    size = sum(p.stat().st_size for p in (tmp_path / "store").rglob("*.parquet"))
    assert listed == [
        {
            "dataset": "mimic-iv",
            "site": "mimic",
            "release": None,
            "access": "credentialed",
            "tables": 3,
            "rows": 6,
            "bytes": size,
            "modified": True,
            "invented": None,
            "problem": None,
        }
    ]
    assert "mimic-iv" in run(tmp_path, "list").stdout
    assert run(tmp_path, "verify", "mimic-iv").stdout == "mimic-iv holds\n"
    assert run(tmp_path, "delete", "mimic-iv", "--yes").exit_code == 0
    assert json.loads(run(tmp_path, "list", "--json").stdout) == []
    assert not dataset_in(tmp_path, "mimic-iv").root.exists()


def test_notes_go_to_standard_error_and_json_stands_alone(tmp_path: Path) -> None:
    """With --json the manifest is alone on standard output; progress and notes are on standard error."""
    source = small_hospital(tmp_path / "from")
    write(source, "extra.csv", "x")
    done = run(tmp_path, "import", "mimic-iv", "--from", str(source), "--json")
    manifest = json.loads(done.stdout)
    assert manifest == json.loads(dataset_in(tmp_path, "mimic-iv").manifest_path.read_text())
    assert "note: extra.csv belongs to no table" in done.stderr
    assert "mimiciv_hosp.diagnoses_icd: 3 rows" in done.stderr
    again = run(tmp_path, "import", "mimic-iv", "--from", str(source), "--allow-modified")
    assert "unchanged" in again.stderr


def test_verify_fails_when_the_dataset_does_not_hold(tmp_path: Path) -> None:
    """A finding is printed and the measurement counts as failed (exit 1)."""
    imported(tmp_path)
    dataset_in(tmp_path).source("mimiciv_hosp.services").unlink()
    done = run(tmp_path, "verify", "synthetic", "--json")
    assert isinstance(done.exception, MeasurementFailedError)
    assert done.exception.exit_code == 1
    assert json.loads(done.stdout) == {
        "dataset": "synthetic",
        "holds": False,
        "findings": ["mimiciv_hosp.services: the file is missing"],
    }


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("import", "synthetic", "--from", "/nowhere/at/all"), InputError),
        (("verify", "synthetic"), MissingError),
        (("delete", "synthetic", "--yes"), MissingError),
        (("fetch", "mimic-iv", "--to", "x"), InputError),
    ],
)
def test_bad_input_is_the_error_that_ends_with_two(
    tmp_path: Path, arguments: tuple[str, ...], error: type[InputError]
) -> None:
    """Bad input is an error whose exit code is 2."""
    done = run(tmp_path, *arguments)
    assert type(done.exception) is error
    assert done.exception.exit_code == 2


MODIFIED = """
import sys
from m4bench.cli.data import app
from m4bench.model.errors import M4BenchError
try:
    sys.exit(app(sys.argv[1:], standalone_mode=False))
except M4BenchError as error:
    sys.stderr.write(f"{error}\\n")
    sys.exit(error.exit_code)
"""


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        ("n\n", 2, "nothing was removed; answer y, or give --yes"),
        ("y\n", 0, ""),
        ("\x04", 130, ""),
        (None, 2, "there is no terminal to ask on; give --yes"),
    ],
)
def test_delete_asks_first(tmp_path: Path, answer: str | None, code: int, words: str) -> None:
    """Without --yes nothing is removed before the answer on a terminal is yes."""
    imported(tmp_path)
    primary, terminal = os.openpty()
    os.write(primary, (answer or "").encode())
    done = subprocess.run(
        [
            *(sys.executable, "-c", MODIFIED, "delete", "synthetic"),
            *("--store", str(tmp_path / "store")),
        ],
        stdin=terminal if answer else subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    os.close(primary)
    os.close(terminal)
    assert (done.returncode, words in done.stderr) == (code, True)
    assert "Traceback" not in done.stderr
    assert dataset_in(tmp_path).exists() is (code != 0)


def test_list_shows_a_broken_dataset_and_the_others(tmp_path: Path) -> None:
    """A manifest that cannot be read is named with its problem, and the list goes on."""
    imported(tmp_path)
    run(tmp_path, "import", "mimic-iv", "--from", str(tmp_path / "from"), "--allow-modified")
    path = dataset_in(tmp_path, "mimic-iv").manifest_path
    path.write_bytes(b"\xff\xfe")
    listed = json.loads(run(tmp_path, "list", "--json").stdout)
    assert [(row["dataset"], row["rows"]) for row in listed] == [
        ("mimic-iv", None),
        ("synthetic", 6),
    ]
    assert str(path) in listed[0]["problem"]
    shown = run(tmp_path, "list")
    assert shown.exit_code == 0
    assert f"mimic-iv is broken: {path}: is not UTF-8 text" in shown.stdout


def test_list_tells_what_was_left_by_commands_cut_short(tmp_path: Path) -> None:
    """Rows under no dataset's name are told on standard error with the command that removes them."""
    imported(tmp_path)
    root = dataset_in(tmp_path).root
    root.rename(root.with_name(".partial-deleted-synthetic"))
    shown = run(tmp_path, "list", "--json")
    assert json.loads(shown.stdout) == []
    assert "m4bench data delete synthetic" in shown.stderr
    assert run(tmp_path, "delete", "synthetic", "--yes").exit_code == 0
    assert run(tmp_path, "list", "--json").stderr == ""


def test_a_refused_import_is_one_line_in_a_process_of_its_own(tmp_path: Path) -> None:
    """The refusal of a spoilt file is the last line of standard error, without a traceback or a value."""
    source = small_hospital(tmp_path / "from")
    path = write(
        source,
        "hosp/services.csv",
        "subject_id,hadm_id,transfertime,prev_service,curr_service\nSECRET,1,,A,B\n",
    )
    done = subprocess.run(
        [
            *(sys.executable, "-c", MODIFIED, "import", "mimic-iv"),
            *("--from", str(source), "--store", str(tmp_path / "store")),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1].startswith(f"{path}, row 2, column subject_id: ")
    assert "Traceback" not in done.stderr
    assert "SECRET" not in done.stderr


def test_the_reference_page_lists_the_options_there_are() -> None:
    """Each command's row in the reference names exactly its options."""
    page = (Path(__file__).parents[2] / "docs" / "reference" / "data.md").read_text()
    rows = dict(re.findall(r"\| `m4bench data (\w+)[^`]*` \| (.+) \|", page))
    for name in ("import", "list", "verify", "delete", "fetch"):
        command = get_command(app).commands[name]  # type: ignore[attr-defined]
        options = {o for p in command.params for o in p.opts if o.startswith("--")}
        assert set(re.findall(r"--[a-z-]+", rows[name])) == options


def test_the_list_cuts_nothing_on_a_narrow_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 80 columns the longest name, access and count of rows that a release has stand whole."""
    dataset = dataset_in(tmp_path, "synthetic-eicu")
    store_hospital(Store(tmp_path / "store"), stays=2, density=0.2, site="eicu", sealed=True)
    sealed = dataset.manifest()
    small_hospital(tmp_path / "from")
    run(tmp_path, "import", "mimic-iv-demo", "--from", str(tmp_path / "from"), "--allow-modified")
    big = dataset_in(tmp_path, "mimic-iv-demo").manifest()
    charted = big.tables[0].model_copy(update={"rows": 432_997_491, "bytes": 30_123_456_789})
    changed = {"tables": (charted,), "release": "2.0.1", "access": "credentialed"}
    big.model_copy(update=changed).write(dataset_in(tmp_path, "mimic-iv-demo").manifest_path)
    monkeypatch.setattr("m4bench.cli.data.output", Console(width=80))
    lines = run(tmp_path, "list").stdout.splitlines()
    assert lines[1].split() == [
        *(
            "mimic-iv-demo",
            "mimic",
            "2.0.1,",
            "modified",
            "credentialed",
            "432,997,491",
            "30.1",
            "GB",
        ),
    ]
    assert lines[2].split()[0] == "synthetic-eicu"
    assert sealed.invented is not None
    assert lines[3] == (
        f"synthetic-eicu: 2 ICU stays, sealed, density 0.2, content {sealed.invented.content[:12]}"
    )
    told = json.loads(run(tmp_path, "list", "--json").stdout)[1]["invented"]
    assert told == sealed.invented.model_dump(mode="json")
    assert told["seed"] is None


def test_an_import_as_synthetic_wants_the_proof(tmp_path: Path) -> None:
    """Rows without a recipe are refused at the door, and no folder is left."""
    source = small_hospital(tmp_path / "from")
    for name in ("synthetic", "synthetic-eicu"):
        done = run(tmp_path, "import", name, "--from", str(source))
        assert type(done.exception) is InputError
        assert "hospital.json" in str(done.exception)
    assert not (tmp_path / "store").exists()
