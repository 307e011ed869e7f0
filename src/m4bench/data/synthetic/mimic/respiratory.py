# SPDX-License-Identifier: MIT
"""Oxygen and ventilators as charted: devices, flows, inspired oxygen, modes, settings. Knows no blood gas.

Device and mode texts are the charted ones, blanks at the end and slips of spelling included.
"""

import numpy as np

from m4bench.data.synthetic.cohort import Cohort
from m4bench.data.synthetic.draws import (
    BoolArray,
    FloatArray,
    IntArray,
    constant,
    dealt,
    grid,
    plain,
    rounded,
    texts,
)
from m4bench.data.synthetic.mimic.charting import Charted, item_rows
from m4bench.data.synthetic.physiology import RESPIRATORY
from m4bench.data.synthetic.support import (
    HIGH_FLOW,
    INVASIVE,
    LOW_FLOW,
    MASK_VENTILATION,
    ROOM_AIR,
    TRACHEOSTOMY,
    Support,
    inspired_oxygen,
)

DEVICE, FLOW, FLOW_BIPAP, FLOW_ADDITIONAL, FIO2 = 226732, 223834, 227582, 227287, 223835
MODE, MODE_HAMILTON, VENTILATOR = 223849, 229314, 223848
RATE_SET, RATE_TOTAL, RATE_SPONTANEOUS = 224688, 224690, 224689
MINUTE_VOLUME, VOLUME_SET, VOLUME_SEEN, VOLUME_SPONTANEOUS = 224687, 224684, 224685, 224686
PLATEAU, PEEP_SET, PEEP_TOTAL, VENTILATOR_FLOW = 224696, 220339, 224700, 224691

DEVICES: dict[int, tuple[tuple[str, float], ...]] = {
    ROOM_AIR: (("None", 0.97), ("Other", 0.03)),
    LOW_FLOW: (
        ("Nasal cannula", 0.68),
        ("Face tent", 0.06),
        ("Aerosol-cool", 0.06),
        ("Venti mask ", 0.05),
        ("Medium conc mask ", 0.02),
        ("Non-rebreather", 0.05),
        ("Ultrasonic neb", 0.01),
        ("Vapomist", 0.01),
        ("Oxymizer", 0.01),
        ("High flow neb", 0.02),
        ("T-piece", 0.01),
        ("Nasal cannula ", 0.01),
        ("nasal cannula", 0.01),
        ("Venti mask", 0.004),
        ("Medium conc mask", 0.004),
    ),
    HIGH_FLOW: (("High flow nasal cannula", 0.95), ("High flow neb", 0.05)),
    MASK_VENTILATION: (
        ("Bipap mask ", 0.60),
        ("CPAP mask ", 0.30),
        ("Bipap mask", 0.03),
        ("CPAP mask", 0.03),
        ("Bipap", 0.02),
        ("CPAP", 0.02),
    ),
    INVASIVE: (("Endotracheal tube", 1.0),),
    TRACHEOSTOMY: (("Trach mask ", 0.55), ("Tracheostomy tube", 0.42), ("Trach mask", 0.03)),
}
BESIDE: tuple[tuple[str, tuple[int, ...], float], ...] = (
    ("Aerosol-cool", (HIGH_FLOW,), 0.05),
    ("Nasal cannula", (MASK_VENTILATION,), 0.12),
    ("Aerosol-cool", (MASK_VENTILATION,), 0.05),
    ("Face tent", (HIGH_FLOW, MASK_VENTILATION), 0.02),
    ("Other", (HIGH_FLOW, MASK_VENTILATION, INVASIVE), 0.01),
    ("T-piece", (TRACHEOSTOMY,), 0.02),
)
"""Devices charted beside the first one: with which kinds of support, and in what share of the rounds."""
MODES = (
    "CMV/ASSIST/AutoFlow", "CPAP/PSV", "CMV/ASSIST", "PCV+Assist", "MMV/PSV/AutoFlow", "PRVC/AC",
    "PSV/SBT", "SIMV/PSV/AutoFlow", "APRV", "CMV", "VOL/AC", "PRES/AC", "MMV/PSV", "Standby",
    "(S) CMV", "APRV/Biphasic+ApnPress", "APRV/Biphasic+ApnVol", "APV (cmv)", "Ambient",
    "Apnea Ventilation", "CMV/AutoFlow", "CPAP/PPS", "CPAP/PSV+Apn TCPL", "CPAP/PSV+ApnPres",
    "CPAP/PSV+ApnVol", "MMV", "MMV/AutoFlow", "P-CMV", "PCV+", "PCV+/PSV", "PRVC/SIMV", "SIMV",
    "SIMV/AutoFlow", "SIMV/PRES", "SIMV/PSV", "SIMV/VOL", "SYNCHRON MASTER", "SYNCHRON SLAVE",
    "SPONT", "Other",
)  # fmt: skip
MODE_WEIGHTS = (30.0, 26.0, 16.0, 6.0, 5.0, 4.0, 4.0, 3.0, 3.0, 3.0, 2.0, 2.0, 2.0, 2.0) + (
    0.4,
) * 26
HAMILTON_MODES = (
    "ASV", "APV (cmv)", "SPONT", "(S) CMV", "P-CMV", "SIMV", "APV (simv)", "P-SIMV", "VS", "APRV",
    "Ambient", "Standby",
)  # fmt: skip
HAMILTON_WEIGHTS = (20.0, 8.0, 6.0, 4.0, 3.0, 3.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0)
HAMILTON_MASK_MODES = ("NIV", "NIV-ST", "DuoPaP")
LONGEST = 9.0
"""Hours between two rounds at most, however thin the charting: support that lasts has to be seen to last."""
VENTILATORS = ("Drager", "Hamilton", "Avea", "PB 7200")


def _slips(rng: np.random.Generator, fio2: FloatArray, as_fraction: BoolArray) -> FloatArray:
    """Return inspired oxygen as typed: percent, in some charts a fraction, now and then a slip."""
    n = len(fio2)
    typed = np.where(as_fraction, rounded(fio2 / 100, 2), fio2)
    slip = dealt(rng, [0.985, 0.004, 0.004, 0.003, 0.002, 0.002], n)
    wrong = np.choose(
        slip,
        [typed, rounded(fio2 / 10), fio2 * 10, np.zeros(n), np.full(n, 0.2), np.full(n, 20.0)],
    )
    return np.asarray(wrong, dtype=np.float64)


def _rounds(
    rng: np.random.Generator, cohort: Cohort, support: Support, density: float
) -> tuple[IntArray, FloatArray, IntArray]:
    """Return stay, hour and airway support of every respiratory round, one in twelve left out.

    A change of support is charted at once. Rounds come three-hourly with a tube, else four- to five-hourly,
    half as often in sparse stays. One stay in fifteen has a hole of 12 to 22 hours.
    """
    stays = cohort.stays
    los = stays.course.los
    ends = support.ends(los)
    begins = np.maximum(support.begins, rng.uniform(0.05, 1.0, (len(stays), 1)))
    pace = np.where(stays.sparse, 2.0, 1.0) / density
    charted = ~stays.silent
    parts = []
    for place in range(4):
        start = np.where(charted & (begins[:, place] < los), begins[:, place], np.nan)
        tube = support.airway[:, place] == INVASIVE
        step = np.minimum(np.where(tube, 2.8, 4.4) * pace, np.where(tube, 5.0, LONGEST))
        owner, hours = grid(rng, start, ends[:, place], step, jitter=0.05)
        last = np.flatnonzero(
            tube & (start < ends[:, place] - 0.5) & (rng.random(len(stays)) < 0.85)
        )
        owner = np.concatenate([owner, last])
        hours = np.concatenate([hours, ends[last, place] - 0.1])
        turn = (hours < start[owner] + 0.3) | (hours > ends[owner, place] - 0.2)
        parts.append((owner, hours, turn))
    stay, hours, turn = (np.concatenate(column) for column in zip(*parts, strict=True))
    late = (rng.random(len(stay)) < 0.04) & ~turn
    hours = np.where(late, hours + rng.uniform(0, 11, len(stay)), hours)
    hours = np.minimum(hours, los[stay])
    hole = np.where(rng.random(len(stays)) < 0.07, rng.uniform(4, 60, len(stays)), np.inf)[stay]
    wide = rng.uniform(12, 22, len(stays))[stay]
    kept = turn | (rng.random(len(stay)) < 0.92)
    kept &= ~((hours > hole) & (hours < hole + wide))
    stay, hours = stay[kept], hours[kept]
    return stay, hours, support.airway_at(stay, hours)


def _devices(
    rng: np.random.Generator, stay: IntArray, hours: FloatArray, airway: IntArray, lungs: FloatArray
) -> list[Charted]:
    rows = []
    n = len(stay)
    device = np.full(n, None, dtype=object)
    for kind, names in DEVICES.items():
        of_kind = np.flatnonzero(airway == kind)
        chosen = dealt(rng, [share for _, share in names], len(of_kind))
        device[of_kind] = texts([name for name, _ in names], chosen)
    device[rng.random(n) < 0.002] = None
    rows.append(item_rows(DEVICE, stay, hours, text=device))
    crowded = rng.random(n) < 0.02
    for device_name, kinds, usual in BESIDE:
        also = np.isin(airway, kinds) & ((rng.random(n) < usual) | crowded)
        text = constant(device_name, int(also.sum()))
        rows.append(item_rows(DEVICE, stay[also], hours[also], text=text))
    typical = np.array([0.0, 2.0, 40.0, 8.0, 8.0, 8.0])[airway]
    litres = rounded(np.maximum(typical * (0.6 + 1.4 * lungs + rng.normal(0, 0.15, n)), 0.0))
    litres = np.where((airway != ROOM_AIR) & (litres == 0), 1.0, litres)
    share = np.array([0.72, 0.93, 0.93, 0.5, 0.25, 0.85])[airway]
    flows = rng.random(n) < share
    text = plain(litres)
    text[rng.random(n) < 0.003] = None
    rows.append(item_rows(FLOW, stay[flows], hours[flows], litres[flows], text[flows]))
    bipap = (airway == MASK_VENTILATION) & (rng.random(n) < 0.75)
    rows.append(item_rows(FLOW_BIPAP, stay[bipap], hours[bipap], litres[bipap]))
    more = (airway == LOW_FLOW) & (rng.random(n) < 0.04)
    rows.append(item_rows(FLOW_ADDITIONAL, stay[more], hours[more], rounded(litres[more] / 2 + 1)))
    return rows


def _settings(
    rng: np.random.Generator,
    cohort: Cohort,
    stay: IntArray,
    hours: FloatArray,
    lungs: FloatArray,
) -> list[Charted]:
    """Return settings and readings of an invasive ventilator."""
    n = len(stay)
    people = cohort.patients
    who = cohort.stays.patient[stay]
    ideal = np.where(people.female[who], 45.5, 50.0) + 0.91 * (people.height[who] - 152.4)
    volume = rounded(ideal * rng.uniform(6.0, 7.6, len(cohort.stays))[stay] / 10) * 10
    rate = rounded(14 + 12 * lungs + rng.normal(0, 1, n))
    spontaneous = rounded(np.maximum(rng.normal(3, 4, n), 0.0))
    seen = rounded(volume + rng.normal(0, 25, n))
    peep = np.clip(rounded(5 + 12 * (lungs - 0.42) + rng.normal(0, 0.7, n)), 5, 20)
    peep = np.where(rng.random(n) < 0.002, 105.0, peep)
    plateau = rounded(11 + peep + 9 * lungs + rng.normal(0, 1.5, n))
    rows = []
    for itemid, values, share in (
        (RATE_SET, rate, 0.8),
        (RATE_TOTAL, rate + spontaneous, 0.9),
        (RATE_SPONTANEOUS, spontaneous, 0.7),
        (MINUTE_VOLUME, rounded((rate + spontaneous) * seen / 1000, 1), 0.9),
        (VOLUME_SET, volume, 0.75),
        (VOLUME_SEEN, seen, 0.9),
        (VOLUME_SPONTANEOUS, rounded(seen * 0.9), 0.35),
        (PLATEAU, plateau, 0.6),
        (PEEP_SET, peep, 0.95),
        (PEEP_TOTAL, peep + rounded(rng.gamma(0.4, 1.0, n)), 0.4),
        (VENTILATOR_FLOW, rounded(rng.normal(55, 10, n)), 0.15),
    ):
        kept = rng.random(n) < share
        text = plain(values)
        text[rng.random(n) < 0.0015] = None
        rows.append(item_rows(itemid, stay[kept], hours[kept], values[kept], text[kept]))
    return rows


def _modes(
    rng: np.random.Generator, cohort: Cohort, stay: IntArray, hours: FloatArray
) -> list[Charted]:
    """Return machine and mode of an invasive ventilator; a mode lasts for about a shift."""
    machine = dealt(rng, [0.5, 0.3, 0.1, 0.1], len(cohort.stays))
    kept = rng.random(len(stay)) < 0.95
    stay, hours = stay[kept], hours[kept]
    shift = stay * 1000 + (np.maximum(hours, 0) // 14).astype(np.int64)
    spell, member = np.unique(shift, return_inverse=True)
    hamilton = machine[spell // 1000] == 1
    mode = np.full(len(spell), None, dtype=object)
    mode[~hamilton] = texts(MODES, dealt(rng, MODE_WEIGHTS, int((~hamilton).sum())))
    mode[hamilton] = texts(HAMILTON_MODES, dealt(rng, HAMILTON_WEIGHTS, int(hamilton.sum())))
    on_hamilton = hamilton[member]
    rows = [
        item_rows(itemid, stay[chosen], hours[chosen], text=mode[member][chosen])
        for itemid, chosen in ((MODE, ~on_hamilton), (MODE_HAMILTON, on_hamilton))
    ]
    some = rng.random(len(stay)) < 0.5
    names = texts(VENTILATORS, machine[stay])
    return [*rows, item_rows(VENTILATOR, stay[some], hours[some], text=names[some])]


def respiratory_care(
    rng: np.random.Generator, cohort: Cohort, support: Support, density: float = 1.0
) -> list[Charted]:
    """Return devices, flows, inspired oxygen, modes and settings of a block.

    Args:
        rng: the stream of these items.
        cohort, support: the block.
        density: share of the rounds to chart, above 0 and at most 1.
    """
    stay, hours, airway = _rounds(rng, cohort, support, density)
    lungs = cohort.stays.course.severity(RESPIRATORY, stay, hours)
    rows = _devices(rng, stay, hours, airway, lungs)
    machine = airway == INVASIVE
    rows += _settings(rng, cohort, stay[machine], hours[machine], lungs[machine])
    rows += _modes(rng, cohort, stay[machine], hours[machine])
    mask = (airway == MASK_VENTILATION) & (rng.random(len(stay)) < 0.4)
    mode = texts(HAMILTON_MASK_MODES, dealt(rng, [0.6, 0.25, 0.15], int(mask.sum())))
    rows.append(item_rows(MODE_HAMILTON, stay[mask], hours[mask], text=mode))
    oxygen = inspired_oxygen(airway, lungs, rng.normal(0, 1, len(stay)))
    share = np.array([0.0, 0.06, 0.8, 0.85, 0.97, 0.7])[airway]
    fractions = rng.random(len(cohort.stays)) < 0.06
    kept = rng.random(len(stay)) < share
    typed = _slips(rng, oxygen, fractions[stay])
    rows.append(item_rows(FIO2, stay[kept], hours[kept], typed[kept]))
    return rows
