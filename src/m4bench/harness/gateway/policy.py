# SPDX-License-Identifier: MIT
"""Whose machines a data set's rows may be sent to. It sends nothing, and knows no agent.

Synthetic and open data may go anywhere. Credentialed data, such as MIMIC-IV and eICU under PhysioNet's agreement,
stay on this machine, or go where an administrator has written down the agreement that allows it.
"""

import datetime
import os
import re
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, field_validator, model_validator

from m4bench.harness.gateway.address import Address, is_loopback
from m4bench.harness.gateway.endpoints import ChosenEndpoint
from m4bench.harness.gateway.guarded_file import checked, config_folder, is_there, read_tables
from m4bench.model.errors import InputError
from m4bench.model.legible import legible
from m4bench.model.record import Record

POLICY_VARIABLE = "M4BENCH_POLICY"
SYSTEM_POLICY = Path("/etc/m4bench/policy.toml")
UNBOUND = {"synthetic": "synthetic data: nobody's rows", "open": "open data: no agreement"}
ON_THIS_MACHINE = "nothing leaves this machine"
# Ollama serves these on loopback and has them answered elsewhere.
CLOUD_MODELS = ("*:cloud", "*-cloud")
_EXPLAINED = "m4bench doctor explains it"
_HOST = re.compile(r"[A-Za-z0-9._-]+(?::[0-9]{1,5})?")
Text = Annotated[str, Field(min_length=1, max_length=500)]


@dataclass(frozen=True)
class Permission:
    """Why data may go to an endpoint; `reference` is one line that a record may hold."""

    reference: str


class Permitted(Record):
    """One `[[permitted]]` of the administrator's file.

    `host` means https at its port, 443 where none is given; `base_url` that scheme, host and port, and what lies
    below its path. `agreement` says what allows it, `by` who has written it down, `date` when. `datasets` and
    `models` bound it, by default to none; `until` is its last day.
    """

    host: Text | None = None
    base_url: Text | None = None
    agreement: Text
    by: Text
    date: datetime.date
    until: datetime.date | None = None
    datasets: tuple[Text, ...] | None = Field(default=None, min_length=1)
    models: tuple[Text, ...] | None = Field(default=None, min_length=1)

    @field_validator("agreement", "by")
    @classmethod
    def _says_something(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("says nothing")
        return " ".join(text.split())

    @field_validator("host")
    @classmethod
    def _is_host(cls, text: str | None) -> str | None:
        if text is not None:
            if not _HOST.fullmatch(text):
                raise ValueError("is no host; an address goes into base_url")
            Address.read(f"https://{text}")
        return text

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, text: str | None) -> str | None:
        if text is not None and Address.read(text).query:
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
    reasons = []
    for one in policy.permitted:
        if one.place.holds(below):
            reason = _speaks_against(one, dataset, model, today)
            if reason is None:
                return Permission(one.reference)
            reasons.append(reason)
    why = _leads_elsewhere(address, model) if chosen.loopback else None
    if chosen.loopback and why is None:
        return Permission(ON_THIS_MACHINE)
    told = [*([why] if why else []), *reasons]
    raise _refusal(dataset, address, told, policy)


def _speaks_against(one: Permitted, dataset: str, model: str, today: datetime.date) -> str | None:
    """Return why a permission for this place does not hold, None when it does."""
    if one.until is not None and today > one.until:
        return f"its permission ended on {one.until.isoformat()}"
    if today < one.date:
        return f"its permission begins on {one.date.isoformat()}"
    if one.datasets is not None and dataset not in one.datasets:
        return "its permission is for other data sets"
    if one.models is not None and not any(fnmatchcase(model, pattern) for pattern in one.models):
        return "its permission is for other models"
    return None


def _leads_elsewhere(address: Address, model: str) -> str | None:
    """Return why a server on this machine is not the end of the way, None when nothing says so."""
    if is_cloud_model(model):
        return f"the model {model} is answered on somebody else's machines"
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


def _refusal(dataset: str, address: Address, reasons: Sequence[str], policy: Policy) -> InputError:
    why = f" ({'; '.join(dict.fromkeys(reasons))})" if reasons else ""
    where = policy.file or (config_folder() / "policy.toml")
    return InputError(
        f"{dataset} is credentialed or not proven to be invented, and may not be sent to {address.site}{why}",
        remedy="use a model on this machine, or have an administrator list that host with the agreement that "
        f"permits it in {where}; {_EXPLAINED}",
    )
