"""The planner: what it promises holds in fresh studies of the planned size."""

import numpy as np
import pytest

from clinicnum.annotations.agreement import Rating, agreement
from clinicnum.annotations.reliability.sample_size_planner import Plan, plan
from clinicnum.errors import InputError

CLASSES = ("a", "b", "c")
ALPHA = "krippendorff_alpha_nominal"
Labels = dict[str, dict[str, str]]
RARE = {(one, one % 2, one % 3) for one in range(0, 27, 3)} | {(28, 0, 0), (28, 0, 1)}
"""(subject, item, annotator) of the few labels that are not the common one."""


def made(subjects: int, seed: int, annotators: int = 3, each: int = 4) -> Labels:
    """Labels with errors that a subject's items share, so that items of one subject are dependent."""
    rng = np.random.default_rng(seed)
    labels: Labels = {}
    for subject in range(subjects):
        hard = rng.random() < 0.4
        for n in range(each):
            true = rng.integers(3)
            wrong = rng.random(annotators) < (0.6 if hard else 0.1)
            labels[f"s{subject:04}-{n}"] = {
                f"w{who}": CLASSES[(true + wrong[who] * (1 + rng.integers(2))) % 3]
                for who in range(annotators)
            }
    return labels


def subject(item: str) -> str:
    return item.partition("-")[0]


def half_width(labels: Labels) -> float:
    """Half of the interval that `agreement` gives."""
    table = [
        Rating(item, who, label, cluster=subject(item))
        for item, given in labels.items()
        for who, label in given.items()
    ]
    low, high = agreement(table, scale="nominal", categories=CLASSES).coefficient(ALPHA).ci95 or (0.0, 0.0)
    return (high - low) / 2


def planned(labels: Labels, wanted: float, k: int = 3, name: str = ALPHA) -> Plan:
    (one,) = plan(
        labels,
        coefficient=name,
        categories=CLASSES,
        subjects={item: subject(item) for item in labels},
        wanted=[wanted],
        annotators=[k],
    )
    return one


@pytest.mark.parametrize("wanted", [0.06, 0.12])
def test_fresh_studies_of_the_planned_size_have_the_wanted_half_width(wanted: float) -> None:
    found = planned(made(150, seed=1), wanted)
    assert found.subjects is not None
    assert found.half_width == pytest.approx(wanted, rel=0.06)
    widths = [half_width(made(found.subjects, seed)) for seed in range(100, 106)]
    assert np.mean(widths) == pytest.approx(wanted, rel=0.15)
    assert found.items == 4 * found.subjects


def test_what_is_expected_at_the_present_size_is_the_interval_at_hand() -> None:
    labels = made(150, seed=1)
    assert planned(labels, 0.1).present == pytest.approx(half_width(labels), rel=0.12)


def test_with_few_subjects_and_a_rare_label_the_plan_hardly_depends_on_the_seed() -> None:
    labels = {
        f"s{subject:02}-{n}": {f"w{who}": "b" if (subject, n, who) in RARE else "a" for who in range(3)}
        for subject in range(33)
        for n in range(2)
    }
    found = [
        plan(
            labels,
            coefficient=ALPHA,
            categories=CLASSES,
            subjects={item: subject(item) for item in labels},
            wanted=[0.1],
            annotators=[2],
            seed=seed,
        )[0].present
        for seed in range(4)
    ]
    widths = [one for one in found if one is not None]
    assert len(widths) == 4
    assert max(widths) < 1.03 * min(widths), widths


def test_fewer_annotators_take_more_items() -> None:
    labels = made(150, seed=1)
    two, three = planned(labels, 0.06, k=2), planned(labels, 0.06, k=3)
    assert two.items is not None
    assert three.items is not None
    assert two.items > three.items


def test_the_same_seed_gives_the_same_plan_whatever_the_order_of_the_labels() -> None:
    labels = made(40, seed=2)
    backwards = {item: dict(reversed(given.items())) for item, given in reversed(labels.items())}
    assert planned(labels, 0.1, k=2) == planned(backwards, 0.1, k=2)


@pytest.mark.parametrize(
    ("labels", "k", "reason"),
    [
        pytest.param(made(20, 1), 4, "no item has 4 labels (at most 3)", id="more annotators than labels"),
        pytest.param(made(4, 1), 3, "16 items from 4 subjects have 3 labels", id="too few subjects"),
        pytest.param({}, 2, "no item has 2 labels (at most 0)", id="nothing"),
        pytest.param(
            {f"s{n}-0": {"p": "a", "q": "a"} for n in range(20)},
            2,
            "the coefficient is undefined in all simulated studies",
            id="all agree on one label",
        ),
        pytest.param(
            {f"s{n}-0": {"p": "a", "q": "a" if n else "b"} for n in range(20)},
            2,
            "the coefficient is undefined in 3",
            id="one other label, which (1 - 1 / 20) ** 20 = 35.8 % of studies do not draw",
        ),
        pytest.param(
            {f"s{n}-{at}": {"p": "ab"[at], "q": "ab"[at]} for n in range(20) for at in (0, 1)},
            2,
            "the coefficient is the same in all simulated studies",
            id="all agree, on both labels of every subject",
        ),
    ],
)
def test_what_cannot_be_planned_says_why(labels: Labels, k: int, reason: str) -> None:
    found = planned(labels, 0.1, k=k)
    assert found.items is None
    assert found.undefined is not None
    assert found.undefined.startswith(reason)


@pytest.mark.parametrize(
    ("wanted", "name", "labels", "error"),
    [
        pytest.param(
            0.1, "kappa", {}, "'kappa' has no plan; expected one of percent_agreement", id="unknown"
        ),
        pytest.param(1.5, ALPHA, {}, "expected half-widths between 0 and 1", id="too wide a half-width"),
        pytest.param(0.1, ALPHA, {"s-1": {"p": "x"}}, "label 'x'", id="an undeclared label"),
    ],
)
def test_bad_wishes_are_refused(wanted: float, name: str, labels: Labels, error: str) -> None:
    with pytest.raises(InputError, match=error):
        planned(labels, wanted, name=name)
