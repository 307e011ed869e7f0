# SPDX-License-Identifier: MIT
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv

from m4bench.data.importer import FINISHED, PREPARED, import_dataset
from m4bench.data.publication import import_lock, publish, reading
from m4bench.data.verification import verify_dataset
from m4bench.model.errors import InputError
from tests.data.folders import DIAGNOSES, dataset_in, small_hospital, write
from tests.data.test_importer import Recorder
from tests.interrupts import heed_interrupts

AS_TEXT = csv.ConvertOptions(
    column_types={name: pa.string() for name in ("icd_code", "transfertime")}
)

IMPORT = """
import sys
from pathlib import Path
from m4bench.data.importer import import_dataset
from m4bench.data.store import Store
print("ready", flush=True)
import_dataset(Store(Path(sys.argv[1])).dataset("synthetic"), Path(sys.argv[2]))
"""


def large_hospital(folder: Path) -> Path:
    """Write a hospital whose last table takes a while."""
    small_hospital(folder)
    header = DIAGNOSES.splitlines()[0] + "\n"
    rows = "".join(f"{i},{i},1,{i % 9999:05d},10\n" for i in range(1_500_000))
    write(folder, "hosp/diagnoses_icd.csv", header + rows)
    return folder


def import_until(condition: Callable[[], bool], store: Path, source: Path, sent: int) -> int:
    """Import in another process, send it a signal as soon as a condition holds, and return its end."""
    with subprocess.Popen(
        [sys.executable, "-c", IMPORT, str(store), str(source)], preexec_fn=heed_interrupts
    ) as process:
        while process.poll() is None and not condition():
            time.sleep(0.001)
        process.send_signal(sent)
        return process.wait()


def inodes(folder: Path) -> dict[str, int]:
    return {p.name: p.stat().st_ino for p in folder.rglob("*.parquet") if p.name[0] != "."}


@pytest.mark.parametrize("earlier", [False, True])
def test_after_a_kill_nothing_half_done_shows_and_finished_tables_are_not_redone(
    tmp_path: Path, earlier: bool
) -> None:
    """Killed in the midst of a table, the import goes on with it, and the earlier dataset stands meanwhile."""
    dataset, source = dataset_in(tmp_path), tmp_path / "from"
    before = import_dataset(dataset, small_hospital(source)) if earlier else None
    large_hospital(source)
    prepared = dataset.root / PREPARED

    def in_the_midst() -> bool:
        return any(
            p.stat().st_size > 0 for p in prepared.glob("*/.partial-*-diagnoses_icd.parquet")
        )

    ended = import_until(in_the_midst, dataset.store, source, signal.SIGKILL)
    assert ended == -signal.SIGKILL
    assert dataset.exists() is earlier
    if before is not None:
        assert dataset.manifest() == before
        assert verify_dataset(dataset) == ()
    finished = inodes(prepared)
    assert set(finished) == {"d_labitems.parquet", "services.parquet"}

    told = Recorder()
    manifest = import_dataset(dataset, source, progress=told)
    now = inodes(dataset.root / "source")
    assert {name: now[name] for name in finished} == finished
    assert sum("finished earlier" in stage for stage in told.stages) == 2
    assert {t.table: t.rows for t in manifest.tables}["diagnoses_icd"] == 1_500_000
    assert verify_dataset(dataset) == ()
    assert not [p for p in dataset.root.iterdir() if p.name.startswith(".partial")]


def test_kills_at_any_instant_leave_the_old_or_the_new_dataset(tmp_path: Path) -> None:
    """Killed again and again, at later and later instants, the dataset is always whole, and at last new."""
    dataset, source = dataset_in(tmp_path), tmp_path / "from"
    old = import_dataset(dataset, small_hospital(source))
    write(source, "hosp/diagnoses_icd.csv", DIAGNOSES + "12,102,1,J18,10\n")
    seen = set()
    for step in range(12):
        began = time.monotonic()
        wait = 0.25 + 0.05 * step
        import_until(
            lambda began=began, wait=wait: time.monotonic() - began > wait,  # type: ignore[misc]
            dataset.store,
            source,
            signal.SIGKILL,
        )
        manifest = dataset.manifest()
        seen.add(manifest.content_hash())
        assert verify_dataset(dataset) == ()
    new = import_dataset(dataset, source)
    assert seen <= {old.content_hash(), new.content_hash()}
    assert new.content_hash() != old.content_hash()


def test_an_interrupt_ends_the_import_and_keeps_what_was_finished(tmp_path: Path) -> None:
    """Control-C in the midst of a table ends the process, and leaves no half table."""
    dataset, source = dataset_in(tmp_path), large_hospital(tmp_path / "from")
    prepared = dataset.root / PREPARED
    ended = import_until(
        lambda: any(prepared.glob("*/.partial-*-diagnoses_icd.parquet")),
        dataset.store,
        source,
        signal.SIGINT,
    )
    assert ended == -signal.SIGINT
    assert not dataset.exists()
    assert set(inodes(prepared)) == {"d_labitems.parquet", "services.parquet"}
    assert not list(prepared.glob("*/.partial-*"))


class Interrupted(Recorder):
    """Sends Control-C to its own process once the rows of the second file are read."""

    def advanced(self, done: int) -> None:
        """Be interrupted, where an import is under way."""
        super().advanced(done)
        if len(self.totals) == 2 and self.stages:
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_an_interrupt_while_the_engine_asks_for_rows_is_an_interrupt(
    tmp_path: Path, kind: str
) -> None:
    """Control-C inside the reader that the engine calls is not told as bad data, and work is kept."""
    source = small_hospital(tmp_path / "from")
    if kind == "parquet":
        for path in source.rglob("*.csv*"):
            table = csv.read_csv(path, convert_options=AS_TEXT)
            pq.write_table(table, path.with_name(path.name.partition(".")[0] + ".parquet"))
            path.unlink()
    dataset, told = dataset_in(tmp_path), Interrupted()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            import_dataset(dataset, source, progress=told)
    finally:
        signal.signal(signal.SIGINT, before)
    assert not dataset.exists()
    again = Recorder()
    import_dataset(dataset, source, progress=again)
    assert any("finished earlier" in stage for stage in again.stages)
    assert verify_dataset(dataset) == ()


@pytest.mark.parametrize("spoilt", ["source", "output", "record"])
def test_a_finished_table_is_redone_when_its_source_output_or_record_has_changed(
    tmp_path: Path, spoilt: str
) -> None:
    """What was finished is only kept when its source and its output are what the record says."""
    dataset, source = dataset_in(tmp_path), small_hospital(tmp_path / "from")
    good = (source / "hosp/diagnoses_icd.csv").read_text()
    write(source, "hosp/diagnoses_icd.csv", good + "broken\n")
    with pytest.raises(InputError, match="too few"):
        import_dataset(dataset, source)
    write(source, "hosp/diagnoses_icd.csv", good)
    table, record = "mimiciv_hosp/services.parquet", "mimiciv_hosp.services.json"
    if spoilt == "source":
        path = source / "hosp/services.csv"
        path.write_text(path.read_text() + "10,100,2180-05-08,SURG,MED\n")
    elif spoilt == "output":
        (dataset.root / PREPARED / table).write_bytes(b"PAR1")
    else:
        (dataset.root / FINISHED / record).write_text("{}")
    told = Recorder()
    manifest = import_dataset(dataset, source, progress=told)
    redone = [stage for stage in told.stages if "finished earlier" not in stage]
    assert any("services" in stage for stage in redone)
    assert {t.table: t.rows for t in manifest.tables}["services"] == 2 + (spoilt == "source")
    assert verify_dataset(dataset) == ()


def test_two_imports_of_one_dataset_do_not_meet(tmp_path: Path) -> None:
    """While an import holds a dataset, another is refused."""
    dataset, source = dataset_in(tmp_path), small_hospital(tmp_path / "from")
    with (
        import_lock(dataset.root),
        pytest.raises(InputError, match="another import or deletion"),
    ):
        import_dataset(dataset, source)
    import_dataset(dataset, source)


def test_an_import_waits_for_who_reads_the_dataset(tmp_path: Path) -> None:
    """An import under a build waits, says so, and goes on when the build has ended."""
    dataset, source = dataset_in(tmp_path), small_hospital(tmp_path / "from")
    before = import_dataset(dataset, source)
    write(source, "hosp/diagnoses_icd.csv", DIAGNOSES + "12,102,1,J18,10\n")
    told, noted = Recorder(), threading.Event()
    told.note = lambda text: noted.set() if "waiting for a build" in text else None  # type: ignore[method-assign]
    importing = threading.Thread(
        target=import_dataset, args=(dataset, source), kwargs={"progress": told}
    )
    with reading(dataset.root):
        importing.start()
        assert noted.wait(30)
        assert dataset.manifest() == before
    importing.join(30)
    assert dataset.manifest() != before


def test_publishing_replaces_a_folder_whole(tmp_path: Path) -> None:
    """The prepared folder takes the place and nothing of the earlier one stays."""
    for name in ("prepared", "place"):
        write(tmp_path, f"{name}/{name}.txt", name)
    publish(tmp_path / "prepared", tmp_path / "place")
    assert [p.name for p in tmp_path.rglob("*")] == ["place", "prepared.txt"]


def test_a_publication_cut_short_between_two_renames_is_mended(tmp_path: Path) -> None:
    """Where names could not be exchanged and the process died in between, the earlier dataset returns."""
    dataset, source = dataset_in(tmp_path), small_hospital(tmp_path / "from")
    before = import_dataset(dataset, source)
    (dataset.root / "source").rename(dataset.root / ".partial-0123456789ab-source")
    write(source, "hosp/diagnoses_icd.csv", DIAGNOSES + "broken\n")
    with pytest.raises(InputError, match="too few"):
        import_dataset(dataset, source)
    assert dataset.manifest() == before


FULL_DISK = """
import sys
from pathlib import Path
from m4bench.data.importer import import_dataset
from m4bench.data.progress import SilentProgress
from m4bench.data.store import Store
from m4bench.data.verification import verify_dataset
from m4bench.model.errors import InputError

disk, source = Path("/disk"), Path(sys.argv[1])
dataset = Store(disk / "store").dataset("synthetic")
before = import_dataset(dataset, source / "small")

class Filling(SilentProgress):
    def finished(self, stage):
        with (disk / "filler").open("wb") as filler:
            try:
                while True:
                    filler.write(bytes(1 << 16))
                    filler.flush()
            except OSError:
                pass

try:
    import_dataset(dataset, source / "large", progress=Filling())
except InputError as error:
    print("REFUSED", error)
assert dataset.manifest() == before
assert verify_dataset(dataset) == ()
assert not list(dataset.root.rglob(".partial-*.parquet"))
(disk / "filler").unlink()
manifest = import_dataset(dataset, source / "large")
print("ROWS", sum(table.rows for table in manifest.tables))
"""


def in_a_small_disk(script: str, source: Path, size: int) -> str:
    """Run a script where /disk is a file system of a given size."""
    done = subprocess.run(
        [
            *("bwrap", "--dev-bind", "/", "/", "--size", str(size), "--tmpfs", "/disk"),
            *(sys.executable, "-c", script, str(source)),
        ],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ,
    )
    return done.stdout


@pytest.mark.sandbox
def test_a_disk_that_fills_up_is_one_clear_line_and_harms_nothing(tmp_path: Path) -> None:
    """When the disk fills up the import stops in one line, the earlier dataset holds, and it goes on later."""
    small_hospital(tmp_path / "small")
    small_hospital(tmp_path / "large")
    header = DIAGNOSES.splitlines()[0] + "\n"
    rows = "".join(f"{i * 7919 % 2**31},{i},1,{i * 31 % 99991:05d},10\n" for i in range(400_000))
    write(tmp_path / "large", "hosp/diagnoses_icd.csv", header + rows)
    said = in_a_small_disk(FULL_DISK, tmp_path, 48 << 20)
    [refused] = [line for line in said.splitlines() if line.startswith("REFUSED")]
    assert "the disk is full; free space" in refused
    assert "ROWS 400003" in said


TOO_SMALL = """
import sys
from pathlib import Path
from m4bench.data.importer import import_dataset
from m4bench.data.store import Store
try:
    import_dataset(Store(Path("/disk/store")).dataset("synthetic"), Path(sys.argv[1]))
except Exception as error:
    print(type(error).__name__, error)
print([str(p) for p in Path("/disk").rglob("*.parquet")])
"""


@pytest.mark.sandbox
def test_a_disk_that_is_too_small_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    """Where the estimate exceeds the free space, the import does not begin."""
    source = large_hospital(tmp_path / "from")
    said = in_a_small_disk(TOO_SMALL, source, 4 << 20)
    assert said.startswith("InputError /disk/store: the import needs about")
    assert "choose a store on another disk" in said
    assert said.rstrip().endswith("[]")
