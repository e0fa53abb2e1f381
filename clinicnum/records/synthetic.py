"""Synthetic emergency stays: irregular times, vitals that move together along a course, some missing.

One hidden severity per stay follows a course (stable, deteriorating, recovering, up and down); every vital
follows it with its own weight and noise, so that fast hearts go with low pressure, fast breath and low SpO2.
The figures are chosen to look like an emergency department; they are not fitted to anyone's data. Normal
deviates are sums of twelve uniforms: no library function, so the same bytes on every machine.
"""

import random
from datetime import datetime, timedelta
from decimal import Decimal

from clinicnum.records.loaded import Loaded
from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.types import Record, Vital

COUNTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15)
COUNT_WEIGHTS = (7, 16, 19, 17, 12, 8, 5, 4, 3, 3, 3, 3)
GAPS_MIN = (1, 3, 8, 15, 30, 45, 60, 75, 95, 120, 150, 210)
GAP_WEIGHTS = (3, 4, 5, 8, 12, 14, 16, 14, 10, 8, 4, 2)
COURSES = ("stable", "deteriorating", "recovering", "up_and_down")
COURSE_WEIGHTS = (45, 20, 25, 10)
MISSING: dict[Vital, float] = {
    "temperature_c": 0.3,
    "heart_rate_bpm": 0.03,
    "resp_rate_bpm": 0.05,
    "spo2_pct": 0.06,
    "sbp_mmhg": 0.04,
    "pain": 0.4,
}
"""Share of records without each vital; both pressures are missing together."""


def synthetic(*, seed: int, stays: int) -> Loaded:
    """`stays` stays of about 0.7 as many subjects, in ids that no real data set uses."""
    rng = random.Random(f"synthetic:{seed}")  # noqa: S311  reproducible data, not secrets
    records: list[Record] = []
    subject, visit = 0, 0
    person = _Person(rng)
    for number in range(stays):
        if number == 0 or visit >= 4 or rng.random() < 0.7:
            subject, visit, person = subject + 1, 0, _Person(rng)
        visit += 1
        records.extend(_stay(rng, f"S{subject:06d}", f"S{subject:06d}-{visit}", person))
    return Loaded(records=tuple(records), source="synthetic", credentialed=False, counts={})


class _Person:
    """What stays with a patient: age, gender, usual values."""

    def __init__(self, rng: random.Random) -> None:
        self.gender = rng.choice("FM")
        self.age = rng.randint(18, 95)
        self.heart_rate = 73 + 11 * _normal(rng)
        self.resp_rate = 15.0 + 1.7 * _normal(rng)
        self.sbp = 112 + 0.3 * self.age + 11 * _normal(rng)
        self.next_visit = datetime(2110, 1, 1) + timedelta(minutes=rng.randrange(60 * 24 * 365 * 40))


def _stay(rng: random.Random, subject_id: str, stay_id: str, person: _Person) -> list[Record]:
    count = rng.choices(COUNTS, COUNT_WEIGHTS)[0]
    course = rng.choices(COURSES, COURSE_WEIGHTS)[0]
    base = max(0.0, 0.5 + 0.8 * _normal(rng))
    fever = rng.random() < 0.15
    time = person.next_visit
    records: list[Record] = []
    for index in range(count):
        severity = base + _course(course, index / max(1, count - 1)) + 0.15 * _normal(rng)
        values = _vitals(rng, person, severity, fever)
        age = person.age + (time.year - person.next_visit.year)
        record = Record(
            subject_id=subject_id,
            stay_id=stay_id,
            charttime=time,
            age_years=age,
            gender="F" if person.gender == "F" else "M",
            source="synthetic",
        )
        records.append(record.model_copy(update=values))
        time += timedelta(minutes=rng.choices(GAPS_MIN, GAP_WEIGHTS)[0] + rng.randrange(5))
    days = rng.randrange(2, 500)
    person.age += (time + timedelta(days=days)).year - person.next_visit.year
    person.next_visit = time + timedelta(days=days)
    return records


def _course(course: str, progress: float) -> float:
    if course == "deteriorating":
        return 2.2 * progress
    if course == "recovering":
        return 2.2 * (1 - progress)
    if course == "up_and_down":
        return 6.0 * progress * (1 - progress)
    return 0.0


def _vitals(rng: random.Random, person: _Person, severity: float, fever: bool) -> dict[str, Decimal]:
    heat = (1.0 + 0.4 * severity) if fever else 0.0
    sbp = person.sbp - 9 * severity + 7 * _normal(rng)
    raw: dict[Vital, float] = {
        "temperature_c": 36.7 + heat + 0.3 * _normal(rng),
        "heart_rate_bpm": person.heart_rate + 11 * severity + 6 * heat + 5 * _normal(rng),
        "resp_rate_bpm": person.resp_rate + 2.2 * severity + 1.9 * _normal(rng),
        "spo2_pct": 98.6 - 1.1 * severity + 1.2 * _normal(rng),
        "sbp_mmhg": sbp,
        "dbp_mmhg": min(0.55 * sbp + 5 * _normal(rng), sbp - 12),
        "pain": 3 + 1.2 * severity + 2.5 * _normal(rng),
    }
    values: dict[str, Decimal] = {}
    for vital, value in raw.items():
        # Drawn for every vital, so that one vital's absence does not shift the values of the next.
        absent = rng.random() < MISSING.get(vital, 0.0)
        if absent or (vital == "dbp_mmhg" and "sbp_mmhg" not in values):
            continue
        sign = VITAL_SIGNS[vital]
        digits = 10 if vital == "temperature_c" else 1
        steps = int(value * digits + 0.5)
        low, high = int(sign.low) * digits, int(sign.high) * digits
        values[vital] = Decimal(min(max(steps, low), high)) / digits
    if "sbp_mmhg" in values and values["dbp_mmhg"] >= values["sbp_mmhg"]:
        del values["sbp_mmhg"], values["dbp_mmhg"]
    return values


def _normal(rng: random.Random) -> float:
    total = -6.0
    for _ in range(12):  # not sum(): its rounding differs between Python 3.11 and 3.12
        total += rng.random()
    return total
