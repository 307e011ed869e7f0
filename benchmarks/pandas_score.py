# SPDX-License-Identifier: MIT
"""The yardstick of `scoring.py`: the same rules in plain pandas, as an analyst would write them.

Usage: python benchmarks/pandas_score.py OUTPUT.csv REFERENCE.csv

Prints JSON with the reward and the counts. Both files are read with declared types and parsed times,
joined by one merge, and compared column by column.
"""

import json
import sys

import pandas as pd

KEY = ["stay_id", "charttime"]
COLUMNS = [
    "weight",
    "uo",
    "urineoutput_6hr",
    "urineoutput_12hr",
    "urineoutput_24hr",
    "uo_mlkghr_6hr",
    "uo_mlkghr_12hr",
    "uo_mlkghr_24hr",
    "uo_tm_6hr",
    "uo_tm_12hr",
    "uo_tm_24hr",
]
ORDERED = COLUMNS[2:8]
TOLERANCE = 0.01


def read(path: str) -> pd.DataFrame:
    """Read one file with declared types; only the empty field is null."""
    return pd.read_csv(
        path,
        dtype={"stay_id": "int64"} | dict.fromkeys(COLUMNS, "float64"),
        parse_dates=["charttime"],
        keep_default_na=False,
        na_values=[""],
    )


def main(output: str, reference: str) -> None:
    """Score one file against another."""
    told, truth = read(output), read(reference)
    again = told.duplicated(KEY)
    duplicates = int(again.sum())
    if duplicates:
        told = told[~again]
    merged = truth.merge(told, on=KEY, how="left", suffixes=("", "_told"), indicator=True)
    supplied = merged["_merge"] == "both"
    matched_keys = int(supplied.sum())
    extra = len(told) - matched_keys
    total = len(truth) + extra + duplicates
    rates, distances = [], []
    for name in COLUMNS:
        expected, answer = merged[name], merged[f"{name}_told"]
        near = (answer - expected).abs() <= TOLERANCE
        both_empty = expected.isna() & answer.isna() & supplied
        rates.append(round(int((near | both_empty).sum()) / total, 8))
        if name in ORDERED:
            scale = expected.max() - expected.min() or 1.0
            apart = ((answer - expected).abs() / scale).clip(upper=1.0)
            apart = apart.mask(expected.isna() & answer.isna(), 0.0).fillna(1.0)
            distances.append(float(apart[supplied].mean()))
    reward = round(sum(rates) / len(rates), 8)
    told_counts = {"matched": matched_keys, "extra": extra, "total": total}
    nmae = round(sum(distances) / len(distances), 8)
    print(json.dumps({"reward": reward, "ordered_nmae": nmae, **told_counts}))


if __name__ == "__main__":
    main(*sys.argv[1:])
