# SPDX-License-Identifier: MIT
"""What is derived from the hospital takes every value a score can take, and hangs together clinically."""

import pytest

from tests.data.synthetic.conftest import Rows

COMPONENTS = ("respiration", "coagulation", "liver", "cardiovascular", "cns", "renal")
COMORBIDITIES = (
    "myocardial_infarct", "congestive_heart_failure", "peripheral_vascular_disease",
    "cerebrovascular_disease", "dementia", "chronic_pulmonary_disease", "rheumatic_disease",
    "peptic_ulcer_disease", "mild_liver_disease", "diabetes_without_cc", "diabetes_with_cc",
    "paraplegia", "renal_disease", "malignant_cancer", "severe_liver_disease",
    "metastatic_solid_tumor", "aids",
)  # fmt: skip


@pytest.mark.parametrize("component", COMPONENTS)
def test_every_sofa_component_takes_every_grade(derived: Rows, component: str) -> None:
    """Each component of the reference is 0, 1, 2, 3 and 4 in at least three stays."""
    grades = dict(derived(f"SELECT {component}, count(*) FROM reference_sofa_24h GROUP BY 1"))
    assert set(grades) == {0, 1, 2, 3, 4}
    assert min(grades.values()) >= 3


def test_sofa_is_that_of_an_intensive_care_unit(derived: Rows) -> None:
    """Half of the stays score between 3 and 10, some 0 or 1, some 18 or more."""
    lower, upper, least, most = derived(
        "SELECT quantile_disc(sofa, 0.25), quantile_disc(sofa, 0.75), min(sofa), max(sofa) "
        "FROM reference_sofa_24h"
    )[0]
    assert 2 <= lower <= 5
    assert 8 <= upper <= 12
    assert least <= 1
    assert most >= 18


def test_coma_totals_run_from_3_to_15(derived: Rows) -> None:
    """Every total occurs as the first day's lowest, and the verbal component every value with 0 for a tube."""
    assert {g for (g,) in derived("SELECT DISTINCT gcs_min FROM reference_gcs_24h")} == set(
        range(3, 16)
    )
    verbal = {v for (v,) in derived("SELECT DISTINCT gcs_verbal FROM reference_gcs_24h")}
    assert verbal == {0, 1, 2, 3, 4, 5}
    carried = "SELECT count(*) FROM gcs WHERE gcs_verbal = 0 AND gcs_unable = 0"
    assert derived(carried)[0][0] > 3


def test_meld_meets_each_of_its_rules(derived: Rows) -> None:
    """Dialysis, missing results, the cap at 40, the least score, and the edges of sodium all occur."""
    dialysis, no_creatinine, no_bilirubin, no_inr, capped, least = derived(
        "SELECT count(rrt), count_if(creatinine_max IS NULL), count_if(bilirubin_total_max IS NULL), "
        "count_if(inr_max IS NULL), count_if(meld_initial = 40), count_if(meld = 6) FROM meld"
    )[0]
    assert min(dialysis, no_creatinine, no_bilirubin, no_inr, capped, least) >= 3
    assert no_bilirubin < 150
    sodium = {s for (s,) in derived("SELECT DISTINCT sodium_min FROM meld")}
    assert sodium >= {None, 124.0, 125.0, 137.0, 138.0}


@pytest.mark.parametrize("group", COMORBIDITIES)
def test_every_comorbidity_occurs_and_none_is_the_rule(derived: Rows, group: str) -> None:
    """Each Charlson group is present in some admissions and absent in most."""
    present, admissions = derived(f"SELECT sum({group}), count(*) FROM reference_charlson")[0]
    assert 2 <= present < 0.5 * admissions


def test_age_points_take_every_value(derived: Rows) -> None:
    """Ages of all bands are admitted."""
    ages = {a for (a,) in derived("SELECT DISTINCT age_score FROM reference_charlson")}
    assert ages == {0, 1, 2, 3, 4}


def test_urine_rates_are_measured_over_all_windows(derived: Rows) -> None:
    """Each window has rates and gaps, some rows no weight or no volume, and some are oliguric."""
    rows, six, twelve, day, weighed, volumes, oliguric, negative = derived(
        "SELECT count(*), count(uo_mlkghr_6hr), count(uo_mlkghr_12hr), count(uo_mlkghr_24hr), "
        "count(weight), count(uo), count_if(uo_mlkghr_6hr < 0.5), count_if(uo < 0) "
        "FROM reference_urine_output_rate"
    )[0]
    assert rows > six > twelve > day > 0.2 * rows
    assert 0.5 * rows < weighed < rows
    assert 0.9 * rows < volumes < rows
    assert 0.01 * rows < oliguric < 0.4 * rows
    assert negative > 0


def test_every_kind_of_respiratory_support_occurs(derived: Rows) -> None:
    """All six categories have episodes, invasive ventilation in a quarter of the stays or so."""
    episodes = dict(
        derived("SELECT ventilation_status, count(DISTINCT stay_id) FROM ventilation GROUP BY 1")
    )
    assert set(episodes) == {
        "Tracheostomy", "InvasiveVent", "NonInvasiveVent", "HFNC", "SupplementalOxygen", "None",
    }  # fmt: skip
    assert 45 < episodes["InvasiveVent"] < 150


def test_dialysis_of_each_kind_occurs(derived: Rows) -> None:
    """Intermittent, peritoneal and continuous treatments run, and catheters lie without running."""
    kinds = {
        k for (k,) in derived("SELECT DISTINCT dialysis_type FROM rrt WHERE dialysis_active = 1")
    }
    assert kinds >= {"IHD", "Peritoneal", "CRRT"}
    assert derived("SELECT count(*) FROM rrt WHERE dialysis_active = 0")[0][0] > 20


@pytest.mark.parametrize(
    ("sicker", "healthier"),
    [
        # each query gives one number: a claim that a sick organ shows in another measurement
        ("SELECT median(creatinine_max) FROM meld m JOIN first_day_urine_output u USING (stay_id) "
         "WHERE urineoutput < 500",
         "SELECT median(creatinine_max) FROM meld m JOIN first_day_urine_output u USING (stay_id) "
         "WHERE urineoutput > 1500"),
        ("SELECT median(inr_max) FROM meld WHERE bilirubin_total_max >= 6",
         "SELECT median(inr_max) FROM meld WHERE bilirubin_total_max < 1.2"),
        ("SELECT avg(hospital_expire_flag) FROM reference_sofa_24h JOIN admissions USING (hadm_id) "
         "WHERE sofa >= 11",
         "SELECT 2 * avg(hospital_expire_flag) FROM reference_sofa_24h JOIN admissions USING (hadm_id) "
         "WHERE sofa < 6"),
        ("SELECT median(lactate) FROM bg b JOIN icustays s USING (hadm_id) "
         "JOIN reference_sofa_24h r USING (stay_id) WHERE cardiovascular = 4",
         "SELECT median(lactate) FROM bg b JOIN icustays s USING (hadm_id) "
         "JOIN reference_sofa_24h r USING (stay_id) WHERE cardiovascular = 0"),
    ],
)  # fmt: skip
def test_organs_fail_together(derived: Rows, sicker: str, healthier: str) -> None:
    """The sicker group is worse in a measurement that the grouping did not look at."""
    assert derived(sicker)[0][0] > derived(healthier)[0][0]


def test_patients_recover_or_deteriorate(derived: Rows) -> None:
    """In those who survive a low platelet count rises by the end of the stay more often than it falls further."""
    better, worse = derived(
        "WITH counts AS (SELECT s.stay_id, arg_min(c.platelet, c.charttime) AS first, "
        "min(c.platelet) AS lowest, arg_max(c.platelet, c.charttime) AS last "
        "FROM complete_blood_count c JOIN icustays s USING (hadm_id) JOIN admissions a USING (hadm_id) "
        "WHERE c.charttime BETWEEN s.intime AND s.outtime AND hospital_expire_flag = 0 AND c.platelet > 0 "
        "GROUP BY 1 HAVING count(*) > 6) "
        "SELECT count_if(last > 1.3 * lowest), count_if(last <= 1.05 * lowest) FROM counts WHERE lowest < 100"
    )[0]
    assert better > 2 * worse
