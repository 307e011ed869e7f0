-- first_day_bg: Lowest and highest blood-gas values of the first ICU day, any specimen
-- one row per ICU stay; published convention
-- reads mimiciv_derived.bg, mimiciv_icu.icustays
/* Extremes of each blood-gas measure, per stay, over the samples that count. */
/* rules 1 to 6: gases of the patient, window closed at both ends */
SELECT
  stay.subject_id,
  stay.stay_id,
  MIN(gas.lactate) AS lactate_min,
  MAX(gas.lactate) AS lactate_max,
  MIN(IF(TRUE, gas.ph, NULL)) AS ph_min,
  MAX(IF(TRUE, gas.ph, NULL)) AS ph_max,
  MIN(IF(TRUE, gas.so2, NULL)) AS so2_min,
  MAX(IF(TRUE, gas.so2, NULL)) AS so2_max,
  MIN(IF(TRUE, gas.po2, NULL)) AS po2_min,
  MAX(IF(TRUE, gas.po2, NULL)) AS po2_max,
  MIN(IF(TRUE, gas.pco2, NULL)) AS pco2_min,
  MAX(IF(TRUE, gas.pco2, NULL)) AS pco2_max,
  MIN(IF(TRUE, gas.aado2, NULL)) AS aado2_min,
  MAX(IF(TRUE, gas.aado2, NULL)) AS aado2_max,
  MIN(IF(TRUE, gas.aado2_calc, NULL)) AS aado2_calc_min,
  MAX(IF(TRUE, gas.aado2_calc, NULL)) AS aado2_calc_max,
  MIN(IF(TRUE, gas.pao2fio2ratio, NULL)) AS pao2fio2ratio_min,
  MAX(IF(TRUE, gas.pao2fio2ratio, NULL)) AS pao2fio2ratio_max,
  MIN(gas.baseexcess) AS baseexcess_min,
  MAX(gas.baseexcess) AS baseexcess_max,
  MIN(gas.bicarbonate) AS bicarbonate_min,
  MAX(gas.bicarbonate) AS bicarbonate_max,
  MIN(gas.totalco2) AS totalco2_min,
  MAX(gas.totalco2) AS totalco2_max,
  MIN(gas.hematocrit) AS hematocrit_min,
  MAX(gas.hematocrit) AS hematocrit_max,
  MIN(gas.hemoglobin) AS hemoglobin_min,
  MAX(gas.hemoglobin) AS hemoglobin_max,
  MIN(gas.carboxyhemoglobin) AS carboxyhemoglobin_min,
  MAX(gas.carboxyhemoglobin) AS carboxyhemoglobin_max,
  MIN(gas.methemoglobin) AS methemoglobin_min,
  MAX(gas.methemoglobin) AS methemoglobin_max,
  MIN(gas.temperature) AS temperature_min,
  MAX(gas.temperature) AS temperature_max,
  MIN(gas.chloride) AS chloride_min,
  MAX(gas.chloride) AS chloride_max,
  MIN(gas.calcium) AS calcium_min,
  MAX(gas.calcium) AS calcium_max,
  MIN(gas.glucose) AS glucose_min,
  MAX(gas.glucose) AS glucose_max,
  MIN(gas.potassium) AS potassium_min,
  MAX(gas.potassium) AS potassium_max,
  MIN(gas.sodium) AS sodium_min,
  MAX(gas.sodium) AS sodium_max
FROM mimiciv_icu.icustays AS stay
LEFT JOIN mimiciv_derived.bg AS gas
  ON gas.subject_id = stay.subject_id
  AND gas.charttime >= stay.intime - INTERVAL 6 HOUR
  AND gas.charttime <= stay.intime + INTERVAL 24 HOUR
  AND TRUE
GROUP BY
  stay.subject_id,
  stay.stay_id
;
