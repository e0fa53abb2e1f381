"""What the one agreement function promises beside the published figures."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinicnum.annotations.agreement import Rating, agreement
from clinicnum.annotations.agreement.compute_agreement import COEFFICIENTS
from clinicnum.annotations.agreement.intervals import on_z
from clinicnum.annotations.agreement.krippendorff import jaccard_distance, masi_distance
from clinicnum.errors import InputError


def ratings(**labels: str) -> list[Rating]:
    """One string a annotator, one character an item; `.` is a missing label."""
    return [
        Rating(f"i{position:02}", annotator, None if character == "." else character)
        for annotator, characters in labels.items()
        for position, character in enumerate(characters)
    ]


def test_every_name_is_printed_and_the_inapplicable_ones_say_why() -> None:
    result = agreement(ratings(one="aabb", two="abbb", three="aaab"), scale="nominal", categories=["a", "b"])
    names = [row.name for row in result.coefficients]
    assert names[: len(COEFFICIENTS)] == [coefficient.name for coefficient in COEFFICIENTS]
    assert "fleiss_kappa[a]" in names
    reasons = {row.name: row.undefined for row in result.coefficients}
    assert reasons["cohen_kappa"] == "3 annotators: it is defined for exactly 2"
    assert reasons["krippendorff_alpha_ordinal"] == "the scale is nominal: the categories have no order"
    assert reasons["krippendorff_alpha_masi"] == "the scale is nominal: labels are not sets"
    assert reasons["fleiss_kappa"] is None


def test_json_has_exactly_the_published_shape() -> None:
    result = agreement(ratings(one="aabb", two="abbb"), scale="nominal", categories=["a", "b"]).to_json()
    assert list(result) == ["population", "coefficients", "pairwise", "strength", "beside", "weighted"]
    keys = ["name", "value", "undefined", "se", "ci95", "ci_method", "n_items", "n_annotators"]
    assert all(list(row) == keys for row in result["coefficients"])
    assert "NaN" not in json.dumps(result)


def test_no_variation_is_a_reason_with_the_exact_bound_and_never_a_number() -> None:
    result = agreement(ratings(one="a" * 12, two="a" * 12), scale="nominal", categories=["a", "b"])
    for name in ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha_nominal"):
        row = result.coefficient(name)
        assert row.value is None
        # 0.025 ** (1/12) = exp(-3.689 / 12) = 0.735: all 12 agree with that chance 2.5 % of the time.
        assert (
            row.undefined == "no variation: 100 % agreement on 12 items, lower end of the 95 % interval 74 %"
        )
    percent = result.coefficient("percent_agreement")
    assert percent.value == 1.0
    assert percent.ci95 == pytest.approx((0.025 ** (1 / 12), 1.0))
    assert percent.ci_method == "Clopper-Pearson, all of 12 items agree"


def test_perfect_agreement_with_variation_is_1_without_an_interval() -> None:
    row = agreement(ratings(one="ab" * 6, two="ab" * 6), scale="nominal", categories=["a", "b"]).coefficient(
        "fleiss_kappa"
    )
    assert row.value == pytest.approx(1.0)
    assert (row.se, row.ci95) == (None, None)
    assert row.ci_method is not None
    assert row.ci_method.startswith("none: all of 12 items agree")


def test_no_interval_under_ten_items() -> None:
    row = agreement(ratings(one="aabbaabba", two="abbbaabba"), scale="nominal", categories=["a", "b"])
    assert row.coefficient("fleiss_kappa").ci_method == "none: 9 items; an interval needs at least 10"


def test_a_missing_label_is_no_label_and_none_is_one() -> None:
    missing = agreement(ratings(one="aa.", two="ab."), scale="nominal", categories=["a", "b"]).population
    assert (missing.items, missing.labels, missing.pairs) == (2, 4, 2)
    assert [(row.what, row.n) for row in missing.left_out] == [("labels", 2), ("items", 1)]
    table = [Rating("i", "one", "none"), Rating("i", "two", "a"), Rating("j", "one", "none")]
    result = agreement(table, scale="nominal", categories=["a", "none"])
    assert result.population.labels == 3
    assert "1 item with a single label" in result.population.notes[1]
    assert "in the variance of these" in result.population.notes[1]  # of the published standard error only
    shared = agreement(table, scale="nominal", categories=["a", "none"], clusters={"i": "s", "j": "s"})
    assert "variance" not in shared.population.notes[1]
    assert "annotators are taken as they are" in result.population.notes[0]


def test_quadratic_weights_run_over_declared_levels_not_seen_ones() -> None:
    # Pairs: 1-1 2-2 4-4 three times each, 1-2 twice, 2-4 once; nobody used 3. With d = (i - j)^2 over places:
    # levels 1 2 3 4: observed (2 x 1 + 1 x 4) / 12, expected (37 x 1 + 29 x 9 + 31 x 4) / 144.
    table = ratings(one="111222444112", two="111222444224")
    four = agreement(table, scale="ordinal", categories=["1", "2", "3", "4"])
    assert four.coefficient("cohen_kappa_quadratic").value == pytest.approx(1 - (6 / 12) / (422 / 144))
    # levels 1 2 4: observed (2 x 1 + 1 x 1) / 12, expected (37 x 1 + 29 x 4 + 31 x 1) / 144.
    three = agreement(table, scale="ordinal", categories=["1", "2", "4"])
    assert three.coefficient("cohen_kappa_quadratic").value == pytest.approx(1 - (3 / 12) / (184 / 144))


def test_items_of_one_subject_take_the_jackknife_over_subjects() -> None:
    table = ratings(one="aabbaabbaabb", two="abbbaabbabbb")
    subjects = {f"i{position:02}": f"s{position // 2}" for position in range(12)}
    row = agreement(table, scale="nominal", categories=["a", "b"], clusters=subjects)
    percent = row.coefficient("percent_agreement")
    assert row.population.clusters == 6
    assert percent.ci_method is not None
    assert percent.ci_method.startswith("delete-one-subject jackknife")
    assert "only 6 subjects" in percent.ci_method
    # Equal subjects: the jackknife of a mean is the standard error of the subject means 1/2 1 1 1 1/2 1.
    means = [0.5, 1, 1, 1, 0.5, 1]
    centre = sum(means) / 6
    assert percent.se == pytest.approx(math.sqrt(sum((x - centre) ** 2 for x in means) / 30))


def test_no_interval_reaches_below_what_a_coefficient_can_be() -> None:
    # A half-width from a jackknife of 18 items: plain ends would be -1.06 and 1.98.
    low, high = on_z(0.46, 1.52, -1.0)
    assert -1.0 <= low < -0.8
    assert 0.9 < high <= 1.0


def test_an_interval_on_z_is_brought_back() -> None:
    # By hand: artanh(0.6) = ln(1.6 / 0.4) / 2 = ln 2; half is 0.32 / (1 - 0.36) = 0.5 there; e = exp(1):
    # tanh(ln 2 + 0.5) = (4 e - 1) / (4 e + 1), tanh(ln 2 - 0.5) = (4 / e - 1) / (4 / e + 1).
    e = math.e
    ends = ((4 / e - 1) / (4 / e + 1), (4 * e - 1) / (4 * e + 1))
    assert on_z(0.6, 0.32, -1.0) == pytest.approx(ends)
    # A share runs from 0 to 1: 0.8 stands where 0.6 stands between -1 and 1, and half is half as long.
    assert on_z(0.8, 0.16, 0.0) == pytest.approx(tuple((end + 1) / 2 for end in ends))
    assert on_z(-2.0, 0.5, float("-inf")) == (-2.5, -1.5)
    assert on_z(-1.0, 0.5, -1.0) == (-1.0, -0.5)


def test_four_subjects_allow_no_interval() -> None:
    table = [
        Rating(f"i{n}", annotator, "ab"[(n * step) % 2], cluster=f"s{n % 4}")
        for n in range(12)
        for annotator, step in (("one", 1), ("two", 3))
    ]
    row = agreement(table, scale="nominal", categories=["a", "b"]).coefficient("fleiss_kappa")
    assert row.ci_method == "none: 4 subjects; an interval needs at least 5"


def test_each_item_its_own_subject_is_independent() -> None:
    table = ratings(one="aabbaabbaabb", two="abbbaabbabbb")
    own = agreement(
        table, scale="nominal", categories=["a", "b"], clusters={row.item: row.item for row in table}
    )
    assert own == agreement(table, scale="nominal", categories=["a", "b"])


@pytest.mark.parametrize(
    ("table", "scale", "categories", "message"),
    [
        pytest.param([Rating("i", "a", "x")], "nominal", ["y"], "'x' on item 'i'", id="undeclared label"),
        pytest.param([Rating("i", "a", "none")], "nominal", ["y"], "`none` must be declared", id="none too"),
        pytest.param([Rating("i", "a", "1")] * 2, "nominal", ["1"], "'a' has two labels", id="duplicate"),
        pytest.param([], "nominal", ["1"], "no rows", id="empty table"),
        pytest.param([Rating("i", "a", "1")], "ratio", ["1"], "'ratio' is unknown", id="unknown scale"),
        pytest.param([Rating("i", "a", "1")], "nominal", [], "no categories", id="nothing declared"),
        pytest.param([Rating("i", "a", "1")], "nominal", ["1", "1"], "a double", id="declared twice"),
        pytest.param([Rating("i", "a", "x")], "interval", None, "not a number", id="interval of text"),
        pytest.param([Rating("i", "a", "nan")], "interval", None, "not a number", id="nan"),
        pytest.param([Rating("i", "a", "x|none")], "set", ["x"], "stands alone", id="none in a set"),
        pytest.param([Rating("i", "a", "x|")], "set", ["x"], "'' on item", id="empty code in a set"),
        pytest.param(
            [Rating("i", "a", "x", "s"), Rating("i", "b", "x", "t")],
            "set",
            ["x"],
            "two clusters",
            id="torn item",
        ),
        pytest.param(
            [Rating("i", "a", "x", "s"), Rating("j", "b", "x")],
            "set",
            ["x"],
            "no cluster",
            id="half clustered",
        ),
    ],
)
def test_bad_input_is_named(
    table: list[Rating], scale: str, categories: list[str] | None, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        agreement(table, scale=scale, categories=categories)


def test_repeats_are_left_out_and_counted() -> None:
    table = [*ratings(one="ab", two="ab"), Rating("i00", "one", "b", repeat=1)]
    result = agreement(table, scale="nominal", categories=["a", "b"])
    assert result.coefficient("percent_agreement").value == 1.0
    assert result.population.left_out[0].why == "repeat by the same annotator"


def test_distances_between_label_sets() -> None:
    a, ab, ac, empty = frozenset("a"), frozenset("ab"), frozenset("ac"), frozenset[str]()
    assert masi_distance(empty, empty) == 0
    assert masi_distance(empty, a) == 1
    assert masi_distance(a, ab) == pytest.approx(1 - 1 / 2 * 2 / 3)
    assert masi_distance(ab, ac) == pytest.approx(1 - 1 / 3 * 1 / 3)
    assert jaccard_distance(ab, ac) == pytest.approx(2 / 3)


labels = st.lists(
    st.tuples(st.sampled_from("abc."), st.sampled_from("abc."), st.sampled_from("abc.")),
    min_size=1,
    max_size=15,
)


@given(labels)
def test_no_figure_leaves_its_range_or_depends_on_the_order_of_rows(rows: list[tuple[str, str, str]]) -> None:
    table = [
        Rating(f"i{item}", f"r{rater}", None if label == "." else label)
        for item, row in enumerate(rows)
        for rater, label in enumerate(row)
    ]
    result = agreement(table, scale="ordinal", categories=["a", "b", "c"])
    assert agreement(table[::-1], scale="ordinal", categories=["a", "b", "c"]) == result
    for row in result.coefficients:
        assert (row.value is None) != (row.undefined is None)
        if row.value is not None:
            assert math.isfinite(row.value)
            assert row.value <= 1 + 1e-9
        if row.ci95 is not None:
            assert row.value is not None
            assert row.ci95[0] <= row.value + 1e-9
            assert row.ci95[1] <= 1
