/*
name: first_day_bg
kind: concept
title: "Lowest and highest blood-gas values of the first ICU day, any specimen"
grain: one row per ICU stay
key: [stay_id]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: stay_id, type: INTEGER, meaning: ICU stay}
  - {name: lactate_min, type: DOUBLE, unit: "mmol/L", meaning: "lowest, lactate"}
  - {name: lactate_max, type: DOUBLE, unit: "mmol/L", meaning: "highest, lactate"}
  - {name: ph_min, type: DOUBLE, meaning: "lowest, pH"}
  - {name: ph_max, type: DOUBLE, meaning: "highest, pH"}
  - {name: so2_min, type: DOUBLE, unit: "%", meaning: "lowest, measured oxygen saturation"}
  - {name: so2_max, type: DOUBLE, unit: "%", meaning: "highest, measured oxygen saturation"}
  - {name: po2_min, type: DOUBLE, unit: mmHg, meaning: "lowest, oxygen tension"}
  - {name: po2_max, type: DOUBLE, unit: mmHg, meaning: "highest, oxygen tension"}
  - {name: pco2_min, type: DOUBLE, unit: mmHg, meaning: "lowest, carbon dioxide tension"}
  - {name: pco2_max, type: DOUBLE, unit: mmHg, meaning: "highest, carbon dioxide tension"}
  - {name: aado2_min, type: DOUBLE, unit: mmHg, meaning: "lowest, alveolar-arterial oxygen difference as the laboratory reports it"}
  - {name: aado2_max, type: DOUBLE, unit: mmHg, meaning: "highest, alveolar-arterial oxygen difference as the laboratory reports it"}
  - {name: aado2_calc_min, type: DOUBLE, unit: mmHg, meaning: "lowest, alveolar-arterial oxygen difference, calculated"}
  - {name: aado2_calc_max, type: DOUBLE, unit: mmHg, meaning: "highest, alveolar-arterial oxygen difference, calculated"}
  - {name: pao2fio2ratio_min, type: DOUBLE, unit: mmHg per fraction, meaning: "lowest, oxygen tension over inspired fraction"}
  - {name: pao2fio2ratio_max, type: DOUBLE, unit: mmHg per fraction, meaning: "highest, oxygen tension over inspired fraction"}
  - {name: baseexcess_min, type: DOUBLE, unit: "mEq/L", meaning: "lowest, base excess"}
  - {name: baseexcess_max, type: DOUBLE, unit: "mEq/L", meaning: "highest, base excess"}
  - {name: bicarbonate_min, type: DOUBLE, unit: "mEq/L", meaning: "lowest, calculated bicarbonate, whole blood"}
  - {name: bicarbonate_max, type: DOUBLE, unit: "mEq/L", meaning: "highest, calculated bicarbonate, whole blood"}
  - {name: totalco2_min, type: DOUBLE, unit: "mEq/L", meaning: "lowest, calculated total carbon dioxide"}
  - {name: totalco2_max, type: DOUBLE, unit: "mEq/L", meaning: "highest, calculated total carbon dioxide"}
  - {name: hematocrit_min, type: DOUBLE, unit: "%", meaning: "lowest, calculated hematocrit"}
  - {name: hematocrit_max, type: DOUBLE, unit: "%", meaning: "highest, calculated hematocrit"}
  - {name: hemoglobin_min, type: DOUBLE, unit: "g/dL", meaning: "lowest, hemoglobin"}
  - {name: hemoglobin_max, type: DOUBLE, unit: "g/dL", meaning: "highest, hemoglobin"}
  - {name: carboxyhemoglobin_min, type: DOUBLE, unit: "%", meaning: "lowest, carboxyhemoglobin"}
  - {name: carboxyhemoglobin_max, type: DOUBLE, unit: "%", meaning: "highest, carboxyhemoglobin"}
  - {name: methemoglobin_min, type: DOUBLE, unit: "%", meaning: "lowest, methemoglobin"}
  - {name: methemoglobin_max, type: DOUBLE, unit: "%", meaning: "highest, methemoglobin"}
  - {name: temperature_min, type: DOUBLE, unit: °C, meaning: "lowest, temperature as recorded on the analyser"}
  - {name: temperature_max, type: DOUBLE, unit: °C, meaning: "highest, temperature as recorded on the analyser"}
  - {name: chloride_min, type: DOUBLE, unit: "mEq/L", meaning: "lowest, chloride, whole blood"}
  - {name: chloride_max, type: DOUBLE, unit: "mEq/L", meaning: "highest, chloride, whole blood"}
  - {name: calcium_min, type: DOUBLE, unit: "mmol/L", meaning: "lowest, free calcium"}
  - {name: calcium_max, type: DOUBLE, unit: "mmol/L", meaning: "highest, free calcium"}
  - {name: glucose_min, type: DOUBLE, unit: "mg/dL", meaning: "lowest, glucose"}
  - {name: glucose_max, type: DOUBLE, unit: "mg/dL", meaning: "highest, glucose"}
  - {name: potassium_min, type: DOUBLE, unit: "mEq/L", meaning: "lowest, potassium, whole blood"}
  - {name: potassium_max, type: DOUBLE, unit: "mEq/L", meaning: "highest, potassium, whole blood"}
  - {name: sodium_min, type: DOUBLE, unit: "mEq/L", meaning: "lowest, sodium, whole blood"}
  - {name: sodium_max, type: DOUBLE, unit: "mEq/L", meaning: "highest, sodium, whole blood"}
inputs: [mimiciv_icu.icustays, mimiciv_derived.bg]
spec: first_day_bg
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
settings: {samples: "TRUE"}
conventions:
  - name: closes
    published: stay.intime + INTERVAL 24 HOUR
    adjudicated: "CASE WHEN stay.outtime < stay.intime + INTERVAL 24 HOUR THEN stay.outtime ELSE stay.intime + INTERVAL 24 HOUR END"
    difference: Gases are linked by patient alone, so that one drawn after discharge from the unit counts, or by stay, up to its end.
    source: "a gas belongs to the stay in which it was drawn"
    example: "left after 5 h, pH 7.0 an hour later in the next stay: 7.0 / 7.0 / null"
  - name: oxygenation_sample
    published: "TRUE"
    adjudicated: gas.specimen = 'ART.'
    difference: Oxygenation, carbon dioxide and pH are those of any specimen, or of arterial ones alone.
    source: "ARDS Definition Task Force, 2012, JAMA; venous blood tells neither oxygenation nor ventilation"
    example: "VEN. pO2 36 and ART. pO2 110: 36 to 110 / 36 to 110 / 110"
unresolved:
  - says: begin the first day at ICU admission, without the six hours before it
    reason: "Reported fault 8 gives those hours as right and the original scores count from admission: a clinician must choose, for all scores at once."
*/
-- Extremes of each blood-gas measure, per stay, over the samples that count.
-- rules 1 to 6: gases of the patient, window closed at both ends
SELECT
  stay.subject_id,
  stay.stay_id,
  min(gas.lactate) AS lactate_min,
  max(gas.lactate) AS lactate_max,
  min(gas.ph) FILTER (WHERE $oxygenation_sample) AS ph_min,
  max(gas.ph) FILTER (WHERE $oxygenation_sample) AS ph_max,
  min(gas.so2) FILTER (WHERE $oxygenation_sample) AS so2_min,
  max(gas.so2) FILTER (WHERE $oxygenation_sample) AS so2_max,
  min(gas.po2) FILTER (WHERE $oxygenation_sample) AS po2_min,
  max(gas.po2) FILTER (WHERE $oxygenation_sample) AS po2_max,
  min(gas.pco2) FILTER (WHERE $oxygenation_sample) AS pco2_min,
  max(gas.pco2) FILTER (WHERE $oxygenation_sample) AS pco2_max,
  min(gas.aado2) FILTER (WHERE $oxygenation_sample) AS aado2_min,
  max(gas.aado2) FILTER (WHERE $oxygenation_sample) AS aado2_max,
  min(gas.aado2_calc) FILTER (WHERE $oxygenation_sample) AS aado2_calc_min,
  max(gas.aado2_calc) FILTER (WHERE $oxygenation_sample) AS aado2_calc_max,
  min(gas.pao2fio2ratio) FILTER (WHERE $oxygenation_sample) AS pao2fio2ratio_min,
  max(gas.pao2fio2ratio) FILTER (WHERE $oxygenation_sample) AS pao2fio2ratio_max,
  min(gas.baseexcess) AS baseexcess_min,
  max(gas.baseexcess) AS baseexcess_max,
  min(gas.bicarbonate) AS bicarbonate_min,
  max(gas.bicarbonate) AS bicarbonate_max,
  min(gas.totalco2) AS totalco2_min,
  max(gas.totalco2) AS totalco2_max,
  min(gas.hematocrit) AS hematocrit_min,
  max(gas.hematocrit) AS hematocrit_max,
  min(gas.hemoglobin) AS hemoglobin_min,
  max(gas.hemoglobin) AS hemoglobin_max,
  min(gas.carboxyhemoglobin) AS carboxyhemoglobin_min,
  max(gas.carboxyhemoglobin) AS carboxyhemoglobin_max,
  min(gas.methemoglobin) AS methemoglobin_min,
  max(gas.methemoglobin) AS methemoglobin_max,
  min(gas.temperature) AS temperature_min,
  max(gas.temperature) AS temperature_max,
  min(gas.chloride) AS chloride_min,
  max(gas.chloride) AS chloride_max,
  min(gas.calcium) AS calcium_min,
  max(gas.calcium) AS calcium_max,
  min(gas.glucose) AS glucose_min,
  max(gas.glucose) AS glucose_max,
  min(gas.potassium) AS potassium_min,
  max(gas.potassium) AS potassium_max,
  min(gas.sodium) AS sodium_min,
  max(gas.sodium) AS sodium_max
FROM mimiciv_icu.icustays AS stay
LEFT JOIN mimiciv_derived.bg AS gas
  ON gas.subject_id = stay.subject_id
  AND gas.charttime >= stay.intime - INTERVAL 6 HOUR
  AND gas.charttime <= $closes
  AND $samples
GROUP BY stay.subject_id, stay.stay_id
