-- sepsis3: First Sepsis-3 onset of the ICU stay
-- one row per ICU stay that meets the definition; published convention
-- reads mimiciv_derived.sofa, mimiciv_derived.suspicion_of_infection
/* the earliest suspicion of infection with a SOFA of at least 2 nearby, and the earliest such hour */
/* rule 1 */
WITH dysfunction AS (
  SELECT
    stay_id,
    endtime,
    sofa_24hours,
    respiration_24hours,
    coagulation_24hours,
    liver_24hours,
    cardiovascular_24hours,
    cns_24hours,
    renal_24hours
  FROM mimiciv_derived.sofa
  WHERE
    sofa_24hours >= 2
), suspicion AS (
  SELECT
    subject_id,
    stay_id,
    antibiotic_time,
    culture_time,
    suspected_infection_time
  FROM mimiciv_derived.suspicion_of_infection AS infection
  WHERE
    NOT stay_id IS NULL AND NOT suspected_infection_time IS NULL
), moment /* suspicions and hours of a stay on one axis, so that a window finds the hour and nothing is compared pairwise */ AS (
  SELECT
    TRUE AS is_suspicion,
    subject_id,
    stay_id,
    suspected_infection_time AS moment,
    antibiotic_time,
    culture_time,
    CAST(NULL AS DATETIME) AS sofa_time
  FROM suspicion
  UNION ALL
  SELECT
    FALSE AS is_suspicion,
    NULL AS subject_id,
    stay_id,
    endtime AS moment,
    NULL AS antibiotic_time,
    NULL AS culture_time,
    endtime AS sofa_time
  FROM dysfunction
), paired /* rule 2: closed at both ends; of the hours within, the earliest (rule 3) */ AS (
  SELECT
    is_suspicion,
    subject_id,
    stay_id,
    moment AS suspected_infection_time,
    antibiotic_time,
    culture_time,
    MIN(sofa_time) OVER (
      PARTITION BY stay_id
      ORDER BY DATETIME_DIFF(moment, CAST('1970-01-01 00:00:00' AS DATETIME), MICROSECOND)
      RANGE BETWEEN 172800000000 PRECEDING AND 86400000000 FOLLOWING
    ) AS sofa_time
  FROM moment
), ranked /* rule 3 */ AS (
  SELECT
    subject_id,
    stay_id,
    suspected_infection_time,
    antibiotic_time,
    culture_time,
    sofa_time,
    ROW_NUMBER() OVER (
      PARTITION BY stay_id
      ORDER BY suspected_infection_time IS NULL ASC, suspected_infection_time, antibiotic_time, culture_time
    ) AS suspicion_number
  FROM paired
  WHERE
    is_suspicion AND NOT sofa_time IS NULL
)
SELECT
  ranked.subject_id,
  ranked.stay_id,
  ranked.antibiotic_time,
  ranked.culture_time,
  ranked.suspected_infection_time,
  ranked.sofa_time,
  dysfunction.sofa_24hours AS sofa_score,
  dysfunction.respiration_24hours AS respiration,
  dysfunction.coagulation_24hours AS coagulation,
  dysfunction.liver_24hours AS liver,
  dysfunction.cardiovascular_24hours AS cardiovascular,
  dysfunction.cns_24hours AS cns,
  dysfunction.renal_24hours AS renal,
  TRUE AS sepsis3
FROM ranked
INNER JOIN dysfunction
  ON ranked.stay_id = dysfunction.stay_id AND ranked.sofa_time = dysfunction.endtime
WHERE
  ranked.suspicion_number = 1
;
