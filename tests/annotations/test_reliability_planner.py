"""The planner: what it promises holds in fresh studies of the planned size."""

import numpy as np
import pytest

from annotations.agreement import Rating, agreement
from annotations.reliability.planner import Plan, plan
from clinicnum.errors import InputError

CLASSES = ("a", "b", "c")
ALPHA = "krippendorff_alpha_nominal"


def made(subjects: int, seed: int, annotators: int = 3, each: int = 4) -> list[Rating]:
    """Labels with errors that a subject's items share, so that items of one subject are dependent."""
    rng = np.random.default_rng(seed)
    rows = []
    for subject in range(subjects):
        hard = rng.random() < 0.4
        for n in range(each):
            true = rng.integers(3)
            for who in range(annotators):
                wrong = rng.random() < (0.6 if hard else 0.1)
                label = CLASSES[(true + wrong * (1 + rng.integers(2))) % 3]
                rows.append(Rating(f"{subject}-{n}", f"w{who}", label, cluster=f"s{subject:04}"))
    return rows


def planned(table: list[Rating], wanted: float, k: int = 3, name: str = ALPHA) -> Plan:
    (one,) = plan(
        table, coefficient=name, scale="nominal", categories=CLASSES, wanted=[wanted], annotators=[k]
    )
    return one


@pytest.mark.parametrize("wanted", [0.06, 0.12])
def test_fresh_studies_of_the_planned_size_have_the_wanted_half_width(wanted: float) -> None:
    found = planned(made(150, seed=1), wanted)
    assert found.subjects is not None
    assert found.half_width == pytest.approx(wanted, rel=0.06)
    widths = []
    for seed in range(100, 106):
        result = agreement(made(found.subjects, seed), scale="nominal", categories=CLASSES)
        low, high = result.coefficient(ALPHA).ci95 or (0.0, 0.0)
        widths.append((high - low) / 2)
    assert np.mean(widths) == pytest.approx(wanted, rel=0.15)
    assert found.items == 4 * found.subjects


def test_what_is_expected_at_the_present_size_is_the_interval_at_hand() -> None:
    table = made(150, seed=1)
    low, high = agreement(table, scale="nominal", categories=CLASSES).coefficient(ALPHA).ci95 or (0.0, 0.0)
    assert planned(table, 0.1).present == pytest.approx((high - low) / 2, rel=0.12)


def test_fewer_annotators_take_more_items() -> None:
    table = made(150, seed=1)
    two, three = planned(table, 0.06, k=2), planned(table, 0.06, k=3)
    assert two.items is not None
    assert three.items is not None
    assert two.items > three.items


def test_the_same_seed_gives_the_same_plan_whatever_the_order_of_the_rows() -> None:
    table = made(40, seed=2)
    assert planned(table, 0.1) == planned(table[::-1], 0.1)


@pytest.mark.parametrize(
    ("table", "k", "reason"),
    [
        pytest.param(made(20, 1), 4, "no item has 4 labels (at most 3)", id="more annotators than labels"),
        pytest.param(made(4, 1), 3, "16 items from 4 subjects have 3 labels", id="too few subjects"),
        pytest.param(
            [Rating(str(n), who, "a") for n in range(20) for who in "pq"],
            2,
            "no variation in the simulated studies",
            id="all agree on one label",
        ),
    ],
)
def test_what_cannot_be_planned_says_why(table: list[Rating], k: int, reason: str) -> None:
    found = planned(table, 0.1, k=k)
    assert found.items is None
    assert found.undefined is not None
    assert found.undefined.startswith(reason)


def test_bad_wishes_are_refused() -> None:
    with pytest.raises(InputError, match="is unknown; expected one of percent_agreement"):
        planned(made(20, 1), 0.1, name="kappa")
    with pytest.raises(InputError, match="expected half-widths between 0 and 1, and"):
        planned(made(20, 1), 1.5)
