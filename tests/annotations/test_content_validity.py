"""I-CVI, modified kappa and S-CVI against worked examples that others published, and by hand beside them."""

import pytest

from clinicnum.annotations.curation.content_validity import item_validity, mean_i_cvi, scale_validity
from clinicnum.errors import InputError


def panel(agreeing: int, experts: int) -> list[int]:
    return [3] * agreeing + [2] * (experts - agreeing)


# BMC Health Services Research 2017, doi 10.1186/s12913-017-2469-8, Table 10: ratings of 3 or 4, number of
# experts, I-CVI, pc, k* and how it is called there (**** excellent, *** good).
PUBLISHED = {
    "10 of 10 experts": (10, 10, "1.00", "0.001", "1.00", "excellent"),
    "9 of 10 experts": (9, 10, "0.90", "0.010", "0.90", "excellent"),
    "8 of 10 experts": (8, 10, "0.80", "0.044", "0.79", "excellent"),
    "7 of 10 experts": (7, 10, "0.70", "0.117", "0.66", "good"),
    "8 of 9 experts": (8, 9, "0.89", "0.018", "0.89", "excellent"),
    "7 of 9 experts": (7, 9, "0.78", "0.070", "0.76", "excellent"),
    "6 of 9 experts": (6, 9, "0.67", "0.164", "0.60", "good"),
}


@pytest.mark.parametrize("case", PUBLISHED)
def test_an_item_has_the_published_indices(case: str) -> None:
    agreeing, experts, i_cvi, chance, kappa, strength = PUBLISHED[case]
    found = item_validity(panel(agreeing, experts))
    assert (found.agreeing, found.experts) == (agreeing, experts)
    assert (f"{found.i_cvi:.2f}", f"{found.chance:.3f}", f"{found.kappa:.2f}") == (i_cvi, chance, kappa)
    assert found.strength == strength


# By hand, for the panels that Table 10 lacks: pc = C(N, A) / 2^N, k* = (A/N - pc) / (1 - pc).
#   3 of 3: pc 1/8;  k* 1.            2 of 3: pc 3/8; k* (2/3 - 3/8) / (5/8) = (7/24) / (15/24) = 7/15
#   3 of 4: pc 4/16; k* (3/4 - 1/4) / (3/4) = 2/3
#   4 of 5: pc 5/32; k* (4/5 - 5/32) / (27/32) = (103/160) / (135/160) = 103/135
#   5 of 6: pc 6/64; k* (5/6 - 3/32) / (29/32) = (71/96) / (87/96) = 71/87
#   6 of 7: pc 7/128; k* (6/7 - 7/128) / (121/128) = (719/896) / (847/896) = 719/847
#   7 of 8: pc 8/256; k* (7/8 - 1/32) / (31/32) = 27/31
#   1 of 3: pc 3/8;  k* (1/3 - 3/8) / (5/8) = -1/15: fewer agree than by chance
BY_HAND = {
    (3, 3): (1 / 8, 1.0, "excellent"),
    (2, 3): (3 / 8, 7 / 15, "fair"),
    (3, 4): (4 / 16, 2 / 3, "good"),
    (4, 5): (5 / 32, 103 / 135, "excellent"),
    (5, 6): (6 / 64, 71 / 87, "excellent"),
    (6, 7): (7 / 128, 719 / 847, "excellent"),
    (7, 8): (8 / 256, 27 / 31, "excellent"),
    (1, 3): (3 / 8, -1 / 15, "poor"),
}


@pytest.mark.parametrize(("agreeing", "experts"), BY_HAND)
def test_an_item_has_the_indices_worked_by_hand(agreeing: int, experts: int) -> None:
    chance, kappa, strength = BY_HAND[agreeing, experts]
    found = item_validity(panel(agreeing, experts))
    assert found.chance == pytest.approx(chance)
    assert found.kappa == pytest.approx(kappa)
    assert found.strength == strength


def test_a_scale_has_the_published_indices_of_twelve_items_and_six_experts() -> None:
    # PMC7253559, Table 4: S-CVI/Ave 0.97, S-CVI/UA 0.83; items 6 and 9 have I-CVI 0.83, all others 1.00.
    rows = (
        *("444444", "434434", "444444", "444444", "344444", "234334"),
        *("444444", "444444", "334234", "444344", "444344", "444344"),
    )
    items = [item_validity([int(rating) for rating in row]) for row in rows]
    assert [f"{one.i_cvi:.2f}" for one in items] == ["1.00"] * 5 + ["0.83"] + ["1.00"] * 2 + ["0.83"] + [
        "1.00"
    ] * 3
    found = scale_validity(items)
    assert (f"{found.average:.2f}", f"{found.universal:.2f}") == ("0.97", "0.83")


def test_a_scale_has_the_indices_of_the_r_package_contentvalidity() -> None:
    # CRAN contentValidity 0.1.0, data cvi_example (6 experts, 10 items) in its vignette; its README gives
    # S-CVI/Ave 0.8833, S-CVI/UA 0.6000 and a mean modified kappa of 0.8470.
    experts = ("4332343424", "4433243434", "4443342423", "4434333434", "4343443434", "4433244324")
    items = [item_validity([int(row[place]) for row in experts]) for place in range(10)]
    found = scale_validity(items)
    assert (f"{found.average:.4f}", f"{found.universal:.4f}") == ("0.8833", "0.6000")
    assert f"{sum(one.kappa or 0 for one in items) / 10:.4f}" == "0.8470"


@pytest.mark.parametrize(
    ("agreeing", "average", "universal"),
    # Table 10 of doi 10.1186/s12913-017-2469-8, its first two columns of six items; (agreeing, experts).
    [
        ([(10, 10), (9, 10), (7, 10), (10, 10), (10, 10), (10, 10)], "0.93", "0.67"),
        ([(10, 10), (7, 10), (7, 9), (10, 10), (10, 10), (10, 10)], "0.91", "0.67"),
    ],
)
def test_a_scale_takes_items_that_another_number_of_experts_rated(
    agreeing: list[tuple[int, int]], average: str, universal: str
) -> None:
    found = scale_validity([item_validity(panel(*one)) for one in agreeing])
    assert (f"{found.average:.2f}", f"{found.universal:.2f}") == (average, universal)


def test_what_is_undefined_says_why() -> None:
    nobody, alone = item_validity([]), item_validity([4])
    assert (nobody.i_cvi, nobody.kappa, nobody.undefined) == (None, None, "no expert rated it")
    assert (alone.i_cvi, alone.kappa, alone.undefined) == (1.0, None, "one expert has nobody to agree with")
    assert scale_validity([]).undefined == "there is no item"
    lacking = scale_validity([item_validity([3, 4]), nobody])
    assert (lacking.average, lacking.universal) == (None, None)
    assert lacking.undefined == "1 of 2 items have no I-CVI"
    assert mean_i_cvi([nobody]) is None


@pytest.mark.parametrize("rating", [0, 5, -1])
def test_a_rating_that_is_none_is_refused(rating: int) -> None:
    with pytest.raises(InputError, match="expected a whole number from 1 to 4"):
        item_validity([3, rating])


def test_a_mean_meets_its_threshold_exactly() -> None:
    # (10/10 + 9/10 + 8/10) / 3 is 9/10; a sum of floats may fall below it.
    mean = mean_i_cvi([item_validity(panel(n, 10)) for n in (10, 9, 8)])
    assert mean is not None
    assert mean * 10 == 9
