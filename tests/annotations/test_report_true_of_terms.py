"""Words of a report that a reader could not place: what is counted, what a test was, where intervals end."""

from datetime import timedelta

import pytest

from clinicnum.annotations.report.sections.paired_differences import _row
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.stats.paired_tests import compare, untestable
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_example_whole import whole_study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_comparisons import with_half_a_run
from tests.annotations.test_report_true_of_imports import grras


def test_a_pair_of_models_without_a_common_item_has_no_test() -> None:
    assert _row(compare("a", "b", []))[-1] == "no item was answered under both a and b: no test"


def test_models_on_different_items_are_said_to_be_where_each_has_a_key_figure() -> None:
    figures = report_of(with_half_a_run(study(simulated=False))).key_figures
    notes = [one.note for one in figures if one.label.startswith("Accuracy")]
    assert notes[-1].endswith("; on different items")
    assert "different items" not in notes[0]
    assert not [one for one in report_of(study()).key_figures if "different items" in one.note]


def test_generations_are_not_called_items_where_both_are_counted() -> None:
    report = report_of(study(simulated=False))
    assert "they speak of other generations, of other subjects" in paragraphs(report, "methods")
    assert table_of(report, "planner").caption.startswith("Generations and annotators for a wanted")


def test_the_least_p_is_not_rounded_below_itself() -> None:
    found = compare("a", "b", [(f"s{i}", True, False) for i in range(4)])
    assert untestable(found) == "so few subjects differ that p cannot be under 0.125: no test"


def test_strata_are_not_called_by_the_annotators_word() -> None:
    tables = elsewhere("choice")
    named = tuple(
        one.model_copy(update={"stratum": f"external/external/{('correct', 'failure')[n % 2]}"})
        for n, one in enumerate(tables.inclusions)
    )
    said = grras(tables.model_copy(update={"inclusions": named}), 7)
    assert "2 strata of automatic score (scored right, scored wrong)" in said


def test_drawn_items_count_by_their_chances_and_labels_by_what_their_model_needs() -> None:
    report = report_of(study(simulated=False))
    note = table_of(report, "scorer_rates").note
    assert "scored wrong of all drawn, each counted 1 / its inclusion probability" in note
    said = paragraphs(report, "protocols")
    assert "These can be estimated only if some items have three labels; items with fewer get a label" in said


def test_what_is_answered_here_are_instances() -> None:
    note = table_of(report_of(whole_study()), "invalidated").note
    assert "“Answered here”: instances that a model of this study answered." in note


def repeated_but_for(tables: StudyTables, differing: int, n: int) -> StudyTables:
    """One annotator's judgements of `n` generations on subjects of their own, repeated, but for some."""
    who = tables.annotations[0].annotator_id
    mine = [one for one in tables.annotations if one.annotator_id == who][:n]
    again = tuple(
        one.model_copy(
            update={
                "round": "repeat",
                "annotation_id": f"r{one.annotation_id}",
                "created_at": one.created_at + timedelta(days=1),
            }
            | ({"response_judgement": "acceptable", "labels": (), "severity": None} if k < differing else {})
        )
        for k, one in enumerate(mine)
    )
    apart = tuple(one.model_copy(update={"subject_id": f"s{k}"}) for k, one in enumerate(tables.instances))
    return tables.model_copy(update={"annotations": (*tables.annotations, *again), "instances": apart})


def test_one_difference_does_not_raise_the_bound_of_repeats() -> None:
    table = table_of(report_of(repeated_but_for(overturned_study(), 1, 13)), "annotators_repeats")
    row = next(row for row in table.rows if row[0] == "Response")
    assert table.cell(row, "agree") == pytest.approx(12 / 13)
    assert table.cell(row, "agree_ci95") == pytest.approx((0.640, 0.998), abs=0.001)
    assert "Clopper-Pearson, 12 of 13 items agree" in str(row[-1])
    same = table_of(report_of(repeated_but_for(overturned_study(), 0, 13)), "annotators_repeats")
    low, high = same.cell(same.rows[0], "agree_ci95")  # type: ignore[misc]
    assert low == pytest.approx(0.753, abs=0.001)
    assert high == 1


def test_instances_taken_out_beside_the_doubted_ones_are_said() -> None:
    tables = whole_study()
    doubted = tuple(one.model_copy(update={"item_judgement": "valid"}) for one in tables.annotations)
    first = min(one.generation_id for one in doubted)
    one = tuple(
        row.model_copy(update={"item_judgement": "ambiguous"}) if row.generation_id == first else row
        for row in doubted
    )
    said = paragraphs(report_of(tables.model_copy(update={"annotations": one})), "contests")
    assert "upheld contests took " in said
    assert " that are not among them)." in said or " that is not among them)." in said
