"""Agreement weighted by the inverse chance of being drawn: derived by hand, and as if items were repeated."""

import pytest

from clinicnum.annotations.agreement import AgreementResult, Rating, agreement
from clinicnum.annotations.agreement.format_results import weighted_table
from clinicnum.annotations.report.sections.agreement import agreement_section
from clinicnum.annotations.report.study_tables import Inclusion, StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.errors import InputError
from tests.annotations.report_example import study

LABELS = {"a": "xy", "b": "yx", "c": "xx", "d": "yy"}
WEIGHTS = {"a": 1.0, "b": 1.0, "c": 4.0, "d": 4.0}
"""Failures drawn whole, and one in four of the others."""


def ratings(times: dict[str, int] | None = None, patients: int = 1) -> list[Rating]:
    return [
        Rating(item=f"{item}{patient}-{copy}", annotator=who, label=label, cluster=f"s{patient}")
        for patient in range(patients)
        for item, pair in LABELS.items()
        for copy in range((times or {}).get(item, 1))
        for who, label in zip(("ann", "ben"), pair, strict=True)
    ]


def computed(
    rows: list[Rating], weights: dict[str, float] | None = None, categories: str = "xy"
) -> AgreementResult:
    given = None if weights is None else {one.item: weights[one.item[0]] for one in rows}
    return agreement(rows, scale="nominal", categories=list(categories), weights=given)


def values(result: AgreementResult) -> dict[str, float | None]:
    return {one.name: one.value for one in result.weighted}


def test_four_items_by_hand() -> None:
    found = values(computed(ratings(), WEIGHTS))
    assert found["percent_agreement"] == pytest.approx(8 / 10)
    # x and y are given equally often: chance is one half, (0.8 - 0.5) / 0.5 = 0.6.
    for name in ("cohen_kappa", "fleiss_kappa", "conger_kappa", "gwet_ac1", "brennan_prediger"):
        assert found[name] == pytest.approx(0.6), name
    # Weights scaled to mean 1: 0.4 and 1.6. Observed 1.6 / 8 = 0.2, expected 2 x 4 x 4 / (8 x 7) = 4/7.
    assert found["krippendorff_alpha_nominal"] == pytest.approx(1 - 0.2 / (4 / 7))


def test_a_weight_does_what_repeating_the_item_does() -> None:
    times = {"a": 1, "b": 3, "c": 2, "d": 5}
    whole = computed(ratings(times))
    weighted = computed(ratings(), {key: float(n) for key, n in times.items()})
    for name, value in values(weighted).items():
        if not name.startswith("krippendorff"):  # its term for small samples counts the labels given
            assert value == pytest.approx(whole.coefficient(name).value), name


def test_only_the_ratio_of_weights_counts() -> None:
    doubled = {key: 2 * weight for key, weight in WEIGHTS.items()}
    assert values(computed(ratings(), doubled)) == pytest.approx(values(computed(ratings(), WEIGHTS)))


def test_where_all_had_the_same_chance_there_is_nothing_to_weight() -> None:
    assert computed(ratings()).weighted == ()
    assert computed(ratings(), dict.fromkeys(WEIGHTS, 3.0)).weighted == ()


def test_the_interval_leaves_out_one_subject_with_its_weights() -> None:
    rows = ratings(patients=6)
    changed = [
        one if one.cluster != "s0" or one.annotator != "ben" else one.__class__(one.item, "ben", "x", "s0")
        for one in rows
    ]
    found = computed(changed, WEIGHTS)
    percent = next(one for one in found.weighted if one.name == "percent_agreement")
    assert percent.value is not None
    assert percent.ci95 is not None
    assert percent.ci95[0] < percent.value < percent.ci95[1]
    assert percent.n_items == 24
    plain = found.coefficient("percent_agreement")
    assert plain.value != pytest.approx(percent.value)
    few = computed(ratings(patients=2), WEIGHTS).weighted[0]
    assert (few.ci95, few.ci_method) == (None, "none: 8 items; an interval needs at least 10")


def test_a_value_without_variation_has_its_reason() -> None:
    rows = [one for one in ratings() if one.item[0] == "c"] + [
        Rating("a0-0", who, "x", "s0") for who in ("ann", "ben")
    ]
    found = {one.name: one for one in computed(rows, WEIGHTS).weighted}
    assert found["percent_agreement"].value == 1.0
    kappa = found["fleiss_kappa"]
    assert kappa.value is None
    assert kappa.undefined is not None
    assert kappa.undefined.startswith("no variation")


def test_a_weight_that_is_missing_or_no_weight_is_named() -> None:
    with pytest.raises(InputError, match="item 'a0-0' has no weight"):
        agreement(ratings(), scale="nominal", categories=["x", "y"], weights={})
    with pytest.raises(InputError, match=r"weight 0\.0 of item 'a0-0'; expected a number above 0"):
        agreement(
            ratings(), scale="nominal", categories=["x", "y"], weights={one.item: 0.0 for one in ratings()}
        )


def sampled() -> StudyTables:
    """The example with every second generation drawn with another chance."""
    tables = study()
    drawn = tuple(
        Inclusion(generation_id=one.generation_id, stratum=one.stratum, probability=(0.5, 0.1)[place % 2])
        for place, one in enumerate(tables.inclusions)
    )
    return tables.model_copy(update={"inclusions": drawn})


def test_the_report_has_the_weighted_figures_beside_the_others() -> None:
    view = StudyView(sampled())
    (table,) = [one for one in agreement_section(view).tables if one.id == "agreement_weighted"]
    layer = view.agreement.layer("response_judgement").result
    assert layer is not None
    assert layer.weighted
    named = {row[1]: row for row in table.rows if row[0] == "Judgement of the response"}
    for one in layer.weighted:
        if one.name in named:
            assert named[one.name][2:4] == (layer.coefficient(one.name).value, one.value)
    columns, rows, _ = weighted_table(layer)
    assert columns[:3] == ("coefficient", "unweighted", "weighted")
    assert len(rows) == len(layer.weighted)
    plain = agreement_section(StudyView(study()))
    assert "agreement_weighted" not in {one.id for one in plain.tables}
