# SPDX-License-Identifier: MIT
"""Laboratory results reach both ends of what is possible among 2,000 thinly drawn stays, and add up."""

import re
from pathlib import Path

import duckdb
import pytest

from tests.data.synthetic.mimic.hospital_blocks import hosp_blocks, opened

BLOCKS, STAYS, DENSITY = 14, 250, 0.2


@pytest.fixture(scope="module")
def engine() -> duckdb.DuckDBPyConnection:
    """An engine with 3,500 stays at a fifth of the density."""
    return opened(hosp_blocks(STAYS, blocks=BLOCKS, density=DENSITY))


@pytest.mark.parametrize(
    ("itemid", "below", "above"),
    [
        # an item, and how low and how high somebody's result is
        (50983, 112, 165), (50971, 2.5, 7.5), (50912, 0.3, 10), (51006, 5, 150), (50882, 8, 42),
        (50931, 35, 600), (51301, 0.8, 45), (51221, 16, 54), (51265, 12, 700), (50885, 0.3, 25),
        (50862, 1.6, 4.8), (51237, 1.0, 8), (50868, 6, 32), (50820, 7.0, 7.6), (50818, 20, 90),
        (50821, 40, 300), (50813, 0.8, 14), (50808, 0.95, 1.25), (50861, 6, 3000), (51003, 0.02, 2),
    ],
)  # fmt: skip
def test_results_reach_both_ends(
    engine: duckdb.DuckDBPyConnection, itemid: int, below: float, above: float
) -> None:
    """Some patients are below the one and above the other, but few: four in five results lie between."""
    low, high, share = engine.execute(
        f"SELECT count_if(valuenum < {below}), count_if(valuenum > {above}), "
        f"avg((valuenum BETWEEN {below} AND {above})::INT) FROM labevents WHERE itemid = {itemid} AND valuenum > 0"
    ).fetchall()[0]
    assert low > 0
    assert high > 0
    assert share > 0.8


@pytest.mark.parametrize(
    "concept",
    ["bg", "chemistry", "complete_blood_count", "blood_differential", "coagulation", "enzyme",
     "cardiac_marker", "inflammation", "kdigo_creatinine"],
)  # fmt: skip
def test_every_item_is_measured_even_when_thin(
    engine: duckdb.DuckDBPyConnection, shared: Path, concept: str
) -> None:
    """Each laboratory item of a specification's tables has results."""
    text = (shared / "specs" / "concepts" / f"{concept}.md").read_text(encoding="utf-8")
    section = text.split("## Items")[1].split("\n## ")[0]
    rows = "\n".join(line for line in section.splitlines() if line.startswith("|"))
    listed = {int(item) for item in re.findall(r"\b(5[0-3]\d{3})\b", rows)}
    assert listed
    found = {i for (i,) in engine.execute("SELECT DISTINCT itemid FROM labevents").fetchall()}
    assert listed - found == set()


SIDE_BY_SIDE = (
    "SELECT specimen_id, "
    + ", ".join(f"any_value(valuenum) FILTER (itemid = {item}) AS i{item}" for item in (
        50983, 50971, 50902, 50882, 50868, 51221, 51279, 51250, 51301, 52075, 51256, 50885, 50883, 50884,
    ))
    + " FROM labevents WHERE valuenum > 0 AND valuenum < 900 OR itemid = 50868 GROUP BY 1 HAVING count(*) > 3"
)  # fmt: skip


@pytest.mark.parametrize(
    ("sum_of_parts", "whole", "tolerance"),
    [
        # anion gap of the electrolytes, haematocrit of the red cells, neutrophils of the white, the bilirubins
        ("i50983 + i50971 - i50902 - i50882", "i50868", 2.5),
        ("i51279 * i51250 / 10", "i51221", 0.9),
        ("i51301 * i51256 / 100", "i52075", 0.35),
        ("i50883 + i50884", "i50885", 0.25),
    ],
)
def test_what_belongs_together_adds_up(
    engine: duckdb.DuckDBPyConnection, sum_of_parts: str, whole: str, tolerance: float
) -> None:
    """In nearly all specimens parts make the whole, to the rounding; errors and slips are the rest."""
    agree, specimens = engine.execute(
        f"SELECT count_if(abs({sum_of_parts} - {whole}) <= {tolerance} + 0.01 * abs({whole})), "
        f"count({sum_of_parts} - {whole}) FROM ({SIDE_BY_SIDE})"
    ).fetchall()[0]
    assert specimens > 25
    assert agree > 0.97 * specimens


def test_white_cells_and_their_parts_share_a_specimen(engine: duckdb.DuckDBPyConnection) -> None:
    """A differential is run from the tube of the count, so that absolute counts can be made of percentages."""
    query = (
        "SELECT count_if(counted), count(*) FROM (SELECT specimen_id, bool_or(itemid = 51301) AS counted "
        "FROM labevents WHERE itemid IN (51301, 51256) GROUP BY 1 HAVING bool_or(itemid = 51256))"
    )
    counted, all_of_them = engine.execute(query).fetchall()[0]
    assert counted > 0.9 * all_of_them


@pytest.mark.parametrize(
    "word", ["___", "<0.01", "<0.1", ">150", "ART.", "NEG", "UNABLE TO REPORT"]
)
def test_words_stand_for_numbers(engine: duckdb.DuckDBPyConnection, word: str) -> None:
    """Results that are words occur, most of them without any number beside."""
    rows, numbers = engine.execute(
        "SELECT count(*), count(valuenum) FROM labevents WHERE value = ?", [word]
    ).fetchall()[0]
    assert rows > 0
    assert numbers < rows


def test_chronic_kidney_disease_shows_in_creatinine(engine: duckdb.DuckDBPyConnection) -> None:
    """Who has the code has a higher lowest creatinine, and both sides of 1.1 mg/dL occur with and without it."""
    found = engine.execute(
        "SELECT ckd, median(least), min(least), max(least) FROM (SELECT hadm_id, min(valuenum) AS least, "
        "hadm_id IN (SELECT hadm_id FROM diagnoses_icd WHERE left(icd_code, 3) IN ('585', 'N18')) AS ckd "
        "FROM labevents WHERE itemid = 50912 AND valuenum > 0 AND hadm_id IS NOT NULL GROUP BY 1) GROUP BY 1 ORDER BY 1"
    ).fetchall()
    (_, without, _, _), (_, with_code, _, _) = found
    assert with_code > 1.4 * without
    for _, _, least, most in found:
        assert least <= 1.1 < most


@pytest.mark.parametrize(
    ("codes", "itemid", "operator", "limit"),
    [
        (("2760", "E870"), 50983, ">", 148), (("2761", "E871"), 50983, "<", 133),
        (("28800", "28803", "D709", "D701"), 51301, "<", 2.5), (("2767", "E875"), 50971, ">", 5.4),
        (("25012", "25013", "E1010", "E1310"), 50931, ">", 250), (("2890", "D751"), 51221, ">", 41),
    ],
)  # fmt: skip
def test_a_disturbance_is_billed_and_measured(
    engine: duckdb.DuckDBPyConnection,
    codes: tuple[str, ...],
    itemid: int,
    operator: str,
    limit: float,
) -> None:
    """Who is billed for a disturbance has a result beyond the limit at least twice as often as others."""
    extreme = "min" if operator == "<" else "max"
    billed, others = (
        engine.execute(
            f"SELECT avg((worst {operator} {limit})::INT) FROM (SELECT hadm_id, {extreme}(valuenum) AS worst "
            f"FROM labevents SEMI JOIN icustays USING (hadm_id) WHERE itemid = {itemid} AND valuenum > 0 AND "
            f"valuenum < 1200 GROUP BY 1) {join} (SELECT hadm_id FROM diagnoses_icd WHERE rtrim(icd_code) IN {codes}) "
            "USING (hadm_id)"
        ).fetchall()[0][0]
        for join in ("SEMI JOIN", "ANTI JOIN")
    )
    assert billed > 2 * others
