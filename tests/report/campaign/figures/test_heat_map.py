# SPDX-License-Identifier: MIT
"""Maps of rewards compare the same systems side by side, and draw everything that was run."""

import pytest

from m4bench.analysis.runs import RunRow, System
from m4bench.report.campaign.figures.heat_map import MOST_MAPS, heat_maps
from m4bench.report.campaign.figures.means import means
from m4bench.report.exhibits import Figure
from tests.report.campaign.figures.reading_marks import cell, records, words
from tests.report.campaign.samples import LARGE, SMALL, build_run, table

LABELS = {str(LARGE): "large", str(SMALL): "small"}


def maps(*runs: RunRow) -> dict[str, Figure]:
    """Return the maps of runs by name."""
    return {one.name: one for one in heat_maps(means(table(runs)), LABELS)}


def of(
    task: str, condition: str, large: float | None, small: float | None, schema: str = "native"
) -> list[RunRow]:
    """Return a run of each system that has a reward."""
    rewards = {LARGE: large, SMALL: small}
    return [
        build_run(task, condition, schema=schema, system=system, reward=reward)
        for system, reward in rewards.items()
        if reward is not None
    ]


def test_a_row_is_of_the_systems_that_have_all_of_its_conditions() -> None:
    """Of a task that one of two systems has under both conditions, both columns are of that system, and say so."""
    drawn = maps(
        *of("t", "no-skill", 0.2, 0.8),
        *of("t", "with-skill", 0.6, 1.0),
        *of("u", "no-skill", 0.4, 0.9),
        *of("u", "with-skill", 0.5, None),
    )
    figure = drawn["heat-map"]
    assert [cell(figure, "t", name) for name in ("no-skill", "with-skill")] == ["0.500", "0.800"]
    assert [cell(figure, "u*", name) for name in ("no-skill", "with-skill")] == ["0.400", "0.500"]
    assert "the mean over 2 systems (large; small)" in figure.caption
    assert "* of fewer systems" in figure.caption


def test_a_task_that_no_system_has_under_both_conditions_says_so() -> None:
    """Its cells are of their own systems and not to be compared."""
    drawn = maps(
        *of("t", "no-skill", 0.2, 0.8),
        *of("t", "with-skill", 0.6, 1.0),
        *of("u", "no-skill", 0.4, None),
        *of("u", "with-skill", None, 0.5),
    )
    figure = drawn["heat-map"]
    assert [cell(figure, "u**", name) for name in ("no-skill", "with-skill")] == ["0.400", "0.500"]
    assert "No system has all conditions of 1 task" in figure.caption


def test_other_schemas_stand_beside_the_native_one_of_the_same_system() -> None:
    """With the skill 0.5 natively and 0.4 obfuscated of the small system, though both systems have 0.7 natively."""
    drawn = maps(
        *of("t", "with-skill", 0.9, 0.5),
        *of("t", "with-skill", None, 0.4, "obfuscated"),
    )
    assert cell(drawn["heat-map"], "t", "with-skill") == "0.700"
    assert cell(drawn["heat-map"], "t", "with-skill@obfuscated") is None
    figure = drawn["heat-map-schemas"]
    assert cell(figure, "t", "with-skill") == "0.500"
    assert cell(figure, "t", "with-skill@obfuscated") == "0.400"
    assert "of small alone" in figure.caption


def test_a_condition_of_fewer_systems_stands_apart_beside_the_barest() -> None:
    """Three conditions of both systems, one of the large one alone: beside that its own result without help."""
    drawn = maps(
        *of("t", "no-skill", 0.2, 0.4),
        *of("t", "operational-spec", 0.4, 0.4),
        *of("t", "with-skill", 0.6, 0.8),
        *of("t", "with-checks", 0.3, None),
    )
    assert cell(drawn["heat-map"], "t", "with-checks") is None
    assert cell(drawn["heat-map"], "t", "no-skill") == "0.300"
    second = drawn["heat-map-b"]
    assert [cell(second, "t", name) for name in ("no-skill", "with-checks")] == ["0.200", "0.300"]
    assert cell(second, "t", "with-skill") is None


def test_a_system_that_may_not_be_published_stands_in_its_own_map() -> None:
    """All systems are those not set aside; who stands aside is named, and drawn by itself with its mark."""
    aside = [build_run("t", "no-skill", system=SMALL, reward=0.1, publishable=False)]
    aside += [
        build_run("t", "no-skill", schema="obfuscated", system=SMALL, reward=0.1, publishable=False)
    ]
    drawn = maps(*of("t", "no-skill", 0.9, None), *aside)
    assert cell(drawn["heat-map"], "t", "no-skill") == "0.900"
    assert "(small) stand in their own map" in drawn["heat-map"].caption
    assert "heat-map-schemas" not in drawn
    assert cell(drawn["heat-map-systems"], "t", "no-skill † · small") == "0.100"


@pytest.mark.parametrize(
    ("systems", "names"),
    [
        (1, ["heat-map"]),
        (2, ["heat-map", "heat-map-systems"]),
        (3, ["heat-map", "heat-map-systems-1", "heat-map-systems-2"]),
        (20, ["heat-map", *(f"heat-map-systems-{number}" for number in range(1, MOST_MAPS + 1))]),
    ],
)
def test_maps_by_system_are_shared_out_and_not_dropped(systems: int, names: list[str]) -> None:
    """Six conditions a system: two systems a map; of too many the last caption names what it leaves to a table."""
    runs = [
        build_run("t", f"condition-{number}", system=System("a", f"model-{place:02}", ""))
        for place in range(systems)
        for number in range(6)
    ]
    drawn = maps(*runs)
    assert list(drawn) == names
    last = drawn[names[-1]].caption
    assert ("a · model-16" in last) is (systems > 2 * MOST_MAPS)


def test_systems_that_share_no_condition_have_a_map_each() -> None:
    """Ten systems with a condition of their own: eight maps with letters, the last names what the table has."""
    runs = [
        build_run("t", f"condition-{place}", system=System("a", f"model-{place}", ""))
        for place in range(10)
    ]
    drawn = maps(*runs)
    own = [name for name in drawn if "systems" not in name]
    assert own == ["heat-map", *(f"heat-map-{letter}" for letter in "bcdefgh")]
    assert "in the table: condition-" in drawn["heat-map-h"].caption


def test_families_are_parted_and_what_was_not_run_is_a_dash() -> None:
    """Two families of two tasks: one line; a cell that was not run is no shade."""
    runs = [
        build_run(task, condition, family=task[0])
        for task in ("a1", "a2", "b1", "b2")
        for condition in ("no-skill", "with-skill")
        if (task, condition) != ("b2", "with-skill")
    ]
    figure = maps(*runs)["heat-map"]
    assert "–" in words(figure.specification)
    lines = [row for row in records(figure.specification) if "x2" in row and row["y"] == row["y2"]]
    assert len(lines) == 1
    assert figure.table == "task-arms"
