# SPDX-License-Identifier: MIT
"""Every fault people have reported of derivations and of loading is held by a test, or says why it cannot be."""

import ast
import re
from pathlib import Path

import pytest
import yaml

TESTS = Path(__file__).parents[2]
EXAMPLES = Path(__file__).parent / "examples"
# Faults that a worked example cannot hold, with the tests that do.
ELSEWHERE = {
    15: "suites/derivation/test_conformance.py::test_equals_the_invented_patients",
    66: "suites/derivation/library/test_unfit_tables.py",
    111: "suites/derivation/library/engines/test_postgres.py",
    115: "suites/derivation/test_conformance.py::test_nothing_in_the_library_is_left_out",
    116: "data/test_import_refusals.py::test_a_spoilt_file_is_refused_at_its_place_and_without_its_values",
    117: "data/test_importer.py::test_columns_are_read_by_name_in_any_order_and_case",
    119: "data/test_discovery.py::test_tables_are_found_by_name_in_any_place_and_case",
    120: "data/test_conversion.py::test_text_that_does_not_fit_stops_the_import",
    122: "data/test_importer.py::test_known_row_counts_decide",
    124: "data/test_discovery.py::test_camel_case_names_of_eicu_are_found",
    125: "data/test_importer.py::test_columns_without_any_value_are_noted",
}
# Faults of what this project does not derive, or that state no value.
NOT_OURS = {
    12: "no SOFA is derived on eICU",
    29: "no vasopressor is derived on eICU",
    48: "two engines' counts of stages, cause unresolved; engines here are compared row for row",
    52: "an arm of MIMIC-III's SAPS II",
    62: "a mutation that changes no row",
    64: "no gradient is derived on eICU",
    106: "the window of a cohort tool's prediction time",
}


def reported(shared: Path) -> list[int]:
    """Return the numbers of the reported faults of derivation and loading, which come before those of scoring."""
    text = (shared / "cases" / "public-faults.md").read_text()
    return [int(n) for n in re.findall(r"^\*\*(\d+)\. ", text.split("## Group 3")[0], re.MULTILINE)]


def shown() -> set[int]:
    """Return the numbers of the faults that examples name in their titles."""
    titles = [
        example["title"]
        for path in EXAMPLES.glob("*.yaml")
        for example in yaml.safe_load(path.read_text())
    ]
    named = [re.search(r"reported faults? ((?:\d+(?:, | and )?)+)", title) for title in titles]
    return {int(n) for found in named if found for n in re.findall(r"\d+", found[1])}


def test_every_reported_fault_is_held_by_a_test(shared: Path) -> None:
    """None of the list is left without an example, another test or a reason."""
    numbers = reported(shared)
    assert len(numbers) > 80
    assert sorted(set(numbers) - shown() - set(ELSEWHERE) - set(NOT_OURS)) == []


@pytest.mark.parametrize("place", sorted(set(ELSEWHERE.values())))
def test_the_tests_named_are_there(place: str) -> None:
    """A test that is said to hold a fault exists."""
    file, _, name = place.partition("::")
    tree = ast.parse((TESTS / file).read_text())
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert name in functions if name else functions
