# SPDX-License-Identifier: MIT
"""What the laboratory measures: items, units, reference ranges, and how each answers to failing organs.

Values are textbook ranges; medians of the common ones are brought near those of the open demo. Items that no
derivation reads have numbers from EXTRA_ITEMS on, beyond those of the release. Knows no patient, no specimen.
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
        kin: name of the analytes whose offsets it shares in the main; '' when it goes its own way.
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
    kin: str = ""


_NONE = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
CREATININE, BILIRUBIN, PLATELETS, INR, PT, PTT = 50912, 50885, 51265, 51237, 51274, 51275
SODIUM, POTASSIUM, CHLORIDE, BICARBONATE, ANION_GAP = 50983, 50971, 50902, 50882, 50868
HEMATOCRIT, HEMOGLOBIN, RED_CELLS, MCV, MCH, MCHC = 51221, 51222, 51279, 51250, 51248, 51249
WHITE_CELLS, NEUTROPHILS = 51301, 51256
BILIRUBIN_DIRECT, BILIRUBIN_INDIRECT = 50883, 50884
EXTRA_ITEMS = 54_001
"""First number of items that no derivation reads: the released dictionary ends before it."""

CHEMISTRY = (
    # Creatinine
    Analyte(50912, "mg/dL", 0.98, 0.66, 0.32, 0.07, (0, 0.15, 2.3, 0, 0, 0), 1, 0.1, 30, (0.5, 1.2), True, "kidney"),
    # Urea Nitrogen
    Analyte(51006, "mg/dL", 0.98, 12.5, 0.42, 0.1, (0, 0.3, 1.7, 0, 0, 0), 0, 2, 280, (6, 20), True, "kidney"),
    # Sodium
    Analyte(50983, "mEq/L", 0.98, 138.5, 3.2, 1.6, (0, 0, -3, -11, 5, 0), 0, 101, 178, (133, 145)),
    # Potassium
    Analyte(50971, "mEq/L", 0.98, 3.9, 0.36, 0.3, (0, 0.15, 0.95, 0, 0, 0), 1, 2.0, 9.5, (3.3, 5.1)),
    # Chloride
    Analyte(50902, "mEq/L", 0.97, 103, 3, 1.5, (-2, 3, 1, -4, 3, 0), 0, 70, 140, (96, 108)),
    # Bicarbonate
    Analyte(50882, "mEq/L", 0.97, 27, 2.6, 1.5, (3, -9, -6, -2, 0, 0), 0, 5, 50, (22, 32)),
    # Anion Gap
    Analyte(50868, "mEq/L", 0.95, 12.5, 2.0, 1.6, (0, 8, 5, 2, 0, 0), 0, -3, 45, (8, 20)),
    # Glucose
    Analyte(50931, "mg/dL", 0.95, 104, 0.25, 0.24, (0, 0.35, 0, -0.2, 0.1, 0), 0, 20, 1200, (70, 105), True),
    # Calcium, Total
    Analyte(50893, "mg/dL", 0.75, 8.6, 0.5, 0.28, (0, -0.5, -0.7, -0.4, 0, 0), 1, 4.5, 14, (8.4, 10.3)),
    # Creatinine
    Analyte(52546, "mg/dL", 0.02, 0.72, 0.32, 0.07, (0, 0.15, 2.3, 0, 0, 0), 1, 0.1, 30, (0.5, 1.2), True),
)  # fmt: skip
HEPATIC_PANEL = (
    # Bilirubin, Total
    Analyte(50885, "mg/dL", 0.97, 0.38, 0.5, 0.1, (0, 0.3, 0, 3.9, 0, 0.2), 1, 0.1, 60, (0.0, 1.5), True, "bile"),
    # Bilirubin, Direct
    Analyte(50883, "mg/dL", 0.08, 0.14, 0.5, 0.12, (0, 0.2, 0, 4.2, 0, 0), 1, 0.0, 40, (0.0, 0.3), True, "bile"),
    # Bilirubin, Indirect
    Analyte(50884, "mg/dL", 0.07, 0.24, 0.4, 0.1, (0, 0.2, 0, 3.2, 0, 0), 1, 0.1, 25, (0.0, 1.2), True, "bile"),
    # Alanine Aminotransferase (ALT)
    Analyte(50861, "IU/L", 0.97, 16, 0.6, 0.15, (0, 1.0, 0, 2.6, 0, 0), 0, 3, 12000, (0, 40), True, "liver cells"),
    # Asparate Aminotransferase (AST)
    Analyte(50878, "IU/L", 0.97, 20, 0.55, 0.15, (0, 1.2, 0, 2.8, 0, 0), 0, 4, 18000, (0, 40), True, "liver cells"),
    # Alkaline Phosphatase
    Analyte(50863, "IU/L", 0.95, 82, 0.42, 0.1, (0, 0.1, 0, 0.9, 0, 0), 0, 10, 2500, (35, 130), True),
    # Albumin
    Analyte(50862, "g/dL", 0.45, 4.0, 0.5, 0.18, (-0.6, -1.1, -0.4, -1.3, 0, -0.4), 1, 0.9, 5.5, (3.5, 5.2)),
    # Gamma Glutamyltransferase
    Analyte(50927, "IU/L", 0.06, 40, 0.6, 0.1, (0, 0, 0, 1.6, 0, 0), 0, 5, 3000, (8, 61), True),
    # Globulin
    Analyte(50930, "g/dL", 0.05, 2.8, 0.4, 0.1, _NONE, 1, 1.0, 7.0, (2.0, 3.5)),
    # Protein, Total
    Analyte(50976, "g/dL", 0.06, 6.8, 0.6, 0.25, (0, -0.8, 0, -0.6, 0, 0), 1, 3.0, 11, (6.4, 8.3)),
    # Amylase
    Analyte(50867, "IU/L", 0.05, 58, 0.5, 0.15, (0, 0.4, 0.5, 0.2, 0, 0), 0, 10, 4000, (0, 100), True),
    # Lactate Dehydrogenase (LD)
    Analyte(50954, "IU/L", 0.5, 200, 0.35, 0.12, (0.2, 0.8, 0, 1.2, 0, 0.6), 0, 80, 15000, (94, 250), True),
    # Albumin
    Analyte(53085, "g/dL", 0.03, 3.7, 0.4, 0.15, (-0.2, -0.7, -0.3, -1.1, 0, 0), 1, 0.9, 5.5, (3.5, 5.2)),
    # Alanine Aminotransferase (ALT)
    Analyte(53084, "IU/L", 0.03, 24, 0.45, 0.12, (0, 1.0, 0, 2.6, 0, 0), 0, 3, 12000, (0, 40), True),
    # Bilirubin, Total
    Analyte(53089, "mg/dL", 0.03, 0.55, 0.35, 0.08, (0, 0.3, 0, 3.9, 0, 0), 1, 0.1, 60, (0.0, 1.5), True),
)  # fmt: skip
CARDIAC_PANEL = (
    # Creatine Kinase (CK)
    Analyte(50910, "IU/L", 0.6, 75, 1.0, 0.35, (0, 1.6, 0.3, 0, 0.4, 0), 0, 10, 90000, (29, 201), True),
    # Creatine Kinase, MB Isoenzyme
    Analyte(50911, "ng/mL", 0.5, 2.6, 0.8, 0.35, (0, 1.5, 0.2, 0, 0, 0), 0, 0.5, 500, (0, 10), True),
    # Troponin T
    Analyte(51003, "ng/mL", 0.6, 0.016, 1.2, 0.5, (0.2, 3.6, 0.8, 0, 0.2, 0), 2, 0.01, 25, (0, 0.01), True),
    # NTproBNP
    Analyte(50963, "pg/mL", 0.25, 900, 1.2, 0.25, (0.3, 2.2, 1.2, 0, 0, 0), 0, 5, 70000, (0, 624), True),
    # C-Reactive Protein
    Analyte(50889, "mg/L", 0.1, 8, 0.9, 0.3, (1.2, 1.6, 0.4, 0, 0, 0), 1, 0.1, 500, (0, 5), True),
)  # fmt: skip
BLOOD_COUNT = (
    # Hematocrit
    Analyte(51221, "%", 0.98, 34.2, 4.8, 1.7, (0, -3, -4, -5, 0, -8), 1, 12, 60, (36, 48)),
    # Hemoglobin
    Analyte(51222, "g/dL", 0.97, 11.6, 1.4, 0.5, (0, -1, -1.4, -1.7, 0, -2.8), 1, 3.5, 20, (12, 16)),
    # White Blood Cells
    Analyte(51301, "K/uL", 0.97, 8.7, 0.42, 0.17, (0.4, 0.6, 0, 0.1, 0.1, -1.6), 1, 0.1, 140, (4, 11), True),
    # Platelet Count
    Analyte(51265, "K/uL", 0.97, 310, 0.42, 0.1, (0, -0.35, -0.1, -0.75, 0, -3.1), 0, 3, 1200, (150, 440), True),
    # Red Blood Cells
    Analyte(51279, "m/uL", 0.95, 3.9, 0.45, 0.15, (0, -0.3, -0.5, -0.5, 0, -1), 2, 1.2, 7, (4.2, 5.4)),
    # MCV
    Analyte(51250, "fL", 0.95, 90.5, 6, 0.6, (0, 0, 0, 6, 0, 2), 0, 60, 130, (82, 98)),
    # MCH
    Analyte(51248, "pg", 0.95, 29.8, 2, 0.3, (0, 0, 0, 1.5, 0, 0.5), 1, 17, 45, (27, 32)),
    # MCHC
    Analyte(51249, "%", 0.95, 32.7, 1.2, 0.5, (0, 0, 0, 0.4, 0, 0), 1, 26, 38, (31, 35)),
    # RDW
    Analyte(51277, "%", 0.95, 14.9, 2, 0.25, (0, 0.4, 0.6, 2.5, 0, 1.8), 1, 11, 32, (10.5, 15.5)),
    # RDW-SD
    Analyte(52172, "fL", 0.55, 48, 5, 0.8, (0, 0, 1, 8, 0, 4), 1, 33, 110, (35.1, 46.3)),
    # Platelet Aggregation
    Analyte(52159, None, 0.004, 70, 12, 5, _NONE, 0, 5, 100, (60, 100)),
    # WBC Count
    Analyte(51300, "K/uL", 0.03, 8.6, 0.42, 0.17, (0.35, 0.5, 0, 0, 0, -1.5), 1, 0.1, 140, (4, 11), True),
    # White Blood Cells
    Analyte(51755, "K/uL", 0.01, 8.6, 0.42, 0.17, (0.35, 0.5, 0, 0, 0, -1.5), 1, 0.1, 140, (4, 11), True),
)  # fmt: skip
DIFFERENTIAL = (
    # Neutrophils
    Analyte(51256, "%", 0.97, 70, 10, 5, (6, 9, 0, 0, 0, -25), 1, 0, 98, (50, 70)),
    # Lymphocytes
    Analyte(51244, "%", 0.95, 17, 8, 3, (-4, -6, 0, 0, 0, 15), 1, 0, 95, (18, 42)),
    # Lymphocytes, Percent
    Analyte(51245, "%", 0.02, 16, 6, 2.5, (-4, -6, 0, 0, 0, 15), 1, 0, 95, (18, 42)),
    # Monocytes
    Analyte(51254, "%", 0.95, 6.5, 2.8, 1.3, _NONE, 1, 0, 40, (2, 11)),
    # Eosinophils
    Analyte(51200, "%", 0.93, 1.0, 1.8, 0.8, (0, -0.8, 0, 0, 0, 0), 1, 0, 40, (0, 4)),
    # Basophils
    Analyte(51146, "%", 0.93, 0.4, 0.3, 0.15, _NONE, 1, 0, 6, (0, 2)),
    # Bands
    Analyte(51144, "%", 0.35, 0, 1.5, 1.2, (2, 7, 0, 0, 0, 0), 0, 0, 45, (0, 5)),
    # Atypical Lymphocytes
    Analyte(51143, "%", 0.3, 0, 0.5, 0.4, (0, 0, 0, 0, 0, 1), 0, 0, 20, (0, 0)),
    # Metamyelocytes
    Analyte(51251, "%", 0.3, 0, 0.6, 0.6, (0, 1.5, 0, 0, 0, 1), 0, 0, 15, (0, 0)),
    # Immature Granulocytes
    Analyte(52135, "%", 0.3, 0.5, 0.3, 0.2, (0, 1.2, 0, 0, 0, 0), 1, 0, 15, (0, 0.9)),
    # Nucleated Red Cells
    Analyte(51257, "%", 0.2, 0, 0.4, 0.3, (0, 1, 0, 1, 0, 2), 0, 0, 60, (0, 0)),
    # Absolute Neutrophil Count
    Analyte(52075, "K/uL", 0.58, 6.7, 0.35, 0.15, (0.3, 0.5, 0, 0, 0, -1.8), 2, 0, 120, (1.6, 6.1), True),
    # Absolute Lymphocyte Count
    Analyte(51133, "K/uL", 0.58, 1.3, 0.4, 0.15, (-0.3, -0.4, 0, 0, 0, -0.8), 2, 0.02, 60, (1.2, 3.7), True),
    # Absolute Lymphocyte Count
    Analyte(52769, "#/uL", 0.03, 1300, 0.4, 0.15, (-0.3, -0.4, 0, 0, 0, -0.8), 0, 10, 60000, (1200, 3700), True),
    # Absolute Monocyte Count
    Analyte(52074, "K/uL", 0.58, 0.6, 0.4, 0.15, (0, 0.2, 0, 0, 0, -0.8), 2, 0, 8, (0.2, 0.8), True),
    # Monocyte Count
    Analyte(51253, "#/uL", 0.02, 600, 0.4, 0.15, (0, 0.2, 0, 0, 0, -0.8), 0, 0, 8000, (200, 800), True),
    # Absolute Eosinophil Count
    Analyte(52073, "K/uL", 0.58, 0.08, 0.6, 0.3, (0, -0.6, 0, 0, 0, 0), 2, 0, 8, (0.04, 0.54), True),
    # Eosinophil Count
    Analyte(51199, "#/uL", 0.02, 80, 0.6, 0.3, (0, -0.6, 0, 0, 0, 0), 0, 0, 8000, (40, 540), True),
    # Absolute Basophil Count
    Analyte(52069, "K/uL", 0.58, 0.03, 0.5, 0.2, _NONE, 2, 0, 1, (0.01, 0.08), True),
    # Granulocyte Count
    Analyte(51218, "#/uL", 0.04, 6700, 0.35, 0.15, (0.3, 0.5, 0, 0, 0, -1.8), 0, 0, 120000, (2000, 7500), True),
)  # fmt: skip
COAGULATION = (
    # INR(PT)
    Analyte(51237, None, 0.98, 1.03, 0.1, 0.03, (0, 0.15, 0, 1.65, 0, 0.1), 1, 0.8, 20, (0.9, 1.1), True, "clotting"),
    # PT
    Analyte(51274, "sec", 0.98, 11.5, 0.1, 0.03, (0, 0.15, 0, 1.6, 0, 0.1), 1, 9, 150, (9.4, 12.5), True, "clotting"),
    # PTT
    Analyte(51275, "sec", 0.96, 28.5, 0.2, 0.1, (0, 0.25, 0, 0.8, 0, 0.1), 1, 18, 150, (25, 36.5), True),
    # Fibrinogen, Functional
    Analyte(51214, "mg/dL", 0.1, 340, 0.4, 0.12, (0.2, 0.1, 0, -1.5, 0, -0.2), 0, 30, 1100, (180, 400), True),
    # D-Dimer
    Analyte(51196, "ng/mL FEU", 0.08, 900, 0.9, 0.2, (0.5, 1.2, 0, 0.8, 0, 0.4), 0, 150, 50000, (0, 500), True),
    # Thrombin
    Analyte(51297, "sec", 0.04, 17, 0.15, 0.05, (0, 0, 0, 0.4, 0, 0), 1, 11, 150, (14, 21), True),
    # D-Dimer
    Analyte(50915, "ng/mL", 0.01, 900, 0.9, 0.2, (0.5, 1.2, 0, 0.8, 0, 0.4), 0, 150, 50000, (0, 500), True),
    # D-Dimer
    Analyte(52551, "ng/mL DDU", 0.01, 450, 0.9, 0.2, (0.5, 1.2, 0, 0.8, 0, 0.4), 0, 75, 25000, (0, 250), True),
)  # fmt: skip

MINERALS = (
    # Magnesium
    Analyte(54001, "mg/dL", 0.92, 2.0, 0.2, 0.15, (0, 0, 0.3, 0, 0, 0), 1, 0.4, 6, (1.6, 2.6)),
    # Phosphate
    Analyte(54002, "mg/dL", 0.88, 3.3, 0.2, 0.15, (0, 0.1, 0.6, 0, 0, 0), 1, 0.5, 15, (2.7, 4.5), True),
    # Haemolysis, lipaemia and icterus indices
    Analyte(54003, None, 0.45, 7, 0.9, 0.5, _NONE, 0, 0, 900, (0, 0), True),
    Analyte(54004, None, 0.45, 10, 0.5, 0.3, _NONE, 0, 0, 900, (0, 0), True),
    Analyte(54005, None, 0.45, 0.6, 0.5, 0.3, (0, 0, 0, 3.5, 0, 0), 0, 0, 60, (0, 0), True),
)  # fmt: skip
SELDOM = (
    # Lipase
    Analyte(54010, "IU/L", 0.5, 34, 0.6, 0.2, (0, 0.3, 0.4, 0.3, 0, 0), 0, 3, 5000, (0, 60), True),
    # Uric Acid
    Analyte(54011, "mg/dL", 0.5, 5.6, 0.35, 0.1, (0, 0, 0.5, 0, 0, 0.2), 1, 0.5, 25, (3.4, 7), True),
    # Haptoglobin
    Analyte(54012, "mg/dL", 0.25, 130, 0.6, 0.1, (0, 0.2, 0, -1, 0, -0.4), 0, 5, 600, (30, 200), True),
    # Ferritin, iron, binding capacity, transferrin
    Analyte(54013, "ng/mL", 0.3, 250, 1.0, 0.1, (0, 0.5, 0, 1, 0, 0.5), 0, 5, 20000, (13, 400), True),
    Analyte(54014, "ug/dL", 0.3, 40, 0.6, 0.15, _NONE, 0, 5, 300, (45, 160), True),
    Analyte(54015, "ug/dL", 0.3, 240, 0.3, 0.05, (0, 0, 0, -0.3, 0, 0), 0, 60, 600, (260, 470), True),
    Analyte(54016, "mg/dL", 0.3, 185, 0.3, 0.05, (0, 0, 0, -0.3, 0, 0), 0, 40, 450, (200, 360), True),
    # Thyroid stimulating hormone, free thyroxine
    Analyte(54017, "uIU/mL", 0.35, 2.0, 0.8, 0.1, _NONE, 2, 0.02, 90, (0.27, 4.2), True),
    Analyte(54018, "ng/dL", 0.15, 1.1, 0.2, 0.05, _NONE, 1, 0.2, 6, (0.93, 1.7), True),
    # Haemoglobin A1c, average glucose from it
    Analyte(54019, "%", 0.3, 6.0, 0.18, 0.03, _NONE, 1, 3.8, 16, (4, 6), True),
    Analyte(54020, "mg/dL", 0.3, 126, 0.25, 0.03, _NONE, 0, 60, 420, (0, 126), True),
    # Cholesterol, HDL, LDL, triglycerides
    Analyte(54021, "mg/dL", 0.3, 165, 0.25, 0.05, _NONE, 0, 50, 500, (0, 199), True),
    Analyte(54022, "mg/dL", 0.3, 48, 0.3, 0.05, _NONE, 0, 10, 120, (41, 120), True),
    Analyte(54023, "mg/dL", 0.3, 95, 0.35, 0.05, _NONE, 0, 10, 350, (0, 129), True),
    Analyte(54024, "mg/dL", 0.35, 120, 0.5, 0.15, _NONE, 0, 25, 3000, (0, 149), True),
    # Osmolality
    Analyte(54025, "mOsm/kg", 0.2, 288, 10, 4, (0, 0, 14, -12, 6, 0), 0, 220, 420, (275, 310)),
    # Vancomycin, digoxin, tacrolimus
    Analyte(54026, "ug/mL", 0.45, 15, 0.4, 0.2, (0, 0, 0.4, 0, 0, 0), 1, 2, 90, (10, 20), True),
    Analyte(54027, "ng/mL", 0.06, 1.0, 0.4, 0.15, (0, 0, 0.4, 0, 0, 0), 1, 0.2, 6, (0.9, 2), True),
    Analyte(54028, "ng/mL", 0.08, 7, 0.4, 0.2, _NONE, 1, 1.5, 30, (5, 20), True),
    # Cortisol, vitamin B12, folate, 25-OH vitamin D
    Analyte(54029, "ug/dL", 0.1, 18, 0.5, 0.15, (0, 0.5, 0, 0, 0, 0), 1, 0.5, 90, (6.2, 19.4), True),
    Analyte(54030, "pg/mL", 0.15, 600, 0.5, 0.05, (0, 0, 0, 0.6, 0, 0), 0, 80, 2000, (240, 900), True),
    Analyte(54031, "ng/mL", 0.12, 13, 0.4, 0.05, _NONE, 1, 2, 20, (2, 20), True),
    Analyte(54032, "ng/mL", 0.1, 29, 0.4, 0.03, _NONE, 0, 4, 90, (30, 60), True),
    # Troponin I and high-sensitivity C-reactive protein: look-alikes of what is used
    Analyte(54033, "ng/mL", 0.05, 0.02, 0.9, 0.3, (0, 2.4, 0.6, 0, 0, 0), 2, 0.01, 50, (0, 0.04), True),
    Analyte(54034, "mg/L", 0.05, 6, 0.9, 0.3, (1.2, 1.6, 0.4, 0, 0, 0), 1, 0.1, 300, (0, 3), True),
    # Reticulocytes, sedimentation rate, myelocytes, blasts
    Analyte(54035, "%", 0.2, 1.9, 0.5, 0.1, (0, 0, 0, 0, 0, -0.5), 1, 0.1, 20, (0.4, 2), True),
    Analyte(54036, "mm/hr", 0.12, 40, 0.7, 0.1, (0.3, 0.4, 0, 0, 0, 0.3), 0, 0, 140, (0, 20), True),
    Analyte(54037, "%", 0.4, 0.1, 0.6, 0.5, (0, 1.5, 0, 0, 0, 1), 0, 0, 15, (0, 0)),
    Analyte(54038, "%", 0.12, 0.1, 0.6, 0.5, (0, 0, 0, 0, 0, 6), 0, 0, 95, (0, 0)),
    # Ammonia, procalcitonin, beta-hydroxybutyrate
    Analyte(54039, "umol/L", 0.15, 32, 0.4, 0.15, (0, 0, 0, 1.3, 0, 0), 0, 10, 400, (10, 60), True),
    Analyte(54040, "ng/mL", 0.08, 0.2, 1.0, 0.3, (0.8, 2.6, 0.6, 0, 0, 0), 2, 0.05, 200, (0, 0.5), True),
    Analyte(54041, "mmol/L", 0.04, 0.3, 0.6, 0.3, _NONE, 1, 0.1, 15, (0, 0.4), True),
)  # fmt: skip
URINE = (
    # Specific gravity, pH, red cells, white cells, epithelial cells, protein
    Analyte(51498, None, 0.97, 1.015, 0.006, 0.003, _NONE, 3, 1.0, 1.05, (1.001, 1.035)),
    Analyte(51491, "units", 0.97, 6.0, 0.7, 0.3, _NONE, 1, 5, 9, (5, 8)),
    Analyte(54050, "#/hpf", 0.8, 4, 1.3, 0.5, _NONE, 0, 0, 182, (0, 2), True),
    Analyte(54051, "#/hpf", 0.8, 6, 1.3, 0.5, _NONE, 0, 0, 182, (0, 5), True),
    Analyte(54052, "#/hpf", 0.8, 1, 0.8, 0.4, _NONE, 0, 0, 40, (0, 0), True),
    Analyte(54053, "mg/dL", 0.6, 30, 0.8, 0.3, (0, 0, 0.8, 0, 0, 0), 0, 0, 600, (0, 0), True),
    Analyte(54054, "mg/dL", 0.5, 1, 0.5, 0.3, _NONE, 1, 0.2, 12, (0.2, 1), True),
    # Creatinine, sodium, potassium, chloride, urea, osmolality of urine
    Analyte(51082, "mg/dL", 0.3, 75, 0.6, 0.3, _NONE, 0, 5, 500, (0, 0), True),
    Analyte(54055, "mEq/L", 0.28, 45, 0.6, 0.3, _NONE, 0, 5, 250, (0, 0), True),
    Analyte(54056, "mEq/L", 0.18, 40, 0.5, 0.3, _NONE, 0, 5, 150, (0, 0), True),
    Analyte(54057, "mEq/L", 0.18, 45, 0.6, 0.3, _NONE, 0, 5, 250, (0, 0), True),
    Analyte(54058, "mg/dL", 0.17, 340, 0.5, 0.3, _NONE, 0, 30, 2000, (0, 0), True),
    Analyte(54059, "mOsm/kg", 0.22, 360, 0.35, 0.15, _NONE, 0, 50, 1300, (0, 0), True),
)  # fmt: skip

PANELS: dict[str, tuple[Analyte, ...]] = {
    "chemistry": CHEMISTRY,
    "hepatic": HEPATIC_PANEL,
    "cardiac": CARDIAC_PANEL,
    "count": BLOOD_COUNT,
    "differential": DIFFERENTIAL,
    "coagulation": COAGULATION,
    "minerals": MINERALS,
    "seldom": SELDOM,
    "urine": URINE,
}
OPTIONAL = frozenset(
    analyte.itemid
    for panel in (MINERALS, SELDOM, URINE)
    for analyte in panel
    if analyte.itemid >= EXTRA_ITEMS
)
"""Items that are left out first where a hospital is drawn thinner."""


class Finding(NamedTuple):
    """An item whose result is a word: its share of its panel's specimens, its words and their weights."""

    itemid: int
    share: float
    words: tuple[str, ...]
    weights: tuple[float, ...]


_GRADES = ("NORMAL", "OCCASIONAL", "1+", "2+", "3+")
_COMMON = (0.3, 0.3, 0.25, 0.12, 0.03)
_DIPSTICK = ("NEG", "TR", "SM", "MOD", "LG")
FINDINGS: dict[str, tuple[Finding, ...]] = {
    "differential": tuple(
        Finding(54070 + i, 0.16, _GRADES, _COMMON) for i in range(6)
    ),
    "urine": (
        Finding(51464, 0.9, ("NEG", "SM", "MOD", "LG"), (0.93, 0.04, 0.02, 0.01)),
        Finding(54076, 0.9, ("Yellow", "Straw", "Amber", "Red"), (0.62, 0.28, 0.07, 0.03)),
        Finding(54077, 0.9, ("Clear", "Hazy", "Cloudy"), (0.64, 0.24, 0.12)),
        Finding(54078, 0.9, _DIPSTICK, (0.52, 0.16, 0.14, 0.1, 0.08)),
        Finding(54079, 0.9, ("NEG", "POS"), (0.93, 0.07)),
        Finding(54080, 0.9, _DIPSTICK, (0.62, 0.13, 0.1, 0.08, 0.07)),
        Finding(54081, 0.7, ("NONE", "FEW", "MOD", "MANY"), (0.55, 0.27, 0.12, 0.06)),
    ),
    "seldom": (
        Finding(54082, 0.15, ("NEGATIVE", "POSITIVE", "BORDERLINE"), (0.93, 0.05, 0.02)),
        Finding(54083, 0.12, ("NEG", "POS"), (0.95, 0.05)),
        Finding(54084, 0.5, ("HOLD.", "DISCARD GREATER THAN 4 HOURS OLD."), (0.8, 0.2)),
    ),
}  # fmt: skip

RESPONSES: dict[str, dict[int, float]] = {
    "hyponatraemia": {50983: -22},
    "dehydration": {50983: 34, 51006: 0.9, 50912: 0.4, 51221: 4},
    "hyperkalaemia": {50971: 4.2, 50912: 0.5},
    "hypokalaemia": {50971: -2.0},
    "neutropenia": {51301: -4.4, 51300: -4.4, 51755: -4.4, 51256: -60, 51265: -1.0, 51221: -4},
    "leukaemoid reaction": {51301: 2.1, 51300: 2.1, 51755: 2.1, 51144: 10},
    "polycythaemia": {51221: 23},
    "haemorrhage": {51221: -17, 51265: -0.5, 51006: 0.5},
    "metabolic alkalosis": {50882: 20, 50971: -0.8},
    "uraemia": {51006: 2.0, 50912: 2.2, 50971: 1.0, 50882: -6, 50868: 8},
    "hypercapnia": {50882: 9},
    "hyperosmolar state": {50931: 2.1, 50983: 8, 51006: 0.6},
    "ketoacidosis": {50931: 1.7, 50882: -19, 50868: 18, 50971: 1.3, 54041: 3.2},
    "hypoglycaemia": {50931: -1.6},
    "diabetes insipidus": {50983: 22},
    "circulatory collapse": {50882: -9, 50868: 8},
    "heat stroke": {50910: 4, 50878: 2, 50912: 0.6, 51265: -0.9},
    "ischaemic hepatitis": {
        50861: 4.6, 50878: 4.9, 50885: 2.0, 51237: 1.0, 51274: 1.0, 50954: 2.3, 50862: -0.4,
    },
}  # fmt: skip
"""Change of an item at the depth of a disturbance or crisis, in its unit, in logarithms for skewed items."""
LIVING: dict[str, dict[int, float]] = {
    "renal disease": {50912: 0.7, 51006: 0.6, 50971: 0.3, 50882: -2, 54002: 0.2, 51221: -3},
    "mild liver disease": {50885: 0.5, 51265: -0.4, 50862: -0.3, 51237: 0.12, 51274: 0.12},
    "severe liver disease": {
        50885: 0.9, 51265: -0.5, 50862: -0.4, 51237: 0.25, 51274: 0.25, 50983: -3,
    },
    "diabetes without complication": {50931: 0.3, 54019: 0.2, 54020: 0.28},
    "diabetes with complication": {50931: 0.4, 54019: 0.25, 54020: 0.35, 50912: 0.2},
    "chronic anaemia": {51221: -3.5},
    "malignant cancer": {51221: -2, 50954: 0.3, 50862: -0.3},
    "heart failure": {50963: 1.6, 50983: -1, 51006: 0.2},
}  # fmt: skip
"""Change of an item in patients who live with a condition, in the middle; it differs from one to another."""
