# SPDX-License-Identifier: MIT
"""Where models are: built-in endpoints, a user's own, addresses; each with its key and rates. Connects to nothing.

Whether data may go there is for `policy` to say.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import SecretStr

from m4bench.harness.gateway.address import Address
from m4bench.harness.gateway.credentials import (
    header_values,
    key_from_command,
    key_from_environment,
    key_from_file,
)
from m4bench.harness.gateway.lane import (
    KeyHeader,
    RateLimit,
    RetryPolicy,
    Upstream,
    WireProtocol,
)
from m4bench.harness.gateway.own_endpoints import OwnEndpoint, endpoints_file, own_endpoints
from m4bench.model.errors import InputError

KEY_VARIABLE = "M4BENCH_ENDPOINT_KEY"
RECORDING = "recording"
_KEY_HEADERS: dict[WireProtocol, KeyHeader] = {
    "responses": "authorization",
    "chat-completions": "authorization",
    "messages": "x-api-key",
    "generate-content": "x-goog-api-key",
}
_OPENAI: tuple[WireProtocol, ...] = ("responses", "chat-completions")
# Most servers of models speak this one, whatever else they speak.
_COMMON: WireProtocol = "chat-completions"
_SITE_ALONE = re.compile(r"[A-Za-z0-9.\[\]-]*[.:][A-Za-z0-9.:\[\]-]*(?:/.*)?")


@dataclass(frozen=True)
class BuiltIn:
    """A provider that is known by name; `keys` are the variables its key may be in."""

    base_url: str
    protocols: tuple[WireProtocol, ...]
    keys: tuple[str, ...]


BUILT_IN: dict[str, BuiltIn] = {
    "openai": BuiltIn("https://api.openai.com/v1", _OPENAI, ("OPENAI_API_KEY",)),
    "anthropic": BuiltIn("https://api.anthropic.com", ("messages",), ("ANTHROPIC_API_KEY",)),
    "google": BuiltIn(
        "https://generativelanguage.googleapis.com",
        ("generate-content",),
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    ),
}
USUAL: dict[WireProtocol, str] = {
    "responses": "openai",
    "chat-completions": "openai",
    "messages": "anthropic",
    "generate-content": "google",
}
"""The endpoint of an agent for which none is named, by the protocol it prefers."""


@dataclass(frozen=True)
class ChosenEndpoint:
    """An endpoint a run uses.

    `place` is what a record may say of it: the name of a built-in or of one of the user's own, `loopback:PORT`,
    or the host. `loopback` is whether its host is written as this machine.
    """

    upstream: Upstream
    protocol: WireProtocol
    place: str
    loopback: bool
    rate: RateLimit = field(default_factory=RateLimit)
    retry: RetryPolicy = field(default_factory=RetryPolicy)


@dataclass(frozen=True)
class LocatedEndpoint:
    """An endpoint whose place is known and nothing secret of it yet: it can be judged before its key is fetched.

    `chosen` has no key, no headers and no authorities.
    """

    chosen: ChosenEndpoint
    _own: OwnEndpoint
    _environ: Mapping[str, str]
    _key: Callable[[], SecretStr | None]

    def with_key(self) -> ChosenEndpoint:
        """Return it with its key, as the gateway takes it; a key's command runs now.

        Raises:
            InputError: its key, a header or its authorities are missing. A key is in no error.
        """
        place, own = self.chosen.place, self._own
        key = self._key()
        header = own.key_header or _KEY_HEADERS[self.chosen.protocol]
        secret = {
            "key": key,
            "key_header": "none" if key is None else header,
            "headers": header_values(place, own.headers_env, self._environ),
            "ca_file": _authority(place, own, self._environ),
        }
        return replace(self.chosen, upstream=self.chosen.upstream.model_copy(update=secret))


def choose_endpoint(
    name: str | None, protocols: Sequence[WireProtocol], environ: Mapping[str, str]
) -> ChosenEndpoint:
    """Return the endpoint of that name or address, with its key.

    Args:
        name: as for `locate_endpoint`.
        protocols: as for `locate_endpoint`.
        environ: as for `locate_endpoint`.

    Raises:
        InputError: as `locate_endpoint` and `LocatedEndpoint.with_key`.
    """
    return locate_endpoint(name, protocols, environ).with_key()


def locate_endpoint(
    name: str | None, protocols: Sequence[WireProtocol], environ: Mapping[str, str]
) -> LocatedEndpoint:
    """Return where the endpoint of that name or address is, without looking for its key.

    Args:
        name: a built-in name, one of the user's own, or an address; None is the agent's usual one.
        protocols: what the agent speaks, the preferred one first; at least one.
        environ: where keys and the place of the user's file are looked for.

    Raises:
        InputError: there is no such endpoint, it speaks none of the protocols, it would be reached unencrypted, or
            the user's file says what it may not.
    """
    if name is not None and "://" in name:
        return _at_address(name, protocols, environ)
    chosen = USUAL[protocols[0]] if name is None else name
    own = own_endpoints(environ, frozenset(BUILT_IN))
    if (known := BUILT_IN.get(chosen)) is not None:
        return _built_in(chosen, known, own.get(chosen, OwnEndpoint()), protocols, environ)
    if chosen in own:
        return _own(chosen, own[chosen], protocols, environ)
    if _SITE_ALONE.fullmatch(chosen):
        remedy = "begin an address with http:// (this machine) or https://"
        raise InputError("no endpoint has this name", remedy=remedy)
    known_names = ", ".join([*BUILT_IN, *sorted(set(own) - set(BUILT_IN))])
    raise InputError(
        f"no endpoint is called {chosen}",
        remedy=f"choose one of: {known_names}; or an address; or describe yours in {endpoints_file(environ)}",
    )


def recorded_endpoint(protocol: WireProtocol) -> ChosenEndpoint:
    """Return the endpoint of a recording, which is never contacted and has no key."""
    upstream = Upstream(
        name=RECORDING,
        base_url="http://127.0.0.1:9",
        protocols=(protocol,),
        key_header="none",
    )
    return ChosenEndpoint(upstream, protocol, RECORDING, loopback=True)


def _at_address(
    text: str, protocols: Sequence[WireProtocol], environ: Mapping[str, str]
) -> LocatedEndpoint:
    try:
        address = Address.read(text)
    except ValueError as error:
        raise InputError(
            f"the address given as --endpoint {error}",
            remedy="give it as http://127.0.0.1:11434/v1 or https://HOST/v1",
        ) from None
    if address.scheme == "http" and not address.is_loopback:
        raise InputError(
            f"what is sent to {address.site} by http can be read on the way",
            remedy=f"use https, or describe it in {endpoints_file(environ)} with insecure = true",
        )

    def key() -> SecretStr | None:
        if environ.get(KEY_VARIABLE, "").strip():
            return key_from_environment(address.site, [KEY_VARIABLE], environ)
        return None

    place = f"loopback:{address.port}" if address.is_loopback else address.site
    protocol = _COMMON if _COMMON in protocols else protocols[0]
    return _located(place, address, protocol, (protocol,), OwnEndpoint(), environ, key)


def _built_in(
    name: str,
    known: BuiltIn,
    own: OwnEndpoint,
    protocols: Sequence[WireProtocol],
    environ: Mapping[str, str],
) -> LocatedEndpoint:
    protocol = _common_protocol(name, known.protocols, protocols)

    def key() -> SecretStr | None:
        return _own_key(name, own, environ) or key_from_environment(name, known.keys, environ)

    address = Address.read(known.base_url)
    return _located(name, address, protocol, known.protocols, own, environ, key)


def _own(
    name: str,
    own: OwnEndpoint,
    protocols: Sequence[WireProtocol],
    environ: Mapping[str, str],
) -> LocatedEndpoint:
    address = Address.read(own.base_url or "")
    if address.scheme == "http" and not (address.is_loopback or own.insecure):
        raise InputError(
            "what is sent there by http can be read on the way",
            file=endpoints_file(environ),
            column=f"{name}.base_url",
            remedy="use https, or say insecure = true",
        )
    if own.protocols is None:
        protocol = _COMMON if _COMMON in protocols else protocols[0]
        spoken: tuple[WireProtocol, ...] = (protocol,)
    else:
        protocol = _common_protocol(name, own.protocols, protocols)
        spoken = own.protocols

    def key() -> SecretStr | None:
        return _own_key(name, own, environ)

    return _located(name, address, protocol, spoken, own, environ, key)


def _common_protocol(
    name: str, spoken: Sequence[WireProtocol], protocols: Sequence[WireProtocol]
) -> WireProtocol:
    found = next((one for one in protocols if one in spoken), None)
    if found is None:
        raise InputError(
            f"the endpoint {name} speaks {', '.join(spoken)}, and the agent {', '.join(protocols)}",
            remedy="choose another endpoint or another agent: nothing is translated",
        )
    return found


def _own_key(name: str, own: OwnEndpoint, environ: Mapping[str, str]) -> SecretStr | None:
    """Return the key from where the user's file says it is, None when it says nothing."""
    if own.key_env is not None:
        return key_from_environment(name, [own.key_env], environ)
    if own.key_file is not None:
        return key_from_file(name, _beside_file(name, "key_file", own.key_file, environ))
    if own.key_command is not None:
        return key_from_command(name, own.key_command, environ)
    return None


def _beside_file(endpoint: str, setting: str, text: str, environ: Mapping[str, str]) -> Path:
    """Return a path of the user's file, which is seen from the folder of that file.

    Raises:
        InputError: no file can have that path.
    """
    described = endpoints_file(environ)
    column = f"{endpoint}.{setting}"
    if "\0" in text:
        raise InputError("holds a NUL, which no path can", file=described, column=column)
    try:
        return described.absolute().parent / Path(text).expanduser()
    except RuntimeError:
        raise InputError(
            "begins with ~ and a user this machine does not know", file=described, column=column
        ) from None


def _located(
    place: str,
    address: Address,
    protocol: WireProtocol,
    spoken: Sequence[WireProtocol],
    own: OwnEndpoint,
    environ: Mapping[str, str],
    key: Callable[[], SecretStr | None],
) -> LocatedEndpoint:
    """Return an endpoint as the gateway takes it: of its protocols those that share the base address."""
    family = _OPENAI if protocol in _OPENAI else (protocol,)
    upstream = Upstream(
        name=place,
        base_url=str(address.for_protocol(protocol)),
        protocols=tuple(one for one in family if one in spoken),
        key_header="none",
    )
    chosen = ChosenEndpoint(
        upstream, protocol, place, address.is_loopback, own.rate, own.retry_policy
    )
    return LocatedEndpoint(chosen, own, environ, key)


def _authority(name: str, own: OwnEndpoint, environ: Mapping[str, str]) -> str | None:
    if own.ca_file is None:
        return None
    path = _beside_file(name, "ca_file", own.ca_file, environ)
    if not path.is_file():
        raise InputError(
            "is not there", file=path, remedy=f"it is the ca_file of the endpoint {name}"
        )
    return str(path)
