# SPDX-License-Identifier: MIT
"""A Spark session that cannot be is told in one line; one that ends leaves neither Java nor files behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from m4bench.data.store import Store
from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.engines.spark import (
    WORK_PREFIX,
    SparkOptions,
    spark_warehouse,
    work_folder,
)
from m4bench.suites.derivation.library.engines.spark_session import require_master
from tests.suites.derivation.library.engines.spark_there import copy_of_sources, require_spark

OPTIONS = SparkOptions(master="local[2]", memory="1GB")


def opened(folder: Path, **options: Any) -> None:
    """Open and close a warehouse."""
    with spark_warehouse(folder, OPTIONS.model_copy(update=options)):
        pass


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"master": "lokal"}, "is no Spark master"),
        ({"master": "spark://127.0.0.1:1"}, "no Spark master answers at spark://127.0.0.1:1"),
        ({"memory": "100MB"}, "at least 512MB"),
        ({"source": Path("/nowhere/at/all")}, "no such folder"),
        ({"work": Path("/nowhere/at/all")}, "no such folder"),
    ],
)
def test_a_session_that_cannot_be(options: dict[str, Any], said: str, tmp_path: Path) -> None:
    """What is asked for in vain is told in one line, before Java starts, and nothing is left."""
    require_spark()
    with pytest.raises(InputError, match=said):
        opened(tmp_path, **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "master",
    [
        "spark://me:hunter2@127.0.0.1:1",
        "spark://127.0.0.1:1,me:hunter2@127.0.0.1:1",
        "spark://me:hunter2",
        "me:hunter2@host",
        "http://me:hunter2",
        "k8s://https://me:hunter2@host",
    ],
)
def test_a_master_with_a_password_is_refused_without_it(master: str) -> None:
    """No part of what could be a password is repeated."""
    with pytest.raises(InputError, match="Spark master") as told:
        require_master(master)
    assert "hunter2" not in str(told.value)
    assert "me:" not in str(told.value)


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("JAVA_HOME", "/nowhere", "JAVA_HOME says /nowhere"),
        ("PATH", "/nowhere", "there is no java on the PATH"),
    ],
)
def test_no_java(
    variable: str, value: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without Java the remedy is its installation."""
    require_spark()
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv(variable, value)
    with pytest.raises(InputError, match=said):
        opened(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("version", "said"), [("11.0.2", "Java 11"), ("1.8.0_292", "Java 8")])
def test_a_java_that_is_too_old(
    version: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old Java is named with its version."""
    require_spark()
    java = tmp_path / "home" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2020-01-01' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    (tmp_path / "work").mkdir()
    with pytest.raises(InputError, match=said):
        opened(tmp_path / "work")


def test_the_leavings_of_a_killed_build_are_cleared(tmp_path: Path) -> None:
    """A work folder nobody holds goes; another build's stays."""
    (tmp_path / f"{WORK_PREFIX}dead").mkdir()
    with work_folder(tmp_path) as mine:
        assert [path.name for path in tmp_path.iterdir()] == [mine.name]
        with work_folder(tmp_path) as other:
            assert {path.name for path in tmp_path.iterdir()} == {mine.name, other.name}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_an_interrupt_ends_java(conformance_store: Store, tmp_path: Path) -> None:
    """Ctrl-C ends the build with 130, its Java process and its work folder."""
    require_spark()
    dataset = copy_of_sources(conformance_store.dataset("synthetic"), tmp_path / "store")
    command = [Path(sys.executable).with_name("m4bench"), "concepts", "build", "synthetic"]
    options = ["--engine", "spark", "--store", str(tmp_path / "store"), "--memory-limit", "1GB"]
    build = subprocess.Popen([*command, *options], cwd=tmp_path, start_new_session=True)
    deadline = time.monotonic() + 180
    while not list(dataset.root.glob(f"{WORK_PREFIX}*/mimiciv_derived.*")):
        assert build.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.1)
    os.killpg(build.pid, signal.SIGINT)
    assert build.wait(timeout=60) == 130
    assert not list(dataset.root.glob(f"{WORK_PREFIX}*"))
    left = [process for process in psutil.process_iter() if still_of(build.pid, process)]
    assert left == []
    assert {path.name for path in tmp_path.iterdir()} == {"store"}


def still_of(group: int, process: psutil.Process) -> bool:
    """Tell whether a process of a group is still running."""
    try:
        return os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE
    except (ProcessLookupError, psutil.NoSuchProcess):
        return False
