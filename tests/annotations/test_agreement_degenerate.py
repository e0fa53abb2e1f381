"""Tables that have little or nothing to say: each gets the said result or the said error."""

import json
import math
import random

import pytest

from clinicnum.annotations.agreement import AgreementResult, Rating, agreement
from clinicnum.annotations.agreement.compute_agreement import COEFFICIENTS
from clinicnum.errors import InputError

FREE_OF_SPREAD = ("brennan_prediger", "randolph_kappa_free", "gwet_ac1")
"""Their chance agreement does not come to 1 where labels do not vary, so they are 1 by definition."""
MARGINAL = ("fleiss_kappa", "conger_kappa", "krippendorff_alpha_nominal")


def ratings(**labels: str) -> list[Rating]:
    """One string a annotator, one character an item; `.` is a missing label."""
    return [
        Rating(f"i{position:02}", annotator, None if character == "." else character)
        for annotator, characters in labels.items()
        for position, character in enumerate(characters)
    ]


def computed(table: list[Rating], scale: str = "nominal", categories: str = "ab") -> AgreementResult:
    """The result, of which no figure is nan, infinite, or without its reason."""
    result = agreement(table, scale=scale, categories=list(categories), details=True)
    rows = [*result.coefficients, *(row for pair in result.pairwise for row in pair.coefficients)]
    for row in rows:
        assert (row.value is None) != (row.undefined is None), row
        assert row.value is None or math.isfinite(row.value), row
        assert row.value is None or row.ci95 is not None or row.ci_method is not None, row
        assert row.ci95 is None or all(math.isfinite(end) for end in row.ci95), row
    json.dumps(result.to_json(), allow_nan=False)
    return result


def reasons(result: AgreementResult, names: tuple[str, ...]) -> set[str | None]:
    return {result.coefficient(name).undefined for name in names}


def test_one_declared_category_leaves_nothing_to_choose() -> None:
    result = computed(ratings(one="a" * 12, two="a" * 12), categories="a")
    assert result.coefficient("percent_agreement").value == 1.0
    assert reasons(result, FREE_OF_SPREAD) == {"one declared category: nothing to choose between"}
    assert reasons(result, MARGINAL) == {
        "no variation: 100 % agreement on 12 items, lower end of the 95 % interval 74 %"
    }


def test_one_used_category_is_no_variation_or_1_by_definition() -> None:
    result = computed(ratings(one="a" * 12, two="a" * 12, three="a" * 12))
    assert reasons(result, MARGINAL) == {
        "no variation: 100 % agreement on 12 items, lower end of the 95 % interval 74 %"
    }
    for name in FREE_OF_SPREAD:
        row = result.coefficient(name)
        assert (row.value, row.se, row.ci95) == (1.0, None, None)
        assert row.ci_method is not None
        assert row.ci_method.startswith("none: all of 12 items agree")
    assert all(one.undefined == "no standard error" for one in result.strength)


def test_one_rater_has_nobody_to_agree_with() -> None:
    result = computed(ratings(one="abababababab"))
    assert result.pairwise == ()
    assert result.coefficient("percent_agreement").undefined == "no item has labels by two annotators"
    assert result.coefficient("conger_kappa").undefined == "1 annotator: it is defined for 2 or more"
    assert result.coefficient("cohen_kappa").undefined == "1 annotator: it is defined for exactly 2"
    assert all(row.value is None for row in result.coefficients)


@pytest.mark.parametrize(
    ("one", "two", "percent"),
    [pytest.param("a", "b", 0.0, id="they differ"), pytest.param("a", "a", 1.0, id="they agree")],
)
def test_one_item_has_a_share_and_no_interval(one: str, two: str, percent: float) -> None:
    result = computed(ratings(one=one, two=two))
    row = result.coefficient("percent_agreement")
    assert (row.value, row.ci95) == (percent, None)
    assert row.ci_method == "none: 1 item; an interval needs at least 10"
    kappa = result.coefficient("cohen_kappa")
    # Two annotators who give one item different labels: po = pe = 0, so kappa is 0 by its definition.
    assert kappa.value == (0.0 if percent == 0.0 else None)


def test_no_overlap_is_undefined_for_all_though_two_labelled() -> None:
    result = computed(ratings(one="abab....", two="....abab"))
    assert all(row.value is None for row in result.coefficients)
    assert result.coefficient("gwet_ac1").undefined == "no item has labels by two annotators"
    assert result.population.pairs == 0
    assert result.population.notes[1].startswith("8 items with a single label")


def test_a_pair_without_a_common_item_keeps_its_place_in_the_matrix() -> None:
    result = computed(ratings(one="abab....", two="....abab", three="ababbaba"))
    shared = {pair.annotators: pair.coefficients[0] for pair in result.pairwise}
    assert shared["one", "two"].undefined == "no item has labels by two annotators"
    assert shared["one", "two"].n_items == 0
    assert shared["one", "three"].value == 1.0


def test_every_label_blank_leaves_items_out_and_nothing_to_compute() -> None:
    result = computed(ratings(one="..", two=".."))
    assert result.population.items == 0
    assert [(row.what, row.n) for row in result.population.left_out] == [("labels", 4), ("items", 2)]
    assert all(row.value is None for row in result.coefficients)


def test_empty_sets_agree_with_each_other_and_are_no_missing_labels() -> None:
    table = [Rating(f"i{n:02}", who, "none") for n in range(12) for who in ("one", "two")]
    result = computed(table, scale="set")
    assert result.coefficient("percent_agreement").value == 1.0
    assert result.population.labels == 24
    reason = "no variation: 100 % agreement on 12 items, lower end of the 95 % interval 74 %"
    assert result.coefficient("krippendorff_alpha_masi").undefined == reason
    assert result.coefficient("gwet_ac1[none]").value == 1.0


def test_an_unused_level_counts_where_chance_is_per_declared_category() -> None:
    table = ratings(one="abababababab", two="ababababaabb")
    two, three = computed(table), computed(table, categories="abc")
    # po = 10/12. Two categories: (10/12 - 1/2) / (1/2) = 2/3; three: (10/12 - 1/3) / (2/3) = 3/4.
    assert two.coefficient("brennan_prediger").value == pytest.approx(2 / 3)
    assert three.coefficient("brennan_prediger").value == pytest.approx(3 / 4)
    assert two.coefficient("fleiss_kappa").value == three.coefficient("fleiss_kappa").value
    row = three.coefficient("fleiss_kappa[c]")
    assert row.undefined == "no variation: 100 % agreement on 12 items, lower end of the 95 % interval 74 %"


def test_a_constant_rater_makes_cohen_0_by_definition_and_a_note_says_so() -> None:
    result = computed(ratings(one="aaaaaaaaaaaa", two="ababababababa"[:12]))
    assert result.coefficient("cohen_kappa").value == pytest.approx(0.0)
    assert result.coefficient("cohen_kappa").ci95 is None
    assert result.population.notes[1:] == (
        "annotator one gave 'a' throughout: Cohen's kappa with one is 0, "
        "or undefined where the other gave one label throughout as well",
    )


def test_one_odd_label_gives_the_same_value_without_any_subject_though_subjects_differ() -> None:
    table = ratings(one="a" * 79 + "b", two="a" * 80)
    result = computed(
        [
            Rating(one.item, one.annotator, one.label, f"s{one.item[:-1]}{int(one.item[-1]) // 3}")
            for one in table
        ]
    )
    alpha, percent = (result.coefficient(one) for one in ("krippendorff_alpha_nominal", "percent_agreement"))
    assert alpha.value == pytest.approx(0.0)
    assert alpha.ci_method == (
        "none: the value is the same, or undefined, whichever one is left out: the jackknife has no width"
    )
    assert percent.se is not None
    assert percent.se > 0


def test_two_constant_raters_who_differ_never_agree() -> None:
    result = computed(ratings(one="a" * 12, two="b" * 12))
    assert result.coefficient("percent_agreement").value == 0.0
    assert result.coefficient("fleiss_kappa").value == pytest.approx(-1.0)
    assert result.coefficient("scott_pi").value == pytest.approx(-1.0)
    assert result.coefficient("cohen_kappa").value == 0.0
    assert result.coefficient("gwet_ac1").value == pytest.approx(-1.0)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        pytest.param([*ratings(one="ab", two="ab"), Rating("i00", "three", "c")], "'c'", id="unknown label"),
        pytest.param([*ratings(one="ab", two="ab"), Rating("i00", "two", "a")], "two labels", id="duplicate"),
        pytest.param([*ratings(one="ab"), Rating("i01", "one", "a")], "'i01'", id="another duplicate"),
        pytest.param([], "no rows", id="nothing"),
    ],
)
def test_unknown_labels_and_duplicates_are_errors(table: list[Rating], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        computed(table)
    assert "\n" not in str(caught.value)


def test_intraclass_correlations_say_what_they_lack() -> None:
    numbers = ["1", "2", "3"]
    one_item = agreement(ratings(one="12", two="3."), scale="interval", categories=numbers)
    assert one_item.coefficient("icc(1,1)").undefined == (
        "1 item labelled by all 2 annotators: it needs at least 2"
    )
    same = agreement(ratings(one="1" * 12, two="1" * 12), scale="interval", categories=numbers)
    assert same.coefficient("icc(2,k)").undefined == (
        "no variation: 100 % agreement on 12 items, lower end of the 95 % interval 74 %"
    )
    # Every item has the mean 2: nothing between items to divide by.
    level = agreement(ratings(one="123123", two="321321"), scale="interval", categories=numbers)
    assert level.coefficient("icc(3,k)").undefined == (
        "the items do not differ enough on average: its denominator is not above 0"
    )
    words = agreement(ratings(one="ab", two="ab"), scale="ordinal", categories=["a", "b"])
    assert words.coefficient("icc(1,1)").undefined == "the categories are not numbers: they have no distances"


def test_every_coefficient_answers_on_every_scale() -> None:
    for scale in ("nominal", "ordinal", "set"):
        names = [row.name for row in computed(ratings(one="abab", two="abba"), scale).coefficients]
        assert names[: len(COEFFICIENTS)] == [coefficient.name for coefficient in COEFFICIENTS]


def random_table(rng: random.Random, scale: str, categories: list[str]) -> list[Rating]:
    """A few items of a few subjects with many gaps, by annotators of any quality."""
    annotators, missing, right = rng.randint(2, 6), rng.random() * 0.8, rng.random()
    rows = []
    for item in range(rng.randint(10, 25)):
        truth, subject = rng.choice(categories), f"s{rng.randrange(12)}"
        for annotator in range(annotators):
            label = truth if rng.random() < right else rng.choice(categories)
            if scale == "set":
                label = "|".join(sorted(rng.sample(categories, rng.randint(0, 2)))) or "none"
            if rng.random() >= missing:
                rows.append(Rating(f"i{item}", f"r{annotator}", label, subject))
    return rows


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval", "set"])
def test_every_interval_of_a_table_with_gaps_is_finite_and_holds_its_value(scale: str) -> None:
    rng = random.Random(scale)
    for _ in range(8):
        categories = [str(one) for one in range(rng.randint(2, 5))]
        rows = random_table(rng, scale, categories)
        if not rows:
            continue
        independent = [Rating(one.item, one.annotator, one.label) for one in rows]
        for table in (rows, independent):
            for row in computed(table, scale, "".join(categories)).coefficients:
                if row.value is not None and row.ci95 is not None:
                    assert row.ci95[0] <= row.value <= row.ci95[1], row


def test_uneven_gaps_bring_fleiss_below_minus_1_and_its_interval_follows() -> None:
    # Nobody agrees on the 20 pairs, and 30 single labels raise what chance would give.
    pairs = ratings(one="ab" * 10, two="ba" * 10)
    singles = [Rating(f"x{n}", "one", "a", None) for n in range(30)]
    row = computed([*pairs, *singles]).coefficient("fleiss_kappa")
    # Shares: a (20 / 2 + 30) / 50 = 0.8, so pe = 0.64 + 0.04 = 0.68 and kappa = -0.68 / 0.32.
    assert row.value == pytest.approx(-0.68 / 0.32)
    assert row.value is not None
    assert row.ci95 is not None
    assert row.ci95[0] < row.value < row.ci95[1]
