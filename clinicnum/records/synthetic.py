"""Synthetic emergency stays: irregular times, correlated vitals along a course, some values missing.

A vital's score is the sum of a patient effect, a stay effect, the stay's course (stable, deteriorating,
recovering, up and down), an arrival effect and record-to-record variation; a table turns the score into the
value that would be charted. All figures are in `synthetic_parameters`; `docs/synthetic.md` says where they
come from and how close the result is.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import accumulate, chain
from typing import Literal

import numpy as np

from clinicnum.records import synthetic_parameters
from clinicnum.records.loaded_records import Loaded
from clinicnum.records.prevalidated_record import trusted_record
from clinicnum.records.synthetic_charted_values import LAST, MIDDLE, NORMAL, STEPS, charted, table, whole
from clinicnum.records.synthetic_trajectories import Floats, Layout, scores
from clinicnum.types import Record

BLOCK = 500
"""Stays generated together; the last patient of a block may have fewer visits than drawn."""
VERSION = 2
"""To be raised whenever the same seed gives different records."""

_CHARTED = tuple(np.array(charted(vital), dtype=object) for vital in synthetic_parameters.VITALS)
_MINUTES = table(synthetic_parameters.GAP_KNOTS, whole(1, 1440))
_DAYS = table(synthetic_parameters.DAYS_BETWEEN_KNOTS, whole(1, 1500))
_AGES = table(synthetic_parameters.AGE_KNOTS, whole(18, 93))
_COUNTS_TO = tuple(accumulate(synthetic_parameters.COUNT_WEIGHTS))
_VISITS_TO = tuple(accumulate(synthetic_parameters.VISIT_WEIGHTS))
_HOURS_TO = tuple(accumulate(synthetic_parameters.HOURS))
_PARTIAL_TO = tuple(accumulate(synthetic_parameters.PARTIAL_WEIGHTS))
_TEMPERATURE, _SBP, _DBP, _PAIN = (
    synthetic_parameters.VITALS.index(vital) for vital in ("temperature_c", "sbp_mmhg", "dbp_mmhg", "pain")
)


def synthetic(*, seed: int, stays: int) -> Loaded:
    """Made-up records of `stays` stays, of about a quarter as many subjects, with ids that no real data set
    uses.
    """
    blocks = synthetic_blocks(seed=seed, stays=stays)
    return _loaded(chain.from_iterable(block.records for block in blocks))


def synthetic_blocks(*, seed: int, stays: int, block: int = BLOCK) -> Iterator[Loaded]:
    """Yield the records of `synthetic`, `block` stays at a time; no subject is in two blocks.

    Block i depends on `seed`, `block` and i alone: more stays only add to the end. The data are the same for
    any `block`; ValueError unless it is a multiple of 500.
    """
    if block < 1 or block % BLOCK:
        raise ValueError(f"block is {block}; expected a multiple of {BLOCK}")
    for start in range(0, stays, block):
        parts = range(start, min(start + block, stays), BLOCK)
        yield _loaded(chain.from_iterable(_records(seed, part, min(BLOCK, stays - part)) for part in parts))


def _loaded(records: Iterator[Record]) -> Loaded:
    return Loaded(records=tuple(records), source="synthetic", credentialed=False, counts={})


class _Person:
    """The constant properties of a patient."""

    def __init__(self, rng: random.Random, number: int, first_stay: int) -> None:
        self.number = number
        self.subject_id = f"S{first_stay:07d}"
        self.gender: Literal["F", "M"] = "F" if rng.random() < synthetic_parameters.SHARE_OF_WOMEN else "M"
        self.arrives = datetime(2110, 1, 1) + timedelta(days=rng.randrange(365 * 40))
        self.born = self.arrives.year - _AGES[_place(rng.choice(NORMAL))]


@dataclass(frozen=True)
class _Stay:
    person: _Person
    stay_id: str
    start: datetime
    elapsed: list[int]
    """For each record, the minutes since `start`."""
    lacking: list[list[int]]
    """For each record, the indices of the vitals that it lacks."""


def _place(score: float) -> int:
    return min(max(int(score * STEPS + MIDDLE), 0), LAST)


def _records(seed: int, done: int, wanted: int) -> Iterator[Record]:
    """Yield the records of the `wanted` stays that follow the first `done`."""
    rng = random.Random(f"synthetic:{VERSION}:{seed}:{done}")  # noqa: S311  reproducible data, not secrets
    stays = _stays(rng, done)
    rows = iter(_values(scores(rng, _layout(stays))))  # for all stays, so that `wanted` changes no record
    for stay in stays[:wanted]:
        person = stay.person
        for minutes, lacking, values in zip(stay.elapsed, stay.lacking, rows, strict=False):
            for vital in lacking:
                values[vital] = None
            time = stay.start + timedelta(minutes=minutes)
            yield trusted_record(
                person.subject_id,
                stay.stay_id,
                time,
                values,
                time.year - person.born,
                person.gender,
                "synthetic",
            )


def _stays(rng: random.Random, done: int) -> list[_Stay]:
    stays: list[_Stay] = []
    number = 0
    while len(stays) < BLOCK:
        person = _Person(rng, number, done + len(stays) + 1)
        visits = rng.choices(synthetic_parameters.VISITS, cum_weights=_VISITS_TO)[0]
        for visit in range(1, min(visits, BLOCK - len(stays)) + 1):
            stays.append(_stay(rng, person, visit))
        number += 1
    return stays


def _stay(rng: random.Random, person: _Person, visit: int) -> _Stay:
    """One visit; it also determines when the person comes again."""
    count = rng.choices(synthetic_parameters.COUNTS, cum_weights=_COUNTS_TO)[0]
    hour = rng.choices(range(24), cum_weights=_HOURS_TO)[0]
    start = person.arrives + timedelta(hours=hour, minutes=rng.randrange(60))
    pace = synthetic_parameters.PACE[count] + synthetic_parameters.GAP_STAY * rng.choice(NORMAL)
    gaps = [
        _MINUTES[_place(pace + synthetic_parameters.GAP_NOISE * z)] for z in rng.choices(NORMAL, k=count - 1)
    ]
    elapsed = [0, *accumulate(gaps)]
    days = elapsed[-1] // 1440 + 2 + _DAYS[_place(rng.choice(NORMAL))]
    person.arrives += timedelta(days=days)
    return _Stay(person, f"{person.subject_id}-{visit:02d}", start, elapsed, _lacking(rng, count))


def _lacking(rng: random.Random, count: int) -> list[list[int]]:
    """For each record of a stay, the vitals that it lacks, as indices into VITALS; the first and the last
    record lack fewer on average.
    """
    temperature = rng.choice(synthetic_parameters.TEMPERATURE_HABITS)
    pain = rng.choice(synthetic_parameters.PAIN_HABITS)
    partial = rng.choice(synthetic_parameters.PARTIAL_HABITS)
    out = []
    for index in range(count):
        where = 0 if index == 0 else 2 if index == count - 1 else 1
        if rng.random() < partial:
            lacking = list(rng.choices(synthetic_parameters.PARTIAL, cum_weights=_PARTIAL_TO)[0])
            no_temperature, no_pain = (
                synthetic_parameters.PARTIAL_TEMPERATURE_ABSENT,
                synthetic_parameters.PARTIAL_PAIN_ABSENT,
            )
        else:
            lacking = []
            no_temperature = synthetic_parameters.TEMPERATURE_ABSENT[where] * temperature
            no_pain = synthetic_parameters.PAIN_ABSENT[where] * pain
        if rng.random() < no_temperature:
            lacking.append(_TEMPERATURE)
        if rng.random() < no_pain:
            lacking.append(_PAIN)
        out.append(lacking)
    return out


def _layout(stays: Sequence[_Stay]) -> Layout:
    return Layout(
        person=np.array([stay.person.number for stay in stays]),
        stay=np.array([n for n, stay in enumerate(stays) for _ in stay.elapsed]),
        index=np.array([index for stay in stays for index in range(len(stay.elapsed))]),
        elapsed=np.array([minutes for stay in stays for minutes in stay.elapsed]),
        length=np.array([max(stay.elapsed[-1], 1) for stay in stays]),
    )


def _values(scores: Floats) -> list[list[Decimal | None]]:
    """The charted values for each row of scores."""
    places = (scores * STEPS + MIDDLE).astype(np.int64).clip(0, LAST)
    rows = np.stack([_CHARTED[vital][places[:, vital]] for vital in range(len(_CHARTED))], axis=1).tolist()
    for row in rows:
        if row[_SBP] - row[_DBP] < synthetic_parameters.MIN_PULSE_PRESSURE:
            row[_DBP] = row[_SBP] - synthetic_parameters.MIN_PULSE_PRESSURE
    values: list[list[Decimal | None]] = rows
    return values
