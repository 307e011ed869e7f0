# SPDX-License-Identifier: MIT
"""The endpoints a user has described in a file, `endpoints.toml`. Gets no key and connects to nothing."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from m4bench.harness.gateway.address import Address
from m4bench.harness.gateway.guarded_file import checked, config_folder, is_there, read_tables
from m4bench.harness.gateway.lane import KeyHeader, RateLimit, RetryPolicy, WireProtocol
from m4bench.model.errors import InputError
from m4bench.model.record import Record

ENDPOINTS_VARIABLE = "M4BENCH_ENDPOINTS"
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_HEADER = re.compile(r"[A-Za-z0-9-]{1,60}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
# What the gateway itself has to say of a connection.
_RESERVED = frozenset(
    {"host", "content-length", "content-type", "transfer-encoding", "connection", "accept-encoding", "expect"}
)  # fmt: skip
_KEY_SOURCES = ("key_env", "key_file", "key_command")

PerMinute = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
Seconds = Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False, strict=True)]


def not_empty(text: str) -> str:
    """Return a setting's text.

    Raises:
        ValueError: there is nothing in it.
    """
    if not text.strip():
        raise ValueError("is empty")
    return text


Text = Annotated[str, Field(max_length=4096), AfterValidator(not_empty)]
# A space may be an argument.
Word = Annotated[str, Field(min_length=1, max_length=4096)]


class Retry(Record):
    """How often and after which seconds a request is sent again; see `RetryPolicy`."""

    tries: Annotated[int, Field(ge=1, le=100, strict=True)] = RetryPolicy().tries
    first_wait: Seconds = RetryPolicy().first_wait
    longest_wait: Seconds = RetryPolicy().longest_wait


class OwnEndpoint(Record):
    """One table of the file.

    `base_url` is left out for one of the built-in names, whose key and rates are set so. Where `protocols` is
    left out the agent's are believed.
    """

    base_url: Text | None = None
    protocols: tuple[WireProtocol, ...] | None = Field(default=None, min_length=1)
    key_env: str | None = None
    key_file: Text | None = None
    key_command: tuple[Word, ...] | None = Field(default=None, min_length=1)
    key_header: KeyHeader | None = None
    headers_env: dict[str, str] = Field(default_factory=dict)
    requests_per_minute: PerMinute | None = None
    tokens_per_minute: PerMinute | None = None
    concurrent: Annotated[int, Field(ge=1, strict=True)] | None = None
    retry: Retry = Field(default_factory=Retry)
    ca_file: Text | None = None
    insecure: Annotated[bool, Field(strict=True)] = False

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, text: str | None) -> str | None:
        if text is not None:
            Address.read(text)
        return text

    @field_validator("key_env")
    @classmethod
    def _is_variable(cls, name: str | None) -> str | None:
        if name is not None and not _VARIABLE.fullmatch(name):
            raise ValueError("is no name of a variable; a key itself is never kept here")
        return name

    @field_validator("headers_env")
    @classmethod
    def _are_headers(cls, headers: dict[str, str]) -> dict[str, str]:
        for header, name in headers.items():
            if not _HEADER.fullmatch(header) or header.lower() in _RESERVED:
                raise ValueError("names a header that cannot be set")
            if not _VARIABLE.fullmatch(name):
                raise ValueError("is no name of a variable; a value itself is never kept here")
        return headers

    @model_validator(mode="after")
    def _has_one_key(self, _: ValidationInfo) -> "OwnEndpoint":
        if sum(getattr(self, source) is not None for source in _KEY_SOURCES) > 1:
            raise ValueError(f"has more than one of {', '.join(_KEY_SOURCES)}")
        return self

    @property
    def rate(self) -> RateLimit:
        """What it takes of all runs together."""
        return RateLimit(
            requests_per_minute=self.requests_per_minute,
            tokens_per_minute=self.tokens_per_minute,
            concurrent=self.concurrent,
        )

    @property
    def retry_policy(self) -> RetryPolicy:
        """When a request is sent again."""
        return RetryPolicy(**self.retry.model_dump())


def endpoints_file(environ: Mapping[str, str]) -> Path:
    """Return where a user's endpoints are described, whether there is such a file or not."""
    given = environ.get(ENDPOINTS_VARIABLE)
    return Path(given) if given else config_folder() / "endpoints.toml"


def own_endpoints(environ: Mapping[str, str], built_in: frozenset[str]) -> dict[str, OwnEndpoint]:
    """Return the endpoints a user has described, by name; none where there is no file.

    Args:
        environ: `M4BENCH_ENDPOINTS` names the file.
        built_in: names whose address is known and stays as it is.

    Raises:
        InputError: the file that was named is not there, others could have written it, or it says what it may
            not; with file, row and setting.
    """
    path = endpoints_file(environ)
    if not is_there(path):
        if environ.get(ENDPOINTS_VARIABLE):
            raise InputError(
                f"is not there ({ENDPOINTS_VARIABLE})", file=path, remedy="make it, or unset that"
            )
        return {}
    tables, text = read_tables(path)
    return {name: _read(name, table, path, text, built_in) for name, table in tables.items()}


def _read(name: str, table: Any, path: Path, text: str, built_in: frozenset[str]) -> OwnEndpoint:
    if not NAME.fullmatch(name):
        raise InputError(
            "is no name of an endpoint", file=path, column=name[:40],
            remedy="lower-case letters, digits and hyphens; one table [NAME] each",
        )  # fmt: skip
    found = checked(OwnEndpoint, table, path, place=name, header=f"[{name}]", text=text)
    known = name in built_in
    if known and (found.base_url or found.protocols or found.insecure):
        raise InputError(
            "the address of a built-in endpoint stays as it is", file=path, column=name,
            remedy="describe yours under another name",
        )  # fmt: skip
    if not known and found.base_url is None:
        raise InputError("has no base_url", file=path, column=name)
    return found
