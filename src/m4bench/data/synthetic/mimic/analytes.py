# SPDX-License-Identifier: MIT
"""What the laboratory measures: items, units, reference ranges, and how each answers to failing organs.

Values are textbook ranges, not fitted to any data set. Knows no patient and no specimen.
"""

from typing import NamedTuple


class Analyte(NamedTuple):
    """One laboratory item.

    Attributes:
        itemid: the item.
        unit: unit text, None when there is none.
        share: share of its panel's specimens that carry it.
        base: typical healthy value.
        between, within: spread between patients and between draws of one patient; for `log` analytes in
            natural logarithms, else in the unit.
        effects: change at full severity of respiratory, circulatory, renal, hepatic, neurologic, marrow; in
            logarithms for `log` analytes.
        decimals: places it is reported to.
        low, high: bounds the analyser reports within.
        normal: reference range, flagged outside.
        log: whether it is skewed.
    """

    itemid: int
    unit: str | None
    share: float
    base: float
    between: float
    within: float
    effects: tuple[float, float, float, float, float, float]
    decimals: int
    low: float
    high: float
    normal: tuple[float, float]
    log: bool = False


_NONE = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
CREATININE, BILIRUBIN, PLATELETS, INR, PT, PTT = 50912, 50885, 51265, 51237, 51274, 51275
SODIUM = 50983

CHEMISTRY = (
    # Creatinine
    Analyte(50912, "mg/dL", 0.98, 0.85, 0.22, 0.06, (0, 0.15, 2.3, 0, 0, 0), 1, 0.1, 30, (0.5, 1.2), True),
    # Urea Nitrogen
    Analyte(51006, "mg/dL", 0.98, 15, 0.3, 0.08, (0, 0.3, 1.7, 0, 0, 0), 0, 2, 280, (6, 20), True),
    # Sodium
    Analyte(50983, "mEq/L", 0.98, 139.5, 2.6, 1.3, (0, 0, -3, -11, 5, 0), 0, 101, 178, (133, 145)),
    # Potassium
    Analyte(50971, "mEq/L", 0.98, 4.1, 0.25, 0.25, (0, 0.2, 1.3, 0, 0, 0), 1, 2.0, 9.5, (3.3, 5.1)),
    # Chloride
    Analyte(50902, "mEq/L", 0.97, 103, 3, 1.5, (-2, 3, 1, -4, 3, 0), 0, 70, 140, (96, 108)),
    # Bicarbonate
    Analyte(50882, "mEq/L", 0.97, 25.5, 2, 1.2, (3, -9, -6, -2, 0, 0), 0, 5, 50, (22, 32)),
    # Anion Gap
    Analyte(50868, "mEq/L", 0.95, 13, 1.8, 1.4, (0, 8, 5, 2, 0, 0), 0, -3, 45, (8, 20)),
    # Glucose
    Analyte(50931, "mg/dL", 0.95, 118, 0.2, 0.16, (0, 0.35, 0, -0.2, 0.1, 0), 0, 20, 1200, (70, 105), True),
    # Calcium, Total
    Analyte(50893, "mg/dL", 0.75, 8.9, 0.35, 0.25, (0, -0.5, -0.7, -0.4, 0, 0), 1, 4.5, 14, (8.4, 10.3)),
    # Creatinine
    Analyte(52546, "mg/dL", 0.02, 0.9, 0.22, 0.06, (0, 0.15, 2.3, 0, 0, 0), 1, 0.1, 30, (0.5, 1.2), True),
)  # fmt: skip
HEPATIC_PANEL = (
    # Bilirubin, Total
    Analyte(50885, "mg/dL", 0.97, 0.55, 0.35, 0.08, (0, 0.3, 0, 3.9, 0, 0.2), 1, 0.1, 60, (0.0, 1.5), True),
    # Bilirubin, Direct
    Analyte(50883, "mg/dL", 0.3, 0.2, 0.35, 0.1, (0, 0.2, 0, 4.2, 0, 0), 1, 0.0, 40, (0.0, 0.3), True),
    # Bilirubin, Indirect
    Analyte(50884, "mg/dL", 0.25, 0.35, 0.3, 0.1, (0, 0.2, 0, 3.2, 0, 0), 1, 0.1, 25, (0.0, 1.2), True),
    # Alanine Aminotransferase (ALT)
    Analyte(50861, "IU/L", 0.97, 24, 0.45, 0.12, (0, 1.0, 0, 2.6, 0, 0), 0, 3, 12000, (0, 40), True),
    # Asparate Aminotransferase (AST)
    Analyte(50878, "IU/L", 0.97, 28, 0.45, 0.12, (0, 1.2, 0, 2.8, 0, 0), 0, 4, 18000, (0, 40), True),
    # Alkaline Phosphatase
    Analyte(50863, "IU/L", 0.95, 80, 0.3, 0.08, (0, 0.1, 0, 0.9, 0, 0), 0, 10, 2500, (35, 130), True),
    # Albumin
    Analyte(50862, "g/dL", 0.7, 3.7, 0.4, 0.15, (-0.2, -0.7, -0.3, -1.1, 0, -0.3), 1, 0.9, 5.5, (3.5, 5.2)),
    # Gamma Glutamyltransferase
    Analyte(50927, "IU/L", 0.06, 40, 0.6, 0.1, (0, 0, 0, 1.6, 0, 0), 0, 5, 3000, (8, 61), True),
    # Globulin
    Analyte(50930, "g/dL", 0.05, 2.8, 0.4, 0.1, _NONE, 1, 1.0, 7.0, (2.0, 3.5)),
    # Protein, Total
    Analyte(50976, "g/dL", 0.06, 6.6, 0.5, 0.2, (0, -0.8, 0, -0.6, 0, 0), 1, 3.0, 11, (6.4, 8.3)),
    # Amylase
    Analyte(50867, "IU/L", 0.1, 60, 0.5, 0.15, (0, 0.4, 0.5, 0.2, 0, 0), 0, 10, 4000, (0, 100), True),
    # Lactate Dehydrogenase (LD)
    Analyte(50954, "IU/L", 0.5, 210, 0.25, 0.1, (0.2, 0.8, 0, 1.2, 0, 0.6), 0, 80, 15000, (94, 250), True),
    # Albumin
    Analyte(53085, "g/dL", 0.03, 3.7, 0.4, 0.15, (-0.2, -0.7, -0.3, -1.1, 0, 0), 1, 0.9, 5.5, (3.5, 5.2)),
    # Alanine Aminotransferase (ALT)
    Analyte(53084, "IU/L", 0.03, 24, 0.45, 0.12, (0, 1.0, 0, 2.6, 0, 0), 0, 3, 12000, (0, 40), True),
    # Bilirubin, Total
    Analyte(53089, "mg/dL", 0.03, 0.55, 0.35, 0.08, (0, 0.3, 0, 3.9, 0, 0), 1, 0.1, 60, (0.0, 1.5), True),
)  # fmt: skip
CARDIAC_PANEL = (
    # Creatine Kinase (CK)
    Analyte(50910, "IU/L", 0.95, 110, 0.7, 0.25, (0, 1.6, 0.3, 0, 0.4, 0), 0, 10, 90000, (29, 201), True),
    # Creatine Kinase, MB Isoenzyme
    Analyte(50911, "ng/mL", 0.8, 3, 0.5, 0.25, (0, 1.5, 0.2, 0, 0, 0), 0, 0.5, 500, (0, 10), True),
    # Troponin T
    Analyte(51003, "ng/mL", 0.85, 0.012, 0.7, 0.3, (0.2, 2.6, 0.8, 0, 0.2, 0), 2, 0.01, 25, (0, 0.01), True),
    # NTproBNP
    Analyte(50963, "pg/mL", 0.25, 400, 1.0, 0.2, (0.3, 2.2, 1.2, 0, 0, 0), 0, 5, 70000, (0, 624), True),
    # C-Reactive Protein
    Analyte(50889, "mg/L", 0.1, 8, 0.9, 0.3, (1.2, 1.6, 0.4, 0, 0, 0), 1, 0.1, 500, (0, 5), True),
)  # fmt: skip
BLOOD_COUNT = (
    # Hematocrit
    Analyte(51221, "%", 0.98, 35, 4, 1.4, (0, -3, -4, -5, 0, -8), 1, 12, 60, (36, 48)),
    # Hemoglobin
    Analyte(51222, "g/dL", 0.97, 11.6, 1.4, 0.5, (0, -1, -1.4, -1.7, 0, -2.8), 1, 3.5, 20, (12, 16)),
    # White Blood Cells
    Analyte(51301, "K/uL", 0.97, 9.0, 0.3, 0.14, (0.35, 0.5, 0, 0.1, 0.1, -1.5), 1, 0.1, 140, (4, 11), True),
    # Platelet Count
    Analyte(51265, "K/uL", 0.97, 235, 0.28, 0.07, (0, -0.35, -0.1, -0.75, 0, -3.1), 0, 3, 1200, (150, 440), True),
    # Red Blood Cells
    Analyte(51279, "m/uL", 0.95, 3.9, 0.45, 0.15, (0, -0.3, -0.5, -0.5, 0, -1), 2, 1.2, 7, (4.2, 5.4)),
    # MCV
    Analyte(51250, "fL", 0.95, 90, 5, 0.5, (0, 0, 0, 6, 0, 2), 0, 60, 130, (82, 98)),
    # MCH
    Analyte(51248, "pg", 0.95, 29.8, 2, 0.3, (0, 0, 0, 1.5, 0, 0.5), 1, 17, 45, (27, 32)),
    # MCHC
    Analyte(51249, "%", 0.95, 33, 1.1, 0.4, (0, 0, 0, 0.4, 0, 0), 1, 26, 38, (31, 35)),
    # RDW
    Analyte(51277, "%", 0.95, 14.6, 1.5, 0.2, (0, 0.4, 0.6, 2.5, 0, 1.8), 1, 11, 32, (10.5, 15.5)),
    # RDW-SD
    Analyte(52172, "fL", 0.3, 48, 5, 0.8, (0, 0, 1, 8, 0, 4), 1, 33, 110, (35.1, 46.3)),
    # Platelet Aggregation
    Analyte(52159, None, 0.004, 70, 12, 5, _NONE, 0, 5, 100, (60, 100)),
    # WBC Count
    Analyte(51300, "K/uL", 0.03, 9.0, 0.3, 0.14, (0.35, 0.5, 0, 0, 0, -1.5), 1, 0.1, 140, (4, 11), True),
    # White Blood Cells
    Analyte(51755, "K/uL", 0.01, 9.0, 0.3, 0.14, (0.35, 0.5, 0, 0, 0, -1.5), 1, 0.1, 140, (4, 11), True),
)  # fmt: skip
DIFFERENTIAL = (
    # Neutrophils
    Analyte(51256, "%", 0.97, 74, 8, 4, (6, 9, 0, 0, 0, -25), 1, 0, 98, (50, 70)),
    # Lymphocytes
    Analyte(51244, "%", 0.95, 16, 6, 2.5, (-4, -6, 0, 0, 0, 15), 1, 0, 95, (18, 42)),
    # Lymphocytes, Percent
    Analyte(51245, "%", 0.02, 16, 6, 2.5, (-4, -6, 0, 0, 0, 15), 1, 0, 95, (18, 42)),
    # Monocytes
    Analyte(51254, "%", 0.95, 6.5, 2, 1.0, _NONE, 1, 0, 40, (2, 11)),
    # Eosinophils
    Analyte(51200, "%", 0.93, 1.3, 1.2, 0.5, (0, -0.8, 0, 0, 0, 0), 1, 0, 40, (0, 4)),
    # Basophils
    Analyte(51146, "%", 0.93, 0.4, 0.3, 0.15, _NONE, 1, 0, 6, (0, 2)),
    # Bands
    Analyte(51144, "%", 0.35, 1, 2, 1.5, (2, 7, 0, 0, 0, 0), 0, 0, 45, (0, 5)),
    # Atypical Lymphocytes
    Analyte(51143, "%", 0.3, 0.2, 0.6, 0.4, (0, 0, 0, 0, 0, 1), 0, 0, 20, (0, 0)),
    # Metamyelocytes
    Analyte(51251, "%", 0.3, 0.2, 0.6, 0.5, (0, 1.5, 0, 0, 0, 1), 0, 0, 15, (0, 0)),
    # Immature Granulocytes
    Analyte(52135, "%", 0.3, 0.7, 0.4, 0.2, (0, 1.2, 0, 0, 0, 0), 1, 0, 15, (0, 0.9)),
    # Nucleated Red Cells
    Analyte(51257, "%", 0.2, 0, 0.4, 0.3, (0, 1, 0, 1, 0, 2), 0, 0, 60, (0, 0)),
    # Absolute Neutrophil Count
    Analyte(52075, "K/uL", 0.4, 6.7, 0.35, 0.15, (0.3, 0.5, 0, 0, 0, -1.8), 2, 0, 120, (1.6, 6.1), True),
    # Absolute Lymphocyte Count
    Analyte(51133, "K/uL", 0.38, 1.3, 0.4, 0.15, (-0.3, -0.4, 0, 0, 0, -0.8), 2, 0.02, 60, (1.2, 3.7), True),
    # Absolute Lymphocyte Count
    Analyte(52769, "#/uL", 0.03, 1300, 0.4, 0.15, (-0.3, -0.4, 0, 0, 0, -0.8), 0, 10, 60000, (1200, 3700), True),
    # Absolute Monocyte Count
    Analyte(52074, "K/uL", 0.38, 0.6, 0.4, 0.15, (0, 0.2, 0, 0, 0, -0.8), 2, 0, 8, (0.2, 0.8), True),
    # Monocyte Count
    Analyte(51253, "#/uL", 0.02, 600, 0.4, 0.15, (0, 0.2, 0, 0, 0, -0.8), 0, 0, 8000, (200, 800), True),
    # Absolute Eosinophil Count
    Analyte(52073, "K/uL", 0.38, 0.08, 0.6, 0.3, (0, -0.6, 0, 0, 0, 0), 2, 0, 8, (0.04, 0.54), True),
    # Eosinophil Count
    Analyte(51199, "#/uL", 0.02, 80, 0.6, 0.3, (0, -0.6, 0, 0, 0, 0), 0, 0, 8000, (40, 540), True),
    # Absolute Basophil Count
    Analyte(52069, "K/uL", 0.38, 0.03, 0.5, 0.2, _NONE, 2, 0, 1, (0.01, 0.08), True),
    # Granulocyte Count
    Analyte(51218, "#/uL", 0.04, 6700, 0.35, 0.15, (0.3, 0.5, 0, 0, 0, -1.8), 0, 0, 120000, (2000, 7500), True),
)  # fmt: skip
COAGULATION = (
    # INR(PT)
    Analyte(51237, None, 0.98, 1.12, 0.09, 0.03, (0, 0.15, 0, 1.65, 0, 0.1), 1, 0.8, 20, (0.9, 1.1), True),
    # PT
    Analyte(51274, "sec", 0.98, 12.6, 0.09, 0.03, (0, 0.15, 0, 1.6, 0, 0.1), 1, 9, 150, (9.4, 12.5), True),
    # PTT
    Analyte(51275, "sec", 0.96, 30, 0.16, 0.08, (0, 0.25, 0, 0.8, 0, 0.1), 1, 18, 150, (25, 36.5), True),
    # Fibrinogen, Functional
    Analyte(51214, "mg/dL", 0.2, 380, 0.3, 0.1, (0.2, 0.1, 0, -1.5, 0, -0.2), 0, 30, 1100, (180, 400), True),
    # D-Dimer
    Analyte(51196, "ng/mL FEU", 0.08, 900, 0.9, 0.2, (0.5, 1.2, 0, 0.8, 0, 0.4), 0, 150, 50000, (0, 500), True),
    # Thrombin
    Analyte(51297, "sec", 0.04, 17, 0.15, 0.05, (0, 0, 0, 0.4, 0, 0), 1, 11, 150, (14, 21), True),
    # D-Dimer
    Analyte(50915, "ng/mL", 0.01, 900, 0.9, 0.2, (0.5, 1.2, 0, 0.8, 0, 0.4), 0, 150, 50000, (0, 500), True),
    # D-Dimer
    Analyte(52551, "ng/mL DDU", 0.01, 450, 0.9, 0.2, (0.5, 1.2, 0, 0.8, 0, 0.4), 0, 75, 25000, (0, 250), True),
)  # fmt: skip

PANELS: dict[str, tuple[Analyte, ...]] = {
    "chemistry": CHEMISTRY,
    "hepatic": HEPATIC_PANEL,
    "cardiac": CARDIAC_PANEL,
    "count": BLOOD_COUNT,
    "differential": DIFFERENTIAL,
    "coagulation": COAGULATION,
}
