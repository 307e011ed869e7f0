# SPDX-License-Identifier: MIT
"""Making a synthetic hospital for a user: as files in a folder, or as dataset `synthetic` of a store.

It knows the importer and the disk's faults; what a hospital holds is known to `hospital`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from m4bench.data.importer import import_dataset
from m4bench.data.manifest import DatasetManifest
from m4bench.data.progress import WorkProgress
from m4bench.data.store import Store
from m4bench.data.synthetic.hospital import generate
from m4bench.model.errors import InputError

DATASET = "synthetic"
STAYS = 300
SEED = 20260101


@contextmanager
def _disk_faults_told(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror or error})",
            file=place,
            remedy="free space there, or choose another folder",
        ) from error


def write_hospital(
    folder: Path, *, stays: int = STAYS, seed: int = SEED, progress: WorkProgress | None = None
) -> None:
    """Write a synthetic hospital as Parquet files into a folder.

    Raises:
        InputError: stays or seed out of range, a folder with other files in it, or a disk that is full.
    """
    with _disk_faults_told(folder):
        generate(folder, stays=stays, seed=seed, progress=progress)


def store_hospital(
    store: Store, *, stays: int = STAYS, seed: int = SEED, progress: WorkProgress | None = None
) -> DatasetManifest:
    """Invent a hospital and import it as dataset `synthetic`, in place of the one that stands there.

    The same stays and seed make the same files, so a dataset that is already theirs is left as it is.

    Raises:
        InputError: stays or seed out of range, or a disk that is full.
    """
    with TemporaryDirectory(prefix="m4bench-hospital-") as temporary:
        folder = Path(temporary) / "hospital"
        write_hospital(folder, stays=stays, seed=seed, progress=progress)
        return import_dataset(store.dataset(DATASET), folder, progress=progress)
