"""On simulated annotators with known agreement, intervals cover the truth as often as they say.

`scripts/evidence coverage` runs 2,000 data sets of each design and holds coverage to 93 to 97 %; the suite
runs 60 and allows for their chance (four standard errors around 95 %). The intervals are those that
`agreement` gives to everyone; a data set without one counts as not covered.
"""

import os
from math import sqrt
from typing import Any

import numpy as np
import pytest

from annotations.agreement import agreement
from annotations.agreement.table import Column, LabelTable
from tests.annotations import simulated_annotators as simulated

FULL = 2_000
DATA_SETS = int(os.environ.get("CLINICNUM_SIMULATIONS", "60"))
DESIGNS = ((30, 1), (100, 1), (400, 1), (6, 5), (20, 5), (80, 5), (6, 20), (20, 20), (80, 20))
"""Subjects and items of each; with one item each, items are independent."""
COEFFICIENTS = ("gwet_ac1", "fleiss_kappa", "krippendorff_alpha_nominal")
LEAST, MOST = 0.93, 0.97


def _table(labels: Any, categories: int, items: int) -> LabelTable:
    """Simulated labels as the columns that a file of them would be read into."""
    item, annotator = np.nonzero(labels != simulated.MISSING)
    named = [tuple(map(str, range(n))) for n in (*labels.shape, categories, len(labels) // items)]
    return LabelTable(
        item=Column(item, named[0]),
        annotator=Column(annotator, named[1]),
        label=Column(labels[item, annotator], named[2]),
        cluster=Column(item // items, named[3]) if items > 1 else None,
    )


@pytest.mark.parametrize("model", simulated.MODELS)
@pytest.mark.parametrize(("subjects", "items"), DESIGNS)
def test_intervals_cover_the_truth(model: str, subjects: int, items: int) -> None:
    drawn = simulated.MODELS[model]
    truth = simulated.truth_of(drawn)
    categories = len(drawn.prevalence)
    rng = np.random.default_rng([subjects, items])
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in COEFFICIENTS}
    for _ in range(DATA_SETS):
        table = _table(simulated.labels(drawn, subjects, items, rng), categories, items)
        result = agreement(
            table, scale="nominal", categories=[str(k) for k in range(categories)], only=COEFFICIENTS
        )
        for row in result.coefficients:
            seen[row.name].append(row.ci95 or (np.nan, np.nan))
    chance = 0.0 if DATA_SETS >= FULL else 4 * sqrt(0.05 * 0.95 / DATA_SETS) - (0.95 - LEAST)
    for name, ends in seen.items():
        low, high = np.array(ends).T
        true = getattr(truth, name)
        coverage = float(((low <= true) & (true <= high)).mean())
        print(
            f"{model}; {name:26} {subjects:3} x {items:2}: {100 * coverage:.1f} % "
            f"(too high {100 * (low > true).mean():.1f}, too low {100 * (high < true).mean():.1f}, "
            f"none {100 * np.isnan(low).mean():.1f}), mean width {np.nanmean(high - low):.3f}"
        )
        assert LEAST - chance <= coverage <= MOST + chance


@pytest.mark.parametrize("model", simulated.MODELS)
def test_the_known_truth_is_where_many_items_lead(model: str) -> None:
    drawn = simulated.MODELS[model]
    truth = simulated.truth_of(drawn)
    table = _table(simulated.labels(drawn, 50_000, 1, np.random.default_rng(9)), len(drawn.prevalence), 1)
    names = [str(k) for k in range(len(drawn.prevalence))]
    for row in agreement(table, scale="nominal", categories=names, only=COEFFICIENTS).coefficients:
        assert row.value is not None
        assert row.se is not None
        assert abs(row.value - getattr(truth, row.name)) < 4 * row.se
