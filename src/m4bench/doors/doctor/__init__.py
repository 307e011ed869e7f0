# SPDX-License-Identifier: MIT
"""What is ready on this machine, what is missing, and how to get it: what `m4bench doctor` does.

It changes nothing, reaches no network, opens no table, and looks at no credential and no variable of the
environment but those that say where things are kept.
"""

from pathlib import Path

from m4bench.data.store import Store
from m4bench.doors.doctor.datasets import datasets, runnable
from m4bench.doors.doctor.finding import Diagnosis, Finding
from m4bench.doors.doctor.isolation import isolation
from m4bench.doors.doctor.machine import capacity, file_system, room
from m4bench.doors.doctor.software import software

__all__ = ["Diagnosis", "Finding", "examine"]


def examine(store: Store, results: Path) -> Diagnosis:
    """Look at this machine.

    Args:
        store: the store commands would use.
        results: the folder runs would be kept in.
    """
    held = tuple(datasets(store))
    return Diagnosis(
        (
            *software(),
            *isolation(),
            *capacity(),
            file_system(store.root, needed=not runnable(held)),
            room("room in the store", store.root),
            room("room for results", results),
            *held,
        )
    )
