# SPDX-License-Identifier: MIT
"""Facts of references held against what their specifications state."""

import csv
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, get_args

import pytest

from m4bench.model.errors import InputError
from m4bench.model.task import Convention
from m4bench.suites.derivation.library.catalogue import SUITE_ROOT, library
from m4bench.suites.derivation.specifications.extraction import facts_of, library_facts
from m4bench.suites.derivation.specifications.fact import Fact, Kind, Side

REFERENCES = sorted(path.stem for path in (SUITE_ROOT / "references").glob("*.sql"))


class Stated(NamedTuple):
    """One fact as a specification states it: its subject has to be among the fact's."""

    kind: Kind
    subject: str
    value: str
    side: Side | None = None
    points: str | None = None
    closed: bool | None = None
    unit: str | None = None


def is_among(stated: Stated, facts: Iterable[Fact]) -> bool:
    """Tell whether a fact says what a specification states; what that leaves out may be anything."""
    return any(
        fact.kind == stated.kind
        and fact.value == stated.value
        and stated.subject in fact.subjects
        and stated.side in (None, fact.side)
        and stated.points in (None, fact.points)
        and stated.closed in (None, fact.closed)
        and stated.unit in (None, fact.unit)
        for fact in facts
    )


EXPECTED: dict[str, list[Stated]] = {
    "meld-24h": [
        Stated("item", "creatinine", "50912"),
        Stated("item", "bilirubin_total", "50885"),
        Stated("item", "inr", "51237"),
        Stated("item", "sodium", "50983"),
        Stated("item", "rrt", "225441"),
        Stated("item", "rrt", "224270"),
        Stated("constant", "creatinine_max", "0.957"),
        Stated("constant", "bilirubin_total_max", "0.378"),
        Stated("constant", "inr_max", "1.12"),
        Stated("constant", "inr_max", "0.643"),
        Stated("constant", "meld", "1.32"),
        Stated("constant", "meld", "0.033"),
        Stated("cut", "creatinine_max", "4", "lower"),
        Stated("cut", "creatinine_max", "1", "upper"),
        Stated("cut", "sodium_min", "137", "lower"),
        Stated("constant", "sodium_min", "137"),
        Stated("cut", "sodium_min", "125", "upper", points="12"),
        Stated("cut", "meld_initial", "11", "lower"),
        Stated("cut", "creatinine", "150", "lower"),
        Stated("cut", "sodium", "200", "lower"),
        Stated("cut", "creatinine", "0", "lower"),
        Stated("window", "intime", "6 hour", "lower", closed=True),
        Stated("window", "intime", "24 hour", "lower", closed=True),
        Stated("unit", "creatinine", "mg/dL"),
        Stated("unit", "sodium", "mEq/L"),
    ],
    "charlson": [
        Stated("code", "myocardial_infarct", "410", unit="icd9"),
        Stated("code", "myocardial_infarct", "412", unit="icd9"),
        Stated("code", "myocardial_infarct", "I21", unit="icd10"),
        Stated("code", "myocardial_infarct", "I22", unit="icd10"),
        Stated("code", "myocardial_infarct", "I252", unit="icd10"),
        Stated("code", "cerebrovascular_disease", "430-438", unit="icd9"),
        Stated("code", "cerebrovascular_disease", "36234", unit="icd9"),
        Stated("code", "cerebrovascular_disease", "I60-I69", unit="icd10"),
        Stated("code", "cerebrovascular_disease", "H340", unit="icd10"),
        Stated("cut", "age", "50", "lower", points="0"),
        Stated("cut", "age", "80", "lower", points="3"),
        Stated("constant", "age_score", "4"),
        Stated("constant", "aids", "6"),
        Stated("constant", "severe_liver_disease", "3"),
        Stated("constant", "paraplegia", "2"),
    ],
    "ventilation": [
        Stated("text", "o2_delivery_device_1", "Tracheostomy tube"),
        Stated("text", "o2_delivery_device_1", "Trach mask"),
        Stated("text", "o2_delivery_device_1", "Endotracheal tube"),
        Stated("text", "o2_delivery_device_1", "High flow nasal cannula"),
        Stated("text", "o2_delivery_device_1", "None"),
        Stated("text", "ventilator_mode", "CMV/ASSIST"),
        Stated("text", "ventilator_mode_hamilton", "DuoPaP"),
        Stated("text", "ventilation_status", "SupplementalOxygen"),
        Stated("item", "ventilator_mode", "223849"),
        Stated("item", "ventilator_mode_hamilton", "229314"),
        Stated("item", "o2_delivery_device_1", "226732"),
        Stated("window", "previous_time", "14 hour", "upper", closed=False),
    ],
    "suspicion-infection": [
        Stated("window", "antibiotic_time", "72 hour", "lower", closed=True),
        Stated("window", "antibiotic_time", "24 hour", "lower", closed=True),
        Stated("window", "culture_time", "3 day", "lower", closed=True),
        Stated("item", "positive_culture", "90856"),
        Stated("text", "drug", "vancomycin"),
        Stated("text", "drug", "gel"),
        Stated("text", "route", "OU"),
        Stated("text", "route", "eye"),
    ],
    "urine-output-rate": [
        Stated("window", "urineoutput_6hr", "5 hour", "lower", closed=True),
        Stated("window", "urineoutput_12hr", "11 hour", "lower", closed=True),
        Stated("window", "urineoutput_24hr", "23 hour", "lower", closed=True),
        Stated("window", "uo_mlkghr_6hr", "6 hour", "upper", closed=True),
        Stated("window", "uo_mlkghr_12hr", "12 hour", "upper", closed=True),
        Stated("window", "uo_mlkghr_24hr", "24 hour", "upper", closed=True),
        Stated("window", "intime", "1 month", "upper", closed=False),
        Stated("window", "outtime", "1 month", "upper", closed=False),
        Stated("item", "urineoutput", "226559"),
        Stated("item", "urineoutput", "227488"),
        Stated("item", "weight_type", "226512"),
        Stated("cut", "weight", "0", "lower"),
    ],
    "sofa-24h": [
        Stated("cut", "pao2fio2ratio", "200", "upper", points="3"),
        Stated("cut", "platelets_min", "20", "upper", points="4"),
        Stated("cut", "bilirubin_total_max", "12", "upper", points="4"),
        Stated("cut", "dopamine", "15", "lower", points="4"),
        Stated("cut", "norepinephrine", "0.1", "lower", points="4"),
        Stated("cut", "mbp_min", "70", "upper", points="1"),
        Stated("cut", "gcs_min", "13", "upper", points="1"),
        Stated("cut", "gcs_min", "14", "lower", points="1"),
        Stated("cut", "urineoutput", "200", "upper", points="4"),
        Stated("text", "specimen", "ART."),
        Stated("item", "norepinephrine", "221906"),
        Stated("constant", "po2", "100"),
        Stated("window", "fio2", "4 hour", "lower", closed=True),
    ],
    "apsiii-24h": [
        Stated("cut", "heart_rate_max", "155", "upper", points="17"),
        Stated("cut", "hr_score", "40", "upper", points="8"),
        Stated("constant", "heart_rate_min", "75"),
        Stated("code", "ckd", "5854", unit="icd9"),
        Stated("code", "ckd", "N186", unit="icd10"),
        Stated("constant", "creatinine_score", "10"),
        Stated("cut", "ph", "7.2", "upper"),
        Stated("cut", "pco2", "50", "upper", points="12"),
        Stated("constant", "fio2", "21"),
        Stated("cut", "fio2", "50", "upper"),
    ],
    "oasis-24h": [
        Stated("text", "curr_service", "surg"),
        Stated("text", "curr_service", "ORTHO"),
        Stated("text", "admission_type", "ELECTIVE"),
        Stated("cut", "preiculos", "10.2", "upper", points="5"),
        Stated("cut", "gcs", "14", points="3"),
        Stated("constant", "mechvent", "9"),
        Stated("constant", "age", "365.242"),
    ],
    "kdigo-48h": [
        Stated("constant", "creat_low_past_7day", "3", points="3"),
        Stated("cut", "creat", "4", "upper", points="3"),
        Stated("cut", "creat_low_past_48hr", "3.7", "lower", points="3"),
        Stated("constant", "creat_low_past_48hr", "0.3", points="1"),
        Stated("cut", "uo_rt_12hr", "0", points="3"),
        Stated("cut", "uo_rt_6hr", "0.5", "upper", points="1"),
        Stated("window", "intime", "48 hour", "lower", closed=True),
        Stated("window", "creat_low_past_7day", "7 day", "lower", closed=True),
        Stated("item", "crrt_mode", "227290"),
    ],
    "sirs-24h": [
        Stated("cut", "temperature_min", "36", "upper", points="1"),
        Stated("cut", "heart_rate_max", "90", "lower", points="1"),
        Stated("cut", "pco2_min", "32", "upper", points="1"),
        Stated("constant", "temperature", "1.8"),
        Stated("constant", "temperature", "32"),
        Stated("item", "po2", "50821"),
    ],
    "creatinine-baseline": [
        Stated("constant", "age", "186"),
        Stated("constant", "age", "0.203"),
        Stated("constant", "gender", "0.742"),
        Stated("constant", "mdrd_est", "1.154"),
        Stated("text", "gender", "F"),
        Stated("code", "ckd", "585", unit="icd9"),
        Stated("code", "ckd", "N18", unit="icd10"),
        Stated("cut", "age", "18", "upper"),
        Stated("cut", "scr_min", "1.1", "lower"),
    ],
    "vasopressor-equivalents": [
        Stated("constant", "phenylephrine", "10"),
        Stated("constant", "dopamine", "100"),
        Stated("constant", "vasopressin", "2.5"),
        Stated("constant", "vasopressin", "60"),
        Stated("item", "vasopressin", "222315"),
        Stated("unit", "vasopressin", "units/hour"),
    ],
    "gcs-24h": [
        Stated("text", "verbal", "No Response-ETT"),
        Stated("constant", "gcs", "15"),
        Stated("constant", "motor", "6"),
        Stated("constant", "verbal", "5"),
        Stated("constant", "eyes", "4"),
        Stated("window", "known_verbal", "6 hour", "upper", closed=False),
    ],
    "eicu-gcs": [
        Stated("window", "nursingchartoffset", "6 hour", closed=True),
        Stated("window", "nursingchartoffset", "24 hour", "lower", closed=True),
        Stated("text", "motor", "Glasgow coma score"),
        Stated("text", "gcs_min", "Score (Glasgow Coma Scale)"),
        Stated("text", "nursingchartcelltypecat", "Scores"),
        Stated("cut", "gcs_min", "2", "lower"),
        Stated("cut", "gcs_min", "16", "upper"),
        Stated("constant", "gcs_verbal", "5"),
    ],
    "eicu-oasis": [
        Stated("cut", "preiculos_score", "-10.2", "lower", points="5"),
        Stated("text", "age", "> 89"),
        Stated("constant", "age", "91"),
        Stated("text", "cellpath", "foley"),
        Stated("text", "cellpath", "Urethal Catheter"),
    ],
}
CASES = [(reference, stated) for reference, known in EXPECTED.items() for stated in known]


@pytest.mark.parametrize(("reference", "stated"), CASES, ids=str)
def test_a_reference_depends_on_what_its_specification_states(
    reference: str, stated: Stated
) -> None:
    """Items, codes, texts, cuts with side and points, windows with their ends, constants and units."""
    assert is_among(stated, facts_of(reference))


# what a reference's concepts read beside what it needs, and what its queries only call their own rows
NOT_NEEDED: list[tuple[str, str]] = [
    ("meld-24h", "50931"),  # glucose stands in the same panel
    ("meld-24h", "51265"),  # platelets
    ("meld-24h", "52546"),  # read under the adjudicated convention only
    ("sirs-24h", "50912"),
    ("sofa-24h", "220179"),  # systolic pressure
    ("sofa-24h", "norepinephrine"),  # a label
    ("sofa-24h", "InvasiveVent"),
    ("sofa-24h", "713"),  # of the calculated gradient
    ("apsiii-24h", "50809"),  # glucose of a blood gas
    ("kdigo-48h", "224144"),  # blood flow
    ("charlson", "myocardial_infarct"),
    ("oasis-24h", "6.1746"),  # of the predicted mortality
    ("suspicion-infection", "cefixime"),  # listed under the adjudicated convention only
    ("sofa-12h", "500"),  # urine, which no twelve hours have
]


@pytest.mark.parametrize(("reference", "value"), NOT_NEEDED)
def test_what_is_not_needed_is_no_fact(reference: str, value: str) -> None:
    """A value that only chooses rows, names them, or makes another column is not asked of a text."""
    assert value not in {fact.value for fact in facts_of(reference)}


def test_a_convention_has_facts_of_its_own() -> None:
    """What only the adjudicated form reads is a fact there."""
    values = {fact.value for fact in facts_of("meld-24h", "adjudicated")}
    assert {"52546", "40"} <= values
    published = {fact.value for fact in facts_of("meld-24h") if fact.derivation == "chemistry"}
    assert "52546" not in published


CODES = re.compile(r"[A-Z]?\d{2,5}(-[A-Z]?\d{2,5})?")

SCORES = [("apsiii", 90), ("sapsii", 35), ("oasis", 30), ("lods", 6), ("sofa", 14)]
TEST_OF_SCORE = re.compile(
    r"WHEN (?P<name>\w+) (?P<sign><=?|>=?) (?P<value>[\d.]+) THEN (?P<points>\d+)\b"
)


@pytest.mark.parametrize(("score", "at_least"), SCORES)
def test_every_line_of_a_score_is_a_cut_with_its_points(score: str, at_least: int) -> None:
    """Read off the macros by a pattern of their own: threshold, side and points of each line are there."""
    text = (SUITE_ROOT / "macros" / f"{score}.sql").read_text(encoding="utf-8")
    lines = list(TEST_OF_SCORE.finditer(text))
    facts = [f for known in get_args(Convention) for f in facts_of(f"{score}-24h", known)]
    cuts = {(f.value, f.side, f.points) for f in facts if f.kind == "cut"}
    sides = {"<": "upper", ">=": "upper", ">": "lower", "<=": "lower"}
    absent = [
        line[0]
        for line in lines
        if (shortest(line["value"]), sides[line["sign"]], line["points"]) not in cuts
    ]
    assert not absent
    assert len(lines) >= at_least


def shortest(number: str) -> str:
    """Return a number without idle zeros."""
    return number.rstrip("0").rstrip(".") if "." in number else number


def test_every_listed_text_is_a_fact(shared: Path) -> None:
    """The labels of urine and the diagnoses with their groups, as the specifications list them."""
    tasks = shared / "specs" / "tasks"
    with (tasks / "eicu-oasis-urine-labels.csv").open(encoding="utf-8", newline="") as file:
        labels = {row["label"].strip() for row in csv.DictReader(file)}
    texts = {fact.value for fact in facts_of("eicu-oasis") if fact.kind == "text"}
    assert len(labels) > 100
    assert not labels - texts
    with (tasks / "apache-groups.csv").open(encoding="utf-8", newline="") as file:
        groups = {
            (row["group"].lower(), row["apacheadmissiondx"].strip()) for row in csv.DictReader(file)
        }
    known = {(s, fact.value) for fact in facts_of("eicu-apache-groups") for s in fact.subjects}
    assert len(groups) > 100
    assert not groups - known


@pytest.mark.parametrize("convention", get_args(Convention))
@pytest.mark.parametrize("reference", REFERENCES)
def test_every_reference_can_be_read(reference: str, convention: Convention) -> None:
    """Of each reference under each convention there are facts, each about something, each once."""
    facts = facts_of(reference, convention)
    assert facts
    assert len(set(facts)) == len(facts)
    for fact in facts:
        assert fact.value.strip() == fact.value
        assert fact.value
        assert fact.subjects
        assert fact.columns
        assert "\n" not in fact.clause


def columns_of(derivation: str) -> set[str]:
    """Return the columns a derivation declares."""
    concept = derivation.removeprefix("references.")
    known = library().references if concept != derivation else library().concepts
    return {column.name for column in known[concept].header.columns}


def test_columns_are_those_of_the_derivation() -> None:
    """A fact bears on output columns of the derivation that holds it."""
    for fact in library_facts():
        assert set(fact.columns) <= columns_of(fact.derivation)


def test_values_are_of_their_kind() -> None:
    """Nothing internal is told: no flag, no cast, no unit of the engine's time, no label of rows."""
    for fact in library_facts():
        match fact.kind:
            case "item":
                assert re.fullmatch(r"\d{5,6}", fact.value)
            case "code":
                assert CODES.fullmatch(fact.value)
                assert fact.unit in (None, "icd9", "icd10")
            case "constant":
                assert re.fullmatch(r"\d+(\.\d+)?", fact.value)
                assert fact.value not in ("0", "1", "3600000000", "60000000", "86400000000")
            case "cut":
                assert re.fullmatch(r"-?\d+(\.\d+)?", fact.value)
            case "window":
                assert re.fullmatch(r"[\d.]+ (second|minute|hour|day|week|month|year)", fact.value)
                assert fact.unit == fact.value.split()[1]
            case "text":
                assert "%" not in fact.value


def test_the_library_knows_more_than_a_reference() -> None:
    """Items that no reference reads are known all the same."""
    items = {fact.value for fact in library_facts() if fact.kind == "item"}
    read = {f.value for name in REFERENCES for f in facts_of(name) if f.kind == "item"}
    assert {"220277", "224688", "220180"} <= items - read
    assert read <= items


def test_a_reference_that_is_none_is_told() -> None:
    """The names that there are stand in the error."""
    with pytest.raises(InputError, match="no reference is called meld;"):
        facts_of("meld")
