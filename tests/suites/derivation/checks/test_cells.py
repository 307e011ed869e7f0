# SPDX-License-Identifier: MIT
"""What the program says of cells, and of the columns of one row together."""

from pathlib import Path

import pytest

from tests.suites.derivation.checks.conftest import Tried
from tests.suites.derivation.checks.test_form import GOOD
from tests.suites.derivation.checks.trial import Verdict, lines, program, run


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("34,4,4", "34,9,9", "`respiration` is outside 0 to 4 in 1 row"),
        ("34,4,4", "34,4,-1", "`respiration` is outside 0 to 4 in 1 row"),
        ("34,4,4", "34,4,", "`respiration` is empty in 1 row"),
        ("34,4,4", "34,4,NULL", "`respiration` holds what is no whole number in 1 row"),
        ("34,4,4", "34,4,1_0", "`respiration` holds what is no whole number in 1 row"),
        ("34,4,4", "34,nan,4", "`sofa` is infinite or not a number in 1 row"),
        ("34,4,4", "34,4,3.5", "`respiration` is not a whole number in 1 row"),
        ("34,4,4", "34,5,4", "not so: `sofa` is the sum of its components; in 1 row"),
        ("12,22,34", ",22,34", "`subject_id` is empty in 1 row"),
        ("12,22,34", "12,22,", "`stay_id` is empty in 1 row"),
        ("12,22,34", "12,22,true", "`stay_id` holds what is no whole number in 1 row"),
        ("12,22,34", "12,22,34.5", "`stay_id` holds what is no whole number in 1 row"),
    ],
)
def test_a_cell_that_is_not_as_the_card_says_is_a_problem(
    tried: Tried, old: str, new: str, said: str
) -> None:
    """The column, the line and what stands there are told, with what to do."""
    assert sum(old in row for row in GOOD) == 1
    found = tried(lines(row.replace(old, new) for row in GOOD))
    check = found.check(said)
    assert (check["state"], check["count"], check["places"]) == ("problem", 1, [6])
    assert check["remedy"]
    assert found.code == 1


def test_of_many_faulty_rows_the_first_three_are_told(tried: Tried) -> None:
    """The count is of all, the places and values are of three."""
    rows = [GOOD[0], *(",".join([*row.split(",")[:-1], "7"]) for row in GOOD[1:])]
    check = tried(lines(rows)).check("`renal` is outside 0 to 4 in 6 rows")
    assert (check["count"], check["places"], check["values"]) == (6, [2, 3, 4], ["7", "7", "7"])


def checked(
    folder: Path, capsys: pytest.CaptureFixture[str], task: str, rows: list[str]
) -> Verdict:
    """Check an answer to a task without a database; what needs one is left out."""
    (folder / "output.csv").write_bytes(lines(rows))
    found = run(program(folder, task), capsys, folder / "output.csv")
    assert all("there is no database.duckdb" in said for said in found.of("left out"))
    assert found.told["verdict"] != "verdict: ready to hand in"
    return found


VENTILATION = "stay_id,ventilation_seq,starttime,endtime,ventilation_status"
EPISODES = [
    "1,1,2150-01-01 00:00:00,2150-01-01 04:00:00,InvasiveVent",
    "1,2,2150-01-01 04:00:00,2150-01-01 06:00:00,None",
    "2,1,2150-01-01 00:00:00,2150-01-01 01:00:00,HFNC",
]


@pytest.mark.parametrize(
    ("place", "row", "said"),
    [
        (1, "1,3,2150-01-01 04:00:00,2150-01-01 06:00:00,None", ["`ventilation_seq` numbers"]),
        (1, "1,2,2150-01-01 03:59:59,2150-01-01 06:00:00,None", ["do not overlap"]),
        (1, "1,2,2150-01-01 06:00:00,2150-01-01 06:00:00,None", ["`starttime` is before"]),
        (1, "1,2,2150-01-01 04:00:00,2150-01-01 06:00:00,none", ["is none of Tracheostomy"]),
        (1, "1,2,01/01/2150 04:00,2150-01-01 06:00:00,None", ["holds what is no time", "numbers"]),
        (1, "1,2,2150-01-01 04:00:00+01:00,2150-01-01 06:00:00,None", ["no time", "numbers"]),
        (0, "1,0,2150-01-01 00:00:00,2150-01-01 04:00:00,HFNC", ["outside 1 or more", "numbers"]),
        (2, "2,2,2150-01-01 00:00:00,2150-01-01 01:00:00,HFNC", ["`ventilation_seq` numbers"]),
    ],
)
def test_episodes_are_numbered_and_do_not_overlap(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: int, row: str, said: list[str]
) -> None:
    """Number, order, times and status of an episode are each held to the card."""
    rows = [VENTILATION, *EPISODES]
    assert not checked(tmp_path, capsys, "mimic-ventilation", rows).problems
    rows[1 + place] = row
    found = checked(tmp_path, capsys, "mimic-ventilation", rows)
    assert len(found.problems) == len(said)
    for words, problem in zip(said, found.problems, strict=True):
        assert words in problem


def test_a_time_written_another_way_deserves_a_look_and_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An ISO 8601 spelling is no problem, and order and overlap are still told from it."""
    rows = [VENTILATION, *(row.replace("2150-01-01 04", "2150-01-01T04") for row in EPISODES)]
    found = checked(tmp_path, capsys, "mimic-ventilation", rows)
    assert found.problems == []
    assert ["will still be read" in one["remedy"] for one in found.told["checks"]].count(True) == 2


def test_a_rule_no_row_could_try_is_not_tested(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One episode a stay has no overlap to look for: that is neither kept nor a fault, and the verdict tells it."""
    rows = [VENTILATION, EPISODES[0], EPISODES[2]]
    found = checked(tmp_path, capsys, "mimic-ventilation", rows)
    overlap = "no row follows another of its `stay_id`: "
    assert [said for said in found.of("not tested") if said.startswith(overlap)]
    assert found.problems == []
    assert found.code == 0
    told = len(found.of("not tested"))
    assert found.told["verdict"].endswith(f"; {told} rule{'s' * (told > 1)} not tested")
    tried = checked(tmp_path, capsys, "mimic-ventilation", [VENTILATION, *EPISODES])
    assert not [said for said in tried.of("not tested") if said.startswith(overlap)]


@pytest.mark.parametrize(
    ("row", "untested", "problems"),
    [
        ("1,M,60,0.9,0,1.1,0.9", 2, 0),
        ("1,M,60,0.9,1,1.1,0.9", 1, 0),
        ("1,M,60,,0,1.1,1.1", 2, 0),
        ("1,M,60,0.9,1,1.1,1.1", 1, 1),
        ("1,M,60,,0,1.1,0.9", 3, 1),
    ],
)
def test_a_rule_about_some_rows_is_tried_by_these_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: str, untested: int, problems: int
) -> None:
    """What holds where kidney disease is coded, or where nothing was measured, is not said of rows without it."""
    header = "hadm_id,gender,age,scr_min,ckd,mdrd_est,scr_baseline"
    found = checked(tmp_path, capsys, "mimic-creatinine-baseline", [header, row])
    applies = [said for said in found.of("not tested") if said.startswith("no row it applies to: ")]
    assert len(applies) == untested, found.told
    assert len([said for said in found.problems if said.startswith("not so: ")]) == problems


URINE = (
    "stay_id,charttime,weight,uo,urineoutput_6hr,urineoutput_12hr,urineoutput_24hr,"
    "uo_mlkghr_6hr,uo_mlkghr_12hr,uo_mlkghr_24hr,uo_tm_6hr,uo_tm_12hr,uo_tm_24hr"
)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("1,2150-01-01 07:00:00,70,60,210,210,210,0.462,,,6.5,6.5,6.5", []),
        ("1,2150-01-01 07:00:00,,60,210,210,210,,,,6.5,6.5,6.5", []),
        ("1,2150-01-01 07:00:00,70,-60,-60,-60,-60,-0.1,,,6.5,6.5,6.5", []),
        ("1,2150-01-01 07:00:00,70,60,210,210,210,0.462,,,5.5,6.5,6.5", ["fewer than 6 hours"]),
        ("1,2150-01-01 07:00:00,,60,210,210,210,0.462,,,6.5,6.5,6.5", ["`weight` is null"]),
        ("1,2150-01-01 07:00:00,70,60,210,210,210,,0.4,,6.5,6.5,6.5", ["fewer than 12 hours"]),
        ("1,2150-01-01 07:00:00,70,60,210,210,210,,,,6.5,6.5,", ["`uo_tm_24hr` is empty"]),
    ],
)
def test_rates_are_null_where_the_card_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: str, said: list[str]
) -> None:
    """Volumes below 0 are no problem; a rate behind too few hours or without a weight is."""
    other = "1,2150-01-01 08:00:00,70,60,210,210,210,0.4,0.4,0.4,6.5,12.5,24.5"
    found = checked(tmp_path, capsys, "mimic-urine-output-rate", [URINE, row, other])
    assert len(found.problems) == len(said)
    assert all(words in problem for words, problem in zip(said, found.problems, strict=True))


SUSPICION = (
    "subject_id,stay_id,hadm_id,ab_id,antibiotic,antibiotic_time,suspected_infection,"
    "suspected_infection_time,culture_time,specimen,positive_culture"
)
ORDER = "1,,10,1,Cefazolin,2150-01-02 08:00:00,1,2150-01-01 08:00:00,2150-01-01 08:00:00,SPUTUM,0"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (",1,2150-01-01 08", ",0,2150-01-01 08", "null where `suspected_infection` is 0"),
        (",1,2150-01-01 08", ",1,2150-01-02 08", "is the earlier of"),
        (",1,2150-01-01 08", ",2,2150-01-01 08", "`suspected_infection` is none of 0, 1"),
        ("SPUTUM,0", "SPUTUM,", "`positive_culture` is null where no culture"),
        ("2150-01-01 08:00:00,SPUTUM,0", ",SPUTUM,", "there is a `culture_time`"),
        (",1,Cef", ",2,Cef", "`ab_id` numbers the prescriptions"),
        ("Cefazolin", "", "`antibiotic` is empty"),
    ],
)
def test_the_columns_of_a_suspicion_belong_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    """Times, culture and suspicion of one prescription do not contradict each other."""
    assert not checked(tmp_path, capsys, "mimic-suspicion-infection", [SUSPICION, ORDER]).problems
    rows = [SUSPICION, ORDER.replace(old, new, 1)]
    problems = checked(tmp_path, capsys, "mimic-suspicion-infection", rows).problems
    assert any(said in problem for problem in problems)


def test_a_column_that_may_be_null_deserves_a_look_when_it_is_null_throughout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A forgotten column is told, and is no problem: nulls are allowed there."""
    found = checked(tmp_path, capsys, "mimic-suspicion-infection", [SUSPICION, ORDER])
    assert found.check("`stay_id` is empty")["state"] == "look"


BASELINE = "hadm_id,gender,age,scr_min,ckd,mdrd_est,scr_baseline"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("10,M,60.0,1.1,0,1.069,1.1", []),
        ("10,M,60.0,1.2,0,1.069,1.069", []),
        ("10,M,60.0,,0,1.069,1.069", []),
        ("10,M,60.0,,1,1.069,", []),
        ("10,M,60.0,2.5,1,1.069,1.069", ["where `ckd` is 1"]),
        ("10,M,60.0,,0,1.069,", ["`scr_baseline` is `mdrd_est` where"]),
        ("10,M,60.0,,1,1.069,1.069", ["where `ckd` is 1"]),
        ("10,M,60.0,2.0,0,1.069,1.5", ["is `scr_min` or `mdrd_est`"]),
        ("10,M,60.0,2.0,0,1.069,", ["is known where `scr_min` is"]),
        ("10,M,17.9,1.1,0,1.069,1.1", ["`age` is 18 or more"]),
        ("10,m,60.0,1.1,0,1.069,1.1", ["`gender` is none of M, F"]),
    ],
)
def test_a_baseline_is_one_of_its_two_sources(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: str, said: list[str]
) -> None:
    """The rules for the baseline are those of the card's table and of its section on missing data."""
    other = "11,F,60.0,0.8,0,0.825,0.8"
    found = checked(tmp_path, capsys, "mimic-creatinine-baseline", [BASELINE, row, other])
    assert len(found.problems) == len(said)
    assert all(words in problem for words, problem in zip(said, found.problems, strict=True))
