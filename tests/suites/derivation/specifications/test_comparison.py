# SPDX-License-Identifier: MIT
"""Facts made by hand held against toy texts: what states, what does not, what contradicts."""

import pytest

from m4bench.suites.derivation.specifications.comparison import Comparison, Result
from m4bench.suites.derivation.specifications.fact import Fact
from m4bench.suites.derivation.specifications.knowledge import Declared, Knowledge
from m4bench.suites.derivation.specifications.statements import statements
from tests.suites.derivation.specifications.mutations import Text, mutations


def fact(kind: str, value: str, *subjects: str, **fields: object) -> Fact:
    """Return a fact of a toy derivation."""
    given = {"derivation": "toy", "columns": subjects[-1:], "clause": f"{subjects[0]} … {value}"}
    return Fact(kind=kind, value=value, subjects=subjects, **(given | fields))


HEART = (
    fact("item", "220045", "heart_rate"),
    fact("cut", "0", "heart_rate", side="lower", clause="heart_rate > 0"),
    fact("cut", "40", "heart_rate_min", "hr_score", side="upper", points="11", clause="heart_rate_min < 40"),
    fact("cut", "70", "heart_rate_min", "hr_score", side="upper", points="2", clause="heart_rate_min < 70"),
    fact("cut", "160", "heart_rate_max", "hr_score", side="upper", points="7", clause="heart_rate_max >= 160"),
    fact("unit", "beats/min", "heart_rate", unit="beats/min"),
    fact("window", "6 hour", "intime", side="lower", closed=True, unit="hour"),
    fact("window", "14 hour", "previous_time", side="upper", closed=False, unit="hour"),
)  # fmt: skip
LIVER = (
    fact("item", "50885", "bilirubin_total"),
    fact("cut", "1.2", "bilirubin_total_max", side="upper", clause="bilirubin_total_max >= 1.2"),
    fact("cut", "150", "creatinine", side="lower", clause="creatinine <= 150"),
    fact("constant", "0.957", "creatinine_max"),
    fact("unit", "mg/dL", "creatinine", "bilirubin_total", unit="mg/dL"),
    fact("code", "I252", "myocardial_infarct", unit="icd10"),
    fact("code", "140-172", "malignant_cancer", unit="icd9"),
    fact("text", "Endotracheal tube", "device"),
    fact("text", "ART.", "specimen"),
)
DECLARED = (
    Declared("previous_time", None, "the moment before"),
    Declared("hr_score", None, "points, 0 to 11"),
)

HEART_TEXT = """# Toy

## Items

| what | itemid | label | unit | accepted |
|---|---|---|---|---|
| heart rate | 220045 | Heart Rate (0-300) | beats/min | above 0 |

## Windows

- Charted from 6 hours before ICU admission (`intime`), included.
- An episode goes on where the previous time is strictly less than 14 hours away.

## Scoring

| order | test | points |
|---|---|---|
| 1 | lowest heart rate below 40 | 11 |
| 2 | highest heart rate at least 160 | 7 |
| 3 | lowest heart rate below 70 | 2 |
| 4 | otherwise | 0 |

## Known limits

A heart rate of 123 is no rarity.
"""
LIVER_TEXT = """# Toy

- Bilirubin is item 50885, in mg/dL; one of 1.2 mg/dL or more counts.
- Creatinine of at most 150 mg/dL counts. The term of creatinine is 0.957 times its logarithm.
- Myocardial infarct: `I25.2`. Malignant cancer: 140-172.
- The device reads `Endotracheal tube`, the specimen is "ART.".
"""


def compared(text: str, *facts: Fact) -> Result:
    """Return a text held against facts, which are all that is known."""
    return Comparison(facts, Knowledge(facts, DECLARED)).compare(statements(text))


MATRIX = """| heart rate | 0 | 2 | 7 | 11 |
|---|---|---|---|---|
| heart rate | | 40 to below 70 | at least 160 | < 40 |"""
TOYS = [(HEART_TEXT, HEART), (LIVER_TEXT, LIVER)]


@pytest.mark.parametrize(("text", "facts"), TOYS)
def test_a_true_text_states_all_and_contradicts_nothing(text: str, facts: tuple[Fact, ...]) -> None:
    """What a careful reader accepts passes; sections that are not read may say what they like."""
    result = compared(text, *facts)
    assert result.absent == ()
    assert result.contradictions == ()


def test_a_stated_fact_has_its_line() -> None:
    """The line is that of the table row."""
    lines = dict(compared(HEART_TEXT, *HEART).stated)
    assert lines[HEART[0]] == (7,)
    assert lines[HEART[4]] == (19,)


@pytest.mark.parametrize(("text", "facts"), TOYS)
def test_any_falsified_fact_makes_the_text_fail(text: str, facts: tuple[Fact, ...]) -> None:
    """Digits, sides, ends, results, units, codes and spelling: each change of any stated fact is found."""
    whole = Text(Comparison(facts, Knowledge(facts, DECLARED)), statements(text))
    known = whole.comparison.knowledge
    deeds = [
        (mutation.deed, whole.fails_with(place, mutation.statement))
        for place, statement, stated, span in whole.occurrences()
        for mutation in mutations(statement, stated, span, known, known)
    ]
    assert len(deeds) >= len(facts)
    assert [deed for deed, fails in deeds if not fails] == []


@pytest.mark.parametrize(
    ("old", "new", "number"),
    [
        ("220045", "220046", 0),
        ("above 0", "at least 0", 1),
        ("above 0", "below 0", 1),
        ("below 40 | 11", "below 41 | 11", 2),
        ("below 40 | 11", "at most 40 | 11", 2),
        ("below 40 | 11", "at least 40 | 11", 2),
        ("below 40 | 11", "below 40 | 12", 2),
        ("at least 160 | 7", "above 160 | 7", 4),
        ("| beats/min |", "| mmHg |", 5),
        ("6 hours", "6 days", 6),
        ("6 hours", "7 hours", 6),
        (", included", ", excluded", 6),
        (", included", "", 6),
        ("strictly less than", "at most", 7),
        ("14 hours", "15 hours", 7),
    ],
)
def test_a_changed_text_no_longer_states_the_fact(old: str, new: str, number: int) -> None:
    """Each kind of change, one by one: the fact is absent."""
    assert HEART_TEXT.count(old) == 1
    assert HEART[number] in compared(HEART_TEXT.replace(old, new), *HEART).absent


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("A heart rate below 41 counts.", "41 is no number"),
        ("A heart rate above 40 counts.", "40 itself belongs with the values above"),
        ("A heart rate at most 160 counts.", "160 itself belongs with the values above"),
        ("A lowest heart rate below 40 gives 12 points.", "40 gives 11, not 12"),
        ("Charted from 7 hours before `intime`.", "7 hour is no duration"),
        ("Charted from 6 days before `intime`.", "6 day is no duration"),
        ("Charted from 6 hours before `intime`, excluded.", "is said to be excluded"),
        ("The previous time is 14 hours or less away.", "other side of the comparison"),
        ("Anything of item 229999 counts.", "229999 is no item"),
    ],
)
def test_a_false_line_beside_true_ones_contradicts(line: str, problem: str) -> None:
    """A fact stated elsewhere does not hide a line that says otherwise; the line is told."""
    text = HEART_TEXT.replace("## Known", f"{line}\n\n## Known")
    result = compared(text, *HEART)
    assert result.absent == ()
    assert {one.line for one in result.contradictions} == {23}
    assert any(problem in one.problem for one in result.contradictions)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("Creatinine in mmol/L.", "mmol/l is not the unit"),
        ("Myocardial infarct: `I31`.", "I31 is no code"),
        ("Creatinine above 0.957 counts.", "0.957 is no limit"),
        ("The device `Endotracheal tubo` or `Endotracheal tube`.", "no text of the data"),
    ],
)
def test_units_codes_and_texts_contradict_too(line: str, problem: str) -> None:
    """A unit of the same family, a code of no condition named, a factor compared with, a text one letter off."""
    result = compared(f"{LIVER_TEXT}\n{line}\n", *LIVER)
    assert result.absent == ()
    assert [problem in one.problem for one in result.contradictions] == [True]


@pytest.mark.parametrize(
    "line",
    [
        "The lowest heart rate is less than 40 beats per minute: 11 points.",
        "Eleven in all: heart rates < 40, of the 2 tests the first, score 11.",
        "Heart rate ≥ 160 gives 7 points.",
        "An admission of 2180 has heart rates too.",
        "By rule 3 of version 2, heart rates are charted with 4 decimals, for example 61.5.",
        "hr_score lies between 0 and 11.",
        MATRIX,
        "A gap of 14 hours or more from the previous time begins a new one (14 hours included).",
        "Twenty of 30 patients had a pacemaker.",
    ],
)
def test_true_paraphrases_pass(line: str) -> None:
    """Other words, signs, matrices, asides and the complement of a condition contradict nothing."""
    result = compared(f"{HEART_TEXT.split('## Known')[0]}\n{line}\n", *HEART)
    assert (result.absent, result.contradictions) == ((), ())


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Heart rates below 40 and below 70, from item 220045.", 2),
        ("Lowest heart rate below 40, elsewhere 11.", 3),
        ("Item 220045 is read.", 0),
        ("Tubes of another kind: endotracheal, and tube feeding.", 7),
    ],
)
def test_a_value_alone_states_nothing(text: str, number: int) -> None:
    """Without its result, its subject, or all of its words a fact is absent."""
    facts = HEART if number < len(HEART) and "Tubes" not in text else LIVER
    assert facts[number] in compared(text, *facts).absent


def test_what_the_library_knows_beyond_the_task_does_not_contradict() -> None:
    """A number of another derivation is known, but a side the task has is the task's."""
    other = fact("cut", "55", "heart_rate", side="lower", clause="heart_rate > 55")
    flipped = fact("cut", "40", "heart_rate", side="lower", clause="heart_rate > 40")
    wider = Knowledge((*HEART, other, flipped), DECLARED)
    comparison = Comparison(HEART, Knowledge(HEART, DECLARED), lambda: wider)
    text = "A heart rate above 55 counts. A heart rate above 40 counts. A heart rate of 56 counts."
    told = [one.problem for one in comparison.compare(statements(text)).contradictions]
    assert len(told) == 2
    assert told[0].startswith("40 itself")
    assert told[1].startswith("56 is no number")


def test_a_card_may_tell_the_range_of_its_columns() -> None:
    """Numbers of a section Output are those of the answer and are not held against limits."""
    table = (
        "| `hr_score` | 0 to 123 | heart rate |\n|---|---|---|\n| heart rate | at most 99 | x |\n"
    )
    text = f"# Card\n\n## Output\n\n{table}"
    assert compared(text, *HEART).contradictions == ()


CHEMISTRY = (
    fact("unit", "mg/dL", "creatinine", unit="mg/dL"),
    fact("unit", "mg/dL", "bilirubin_total", unit="mg/dL"),
    fact("unit", "mEq/L", "sodium", unit="mEq/L"),
)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Results in mg/dL for creatinine and bilirubin and mEq/L for sodium.", []),
        ("Results in mEq/L for sodium, and mg/dL for bilirubin or creatinine.", []),
        ("Results in mg/dL for creatinine and sodium.", ["mg/dl is not the unit"]),
        ("Results in mEq/L for creatinine and mg/dL for sodium.", ["meq/l is", "mg/dl is"]),
        ("Sodium in milligrams per decilitre.", ["mg/dl is not the unit"]),
    ],
)
def test_a_unit_is_bound_to_what_it_is_said_to_be_for(text: str, wrong: list[str]) -> None:
    """UNIT for this and that: each quantity that follows is held against the unit before it."""
    told = [one.problem for one in compared(text, *CHEMISTRY).contradictions]
    assert len(told) == len(wrong)
    assert all(problem.startswith(begin) for problem, begin in zip(told, wrong, strict=True))


SCORED = (
    fact("cut", "90", "heart_rate", side="lower", points="1", clause="heart_rate > 90"),
    fact("cut", "20", "resp_rate", side="lower", points="2", clause="resp_rate > 20"),
    fact("cut", "36", "temperature", side="upper", points="1", clause="temperature < 36"),
    fact("unit", "/min", "heart_rate", unit="beats/min"),
    fact("unit", "/min", "resp_rate", unit="breaths/min"),
    fact("unit", "°C", "temperature", unit="°C"),
)


@pytest.mark.parametrize(
    ("text", "stated", "wrong"),
    [
        ("Give one point for each:\n\n- heart rate above 90\n- temperature below 36", {"90", "36"}, 0),
        ("Each of these gives 2 points:\n\n* respiratory rate above 20", {"20"}, 0),
        ("Two points each:\n\n| sign |\n|---|\n| respiratory rate > 20 |", {"20"}, 0),
        ("Heart rate above 90: one point.", {"90"}, 0),
        ("Each of these gives two points:\n\n- heart rate above 90", set(), 1),
        ("Give one point for each:\n\n- respiratory rate above 20: two points", {"20"}, 0),
        ("Heart rate above 90 gives three points.", set(), 1),
        ("For each of these:\n\n- heart rate above 90", set(), 0),
        ("Give one point for each:\n\n- nothing\n\nElsewhere a heart rate above 90 counts.", set(), 0),
    ],
)  # fmt: skip
def test_points_that_the_line_above_a_list_gives(text: str, stated: set[str], wrong: int) -> None:
    """They are those of each item that gives none itself, in digits or as words."""
    result = compared(text, *SCORED)
    assert {one.value for one, _ in result.stated} == stated
    assert len(result.contradictions) == wrong


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("Heart rate in beats per minute.", "heart_rate"),
        ("Respiratory rate in breaths per minute.", "resp_rate"),
        ("Respiratory rate per minute.", "resp_rate"),
        ("Respiratory rate above 20 breaths per minute: two points.", "resp_rate"),
        ("Temperature in degrees Celsius.", "temperature"),
    ],
)
def test_units_in_words(text: str, unit: str) -> None:
    """Spelled-out units are those units."""
    stated = [one for one, _ in compared(text, *SCORED).stated if one.kind == "unit"]
    assert [one.subjects[0] for one in stated] == [unit]


BOUND = (
    fact("constant", "137", "sodium_min", "sodium_term"),
    fact("cut", "125", "sodium_min", "sodium_term", side="upper", points="12", clause="sodium_min < 125"),
    fact("cut", "137", "sodium_min", "sodium_term", side="lower", points="0", clause="sodium_min > 137"),
    fact("cut", "1", "inr_max", "inr_term", side="upper", points="0.643", clause="inr_max < 1"),
    fact("constant", "0.643", "inr_max", "inr_term"),
    fact("cut", "40", "heart_rate", "hr_score", side="upper", points="11", clause="heart_rate < 40"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "cuts"),
    [
        ("Sodium below 125 is treated as 125.", {"125"}),
        ("Sodium above 137 is counted as 137.", {"137"}),
        ("For the INR, values under 1 are set to 1.", {"1"}),
        ("Sodium below 125 is treated as 137.", set()),
        ("Sodium above 125 is treated as 125.", set()),
        ("Sodium below 125 is 125.", set()),
        ("A heart rate below 40 is treated as 40.", set()),
    ],
)
def test_a_bound_is_told_as_what_values_beyond_it_count_as(text: str, cuts: set[str]) -> None:
    """137 − 125 is 12: the formula's value at the bound. A limit of a score is no bound of a formula."""
    assert {one.value for one, _ in compared(text, *BOUND).stated if one.kind == "cut"} == cuts


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("Item 229761 is not read.", ["229761"]),
        ("Also use itemid 51234 and 50885.", ["51234"]),
        ("Of the charts, 220179 would do.", ["220179"]),
        ("The number `51234` is another.", ["51234"]),
        ("Item 50885 is read.", []),
        ("From 2008 to 2019 there were 53150 admissions of 229999 patients.", []),
        ("See pages 51234 to 51236, doi 10.1053/jhep.2001.22172, PMID 11172350.", []),
    ],
)
@pytest.mark.parametrize("section", ["Purpose", "Known limits"])
def test_an_item_is_read_where_nothing_else_is(section: str, line: str, wrong: list[str]) -> None:
    """An item that no query holds contradicts under Purpose and Known limits too; counts and citations do not."""
    told = compared(f"# Toy\n\n## {section}\n\n{line}\n", *LIVER).contradictions
    assert [one.problem.split()[0] for one in told] == wrong


def test_an_item_after_for_example_is_read_and_one_among_sources_is_not() -> None:
    """What follows the words is an example of numbers, not of items."""
    (told,) = compared("We take, for example, item 229999.", *LIVER).contradictions
    assert told.problem.startswith("229999")
    assert compared("# T\n\n## Sources\n\nItem 229999, 2001.", *LIVER).contradictions == ()


SIGNED = (
    fact("cut", "0.5", "creatinine_max", side="upper", clause="creatinine_max < 0.5"),
    fact("cut", "-1440", "offset", side="upper", clause="offset >= -1440"),
    fact("window", "3 hour", "gap", side="lower", closed=True, unit="hour"),
    fact("window", "6 hour", "intime", closed=True, unit="hour"),
)


@pytest.mark.parametrize(
    ("text", "value", "stated"),
    [
        ("The highest creatinine is below 0.5.", "0.5", True),
        ("The highest creatinine is below -0.5.", "0.5", False),
        ("The highest creatinine is below −0.5.", "0.5", False),
        ("The highest creatinine is below − 0.5.", "0.5", False),
        ("The offset is at least -1440.", "-1440", True),
        ("The offset is at least 1440.", "-1440", False),
        ("The gap is at most 3 hours.", "3 hour", True),
        ("The gap is at most -3 hours.", "3 hour", False),
        ("The gap is at most −3 h.", "3 hour", False),
        ("Charted at `intime` -6 h, included.", "6 hour", True),
    ],
)
def test_a_sign_counts_where_a_value_is_compared(text: str, value: str, stated: bool) -> None:
    """Below -0.5 is not below 0.5, and no time between is negative; a point may lie 6 hours before."""
    assert (value in {one.value for one, _ in compared(text, *SIGNED).stated}) is stated


FOLEY = fact("text", "inc of urine", "urine", clause="label IN ('inc of urine')")
CREAM = fact("text", "nasal spray", "urine", clause="LOWER(label) LIKE '%nasal spray%'")


@pytest.mark.parametrize(
    ("told", "text", "stated"),
    [
        (FOLEY, "Urine: `inc of urine`.", True),
        (FOLEY, "Urine: `Inc of urine`.", False),
        (FOLEY, "Urine: “Inc of urine”.", False),
        (FOLEY, "Inc of urine counts as urine.", True),
        (CREAM, "Urine: `Nasal spray`.", True),
    ],
)
def test_small_letters_are_exact_where_the_query_compares_them(
    told: Fact, text: str, stated: bool
) -> None:
    """A text set apart is the text of the records; a sentence may begin with it."""
    assert bool(compared(text, told).stated) is stated


@pytest.mark.parametrize(
    ("heading", "points", "contradicts"),
    [("points", "0", False), ("points", "1", True), ("stage", "1", True), ("flag", "1", False)],
)
def test_a_point_that_no_test_gives_contradicts(
    heading: str, points: str, contradicts: bool
) -> None:
    """Nothing gives 0 points always; one point is given by a test or by none."""
    text = f"## Heart rate\n\n| test | {heading} |\n|---|---|\n| otherwise | {points} |\n"
    assert bool(compared(text, *HEART).contradictions) is contradicts


@pytest.mark.parametrize(
    ("text", "contradicts"),
    [
        ("Also use itemid 225752.", True),
        ("| table | itemid | label |\n|---|---|---|\n| events | 225752 | Arterial Line |", True),
        ("Item 225752 is not used.", False),
        ("An arterial line is item 225752.", False),
        ("Heart rate is item 220045.", False),
        ("A day has 86400 seconds.", True),
    ],
)
def test_an_item_that_only_another_derivation_reads_contradicts(
    text: str, contradicts: bool
) -> None:
    """Unless the text sets it aside or says what it is; a number that is no item is left to what is known."""
    other = fact("item", "225752", "arterial_line")
    wider = Knowledge((*HEART, other), DECLARED, literals=())
    held = Comparison(HEART, Knowledge(HEART, DECLARED), lambda: wider)
    assert bool(held.compare(statements(text)).contradictions) is contradicts


def test_a_number_that_another_query_holds_and_is_no_item_does_not_contradict() -> None:
    """The seconds of a day are no item."""
    wider = Knowledge(HEART, DECLARED, literals=("86400",))
    held = Comparison(HEART, Knowledge(HEART, DECLARED), lambda: wider)
    assert held.compare(statements("A day has 86400 seconds.")).contradictions == ()
