# SPDX-License-Identifier: MIT
"""Heart rhythm and ectopic beats as read off the monitor and charted in words. Knows no drug.

Shares follow those of the open MIMIC-IV demo: sinus rhythm half, atrial fibrillation a fifth, paced a twentieth.
"""

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import FloatArray, IntArray, dealt
from m4bench.data.synthetic.elementary import sin
from m4bench.data.synthetic.mimic.charting import Charted, item_rows
from m4bench.data.synthetic.mimic.words import worded

RHYTHM = 220048
ECTOPY, ECTOPY_RATE, ECTOPY_SECOND, ECTOPY_SECOND_RATE = 224650, 224651, 226479, 226480

RHYTHMS = (
    "SR (Sinus Rhythm)",
    "ST (Sinus Tachycardia)",
    "SB (Sinus Bradycardia)",
    "AF (Atrial Fibrillation)",
    "A Flut (Atrial Flutter)",
    "V Paced",
    "A Paced",
    "AV Paced",
    "SVT (Supra Ventricular Tachycardia)",
    "VT (Ventricular Tachycardia)",
    "3rd AV (Complete Heart Block)",
    "JR (Junctional Rhythm)",
    "1st AV (First degree AV Block)",
    "2nd AV W-M1 (Second degree AV Block Wenckebach-Mobitz 1)",
    "2nd AV M2 (Second degree AV Block - Mobitz 2)",
    "SA (Sinus Arrhythmia)",
    "LBBB (Left Bundle Branch Block)",
    "RBBB (Right Bundle Branch Block)",
    "MAT (Multifocal Atrial Tachycardia)",
    "PAT (Paroxysmal Atrial Tachycardia)",
    "WAP (Wandering Atrial Pacemaker)",
    "Idioventricular",
    "VF (Ventricular Fibrillation)",
    "Asystole",
    None,
)
SINUS, FAST, SLOW, FIBRILLATION, FLUTTER = range(5)
_PACED, _REENTRY, _VENTRICULAR, _BLOCK, _JUNCTION = 5, 8, 9, 10, 11
_ODD = np.arange(12, len(RHYTHMS))
ECTOPICS = (
    "None",
    "PVCs",
    "PACs",
    "PJCs",
    "Fusion beats",
    "V run",
    "A run",
    "Vent. Bigeminy",
    None,
)
FREQUENCIES = ("Rare", "Occasional", "Frequent")


def _at_bedside(
    rng: np.random.Generator, cohort: Cohort, stay: IntArray, hours: FloatArray, heart: FloatArray
) -> IntArray:
    """Return the rhythm of each round: the patient's own, unless the rate or a crisis says otherwise."""
    course = cohort.stays.course
    stays, n = len(cohort.stays), len(stay)
    usual = dealt(rng, [0.72, 0.17, 0.025, 0.03, 0.018, 0.01, 0.027], stays)
    steady = np.array([SINUS, FIBRILLATION, FLUTTER, _PACED, _PACED + 1, _PACED + 2, SINUS])[usual]
    paroxysmal = (usual == 6)[stay] & (sin(hours / 5 + course.phase[stay, 1, 0]) > 0.3)
    sinus = np.where(heart > 100, FAST, np.where(heart < 60, SLOW, SINUS))
    rhythm = np.where(steady[stay] == SINUS, sinus, steady[stay])
    rhythm = np.where(paroxysmal, FIBRILLATION, rhythm)
    kind = rng.choice(
        [FIBRILLATION, _REENTRY, _VENTRICULAR, FLUTTER], stays, p=[0.4, 0.3, 0.2, 0.1]
    )
    racing = course.in_crisis("tachyarrhythmia", stay, hours) > 0.15
    rhythm = np.where(racing, kind[stay], rhythm)
    escape = rng.choice([_BLOCK, _JUNCTION], stays, p=[0.8, 0.2])
    rhythm = np.where(course.in_crisis("heart block", stay, hours) > 0.15, escape[stay], rhythm)
    return np.where(rng.random(n) < 0.012, rng.choice(_ODD, n), rhythm)


def heart_rhythm(
    rng: np.random.Generator, cohort: Cohort, stay: IntArray, hours: FloatArray, heart: FloatArray
) -> list[Charted]:
    """Return rhythm and ectopy of the rounds; one round in three hundred names two rhythms.

    Args:
        rng: the stream of these items.
        cohort: the block.
        stay, hours: the rounds.
        heart: heart rate of each round.
    """
    stays = len(cohort.stays)
    kept = rng.random(len(stay)) < 0.96
    rhythm = _at_bedside(rng, cohort, stay, hours, heart)
    rows = [item_rows(RHYTHM, stay[kept], hours[kept], text=worded(RHYTHMS, rhythm[kept]))]
    also = kept & (rng.random(len(stay)) < 0.003)
    second = np.where(rhythm[also] == FIBRILLATION, SINUS, FIBRILLATION)
    rows.append(item_rows(RHYTHM, stay[also], hours[also], text=worded(RHYTHMS, second)))
    tendency = np.clip(rng.beta(0.35, 3.0, stays), 0, 0.9)
    habit = dealt(rng, [0.62, 0.24, 0.03, 0.02, 0.03, 0.03, 0.03], stays) + 1
    charted = rng.random(len(stay)) < 0.85
    stay, hours = stay[charted], hours[charted]
    n = len(stay)
    ectopic = rng.random(n) < tendency[stay]
    kind = np.where(rng.random(n) < 0.75, habit[stay], rng.integers(1, 8, n))
    kind = np.where(ectopic, kind, np.where(rng.random(n) < 0.002, len(ECTOPICS) - 1, 0))
    rows.append(item_rows(ECTOPY, stay, hours, text=worded(ECTOPICS, kind)))
    often = dealt(rng, [0.6, 0.3, 0.1], n)
    for item, rate_item, share in (
        (None, ECTOPY_RATE, 0.95),
        (ECTOPY_SECOND, ECTOPY_SECOND_RATE, 0.04),
    ):
        some = ectopic & (rng.random(n) < share)
        if item is not None:
            other = 1 + (kind[some] + 1) % 7
            rows.append(item_rows(item, stay[some], hours[some], text=worded(ECTOPICS, other)))
        rated = some & (rng.random(n) < 0.9)
        text = worded(FREQUENCIES, often[rated])
        rows.append(item_rows(rate_item, stay[rated], hours[rated], text=text))
    return rows
