"""What figures hold beside what they name: doubts, the order of items, what is left out or not read."""

import re

from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.types import Annotation
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_example_whole import whole_study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_comparisons import with_half_a_run, with_runs
from tests.annotations.test_report_true_of_decisions import skipped_study
from tests.annotations.test_report_true_of_notes import likelier
from tests.annotations.test_report_true_of_rewordings import worded_twice


def changed(tables: StudyTables, generation: str, **update: object) -> tuple[Annotation, ...]:
    return tuple(
        one.model_copy(update=update) if one.generation_id == generation else one
        for one in tables.annotations
    )


def test_weights_are_not_said_to_make_up_for_what_is_left_out() -> None:
    tables = likelier(study(simulated=False))
    (first, *_) = tables.inclusions
    known = changed(tables, first.generation_id, reference_known=True)
    report = report_of(tables.model_copy(update={"annotations": known}))
    said = paragraphs(report, "scorer")
    assert "that the generations left out below are like those kept is taken for granted" in said
    assert "hold for all generations" not in said
    note = table_of(report, "scorer_rates").note
    assert "1 without a first judgement that counts, as each annotator had seen the reference" in note
    assert "if those without such judgements are like them" in table_of(report, "agreement_weighted").note


def test_failures_on_doubted_items_are_counted_and_said() -> None:
    tables = study(simulated=False)
    failed = next(one.generation_id for one in tables.annotations if one.response_judgement == "failure")
    said = "1 of them on items that are ambiguous or wrong in the gold by majority, as settled on "
    doubted = changed(tables, failed, item_judgement="ambiguous")
    report = report_of(tables.model_copy(update={"annotations": doubted}))
    (figure,) = [one for one in report.key_figures if one.label == "Failures"]
    assert said in figure.note
    assert said in table_of(report, "failure_shares").note
    sound = tuple(one.model_copy(update={"item_judgement": "valid"}) for one in tables.annotations)
    plain = report_of(tables.model_copy(update={"annotations": sound}))
    assert "of them on items" not in table_of(plain, "failure_shares").note


def test_drift_of_failures_stands_beside_that_of_the_consensus() -> None:
    note = table_of(report_of(study(simulated=False)), "annotators_drift").note
    assert re.search(
        r"by the consensus \(by [a-z -]+\) change by \(points\) annotator-1 [+−]\d+\.\d and [+−]\d+\.\d \(",
        note,
    )
    assert "by the consensus (" not in table_of(report_of(study()), "annotators_drift").note


def test_texts_that_are_not_read_are_said_of_the_model_that_has_many() -> None:
    tables = elsewhere("choice")
    n = len(tables.scores) // 2
    wrong = {"status": "unparsable", "lenient": False, "strict": False, "parsed": None}
    scores = tuple(one.model_copy(update=wrong if k < n else {}) for k, one in enumerate(tables.scores))
    note = table_of(report_of(tables.model_copy(update={"scores": scores})), "accuracy_main").note
    n = sum(one.status == "unparsable" for one in scores)
    assert f"The scorer takes no answer from {n} of {len(scores)} texts of gpt-4o-mini" in note
    assert "takes no answer" not in table_of(report_of(tables), "accuracy_main").note


def test_rewordings_are_said_where_questions_are_counted_and_variants_missed() -> None:
    report = report_of(worded_twice())
    said = paragraphs(report, "accuracy")
    assert "12 sets of questions with the same options and gold, which may differ in wording only" in said
    assert "which intervals take for independent of the other" in paragraphs(report, "templates")
    whys = " ".join(str(row[1]) for row in table_of(report, "unsaid").rows)
    assert "24 items with the options and gold of another may be rewordings, and were not compared" in whys


def test_contests_are_about_instances() -> None:
    said = paragraphs(report_of(whole_study()), "contests")
    assert "1 decided contest on 1 instance contradicts the label" in said
    assert not re.search(r"\d questions? (is|are) ambiguous|contests? on \d+ question", said)


def test_methods_name_no_reason_and_no_test_that_did_not_arise() -> None:
    tables = with_half_a_run(elsewhere("choice"))
    apart = tuple(one.model_copy(update={"subject_id": f"s{n}"}) for n, one in enumerate(tables.instances))
    said = paragraphs(report_of(tables.model_copy(update={"instances": apart})), "methods")
    assert "(here each question is a subject of its own)" in said
    assert "compared between models on the same questions by McNemar's exact test, with the interval" in said
    assert "not independent" not in said
    assert "by exact sign flips of whole subjects" in paragraphs(report_of(tables), "methods")


def test_no_order_of_models_on_different_items_makes_a_headline() -> None:
    tables = with_runs(5)
    last = {one.generation_id for one in tables.generations if one.run_id == "r4"}
    first = min(last)
    fewer = tuple(one for one in tables.generations if one.generation_id != first)
    scores = tuple(one for one in tables.scores if one.generation_id != first)
    report = report_of(tables.model_copy(update={"generations": fewer, "scores": scores}))
    (figure,) = [one for one in report.key_figures if one.label.startswith("Accuracy")]
    assert figure.label == "Accuracy, 5 models on different items"
    assert re.fullmatch(r"\d+\.\d to \d+\.\d %", figure.value)


def test_what_no_adjudicator_could_decide_is_said_to_lack_a_judgement() -> None:
    said = "1 of the 2 without a decision has fewer judgements that count than were asked for, and"
    report = report_of(skipped_study()[0])
    assert said in paragraphs(report, "settlement")
    assert said in table_of(report, "adjudication_due").note
    assert said in " ".join(str(row[1]) for row in table_of(report, "unsaid").rows)
    assert "fewer judgements that count than" not in paragraphs(report_of(overturned_study()), "settlement")
