# SPDX-License-Identifier: MIT
"""The page on publishing a leaderboard, followed."""

import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from m4bench.cli.commands import app
from m4bench.report.site.data_files import FILES
from tests.test_docs import ROOT, console_lines

PAGE = ROOT / "docs" / "how-to" / "publish-a-leaderboard.md"


def test_the_first_commands_make_a_leaderboard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any data the page's first two commands leave every kind of file that it names."""
    monkeypatch.chdir(tmp_path)
    for line in list(console_lines(PAGE))[:2]:
        words = shlex.split(line)
        assert words[0] == "m4bench"
        done = CliRunner().invoke(app, words[1:])
        assert done.exit_code == 0, done.output
    board = tmp_path / "board"
    for name in ("index.html", "reading.html", "sources.html", "contents.json", *FILES):
        assert (board / name).is_file()
    assert len(list(board.glob("tasks/*.html"))) == 28
    assert len(list(board.glob("systems/*.html"))) == 3


def test_every_file_for_download_is_named() -> None:
    """The page has the name of each file in `data`."""
    text = PAGE.read_text(encoding="utf-8")
    assert not [name for name in FILES if name.rpartition("/")[2] not in text]
