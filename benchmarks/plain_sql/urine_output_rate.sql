-- SPDX-License-Identifier: MIT
-- urine_output_rate as its specification reads: every entry joined with all entries of its windows.
WITH monitored AS (
    SELECT ie.stay_id, MIN(ce.charttime) AS monitored_from
    FROM mimiciv_icu.icustays AS ie
    INNER JOIN mimiciv_icu.chartevents AS ce
        ON ie.stay_id = ce.stay_id
        AND ce.itemid = 220045
        AND ce.charttime > ie.intime - INTERVAL 1 MONTH
        AND ce.charttime < ie.outtime + INTERVAL 1 MONTH
    GROUP BY ie.stay_id
),

gaps AS (
    SELECT
        uo.stay_id,
        uo.charttime,
        uo.urineoutput,
        DATE_DIFF(
            'second',
            COALESCE(LAG(uo.charttime) OVER (PARTITION BY uo.stay_id ORDER BY uo.charttime), mo.monitored_from),
            uo.charttime
        ) AS seconds
    FROM mimiciv_derived.urine_output AS uo
    INNER JOIN monitored AS mo ON uo.stay_id = mo.stay_id
),

windows AS (
    SELECT
        now.stay_id,
        now.charttime,
        MAX(now.urineoutput) AS uo,
        SUM(CASE WHEN now.charttime <= past.charttime + INTERVAL 5 HOUR THEN past.urineoutput END) AS uo_6,
        SUM(CASE WHEN now.charttime <= past.charttime + INTERVAL 11 HOUR THEN past.urineoutput END) AS uo_12,
        SUM(past.urineoutput) AS uo_24,
        SUM(CASE WHEN now.charttime <= past.charttime + INTERVAL 5 HOUR THEN past.seconds END) / 3600 AS tm_6,
        SUM(CASE WHEN now.charttime <= past.charttime + INTERVAL 11 HOUR THEN past.seconds END) / 3600 AS tm_12,
        SUM(past.seconds) / 3600 AS tm_24
    FROM gaps AS now
    LEFT JOIN gaps AS past
        ON now.stay_id = past.stay_id
        AND past.charttime <= now.charttime
        AND now.charttime <= past.charttime + INTERVAL 23 HOUR
    GROUP BY now.stay_id, now.charttime
)

SELECT
    wi.stay_id,
    wi.charttime,
    wd.weight,
    wi.uo,
    wi.uo_6 AS urineoutput_6hr,
    wi.uo_12 AS urineoutput_12hr,
    wi.uo_24 AS urineoutput_24hr,
    CASE WHEN wi.tm_6 >= 6 THEN TRY_CAST(wi.uo_6 / wd.weight / wi.tm_6 AS DECIMAL(18, 3)) END AS uo_mlkghr_6hr,
    CASE WHEN wi.tm_12 >= 12 THEN TRY_CAST(wi.uo_12 / wd.weight / wi.tm_12 AS DECIMAL(18, 3)) END AS uo_mlkghr_12hr,
    CASE WHEN wi.tm_24 >= 24 THEN TRY_CAST(wi.uo_24 / wd.weight / wi.tm_24 AS DECIMAL(18, 3)) END AS uo_mlkghr_24hr,
    CAST(TRY_CAST(wi.tm_6 AS DECIMAL(18, 3)) AS DECIMAL(18, 2)) AS uo_tm_6hr,
    CAST(TRY_CAST(wi.tm_12 AS DECIMAL(18, 3)) AS DECIMAL(18, 2)) AS uo_tm_12hr,
    CAST(TRY_CAST(wi.tm_24 AS DECIMAL(18, 3)) AS DECIMAL(18, 2)) AS uo_tm_24hr
FROM windows AS wi
LEFT JOIN mimiciv_derived.weight_durations AS wd
    ON wi.stay_id = wd.stay_id
    AND wd.starttime < wi.charttime
    AND wi.charttime <= wd.endtime
    AND wd.weight > 0
