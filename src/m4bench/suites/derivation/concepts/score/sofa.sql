/*
name: sofa
kind: concept
title: SOFA of every hour of the ICU stay and of the 24 hours before it
grain: one row per ICU stay and hour from the first monitored one
key: [stay_id, hr]
columns:
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: hr, type: BIGINT, unit: h, meaning: "hour, from 0"}
  - {name: starttime, type: TIMESTAMP, meaning: "start of the hour, not itself in it"}
  - {name: endtime, type: TIMESTAMP, meaning: "end of the hour, in it"}
  - {name: pao2fio2ratio_novent, type: DOUBLE, unit: mmHg, meaning: lowest arterial oxygen tension over inspired fraction without invasive ventilation}
  - {name: pao2fio2ratio_vent, type: DOUBLE, unit: mmHg, meaning: lowest arterial oxygen tension over inspired fraction under invasive ventilation}
  - {name: rate_epinephrine, type: DOUBLE, unit: mcg/kg/min, meaning: highest rate running at the end of the hour}
  - {name: rate_norepinephrine, type: DOUBLE, unit: mcg/kg/min, meaning: highest rate running at the end of the hour}
  - {name: rate_dopamine, type: DOUBLE, unit: mcg/kg/min, meaning: highest rate running at the end of the hour}
  - {name: rate_dobutamine, type: DOUBLE, unit: mcg/kg/min, meaning: highest rate running at the end of the hour}
  - {name: meanbp_min, type: DOUBLE, unit: mmHg, meaning: lowest mean blood pressure}
  - {name: gcs_min, type: DOUBLE, unit: points, meaning: lowest Glasgow Coma Scale}
  - {name: uo_24hr, type: DOUBLE, unit: mL, meaning: urine of the trailing day scaled to 24 hours}
  - {name: bilirubin_max, type: DOUBLE, unit: mg/dL, meaning: highest total bilirubin}
  - {name: creatinine_max, type: DOUBLE, unit: mg/dL, meaning: highest creatinine}
  - {name: platelet_min, type: DOUBLE, unit: K/µL, meaning: lowest platelets}
  - {name: respiration, type: INTEGER, unit: points, meaning: "respiration in the hour, 0 to 4 or null"}
  - {name: coagulation, type: INTEGER, unit: points, meaning: "coagulation in the hour, 0 to 4 or null"}
  - {name: liver, type: INTEGER, unit: points, meaning: "liver in the hour, 0 to 4 or null"}
  - {name: cardiovascular, type: INTEGER, unit: points, meaning: "cardiovascular in the hour, 0 to 4 or null"}
  - {name: cns, type: INTEGER, unit: points, meaning: "central nervous system in the hour, 0 to 4 or null"}
  - {name: renal, type: INTEGER, unit: points, meaning: "renal in the hour, 0 to 4 or null"}
  - {name: respiration_24hours, type: INTEGER, unit: points, meaning: "worst of the trailing 24 hours, missing as 0"}
  - {name: coagulation_24hours, type: INTEGER, unit: points, meaning: "worst of the trailing 24 hours, missing as 0"}
  - {name: liver_24hours, type: INTEGER, unit: points, meaning: "worst of the trailing 24 hours, missing as 0"}
  - {name: cardiovascular_24hours, type: INTEGER, unit: points, meaning: "worst of the trailing 24 hours, missing as 0"}
  - {name: cns_24hours, type: INTEGER, unit: points, meaning: "worst of the trailing 24 hours, missing as 0"}
  - {name: renal_24hours, type: INTEGER, unit: points, meaning: "worst of the trailing 24 hours, missing as 0"}
  - {name: sofa_24hours, type: INTEGER, unit: points, meaning: "sum of the six, 0 to 24"}
inputs: [mimiciv_icu.icustays, mimiciv_derived.icustay_hourly, mimiciv_derived.bg, mimiciv_derived.ventilation, mimiciv_derived.vitalsign, mimiciv_derived.gcs, mimiciv_derived.enzyme, mimiciv_derived.chemistry, mimiciv_derived.complete_blood_count, mimiciv_derived.urine_output_rate, mimiciv_derived.epinephrine, mimiciv_derived.norepinephrine, mimiciv_derived.dopamine, mimiciv_derived.dobutamine]
spec: sofa
source: "Vincent et al., 1996, Intensive Care Medicine 22:707-710"
conventions:
  - name: respiratory_support
    published: ventilation_status = 'InvasiveVent'
    adjudicated: ventilation_status IN ('InvasiveVent', 'NonInvasiveVent')
    difference: "Non-invasive ventilation is respiratory support, so that ratios below 200 under it reach grades 3 and 4."
    source: "Vincent et al., 1996, table 3 (with respiratory support)"
    example: "non-invasive ventilation, ART. 90 -> respiration 2 / 2 / 4"
  - name: laboratory_of_stay
    published: stay.hadm_id = lab.hadm_id
    adjudicated: stay.subject_id = lab.subject_id
    difference: "Laboratory values link by patient and time as gases do, so that those without admission (emergency department) count."
    source: "specification's adjudicated line (one link rule); the first day's concepts link so"
    example: "creatinine 4.0 before hour 0, without admission -> renal_24hours 0 / 0 / 3"
  - name: given_infusion
    published: infusion
    adjudicated: |
      (
          -- rows of an agent that touch or overlap are one administration
          SELECT stay_id, agent, starttime, endtime, vaso_rate
          FROM (
              SELECT
                  stay_id, agent, starttime, endtime, vaso_rate, begins,
                  MAX(endtime) OVER (PARTITION BY stay_id, agent, begins) AS ends
              FROM (
                  SELECT
                      stay_id, agent, starttime, endtime, vaso_rate,
                      MAX(CASE WHEN given_until IS NULL OR starttime > given_until THEN starttime END) OVER (
                          PARTITION BY stay_id, agent ORDER BY starttime, endtime
                          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW -- rows of the same times together
                      ) AS begins
                  FROM (
                      SELECT
                          stay_id, agent, starttime, endtime, vaso_rate,
                          MAX(endtime) OVER (
                              PARTITION BY stay_id, agent ORDER BY starttime, endtime
                              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                          ) AS given_until
                      FROM infusion
                      WHERE vaso_rate > 0 AND endtime > starttime
                  ) AS followed
              ) AS begun
          ) AS administered
          WHERE ends >= begins + INTERVAL 1 HOUR
      )
    difference: "An agent scores while it is given at a rate above 0 for at least one hour without interruption (the first day's score adds the hours of several infusions); in the published form a moment and a rate of 0 do too."
    source: "Vincent et al., 1996, table 3, footnote (administered for at least one hour)"
    example: "norepinephrine 0.3 for 20 minutes over the end of an hour -> cardiovascular 4 / 4 / null"
  - name: missing_component
    published: "0"
    adjudicated: "NULL"
    difference: "An organ of which nothing was measured in the trailing day stays unknown in itself, and counts 0 in the total alone."
    source: "clinical review of the references (unknown kept apart from 0); specification's adjudicated line"
    example: "platelets 80 alone -> other organs 0 / 0 / null, sofa_24hours 2 under all"
unresolved:
  - says: "one hour as the sum of several infusions"
    reason: "Vincent et al. say at least one hour and not whether interruptions count: in a score of every hour a sum has no window of its own."
  - says: "add the rates of rows of one agent that overlap"
    reason: "No source tells two lines from one rate charted twice: the highest counts here, while equivalents of norepinephrine add them."
  - says: "carry the last value forward for its validity"
    reason: "No source states for how long a value is valid."
  - says: "score one moment at a time"
    reason: "Vincent et al. take the worst value of each organ in a day."
  - says: "stop at ICU discharge"
    reason: "The hours are those of icustay_hourly, which ends them there under this convention."
  - says: "one link rule for charting too"
    reason: "Charting carries its stay, and by patient it would enter an overlapping stay as well."
  - says: "convert other vasoactive agents"
    reason: "Vincent et al. grade four agents and give no grade for a converted dose."
  - says: "use shorter windows of urine with scaling"
    reason: "No window is named, and the table grades urine per day."
  - says: "last Glasgow Coma Scale before sedation"
    reason: "The scale follows the concept gcs; the specifications name different substitutes."
  - says: "at least 1 point of respiration for any support without a gas (reported, not adopted)"
    reason: "Sources disagree and Vincent et al. give no grade without a ratio."
  - says: "change from baseline"
    reason: "No organ function from before the illness is in the tables."
*/
-- points of each hour of the stay, and of each organ the worst of 24 hours
-- rule 1: the hours of a stay follow each other without a gap, so that a time gives the number of its hour
WITH monitored_stay AS (
    SELECT
        icu.subject_id,
        icu.hadm_id,
        icu.stay_id,
        MIN(hourly.hr) AS first_hr,
        MAX(hourly.hr) AS last_hr,
        MIN(hourly.endtime) AS first_endtime,
        MAX(hourly.endtime) AS last_endtime
    FROM mimiciv_icu.icustays AS icu
    INNER JOIN mimiciv_derived.icustay_hourly AS hourly ON icu.stay_id = hourly.stay_id
    GROUP BY icu.subject_id, icu.hadm_id, icu.stay_id
),

-- rule 2: gases by patient, arterial ones only
gas AS (
    SELECT stay.stay_id, bg.charttime, bg.pao2fio2ratio
    FROM monitored_stay AS stay
    INNER JOIN mimiciv_derived.bg AS bg
        ON stay.subject_id = bg.subject_id
        AND bg.charttime > stay.first_endtime - INTERVAL 1 HOUR
        AND bg.charttime <= stay.last_endtime
    WHERE bg.specimen = 'ART.'
),

-- one axis of gases and of the starts of invasive ventilation, for a single sweep
moment AS (
    SELECT stay_id, charttime, pao2fio2ratio, CAST(NULL AS TIMESTAMP) AS ventilated_until
    FROM gas
    UNION ALL
    SELECT stay_id, starttime AS charttime, NULL AS pao2fio2ratio, endtime AS ventilated_until
    FROM mimiciv_derived.ventilation
    WHERE $respiratory_support
),

-- an episode covers a gas when it has begun by then and the latest end so far is not past
swept AS (
    SELECT
        stay_id,
        charttime,
        pao2fio2ratio,
        MAX(ventilated_until) OVER (
            PARTITION BY stay_id ORDER BY charttime NULLS FIRST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS ventilated_until
    FROM moment
),

-- rule 2: all that is measured at a time, under the name of its column
measurement AS (
    SELECT
        stay_id,
        charttime,
        CASE WHEN ventilated_until >= charttime THEN 'pao2fio2ratio_vent' ELSE 'pao2fio2ratio_novent' END AS name,
        pao2fio2ratio AS value
    FROM swept
    WHERE pao2fio2ratio IS NOT NULL
    UNION ALL
    SELECT stay_id, charttime, 'meanbp' AS name, mbp AS value
    FROM mimiciv_derived.vitalsign
    WHERE mbp IS NOT NULL
    UNION ALL
    SELECT stay_id, charttime, 'gcs' AS name, gcs AS value
    FROM mimiciv_derived.gcs
    WHERE gcs IS NOT NULL
    UNION ALL
    SELECT stay_id, charttime, 'uo_24hr' AS name, urineoutput_24hr / CAST(uo_tm_24hr AS DOUBLE) * 24 AS value
    FROM mimiciv_derived.urine_output_rate
    WHERE uo_tm_24hr >= 22 AND uo_tm_24hr <= 30
    UNION ALL
    -- laboratory values by the admission of the stay, or by patient
    SELECT stay.stay_id, lab.charttime, 'bilirubin' AS name, lab.bilirubin_total AS value
    FROM monitored_stay AS stay
    INNER JOIN mimiciv_derived.enzyme AS lab ON $laboratory_of_stay
    WHERE lab.bilirubin_total IS NOT NULL
    UNION ALL
    SELECT stay.stay_id, lab.charttime, 'creatinine' AS name, lab.creatinine AS value
    FROM monitored_stay AS stay
    INNER JOIN mimiciv_derived.chemistry AS lab ON $laboratory_of_stay
    WHERE lab.creatinine IS NOT NULL
    UNION ALL
    SELECT stay.stay_id, lab.charttime, 'platelet' AS name, lab.platelet AS value
    FROM monitored_stay AS stay
    INNER JOIN mimiciv_derived.complete_blood_count AS lab ON $laboratory_of_stay
    WHERE lab.platelet IS NOT NULL
),

-- rule 1: the start of an hour is not in it, its end is
measurement_in_hour AS (
    SELECT
        stay.stay_id,
        stay.first_hr
        + CAST(
            CEIL(hours_between(stay.first_endtime, measurement.charttime)) AS BIGINT
        ) AS hr,
        measurement.name,
        measurement.value
    FROM monitored_stay AS stay
    INNER JOIN measurement
        ON stay.stay_id = measurement.stay_id
        AND measurement.charttime > stay.first_endtime - INTERVAL 1 HOUR
        AND measurement.charttime <= stay.last_endtime
),

measured_hour AS (
    SELECT
        stay_id,
        hr,
        MIN(CASE WHEN name = 'pao2fio2ratio_novent' THEN value END) AS pao2fio2ratio_novent,
        MIN(CASE WHEN name = 'pao2fio2ratio_vent' THEN value END) AS pao2fio2ratio_vent,
        MIN(CASE WHEN name = 'meanbp' THEN value END) AS meanbp_min,
        MIN(CASE WHEN name = 'gcs' THEN value END) AS gcs_min,
        MAX(CASE WHEN name = 'uo_24hr' THEN value END) AS uo_24hr,
        MAX(CASE WHEN name = 'bilirubin' THEN value END) AS bilirubin_max,
        MAX(CASE WHEN name = 'creatinine' THEN value END) AS creatinine_max,
        MIN(CASE WHEN name = 'platelet' THEN value END) AS platelet_min
    FROM measurement_in_hour
    GROUP BY stay_id, hr
),

infusion AS (
    SELECT stay_id, starttime, endtime, 'epinephrine' AS agent, vaso_rate FROM mimiciv_derived.epinephrine
    UNION ALL
    SELECT stay_id, starttime, endtime, 'norepinephrine' AS agent, vaso_rate FROM mimiciv_derived.norepinephrine
    UNION ALL
    SELECT stay_id, starttime, endtime, 'dopamine' AS agent, vaso_rate FROM mimiciv_derived.dopamine
    UNION ALL
    SELECT stay_id, starttime, endtime, 'dobutamine' AS agent, vaso_rate FROM mimiciv_derived.dobutamine
),

-- rule 3: the run of hours whose end lies after the start of the infusion and not after its end
infusion_run AS (
    SELECT
        stay.stay_id,
        infusion.agent,
        infusion.vaso_rate,
        GREATEST(
            stay.first_hr,
            stay.first_hr
            + CAST(
                FLOOR(hours_between(stay.first_endtime, infusion.starttime)) AS BIGINT
            )
            + 1
        ) AS from_hr,
        LEAST(
            stay.last_hr,
            stay.first_hr
            + CAST(
                FLOOR(hours_between(stay.first_endtime, infusion.endtime)) AS BIGINT
            )
        ) AS to_hr
    FROM monitored_stay AS stay
    INNER JOIN $given_infusion AS infusion
        ON stay.stay_id = infusion.stay_id
        AND infusion.starttime < stay.last_endtime
        AND infusion.endtime >= stay.first_endtime
    WHERE infusion.vaso_rate IS NOT NULL
),

infused_hour AS (
    SELECT
        run.stay_id,
        within.hr,
        MAX(CASE WHEN run.agent = 'epinephrine' THEN run.vaso_rate END) AS rate_epinephrine,
        MAX(CASE WHEN run.agent = 'norepinephrine' THEN run.vaso_rate END) AS rate_norepinephrine,
        MAX(CASE WHEN run.agent = 'dopamine' THEN run.vaso_rate END) AS rate_dopamine,
        MAX(CASE WHEN run.agent = 'dobutamine' THEN run.vaso_rate END) AS rate_dobutamine
    FROM infusion_run AS run
    CROSS JOIN UNNEST(GENERATE_SERIES(run.from_hr, run.to_hr)) AS within(hr)
    WHERE run.from_hr <= run.to_hr
    GROUP BY run.stay_id, within.hr
),

-- rule 4: a recorded rate of epinephrine or norepinephrine, even of 0, scores
scored_hour AS (
    SELECT
        hourly.stay_id,
        hourly.hr,
        hourly.endtime,
        measured.pao2fio2ratio_novent,
        measured.pao2fio2ratio_vent,
        infused.rate_epinephrine,
        infused.rate_norepinephrine,
        infused.rate_dopamine,
        infused.rate_dobutamine,
        measured.meanbp_min,
        measured.gcs_min,
        measured.uo_24hr,
        measured.bilirubin_max,
        measured.creatinine_max,
        measured.platelet_min,
        sofa_respiration(
            measured.pao2fio2ratio_vent, measured.pao2fio2ratio_novent, measured.pao2fio2ratio_vent
        ) AS respiration,
        sofa_coagulation(measured.platelet_min) AS coagulation,
        sofa_liver(measured.bilirubin_max) AS liver,
        sofa_cardiovascular(
            infused.rate_dopamine,
            infused.rate_dobutamine,
            infused.rate_epinephrine,
            infused.rate_norepinephrine,
            infused.rate_epinephrine IS NOT NULL OR infused.rate_norepinephrine IS NOT NULL,
            measured.meanbp_min
        ) AS cardiovascular,
        sofa_cns(measured.gcs_min) AS cns,
        sofa_renal(measured.creatinine_max, measured.uo_24hr) AS renal
    FROM monitored_stay AS stay
    INNER JOIN mimiciv_derived.icustay_hourly AS hourly ON stay.stay_id = hourly.stay_id
    LEFT JOIN measured_hour AS measured ON hourly.stay_id = measured.stay_id AND hourly.hr = measured.hr
    LEFT JOIN infused_hour AS infused ON hourly.stay_id = infused.stay_id AND hourly.hr = infused.hr
),

-- rule 5: rows are counted, the negative hours with them
trailing_day AS (
    SELECT
        stay_id,
        hr,
        endtime,
        pao2fio2ratio_novent,
        pao2fio2ratio_vent,
        rate_epinephrine,
        rate_norepinephrine,
        rate_dopamine,
        rate_dobutamine,
        meanbp_min,
        gcs_min,
        uo_24hr,
        bilirubin_max,
        creatinine_max,
        platelet_min,
        respiration,
        coagulation,
        liver,
        cardiovascular,
        cns,
        renal,
        COALESCE(MAX(respiration) OVER back_24h, $missing_component) AS respiration_24hours,
        COALESCE(MAX(coagulation) OVER back_24h, $missing_component) AS coagulation_24hours,
        COALESCE(MAX(liver) OVER back_24h, $missing_component) AS liver_24hours,
        COALESCE(MAX(cardiovascular) OVER back_24h, $missing_component) AS cardiovascular_24hours,
        COALESCE(MAX(cns) OVER back_24h, $missing_component) AS cns_24hours,
        COALESCE(MAX(renal) OVER back_24h, $missing_component) AS renal_24hours
    FROM scored_hour
    WINDOW back_24h AS (PARTITION BY stay_id ORDER BY hr NULLS FIRST ROWS BETWEEN 23 PRECEDING AND CURRENT ROW)
)

-- rule 6
SELECT
    stay_id,
    hr,
    endtime - INTERVAL 1 HOUR AS starttime,
    endtime,
    pao2fio2ratio_novent,
    pao2fio2ratio_vent,
    rate_epinephrine,
    rate_norepinephrine,
    rate_dopamine,
    rate_dobutamine,
    meanbp_min,
    gcs_min,
    uo_24hr,
    bilirubin_max,
    creatinine_max,
    platelet_min,
    respiration,
    coagulation,
    liver,
    cardiovascular,
    cns,
    renal,
    respiration_24hours,
    coagulation_24hours,
    liver_24hours,
    cardiovascular_24hours,
    cns_24hours,
    renal_24hours,
    COALESCE(respiration_24hours, 0)
    + COALESCE(coagulation_24hours, 0)
    + COALESCE(liver_24hours, 0)
    + COALESCE(cardiovascular_24hours, 0)
    + COALESCE(cns_24hours, 0)
    + COALESCE(renal_24hours, 0) AS sofa_24hours
FROM trailing_day
WHERE hr >= 0
