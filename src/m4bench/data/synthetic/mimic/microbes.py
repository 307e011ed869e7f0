# SPDX-License-Identifier: MIT
"""What the microbiology laboratory knows: specimens, tests, organisms, and which drugs these resist. Knows no patient.

Organisms that the specifications name have the release's numbers; the other numbers are invented, beyond those in
use. Susceptibilities are textbook orders of magnitude.
"""

from typing import NamedTuple


class Specimen(NamedTuple):
    """A kind of specimen: number, name, how often it is sent, its tests, and which organisms grow in it."""

    itemid: int
    name: str
    share: float
    tests: tuple[str, ...]
    flora: str


SPECIMENS = (
    Specimen(70012, "BLOOD CULTURE", 0.34, ("Blood Culture, Routine", "Anaerobic Bottle Gram Stain"), "blood"),
    Specimen(70079, "URINE", 0.28, ("URINE CULTURE",), "urine"),
    Specimen(70062, "SPUTUM", 0.08, ("RESPIRATORY CULTURE", "GRAM STAIN", "FUNGAL CULTURE"), "airway"),
    Specimen(70091, "MRSA SCREEN", 0.07, ("MRSA SCREEN",), "screen"),
    Specimen(79001, "STOOL", 0.05, ("C. difficile PCR", "FECAL CULTURE", "CAMPYLOBACTER CULTURE"), "gut"),
    Specimen(79002, "SWAB", 0.03, ("WOUND CULTURE", "GRAM STAIN", "ANAEROBIC CULTURE"), "wound"),
    Specimen(79003, "TISSUE", 0.02, ("TISSUE", "GRAM STAIN", "ANAEROBIC CULTURE", "FUNGAL CULTURE"), "wound"),
    Specimen(79004, "ABSCESS", 0.015, ("WOUND CULTURE", "GRAM STAIN", "ANAEROBIC CULTURE"), "wound"),
    Specimen(79005, "BRONCHOALVEOLAR LAVAGE", 0.02,
             ("RESPIRATORY CULTURE", "GRAM STAIN", "LEGIONELLA CULTURE", "FUNGAL CULTURE", "ACID FAST SMEAR"),
             "airway"),
    Specimen(79006, "PERITONEAL FLUID", 0.02, ("FLUID CULTURE", "GRAM STAIN", "ANAEROBIC CULTURE"), "wound"),
    Specimen(79007, "PLEURAL FLUID", 0.012, ("FLUID CULTURE", "GRAM STAIN", "ANAEROBIC CULTURE"), "airway"),
    Specimen(79008, "CSF;SPINAL FLUID", 0.008, ("FLUID CULTURE", "GRAM STAIN"), "blood"),
    Specimen(79009, "Staph aureus swab", 0.012, ("Staph aureus Screen",), "screen"),
    Specimen(79010, "SEROLOGY/BLOOD", 0.012, ("RAPID PLASMA REAGIN TEST",), "none"),
    Specimen(79011, "Immunology (CMV)", 0.01, ("CMV Viral Load",), "none"),
    Specimen(79012, "Rapid Respiratory Viral Screen & Culture", 0.012, ("Respiratory Viral Culture",), "none"),
    Specimen(79013, "CATHETER TIP-IV", 0.006, ("WOUND CULTURE",), "blood"),
    Specimen(79014, "BRONCHIAL WASHINGS", 0.007, ("RESPIRATORY CULTURE", "GRAM STAIN"), "airway"),
    Specimen(79015, "URINE,KIDNEY", 0.004, ("FLUID CULTURE",), "urine"),
    Specimen(79016, "BILE", 0.004, ("FLUID CULTURE", "GRAM STAIN", "ANAEROBIC CULTURE"), "gut"),
)  # fmt: skip
TESTS = tuple(dict.fromkeys(test for specimen in SPECIMENS for test in specimen.tests))
TESTS_FROM = 99_001
"""First number of tests."""


class Organism(NamedTuple):
    """An organism or what is told in its place: number, name, kind, and how often it grows in which flora."""

    itemid: int
    name: str
    kind: str
    floras: dict[str, float]


NEGATIVE, CANCELLED = 90856, 90760
ORGANISMS = (
    Organism(80002, "ESCHERICHIA COLI", "rod", {"urine": 9, "blood": 4, "wound": 3, "gut": 2}),
    Organism(80023, "STAPH AUREUS COAG +", "staphylococcus", {"blood": 5, "airway": 4, "wound": 5, "screen": 1}),
    Organism(89001, "KLEBSIELLA PNEUMONIAE", "rod", {"urine": 3, "blood": 2, "airway": 2, "wound": 1}),
    Organism(89002, "PSEUDOMONAS AERUGINOSA", "nonfermenter", {"airway": 4, "urine": 2, "blood": 1, "wound": 1.5}),
    Organism(89003, "ENTEROCOCCUS SP.", "enterococcus", {"urine": 3, "blood": 1.5, "wound": 1.5, "gut": 1}),
    Organism(89004, "YEAST", "unlisted", {"urine": 2, "airway": 3, "blood": 0.3}),
    Organism(89005, "PROTEUS MIRABILIS", "rod", {"urine": 1.5, "wound": 1}),
    Organism(89006, "STAPHYLOCOCCUS, COAGULASE NEGATIVE", "staphylococcus", {"blood": 5, "wound": 1, "urine": 0.5}),
    Organism(89007, "VIRIDANS STREPTOCOCCI", "unlisted", {"blood": 1, "wound": 1}),
    Organism(89008, "ENTEROBACTER CLOACAE COMPLEX", "rod", {"airway": 1, "urine": 1, "blood": 0.7, "wound": 0.7}),
    Organism(89009, "SERRATIA MARCESCENS", "rod", {"airway": 1, "blood": 0.5}),
    Organism(89010, "BACTEROIDES FRAGILIS GROUP", "unlisted", {"wound": 1, "blood": 0.3, "gut": 0.5}),
    Organism(89011, "STREPTOCOCCUS PNEUMONIAE", "streptococcus", {"airway": 1, "blood": 0.7}),
    Organism(89012, "CLOSTRIDIUM DIFFICILE", "unlisted", {"gut": 5}),
    Organism(89013, "STENOTROPHOMONAS MALTOPHILIA", "few", {"airway": 0.8}),
    Organism(89014, "ACINETOBACTER BAUMANNII COMPLEX", "nonfermenter", {"airway": 0.7, "wound": 0.4}),
    Organism(89015, "CANDIDA ALBICANS", "unlisted", {"blood": 0.7, "urine": 0.7}),
    Organism(89016, "MIXED BACTERIAL FLORA", "unlisted", {"wound": 1, "urine": 0.5}),
    Organism(89017, "POSITIVE FOR METHICILLIN RESISTANT STAPH AUREUS", "unlisted", {"screen": 6}),
    Organism(89018, "BETA STREPTOCOCCUS GROUP B", "streptococcus", {"urine": 0.7, "blood": 0.4}),
    Organism(89019, "GRAM NEGATIVE ROD(S)", "unlisted", {"wound": 0.4, "airway": 0.4}),
    Organism(89020, "CITROBACTER FREUNDII COMPLEX", "rod", {"urine": 0.8, "wound": 0.5}),
)  # fmt: skip

DRUGS = (
    "AMIKACIN", "AMPICILLIN", "AMPICILLIN/SULBACTAM", "CEFAZOLIN", "CEFEPIME", "CEFTAZIDIME", "CEFTRIAXONE",
    "CIPROFLOXACIN", "CLINDAMYCIN", "DAPTOMYCIN", "ERYTHROMYCIN", "GENTAMICIN", "LEVOFLOXACIN", "LINEZOLID",
    "MEROPENEM", "NITROFURANTOIN", "OXACILLIN", "PENICILLIN G", "PIPERACILLIN/TAZO", "RIFAMPIN",
    "TETRACYCLINE", "TOBRAMYCIN", "TRIMETHOPRIM/SULFA", "VANCOMYCIN",
)  # fmt: skip
DRUGS_FROM = 99_501
"""First number of drugs that are tried on an organism."""
PANELS: dict[str, tuple[tuple[str, float], ...]] = {
    # drugs tried on a kind of organism, and share that resists
    "rod": (
        ("AMPICILLIN/SULBACTAM", 0.35), ("CEFAZOLIN", 0.3), ("CEFEPIME", 0.06), ("CEFTAZIDIME", 0.1),
        ("CEFTRIAXONE", 0.12), ("CIPROFLOXACIN", 0.22), ("GENTAMICIN", 0.08), ("MEROPENEM", 0.02),
        ("NITROFURANTOIN", 0.15), ("PIPERACILLIN/TAZO", 0.08), ("TOBRAMYCIN", 0.09),
        ("TRIMETHOPRIM/SULFA", 0.28), ("AMPICILLIN", 0.55),
    ),
    "nonfermenter": (
        ("CEFEPIME", 0.12), ("CEFTAZIDIME", 0.12), ("CIPROFLOXACIN", 0.2), ("GENTAMICIN", 0.12),
        ("MEROPENEM", 0.12), ("PIPERACILLIN/TAZO", 0.12), ("TOBRAMYCIN", 0.07), ("AMIKACIN", 0.06),
    ),
    "staphylococcus": (
        ("CLINDAMYCIN", 0.3), ("ERYTHROMYCIN", 0.5), ("GENTAMICIN", 0.05), ("LEVOFLOXACIN", 0.35),
        ("OXACILLIN", 0.42), ("RIFAMPIN", 0.03), ("TETRACYCLINE", 0.08), ("TRIMETHOPRIM/SULFA", 0.06),
        ("VANCOMYCIN", 0.0), ("DAPTOMYCIN", 0.01), ("LINEZOLID", 0.0),
    ),
    "enterococcus": (
        ("AMPICILLIN", 0.3), ("LINEZOLID", 0.02), ("NITROFURANTOIN", 0.2), ("TETRACYCLINE", 0.7), ("VANCOMYCIN", 0.3),
    ),
    "streptococcus": (
        ("CEFTRIAXONE", 0.02), ("ERYTHROMYCIN", 0.3), ("LEVOFLOXACIN", 0.02), ("PENICILLIN G", 0.1),
        ("TETRACYCLINE", 0.2), ("VANCOMYCIN", 0.0),
    ),
    "few": (("TRIMETHOPRIM/SULFA", 0.1), ("LEVOFLOXACIN", 0.15)),
    "unlisted": (),
}  # fmt: skip
DILUTIONS = (
    # text, comparison, value, of susceptible, intermediate and resistant organisms
    (("<=0.25", "<=        ", 0.25), ("<=1", "<=        ", 1.0), ("2", "=         ", 2.0), ("<=4", "<=        ", 4.0),
     ("1", "=         ", 1.0)),
    (("8", "=         ", 8.0), ("16", "=         ", 16.0)),
    (("=>8", "=>        ", 8.0), ("=>16", "=>        ", 16.0), ("=>32", "=>        ", 32.0),
     ("64", "=         ", 64.0)),
)  # fmt: skip
REMARKS = (
    "NO GROWTH.  ", "No MRSA isolated.  ", "Commensal Respiratory Flora Absent.  ",
    "MIXED BACTERIAL FLORA, CONSISTENT WITH CONTAMINATION.  ", "NO FUNGUS ISOLATED.  ",
    "SPARSE GROWTH Commensal Respiratory Flora.  ", "Reported to the ward.  ", "Viral DNA not detected.  ",
    "Specimen cancelled: received in the wrong container.  ",
)  # fmt: skip
