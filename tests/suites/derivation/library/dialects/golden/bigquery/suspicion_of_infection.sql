-- suspicion_of_infection: Suspicion of infection at each systemic antibiotic
-- one row per antibiotic prescription; published convention
-- reads mimiciv_derived.antibiotic, mimiciv_hosp.microbiologyevents
/* each antibiotic with the first culture up to three days before it and up to one day after it */
/* rule 1; what the definition leaves open is ordered by admission and stay */
WITH numbered_antibiotic AS (
  SELECT
    subject_id,
    stay_id,
    hadm_id,
    antibiotic,
    starttime AS antibiotic_time,
    ROW_NUMBER() OVER (PARTITION BY subject_id ORDER BY starttime, stoptime, antibiotic, hadm_id, stay_id) AS ab_id
  FROM mimiciv_derived.antibiotic
), culture /* rule 2 */ AS (
  SELECT
    micro_specimen_id,
    MAX(subject_id) AS subject_id,
    MAX(hadm_id) AS hadm_id,
    CAST(MAX(chartdate) AS DATE) AS chartdate,
    MAX(charttime) AS charttime,
    MAX(spec_type_desc) AS specimen,
    MAX(CASE WHEN org_name <> '' AND org_itemid <> 90856 THEN 1 ELSE 0 END) AS positive_culture /* 90856: NEGATIVE, 90760: CANCELLED */
  FROM mimiciv_hosp.microbiologyevents
  GROUP BY
    micro_specimen_id
), ranked_culture /* rule 5; what the definition leaves open at last is ordered by specimen number */ AS (
  SELECT
    subject_id,
    hadm_id,
    chartdate,
    charttime,
    COALESCE(charttime, CAST(chartdate AS DATETIME)) AS culture_time,
    specimen,
    positive_culture,
    ROW_NUMBER() OVER (
      PARTITION BY subject_id
      ORDER BY chartdate IS NULL ASC, chartdate, charttime IS NULL ASC, charttime, positive_culture DESC, micro_specimen_id IS NULL ASC, micro_specimen_id
    ) AS preference
  FROM culture
  WHERE
    TRUE
), moment /* antibiotics and cultures of a patient on one axis of times, and on one of days for cultures without */ /* a time, so that windows find the preferred culture and nothing is compared pairwise */ AS (
  SELECT
    subject_id,
    hadm_id,
    antibiotic_time AS moment,
    ab_id,
    CAST(NULL AS INT64) AS preference,
    CAST(NULL AS INT64) AS positive_culture
  FROM numbered_antibiotic
  WHERE
    NOT antibiotic_time IS NULL
  UNION ALL
  SELECT
    subject_id,
    hadm_id,
    charttime AS moment,
    NULL AS ab_id,
    preference,
    positive_culture
  FROM ranked_culture AS taken
  WHERE
    NOT charttime IS NULL
), day AS (
  SELECT
    subject_id,
    hadm_id,
    CAST(CAST(antibiotic_time AS DATE) AS DATETIME) AS day,
    ab_id,
    CAST(NULL AS INT64) AS preference,
    CAST(NULL AS INT64) AS positive_culture
  FROM numbered_antibiotic
  WHERE
    NOT antibiotic_time IS NULL
  UNION ALL
  SELECT
    subject_id,
    hadm_id,
    culture_time AS day,
    NULL AS ab_id,
    preference,
    positive_culture
  FROM ranked_culture AS taken
  WHERE
    charttime IS NULL AND NOT chartdate IS NULL
), timed_match /* rules 3 and 4 */ AS (
  SELECT
    subject_id,
    ab_id,
    MIN(preference) OVER before AS before_preference,
    MIN(preference) OVER after AS after_preference,
    CAST(NULL AS INT64) AS growth
  FROM moment
  WINDOW before AS (
    PARTITION BY subject_id
    ORDER BY DATETIME_DIFF(moment, CAST('1970-01-01 00:00:00' AS DATETIME), MICROSECOND)
    RANGE BETWEEN 259200000000 PRECEDING AND 1 PRECEDING
  ), after AS (
    PARTITION BY subject_id
    ORDER BY DATETIME_DIFF(moment, CAST('1970-01-01 00:00:00' AS DATETIME), MICROSECOND)
    RANGE BETWEEN 1 FOLLOWING AND 86400000000 FOLLOWING
  )
), dated_match /* rules 3 and 4: a culture of the very day of the antibiotic is both */ AS (
  SELECT
    subject_id,
    ab_id,
    MIN(preference) OVER before AS before_preference,
    MIN(preference) OVER after AS after_preference,
    CAST(NULL AS INT64) AS growth
  FROM day
  WINDOW before AS (
    PARTITION BY subject_id
    ORDER BY DATETIME_DIFF(day, CAST('1970-01-01 00:00:00' AS DATETIME), MICROSECOND)
    RANGE BETWEEN 259200000000 PRECEDING AND CURRENT ROW
  ), after AS (
    PARTITION BY subject_id
    ORDER BY DATETIME_DIFF(day, CAST('1970-01-01 00:00:00' AS DATETIME), MICROSECOND)
    RANGE BETWEEN CURRENT ROW AND 86400000000 FOLLOWING
  )
), chosen /* rule 5 */ AS (
  SELECT
    subject_id,
    ab_id,
    MIN(before_preference) AS before_preference,
    CASE WHEN TRUE THEN MIN(after_preference) END AS after_preference,
    CASE WHEN NOT COALESCE(MIN(before_preference), MIN(after_preference)) IS NULL THEN MAX(growth) END AS growth
  FROM (
    SELECT
      subject_id,
      ab_id,
      before_preference,
      after_preference,
      growth
    FROM timed_match
    UNION ALL
    SELECT
      subject_id,
      ab_id,
      before_preference,
      after_preference,
      growth
    FROM dated_match
  ) AS matched
  WHERE
    NOT ab_id IS NULL
  GROUP BY
    subject_id,
    ab_id
)
/* rule 6: column by column the culture before, else the one after */
SELECT
  drug.subject_id,
  drug.stay_id,
  drug.hadm_id,
  drug.ab_id,
  drug.antibiotic,
  drug.antibiotic_time,
  CASE WHEN NOT COALESCE(earlier.specimen, later.specimen) IS NULL THEN 1 ELSE 0 END AS suspected_infection,
  CASE
    WHEN NOT COALESCE(earlier.specimen, later.specimen) IS NULL
    THEN COALESCE(earlier.culture_time, drug.antibiotic_time)
  END AS suspected_infection_time,
  COALESCE(earlier.culture_time, later.culture_time) AS culture_time,
  COALESCE(earlier.specimen, later.specimen) AS specimen,
  COALESCE(chosen.growth, earlier.positive_culture, later.positive_culture) AS positive_culture
FROM numbered_antibiotic AS drug
LEFT JOIN chosen
  ON drug.subject_id = chosen.subject_id AND drug.ab_id = chosen.ab_id
LEFT JOIN ranked_culture AS earlier
  ON chosen.subject_id = earlier.subject_id AND chosen.before_preference = earlier.preference
LEFT JOIN ranked_culture AS later
  ON chosen.subject_id = later.subject_id AND chosen.after_preference = later.preference
;
