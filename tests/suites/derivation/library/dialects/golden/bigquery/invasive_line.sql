-- invasive_line: Invasive vascular, cardiac and intracranial lines
-- one row per charted line procedure; published convention
-- reads mimiciv_icu.d_items, mimiciv_icu.procedureevents
/* Line procedures as charted, with the names of devices and sites unified by exact text. */
WITH line AS (
  SELECT
    procedure.stay_id,
    (
      item.label
    ) AS label,
    (
      procedure.location
    ) AS location,
    procedure.starttime,
    procedure.endtime
  FROM mimiciv_icu.procedureevents AS procedure
  /* rule 1 */
  INNER JOIN mimiciv_icu.d_items AS item
    ON item.itemid = procedure.itemid
  WHERE
    procedure.itemid IN (
      227719, /* AVA */
      225752, /* Arterial Line */
      224269, /* CCO PAC */
      224267, /* Cordis/Introducer */
      224270, /* Dialysis Catheter */
      224272, /* IABP line */
      226124, /* ICP Catheter */
      228169, /* Impella Line */
      225202, /* Indwelling Port (PortaCath) */
      228286, /* Intraosseous Device */
      225204, /* Midline */
      224263, /* Multi Lumen */
      224560, /* PA Catheter */
      224264, /* PICC Line */
      225203, /* Pheresis Catheter */
      224273, /* Presep Catheter */
      225789, /* Sheath (Venous) */
      225761, /* Sheath Insertion */
      228201, /* Tandem Heart Inflow Line */
      228202, /* Tandem Heart Outflow Line */
      224268, /* Trauma line */
      225199, /* Triple Introducer */
      225315, /* Tunneled (Hickman) Line */
      225205 /* RIC */
    )
)
/* rule 3: nothing is merged */
SELECT
  stay_id,
  CASE
    WHEN label IN ('Arterial Line', 'A-Line')
    THEN 'Arterial'
    WHEN label IN ('CCO PA Line', 'CCO PAC')
    THEN 'Continuous Cardiac Output PA'
    WHEN label IN ('Dialysis Catheter', 'Dialysis Line')
    THEN 'Dialysis'
    WHEN label IN ('Hickman', 'Tunneled (Hickman) Line')
    THEN 'Hickman'
    WHEN label IN ('IABP', 'IABP line')
    THEN 'IABP'
    WHEN label IN ('Multi Lumen', 'Multi-lumen')
    THEN 'Multi Lumen'
    WHEN label IN ('PA Catheter', 'PA line')
    THEN 'PA'
    WHEN label IN ('PICC Line', 'PICC line')
    THEN 'PICC'
    WHEN label IN ('Pre-Sep Catheter', 'Presep Catheter')
    THEN 'Pre-Sep'
    WHEN label IN ('Trauma Line', 'Trauma line')
    THEN 'Trauma'
    WHEN label IN ('Triple Introducer', 'TripleIntroducer')
    THEN 'Triple Introducer'
    WHEN label IN ('Portacath', 'Indwelling Port (PortaCath)')
    THEN 'Portacath'
    ELSE label
  END AS line_type, /* rule 2: by the label of the dictionary at hand, as releases rename items */
  CASE
    WHEN location IN ('Left Antecub', 'Left Antecube')
    THEN 'Left Antecube'
    WHEN location IN ('Left Axilla', 'Left Axilla.')
    THEN 'Left Axilla'
    WHEN location IN ('Left Brachial', 'Left Brachial.')
    THEN 'Left Brachial'
    WHEN location IN ('Left Femoral', 'Left Femoral.')
    THEN 'Left Femoral'
    WHEN location IN ('Right Antecub', 'Right Antecube')
    THEN 'Right Antecube'
    WHEN location IN ('Right Axilla', 'Right Axilla.')
    THEN 'Right Axilla'
    WHEN location IN ('Right Brachial', 'Right Brachial.')
    THEN 'Right Brachial'
    WHEN location IN ('Right Femoral', 'Right Femoral.')
    THEN 'Right Femoral'
    ELSE location
  END AS line_site,
  starttime,
  endtime
FROM line
;
