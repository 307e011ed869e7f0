# SPDX-License-Identifier: MIT
"""Whether imported rows are those of an invented hospital: by their recipe's hash, and by their identifiers.

A recipe can be forged, so no row counts as invented whose identifiers a real release could hold: those of the
generator lie far outside. Knows nothing of how rows are made.
"""

from collections.abc import Mapping
from pathlib import Path

import duckdb
import pyarrow.parquet as pq

from m4bench.data.engine import interrupts_told
from m4bench.data.importer import import_dataset
from m4bench.data.manifest import DatasetManifest
from m4bench.data.progress import WorkProgress
from m4bench.data.store import StoredDataset
from m4bench.data.synthetic.cohort import ADMISSIONS_FROM, STAYS_FROM, SUBJECTS_FROM
from m4bench.data.synthetic.content import content_hash
from m4bench.data.synthetic.eicu.patient import PERSON_PREFIX
from m4bench.data.synthetic.eicu.stays import HOSPITAL_STAYS_FROM
from m4bench.data.synthetic.eicu.stays import STAYS_FROM as UNIT_STAYS_FROM
from m4bench.data.synthetic.recipe import MOST_STAYS
from m4bench.data.synthetic.recipe_file import RECIPE_FILE, read_recipe, real_names
from m4bench.model.errors import InputError

WIDTH = 20 * MOST_STAYS
"""Numbers from the first on that a hospital may use; the generator leaves gaps, the widest twelvefold."""
NUMBERS_FROM = {
    "subject_id": SUBJECTS_FROM,
    "hadm_id": ADMISSIONS_FROM,
    "stay_id": STAYS_FROM,
    "patientunitstayid": UNIT_STAYS_FROM,
    "patienthealthsystemstayid": HOSPITAL_STAYS_FROM,
}
_PERSON = "uniquepid"


def import_invented(
    dataset: StoredDataset,
    source: Path,
    *,
    allow_modified: bool = False,
    progress: WorkProgress | None = None,
    memory_limit: str | None = None,
) -> DatasetManifest:
    """Import the files of an invented hospital, once they are proven to be that.

    Args:
        dataset: `synthetic` or `synthetic-eicu` in a store.
        source: the folder that `data synth --to` wrote, with its recipe.
        allow_modified, progress, memory_limit: as for `import_dataset`.

    Raises:
        InputError: as for `import_dataset`; or there is no recipe, the rows are not those of the recipe,
            or an identifier is not one of an invented hospital. Nothing is stored then.
    """
    invention = read_recipe(source, dataset.name) if source.is_dir() else None

    def prove(folder: Path, files: Mapping[str, Path]) -> None:
        assert invention is not None
        require_own_identifiers(folder, files, dataset.name)
        if content_hash(folder) != invention.content:
            raise InputError(
                "the rows are not those of this recipe",
                file=source / RECIPE_FILE,
                remedy=f"make the hospital again with: m4bench data synth --to DIR; real data are "
                f"imported as {real_names(dataset.name)}",
            )

    return import_dataset(
        dataset,
        source,
        allow_modified=allow_modified,
        progress=progress,
        memory_limit=memory_limit,
        invented=invention,
        proof=prove,
    )


def require_own_identifiers(folder: Path, files: Mapping[str, Path], dataset: str) -> None:
    """Refuse rows whose identifiers the generator does not give.

    Args:
        folder: imported tables, `<schema>/<table>.parquet`.
        files: the file each table `schema.table` was read from, to be named.
        dataset: the dataset's name, for the remedy.

    Raises:
        InputError: with the file and the column.
    """
    with interrupts_told(), duckdb.connect() as connection:
        for table, file in sorted(files.items()):
            schema, name = table.split(".")
            place = folder / schema / f"{name}.parquet"
            for column in pq.read_schema(place).names:
                foreign = _foreign(column)
                if foreign is None:
                    continue
                found = connection.execute(
                    f"SELECT count(*) FROM read_parquet('{str(place).replace(chr(39), chr(39) * 2)}') "
                    f"WHERE {column} IS NOT NULL AND ({foreign})"
                ).fetchall()[0][0]
                if found:
                    raise InputError(
                        "holds identifiers that no invented hospital has, so the rows may be real",
                        file=file,
                        column=column,
                        remedy=f"import them as {real_names(dataset)}",
                    )


def _foreign(column: str) -> str | None:
    """Return the condition under which a value that is not null is foreign, None for no identifier."""
    if column == _PERSON:
        return f"NOT starts_with({column}::VARCHAR, '{PERSON_PREFIX}')"
    if column not in NUMBERS_FROM:
        return None
    first = NUMBERS_FROM[column]
    within = f"TRY_CAST({column} AS BIGINT) BETWEEN {first} AND {first + WIDTH}"
    return f"({within}) IS NOT TRUE"
