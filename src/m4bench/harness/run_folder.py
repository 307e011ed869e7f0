# SPDX-License-Identifier: MIT
"""The folder of one run: prepared out of sight, owned by one process, and renamed into place when whole.

It does not know what a run contains.
"""

import fcntl
import os
import shutil
import uuid
from pathlib import Path
from types import TracebackType
from typing import Self

from m4bench.harness.interruption import Requests
from m4bench.harness.storage import RESERVE, free_reserve, reserve
from m4bench.model.errors import InputError
from m4bench.model.files import PARTIAL_PREFIX, PRIVATE, sync_directory
from m4bench.model.hashing import sha256_file
from m4bench.model.outcome import UNSCORED, rule_of
from m4bench.model.run import Artefact, RunRecord

RECORD = "run.json"
SCRATCH = "scratch"
# Where attempts that are no measurement lie, so that they do not stand in the way of the same run.
FAILED = ".unmeasured"
ANOTHER_TRIAL = "choose another --trial or another --results; a run is never overwritten"


class RunExistsError(InputError):
    """The results already hold this run; `folder` is where."""

    def __init__(self, folder: Path) -> None:
        super().__init__("this run exists already", file=folder, remedy=ANOTHER_TRIAL)
        self.folder = folder


class RunFolder:
    """A context in which a run is prepared; leaving it without `keep` leaves nothing.

    While it is open the partial folder is locked by this process; the lock ends with the process, however
    it ends, so that a partial folder without a lock belongs to nobody and is cleared by the next.

    Args:
        results: the results folder, made private when missing.
        run_id: the name of the finished run.
        token: the name of the partial folder, which an agent may see; it must not say what the run is.

    Raises:
        RunExistsError: the run is there already.
        InputError: another process is at it, or the folder cannot be made.
    """

    def __init__(self, results: Path, run_id: str, token: str) -> None:
        self.results, self.run_id = results, run_id
        self.final = results / run_id
        self.path = results / f"{PARTIAL_PREFIX}{token}"
        self._descriptor: int | None = None

    @property
    def scratch(self) -> Path:
        """A folder for what the run needs while it lasts."""
        return self.path / SCRATCH

    def __enter__(self) -> Self:
        # A request to end that comes between making the folder and owning it would leave it there.
        requests = Requests()
        try:
            try:
                self._make()
            finally:
                requests.heed()
            return self
        except BaseException:
            self._release()
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._release()
        except KeyboardInterrupt:
            # It came before requests were held back; a second one is ignored or has to wait.
            self._release()
            raise

    def _make(self) -> None:
        try:
            self.results.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
            self._own()
        except OSError as error:
            raise InputError(
                f"cannot be written ({error.strerror})",
                file=self.results,
                remedy="choose --results",
            ) from error
        if self.final.exists():
            raise RunExistsError(self.final)
        self.scratch.mkdir(mode=PRIVATE)
        reserve(self.path)

    def _own(self) -> None:
        """Make the partial folder, or take over an ownerless one, and lock it."""
        while True:
            self.path.mkdir(mode=PRIVATE, exist_ok=True)
            try:
                descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
            except FileNotFoundError:  # its last owner has just finished
                continue
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                raise InputError(
                    "this run is under way in another process", file=self.path, remedy=ANOTHER_TRIAL
                ) from None
            if self.path.exists() and self.path.stat().st_ino == os.fstat(descriptor).st_ino:
                break
            os.close(descriptor)
        self._descriptor = descriptor
        for left in self.path.iterdir():
            _remove(left)

    def _release(self) -> None:
        if self._descriptor is None:
            return
        requests = Requests()
        try:
            if self.path.exists():
                _remove(self.path)
            os.close(self._descriptor)
            self._descriptor = None
        finally:
            requests.heed()

    def clear_scratch(self) -> None:
        """Remove what was only needed while the run lasted, and the room kept for its record."""
        _remove(self.scratch)
        free_reserve(self.path)

    def artefacts(self) -> tuple[Artefact, ...]:
        """Return the files of the run so far, without its record."""
        files = sorted(
            path
            for path in self.path.rglob("*")
            if path.is_file() and path.name not in (RECORD, RESERVE)
        )
        return tuple(
            Artefact(
                name=path.relative_to(self.path).as_posix(),
                bytes=path.stat().st_size,
                sha256=sha256_file(path),
            )
            for path in files
        )

    def keep(self, record: RunRecord) -> Path:
        """Write the record and rename the folder into place; a run that is no measurement goes apart.

        Raises:
            RunExistsError: the same run was finished meanwhile.
        """
        record.write(self.path / RECORD, mode=0o600)
        target = self.final
        if not rule_of(record.outcome.state).valid and record.outcome.state != UNSCORED:
            target = self.results / FAILED / f"{self.run_id}__{uuid.uuid4().hex[:8]}"
            target.parent.mkdir(mode=PRIVATE, exist_ok=True)
        try:
            self.path.rename(target)
        except OSError as error:
            raise RunExistsError(target) from error
        sync_directory(target.parent)
        return target


def _remove(path: Path) -> None:
    """Remove a file, or a folder whatever permissions an agent gave its parts."""
    if not path.is_dir() or path.is_symlink():
        path.unlink(missing_ok=True)
        return
    for folder, _, _ in os.walk(path):
        Path(folder).chmod(PRIVATE)
    shutil.rmtree(path)
