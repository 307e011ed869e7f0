# SPDX-License-Identifier: MIT
"""`m4bench score`: what it prints and how it ends."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from m4bench.cli.commands import app
from m4bench.model.errors import InputError
from m4bench.suites.derivation.scoring import compare
from m4bench.suites.derivation.scoring.batches import Batch, ByteBatch
from m4bench.suites.derivation.scoring.submission import Source

TASK = "mimic-meld-24h"
REFERENCE = "stay_id,meld\n1,6.0\n2,40\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A reference, and a folder of outputs."""
    (tmp_path / "reference.csv").write_text(REFERENCE)
    (tmp_path / "outputs").mkdir()
    header = "subject_id,hadm_id,stay_id,meld_initial,meld\n"
    (tmp_path / "outputs" / "right.csv").write_text(header + "1,1,1,6,6\n2,2,2,40,39\n")
    (tmp_path / "outputs" / "wrong.csv").write_text(header + "1,1,1,6,20\n")
    (tmp_path / "outputs" / "bad.csv").write_bytes(b"\x00\x01")
    return tmp_path


def run(folder: Path, *arguments: str) -> Result:
    """Run the command in a folder of this test."""
    return CliRunner().invoke(
        app, ["score", *(word.replace("@", str(folder)) for word in arguments)]
    )


def test_json_is_the_score_alone(folder: Path) -> None:
    """Standard output is one JSON object with the promised names."""
    result = run(folder, TASK, "@/outputs/right.csv", "--reference", "@/reference.csv", "--json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert told["reward"] == 1.0  # the tolerance of meld is 1
    assert set(told) >= {"reward", "columns", "keys", "ordered_nmae", "strict", "convention"}
    assert {"match_rate", "matched", "total"} <= set(told["columns"]["meld"])
    assert (told["task"], told["dataset"], told["convention"]) == (TASK, None, "published")


def test_a_reward_of_zero_is_a_measurement(folder: Path) -> None:
    """An output nothing can be made of is scored 0 and ends well."""
    result = run(folder, TASK, "@/outputs/bad.csv", "--reference", "@/reference.csv")
    assert result.exit_code == 0
    assert "0.00000000" in result.stdout
    assert "not text" in result.stderr


def test_a_folder_is_a_table(folder: Path) -> None:
    """Every CSV file of a folder is scored, by name."""
    result = run(folder, TASK, "@/outputs", "--reference", "@/reference.csv", "--json")
    assert [(row["output"], row["reward"]) for row in json.loads(result.stdout)] == [
        ("bad.csv", 0.0),
        ("right.csv", 1.0),
        ("wrong.csv", 0.0),
    ]
    printed = run(folder, TASK, "@/outputs", "--reference", "@/reference.csv").stdout
    assert [line.split()[0] for line in printed.splitlines()[1:]] == [
        "bad.csv",
        "right.csv",
        "wrong.csv",
    ]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["no-such-task", "@/outputs/right.csv", "--reference", "@/reference.csv"], "no task"),
        ([TASK, "@/absent.csv", "--reference", "@/reference.csv"], "no such output"),
        ([TASK, "@/outputs/right.csv", "--reference", "@/absent.csv"], "no such reference"),
        (
            [TASK, "@/outputs/right.csv", "--store", "@/store"],
            "dataset synthetic is not in the store",
        ),
        (
            [TASK, "@/outputs/right.csv", "--reference", "@/reference.csv", "--dataset", "x"],
            "one reference",
        ),
        ([TASK, "@/outputs/right.csv", "--dataset", "no-such-dataset", "--store", "@/store"], ""),
        (
            [TASK, "@/outputs/right.csv", "--reference", "@/reference.csv", "--convention", "x"],
            "no convention",
        ),
        ([TASK, "@", "--reference", "@/outputs/right.csv"], ""),
    ],
)
def test_bad_usage_is_bad_input(folder: Path, arguments: list[str], problem: str) -> None:
    """What cannot be scored because it was asked wrongly is exit 2 with a reason."""
    if arguments[1] == "@":
        (folder / "reference.csv").unlink()
        problem = "no CSV file"
    result = run(folder, *arguments)
    assert isinstance(result.exception, InputError)
    assert result.exception.exit_code == 2
    assert problem in str(result.exception)


def test_a_name_no_file_can_have_is_bad_input(folder: Path) -> None:
    """Where the file system itself refuses a name there is no such output and no such reference."""
    name = "@/" + "a" * 400
    for arguments in (
        [TASK, name, "--reference", "@/reference.csv"],
        [TASK, "@/outputs", "--reference", name],
    ):
        result = run(folder, *arguments)
        assert isinstance(result.exception, InputError)
        assert "there is no such" in str(result.exception)


def test_a_fault_in_one_output_leaves_the_others_their_scores(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file at which scoring itself fails is a row of the table like any other."""
    cut = compare.batches

    def fail_on_wrong(source: Source, *rest: Any) -> Iterator[Batch]:
        for batch in cut(source, *rest):
            assert isinstance(batch, ByteBatch)
            if bytes(batch.data).endswith(b"6,20\n"):
                raise MemoryError
            yield batch

    monkeypatch.setattr(compare, "batches", fail_on_wrong)
    result = run(folder, TASK, "@/outputs", "--reference", "@/reference.csv", "--json")
    assert [(row["output"], row["reward"], row["error"]) for row in json.loads(result.stdout)] == [
        ("bad.csv", 0.0, "it is not text"),
        ("right.csv", 1.0, None),
        ("wrong.csv", 0.0, "it could not be scored (MemoryError)"),
    ]


def test_names_of_outputs_are_shown_harmlessly(folder: Path) -> None:
    """Markup is not obeyed, and line ends, escapes and bytes that are no text are spelled out."""
    for name in (b"[red]x.csv", b"a\nb.csv", b"c\x1b[2Jd.csv", b"e\xff.csv"):
        (folder / "outputs" / os.fsdecode(name)).write_text("stay_id,meld\n1,6\n")
    printed = run(folder, TASK, "@/outputs", "--reference", "@/reference.csv")
    assert printed.exit_code == 0
    assert "\x1b" not in printed.stdout
    assert [line.split()[0] for line in printed.stdout.splitlines()[1:]] == [
        *("[red]x.csv", "a\\nb.csv", "bad.csv", "c\\x1b[2Jd.csv"),
        *("e\\udcff.csv", "right.csv", "wrong.csv"),
    ]
    told = run(folder, TASK, "@/outputs", "--reference", "@/reference.csv", "--json")
    assert "a\nb.csv" in [row["output"] for row in json.loads(told.stdout)]
