# SPDX-License-Identifier: MIT
"""The tables of MIMIC-IV that the synthetic hospital writes, as columns and types. Knows no row's meaning."""

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

Columns: TypeAlias = Mapping[str, NDArray[Any] | pa.Array]

NO_TIME = int(np.iinfo(np.int64).min)
"""Stands for a missing time in an array of seconds."""
NO_ID = -1
"""Stands for a missing identifier or count; no integer of these tables is negative."""

_SHORT = {
    "i": pa.int32(),
    "h": pa.int16(),
    "d": pa.float64(),
    "f": pa.float32(),
    "s": pa.string(),
    "t": pa.timestamp("us"),
    "D": pa.date32(),
}
"""INTEGER, SMALLINT, DOUBLE, REAL, VARCHAR, TIMESTAMP and DATE of the release."""

_TABLES = {
    "hosp.patients": "subject_id:i gender:s anchor_age:i anchor_year:i anchor_year_group:s dod:D",
    "hosp.admissions": (
        "subject_id:i hadm_id:i admittime:t dischtime:t deathtime:t admission_type:s "
        "admit_provider_id:s admission_location:s discharge_location:s insurance:s language:s "
        "marital_status:s race:s edregtime:t edouttime:t hospital_expire_flag:h"
    ),
    "hosp.transfers": (
        "subject_id:i hadm_id:i transfer_id:i eventtype:s careunit:s intime:t outtime:t"
    ),
    "hosp.services": "subject_id:i hadm_id:i transfertime:t prev_service:s curr_service:s",
    "hosp.diagnoses_icd": "subject_id:i hadm_id:i seq_num:i icd_code:s icd_version:h",
    "hosp.d_icd_diagnoses": "icd_code:s icd_version:h long_title:s",
    "hosp.d_labitems": "itemid:i label:s fluid:s category:s",
    "hosp.labevents": (
        "labevent_id:i subject_id:i hadm_id:i specimen_id:i itemid:i order_provider_id:s "
        "charttime:t storetime:t value:s valuenum:d valueuom:s ref_range_lower:d "
        "ref_range_upper:d flag:s priority:s comments:s"
    ),
    "hosp.microbiologyevents": (
        "microevent_id:i subject_id:i hadm_id:i micro_specimen_id:i order_provider_id:s "
        "chartdate:t charttime:t spec_itemid:i spec_type_desc:s test_seq:i storedate:t "
        "storetime:t test_itemid:i test_name:s org_itemid:i org_name:s isolate_num:h quantity:s "
        "ab_itemid:i ab_name:s dilution_text:s dilution_comparison:s dilution_value:d "
        "interpretation:s comments:s"
    ),
    "hosp.prescriptions": (
        "subject_id:i hadm_id:i pharmacy_id:i poe_id:s poe_seq:i order_provider_id:s starttime:t "
        "stoptime:t drug_type:s drug:s formulary_drug_cd:s gsn:s ndc:s prod_strength:s form_rx:s "
        "dose_val_rx:s dose_unit_rx:s form_val_disp:s form_unit_disp:s doses_per_24_hrs:f route:s"
    ),
    "icu.icustays": (
        "subject_id:i hadm_id:i stay_id:i first_careunit:s last_careunit:s intime:t outtime:t los:d"
    ),
    "icu.d_items": (
        "itemid:i label:s abbreviation:s linksto:s category:s unitname:s param_type:s "
        "lownormalvalue:d highnormalvalue:d"
    ),
    "icu.chartevents": (
        "subject_id:i hadm_id:i stay_id:i caregiver_id:i charttime:t storetime:t itemid:i value:s "
        "valuenum:d valueuom:s warning:h"
    ),
    "icu.inputevents": (
        "subject_id:i hadm_id:i stay_id:i caregiver_id:i starttime:t endtime:t storetime:t "
        "itemid:i amount:d amountuom:s rate:d rateuom:s orderid:i linkorderid:i "
        "ordercategoryname:s secondaryordercategoryname:s ordercomponenttypedescription:s "
        "ordercategorydescription:s patientweight:d totalamount:d totalamountuom:s isopenbag:h "
        "continueinnextdept:h statusdescription:s originalamount:d originalrate:d"
    ),
    "icu.outputevents": (
        "subject_id:i hadm_id:i stay_id:i caregiver_id:i charttime:t storetime:t itemid:i value:d "
        "valueuom:s"
    ),
    "icu.procedureevents": (
        "subject_id:i hadm_id:i stay_id:i caregiver_id:i starttime:t endtime:t storetime:t "
        "itemid:i value:d valueuom:s location:s locationcategory:s orderid:i linkorderid:i "
        "ordercategoryname:s ordercategorydescription:s patientweight:d isopenbag:h "
        "continueinnextdept:h statusdescription:s originalamount:d originalrate:d"
    ),
}

SCHEMAS: dict[str, pa.Schema] = {
    table: pa.schema(
        [(name, _SHORT[kind]) for name, _, kind in (c.partition(":") for c in columns.split())]
    )
    for table, columns in _TABLES.items()
}
"""Arrow schema by `module.table`, columns in the order of the release."""


def _column(values: NDArray[Any] | pa.Array, kind: pa.DataType) -> pa.Array:
    if isinstance(values, pa.Array):
        return values.cast(kind)
    if pa.types.is_timestamp(kind):
        missing = values == NO_TIME
        return pa.array(np.where(missing, 0, values) * 1_000_000, mask=missing).cast(kind)
    if pa.types.is_date(kind):
        missing = values == NO_TIME
        days = np.where(missing, 0, values) // 86_400
        return pa.array(days.astype(np.int32), mask=missing).cast(kind)
    if pa.types.is_integer(kind):
        return pa.array(values, mask=values < 0).cast(kind)
    if pa.types.is_floating(kind):
        return pa.array(values, mask=np.isnan(values)).cast(kind)
    return pa.array(values, type=kind, from_pandas=False)


def to_arrow(table: str, columns: Columns) -> pa.Table:
    """Return the rows as an Arrow table of the release's columns and types.

    Args:
        table: `module.table`, a key of SCHEMAS.
        columns: arrays of one length by column name. Times are seconds since 1970 (NO_TIME is null),
            negative integers, NaN and None are null; a column left out is null throughout.
    """
    schema = SCHEMAS[table]
    rows = len(next(iter(columns.values())))
    unknown = set(columns) - set(schema.names)
    assert not unknown, f"{table} has no columns {sorted(unknown)}"
    arrays = [
        _column(columns[field.name], field.type)
        if field.name in columns
        else pa.nulls(rows, field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


class Writers:
    """Open Parquet files, one a table, that grow block by block; holds no rows itself."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[str, pq.ParquetWriter] = {}

    def __enter__(self) -> Self:
        for table, schema in SCHEMAS.items():
            module, name = table.split(".")
            (self._folder / module).mkdir(parents=True, exist_ok=True)
            self._open[table] = pq.ParquetWriter(
                self._folder / module / f"{name}.parquet", schema, compression="zstd"
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for writer in self._open.values():
            writer.close()

    def append(self, table: str, columns: Columns) -> None:
        """Append rows to a table as one row group; nothing is written for no rows."""
        rows = to_arrow(table, columns)
        if rows.num_rows:
            self._open[table].write_table(rows)
