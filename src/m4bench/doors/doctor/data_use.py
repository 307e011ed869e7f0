# SPDX-License-Identifier: MIT
"""Where credentialed data may be sent from here, by whose word, and how to permit more. Judges no agreement."""

import datetime
import os
from collections.abc import Iterator, Mapping

from m4bench.data.catalogue import declared_datasets
from m4bench.doors.doctor.finding import Finding
from m4bench.harness.gateway.guarded_file import config_folder
from m4bench.harness.gateway.policy import (
    SYSTEM_POLICY,
    Permitted,
    Policy,
    read_policy,
)
from m4bench.model.errors import InputError

GROUP = "data use"
PAGE = "docs/how-to/credentialed-data.md"
ASKED = (
    "MIMIC-IV and eICU are lent to persons: their rows may be shown to nobody who has not signed, and a model behind "
    "somebody else's interface is somebody else, unless its terms are such as PhysioNet accepts"
)
HERE = (
    "a server here that passes on what it is asked (a proxy such as LiteLLM, a tunnel) counts as this machine by its "
    "address alone, unless the policy lists it: whoever runs it vouches for where it leads; Ollama's cloud models are "
    "refused by their names"
)


def data_use(
    environ: Mapping[str, str] | None = None, today: datetime.date | None = None
) -> Iterator[Finding]:
    """Yield the rule in plain words, what the administrator's file permits, and how to permit more.

    Args:
        environ: where the file's place is looked for, by default the process's environment.
        today: the day on which permissions hold, by default this one.
    """
    environ = os.environ if environ is None else environ
    today = today or datetime.datetime.now(datetime.UTC).date()
    yield Finding(
        GROUP, "credentialed data", "ready", "only to models of this machine, or to those permitted", ASKED
    )  # fmt: skip
    yield Finding(GROUP, "this machine", "ready", "localhost, 127.0.0.0/8, ::1", HERE)
    try:
        policy = read_policy(environ)
    except InputError as error:
        problem, _, told = str(error).partition("; ")
        meaning = "until it is mended, no model is asked about credentialed data"
        remedy = told or f"mend it; see {PAGE}"
        yield Finding(GROUP, "policy", "optional", problem, meaning, remedy)
        return
    yield _file(policy)
    for number, one in enumerate(policy.permitted, 1):
        yield _permission(number, one, today)


def _file(policy: Policy) -> Finding:
    facts = {"file": str(policy.file) if policy.file else None, "permitted": len(policy.permitted)}
    how = (
        'a table [[permitted]] with host = "…" (or base_url), agreement = "which one and where it is kept", '
        f'by = "who", date = 2026-01-31; see {PAGE}'
    )
    if policy.file is None:
        meaning = "nothing is permitted beyond this machine; synthetic and open data need no leave"
        place = f"{SYSTEM_POLICY} for everyone here, or {config_folder() / 'policy.toml'}"
        remedy = f"to permit a host, an administrator writes {place}: {how}"
        return Finding(GROUP, "policy", "ready", "no file", meaning, remedy, facts)
    count = len(policy.permitted)
    found = f"{policy.file}, {count} {'permission' if count == 1 else 'permissions'}"
    meaning = "what an administrator has written down"
    if policy.file == SYSTEM_POLICY:
        meaning += "; the only file that counts on this machine"
    return Finding(GROUP, "policy", "ready", found, meaning, f"to permit a host: {how}", facts)


def _permission(number: int, one: Permitted, today: datetime.date) -> Finding:
    bounds = [
        *([f"until {one.until.isoformat()}"] if one.until else []),
        *([f"data sets {', '.join(one.datasets)}"] if one.datasets else []),
        *([f"models {', '.join(one.models)}"] if one.models else []),
    ]
    found = "; ".join([str(one.place), *bounds])
    name, facts = f"permitted {number}", {"place": str(one.place), "reference": one.reference}
    if one.until is not None and today > one.until:
        remedy = "renew the agreement and its until, or take the table out"
        return Finding(GROUP, name, "optional", f"{found} (over)", one.reference, remedy, facts)
    if today < one.date:
        remedy = f"wait until {one.date.isoformat()}"
        return Finding(GROUP, name, "optional", f"{found} (not yet)", one.reference, remedy, facts)
    if unknown := sorted(set(one.datasets or ()) - set(declared_datasets())):
        remedy = f"take it out, or write one of: {', '.join(sorted(declared_datasets()))}"
        found = f"{found} (no data set is called {', '.join(unknown)})"
        return Finding(GROUP, name, "optional", found, one.reference, remedy, facts)
    return Finding(GROUP, name, "ready", found, one.reference, facts=facts)
