# SPDX-License-Identifier: MIT
"""Endpoints by name, from a user's file and by address: where requests go, with which key, and what is refused."""

import os
import ssl
import stat
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from m4bench.harness.gateway import credentials
from m4bench.harness.gateway.address import Address
from m4bench.harness.gateway.endpoints import (
    BUILT_IN,
    USUAL,
    ChosenEndpoint,
    choose_endpoint,
    recorded_endpoint,
)
from m4bench.harness.gateway.lane import WIRE_PROTOCOLS, RetryPolicy, WireProtocol
from m4bench.model.errors import InputError
from tests.harness.gateway.rig import Rig, streaming, upstream

SECRET = "sk-not-to-be-shown-5f2c"
CHAT: tuple[WireProtocol, ...] = ("chat-completions",)
MESSAGES: tuple[WireProtocol, ...] = ("messages",)


class Kept:
    """A user's file of endpoints and their environment."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "endpoints.toml"
        self.environ: dict[str, str] = {"PATH": os.environ["PATH"]}

    def write(self, text: str) -> None:
        self.path.write_text(text)
        self.path.chmod(0o600)
        self.environ["M4BENCH_ENDPOINTS"] = str(self.path)

    def choose(self, name: str | None, protocols: Sequence[WireProtocol] = CHAT) -> ChosenEndpoint:
        return choose_endpoint(name, protocols, self.environ)

    def refused(self, name: str | None, protocols: Sequence[WireProtocol] = CHAT) -> InputError:
        with pytest.raises(InputError) as caught:
            self.choose(name, protocols)
        assert "\n" not in str(caught.value)
        assert SECRET not in f"{caught.value!r} {caught.value} {caught.value.__cause__!r}"
        return caught.value


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    """Nothing of this machine's own: no file, no key."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    tmp_path.chmod(0o700)
    return Kept(tmp_path)


def key_of(chosen: ChosenEndpoint) -> str | None:
    """Return the key an endpoint would be sent."""
    key = chosen.upstream.key
    return key.get_secret_value() if key else None


OPENAI = ("OPENAI_API_KEY", "https://api.openai.com/v1", "authorization")
ANTHROPIC = ("ANTHROPIC_API_KEY", "https://api.anthropic.com", "x-api-key")
GOOGLE = ("https://generativelanguage.googleapis.com", "x-goog-api-key")
GENERATE: tuple[WireProtocol, ...] = ("generate-content",)


@pytest.mark.parametrize(
    ("name", "protocols", "variable", "base", "header"),
    [
        ("openai", ("responses",), *OPENAI),
        ("openai", CHAT, *OPENAI),
        (None, ("responses", "messages"), *OPENAI),
        (None, ("chat-completions", "messages"), *OPENAI),
        ("anthropic", MESSAGES, *ANTHROPIC),
        (None, MESSAGES, *ANTHROPIC),
        ("anthropic", ("chat-completions", "messages"), *ANTHROPIC),
        ("google", GENERATE, "GEMINI_API_KEY", *GOOGLE),
        (None, GENERATE, "GOOGLE_API_KEY", *GOOGLE),
    ],
)
def test_built_in_endpoints(
    name: str | None,
    protocols: tuple[WireProtocol, ...],
    variable: str,
    base: str,
    header: str,
    kept: Kept,
) -> None:
    """By name or as an agent's usual one: the provider's address, the key from its variable, in its header."""
    kept.environ[variable] = f"{SECRET}\n"
    chosen = kept.choose(name, protocols)
    assert (chosen.upstream.base_url, chosen.upstream.key_header) == (base, header)
    assert (key_of(chosen), chosen.loopback) == (SECRET, False)
    assert chosen.place == chosen.upstream.name
    assert chosen.place in BUILT_IN
    assert chosen.protocol in protocols
    assert chosen.protocol in chosen.upstream.protocols
    assert SECRET not in repr(chosen)


@pytest.mark.parametrize("empty", [None, "", " \n"])
def test_a_missing_key_is_named_by_its_variable(empty: str | None, kept: Kept) -> None:
    """Not set and set to nothing are the same; both variables of Google's are told."""
    if empty is not None:
        kept.environ |= {"OPENAI_API_KEY": empty, "GEMINI_API_KEY": empty}
    assert str(kept.refused("openai")) == "the endpoint openai needs a key; set OPENAI_API_KEY"
    told = str(kept.refused("google", ("generate-content",)))
    assert told.endswith("set GEMINI_API_KEY or GOOGLE_API_KEY")


def test_nothing_is_translated(kept: Kept) -> None:
    """An endpoint and an agent without a protocol in common are refused, whatever keys there are."""
    kept.environ["ANTHROPIC_API_KEY"] = SECRET
    told = str(kept.refused("anthropic", ("responses",)))
    assert told.startswith("the endpoint anthropic speaks messages, and the agent responses")


def test_each_protocol_has_a_usual_endpoint_that_speaks_it() -> None:
    """So an agent of any protocol can be run without naming one."""
    assert set(USUAL) == set(WIRE_PROTOCOLS)
    assert all(protocol in BUILT_IN[name].protocols for protocol, name in USUAL.items())


@pytest.mark.parametrize(
    ("address", "protocols", "base", "place", "loopback"),
    [
        ("http://127.0.0.1:11434/v1", CHAT, None, "loopback:11434", True),
        ("http://localhost:8000", CHAT, "http://localhost:8000/v1", "loopback:8000", True),
        ("http://[::1]:8080/v1/", CHAT, "http://[::1]:8080/v1", "loopback:8080", True),
        ("http://127.9.9.9/v1", CHAT, None, "loopback:80", True),
        ("https://LLM.example/v1", CHAT, "https://llm.example/v1", "llm.example", False),
        ("https://llm.example:443/v1", CHAT, "https://llm.example/v1", "llm.example", False),
        ("https://llm.example:8443/team/v1", CHAT, None, "llm.example:8443", False),
        ("https://a.example/v1?api-version=preview", CHAT, None, "a.example", False),
        ("http://127.0.0.1:1/v1", MESSAGES, "http://127.0.0.1:1", "loopback:1", True),
        ("https://gate.example/anthropic", MESSAGES, None, "gate.example", False),
        ("http://127.0.0.1:4000/v1beta", GENERATE, "http://127.0.0.1:4000", "loopback:4000", True),
    ],
)
def test_addresses(
    address: str,
    protocols: tuple[WireProtocol, ...],
    base: str | None,
    place: str,
    loopback: bool,
    kept: Kept,
) -> None:
    """It becomes the base its protocol wants (None: as it is), is recorded without its path, and needs no key."""
    kept.environ |= {"OPENAI_API_KEY": SECRET, "ANTHROPIC_API_KEY": SECRET}
    chosen = kept.choose(address, protocols)
    assert (chosen.upstream.base_url, chosen.place, chosen.loopback) == (
        base or address,
        place,
        loopback,
    )
    assert (key_of(chosen), chosen.upstream.key_header) == (None, "none")
    kept.environ["M4BENCH_ENDPOINT_KEY"] = "another"
    assert key_of(kept.choose(address, protocols)) == "another"


@pytest.mark.parametrize(
    ("protocols", "chosen"),
    [
        (("responses", "chat-completions", "messages"), "chat-completions"),
        (("responses",), "responses"),
        (("messages", "generate-content"), "messages"),
    ],
)
def test_an_address_is_spoken_to_in_what_most_servers_speak(
    protocols: tuple[WireProtocol, ...], chosen: WireProtocol, kept: Kept
) -> None:
    """Chat Completions where the agent has it, otherwise what the agent prefers."""
    found = kept.choose("http://127.0.0.1:1/v1", protocols)
    assert (found.protocol, found.upstream.protocols) == (chosen, (chosen,))


@pytest.mark.parametrize(
    "address",
    [
        "http://llm.example.org/v1",
        "http://127.0.0.1.example.org/v1",
        "http://0.0.0.0:11434/v1",
        "http://127.1:11434/v1",
        "http://2130706433/v1",
        "http://localhost.:11434/v1",
        "http://[::ffff:127.0.0.1]/v1",
        f"http://127.0.0.1:{SECRET}@llm.example.org/v1",
        f"https://user:{SECRET}@llm.example.org/v1",
        f"https://llm.example.org/v1?key={SECRET}",
        "https://llm.example.org/v1#there",
        "https://llm.example.org/v1/../admin",
        "https://llm.example.org/v1/%2e%2e/admin",
        "https://llm.example.org//evil.example/v1",
        "https://127.0.0.1\\@llm.example.org/v1",
        "https://llm.example.org:99999/v1",
        "https://llm.example.org:/v1 ",
        "ftp://llm.example.org/v1",
        "file:///etc/passwd",
        "https://",
        "://",
        "https:///v1",
        "https://llm.example.org/v1\r\nx: y",
        "https://ünï.example/v1",
    ],
)
def test_addresses_that_are_refused(address: str, kept: Kept) -> None:
    """Unencrypted beyond this machine, with a key in it, or readable in two ways: one line, no key in it."""
    kept.environ["M4BENCH_ENDPOINT_KEY"] = SECRET
    assert kept.refused(address).exit_code == 2


@pytest.mark.parametrize("name", ["localhost:11434", "127.0.0.1:8000/v1", "llm.example.org/v1"])
def test_an_address_without_its_scheme_is_helped(name: str, kept: Kept) -> None:
    """What looks like an address is told how one begins; an unknown name is told the known ones."""
    assert "http://" in str(kept.refused(name))
    kept.write("[ward]\nbase_url = 'https://llm.example.org/v1'\n")
    told = str(kept.refused("wrad"))
    assert "openai, anthropic, google, ward" in told
    assert str(kept.path) in told


FULL = """
[ward]
base_url = "https://llm.example.org/api/v1"
protocols = ["chat-completions", "responses", "messages"]
key_env = "WARD_KEY"
key_header = "x-api-key"
headers_env = { "x-team" = "WARD_TEAM" }
requests_per_minute = 90
tokens_per_minute = 1.5e5
concurrent = 4
retry = { tries = 7, first_wait = 2, longest_wait = 30.5 }
ca_file = "ward.pem"
"""


def test_an_endpoint_of_ones_own(kept: Kept, tmp_path: Path) -> None:
    """Everything that can be said of one arrives where the gateway reads it."""
    kept.write(FULL)
    kept.environ |= {"WARD_KEY": SECRET, "WARD_TEAM": "renal unit"}
    (tmp_path / "ward.pem").touch()
    chosen = kept.choose("ward", ("responses",))
    assert (chosen.place, chosen.protocol, key_of(chosen)) == ("ward", "responses", SECRET)
    assert chosen.upstream.base_url == "https://llm.example.org/api/v1"
    assert chosen.upstream.protocols == ("responses", "chat-completions")
    assert chosen.upstream.key_header == "x-api-key"
    assert chosen.upstream.headers["x-team"].get_secret_value() == "renal unit"
    assert chosen.upstream.ca_file == str(tmp_path / "ward.pem")
    rate = chosen.rate
    assert (rate.requests_per_minute, rate.tokens_per_minute, rate.concurrent) == (90, 150_000, 4)
    retry = chosen.retry
    assert (retry.tries, retry.first_wait, retry.longest_wait) == (7, 2.0, 30.5)
    assert kept.choose("ward", MESSAGES).upstream.base_url == "https://llm.example.org/api"


def test_a_built_in_endpoint_takes_key_and_rates_of_ones_own(kept: Kept) -> None:
    """Its address stays, whatever the file says."""
    kept.write("[openai]\nkey_env = 'TEAM_KEY'\nconcurrent = 2\n")
    kept.environ |= {"TEAM_KEY": "team", "OPENAI_API_KEY": SECRET}
    chosen = kept.choose("openai")
    assert (key_of(chosen), chosen.rate.concurrent) == ("team", 2)
    kept.write("[openai]\nbase_url = 'https://elsewhere.example/v1'\n")
    assert "stays as it is" in str(kept.refused("openai"))


def test_http_beyond_this_machine_has_to_be_meant(kept: Kept) -> None:
    """A host of one's own network by http is used when the file says it is known to be insecure."""
    kept.write("[gpu]\nbase_url = 'http://gpu.example:8000/v1'\n")
    told = kept.refused("gpu")
    assert (told.file, told.column) == (kept.path, "gpu.base_url")
    kept.write("[gpu]\nbase_url = 'http://gpu.example:8000/v1'\ninsecure = true\n")
    assert kept.choose("gpu").upstream.base_url == "http://gpu.example:8000/v1"
    kept.write("[mine]\nbase_url = 'http://127.0.0.1:11434/v1'\n")
    assert kept.choose("mine").loopback


WARD = "[ward]\nbase_url = 'https://llm.example.org/v1'\n"


@pytest.mark.parametrize(
    ("text", "row", "column"),
    [
        (WARD + f"key = '{SECRET}'\n", 3, "ward.key"),
        (WARD + f"key_env = '{SECRET}'\n", 3, "ward.key_env"),
        (WARD + f"headers_env = {{ authorization = '{SECRET} x' }}\n", 3, "ward.headers_env"),
        (WARD + "headers_env = { Host = 'X' }\n", 3, "ward.headers_env"),
        (WARD + "# its rate\n\nrequests_per_minute = 0\n", 5, "ward.requests_per_minute"),
        (WARD + "tokens_per_minute = inf\n", 3, "ward.tokens_per_minute"),
        (WARD + "tokens_per_minute = '9'\n", 3, "ward.tokens_per_minute"),
        (WARD + "concurrent = true\n", 3, "ward.concurrent"),
        (WARD + "insecure = 1\n", 3, "ward.insecure"),
        (WARD + "protocols = []\n", 3, "ward.protocols"),
        (WARD + "protocols = ['smoke-signals']\n", 3, "ward.protocols.0"),
        (WARD + "key_command = 'pass show ward'\n", 3, "ward.key_command"),
        (WARD + "retry.tries = 0\n", 3, "ward.retry.tries"),
        (WARD + "[ward.retry]\ntries = 0\n", 1, "ward.retry.tries"),
        (WARD + "key_env = 'A'\nkey_file = 'b'\n", 1, "ward"),
        (f"[ward]\nbase_url = 'https://u:{SECRET}@h/v1'\n", 2, "ward.base_url"),
        ("[ward]\nconcurrent = 2\n", None, "ward"),
        ("[Ward]\nbase_url = 'https://llm.example.org/v1'\n", None, "Ward"),
        ("ward = 'https://llm.example.org/v1'\n", None, "ward"),
        (f"[ward]\nbase_url = {SECRET}\n", 2, None),
        (f"[ward]\n[ward]\n# {SECRET}\n", 2, None),
    ],
)
def test_a_mistake_in_the_file_is_told_by_its_place(
    text: str, row: int | None, column: str | None, kept: Kept
) -> None:
    """File, row and setting, and never what stands there."""
    kept.write(text)
    told = kept.refused("ward")
    assert (told.file, told.row, told.column) == (kept.path, row, column)


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 5_000,
        f"{WARD}concurrent = {'9' * 5_000}\n",
        WARD + "key_file = '.'\n",
        WARD + 'key_file = "a\\u0000b"\n',
        WARD + 'ca_file = "a\\u0000b"\n',
        WARD + 'key_command = ["a\\u0000b"]\n',
        WARD + "key_file = '~no-such-user-here/key'\n",
        WARD + "ca_file = '~no-such-user-here/key'\n",
    ],
    ids=["nested", "digits", "folder", "nul", "nul-ca", "nul-command", "user", "user-ca"],
)
def test_what_python_cannot_take_is_told_as_any_mistake(text: str, kept: Kept) -> None:
    """In one line with a place, not as a fault of the program."""
    kept.write(text)
    told = str(kept.refused("ward"))
    assert str(kept.path.parent) in told or "key command of the endpoint ward" in told


@pytest.mark.parametrize("setting", ["base_url = ''", "key_file = ' '"])
def test_an_empty_setting_is_told_in_plain_words(setting: str, kept: Kept) -> None:
    """As what it is."""
    address = "" if "base_url" in setting else "base_url = 'https://llm.example/v1'\n"
    kept.write(f"[ward]\n{address}{setting}\n")
    assert "is empty" in str(kept.refused("ward"))


def test_a_file_others_can_write_is_not_believed(kept: Kept, tmp_path: Path) -> None:
    """Neither one they can write, nor one they can replace, nor one that was named and is not there."""
    kept.write(WARD)
    kept.path.chmod(0o620)
    assert str(kept.refused("ward")).endswith(f"chmod go-w {kept.path}")
    kept.path.chmod(0o600)
    tmp_path.chmod(0o777)
    assert str(kept.refused("ward")).endswith(f"chmod go-w {tmp_path}")
    tmp_path.chmod(0o700)
    assert kept.choose("ward").place == "ward"
    kept.path.unlink()
    assert "M4BENCH_ENDPOINTS" in str(kept.refused("ward"))
    os.mkfifo(kept.path)
    assert "is no file" in str(kept.refused("ward"))


def test_without_a_file_the_usual_place_is_looked_at(kept: Kept, tmp_path: Path) -> None:
    """The platform's folder of settings, when no other file is named."""
    folder = tmp_path / "config" / "m4bench"
    folder.mkdir(parents=True, mode=0o700)
    (folder / "endpoints.toml").write_text(WARD)
    (folder / "endpoints.toml").chmod(0o600)
    assert kept.choose("ward").place == "ward"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o600, 0o400])
def test_a_key_file_is_for_its_owner_alone(mode: int, kept: Kept, tmp_path: Path) -> None:
    """One that others can read is refused with what to do; its path is seen from the file that names it."""
    path = tmp_path / "key"
    path.write_text(f"{SECRET}\n")
    path.chmod(mode)
    kept.write(WARD + "key_file = 'key'\n")
    if mode & 0o077:
        assert str(kept.refused("ward")).endswith(f"chmod 600 {path}")
    else:
        assert key_of(kept.choose("ward")) == SECRET


@pytest.mark.parametrize(
    "content", ["", "\n", f"{SECRET}\nanother", f"{SECRET} x", f"{SECRET}\x7f", "ключ"]
)
def test_what_no_header_can_hold_is_no_key(content: str, kept: Kept, tmp_path: Path) -> None:
    """From a file or a variable: told without a word of it."""
    (tmp_path / "key").write_text(content)
    (tmp_path / "key").chmod(0o600)
    kept.write(WARD + "key_file = 'key'\n")
    kept.refused("ward")
    kept.environ["OPENAI_API_KEY"] = content
    kept.refused("openai")


def command(*words: str) -> str:
    """Return a line of the file that runs Python."""
    code = "; ".join(words)
    return f"{WARD}key_command = [{sys.executable!r}, '-c', {code!r}]\n"


def test_a_key_command(kept: Kept) -> None:
    """What it prints is the key; it has the environment and no input."""
    kept.environ["WHERE"] = SECRET
    kept.write(
        command("import os, sys", "assert not sys.stdin.read()", "print(os.environ['WHERE'])")
    )
    assert key_of(kept.choose("ward")) == SECRET


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((f"print('{SECRET}')", "raise SystemExit(3)"), "fails (3)"),
        ((f"import sys; sys.exit('{SECRET}')",), "fails (1)"),
        (("pass",), "is empty"),
    ],
)
def test_a_key_command_that_fails(words: tuple[str, ...], told: str, kept: Kept) -> None:
    """How it ended is told, and nothing it said."""
    kept.write(command(*words))
    assert told in str(kept.refused("ward"))
    kept.write(WARD + "key_command = ['./no-such-program']\n")
    assert "cannot be started" in str(kept.refused("ward"))


def test_a_key_command_that_hangs_is_ended(
    kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what it has started, even where it has gone itself and left its output open."""
    monkeypatch.setattr(credentials, "COMMAND_SECONDS", 1.0)
    pid = tmp_path / "pid"
    kept.write(WARD + f"key_command = ['/bin/sh', '-c', 'sleep 1000 & echo $! > {pid}']\n")
    assert "does not end within" in str(kept.refused("ward"))
    started = int(pid.read_text())
    for _ in range(100):
        state = subprocess.run(
            ["ps", "-o", "stat=", "-p", str(started)], capture_output=True, text=True, check=False
        ).stdout.strip()
        if not state or state.startswith("Z"):
            return
        time.sleep(0.05)
    pytest.fail("what the command started lives on")


def test_a_recording_is_no_place() -> None:
    """Without a key, at an address nobody listens at, in the recording's protocol."""
    found = recorded_endpoint("messages")
    assert (found.place, found.protocol, found.loopback) == ("recording", "messages", True)
    assert (key_of(found), found.upstream.protocols) == (None, ("messages",))


@pytest.mark.parametrize(
    ("permitted", "asked", "holds"),
    [
        ("https://h.example", "https://h.example/v1", True),
        ("https://h.example/v1", "https://h.example/v1/", True),
        ("https://h.example/v1", "https://h.example/v1/team", True),
        ("https://h.example/v1", "https://h.example/v10", False),
        ("https://h.example/v1", "https://h.example", False),
        ("https://h.example", "http://h.example", False),
        ("https://h.example", "https://h.example:8443", False),
        ("https://h.example", "https://h.example.org", False),
        ("https://h.example", "https://api.h.example", False),
        ("https://H.example:443", "https://h.EXAMPLE", True),
    ],
)
def test_an_address_holds_what_lies_below_it(permitted: str, asked: str, holds: bool) -> None:
    """Scheme, host and port are the same, and the path is a beginning by whole segments."""
    assert Address.read(permitted).holds(Address.read(asked)) == holds


def test_a_key_is_nowhere_a_record_could_take_it_from(kept: Kept) -> None:
    """Printing, dumping or naming what was chosen shows no key and no header's value."""
    kept.write(WARD + "key_env = 'K'\nheaders_env = { x-team = 'T' }\n")
    kept.environ |= {"K": SECRET, "T": SECRET}
    chosen: Any = kept.choose("ward")
    for text in (repr(chosen), str(chosen), chosen.upstream.model_dump_json()):
        assert SECRET not in text
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600


def authority(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """Return a certificate of a site's own for 127.0.0.1, and a server's use of it."""
    key, certificate = folder / "site-key.pem", folder / "site.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-days", "2", "-subj", "/CN=site", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    return certificate, tls


def upstream_fields(chosen: ChosenEndpoint) -> dict[str, Any]:
    """Return what a lane is told of an endpoint beside its protocols."""
    return {name: value for name, value in chosen.upstream if name != "protocols"}


def test_a_chosen_endpoint_is_used_as_it_was_chosen(kept: Kept, rig: Rig, tmp_path: Path) -> None:
    """Through a real gateway, over TLS of a site's own authority: path, key, header and rate arrive."""
    _, tls = authority(tmp_path)
    kept.environ |= {"WARD_KEY": SECRET, "WARD_TEAM": "renal unit"}
    with upstream(streaming(), tls) as server:
        address = server.url.replace("http://", "https://")
        kept.write(
            f"[ward]\nbase_url = '{address}/api/v1'\nkey_env = 'WARD_KEY'\nkey_header = 'x-api-key'\n"
            "headers_env = { 'X-Team' = 'WARD_TEAM' }\nca_file = 'site.pem'\nconcurrent = 1\n"
        )
        chosen = kept.choose("ward")
        told: dict[str, Any] = {"rate": chosen.rate, "retry": RetryPolicy(tries=1)}
        given = upstream_fields(chosen)
        assert rig.lane(server.url, CHAT, upstream_more=given, **told).ask().status == 200
        (seen,) = server.seen
        headers = {name.lower(): value for name, value in seen.headers.items()}
        assert seen.path == "/api/v1/chat/completions"
        assert (headers["x-api-key"], headers["x-team"]) == (SECRET, "renal unit")
        assert "authorization" not in headers
        given["ca_file"] = None
        assert rig.lane(server.url, CHAT, upstream_more=given, **told).ask().status == 502
        assert len(server.seen) == 1


def test_a_file_of_authorities_that_holds_none_is_told(
    kept: Kept, rig: Rig, tmp_path: Path
) -> None:
    """Not there: before anything is started; without a certificate: when the lane is opened."""
    kept.write(WARD + "ca_file = 'site.pem'\n")
    told = kept.refused("ward")
    assert (told.file, told.problem) == (tmp_path / "site.pem", "is not there")
    (tmp_path / "site.pem").write_text("no certificate")
    with pytest.raises(InputError, match=r"site\.pem: holds no authority"):
        rig.lane("https://127.0.0.1:1", CHAT, upstream_more=upstream_fields(kept.choose("ward")))
