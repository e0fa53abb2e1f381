"""The interval of a slice's difference from the rest: published examples, another computation, coverage.

`scripts/dev/evidence slices` runs 2,000 data sets of each design, for the table in `docs/slices.md`.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import hypot, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import norm

from clinicnum.slices.held_out_test import difference
from clinicnum.stats.clustered_intervals import Subjects
from clinicnum.stats.jackknife import Interval
from clinicnum.stats.share_difference import NO_WIDTH, ONE_WAY, TWO_WAY, difference_interval, square_and_add
from clinicnum.stats.two_way_clusters import Crossing
from tests.clinicnum.planted_slices import patterns, questions

SETS = int(os.environ.get("CLINICNUM_SIMULATIONS", "40"))
Flags = NDArray[np.bool_]
Places = NDArray[np.int64]


def wilson(part: int, whole: int) -> tuple[float, float]:
    z = norm.ppf(0.975)
    p, size = part / whole, whole + z**2
    half = z / size * sqrt(p * (1 - p) * whole + z**2 / 4)
    middle = (part + z**2 / 2) / size
    return middle - half, middle + half


def found(subject: Places, template: Places, inside: Flags, right: Flags) -> Interval:
    crossing = Crossing.of(*(Subjects.of(f"{one:05}" for one in places) for places in (subject, template)))
    totals = (crossing.totals(right.astype(float), chosen) for chosen in (inside, ~inside))
    return difference_interval(crossing, *totals)


def test_without_correlation_it_is_newcombes_of_independent_shares() -> None:
    # Newcombe (1998), Stat Med 17:873-890, table II, example (a), method 10: 56/70 against 48/80.
    limits = square_and_add(56 / 70, wilson(56, 70), 48 / 80, wilson(48, 80), 0.0)
    assert limits == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_with_correlation_it_is_newcombes_of_paired_shares() -> None:
    # Fagerland, Lydersen and Laake (2017), Statistical Analysis of Contingency Tables, chapter 8, the data of
    # Cavo et al. (2012): 59 responded before and after, 6 before, 16 after, 80 never. -0.1186 to -0.0046,
    # with Newcombe's correlation, which takes n / 2 off the product of the concordant.
    a, b, c, d = 59, 6, 16, 80
    n = a + b + c + d
    correlation = (a * d - b * c - n / 2) / sqrt((a + b) * (c + d) * (a + c) * (b + d))
    one, other = a + b, a + c
    limits = square_and_add(one / n, wilson(one, n), other / n, wilson(other, n), correlation)
    assert limits == pytest.approx((-0.1186, -0.0046), abs=5e-5)


def test_the_standard_error_is_that_of_a_regression_on_the_slice() -> None:
    """Right, regressed on being in the slice, anew without each subject, template and cell."""
    rng = np.random.default_rng(1)
    subject, template = rng.integers(0, 25, 400), rng.integers(0, 9, 400)
    inside = rng.random(400) < 0.3
    right = rng.random(400) < expit(rng.normal(0, 1, 25)[subject] + rng.normal(0, 2, 9)[template] * inside)
    design = np.column_stack([np.ones(400), inside])

    def slope(kept: Flags) -> float:
        return float(np.linalg.lstsq(design[kept], right[kept].astype(float))[0][1])

    def variance(clusters: Places) -> float:
        without = np.array([slope(clusters != one) for one in np.unique(clusters)])
        return float((len(without) - 1) * without.var())

    over_cells = variance(subject * 9 + template)
    expected = max(variance(subject) + variance(template) - over_cells, over_cells / 2)
    interval = found(subject, template, inside, right)
    assert interval.method == TWO_WAY
    assert interval.se == pytest.approx(sqrt(expected))


def test_what_slice_and_rest_have_in_common_cancels() -> None:
    """Subjects and templates that move both shares alike do not make their difference uncertain."""
    rng = np.random.default_rng(2)
    subject, template = (one.ravel() for one in np.mgrid[:40, :10])
    hard = rng.normal(0, 1.5, 40)[subject] + rng.normal(0, 1.5, 10)[template]
    right = np.tile(rng.random(400) < expit(hard), 2)
    right[rng.choice(800, 40, replace=False)] ^= True
    inside = np.repeat([True, False], 400)
    shared = found(np.tile(subject, 2), np.tile(template, 2), inside, right)
    apart = found(np.concatenate([subject, subject + 40]), np.tile(template, 2), inside, right)
    alone = found(np.concatenate([subject, subject + 40]), np.arange(800) // 40, inside, right)
    widths = [one.high - one.low for one in (shared, apart, alone) if one.low is not None and one.high]
    assert widths[0] < widths[1] < widths[2]


def test_with_too_few_subjects_there_is_a_reason() -> None:
    subject = np.repeat(np.arange(12), 10)
    right, place = np.arange(120) % 3 > 0, np.arange(120)
    for inside, counts in (
        (place < 40, "in the slice: 40, their subjects: 4"),
        (place < 9, "slice: 9, their"),
    ):
        few = found(subject, subject % 7, inside, right)
        assert few.low is None
        assert counts in str(few.undefined)
        assert str(few.undefined).endswith("; an interval needs at least 10 of 5")
        rest = found(subject, subject % 7, ~inside, right)
        assert str(rest.undefined).startswith("answers beside the slice: ")


def test_where_nothing_varies_it_is_undefined_and_under_five_templates_it_is_of_these() -> None:
    subject, inside = np.repeat(np.arange(20), 4), np.tile([True, True, False, False], 20)
    same = found(subject, subject % 6, inside, np.tile([True, False], 40))
    assert (same.low, same.undefined) == (None, NO_WIDTH)
    twice = found(
        np.repeat(np.arange(20), 2), np.zeros(40, int), np.tile([True, False], 20), np.arange(40) < 30
    )
    assert (twice.low, twice.undefined) == (None, NO_WIDTH)
    all_right = found(subject, subject % 4, inside, inside)
    assert (all_right.method, all_right.high) == (ONE_WAY, 1.0)
    assert all_right.low is not None
    assert 0.5 < all_right.low < 0.9


@dataclass(frozen=True)
class Design:
    """Which questions were asked, of whom, and which of them are the slice."""

    subject: Places
    template: Places
    inside: Flags


def made(
    patients: int, templates: int, cut: str, share: float, *, uneven: bool = False, runs: int = 1
) -> Design:
    """Ten questions of each patient (uneven: 1 to 60), each from any template, by one or more models.

    The slice cuts across patients and templates, or is whole patients, whole templates, some of the questions
    of some patients, or the first run.
    """
    rng = np.random.default_rng(1)
    each = np.minimum(rng.geometric(0.1, patients), 60) if uneven else np.full(patients, 10)
    subject = np.repeat(np.arange(patients), each)
    template = rng.integers(0, templates, len(subject))
    of_run = np.repeat(np.arange(runs), len(subject))
    subject, template = np.tile(subject, runs), np.tile(template, runs)
    some = rng.random(len(subject)) < share
    inside = {
        "across": some,
        "patients": subject < round(share * patients),
        "templates": template < round(share * templates),
        "both": some & (subject < patients / 2),
        "run": of_run == 0,
    }
    return Design(subject, template, inside[cut])


def paper(inside: Flags, patients: int = 366) -> Design:
    """The benchmark of the preset `paper`, of all its patients or the first."""
    asked = questions()
    subject, template = (
        np.unique(asked[name], return_inverse=True)[1] for name in ("subject_id", "template")
    )
    kept = subject < patients
    return Design(subject[kept], template[kept], inside[kept])


def of_paper(facet: str, value: str) -> Flags:
    return np.asarray(questions()[facet] == value)


DESIGNS: dict[str, Callable[[], Design]] = {
    "a third of the questions of 60 patients, 20 templates": lambda: made(60, 20, "across", 0.3),
    "18 of 60 patients, 20 templates": lambda: made(60, 20, "patients", 0.3),
    "6 of 20 templates, 60 patients": lambda: made(60, 20, "templates", 0.3),
    "half of the questions of 30 of 60 patients": lambda: made(60, 20, "both", 0.5),
    "one of 3 runs on the same questions": lambda: made(60, 20, "run", 0.3, runs=3),
    "patients of 1 to 60 questions": lambda: made(60, 20, "across", 0.3, uneven=True),
    "3 templates, so of these alone": lambda: made(60, 3, "patients", 0.3),
    "half of the questions of 10 patients": lambda: made(10, 20, "across", 0.5),
    "10 of 20 patients": lambda: made(20, 20, "patients", 0.5),
    "a third of the questions of 200 patients": lambda: made(200, 20, "across", 0.3),
    "a twentieth of the questions of 60 patients": lambda: made(60, 20, "across", 0.05),
    "6 of 60 patients": lambda: made(60, 20, "patients", 0.1),
    "preset paper: notes": lambda: paper(of_paper("representation", "note")),
    "preset paper: arithmetic": lambda: paper(of_paper("operation", "arithmetic")),
    "preset paper: women of 70 and more": lambda: paper(patterns()["a group of patients"][0]),
    "preset paper: temperature in long contexts": lambda: paper(patterns()["a vital in long contexts"][0]),
    "preset paper: notes, 30 patients": lambda: paper(of_paper("representation", "note"), 30),
}
TRUTHS = {
    "0.5": (0.5, 0.0, 0.0),
    "0.8": (0.8, 0.0, 0.0),
    "0.97": (0.97, 0.0, 0.0),
    "0.8, 20 points less": (0.8, 0.2, 1.0),
}
"""Accuracy, how much less it is in the slice, and the standard deviation between patients of the latter."""
SUBJECTS, TEMPLATES = 0.5, 0.5
"""Standard deviations of patients and templates, on the logit; under five templates all are alike."""
Z = np.random.default_rng(9).standard_normal(100_000)


@cache
def middle(accuracy: float, spread: float) -> float:
    """The log odds around which a normal spread gives this accuracy."""
    return float(brentq(lambda odds: expit(odds + spread * Z).mean() - accuracy, -8, 12, xtol=1e-6))


def draws(of: Design, truth: tuple[float, float, float]) -> Iterator[Interval]:
    """The intervals of data sets that are drawn in this design."""
    rng = np.random.default_rng(len(of.subject))
    accuracy, gap, slope = truth
    subjects, templates = (Subjects.of(f"{one:05}" for one in places) for places in (of.subject, of.template))
    crossing = Crossing.of(subjects, templates)
    spreads = SUBJECTS, TEMPLATES * (len(templates.names) >= 5)
    odds = np.where(
        of.inside, middle(accuracy - gap, hypot(*spreads, slope)), middle(accuracy, hypot(*spreads))
    )
    for _ in range(SETS):
        by_subject, costs = rng.standard_normal((2, len(subjects.names)))
        hard = spreads[0] * by_subject[subjects.place] + slope * of.inside * costs[subjects.place]
        hard += spreads[1] * rng.standard_normal(len(templates.names))[templates.place]
        right = (rng.random(len(odds)) < expit(odds + hard)).astype(float)
        yield difference_interval(
            crossing, *(crossing.totals(right, chosen) for chosen in (of.inside, ~of.inside))
        )


@pytest.mark.parametrize("name", DESIGNS)
def test_it_covers_the_true_difference_on_other_patients(name: str) -> None:
    design = DESIGNS[name]()
    cells = []
    for truth in TRUTHS.values():
        ends = [
            (one.low, one.high)
            for one in draws(design, truth)
            if one.low is not None and one.high is not None
        ]
        held = float(np.mean([low <= -truth[1] <= high for low, high in ends]))
        cells.append(f"{100 * held:.1f} ({100 * np.mean([high - low for low, high in ends]):.0f})")
        chance = 4 * sqrt(0.05 * 0.95 / SETS)
        assert len(ends) >= 0.99 * SETS
        assert 0.93 - chance <= held <= 0.98 + chance
    print(f"| {name} | {' | '.join(cells)} |")


@pytest.mark.parametrize("cut", ["across", "patients"])
@pytest.mark.parametrize("patients", [20, 60, 200])
def test_the_interval_of_the_slice_search_covers_the_true_difference(cut: str, patients: int) -> None:
    """On other patients and these templates, without stratification; shares are of wrong answers."""
    of = made(patients, 3, cut, 0.5 if patients == 20 else 0.3)
    cells = []
    for accuracy, gap, slope in TRUTHS.values():
        rng, held = np.random.default_rng(3), 0
        odds = np.where(of.inside, middle(accuracy - gap, hypot(SUBJECTS, slope)), middle(accuracy, SUBJECTS))
        for _ in range(SETS):
            by_subject, costs = rng.standard_normal((2, patients))[:, of.subject]
            wrong = rng.random(len(odds)) >= expit(odds + SUBJECTS * by_subject + slope * of.inside * costs)
            one = difference(
                wrong.astype(float), of.inside, ~of.inside, np.zeros_like(of.subject), of.subject, level=0.05
            )
            assert one.low is not None
            assert one.high is not None
            held += one.low <= gap <= one.high
        cells.append(f"{100 * held / SETS:.1f}")
        assert held / SETS >= 0.94 - 4 * sqrt(0.05 * 0.95 / SETS)
    print(f"| {patients}, {cut} | {' | '.join(cells)} |")
