# SPDX-License-Identifier: MIT
"""Whose machines a data set's rows may be sent to. It sends nothing, and knows no agent.

Synthetic and open data may go anywhere. Credentialed data, such as MIMIC-IV and eICU under PhysioNet's agreement,
stay at addresses of this machine, or go where an administrator has written down the agreement that allows it. An
address of this machine that is written down holds as it is written there.
"""

import datetime
import os
import re
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, field_validator, model_validator

from m4bench.harness.gateway.address import Address, is_loopback
from m4bench.harness.gateway.endpoints import ChosenEndpoint
from m4bench.harness.gateway.guarded_file import checked, config_folder, is_there, read_tables
from m4bench.harness.gateway.own_endpoints import not_empty
from m4bench.model.errors import InputError
from m4bench.model.legible import legible
from m4bench.model.record import Record

POLICY_VARIABLE = "M4BENCH_POLICY"
SYSTEM_POLICY = Path("/etc/m4bench/policy.toml")
UNBOUND = {"synthetic": "synthetic data: nobody's rows", "open": "open data: no agreement"}
ON_THIS_MACHINE = "an address of this machine"
# Ollama serves these on loopback and has them answered elsewhere.
CLOUD_MODELS = ("*:cloud", "*-cloud")
_EXPLAINED = "m4bench doctor explains it"
_HOST = re.compile(r"[A-Za-z0-9._-]+(?::[0-9]{1,5})?")
_PATTERN = "takes no patterns; name one host"


Text = Annotated[str, Field(max_length=500), AfterValidator(not_empty)]


@dataclass(frozen=True)
class Permission:
    """Why data may go to an endpoint; `reference` is one line that a record may hold."""

    reference: str


class Permitted(Record):
    """One `[[permitted]]` of the administrator's file.

    `host` means https at its port, 443 where none is given; `base_url` that scheme, host and port, and what lies
    below its path. `agreement` says what allows it, `by` who has written it down, `date` when. `datasets` and
    `models` bound it, by default to none; `until` is its last day. An address of this machine is its port,
    however its host and scheme are written.
    """

    host: Text | None = None
    base_url: Text | None = None
    agreement: Text
    by: Text
    date: datetime.date
    until: datetime.date | None = None
    datasets: tuple[Text, ...] | None = None
    models: tuple[Text, ...] | None = None

    @field_validator("agreement", "by")
    @classmethod
    def _on_one_line(cls, text: str) -> str:
        return " ".join(text.split())

    @field_validator("datasets", "models")
    @classmethod
    def _names_some(cls, names: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if names is not None and not names:
            raise ValueError("is empty; leave it out where it does not bound")
        return names

    @field_validator("host")
    @classmethod
    def _is_host(cls, text: str | None) -> str | None:
        if text is not None:
            if "*" in text or "?" in text:
                raise ValueError(_PATTERN)
            if not _HOST.fullmatch(text):
                raise ValueError("is no host; an address goes into base_url")
            if Address.read(f"https://{text}").is_loopback and ":" not in text:
                raise ValueError(
                    "is this machine, where each port is a place; write it with its port"
                )
        return text

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, text: str | None) -> str | None:
        if text is not None:
            if "*" in text:
                raise ValueError(_PATTERN)
            if Address.read(text).query:
                raise ValueError("has a query")
        return text

    @model_validator(mode="after")
    def _is_somewhere(self) -> "Permitted":
        if (self.host is None) == (self.base_url is None):
            raise ValueError("needs one of host and base_url")
        return self

    @property
    def place(self) -> Address:
        """What it permits."""
        return Address.read(self.base_url or f"https://{self.host}")

    def covers(self, address: Address) -> bool:
        """Tell whether an address lies there."""
        place = self.place
        if place.is_loopback and address.is_loopback:
            # another spelling of this machine must not step around what is written
            place = replace(place, scheme=address.scheme, host=address.host)
        return place.holds(address)

    @property
    def reference(self) -> str:
        """What a record says of it."""
        return legible(f"{self.agreement} (by {self.by}, {self.date.isoformat()})")


@dataclass(frozen=True)
class Policy:
    """What an administrator has permitted; `file` is where, None where there is no file."""

    file: Path | None
    permitted: tuple[Permitted, ...] = ()


def policy_file(environ: Mapping[str, str]) -> Path | None:
    """Return the administrator's file that holds here, None where there is none.

    One for the whole machine is the only one; otherwise the one `M4BENCH_POLICY` names, or the user's own.

    Raises:
        InputError: the file that was named is not there.
    """
    if is_there(SYSTEM_POLICY):
        return SYSTEM_POLICY
    given = environ.get(POLICY_VARIABLE)
    path = Path(given) if given else config_folder() / "policy.toml"
    if is_there(path):
        return path
    if given:
        raise InputError(
            f"is not there ({POLICY_VARIABLE})", file=path, remedy="make it, or unset that"
        )
    return None


def read_policy(environ: Mapping[str, str]) -> Policy:
    """Return what the administrator's file permits.

    Raises:
        InputError: others could have written it, or it says what it may not; with file, row and setting.
    """
    path = policy_file(environ)
    if path is None:
        return Policy(None)
    tables, text = read_tables(path)
    listed: Any = tables.pop("permitted", [])
    if tables:
        raise InputError(
            "there is no such table", file=path, column=next(iter(tables))[:40],
            remedy="each permission is a table [[permitted]]",
        )  # fmt: skip
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        raise InputError(
            "is no list of tables", file=path, column="permitted", remedy="write [[permitted]]"
        )
    permitted = (
        checked(
            Permitted,
            one,
            path,
            place=f"permitted {number + 1}",
            header="[[permitted]]",
            text=text,
            nth=number,
        )
        for number, one in enumerate(listed)
    )
    return Policy(path, tuple(permitted))


def require_permission(access: str, dataset: str, chosen: ChosenEndpoint, model: str) -> Permission:
    """Return why data of this access may go there.

    Args:
        access: of the data set; whatever is neither `synthetic` nor `open` counts as credentialed.
        dataset: its name.
        chosen: where they would go.
        model: the model that would be asked.

    Raises:
        InputError: they may not, with what to do; or the administrator's file cannot be believed.
    """
    if access in UNBOUND:
        return Permission(UNBOUND[access])
    policy = read_policy(os.environ)
    return permission(policy, dataset, chosen, model, datetime.datetime.now(datetime.UTC).date())


def permission(
    policy: Policy, dataset: str, chosen: ChosenEndpoint, model: str, today: datetime.date
) -> Permission:
    """Return why credentialed data may go somewhere on a day, under a policy.

    Raises:
        InputError: they may not.
    """
    address = Address.read(chosen.upstream.base_url)
    below = address.below(chosen.protocol)
    passed_on = chosen.loopback and is_cloud_model(model)
    listed = [one for one in policy.permitted if one.covers(below)]
    reasons = []
    if passed_on:
        reasons.append(f"the model {model} is answered on somebody else's machines")
    off = _leads_off(address) if chosen.loopback else None
    if off is not None:
        raise _refusal(dataset, address, [off], policy)
    for one in listed:
        reason = _speaks_against(one, dataset, model, today, named=passed_on)
        if reason is None:
            return Permission(one.reference)
        reasons.append(reason)
    if chosen.loopback and not listed and not passed_on:
        return Permission(ON_THIS_MACHINE)
    raise _refusal(dataset, address, reasons, policy, passed_on=passed_on)


def _speaks_against(
    one: Permitted, dataset: str, model: str, today: datetime.date, *, named: bool
) -> str | None:
    """Return why a permission for this place does not hold, None when it does; `named` when it has to name models."""
    if one.until is not None and today > one.until:
        return f"its permission ended on {one.until.isoformat()}"
    if today < one.date:
        return f"its permission begins on {one.date.isoformat()}"
    if one.datasets is not None and dataset not in one.datasets:
        return "its permission is for other data sets"
    if named and one.models is None:
        return "its permission names no models"
    if one.models is not None and not any(fnmatchcase(model, pattern) for pattern in one.models):
        return "its permission is for other models"
    return None


def _leads_off(address: Address) -> str | None:
    """Return why an address written as this machine is not, None when it is."""
    if is_loopback(address.host):
        return None
    try:
        found = socket.getaddrinfo(address.host, address.port, proto=socket.IPPROTO_TCP)
    except OSError:
        return f"{address.host} leads nowhere; write 127.0.0.1"
    if not found or not all(is_loopback(str(place[0])) for *_, place in found):
        return f"{address.host} leads off this machine; write 127.0.0.1"
    return None


def is_cloud_model(model: str) -> bool:
    """Tell whether a model's name is one that Ollama passes on to its makers' machines."""
    return any(fnmatchcase(model.lower().strip(), pattern) for pattern in CLOUD_MODELS)


def _refusal(
    dataset: str,
    address: Address,
    reasons: Sequence[str],
    policy: Policy,
    *,
    passed_on: bool = False,
) -> InputError:
    why = f" ({'; '.join(dict.fromkeys(reasons))})" if reasons else ""
    where = policy.file or (config_folder() / "policy.toml")
    place = f'base_url = "{address.scheme}://{address.site}"'
    if passed_on:
        remedy = (
            f"use a model that is answered here, or have an administrator list {place} with models that name it and "
            f"the agreement of the place that really answers in {where}"
        )
    elif address.is_loopback:
        remedy = f"have an administrator list {place} for this data set and model in {where}"
    else:
        remedy = (
            "use a model on this machine, or have an administrator list that host with the agreement that permits "
            f"it in {where}"
        )
    return InputError(
        f"{dataset} is credentialed or not proven to be invented, and may not be sent to {address.site}{why}",
        remedy=f"{remedy}; {_EXPLAINED}",
    )
