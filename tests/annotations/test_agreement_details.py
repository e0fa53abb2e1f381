"""What stands beside the coefficients, and the two ways to the same sums."""

import math
import random

import numpy as np
import pytest

from clinicnum.annotations.agreement import AgreementResult, Rating, agreement
from clinicnum.annotations.agreement import cluster_tally as tally_module
from clinicnum.annotations.agreement.compute_agreement import COEFFICIENTS
from clinicnum.annotations.agreement.label_table import LabelTable
from clinicnum.annotations.agreement.rating_panel import distinct_rows
from clinicnum.annotations.agreement.types import CoefficientValue
from clinicnum.annotations.agreement.verbal_strength import STEPS, cumulative, landis_koch, strength
from clinicnum.errors import InputError

LEVELS = ["1", "2", "3", "4"]


def table(*, items: int = 60, annotators: int = 4, missing: float = 0.15, seed: int = 3) -> list[Rating]:
    """Annotators who are right 7 times in 10; five items a subject, seven templates."""
    rng = random.Random(seed)
    rows = []
    for item in range(items):
        truth = rng.choice(LEVELS)
        for annotator in range(annotators):
            label = truth if rng.random() < 0.7 else rng.choice(LEVELS)
            if rng.random() >= missing:
                rows.append(Rating(f"i{item:03}", f"r{annotator}", label, f"s{item // 5:02}"))
    return rows


def computed(rows: list[Rating], **more: object) -> AgreementResult:
    return agreement(rows, scale="ordinal", categories=LEVELS, **more)  # type: ignore[arg-type]


def test_the_jackknife_by_subtraction_is_the_jackknife_by_leaving_out() -> None:
    rows = table()
    whole = computed(rows)
    subjects = sorted({row.cluster for row in rows if row.cluster})
    without = [computed([row for row in rows if row.cluster != one]) for one in subjects]
    checked = 0
    for row in whole.coefficients:
        values = [one.coefficient(row.name).value for one in without]
        if row.value is None or None in values:
            continue
        mean = sum(value for value in values if value is not None) / len(values)
        spread = sum((value - mean) ** 2 for value in values if value is not None)
        assert row.se == pytest.approx(math.sqrt((len(values) - 1) / len(values) * spread)), row.name
        checked += 1
    assert checked >= 40


def test_details_leave_the_coefficients_as_they_are() -> None:
    rows = table()
    plain, detailed = computed(rows), computed(rows, details=True)
    assert plain.coefficients == detailed.coefficients
    assert (plain.pairwise, plain.strength, plain.beside) == ((), (), ())


def test_only_the_named_coefficients_are_computed() -> None:
    wanted = ("gwet_ac1", "fleiss_kappa")
    some = computed(table(), only=wanted)
    assert [row.name for row in some.coefficients] == ["fleiss_kappa", "gwet_ac1"]
    assert all(row == computed(table()).coefficient(row.name) for row in some.coefficients)
    with pytest.raises(InputError, match="no coefficient is called kappa; expected some of percent"):
        computed(table(), only=("kappa",))


def test_many_sets_and_many_numbers_fit_into_memory() -> None:
    rng = random.Random(4)
    codes = [f"c{n:02}" for n in range(20)]
    rows = [
        Rating(f"i{item}", who, "|".join(sorted(rng.sample(codes, 3))), f"s{item % 200}")
        for item in range(400)
        for who in ("one", "two")
    ]
    sets = agreement(rows, scale="set", categories=codes, only=("cohen_kappa",))
    # Three of 20 codes at random agree as a set hardly ever.
    assert sets.coefficient("cohen_kappa").value == pytest.approx(0.0, abs=0.01)
    assert sets.coefficient("cohen_kappa").ci95 is not None
    numbers = [Rating(row.item, row.annotator, str(rng.random()), row.cluster) for row in rows]
    ordinal = agreement(numbers, scale="interval", categories=None).coefficient("krippendorff_alpha_ordinal")
    assert ordinal.undefined is not None
    assert ordinal.undefined.startswith("800 levels are too many to rank on so many items")


def test_a_pair_is_what_its_two_annotators_give_on_their_own() -> None:
    rows = table()
    pairs = computed(rows, details=True).pairwise
    assert [pair.annotators for pair in pairs][:4] == [("r0", "r1"), ("r0", "r2"), ("r0", "r3"), ("r1", "r2")]
    for pair in pairs[:3]:
        both = [row for row in rows if row.annotator in pair.annotators]
        counted = {row.item for row in both if sum(other.item == row.item for other in both) == 2}
        alone = computed([row for row in both if row.item in counted])
        assert {row.name for row in pair.coefficients} >= {"cohen_kappa_quadratic", "gwet_ac1", "icc(2,1)"}
        for row in pair.coefficients:
            assert row.value == pytest.approx(alone.coefficient(row.name).value), row.name
            assert row.ci95 == pytest.approx(alone.coefficient(row.name).ci95), row.name


def test_for_two_annotators_and_no_gap_conger_is_cohen_and_fleiss_is_scott() -> None:
    result = computed(table(annotators=2, missing=0.0))
    values = {row.name: row.value for row in result.coefficients}
    assert values["conger_kappa"] == pytest.approx(values["cohen_kappa"])
    assert values["fleiss_kappa"] == pytest.approx(values["scott_pi"])
    assert values["brennan_prediger"] == values["randolph_kappa_free"]


def test_scott_keeps_to_the_items_that_both_labelled() -> None:
    rows = [*table(annotators=2, missing=0.0), *(Rating(f"x{n}", "r0", "1", "s00") for n in range(30))]
    alone = computed(table(annotators=2, missing=0.0)).coefficient("scott_pi")
    assert computed(rows).coefficient("scott_pi") == alone
    assert computed(rows).coefficient("fleiss_kappa").value != alone.value


def test_a_subject_without_a_pair_counts_only_where_single_labels_do() -> None:
    rows = table(annotators=2, missing=0.0)
    alone = computed([*rows, *(Rating(f"x{n}", "r0", "1", f"t{n}") for n in range(5))])
    for name in ("percent_agreement", "cohen_kappa", "brennan_prediger", "scott_pi"):
        assert alone.coefficient(name) == computed(rows).coefficient(name)
    nominal = (alone.coefficient("krippendorff_alpha_nominal"), computed(rows))
    assert nominal[0] == nominal[1].coefficient("krippendorff_alpha_nominal")
    assert alone.coefficient("fleiss_kappa").se != computed(rows).coefficient("fleiss_kappa").se


def test_the_bootstrap_is_beside_the_jackknife_and_the_same_for_the_same_seed() -> None:
    rows = table(items=200)
    result = computed(rows, details=True)
    drawn = {one.name: one for one in result.beside if one.by == "subject"}
    for name in ("percent_agreement", "fleiss_kappa", "gwet_ac1", "krippendorff_alpha_ordinal", "icc(2,1)"):
        row, other = result.coefficient(name), drawn[name]
        assert row.se is not None
        assert row.ci95 is not None
        assert other.se == pytest.approx(row.se, rel=0.15)
        assert other.ci95 == pytest.approx(row.ci95, abs=0.05)
        assert other.ci_method == "cluster bootstrap, 1000 draws of subjects, percentile"
    assert computed(rows, details=True).beside == result.beside
    assert computed(rows, details=True, seed=1).beside != result.beside


def test_few_subjects_make_the_bootstrap_say_that_it_is_short() -> None:
    row = computed(table(items=60), details=True).beside[0]
    assert row.clusters == 12
    assert row.ci_method.endswith("; short below 20 subjects")
    none = computed(table(items=20), details=True).beside[0]
    assert none.ci_method == "none: 4 subjects; an interval needs at least 5"


def test_other_clusters_give_the_interval_that_they_would_give_as_the_cluster() -> None:
    rows = table()
    templates = {row.item: f"t{int(row.item[1:]) % 12:02}" for row in rows}
    beside = computed(rows, details=True, other_clusters={"template": templates}).beside
    direct = computed(rows, clusters=templates)
    found = [one for one in beside if one.by == "template"]
    assert len(found) >= 12
    for one in found:
        assert one.ci95 == direct.coefficient(one.name).ci95
        assert one.clusters == 12
    assert found[0].ci_method == "delete-one-template jackknife, t(templates - 1), ends on the logit"


def test_beside_the_published_interval_of_independent_items_stands_the_one_on_z() -> None:
    rows = [Rating(row.item, row.annotator, row.label) for row in table()]
    result = computed(rows, details=True)
    beside = {one.name: one for one in result.beside}
    # Those with a standard error of their own; ordinal alpha's jackknife is on z already.
    assert {"gwet_ac1", "fleiss_kappa", "krippendorff_alpha_nominal"} <= set(beside)
    assert "krippendorff_alpha_ordinal" not in beside
    for name, one in beside.items():
        row = result.coefficient(name)
        assert row.value is not None
        assert row.ci95 is not None
        assert one.ci95 is not None
        assert (one.by, one.clusters, one.se) == ("item", None, row.se)
        # Symmetric on z, and as wide there as value plus and minus half is by the slope 1 / (1 - value^2).
        least = 0.0 if name == "percent_agreement" else -1.0
        place, low, high = (math.atanh(2 * (x - least) / (1 - least) - 1) for x in (row.value, *one.ci95))
        assert high - place == pytest.approx(place - low)
        half = (row.ci95[1] - row.ci95[0]) / 2 * 2 / (1 - least)
        assert high - place == pytest.approx(half / (1 - math.tanh(place) ** 2))


def test_strength_reproduces_the_tests_of_irrcac() -> None:
    # Python irrCAC, test of the Landis-Koch scale for a coefficient of 0.67 with standard error 0.15.
    expected = [0.18168, 0.67511, 0.96356, 0.99912, 1.0, 1.0]
    assert cumulative(0.67, 0.15) == pytest.approx(expected, abs=5e-6)
    named = strength(CoefficientValue(name="k", value=0.67, se=0.15, n_items=9, n_annotators=2))
    assert named is not None
    assert (named.landis_koch, named.gwet) == ("substantial", "moderate")
    assert named.probability == pytest.approx(0.96356, abs=5e-6)
    assert cumulative(-1.5, 0.01) == (0.0, 0.0, 0.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("value", "step"),
    [(1.0, "almost perfect"), (0.8, "substantial"), (0.2, "slight"), (0.0, "slight"), (-0.1, "poor")],
)
def test_a_value_on_a_border_takes_the_lower_step(value: float, step: str) -> None:
    assert landis_koch(value) == step
    assert {name for _, _, name in STEPS} >= {step}


def test_sums_by_table_and_by_cells_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = table()
    by_table = computed(rows, details=True)
    monkeypatch.setattr(tally_module, "_AS_TABLE", 0)
    by_cells = computed(rows, details=True)
    for one, other in zip(by_table.coefficients, by_cells.coefficients, strict=True):
        assert one.se == pytest.approx(other.se)
    for row, drawn in zip(by_table.beside, by_cells.beside, strict=True):
        assert row.ci95 == pytest.approx(drawn.ci95)


def test_columns_and_rows_are_the_same_table() -> None:
    rows = table()
    columns = LabelTable.of(rows)
    assert columns.ratings() == rows
    assert agreement(columns, scale="ordinal", categories=LEVELS) == computed(rows)


def test_more_annotators_than_fit_one_number_are_told_apart() -> None:
    # 9 values and a gap are 10 digits: 30 annotators need 10^30, beyond 62 bits.
    rng = np.random.default_rng(0)
    grid = rng.integers(-1, 9, size=(4, 30)).astype(np.int32)[rng.integers(0, 4, size=200)]
    rows, place = distinct_rows(grid)
    assert (rows == np.unique(grid, axis=0)).all()
    assert (rows[place] == grid).all()


def test_every_coefficient_that_applies_is_in_the_pairs() -> None:
    pair = computed(table(), details=True).pairwise[0]
    names = [row.name for row in pair.coefficients]
    assert names == [one.name for one in COEFFICIENTS if one.name in set(names)]
    assert "krippendorff_alpha_masi" not in names
    assert "pabak" not in names
