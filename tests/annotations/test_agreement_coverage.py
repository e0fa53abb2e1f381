"""On simulated annotators with known agreement, intervals cover the truth as often as they say.

`scripts/dev/evidence coverage` runs 2,000 data sets of each design (`CLINICNUM_SIMULATIONS_SEED` draws
others);
the suite runs 40 and allows for their chance (four standard errors). The intervals are those that `agreement`
gives to everyone. For independent items both are measured: the published one, which is the interval of
record, and the one on Fisher's z beside it.

All intervals are held to 93 to 97 % on `MODELS`. On `HARDER` ones, where 30 items hold a handful of
disagreements, those on z are held to 93 to 99 %, and the published one is only held to what it was seen to
do: it falls short, to 88 %, which is why the other stands beside it. Coverage is of the data sets that
have an interval; where all agree there is none, and that may be one in eight.
"""

import os
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
import pytest

from clinicnum.annotations.agreement import agreement
from clinicnum.annotations.agreement.intervals import on_z
from clinicnum.annotations.agreement.label_table import Column, LabelTable
from tests.annotations import simulated_annotators as simulated

FULL = 2_000
DATA_SETS = int(os.environ.get("CLINICNUM_SIMULATIONS", "40"))
SEED = int(os.environ.get("CLINICNUM_SIMULATIONS_SEED", "0"))
DESIGNS = ((30, 1), (100, 1), (400, 1), (6, 5), (20, 5), (80, 5), (6, 20), (20, 20), (80, 20))
"""Subjects and items of each; with one item each, items are independent."""
COEFFICIENTS = ("gwet_ac1", "fleiss_kappa", "krippendorff_alpha_nominal")
ALL = simulated.MODELS | simulated.HARDER
Ends = tuple[float, float]
NO_ENDS = (float("nan"), float("nan"))


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


def _intervals(model: str, subjects: int, items: int) -> dict[tuple[str, str], list[Ends]]:
    """By coefficient and kind of interval, one a simulated data set."""
    drawn = ALL[model]
    names = [str(k) for k in range(len(drawn.prevalence))]
    rng = np.random.default_rng([subjects, items, SEED])
    seen: dict[tuple[str, str], list[Ends]] = {}
    for _ in range(DATA_SETS):
        table = _table(simulated.labels(drawn, subjects, items, rng), len(names), items)
        for row in agreement(table, scale="nominal", categories=names, only=COEFFICIENTS).coefficients:
            kind = "subjects" if items > 1 else "published"
            seen.setdefault((row.name, kind), []).append(row.ci95 or NO_ENDS)
            if items == 1:
                ends = NO_ENDS
                if row.ci95 is not None and row.value is not None:
                    ends = on_z(row.value, row.value - row.ci95[0], -1.0)
                seen.setdefault((row.name, "on z"), []).append(ends)
    return seen


def _bounds(model: str, kind: str) -> Ends:
    if model in simulated.MODELS:
        return 0.93, 0.97
    return (0.88, 1.0) if kind == "published" else (0.93, 0.99)


@pytest.mark.parametrize("model", ALL)
@pytest.mark.parametrize(("subjects", "items"), DESIGNS)
def test_intervals_cover_the_truth(model: str, subjects: int, items: int) -> None:
    truth = simulated.truth_of(ALL[model])
    for (name, kind), intervals in _intervals(model, subjects, items).items():
        low, high = np.array([ends for ends in intervals if ends is not NO_ENDS]).T
        true = getattr(truth, name)
        coverage, none = float(((low <= true) & (true <= high)).mean()), 1.0 - len(low) / DATA_SETS
        print(
            f"{model:50} {name:26} {subjects:3} x {items:2} {kind:9} {100 * coverage:5.1f} % (lies above "
            f"{100 * (low > true).mean():4.1f}, below {100 * (high < true).mean():4.1f}), "
            f"none {100 * none:4.1f}, width {np.mean(high - low):.3f}"
        )
        chance = 0.0 if DATA_SETS >= FULL else 4 * sqrt(0.05 * 0.95 / DATA_SETS)
        least, most = _bounds(model, kind)
        assert least - chance <= coverage <= most + chance
        assert none <= 1 / 8 + chance


@pytest.mark.parametrize(("subjects", "items", "other"), [(20, 20, "ignoring subjects"), (6, 5, "bootstrap")])
def test_what_is_not_the_interval_of_record_is_shorter(subjects: int, items: int, other: str) -> None:
    model = next(iter(simulated.MODELS))
    drawn, truth = simulated.MODELS[model], simulated.truth_of(simulated.MODELS[model])
    names = [str(k) for k in range(len(drawn.prevalence))]
    rng = np.random.default_rng([subjects, items, SEED])
    record, beside = [], []
    for _ in range(DATA_SETS):
        table = _table(simulated.labels(drawn, subjects, items, rng), len(names), items)
        result = agreement(table, scale="nominal", categories=names, only=["gwet_ac1"], details=True)
        alone = agreement(replace(table, cluster=None), scale="nominal", categories=names, only=["gwet_ac1"])
        shorter = result.beside[0] if other == "bootstrap" else alone.coefficient("gwet_ac1")
        record.append(result.coefficient("gwet_ac1").ci95 or NO_ENDS)
        beside.append(shorter.ci95 or NO_ENDS)
    width, coverage = [], []
    for low, high in (np.array(record).T, np.array(beside).T):
        width.append(float(np.nanmean(high - low)))
        coverage.append(float(((low <= truth.gwet_ac1) & (truth.gwet_ac1 <= high)).mean()))
    print(
        f"{model}, AC1, {subjects} x {items}: {other} covers {100 * coverage[1]:.1f} %, "
        f"the interval of record {100 * coverage[0]:.1f} %; width {width[1]:.3f} and {width[0]:.3f}"
    )
    assert width[1] < 0.9 * width[0]
    assert coverage[1] <= coverage[0]


@pytest.mark.parametrize("model", ALL)
def test_the_known_truth_is_where_many_items_lead(model: str) -> None:
    drawn = ALL[model]
    truth = simulated.truth_of(drawn)
    table = _table(simulated.labels(drawn, 50_000, 1, np.random.default_rng(9)), len(drawn.prevalence), 1)
    names = [str(k) for k in range(len(drawn.prevalence))]
    for row in agreement(table, scale="nominal", categories=names, only=COEFFICIENTS).coefficients:
        assert row.value is not None
        assert row.se is not None
        assert abs(row.value - getattr(truth, row.name)) < 4 * row.se
