-- bg: Blood gases with inspired oxygen and derived oxygenation
-- one row per patient and charttime with at least one specimen that has a pO2; published convention
-- reads mimiciv_hosp.labevents, mimiciv_icu.chartevents
/* Blood gases with the oxygen given shortly before. */
WITH gas_result AS (
  /* rule 1: results without a number stay, they may still name a member of the specimen */
  SELECT
    subject_id,
    hadm_id,
    charttime,
    specimen_id,
    itemid,
    value,
    valuenum
  FROM mimiciv_hosp.labevents
  WHERE
    itemid IN (
      52033, /* Specimen Type, text */
      50801, /* Alveolar-arterial Gradient, mmHg */
      50802, /* Base Excess, mEq/L */
      50803, /* Calculated Bicarbonate, Whole Blood, mEq/L */
      50804, /* Calculated Total CO2, mEq/L */
      50805, /* Carboxyhemoglobin, % */
      50806, /* Chloride, Whole Blood, mEq/L; newer 52434 */
      50807, /* Comments, member of the specimen only */
      50808, /* Free Calcium, mmol/L */
      50809, /* Glucose, mg/dL */
      50810, /* Hematocrit, Calculated, % */
      50811, /* Hemoglobin, g/dL */
      50813, /* Lactate, mmol/L; newer 52442 */
      50814, /* Methemoglobin, % */
      50815, /* O2 Flow, member of the specimen only */
      50816, /* Oxygen (inspired fraction), % or fraction */
      50817, /* Oxygen Saturation, % */
      50818, /* pCO2, mmHg */
      50819, /* PEEP, member of the specimen only */
      50820, /* pH */
      50821, /* pO2, mmHg */
      50822, /* Potassium, Whole Blood, mEq/L; newer 52452 */
      50823, /* Required O2, member of the specimen only */
      50824, /* Sodium, Whole Blood, mEq/L; newer 52455 */
      50825 /* Temperature, °C */
    )
    OR FALSE
), specimen_gas AS (
  /* rules 1 and 2 */
  SELECT
    MAX(subject_id) AS subject_id,
    MAX(hadm_id) AS hadm_id,
    MAX(charttime) AS charttime,
    specimen_id,
    MAX(CASE WHEN itemid = 52033 THEN value END) AS specimen,
    MAX(CASE WHEN itemid = 50801 THEN valuenum END) AS aado2,
    MAX(CASE WHEN itemid = 50802 THEN valuenum END) AS baseexcess,
    MAX(CASE WHEN itemid = 50803 THEN valuenum END) AS bicarbonate,
    MAX(CASE WHEN itemid = 50804 THEN valuenum END) AS totalco2,
    MAX(CASE WHEN itemid = 50805 THEN valuenum END) AS carboxyhemoglobin,
    MAX(CASE WHEN itemid IN (50806, 52434) THEN valuenum END) AS chloride,
    MAX(CASE WHEN itemid = 50808 THEN valuenum END) AS calcium,
    MAX(CASE WHEN itemid = 50809 AND valuenum <= 10000 THEN valuenum END) AS glucose,
    MAX(CASE WHEN itemid = 50810 AND valuenum <= 100 THEN valuenum END) AS hematocrit,
    MAX(CASE WHEN itemid = 50811 THEN valuenum END) AS hemoglobin,
    MAX(CASE WHEN itemid IN (50813, 52442) AND valuenum <= 10000 THEN valuenum END) AS lactate,
    MAX(CASE WHEN itemid = 50814 THEN valuenum END) AS methemoglobin,
    MAX(
      CASE
        WHEN itemid = 50816
        THEN (
          CASE
            WHEN valuenum > 20 AND valuenum <= 100
            THEN valuenum
            WHEN valuenum > 0.2 AND valuenum <= 1.0
            THEN valuenum * 100
          END
        )
      END
    ) AS fio2,
    MAX(CASE WHEN itemid = 50817 AND valuenum <= 100 THEN valuenum END) AS so2,
    MAX(CASE WHEN itemid = 50818 THEN valuenum END) AS pco2,
    MAX(CASE WHEN itemid = 50820 THEN valuenum END) AS ph,
    MAX(CASE WHEN itemid = 50821 THEN valuenum END) AS po2,
    MAX(CASE WHEN itemid IN (50822, 52452) THEN valuenum END) AS potassium,
    MAX(CASE WHEN itemid IN (50824, 52455) THEN valuenum END) AS sodium,
    MAX(CASE WHEN itemid = 50825 THEN valuenum END) AS temperature
  FROM gas_result
  GROUP BY
    specimen_id
  HAVING
    NOT MAX(CASE WHEN itemid = 50821 THEN valuenum END) IS NULL
), numbered_gas AS (
  /* rule 5 */
  SELECT
    subject_id,
    hadm_id,
    charttime,
    specimen,
    so2,
    po2,
    pco2,
    fio2,
    aado2,
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
    glucose,
    ROW_NUMBER() OVER (PARTITION BY subject_id, charttime ORDER BY specimen_id IS NULL ASC, specimen_id) AS place
  FROM specimen_gas
), gas AS (
  /* rule 5: where one of the specimens of a time survives, it is the smallest identifier, whole */
  SELECT
    subject_id,
    hadm_id,
    charttime,
    specimen,
    so2,
    po2,
    pco2,
    fio2,
    aado2,
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
  FROM numbered_gas
  WHERE
    place = 1
), charted_oxygen AS (
  /* rule 3 */
  SELECT
    subject_id,
    charttime,
    MAX(
      (
        CASE
          WHEN valuenum > 0.2 AND valuenum <= 1
          THEN valuenum * 100
          WHEN valuenum >= 20 AND valuenum <= 100
          THEN valuenum
        END
      )
    ) AS fio2
  FROM mimiciv_icu.chartevents
  WHERE
    itemid = 223835 /* Inspired O2 Fraction, % or fraction */
  GROUP BY
    subject_id,
    charttime
), usable_oxygen AS (
  /* rule 3: times whose entries are all void are passed over */
  SELECT
    subject_id,
    charttime,
    fio2
  FROM charted_oxygen
  WHERE
    NOT fio2 IS NULL
), moment AS (
  /* one axis of gas times and oxygen times, so that the latest oxygen time needs a single sweep */
  SELECT
    subject_id,
    charttime,
    CAST(NULL AS DATETIME) AS oxygen_time
  FROM gas
  UNION ALL
  SELECT
    subject_id,
    charttime,
    charttime AS oxygen_time
  FROM usable_oxygen
), latest_oxygen AS (
  /* rule 6: peers of the same charttime count */
  SELECT DISTINCT
    subject_id,
    charttime,
    MAX(oxygen_time) OVER (
      PARTITION BY subject_id
      ORDER BY charttime IS NULL ASC, charttime
      RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS oxygen_time
  FROM moment
), supported_gas AS (
  /* rules 6 and 7: oxygen charted at most four hours earlier, both ends included */
  SELECT
    gas.subject_id,
    gas.hadm_id,
    gas.charttime,
    gas.specimen,
    gas.so2,
    gas.po2,
    gas.pco2,
    usable_oxygen.fio2 AS fio2_chartevents,
    gas.fio2,
    COALESCE(gas.fio2, usable_oxygen.fio2) AS inspired,
    gas.aado2,
    gas.ph,
    gas.baseexcess,
    gas.bicarbonate,
    gas.totalco2,
    gas.hematocrit,
    gas.hemoglobin,
    gas.carboxyhemoglobin,
    gas.methemoglobin,
    gas.chloride,
    gas.calcium,
    gas.temperature,
    gas.potassium,
    gas.sodium,
    gas.lactate,
    gas.glucose
  FROM gas
  LEFT JOIN latest_oxygen
    ON latest_oxygen.subject_id = gas.subject_id AND latest_oxygen.charttime = gas.charttime
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
  CASE WHEN TRUE THEN (
    inspired / CAST(100 AS FLOAT64)
  ) * 713 - pco2 / CAST(0.8 AS FLOAT64) - po2 END AS aado2_calc, /* rule 8: 713 = 760 mmHg at sea level less 47 mmHg of water vapour */
  CASE WHEN TRUE THEN IEEE_DIVIDE(100 * po2, inspired) END AS pao2fio2ratio, /* rule 9 */
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
;
