# SPDX-License-Identifier: MIT
"""What a hospital is made from, how that is told without telling the seed, and how it is made again.

Knows no row and no place on disk.
"""

import json
import secrets
from dataclasses import dataclass, field

import numpy as np

from m4bench.data.manifest import Invention
from m4bench.data.synthetic.secrecy import leave_no_core
from m4bench.model.errors import InputError
from m4bench.model.hashing import sha256_text

GENERATOR = 3
"""Version of the generator: raised whenever the same recipe comes to give other rows."""
STAYS = 300
SEED = 20260101
LEAST_DENSITY = 0.001
"""Less leaves no event in most stays, and intervals between events that no clock can tell."""
MOST_STAYS = 200_000
"""More stays would number their results beyond the INTEGER of the release, or near planted keys."""
PRIVATE_SEED_BITS = 192
DATASETS = {"mimic": "synthetic", "eicu": "synthetic-eicu"}
"""The dataset that a hospital of each site becomes."""


@dataclass(frozen=True)
class Recipe:
    """All that the rows of a hospital depend on, but for the versions of this generator and of NumPy.

    Attributes:
        site: `mimic` or `eicu`.
        stays: number of ICU stays, 1 to MOST_STAYS.
        seed: seed of the generator, 0 or more, of any size.
        density: share of the rows of events to draw, LEAST_DENSITY to 1.
    """

    site: str = "mimic"
    stays: int = STAYS
    seed: int = field(default=SEED, repr=False)
    density: float = 1.0

    def check(self) -> None:
        """Check that a hospital can be made of it.

        Raises:
            InputError: a part is out of its range.
        """
        if self.site not in DATASETS:
            raise InputError(
                f"no site is called {self.site}", remedy=f"choose: {', '.join(DATASETS)}"
            )
        if self.stays < 1:
            raise InputError("a hospital needs at least one stay", remedy="give --stays 1 or more")
        if self.stays > MOST_STAYS:
            raise InputError(
                f"identifiers suffice for {MOST_STAYS:,} stays",
                remedy="make several hospitals instead",
            )
        if self.seed < 0:
            raise InputError("a seed cannot be negative", remedy="give --seed 0 or more")
        if not LEAST_DENSITY <= self.density <= 1:
            raise InputError(
                f"a density is a share of the rows, {LEAST_DENSITY} to 1",
                remedy="give --density 1 for all, 0.1 for about a tenth of the events",
            )

    @property
    def dataset(self) -> str:
        """Return the name of the dataset it becomes."""
        return DATASETS[self.site]

    def commitment(self, generator: int = GENERATOR) -> str:
        """Return the hex sha256 that binds whoever publishes it to the recipe, and tells no long seed.

        It is taken over the text `{"density":…,"generator":…,"seed":"…","site":"…","stays":…}`, the
        density with a decimal point and the seed in decimal digits.
        """
        bound = {
            "density": float(self.density),
            "generator": generator,
            "seed": str(self.seed),
            "site": self.site,
            "stays": self.stays,
        }
        return sha256_text(json.dumps(bound, sort_keys=True, separators=(",", ":")))

    def invention(self, content: str, *, sealed: bool) -> Invention:
        """Return what the manifest of the dataset says of the recipe.

        Args:
            content: the content hash of the rows.
            sealed: leave the seed out.
        """
        return Invention(
            site=self.site,
            stays=self.stays,
            density=self.density,
            seed=None if sealed else self.seed,
            sealed=sealed,
            commitment=self.commitment(),
            generator=GENERATOR,
            numpy=np.__version__,
            content=content,
        )

    def command(self) -> str:
        """Return the command that makes the hospital again, as files; it tells the seed.

        The density is told to its last digit, or the command would make another hospital.
        """
        return (
            f"m4bench data synth --site {self.site} --stays {self.stays} --seed {self.seed} "
            f"--density {float(self.density)!r} --to hospital"
        )


def private_seed() -> int:
    """Return a seed nobody can guess, from the system's source of randomness; no core of this process tells it."""
    leave_no_core()
    return secrets.randbits(PRIVATE_SEED_BITS)
