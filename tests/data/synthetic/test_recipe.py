# SPDX-License-Identifier: MIT
"""A recipe is told so that it makes the same hospital, and is refused where none can be made of it."""

import shlex
from pathlib import Path

import pytest

from m4bench.data.synthetic.creation import write_hospital
from m4bench.data.synthetic.recipe import Recipe
from m4bench.model.errors import InputError


@pytest.mark.parametrize("density", [1.0, 0.5, 0.1, 0.123456789, 1 / 3, 0.9999999, 1])
def test_the_command_makes_the_same_hospital(density: float) -> None:
    """What is read from the command has the commitment of the recipe."""
    recipe = Recipe("eicu", 12, 7, density)
    words = shlex.split(recipe.command())
    told = {
        name: words[words.index(f"--{name}") + 1] for name in ("site", "stays", "seed", "density")
    }
    again = Recipe(told["site"], int(told["stays"]), int(told["seed"]), float(told["density"]))
    assert again.commitment() == recipe.commitment()


@pytest.mark.parametrize(
    "density", [1e-320, 5e-324, 0.00099, 0.0, -0.1, 1.0000001, float("nan"), float("inf")]
)
def test_a_density_out_of_range_is_refused_before_anything_is_written(
    tmp_path: Path, density: float
) -> None:
    """Also where it is a number above zero that no interval can be divided by."""
    with pytest.raises(InputError, match=r"0\.001 to 1"):
        write_hospital(tmp_path / "files", stays=1, density=density)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("site", ["mimic", "eicu"])
def test_a_hospital_of_the_least_density_can_be_made(tmp_path: Path, site: str) -> None:
    """The floor itself is no error."""
    made = write_hospital(tmp_path / "files", stays=3, density=0.001, site=site)
    assert made.density == 0.001


def test_a_folder_whose_name_is_no_text_is_refused(tmp_path: Path) -> None:
    """A name that is not UTF-8 ends in one line, and nothing is written."""
    with pytest.raises(InputError, match=r"b\\udcffd: is not UTF-8 text") as told:
        write_hospital(tmp_path / "b\udcffd", stays=1, density=0.1)
    str(told.value).encode()
    assert list(tmp_path.iterdir()) == []
