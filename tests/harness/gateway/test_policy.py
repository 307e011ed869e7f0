# SPDX-License-Identifier: MIT
"""Where credentialed data may be sent: this machine, or where an administrator's file names the agreement."""

import datetime
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from m4bench.harness.gateway import policy
from m4bench.harness.gateway.endpoints import ChosenEndpoint, choose_endpoint
from m4bench.harness.gateway.lane import WireProtocol
from m4bench.harness.gateway.policy import (
    ON_THIS_MACHINE,
    Permission,
    is_cloud_model,
    permission,
    read_policy,
    require_permission,
)
from m4bench.model.errors import InputError

TODAY = datetime.date(2026, 11, 30)
AGREEMENT = "Data processing agreement 2026/17 with Example Ltd, no retention"
GRANT = f"""
[[permitted]]
host = "llm.example"
agreement = "{AGREEMENT}"
by = "A. Data-Protection"
date = 2026-05-04
"""
REFERENCE = "Data processing agreement 2026/17 with Example Ltd, no retention (by A. Data-Protection, 2026-05-04)"
Ask = Callable[..., Permission]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The administrator's file, which is not there yet; nothing of this machine's own holds."""
    monkeypatch.setattr(policy, "SYSTEM_POLICY", tmp_path / "etc" / "policy.toml")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("M4BENCH_POLICY", raising=False)
    folder = tmp_path / "config" / "m4bench"
    folder.mkdir(parents=True, mode=0o700)
    return folder / "policy.toml"


def write(path: Path, text: str) -> None:
    """Write a file as an administrator would."""
    path.parent.mkdir(mode=0o755, exist_ok=True)
    path.write_text(text)
    path.chmod(0o644)


def to(address: str, protocol: WireProtocol = "chat-completions") -> ChosenEndpoint:
    """Return an endpoint by its address; by http off this machine as the user's file would allow it."""
    if address.startswith("http://") and "127.0.0.1" not in address:
        found = to(address.replace("http://", "https://"), protocol)
        upstream = found.upstream.model_copy(update={"base_url": address})
        return ChosenEndpoint(upstream, protocol, found.place, "localhost" in address)
    return choose_endpoint(address, (protocol,), {})


def asked(
    address: str,
    *,
    model: str = "a-model",
    dataset: str = "mimic-iv",
    protocol: WireProtocol = "chat-completions",
    today: datetime.date = TODAY,
) -> str:
    """Return the reference of a permission, or what a refusal says, on a day."""
    chosen = to(address, protocol)
    try:
        return permission(read_policy({}), dataset, chosen, model, today).reference
    except InputError as error:
        if error.file is not None:  # the file itself is at fault
            raise
        return f"refused: {error}"


@pytest.mark.parametrize("access", ["synthetic", "open"])
def test_invented_and_open_data_may_go_anywhere(access: str, file: Path) -> None:
    """Whatever an administrator's file says, even one that cannot be believed."""
    write(file, "no TOML")
    given = require_permission(access, "synthetic", to("https://llm.example/v1"), "m:cloud")
    assert access in given.reference


@pytest.mark.parametrize("access", ["credentialed", "restricted", ""])
def test_everything_else_stays_here(access: str, file: Path) -> None:
    """Credentialed data, and data whose access is a word nobody knows, go to no other machine."""
    with pytest.raises(InputError) as caught:
        require_permission(access, "mimic-iv", to("https://llm.example/v1"), "a-model")
    told = str(caught.value)
    assert all(word in told for word in ("mimic-iv", "llm.example", "m4bench doctor", str(file)))
    assert caught.value.exit_code == 2
    assert "\n" not in told
    here = require_permission(access, "mimic-iv", to("http://127.0.0.1:11434/v1"), "a-model")
    assert here.reference == ON_THIS_MACHINE


@pytest.mark.parametrize(
    ("address", "here"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://127.8.8.8:11434/v1", True),
        ("http://[::1]:11434/v1", True),
        ("http://localhost:11434/v1", True),
        ("https://127.0.0.1.example/v1", False),
        ("https://localhost.example/v1", False),
        ("https://10.0.0.5/v1", False),
        ("https://169.254.169.254/v1", False),
        ("https://0.0.0.0/v1", False),
        ("https://[fe80::1]/v1", False),
    ],
)
def test_this_machine_is_told_by_its_address(address: str, here: bool, file: Path) -> None:
    """Loopback addresses and `localhost` are here; networks near by are not."""
    found = choose_endpoint(address, ("chat-completions",), {})
    if here:
        assert (
            permission(read_policy({}), "mimic-iv", found, "m", TODAY).reference == ON_THIS_MACHINE
        )
    else:
        with pytest.raises(InputError, match="may not be sent"):
            permission(read_policy({}), "mimic-iv", found, "m", TODAY)


@pytest.mark.parametrize(
    ("addresses", "told"),
    [
        (["127.0.0.1", "::1"], None),
        (["127.0.0.1", "192.0.2.7"], "leads off this machine"),
        (["192.0.2.7"], "leads off this machine"),
        ([], "leads off this machine"),
        (None, "leads nowhere"),
    ],
)
def test_localhost_has_to_be_here(
    addresses: list[str] | None, told: str | None, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every address the name stands for counts: a hosts file may say anything."""

    def resolve(host: str, port: int, **_: Any) -> list[Any]:
        assert host == "localhost"
        if addresses is None:
            raise socket.gaierror
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    found = asked("http://localhost:11434/v1")
    if told is None:
        assert found == ON_THIS_MACHINE
    else:
        assert f"{told}; write 127.0.0.1" in found


@pytest.mark.parametrize(
    "model", ["gpt-oss:120b-cloud", "glm-4.6:cloud", "team/x:CLOUD", "kimi-k2:1t-cloud", "x-cloud "]
)
def test_a_model_answered_elsewhere_is_not_here(model: str, file: Path) -> None:
    """Ollama serves these on loopback and sends what they are asked to its makers."""
    told = asked("http://127.0.0.1:11434/v1", model=model)
    assert told.startswith("refused: mimic-iv")
    assert "somebody else's machines" in told
    write(
        file,
        GRANT.replace('host = "llm.example"', 'base_url = "http://127.0.0.1:11434"')
        + f'models = ["{model.strip()}*"]\n',
    )
    assert asked("http://127.0.0.1:11434/v1", model=model) == REFERENCE
    assert "other models" in asked("http://127.0.0.1:11434/v1", model="z:cloud")
    assert "other models" in asked("http://127.0.0.1:11434/v1", model="llama3.2")
    assert asked("http://127.0.0.1:11435/v1", model="llama3.2") == ON_THIS_MACHINE


@pytest.mark.parametrize(
    "spelt", ["http://127.0.0.1:11434", "http://localhost:11434", "https://[::1]:11434"]
)
def test_a_model_answered_elsewhere_is_permitted_by_its_name_alone(spelt: str, file: Path) -> None:
    """An agreement on a server of this machine is none on the place it passes things on to; what to write is told."""
    told = asked("http://127.0.0.1:11434/v1", model="x:cloud")
    for words in (
        'list base_url = "http://127.0.0.1:11434"',
        "with models",
        "place that really answers",
    ):
        assert words in told
    grant = GRANT.replace('host = "llm.example"', f'base_url = "{spelt}"')
    write(file, grant)
    assert asked("http://127.0.0.1:11434/v1") == REFERENCE
    assert "names no models" in asked("http://127.0.0.1:11434/v1", model="x:cloud")
    write(file, grant + 'models = ["x:cloud"]\n')
    assert asked("http://127.0.0.1:11434/v1", model="x:cloud") == REFERENCE


@pytest.mark.parametrize(
    "place",
    [
        'base_url = "http://127.0.0.1:4000"',
        'base_url = "http://localhost:4000/v1"',
        'host = "127.0.0.1:4000"',
        'host = "localhost:4000"',
    ],
)
@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:4000/v1", "http://127.0.0.2:4000/v1", "http://[::1]:4000/v1"]
)
def test_an_address_of_this_machine_that_is_listed_holds_as_listed(
    place: str, address: str, file: Path
) -> None:
    """However this machine is written, its agreement is recorded and its bounds hold; other ports are not meant."""
    grant = GRANT.replace('host = "llm.example"', place)
    found = choose_endpoint(address, ("chat-completions",), {})

    def judged(dataset: str = "mimic-iv", model: str = "a-model") -> str:
        return permission(read_policy({}), dataset, found, model, TODAY).reference

    write(file, grant)
    assert judged() == REFERENCE
    assert asked("http://127.0.0.1:4001/v1") == ON_THIS_MACHINE
    for bound, why in (
        ('datasets = ["eicu"]', "other data sets"),
        ('models = ["gpt-*"]', "other models"),
        ("until = 2026-11-29", "ended on"),
    ):
        write(file, f"{grant}{bound}\n")
        with pytest.raises(InputError, match=why) as caught:
            judged()
        assert ":4000" in (caught.value.remedy or "")
    write(file, f'{grant}datasets = ["eicu"]\n')
    assert judged(dataset="eicu") == REFERENCE


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (('"llm.example"', '"*.example"'), "takes no patterns; name one host"),
        (('host = "llm.example"', 'base_url = "https://*.example/v1"'), "takes no patterns"),
        (('"llm.example"', '""'), "is empty"),
        ((f'"{AGREEMENT}"', '""'), "is empty"),
        ((f'"{AGREEMENT}"', '"  "'), "is empty"),
        (('"A. Data-Protection"', '""'), "is empty"),
        (("date = 2026-05-04", "date = 2026-05-04\nmodels = []"), "is empty; leave it out"),
        (("date = 2026-05-04", 'date = 2026-05-04\ndatasets = [""]'), "is empty"),
        (('"llm.example"', '"localhost"'), "write it with its port"),
    ],
)
def test_a_mistake_is_told_in_plain_words(change: tuple[str, str], told: str, file: Path) -> None:
    """Of what a person would write, what is wrong with it."""
    write(file, GRANT.replace(*change))
    with pytest.raises(InputError, match=told.replace("*", r"\*")):
        read_policy({})


@pytest.mark.parametrize("model", ["llama3.2", "cloud", "cloud:7b", "x-cloudy", "x:cloud-7b"])
def test_other_names_are_no_cloud_models(model: str) -> None:
    """Only the two endings count."""
    assert not is_cloud_model(model)


@pytest.mark.parametrize(
    ("place", "address", "protocol", "permitted"),
    [
        ('host = "llm.example"', "https://llm.example/v1", "chat-completions", True),
        ('host = "llm.example"', "https://llm.example/any/v1", "responses", True),
        ('host = "LLM.example"', "https://llm.EXAMPLE:443/v1", "chat-completions", True),
        ('host = "llm.example"', "https://llm.example:8443/v1", "chat-completions", False),
        ('host = "llm.example:8443"', "https://llm.example:8443/v1", "chat-completions", True),
        ('host = "llm.example"', "http://llm.example:443/v1", "chat-completions", False),
        ('host = "llm.example"', "https://eu.llm.example/v1", "chat-completions", False),
        ('host = "llm.example"', "https://llm.example.org/v1", "chat-completions", False),
        ('base_url = "https://h.example/eu/v1"', "https://h.example/eu/v1", "chat-completions", True),
        ('base_url = "https://h.example/eu/v1"', "https://h.example/eu/v1", "messages", True),
        ('base_url = "https://h.example/eu"', "https://h.example/eu", "messages", True),
        ('base_url = "https://h.example/eu"', "https://h.example/eu2/v1", "messages", False),
        ('base_url = "https://h.example/eu"', "https://h.example/us/v1", "messages", False),
        ('base_url = "https://h.example/eu"', "https://h.example", "generate-content", False),
        ('base_url = "https://h.example/v1beta"', "https://h.example", "generate-content", True),
        ('base_url = "https://h.example"', "http://h.example/v1", "chat-completions", False),
        ('base_url = "http://gpu.example:8000"', "http://gpu.example:8000/v1", "chat-completions", True),
        ('base_url = "http://gpu.example:8000"', "http://gpu.example:8001/v1", "chat-completions", False),
    ],
)  # fmt: skip
def test_what_an_administrator_lists_is_permitted(
    place: str, address: str, protocol: WireProtocol, permitted: bool, file: Path
) -> None:
    """A host by https at its port, or an address and what lies below it; the record gets the agreement."""
    write(file, GRANT.replace('host = "llm.example"', place))
    told = asked(address, protocol=protocol)
    assert told == REFERENCE if permitted else "may not be sent" in told


@pytest.mark.parametrize(
    ("more", "changes", "told"),
    [
        ("until = 2026-11-30\n", {}, REFERENCE),
        ("until = 2026-11-29\n", {}, "its permission ended on 2026-11-29"),
        ("", {"today": datetime.date(2026, 5, 4)}, REFERENCE),
        ("", {"today": datetime.date(2026, 5, 3)}, "its permission begins on 2026-05-04"),
        ('datasets = ["mimic-iv", "eicu"]\n', {}, REFERENCE),
        ('datasets = ["eicu"]\n', {}, "its permission is for other data sets"),
        ('models = ["gpt-5*", "a-model"]\n', {}, REFERENCE),
        ('models = ["gpt-5*"]\n', {"model": "gpt-5.2"}, REFERENCE),
        ('models = ["gpt-5*"]\n', {}, "its permission is for other models"),
        ('models = ["A-MODEL"]\n', {}, "its permission is for other models"),
    ],
)
def test_a_permission_has_its_bounds(
    more: str, changes: dict[str, Any], told: str, file: Path
) -> None:
    """Its first and last day, its data sets and its models; which of them is missed is told."""
    write(file, GRANT + more)
    found = asked("https://llm.example/v1", **changes)
    assert found == told if told == REFERENCE else told in found


def test_one_permission_of_several_is_enough(file: Path) -> None:
    """An expired one does not stand in the way of its successor; without one, each reason is told once."""
    expired = GRANT + "until = 2026-06-30\n"
    write(file, expired + expired + GRANT.replace("2026/17", "2026/99"))
    assert "2026/99" in asked("https://llm.example/v1")
    write(file, expired + expired)
    assert asked("https://llm.example/v1").count("ended on 2026-06-30") == 1


@pytest.mark.parametrize(
    ("change", "row", "column"),
    [
        (("agreement =", "agrement ="), None, "permitted 1."),
        ((f'"{AGREEMENT}"', '" "'), 4, "permitted 1.agreement"),
        ((f'agreement = "{AGREEMENT}"\n', ""), 2, "permitted 1.agreement"),
        (('by = "A. Data-Protection"\n', ""), 2, "permitted 1.by"),
        (("date = 2026-05-04\n", ""), 2, "permitted 1.date"),
        (("date = 2026-05-04", 'date = "some day"'), 6, "permitted 1.date"),
        (("date = 2026-05-04", "date = 2026-05-04\nuntil = 1"), 7, "permitted 1.until"),
        (("date = 2026-05-04", "date = 2026-05-04\ndatasets = []"), 7, "permitted 1.datasets"),
        (("date = 2026-05-04", "date = 2026-05-04\ndatasets = 'x'"), 7, "permitted 1.datasets"),
        (('host = "llm.example"', ""), 2, "permitted 1"),
        (('host = "llm.example"', 'host = "a"\nbase_url = "https://a"'), 2, "permitted 1"),
        (('host = "llm.example"', 'host = "*.example"'), 3, "permitted 1.host"),
        (('host = "llm.example"', 'host = "https://llm.example"'), 3, "permitted 1.host"),
        (('host = "llm.example"', 'base_url = "llm.example"'), 3, "permitted 1.base_url"),
        (('host = "llm.example"', 'base_url = "https://u:p@llm.example"'), 3, "permitted 1.base_url"),
        (("[[permitted]]", "[permitted]"), None, "permitted"),
        (("[[permitted]]", "[[allowed]]"), None, "allowed"),
        (("[[permitted]]", "permitted = ['x']\n[other]"), None, "other"),
        (("date =", "date"), 6, None),
    ],
)  # fmt: skip
def test_a_mistake_permits_nothing(
    change: tuple[str, str], row: int | None, column: str | None, file: Path
) -> None:
    """A file with one mistake is refused whole, by file, row and setting, even for this machine."""
    text = GRANT.replace(*change)
    assert text != GRANT
    write(file, text)
    for address in ("https://llm.example/v1", "http://127.0.0.1:1/v1"):
        with pytest.raises(InputError) as caught:
            require_permission("credentialed", "mimic-iv", to(address), "a-model")
        assert caught.value.file == file
        if row is not None:
            assert caught.value.row == row
        assert (caught.value.column or "").startswith(column or "")
        assert "u:p" not in str(caught.value)


def test_a_mistake_in_the_second_permission_is_told_by_its_row(file: Path) -> None:
    """Rows count from the top of the file."""
    write(
        file,
        GRANT
        + GRANT.replace("llm.example", "two.example").replace("date = 2026-05-04", "date = 1"),
    )
    with pytest.raises(InputError) as caught:
        read_policy({})
    assert (caught.value.row, caught.value.column) == (12, "permitted 2.date")


@pytest.mark.parametrize("mode", [0o664, 0o646, 0o666])
def test_a_policy_others_can_write_is_refused(mode: int, file: Path) -> None:
    """Whoever can write it could permit anything; so could whoever can replace it."""
    write(file, GRANT)
    file.chmod(mode)
    with pytest.raises(InputError, match="others can write it; chmod go-w"):
        read_policy({})
    file.chmod(0o644)
    assert len(read_policy({}).permitted) == 1
    file.parent.chmod(0o777)
    with pytest.raises(InputError, match="others can replace files in it"):
        read_policy({})


def test_the_machines_policy_is_the_only_one(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither a variable nor a user's own file adds to it, and one that is broken is not passed over."""
    write(file, GRANT)
    assert asked("https://llm.example/v1") == REFERENCE
    write(policy.SYSTEM_POLICY, GRANT.replace("llm.example", "other.example"))
    assert "may not be sent" in asked("https://llm.example/v1")
    assert asked("https://other.example/v1") == REFERENCE
    monkeypatch.setenv("M4BENCH_POLICY", str(file))
    with pytest.raises(InputError, match="may not be sent"):
        require_permission("credentialed", "mimic-iv", to("https://llm.example/v1"), "m")
    policy.SYSTEM_POLICY.unlink()
    policy.SYSTEM_POLICY.symlink_to(tmp_path / "nothing")
    with pytest.raises(InputError, match="cannot be read"):
        read_policy({})


def test_a_policy_is_named_by_a_variable(file: Path, tmp_path: Path) -> None:
    """`M4BENCH_POLICY` comes before the user's own; one that is not there is an error."""
    write(file, GRANT)
    named = tmp_path / "named.toml"
    write(named, GRANT.replace("llm.example", "other.example"))
    tmp_path.chmod(0o700)
    found = read_policy({"M4BENCH_POLICY": str(named)})
    assert (found.file, found.permitted[0].host) == (named, "other.example")
    named.unlink()
    with pytest.raises(InputError, match="M4BENCH_POLICY"):
        read_policy({"M4BENCH_POLICY": str(named)})


def test_a_reference_is_one_plain_line(file: Path) -> None:
    """What an administrator wrote over several lines, or with a terminal's commands, is made one line."""
    write(
        file,
        GRANT.replace(
            f'"{AGREEMENT}"',
            '"""\nFirst\n  line\\u001b[31m\n"""',
        ),
    )
    assert asked("https://llm.example/v1") == (
        "First line\\x1b[31m (by A. Data-Protection, 2026-05-04)"
    )
