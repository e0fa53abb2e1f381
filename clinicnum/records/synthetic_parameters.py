"""Parameters of `synthetic`, fitted to aggregate figures of the open MIMIC-IV-ED demo.

No figure is a row of the demo: each is taken over all its stays (54 subjects, 206 stays; version 2.2, doi
10.13026/jzz5-vs76), or was tuned until the aggregate figures of `synthetic` were close to the demo's, which
`docs/synthetic.md` shows. Vitals move as *scores*, sums of normal deviates; tables turn scores into values.
Tuples of seven have one entry per vital, in the order of VITALS.
"""

from clinicnum.types import Vital

VITALS: tuple[Vital, ...] = (
    "temperature_c",
    "heart_rate_bpm",
    "resp_rate_bpm",
    "spo2_pct",
    "sbp_mmhg",
    "dbp_mmhg",
    "pain",
)

PERSON = (0.22, 0.68, 0.52, 0.61, 0.6, 0.53, 0.7)
"""Weight of the patient effect, constant over visits."""
STAY = (0.87, 0.59, 0.73, 0.66, 0.67, 0.73, 0.56)
"""Weight of the stay effect, constant in a stay."""
NOISE = (0.46, 0.49, 0.94, 0.92, 0.82, 0.95, 0.52)
"""Weight of record-to-record variation."""
HOLD = (0.58, 0.49, 0.2, 0.3, 0.45, 0.25, 0.41)
"""Share of a record's deviation that persists to the next record."""
BETWEEN = (
    (6, 1, -0.55),
    (6, 2, -0.27),
    (6, 4, -0.52),
    (5, 0, 0.39),
    (5, 1, 0.09),
    (5, 2, -0.19),
    (5, 3, 0.31),
    (5, 4, 0.7),
    (4, 0, 0.21),
    (4, 1, -0.6),
    (4, 2, -0.24),
    (4, 3, 0.09),
    (3, 0, -0.3),
    (3, 1, 0.1),
    (3, 2, -0.42),
    (2, 0, 0.1),
    (2, 1, 0.38),
    (1, 0, 0.79),
)
"""(vital, other vital, share of the other's deviate added to the vital's), for patient and stay effects.

Applied in this order, so that what is added is the other's deviate as drawn."""
WITHIN = (
    (6, 0, -0.12),
    (6, 1, -0.21),
    (6, 2, -0.06),
    (6, 3, 0.57),
    (6, 5, -0.19),
    (5, 1, 0.12),
    (5, 3, 0.08),
    (5, 4, 0.66),
    (4, 0, 0.06),
    (4, 1, 0.08),
    (4, 3, 0.15),
    (3, 0, 0.29),
    (3, 2, 0.09),
    (2, 1, 0.25),
    (1, 0, 0.39),
)
"""As BETWEEN, for record-to-record variation."""
VOLATILITY = (0.71, 0.82, 0.93, 1.01, 1.12, 1.3)
"""Factors of record-to-record variation: one per stay, equally likely."""
REPEATED = (0, 3, 14, 0, 2, 1, 18)
"""In how many of 100 records a vital's last value is charted again."""

COURSES = ("stable", "deteriorating", "recovering", "up_and_down")
COURSE_WEIGHTS = (45, 15, 25, 15)
SEVERITY = (0.28, 0.25, 0.31, -0.33, -0.25, -0.27, -0.04)
"""Shift of each score by a full course."""
ARRIVAL = (-0.05, 0.39, 0.15, -0.12, 0.75, 0.56, 0.82)
"""Shift of each score on arrival; it decays as 1, 1/2, 1/3 ... over the records."""
ARRIVAL_EXTENTS = (-0.8, 0.0, 0.6, 1.2, 2.0, 3.0)
"""Factors of ARRIVAL: one per stay, equally likely; 1 on average."""

KNOTS: dict[Vital, tuple[tuple[float, float], ...]] = {
    "temperature_c": (
        (-3.41, 90),
        (-2.38, 90.94),
        (-1.66, 96.15),
        (-1.02, 97.45),
        (-0.4, 97.85),
        (0.18, 98.15),
        (0.64, 98.45),
        (1.17, 98.85),
        (1.79, 100.05),
        (2.48, 101.55),
        (3.47, 103),
    ),
    "heart_rate_bpm": (
        (-4.06, 45),
        (-2.7, 50.65),
        (-1.92, 58.55),
        (-1.14, 66.55),
        (-0.45, 75.45),
        (0.23, 84.55),
        (0.92, 95.45),
        (1.63, 108.55),
        (2.4, 120.65),
        (3.35, 133.45),
        (4.61, 150),
    ),
    "resp_rate_bpm": (
        (-4.76, 8),
        (-3.3, 11.17),
        (-2.76, 12.83),
        (-2.42, 13.17),
        (-1.48, 15.19),
        (-0.09, 17.17),
        (1, 19.17),
        (1.67, 21.17),
        (2.08, 23.17),
        (2.46, 25.19),
        (2.77, 27.17),
        (3.48, 30.83),
        (4.91, 36),
    ),
    "spo2_pct": (
        (-5, 87),
        (-3.5, 92.5),
        (-2.91, 93.5),
        (-2.48, 94.5),
        (-1.83, 95.5),
        (-1.27, 96.5),
        (-0.67, 97.5),
        (-0.03, 98.5),
        (0.64, 99.5),
    ),
    "sbp_mmhg": (
        (-4.75, 66),
        (-3.2, 73.5),
        (-2.05, 90.62),
        (-1.24, 104.5),
        (-0.5, 115.5),
        (0.3, 125.5),
        (1.12, 138.5),
        (1.95, 152.5),
        (2.84, 166.5),
        (3.94, 188.5),
        (5.52, 203),
    ),
    "dbp_mmhg": (
        (-5.52, 34),
        (-3.51, 39.33),
        (-2.46, 45.49),
        (-1.5, 52.51),
        (-0.66, 60.67),
        (0.22, 69.33),
        (1.11, 77.49),
        (2.01, 84.51),
        (3.08, 94.51),
        (4.36, 104.51),
        (6.11, 116),
    ),
    "pain": (
        (0.53, 0.71),
        (0.65, 2.5),
        (0.87, 4.5),
        (1.16, 5.5),
        (1.32, 6.5),
        (1.68, 7.5),
        (2.4, 8.5),
        (2.93, 9.5),
    ),
}
"""Score and value, straight lines between; temperature in °F, as it is charted. The values are percentiles of
the demo (1, 5, 15 ... 99), the scores those at which `synthetic` has the same."""
DIGITS: dict[Vital, tuple[float, ...]] = {
    "temperature_c": (1.2, 1.0, 1.2, 0.8, 0.9, 0.9, 1.1, 0.9, 1.1, 0.9),
    "heart_rate_bpm": (1.7, 0.9, 1.1, 0.9, 1.1, 0.9, 1.1, 0.9, 1.1, 0.9),
    "resp_rate_bpm": (5.0, 1.0, 5.0, 1.0, 5.0, 1.2, 5.0, 1.0, 5.0, 1.0),
    "spo2_pct": (1.0,) * 10,
    "sbp_mmhg": (1.6, 1, 1, 1, 1, 1, 1, 1, 1, 1),
    "dbp_mmhg": (1.9, 0.95, 1, 0.95, 1, 0.95, 1, 0.95, 1, 0.95),
    "pain": (1.0, 0.4, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
}
"""Weight of each last digit in charting; of temperature the tenth of a degree Fahrenheit."""
MIN_PULSE_PRESSURE = 11
"""Systolic over diastolic pressure, mmHg: the demo's lowest."""

COUNTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 22)
COUNT_WEIGHTS = (15, 32, 38, 34, 25, 16, 8, 8, 7, 7, 6, 2, 3, 2, 1, 2)
"""Weight of each number of records in a stay."""
GAP_KNOTS = (
    (-3, 1),
    (-2.33, 2),
    (-1.64, 5),
    (-1.28, 10),
    (-0.67, 29),
    (0, 71),
    (0.67, 147),
    (1.28, 244),
    (1.64, 310),
    (2.33, 450),
    (3, 900),
)
"""Score and minutes between two records."""
PACE = dict(zip(COUNTS, (0.8, 0.8, 0.45, 0.45, 0.1, 0.1, 0, 0, 0, 0, *(-0.45,) * 6), strict=True))
"""Shift of the gaps' scores by the number of records: long stays are measured more often."""
GAP_STAY = 0.68
"""Weight of the stay effect in gaps' scores."""
GAP_NOISE = 0.62
"""Weight of gap-to-gap variation."""

VISITS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 23)
VISIT_WEIGHTS = (20, 12, 5, 3, 4, 1, 1, 1, 2, 1, 1, 2, 1)
"""Weight of each number of stays."""
DAYS_BETWEEN_KNOTS = (
    (-3, 0),
    (-1.64, 5),
    (-1.28, 9),
    (-0.67, 21),
    (0, 78),
    (0.67, 244),
    (1.28, 461),
    (1.64, 698),
    (3, 1200),
)
"""Score and days from the end of one stay to the next."""
AGE_KNOTS = ((-3, 18), (-1.64, 36), (-0.67, 51), (0, 62), (0.67, 78.5), (1.64, 90), (3, 93))
"""Score and age at the first stay."""
HOURS = (5, 4, 4, 4, 4, 4, 4, 4, 6, 7, 8, 9, 10, 11, 14, 15, 14, 14, 14, 14, 13, 13, 11, 9)
"""Weight of each hour of arrival."""
SHARE_OF_WOMEN = 0.53

TEMPERATURE_ABSENT = (0.18, 0.6, 0.06)
PAIN_ABSENT = (0.18, 0.38, 0.26)
"""Share of first, middle and last records without it, if the other five vitals are complete."""
TEMPERATURE_HABITS = (0.1, 0.8, 1.2, 1.7)
PAIN_HABITS = (0.05, 0.3, 0.8, 1.6, 3.0)
"""Factors of these shares, as charting differs from stay to stay: one per stay, equally likely."""
PARTIAL_HABITS = (0.05, 0.05, 0.05, 0.05, 0.3)
"""Share of a stay's records that lack some of the five others: one per stay, equally likely."""
PARTIAL_TEMPERATURE_ABSENT = 0.76
PARTIAL_PAIN_ABSENT = 0.6
"""Share of these partial records without temperature, and without pain."""
PARTIAL = ((3,), (1, 2, 3, 4, 5), (2,), (4, 5), (2, 3), (1, 2, 3), (1, 2, 4, 5), (3, 4, 5))
PARTIAL_WEIGHTS = (36, 17, 13, 13, 7, 4, 4, 3)
"""Which of the five such a record lacks, as indices into VITALS, and the weights."""
