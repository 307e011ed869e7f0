-- rhythm: Heart rhythm and ectopy
-- one row per patient and charttime with any entry; published convention
-- reads mimiciv_icu.chartevents
/* Rhythm and ectopy as charted; of several texts of one ectopy item the last in byte order. */
SELECT
  subject_id,
  charttime,
  MAX(CASE WHEN itemid = 220048 THEN value END) AS heart_rhythm, /* rule 2 */
  MAX(CASE WHEN itemid = 224650 THEN value END) AS ectopy_type,
  MAX(CASE WHEN itemid = 224651 THEN value END) AS ectopy_frequency,
  MAX(CASE WHEN itemid = 226479 THEN value END) AS ectopy_type_secondary,
  MAX(CASE WHEN itemid = 226480 THEN value END) AS ectopy_frequency_secondary
FROM mimiciv_icu.chartevents
WHERE
  itemid IN (
    220048, /* Heart Rhythm, text */
    224650, /* Ectopy Type 1, text */
    224651, /* Ectopy Frequency 1, text */
    226479, /* Ectopy Type 2, text */
    226480 /* Ectopy Frequency 2, text */
  )
  AND NOT stay_id IS NULL /* rule 1: a missing text still makes a row */
GROUP BY
  subject_id,
  charttime
;
