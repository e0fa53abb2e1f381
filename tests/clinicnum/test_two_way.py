"""The interval of accuracy over subjects and templates: by hand, and how often it covers the truth.

`scripts/dev/evidence accuracy` runs 2,000 data sets of each design, for the table in `docs/robustness.md`.
"""

import os

import numpy as np
import pytest
from scipy.special import expit

from clinicnum.stats.clustered_intervals import Floats, Subjects, share_spread
from clinicnum.stats.two_way_clusters import TWO_WAY, Crossing, accuracy_interval, two_way_variance

SETS = int(os.environ.get("CLINICNUM_SIMULATIONS", "150"))
DESIGNS = {
    "42 templates of 10 questions, 60 subjects": (60, 42, 10, 0.5, 1.0, 0.8),
    "20 templates of 20 questions, 60 subjects": (60, 20, 20, 0.5, 1.0, 0.8),
    "10 templates of 30 questions, 30 subjects": (30, 10, 30, 0.5, 1.0, 0.8),
    "templates all alike": (60, 42, 10, 0.5, 0.0, 0.8),
    "20 subjects who differ much": (20, 42, 10, 1.0, 1.0, 1.5),
}
"""Subjects, templates, questions of each, spread of subjects and templates on the logit, its middle."""


def named(places: Floats) -> Subjects:
    return Subjects.of(f"{place:04.0f}" for place in places.tolist())


def variance(right: Floats, subjects: Subjects, templates: Subjects) -> float:
    crossing = Crossing.of(subjects, templates)
    cells = crossing.totals(right)
    over = (crossing.over(one, cells) for one in (crossing.subject, crossing.template))
    return two_way_variance(*over, cells)


def test_the_variance_of_a_table_by_hand() -> None:
    # Two subjects x two templates, one question each: right 1 1 / 0 0. Without the first subject the share is
    # 0, without the second 1: (1/2) (0.25 + 0.25) = 0.25; over templates nothing varies. Over the four cells:
    # 1/3, 1/3, 2/3, 2/3, so (3/4) 4 (1/6)^2 = 1/12. 0.25 + 0 - 1/12 < 0.25, which is the least.
    right = np.array([1.0, 1.0, 0.0, 0.0])
    subjects, templates = Subjects.of("aabb"), Subjects.of("xyxy")
    assert variance(right, subjects, templates) == pytest.approx(0.25)
    # With both ways alike, 1 0 / 1 0 and its like, the templates' part counts in turn.
    assert variance(right, templates, subjects) == pytest.approx(0.25)


def test_one_template_a_subject_is_the_jackknife_over_either() -> None:
    right = np.array([1.0, 1.0, 0.0, 1.0, 0.0, 1.0])
    both = Subjects.of("aabbcc")
    spread = share_spread(*both.totals(np.column_stack([right, np.ones(6)])).T)
    assert variance(right, both, both) == pytest.approx(float(spread.se) ** 2)


def test_under_five_templates_it_is_of_these_templates_and_says_so() -> None:
    right = np.tile([1.0, 0.0, 1.0], 10)
    found = accuracy_interval(right, named(np.repeat(np.arange(10.0), 3)), named(np.tile(np.arange(3.0), 10)))
    assert found.method.endswith("of other subjects and these templates")
    many = accuracy_interval(right, named(np.repeat(np.arange(10.0), 3)), named(np.tile(np.arange(6.0), 5)))
    assert many.method == TWO_WAY


def test_where_all_are_right_the_fewer_of_subjects_and_templates_count() -> None:
    found = accuracy_interval(
        np.ones(60), named(np.repeat(np.arange(20.0), 3)), named(np.tile(np.arange(6.0), 10))
    )
    assert found.high == 1.0
    assert found.low is not None
    assert found.low < 0.55  # t(5)^2 = 6.61: 6 / (6 + 6.61)
    assert "no variation: taken as 6.0 answers" in (found.warning or "")


def test_without_items_or_spread_there_is_a_reason() -> None:
    empty = accuracy_interval(np.zeros(0), Subjects.of(()), Subjects.of(()))
    assert empty.undefined is not None
    few = accuracy_interval(np.ones(8), named(np.arange(8.0)), named(np.arange(8.0)))
    assert few.undefined == "8 items; an interval needs at least 10"


@pytest.mark.parametrize("design", DESIGNS)
def test_it_covers_the_accuracy_on_other_subjects_and_templates(design: str) -> None:
    n_subjects, n_templates, questions, by_subject, by_template, middle = DESIGNS[design]
    rng = np.random.default_rng(len(design))
    spread = np.hypot(by_subject, by_template)
    truth = float(expit(middle + spread * rng.standard_normal(1_000_000)).mean())
    template = np.repeat(np.arange(n_templates), questions)
    held, one_way = 0, 0
    for _ in range(SETS):
        subject = rng.integers(0, n_subjects, len(template))
        hard = by_template * rng.standard_normal(n_templates)[template]
        hard += by_subject * rng.standard_normal(n_subjects)[subject]
        right = (rng.random(len(template)) < expit(middle + hard)).astype(float)
        whose = named(subject.astype(float))
        found = accuracy_interval(right, whose, named(template.astype(float)))
        assert found.low is not None
        assert found.high is not None
        held += found.low <= truth <= found.high
        alone = share_spread(*whose.totals(np.column_stack([right, np.ones(len(right))])).T)
        one_way += bool(alone.low <= truth <= alone.high)
    print(f"{design}: {100 * held / SETS:.1f} %; over subjects alone {100 * one_way / SETS:.1f} %")
    chance = 4 * np.sqrt(0.05 * 0.95 / SETS)
    assert 0.93 - chance <= held / SETS <= 0.975 + chance
