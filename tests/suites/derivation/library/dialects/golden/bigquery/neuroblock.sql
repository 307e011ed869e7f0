-- neuroblock: Infusions of neuromuscular blocking agents
-- one row per charted infusion segment with a rate; published convention
-- reads mimiciv_icu.inputevents
/* Segments of two drugs, which the rows do not tell apart. */
/* rule 2 */
SELECT
  stay_id,
  orderid,
  rate AS drug_rate,
  amount AS drug_amount,
  starttime,
  endtime
FROM mimiciv_icu.inputevents
WHERE
  itemid IN (222062, 221555)
  AND NOT rate IS NULL /* rule 1: a bolus is dropped, under the published form a rate of zero is kept */
;
