# SPDX-License-Identifier: MIT
"""The paper's tasks: which took part in what, and how its tables name them. Knows no run."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from m4bench.analysis.descriptives import FOLLOW_UP_ORDER
from m4bench.analysis.task_facts import installed_tasks
from m4bench.model.task import Task

SENTINEL_EIGHT = FOLLOW_UP_ORDER
CONTROL_TEN = (
    "eicu-oasis",
    "mimic-creatinine-baseline",
    "mimic-creatinine-baseline-raw",
    "mimic-meld-24h",
    "mimic-meld-24h-raw",
    "mimic-suspicion-infection",
    "mimic-suspicion-infection-raw",
    "mimic-urine-output-rate",
    "mimic-urine-output-rate-raw",
    "mimic-ventilation",
)
PAPER_TASKS = tuple(
    sorted(
        {
            *SENTINEL_EIGHT,
            *CONTROL_TEN,
            "eicu-gcs",
            "mimic-apsiii-24h",
            "mimic-apsiii-24h-raw",
            "mimic-charlson-raw",
            "mimic-gcs-24h-raw",
            "mimic-kdigo-48h",
            "mimic-kdigo-48h-raw",
            "mimic-oasis-24h-raw",
            "mimic-sapsii-24h",
            "mimic-sapsii-24h-raw",
            "mimic-sirs-24h-raw",
            "mimic-sofa-24h",
            "mimic-vasopressor-equivalents",
            "mimic-ventilation-raw",
        }
    )
)
MIMIC_TASKS = tuple(task for task in PAPER_TASKS if task.startswith("mimic-"))
TRIALS = 5
# Categories: no error of theirs has a size. Other value columns of the paper's tasks are numeric.
UNORDERED_COLUMNS = frozenset({"specimen", "ventilation_status"})

FAMILY_LABELS = {
    "apsiii": "APS III",
    "charlson": "Charlson",
    "creatinine-baseline": "Baseline creatinine",
    "gcs": "GCS",
    "kdigo": "KDIGO AKI",
    "meld": "MELD",
    "oasis": "OASIS",
    "sapsii": "SAPS-II",
    "sepsis3": "Sepsis-3",
    "sirs": "SIRS",
    "sofa": "SOFA",
    "suspicion-infection": "Suspected infection",
    "urine-output-rate": "Urine-output rate",
    "vasopressor-equivalents": "Vasopressor equivalents",
    "ventilation": "Ventilation",
}
SENTINEL_LABELS = {
    "mimic-urine-output-rate-raw": "urine-output rate raw",
    "mimic-ventilation": "ventilation",
    "mimic-creatinine-baseline-raw": "baseline creatinine raw",
    "mimic-suspicion-infection": "suspected infection",
    "mimic-vasopressor-equivalents-raw": "vasopressor equivalents raw",
    "mimic-oasis-24h": "OASIS-24h",
    "mimic-sepsis3-raw": "Sepsis-3 raw",
    "mimic-sofa-24h-raw": "SOFA-24h raw",
}


@lru_cache(maxsize=1)
def paper_tasks() -> Mapping[str, Task]:
    """Return the definitions of the paper's 28 tasks by name, in alphabetical order."""
    installed = installed_tasks()
    return MappingProxyType({name: installed[name] for name in PAPER_TASKS})


def families() -> dict[str, str]:
    """Return the family of each task."""
    return {name: task.family for name, task in paper_tasks().items()}


def ordered_columns(task: str) -> int:
    """Return how many value columns of a task have an order, over which nMAE is taken."""
    return len(set(paper_tasks()[task].scoring.values) - UNORDERED_COLUMNS)


def tasks_of_mode(mode: str) -> frozenset[str]:
    """Return the tasks of a mode."""
    return frozenset(name for name, task in paper_tasks().items() if task.mode == mode)


def ordered_tasks() -> frozenset[str]:
    """Return the tasks that have an ordered value column."""
    return frozenset(name for name in PAPER_TASKS if ordered_columns(name))
