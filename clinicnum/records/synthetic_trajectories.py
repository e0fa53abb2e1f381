"""Simulate how the vitals of a block of stays evolve, as normal scores [records, vitals].

Arrays are only added, multiplied and divided element by element, never summed, so every machine gets the
same bits. All randomness comes from the `Random` that is passed.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clinicnum.records import synthetic_parameters
from clinicnum.records.synthetic_charted_values import NORMAL

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Couplings = Sequence[tuple[int, int, float]]

WIDTH = len(synthetic_parameters.VITALS)


@dataclass(frozen=True)
class Layout:
    """Which record belongs to which stay, and which stay to which person, by index."""

    person: Integers
    """Index of each stay's person."""
    stay: Integers
    """Index of each record's stay; the records of a stay are adjacent."""
    index: Integers
    """Index of each record within its stay."""
    elapsed: Integers
    """Minutes of each record since its stay's first."""
    length: Integers
    """Minutes of each stay, at least 1."""


def scores(rng: random.Random, layout: Layout) -> Floats:
    """Normal scores of all vital signs of all records: [records, vitals]."""
    persons, stays, records = int(layout.person[-1]) + 1, len(layout.person), len(layout.stay)
    person = _deviates(rng, persons, synthetic_parameters.BETWEEN)[layout.person]
    usual = synthetic_parameters.PERSON * person + synthetic_parameters.STAY * _deviates(
        rng, stays, synthetic_parameters.BETWEEN
    )
    severity, arriving = _severity(rng, layout, stays), _arriving(rng, layout, stays)
    restless = np.array(rng.choices(synthetic_parameters.VOLATILITY, k=stays))
    drift = (
        _deviates(rng, records, synthetic_parameters.WITHIN)
        * restless[layout.stay, None]
        * synthetic_parameters.NOISE
    )
    level = (
        usual[layout.stay]
        + severity[:, None] * synthetic_parameters.SEVERITY
        + arriving[:, None] * synthetic_parameters.ARRIVAL
    )
    repeated = np.array(rng.choices(_REPEATED, k=records))
    return _carried_on(level, drift, repeated, layout.index)


_REPEATED = tuple(
    [vital for vital, times in enumerate(synthetic_parameters.REPEATED) for _ in range(times)]
    + [-1] * (100 - sum(synthetic_parameters.REPEATED))
)
"""The vital that one record in a hundred repeats, or -1."""


def _deviates(rng: random.Random, rows: int, couplings: Couplings) -> Floats:
    """A row of normal deviates per record, one for each vital, correlated with each other."""
    deviates = np.array(rng.choices(NORMAL, k=rows * WIDTH)).reshape(rows, WIDTH)
    for vital, other, weight in couplings:
        deviates[:, vital] += weight * deviates[:, other]
    return deviates


def _severity(rng: random.Random, layout: Layout, stays: int) -> Floats:
    """How ill the patient is at each record, along the course of the stay."""
    names = rng.choices(synthetic_parameters.COURSES, synthetic_parameters.COURSE_WEIGHTS, k=stays)
    extent = np.array([0.5 + rng.random() for _ in range(stays)])
    progress = layout.elapsed / layout.length[layout.stay]
    shapes = {
        "stable": np.zeros_like(progress),
        "deteriorating": progress,
        "recovering": 1 - progress,
        "up_and_down": 4 * progress * (1 - progress),
    }
    course = np.array([synthetic_parameters.COURSES.index(name) for name in names])[layout.stay]
    along = np.stack([shapes[name] for name in synthetic_parameters.COURSES])[course, np.arange(len(course))]
    severity: Floats = extent[layout.stay] * along
    return severity


def _arriving(rng: random.Random, layout: Layout, stays: int) -> Floats:
    """How strongly each record still reflects the patient's arrival."""
    extent = np.array(rng.choices(synthetic_parameters.ARRIVAL_EXTENTS, k=stays))
    arriving: Floats = extent[layout.stay] / (1 + layout.index)
    return arriving


def _carried_on(level: Floats, drift: Floats, repeated: Integers, index: Integers) -> Floats:
    """Level and drift at each record: part of the last drift persists, and a repeated vital keeps its
    value.
    """
    out = level + drift
    for step in range(1, int(index.max()) + 1):
        rows = np.flatnonzero(index == step)
        drift[rows] += synthetic_parameters.HOLD * drift[rows - 1]
        out[rows] = level[rows] + drift[rows]
        again = rows[repeated[rows] >= 0]
        out[again, repeated[again]] = out[again - 1, repeated[again]]
    return out
