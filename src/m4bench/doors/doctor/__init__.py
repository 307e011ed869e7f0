# SPDX-License-Identifier: MIT
"""What is ready on this machine, what is missing, and how to get it: what `m4bench doctor` does.

It changes nothing, reaches no network unless asked to, and opens no table. Of variables it looks at those that say
where things are kept, and whether those that may hold a key are set; it tells no key. Where packages are missing or
broken it tells so, and looks at the rest: nothing here is imported before it is looked at, and what fails is a
finding.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from m4bench.doors.doctor.finding import LOCKED, Diagnosis, Finding, runnable

__all__ = ["Diagnosis", "Finding", "examine"]


def examine(store: Path | None, results: Path, *, reach: bool = False) -> Diagnosis:
    """Look at this machine.

    Args:
        store: the folder of the store commands would use; None for the one they would use unasked.
        results: the folder runs would be kept in.
        reach: whether to try a connection to the endpoints of models that have a key; nothing is sent.
    """
    held = _looked("datasets", "datasets", lambda: _datasets(_place(store)))
    return Diagnosis(
        (
            *_looked("software", "packages", _packages),
            *_looked("software", "engine, plug-ins", _software),
            *_looked("software", "programs", _programs),
            *_looked("isolation", "isolation", _isolation),
            *_looked("machine", "capacity", _capacity),
            *_looked("disk", "disks", lambda: _disks(_place(store), results, held)),
            *held,
            *_looked("agents", "agents", _agents),
            *_looked("models", "endpoints", lambda: _models(reach)),
            *_looked("data use", "policy", _data_use),
        )
    )


def _looked(group: str, name: str, look: Callable[[], Iterable[Finding]]) -> tuple[Finding, ...]:
    try:
        return tuple(look())
    except Exception as error:  # noqa: BLE001 # a broken package can fail in any way, and it has to be told
        found = f"cannot be looked at ({type(error).__name__})"
        meaning = "a package it needs does not work"
        return (Finding(group, name, "needed", found, meaning, LOCKED),)


def _place(store: Path | None) -> Path:
    from m4bench.model.settings import default_store

    return (store or default_store()).expanduser().absolute()


def _packages() -> Iterable[Finding]:
    from m4bench.doors.doctor.packages import python_and_packages

    return python_and_packages()


def _software() -> Iterable[Finding]:
    from m4bench.doors.doctor.software import software

    return software()


def _programs() -> Iterable[Finding]:
    from m4bench.doors.doctor.programs import programs

    return programs()


def _isolation() -> Iterable[Finding]:
    from m4bench.doors.doctor.isolation import isolation

    return isolation()


def _capacity() -> Iterable[Finding]:
    from m4bench.doors.doctor.machine import capacity

    return capacity()


def _disks(store: Path, results: Path, held: Iterable[Finding]) -> Iterable[Finding]:
    from m4bench.doors.doctor.machine import file_system, room

    yield file_system(store, needed=not runnable(held))
    yield room("room in the store", store)
    yield room("room for results", results)


def _datasets(store: Path) -> Iterable[Finding]:
    from m4bench.data.store import Store
    from m4bench.doors.doctor.datasets import datasets

    return datasets(Store(store))


def _agents() -> Iterable[Finding]:
    from m4bench.doors.doctor.agents import agents

    return agents()


def _models(reach: bool) -> Iterable[Finding]:
    from m4bench.doors.doctor.models import models

    return models(reach=reach)


def _data_use() -> Iterable[Finding]:
    from m4bench.doors.doctor.data_use import data_use

    return data_use()
