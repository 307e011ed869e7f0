# SPDX-License-Identifier: MIT
"""Downloading an open dataset from its publisher, checked against the publisher's sums. Knows no table."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TypeVar
from urllib.parse import quote, urljoin

import httpx

from m4bench.data.catalogue import DatasetDeclaration, declared_dataset
from m4bench.data.progress import SilentProgress, WorkProgress
from m4bench.model.errors import InputError
from m4bench.model.files import PARTIAL_PREFIX
from m4bench.model.hashing import sha256_file

SUMS = "SHA256SUMS.txt"
_Result = TypeVar("_Result")
_TIMEOUT = httpx.Timeout(30.0, connect=15.0)
_RETRIED_STATUS = {408, 425, 429, 500, 502, 503, 504}
_HEX = set("0123456789abcdef")


@dataclass(frozen=True)
class FetchedFiles:
    """What a fetch did: files downloaded, and files that were there already and whole."""

    downloaded: tuple[str, ...]
    present: tuple[str, ...]


@dataclass(frozen=True)
class Patience:
    """How often a file is tried, and the seconds before the second try; each wait doubles."""

    tries: int = 5
    first_wait: float = 1.0


class _TransientError(Exception):
    """A failure that another try may mend."""


def fetch_dataset(
    name: str,
    folder: Path,
    *,
    base_url: str | None = None,
    progress: WorkProgress | None = None,
    patience: Patience | None = None,
) -> FetchedFiles:
    """Download every file of an open dataset that its SHA256SUMS.txt lists.

    A file appears under its name only when its sum is right; a download cut short goes on where it
    stopped; a file that is there and whole is left alone.

    Args:
        name: the dataset.
        folder: where the files go, with the subfolders the publisher uses.
        base_url: another place that holds the same files.
        progress: told what happens.
        patience: tries and waits.

    Raises:
        InputError: the dataset is not an open one, the server refuses, a sum stays wrong, or the list
            names a place outside the folder.
    """
    declaration = declared_dataset(name)
    base = _base(declaration, base_url)
    shown, tried = progress or SilentProgress(), patience or Patience()
    downloaded, present = [], []
    with _disk_faults_told(), httpx.Client(timeout=_TIMEOUT, follow_redirects=True) as client:
        folder.mkdir(parents=True, exist_ok=True)
        sums = _sums(client, base, tried)
        shown.planned(f"fetching {name}", None)
        for file, digest in sums.items():
            target = folder / file
            if target.is_file() and sha256_file(target) == digest:
                present.append(file)
            else:
                _download(client, base, file, digest, target, tried, shown)
                downloaded.append(file)
            shown.finished(f"{file}: {'there already' if file in present else 'downloaded'}")
    return FetchedFiles(tuple(downloaded), tuple(present))


@contextmanager
def _disk_faults_told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror or type(error).__name__})",
            file=error.filename,
            remedy="free space or choose another folder; what has been downloaded is kept",
        ) from error


def _base(declaration: DatasetDeclaration, base_url: str | None) -> str:
    if declaration.access == "credentialed":
        raise InputError(
            f"{declaration.title} is credentialed and is not downloaded by m4bench",
            remedy=f"sign its data use agreement, download it yourself from {declaration.download} "
            f"and run: m4bench data import {declaration.name} --from DIR",
        )
    if declaration.download is None:
        raise InputError(
            f"{declaration.name} is not published anywhere",
            remedy="generate it with: m4bench data synth",
        )
    base = declaration.download if base_url is None else base_url
    _require_web_address(base)
    return base if base.endswith("/") else f"{base}/"


def _require_web_address(url: str) -> None:
    try:
        address = httpx.URL(url)
        urljoin(url, SUMS)
        host = address.host
    except (httpx.InvalidURL, ValueError) as error:
        raise _no_web_address(url) from error
    if address.scheme not in ("http", "https") or not host:
        raise _no_web_address(url)


def _no_web_address(url: str) -> InputError:
    return InputError("is not a web address", file=_shown(url), remedy="check --base-url")


def _shown(url: str) -> str:
    """Return an address as it may be printed: without its user, password and query.

    All up to the last `@` goes: a password that is not encoded may hold any sign.
    """
    return re.sub(r"(?s)(//).*@", r"\1", url.partition("?")[0]) or "the address"


def _sums(client: httpx.Client, base: str, patience: Patience) -> dict[str, str]:
    url = urljoin(base, SUMS)

    def read() -> str:
        response = client.get(url)
        _check_status(response, url)
        return response.text

    sums: dict[str, str] = {}
    for number, line in enumerate(_patiently(read, url, patience).splitlines(), start=1):
        if not line.strip():
            continue
        digest, _, file = line.strip().partition(" ")
        file = file.strip().removeprefix("*")
        if len(digest) != 64 or not set(digest.lower()) <= _HEX or not file:
            raise InputError("is not a list of sha256 sums", file=_shown(url), row=number)
        if not _stays_inside(file):
            raise InputError(
                "names a file outside the folder",
                file=_shown(url),
                row=number,
                remedy="do not trust this server; use the publisher's own",
            )
        sums[file] = digest.lower()
    if not sums:
        raise InputError("lists no file", file=_shown(url), remedy="check --base-url")
    return sums


def _stays_inside(file: str) -> bool:
    parts = PurePosixPath(file).parts
    names = file.split("/")
    return (
        not PurePosixPath(file).is_absolute()
        and "\\" not in file
        and "\0" not in file
        and all(part not in ("", ".", "..") for part in names)
        and not parts[-1].startswith(PARTIAL_PREFIX)
    )


def _download(
    client: httpx.Client,
    base: str,
    file: str,
    digest: str,
    target: Path,
    patience: Patience,
    progress: WorkProgress,
) -> None:
    url = urljoin(base, quote(file))
    target.parent.mkdir(parents=True, exist_ok=True)
    # Named by the sum: what was begun for another version of the file is not gone on with.
    partial = target.with_name(f"{PARTIAL_PREFIX}{digest[:12]}-{target.name}")

    def once() -> None:
        _append(client, url, partial, progress)
        if sha256_file(partial) != digest:
            partial.unlink()
            raise _TransientError("its sha256 is not the one listed")

    _patiently(once, url, patience)
    partial.replace(target)


def _append(client: httpx.Client, url: str, partial: Path, progress: WorkProgress) -> None:
    """Download a file into `partial`, going on where it ends when the server can."""
    begun = partial.stat().st_size if partial.is_file() else 0
    # A body packed on the way would break both ranges and sums.
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={begun}-"} if begun else {})
    with client.stream("GET", url, headers=headers) as response:
        if response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE and begun:
            return
        _check_status(response, url)
        goes_on = response.status_code == httpx.codes.PARTIAL_CONTENT
        if goes_on and not response.headers.get("Content-Range", "").startswith(f"bytes {begun}-"):
            partial.unlink(missing_ok=True)
            raise _TransientError("the server sent another part than asked for")
        with partial.open("ab" if goes_on else "wb") as stream:
            for chunk in response.iter_raw():
                stream.write(chunk)
                progress.advanced(len(chunk))


def _check_status(response: httpx.Response, url: str) -> None:
    status = response.status_code
    if status in _RETRIED_STATUS:
        raise _TransientError(f"the server answers {status}")
    if status >= httpx.codes.BAD_REQUEST:
        raise InputError(
            f"the server answers {status}",
            file=_shown(url),
            remedy="check --base-url and the network",
        )


def _patiently(work: Callable[[], _Result], url: str, patience: Patience) -> _Result:
    reason = ""
    for attempt in range(patience.tries):
        if attempt:
            time.sleep(patience.first_wait * 2 ** (attempt - 1))
        try:
            return work()
        except _TransientError as error:
            reason = str(error)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, UnicodeError) as error:
            raise _no_web_address(url) from error
        except httpx.RequestError as error:
            reason = f"the connection failed ({type(error).__name__})"
    raise InputError(
        f"{reason}, {patience.tries} times",
        file=_shown(url),
        remedy="try again later; what has been downloaded is kept",
    )
