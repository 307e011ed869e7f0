/*
name: bg
kind: concept
title: Blood gases with inspired oxygen and derived oxygenation
grain: one row per patient and charttime with at least one specimen that has a pO2
key: [subject_id, charttime]
columns:
  - {name: subject_id, type: INTEGER, meaning: patient}
  - {name: hadm_id, type: INTEGER, meaning: "admission, may be null"}
  - {name: charttime, type: TIMESTAMP, meaning: specimen time}
  - {name: specimen, type: VARCHAR, meaning: "specimen type as the laboratory names it, may be null"}
  - {name: so2, type: DOUBLE, unit: "%", meaning: measured oxygen saturation}
  - {name: po2, type: DOUBLE, unit: mmHg, meaning: oxygen tension}
  - {name: pco2, type: DOUBLE, unit: mmHg, meaning: carbon dioxide tension}
  - {name: fio2_chartevents, type: DOUBLE, unit: "%", meaning: inspired oxygen charted at the bedside within four hours before}
  - {name: fio2, type: DOUBLE, unit: "%", meaning: inspired oxygen recorded with the gas}
  - {name: aado2, type: DOUBLE, unit: mmHg, meaning: alveolar-arterial oxygen difference as the laboratory reports it}
  - {name: aado2_calc, type: DOUBLE, unit: mmHg, meaning: "alveolar-arterial oxygen difference, calculated"}
  - {name: pao2fio2ratio, type: DOUBLE, unit: mmHg, meaning: "oxygen tension over inspired fraction, unrounded"}
  - {name: ph, type: DOUBLE, meaning: pH}
  - {name: baseexcess, type: DOUBLE, unit: "mEq/L", meaning: base excess}
  - {name: bicarbonate, type: DOUBLE, unit: "mEq/L", meaning: "calculated bicarbonate, whole blood"}
  - {name: totalco2, type: DOUBLE, unit: "mEq/L", meaning: calculated total carbon dioxide}
  - {name: hematocrit, type: DOUBLE, unit: "%", meaning: calculated hematocrit}
  - {name: hemoglobin, type: DOUBLE, unit: "g/dL", meaning: hemoglobin}
  - {name: carboxyhemoglobin, type: DOUBLE, unit: "%", meaning: carboxyhemoglobin}
  - {name: methemoglobin, type: DOUBLE, unit: "%", meaning: methemoglobin}
  - {name: chloride, type: DOUBLE, unit: "mEq/L", meaning: "chloride, whole blood"}
  - {name: calcium, type: DOUBLE, unit: "mmol/L", meaning: free calcium}
  - {name: temperature, type: DOUBLE, unit: °C, meaning: temperature as recorded on the analyser}
  - {name: potassium, type: DOUBLE, unit: "mEq/L", meaning: "potassium, whole blood"}
  - {name: sodium, type: DOUBLE, unit: "mEq/L", meaning: "sodium, whole blood"}
  - {name: lactate, type: DOUBLE, unit: "mmol/L", meaning: lactate}
  - {name: glucose, type: DOUBLE, unit: "mg/dL", meaning: glucose}
inputs: [mimiciv_hosp.labevents, mimiciv_icu.chartevents]
spec: bg
source: "MIMIC-IV (Johnson et al., 2023, Scientific Data); ARDS Definition Task Force, 2012, JAMA; Fenn, Rahn and Otis, 1946, American Journal of Physiology"
conventions:
  - name: gas_kept
    published: place = 1
    current: "TRUE"
    difference: Of several gases of a patient drawn at one time one survives, or each keeps its row.
    source: "community's current form; a venous gas drawn beside an arterial one hides it"
    example: "VEN. 36 and ART. 110 at 12:00: VEN. 36 / both / both"
  - name: further_result
    published: "FALSE"
    adjudicated: |-
      (itemid IN (52434, 52452, 52455) AND lower(trim(valueuom)) = 'meq/l')
          OR (itemid = 52442 AND lower(trim(valueuom)) = 'mmol/l')
    difference: Results of newer items of the same substances are passed over, or read where their unit is that of the older ones.
    source: "dictionary of release 3.1: blood, blood gas, same names, as in chemistry"
    example: "lactate 2.2 mmol/L by 52442 beside pO2: null / null / 2.2"
  - name: specimen_kept
    published: max(CASE WHEN itemid = 50821 THEN valuenum END) IS NOT NULL
    adjudicated: count(CASE WHEN itemid NOT IN (50807, 50815, 50819, 50823) THEN valuenum END) > 0
    difference: A gas without pO2 is dropped with its lactate, or kept.
    source: "a lactate does not hang on an oxygen tension (Singer et al., 2016, JAMA, asks for lactate alone)"
    example: "lactate 2.2 alone: no row / no row / lactate 2.2"
  - name: specimen_read
    published: value
    adjudicated: upper(trim(value))
    difference: The type of a specimen is told by its exact text, or whatever its case and the blanks around it.
    source: "reported fault 93: a blank too many empties a class"
    example: "'art. ': 'art. ' / 'art. ' / ART."
  - name: laboratory_percent
    published: laboratory_oxygen
    adjudicated: air_to_pure_oxygen
    difference: Oxygen recorded with the gas counts above 20 % and above a fraction of 0.2, or from 21 to 100 %.
    source: "no gas in use holds less oxygen than room air"
    example: "20.5: 20.5 / 20.5 / null"
  - name: bedside_percent
    published: bedside_oxygen
    adjudicated: air_to_pure_oxygen
    difference: Oxygen charted at the bedside counts from 20 % and above a fraction of 0.2, or from 21 to 100 %.
    source: "no gas in use holds less oxygen than room air"
    example: "20: 20 / 20 / null"
  - name: arterial
    published: "TRUE"
    adjudicated: specimen = 'ART.'
    difference: PaO2/FiO2 and the calculated alveolar-arterial difference are given for any specimen, or for an arterial one alone.
    source: "ARDS Definition Task Force, 2012, JAMA: PaO2 is arterial; reported fault 1"
    example: "VEN. 36 at 40 %: 90 / 90 / null"
  - name: gradient
    published: (inspired / 100) * 713 - pco2 / 0.8 - po2
    current: round((inspired / 100) * 713 - pco2 / 0.8 - po2, 4)
    difference: The calculated alveolar-arterial difference is unrounded or has four decimals.
    source: "community's current form"
    example: "60 % of oxygen, pCO2 41.3333, pO2 90: 286.133375 / 286.1334 / 286.1334"
unresolved:
  - says: match bedside oxygen within the stay
    reason: a laboratory result names no stay
  - says: 21 % without any charted oxygen when room air is documented
    reason: no item documents room air; the device None may stand beside others
  - says: physiological ranges per analyte
    reason: no range is stated
*/
-- Blood gases with the oxygen given shortly before.
WITH gas_result AS (
  -- rule 1: results without a number stay, they may still name a member of the specimen
  SELECT subject_id, hadm_id, charttime, specimen_id, itemid, value, valuenum
  FROM mimiciv_hosp.labevents
  WHERE itemid IN (
      52033, -- Specimen Type, text
      50801, -- Alveolar-arterial Gradient, mmHg
      50802, -- Base Excess, mEq/L
      50803, -- Calculated Bicarbonate, Whole Blood, mEq/L
      50804, -- Calculated Total CO2, mEq/L
      50805, -- Carboxyhemoglobin, %
      50806, -- Chloride, Whole Blood, mEq/L; newer 52434
      50807, -- Comments, member of the specimen only
      50808, -- Free Calcium, mmol/L
      50809, -- Glucose, mg/dL
      50810, -- Hematocrit, Calculated, %
      50811, -- Hemoglobin, g/dL
      50813, -- Lactate, mmol/L; newer 52442
      50814, -- Methemoglobin, %
      50815, -- O2 Flow, member of the specimen only
      50816, -- Oxygen (inspired fraction), % or fraction
      50817, -- Oxygen Saturation, %
      50818, -- pCO2, mmHg
      50819, -- PEEP, member of the specimen only
      50820, -- pH
      50821, -- pO2, mmHg
      50822, -- Potassium, Whole Blood, mEq/L; newer 52452
      50823, -- Required O2, member of the specimen only
      50824, -- Sodium, Whole Blood, mEq/L; newer 52455
      50825 -- Temperature, °C
    )
    OR $further_result
),
specimen_gas AS (
  -- rules 1 and 2
  SELECT
    max(subject_id) AS subject_id,
    max(hadm_id) AS hadm_id,
    max(charttime) AS charttime,
    specimen_id,
    max(CASE WHEN itemid = 52033 THEN $specimen_read END) AS specimen,
    max(CASE WHEN itemid = 50801 THEN valuenum END) AS aado2,
    max(CASE WHEN itemid = 50802 THEN valuenum END) AS baseexcess,
    max(CASE WHEN itemid = 50803 THEN valuenum END) AS bicarbonate,
    max(CASE WHEN itemid = 50804 THEN valuenum END) AS totalco2,
    max(CASE WHEN itemid = 50805 THEN valuenum END) AS carboxyhemoglobin,
    max(CASE WHEN itemid IN (50806, 52434) THEN valuenum END) AS chloride,
    max(CASE WHEN itemid = 50808 THEN valuenum END) AS calcium,
    max(CASE WHEN itemid = 50809 AND valuenum <= 10000 THEN valuenum END) AS glucose,
    max(CASE WHEN itemid = 50810 AND valuenum <= 100 THEN valuenum END) AS hematocrit,
    max(CASE WHEN itemid = 50811 THEN valuenum END) AS hemoglobin,
    max(CASE WHEN itemid IN (50813, 52442) AND valuenum <= 10000 THEN valuenum END) AS lactate,
    max(CASE WHEN itemid = 50814 THEN valuenum END) AS methemoglobin,
    max(CASE WHEN itemid = 50816 THEN $laboratory_percent(valuenum) END) AS fio2,
    max(CASE WHEN itemid = 50817 AND valuenum <= 100 THEN valuenum END) AS so2,
    max(CASE WHEN itemid = 50818 THEN valuenum END) AS pco2,
    max(CASE WHEN itemid = 50820 THEN valuenum END) AS ph,
    max(CASE WHEN itemid = 50821 THEN valuenum END) AS po2,
    max(CASE WHEN itemid IN (50822, 52452) THEN valuenum END) AS potassium,
    max(CASE WHEN itemid IN (50824, 52455) THEN valuenum END) AS sodium,
    max(CASE WHEN itemid = 50825 THEN valuenum END) AS temperature
  FROM gas_result
  GROUP BY specimen_id
  HAVING $specimen_kept
),
numbered_gas AS (
  -- rule 5
  SELECT
    subject_id, hadm_id, charttime, specimen, so2, po2, pco2, fio2,
    aado2, ph, baseexcess, bicarbonate, totalco2, hematocrit, hemoglobin, carboxyhemoglobin,
    methemoglobin, chloride, calcium, temperature, potassium, sodium, lactate, glucose,
    row_number() OVER (PARTITION BY subject_id, charttime ORDER BY specimen_id) AS place
  FROM specimen_gas
),
gas AS (
  -- rule 5: where one of the specimens of a time survives, it is the smallest identifier, whole
  SELECT
    subject_id, hadm_id, charttime, specimen, so2, po2, pco2, fio2,
    aado2, ph, baseexcess, bicarbonate, totalco2, hematocrit, hemoglobin, carboxyhemoglobin,
    methemoglobin, chloride, calcium, temperature, potassium, sodium, lactate, glucose
  FROM numbered_gas
  WHERE $gas_kept
),
charted_oxygen AS (
  -- rule 3
  SELECT
    subject_id,
    charttime,
    max($bedside_percent(valuenum)) AS fio2
  FROM mimiciv_icu.chartevents
  WHERE itemid = 223835 -- Inspired O2 Fraction, % or fraction
  GROUP BY subject_id, charttime
),
usable_oxygen AS (
  -- rule 3: times whose entries are all void are passed over
  SELECT subject_id, charttime, fio2
  FROM charted_oxygen
  WHERE fio2 IS NOT NULL
),
moment AS (
  -- one axis of gas times and oxygen times, so that the latest oxygen time needs a single sweep
  SELECT subject_id, charttime, CAST(NULL AS TIMESTAMP) AS oxygen_time FROM gas
  UNION ALL
  SELECT subject_id, charttime, charttime AS oxygen_time FROM usable_oxygen
),
latest_oxygen AS (
  -- rule 6: peers of the same charttime count
  SELECT DISTINCT
    subject_id,
    charttime,
    max(oxygen_time) OVER (
      PARTITION BY subject_id ORDER BY charttime
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS oxygen_time
  FROM moment
),
supported_gas AS (
  -- rules 6 and 7: oxygen charted at most four hours earlier, both ends included
  SELECT
    gas.subject_id, gas.hadm_id, gas.charttime, gas.specimen, gas.so2, gas.po2, gas.pco2,
    usable_oxygen.fio2 AS fio2_chartevents,
    gas.fio2,
    coalesce(gas.fio2, usable_oxygen.fio2) AS inspired,
    gas.aado2, gas.ph, gas.baseexcess, gas.bicarbonate, gas.totalco2, gas.hematocrit,
    gas.hemoglobin, gas.carboxyhemoglobin, gas.methemoglobin, gas.chloride, gas.calcium,
    gas.temperature, gas.potassium, gas.sodium, gas.lactate, gas.glucose
  FROM gas
  LEFT JOIN latest_oxygen
    ON latest_oxygen.subject_id = gas.subject_id
    AND latest_oxygen.charttime = gas.charttime
  LEFT JOIN usable_oxygen
    ON usable_oxygen.subject_id = gas.subject_id
    AND usable_oxygen.charttime = latest_oxygen.oxygen_time
    AND usable_oxygen.charttime >= gas.charttime - INTERVAL 4 HOUR
)
SELECT
  subject_id,
  hadm_id,
  charttime,
  specimen,
  so2,
  po2,
  pco2,
  fio2_chartevents,
  fio2,
  aado2,
  -- rule 8: 713 = 760 mmHg at sea level less 47 mmHg of water vapour
  CASE WHEN $arterial THEN $gradient END AS aado2_calc,
  -- rule 9
  CASE WHEN $arterial THEN 100 * po2 / inspired END AS pao2fio2ratio,
  ph,
  baseexcess,
  bicarbonate,
  totalco2,
  hematocrit,
  hemoglobin,
  carboxyhemoglobin,
  methemoglobin,
  chloride,
  calcium,
  temperature,
  potassium,
  sodium,
  lactate,
  glucose
FROM supported_gas
