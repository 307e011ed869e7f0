-- Serum creatinine, in mg/dL, at which an equation gives a filtration rate of 75 mL/min/1.73 m2.

-- Simplified MDRD (Levey et al., 2000), no factor of race.
CREATE MACRO mdrd_creatinine(is_woman, years) AS
    POWER(
        CAST(75 AS DOUBLE) / CAST(186 AS DOUBLE) / POWER(years, -CAST(0.203 AS DOUBLE))
        / CASE WHEN is_woman THEN CAST(0.742 AS DOUBLE) ELSE CAST(1 AS DOUBLE) END,
        -CAST(1 AS DOUBLE) / CAST(1.154 AS DOUBLE)
    );

-- Share of 75 in what CKD-EPI 2021 gives at the knot of its curve, 0.7 mg/dL for women and 0.9 for men.
CREATE MACRO ckd_epi_2021_share(is_woman, years) AS
    CAST(75 AS DOUBLE) / (
        CAST(142 AS DOUBLE) * POWER(CAST(0.9938 AS DOUBLE), years)
        * CASE WHEN is_woman THEN CAST(1.012 AS DOUBLE) ELSE CAST(1 AS DOUBLE) END
    );

-- CKD-EPI 2021 (Inker et al.): above its knot the curve falls with the power 1.2, below it with that of the sex.
CREATE MACRO ckd_epi_2021_creatinine(is_woman, years) AS
    CASE WHEN is_woman THEN CAST(0.7 AS DOUBLE) ELSE CAST(0.9 AS DOUBLE) END
    * POWER(
        ckd_epi_2021_share(is_woman, years),
        -CAST(1 AS DOUBLE) / CASE
            WHEN ckd_epi_2021_share(is_woman, years) < 1 THEN CAST(1.2 AS DOUBLE)
            WHEN is_woman THEN CAST(0.241 AS DOUBLE)
            ELSE CAST(0.302 AS DOUBLE)
        END
    );
