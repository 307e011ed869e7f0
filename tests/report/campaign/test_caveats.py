# SPDX-License-Identifier: MIT
"""What stands beside each family of a comparison: its delta, and what its reference is worth where that is known."""

import pytest

from m4bench.report.campaign.caveats import family_caveats
from m4bench.report.write import installed_tasks
from m4bench.suites.derivation.tasks.validity import validity
from tests.report.campaign.samples import sample_analysis

TASKS = installed_tasks()


def test_a_family_is_shown_with_its_own_record() -> None:
    """Families come by name, with their tasks and what `validity.yaml` says of them."""
    found = family_caveats(
        {"mimic-meld-24h": "meld", "mimic-charlson-raw": "charlson", "mimic-meld-24h-raw": "meld"},
        TASKS,
        None,
    )
    assert [(one.family, len(one.tasks)) for one in found] == [("charlson", 1), ("meld", 2)]
    assert all(one.worth and one.worth.validity == validity(one.family) for one in found)
    assert all(one.delta is None for one in found)


@pytest.mark.parametrize(
    ("families", "known"),
    [
        ({"mimic-meld-24h, version 1.1": "meld", "mimic-meld-24h, version 1.2": "meld"}, True),
        ({"mimic-meld-24h": "charlson"}, False),
        ({"my-own-meld": "meld"}, False),
        ({"my-own-meld": "meld", "mimic-meld-24h": "meld"}, False),
    ],
    ids=["versions apart", "told another family", "another's task", "one of them another's"],
)
def test_only_the_suites_own_tasks_have_its_record(families: dict[str, str], known: bool) -> None:
    """A table may call its tasks and families as it likes; what is said of ours is not said of them."""
    (found,) = family_caveats(families, TASKS, None)
    assert (found.worth is not None) is known


def test_a_delta_is_that_of_the_contrast() -> None:
    """Beside each family stands its delta of the contrast that is given."""
    contrast = sample_analysis().contrasts[0]
    deltas = {one.family: one.delta for one in contrast.family_deltas}
    found = family_caveats(sample_analysis().families, {}, contrast)
    assert {one.family: one.delta.delta for one in found if one.delta} == deltas
    assert all(one.worth is None for one in found)
