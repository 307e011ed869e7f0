# SPDX-License-Identifier: MIT
"""Small source folders that the import tests share: a valid one, to be spoilt by each test."""

import gzip
from pathlib import Path

from m4bench.data.store import Store, StoredDataset

DIAGNOSES = (
    "subject_id,hadm_id,seq_num,icd_code,icd_version\n"
    '10,100,1,0389,9\n10,100,2,"042 ",9\n11,101,1,I10,10\n'
)
LABITEMS = "itemid,label,fluid,category\n50912,Creatinine,Blood,Chemistry\n"
SERVICES = (
    "subject_id,hadm_id,transfertime,prev_service,curr_service\n"
    "10,100,2180-05-06 22:23:00,,MED\n10,100,2180-05-07,MED,SURG\n"
)


def write(folder: Path, name: str, content: str | bytes) -> Path:
    """Write a file below a folder, packed when its name says so."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data, mtime=0) if name.lower().endswith(".gz") else data)
    return path


def small_hospital(folder: Path) -> Path:
    """Write three valid tables of a hospital shaped like MIMIC-IV."""
    write(folder, "hosp/diagnoses_icd.csv", DIAGNOSES)
    write(folder, "hosp/d_labitems.csv.gz", LABITEMS)
    write(folder, "hosp/services.csv", SERVICES)
    return folder


def dataset_in(folder: Path, name: str = "synthetic") -> StoredDataset:
    """Return the place of a dataset in a store below a folder."""
    return Store(folder / "store").dataset(name)
