# SPDX-License-Identifier: MIT
import hashlib
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

import pytest

from m4bench.data.fetching import SUMS, FetchedFiles, Patience, fetch_dataset
from m4bench.model.errors import InputError

PATIENT = Patience(tries=4, first_wait=0.001)
LARGE = bytes(i * 31 % 251 for i in range(700_000))
FILES = {
    "hosp/patients.csv.gz": b"patients",
    "icu/chartevents.csv.gz": LARGE,
    "LICENSE.txt": b"ODbL",
}
HIT = "icu/chartevents.csv.gz"


@dataclass
class Publisher:
    """A server of files that misbehaves as told, and remembers what it was asked."""

    files: dict[str, bytes]
    sums: str | None = None
    behaviours: dict[str, list[str]] = field(default_factory=dict)
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    sent: Counter[str] = field(default_factory=Counter)
    url: str = ""

    def listing(self) -> bytes:
        if self.sums is not None:
            return self.sums.encode()
        lines = (f"{hashlib.sha256(data).hexdigest()} {n}\n" for n, data in self.files.items())
        return "".join(lines).encode()

    def behaviour(self, name: str) -> str:
        left = self.behaviours.get(name, [])
        if not left:
            return "well"
        return left[0] if left[0].startswith("always") else left.pop(0)


def handler_of(publisher: Publisher) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            name = unquote(self.path.removeprefix("/demo/"))
            wanted = self.headers.get("Range")
            publisher.asked.append((name, wanted))
            data = publisher.listing() if name == SUMS else publisher.files.get(name)
            how = publisher.behaviour(name)
            status = next((int(word) for word in how.split() if word.isdigit()), None)
            if data is None or status is not None:
                self.answer(404 if data is None else status or 500, b"no")
            else:
                self.send_file(name, data, wanted, how)

        def send_file(self, name: str, data: bytes, wanted: str | None, how: str) -> None:
            start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
            if wanted is None or "ignore-range" in how:
                start, status = 0, 200
            elif start >= len(data):
                self.answer(416, b"")
                return
            else:
                status = 206
            body = data[start:]
            if "corrupt" in how:
                body = bytes([body[0] ^ 1]) + body[1:]
            length = len(body)
            if "drop" in how:
                body = body[: length // 2]
            if "truncate" in how:
                body = body[: length // 2]
                length = len(body)
            shift = 1 if "wrong-range" in how else 0
            self.send_response(status)
            if status == 206:
                self.send_header(
                    "Content-Range", f"bytes {start + shift}-{len(data) - 1}/{len(data)}"
                )
            self.send_header("Content-Length", str(length))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)
            publisher.sent[name] += len(body)
            self.close_connection = True

        def answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    return Handler


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    """A publisher's server on a port of this machine."""
    publisher = Publisher(dict(FILES))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(publisher))
    publisher.url = f"http://127.0.0.1:{server.server_port}/demo/"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield publisher
    server.shutdown()
    server.server_close()
    thread.join()


def fetch(publisher: Publisher, folder: Path) -> FetchedFiles:
    return fetch_dataset("mimic-iv-demo", folder, base_url=publisher.url, patience=PATIENT)


def whole(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize(
    "behaviours",
    [
        [],
        ["drop"],
        ["drop", "drop", "drop"],
        ["truncate"],
        ["corrupt"],
        ["drop", "ignore-range"],
        ["drop", "wrong-range"],
        ["500"],
        ["503", "429", "drop"],
        ["drop corrupt", "well"],
    ],
    ids=lambda b: "+".join(b) or "well",
)
def test_every_file_arrives_whole_through_faults_that_pass(
    tmp_path: Path, publisher: Publisher, behaviours: list[str]
) -> None:
    """Dropped, truncated, corrupted and refused downloads are tried again until the sums are right."""
    publisher.behaviours[HIT] = list(behaviours)
    done = fetch(publisher, tmp_path)
    assert whole(tmp_path) == FILES
    assert set(done.downloaded) == set(FILES)


def test_a_dropped_download_goes_on_where_it_stopped(tmp_path: Path, publisher: Publisher) -> None:
    """After a drop only the rest is asked for and sent."""
    publisher.behaviours[HIT] = ["drop"]
    fetch(publisher, tmp_path)
    ranges = [wanted for name, wanted in publisher.asked if name == HIT]
    assert ranges == [None, f"bytes={len(LARGE) // 2}-"]
    assert publisher.sent[HIT] == len(LARGE)


def test_a_fetch_cut_short_is_gone_on_with_by_the_next(
    tmp_path: Path, publisher: Publisher
) -> None:
    """What one run has downloaded, the next run does not download again."""
    publisher.behaviours[HIT] = ["drop", "500", "500", "500"]
    with pytest.raises(InputError, match="500, 4 times"):
        fetch(publisher, tmp_path)
    assert HIT not in whole(tmp_path)
    done = fetch(publisher, tmp_path)
    assert whole(tmp_path) == FILES
    assert publisher.sent[HIT] == len(LARGE)
    assert set(done.present) == {"hosp/patients.csv.gz"}


def test_a_second_fetch_downloads_nothing_and_mends_what_was_spoilt(
    tmp_path: Path, publisher: Publisher
) -> None:
    """Whole files are left alone; one that was changed is downloaded again."""
    fetch(publisher, tmp_path)
    (tmp_path / "LICENSE.txt").write_text("changed")
    done = fetch(publisher, tmp_path)
    assert done.downloaded == ("LICENSE.txt",)
    assert whole(tmp_path) == FILES


def test_a_file_whose_sum_stays_wrong_never_appears(tmp_path: Path, publisher: Publisher) -> None:
    """A file that is corrupt each time is refused, and its name stays free."""
    publisher.behaviours[HIT] = ["always corrupt"]
    with pytest.raises(InputError, match="sha256 is not the one listed, 4 times") as refused:
        fetch(publisher, tmp_path)
    assert str(refused.value).startswith(publisher.url + HIT)
    assert set(whole(tmp_path)) == {"hosp/patients.csv.gz"}


@pytest.mark.parametrize(
    ("name", "behaviour", "words", "asked"),
    [
        (HIT, "always 404", "answers 404", 1),
        (HIT, "always 403", "answers 403", 1),
        (HIT, "always 500", "answers 500, 4 times", 4),
        (SUMS, "always 404", "answers 404", 1),
        (SUMS, "always 503", "answers 503, 4 times", 4),
    ],
)
def test_a_server_that_refuses_is_told_in_one_line(
    tmp_path: Path, publisher: Publisher, name: str, behaviour: str, words: str, asked: int
) -> None:
    """What cannot pass is not tried again, what may pass is; the address is named."""
    publisher.behaviours[name] = [behaviour]
    with pytest.raises(InputError, match=words) as refused:
        fetch(publisher, tmp_path)
    assert str(refused.value.file) == publisher.url + name
    assert [n for n, _ in publisher.asked].count(name) == asked


@pytest.mark.parametrize(
    ("sums", "words"),
    [
        (f"{'0' * 64} ../x\n", "names a file outside the folder"),
        (f"{'0' * 64} hosp/../../x\n", "names a file outside the folder"),
        (f"{'0' * 64} /etc/x\n", "names a file outside the folder"),
        (f"{'0' * 64} hosp//x\n", "names a file outside the folder"),
        (f"{'0' * 64} a\\..\\x\n", "names a file outside the folder"),
        (f"{'0' * 64} ./\n", "names a file outside the folder"),
        ("<html>not found</html>\n", "not a list of sha256 sums"),
        (f"{'0' * 63} x\n", "not a list of sha256 sums"),
        (f"{'0' * 64}\n", "not a list of sha256 sums"),
        ("\n", "lists no file"),
    ],
)
def test_a_list_that_leads_elsewhere_or_is_none_is_refused(
    tmp_path: Path, publisher: Publisher, sums: str, words: str
) -> None:
    """A list of sums that names a place outside the folder is refused before any file is asked for."""
    publisher.sums = sums
    folder = tmp_path / "to"
    with pytest.raises(InputError, match=words):
        fetch(publisher, folder)
    assert [name for name, _ in publisher.asked] == [SUMS]
    assert whole(tmp_path) == {}


@pytest.mark.parametrize("separator", [" ", "  ", " *"])
def test_the_usual_forms_of_a_list_of_sums_are_read(
    tmp_path: Path, publisher: Publisher, separator: str
) -> None:
    """One space, two spaces, or a space and a star stand between sum and name."""
    lines = (f"{hashlib.sha256(data).hexdigest()}{separator}{name}" for name, data in FILES.items())
    publisher.sums = "\r\n".join(lines)
    fetch(publisher, tmp_path)
    assert whole(tmp_path) == FILES


def test_names_with_signs_are_asked_for_as_they_are(tmp_path: Path, publisher: Publisher) -> None:
    """A name with a space or a percent sign arrives under that name."""
    publisher.files = {"a b%20#1.csv": b"x"}
    fetch(publisher, tmp_path)
    assert whole(tmp_path) == publisher.files


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    """A refused connection is one line, and so is an address that is none."""
    for address, words in (
        ("http://127.0.0.1:1/", "connection failed .ConnectError., 2 times"),
        ("ftp://127.0.0.1/", "is not a web address"),
    ):
        with pytest.raises(InputError, match=words):
            fetch_dataset(
                "eicu-demo", tmp_path, base_url=address, patience=Patience(2, first_wait=0.001)
            )


@pytest.mark.parametrize(
    "address",
    [
        *(
            "http://[::bad",
            "http://h:abc/",
            "http://",
            "http:///x",
            "h/x",
            "",
            "ftp://h/",
            "http://\0/",
        ),
        *("http://a..b/", f"http://{'a' * 300}/", "http://user:pass/word@h/", "http://xn--/"),
    ],
)
def test_an_address_that_is_none_is_told_at_once(tmp_path: Path, address: str) -> None:
    """Whatever cannot be an address is one line that names the option."""
    with pytest.raises(InputError, match="is not a web address; check --base-url") as refused:
        fetch_dataset("eicu-demo", tmp_path, base_url=address, patience=PATIENT)
    assert "word" not in str(refused.value)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://user:s3cret@127.0.0.1:1/?token=s3cret", "http://127.0.0.1:1/SHA256SUMS.txt: "),
        ("http://user:s3c@ret@[::bad/", r"http://\[::bad/: is not"),
        ("http://us:s3c/ret@127.0.0.1/?s3cret", "http://127.0.0.1/: is not"),
        ("ftp://user:s3cret@h/", "ftp://h/: is not"),
    ],
)
def test_a_password_in_the_address_is_never_printed(
    tmp_path: Path, address: str, words: str
) -> None:
    """A refusal names the address without the user, the password or a token."""
    with pytest.raises(InputError, match=words) as refused:
        fetch_dataset("eicu-demo", tmp_path, base_url=address, patience=Patience(1))
    assert "s3c" not in str(refused.value)
    assert "user" not in str(refused.value)


@pytest.mark.parametrize("behaviour", ["always 403", "always 500", "always corrupt"])
def test_a_server_that_refuses_is_told_without_the_password(
    tmp_path: Path, publisher: Publisher, behaviour: str
) -> None:
    """A file's address is named without the password that was sent for it."""
    publisher.behaviours[HIT] = [behaviour]
    address = publisher.url.replace("//", "//user:s3cret@")
    with pytest.raises(InputError) as refused:
        fetch_dataset("mimic-iv-demo", tmp_path, base_url=address, patience=PATIENT)
    assert str(refused.value.file) == publisher.url + HIT
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize("name", ["mimic-iv", "eicu"])
def test_credentialed_data_is_not_downloaded(tmp_path: Path, name: str) -> None:
    """For credentialed data the line says to download it oneself under the data use agreement."""
    with pytest.raises(InputError, match="data use agreement, download it yourself") as refused:
        fetch_dataset(name, tmp_path / "to", base_url="http://127.0.0.1:1/")
    assert f"m4bench data import {name}" in str(refused.value)
    assert not (tmp_path / "to").exists()


def test_the_synthetic_hospital_is_generated_instead(tmp_path: Path) -> None:
    """A dataset that nobody publishes is not fetched; the line names the command that makes it."""
    with pytest.raises(InputError, match="m4bench data synth"):
        fetch_dataset("synthetic", tmp_path)


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path, publisher: Publisher) -> None:
    """Where the folder is a file, the refusal names it."""
    (tmp_path / "to").write_text("x")
    with pytest.raises(InputError, match="cannot be written") as refused:
        fetch(publisher, tmp_path / "to")
    assert str(tmp_path / "to") in str(refused.value)
