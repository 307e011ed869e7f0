/*
name: first_day_bg_art
kind: concept
title: Lowest and highest arterial blood-gas values of the first ICU day
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
spec: first_day_bg_art
source: "public MIMIC concept set (Johnson et al., 2018, JAMIA)"
body: first_day_bg
settings: {samples: "gas.specimen = 'ART.'"}
conventions: []
unresolved:
  - says: begin the first day at ICU admission, without the six hours before it
    reason: "Reported fault 8 gives those hours as right and the original scores count from admission: a clinician must choose, for all scores at once."
  - says: infer a specimen type that was not recorded
    reason: no rule is stated for it
*/
