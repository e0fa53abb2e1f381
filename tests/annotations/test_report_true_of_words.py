"""Words of a report that a reader took for more, or for another thing, than the data hold."""

import pytest

from clinicnum.annotations.report.markdown import render_markdown
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.study_design import Design
from clinicnum.stats.clustered_intervals import WILSON
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_example_whole import whole_study
from tests.annotations.report_parts import paragraphs, report_of, scripted, table_of
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_imports import grras, medcalc
from tests.annotations.test_report_true_of_notes import likelier, with_open


def repeated(tables: StudyTables) -> StudyTables:
    """The study with every judgement made twice."""
    again = tuple(row.model_copy(update={"round": "repeat"}) for row in tables.annotations)
    return tables.model_copy(update={"annotations": (*tables.annotations, *again)})


def boundary() -> StudyTables:
    """The study with item judgements by which two of three annotators are never wrong."""
    tables = study(simulated=False, patients=30)
    drawn = sorted({one.generation_id for one in tables.annotations})

    def said(n: int, annotator: str) -> str:
        return "ambiguous" if n % 5 == 0 or (n % 7 == 1 and annotator == "annotator-3") else "valid"

    annotations = tuple(
        one.model_copy(update={"item_judgement": said(drawn.index(one.generation_id), one.annotator_id)})
        for one in tables.annotations
    )
    return tables.model_copy(update={"annotations": annotations})


def test_what_stored_readings_cannot_show_is_not_counted_as_zero() -> None:
    tables = medcalc(failed=0)
    scores = tuple(one.model_copy(update={"flexible": one.lenient}) for one in tables.scores)
    report = report_of(tables.model_copy(update={"scores": scores}))
    verdicts = table_of(report, "verdicts")
    (row,) = verdicts.rows
    assert verdicts.cell(row, "flexible") is None
    assert verdicts.cell(row, "unmarked") is None
    assert "marked it, and flexible is not shown" in str(verdicts.cell(row, "remark"))
    assert (
        "zeros under unparsable, abstained, empty and truncated say nothing"
        in table_of(report, "score_statuses").note
    )
    assert "MedCalc" not in table_of(report_of(elsewhere("choice")), "score_statuses").note


def test_one_error_is_one_error() -> None:
    report = report_of(medcalc(failed=1))
    said = paragraphs(report, "accuracy")
    assert "1 of the 24 is an error of that script" in said
    assert "but the one that holds an error" in said
    assert "1 of 24 generations of gpt-4o-mini holds an error" in paragraphs(report, "methods")
    of_script = "(1 of them holds an error of MedCalc-Bench's script in place of an answer and could not be"
    assert of_script in grras(medcalc(failed=1), 7)


def test_orders_of_options_are_no_signature_of_questions_without_options() -> None:
    named = [row[1] for row in table_of(report_of(study()), "signatures").rows]
    assert named == ["omissions", "hallucinations", "format"]
    assert "robust accuracy" in [row[1] for row in table_of(report_of(whole_study()), "signatures").rows]


def test_a_label_that_nobody_gave_has_no_agreement() -> None:
    table = table_of(report_of(study()), "agreement_item_judgement")
    assert not [row for row in table.rows if "gold_wrong" in str(row[0])]
    assert "a category that no label names, or every label, has no row" in table.note
    assert [row for row in table_of(report_of(boundary()), table.id).rows if "[ambiguous]" in str(row[0])]


def test_a_row_of_a_code_in_sets_is_said_to_be_without_its_sub_codes() -> None:
    report = report_of(study())
    said = "a row of one code is about that code alone, without its sub-codes"
    assert said in table_of(report, "agreement_labels").note
    assert said not in table_of(report, "agreement_primary").note


def test_grras_says_what_the_sample_does_not_tell_and_of_what_a_chance_is() -> None:
    tables = with_open(study(simulated=False))[0].model_copy(update={"design": Design(repeat_share=0.08)})
    assert "Still to say: the population that these stand for" in grras(tables, 3)
    n = len(tables.inclusions)
    assert f"agreement rests on the {n - 1} judged without a suggestion in sight" in grras(tables, 7)
    assert "before each item a chance of 8 % of a blind repeat" in grras(tables, 8)
    assert "no blind repeats" in grras(tables.model_copy(update={"design": Design(repeat_share=0.0)}), 8)
    assert f"{3 * n} repeats, {3 * (n - 1)} compared with the main round" in grras(repeated(tables), 11)


def test_repeats_of_scripts_are_called_copies() -> None:
    said = "they repeat their first judgement"
    note = table_of(report_of(repeated(study())), "annotators_repeats").note
    assert said in note
    assert said not in table_of(report_of(repeated(study(simulated=False))), "annotators_repeats").note
    assert "scripted annotators have one gold and one score in sight" in grras(scripted(study()), 9)


def test_shares_name_their_interval() -> None:
    report = report_of(study())
    for name in ("consensus_protocols", "annotators_against_others", "template_health"):
        assert f"Interval: {WILSON}" in table_of(report, name).note


def test_an_alpha_beside_suggestions_names_its_interval() -> None:
    tables = study(simulated=False)
    half = {one.generation_id for one in tables.inclusions[::2]}
    shown = tuple(
        row.model_copy(update={"suggestion_shown": row.generation_id in half}) for row in tables.annotations
    )
    report = report_of(tables.model_copy(update={"annotations": shown}))
    assert "ends on the scale of alpha itself" in table_of(report, "suggestions_alpha").note


def test_weights_say_that_suggestions_hidden_by_chance_are_not_in_them() -> None:
    said = "but not that of suggestions being hidden on it"
    tables = likelier(study(simulated=False))
    assert said in table_of(report_of(with_open(tables)[0]), "agreement_weighted").note
    assert said not in table_of(report_of(tables), "agreement_weighted").note


def test_the_working_of_an_example_is_that_of_the_gold() -> None:
    report = report_of(study())
    examples = next(one for one in report.sections if one.id == "examples").examples
    assert "Working of the gold" in dict(examples[0].facts)


def test_a_solution_that_follows_annotators_is_said_to() -> None:
    report = report_of(boundary())
    checks = table_of(report, "dawid_skene_checks")
    assert checks.cell(checks.rows[0], "higher") == 0
    assert "Solutions that fit a little worse are not looked for" in checks.note
    for name in ("dawid_skene_certainty", "dawid_skene_differs"):
        note = table_of(report, name).note
        assert "Item: the model takes annotator-1 and annotator-2 as never wrong and follows" in note
        assert "Response: the model takes" not in note


def test_what_is_taken_out_by_hand_is_taken_out_by_its_scope() -> None:
    note = table_of(report_of(whole_study()), "invalidated").note
    assert "“group” takes out all instances with the group id of the contested one" in note
    assert "chose" not in note


def test_a_decision_entered_anew_may_say_what_an_annotator_said() -> None:
    table = table_of(report_of(overturned_study()), "adjudicated")
    assert "the adjudicator's own" not in {table.cell(row, "source") for row in table.rows}
    assert "not taken over from an annotator, whether or not one said the same" in table.note
    assert "superseded" not in paragraphs(report_of(overturned_study()), "adjudication")


def test_a_severity_that_majorities_leave_open_is_not_said_to_be_an_adjudicators() -> None:
    severity = table_of(report_of(study()), "severity")
    assert "adjudicator" not in severity.note
    assert "or none where levels are 2 or more apart or only some say “not applicable”" in severity.note
    assert [row[0] for row in severity.rows][-1] == "not settled"
    assert "or the adjudicator's where" in table_of(report_of(overturned_study()), "severity").note


def test_a_question_in_two_representations_is_one_question() -> None:
    tables = study(simulated=False)
    assert "answered 24 items of 12 questions (" in paragraphs(report_of(tables), "methods")
    rated = {one.generation_id.split("-")[1] for one in tables.inclusions}
    assert f"on {len(rated)} questions about" in grras(tables, 3)


@pytest.mark.parametrize("same", [2, 3])
def test_imported_items_that_share_a_question_are_all_counted(same: int) -> None:
    tables = elsewhere("medcalc")
    texts = tuple(
        one.model_copy(update={"context": f"text {max(n, same - 1)}"})
        for n, one in enumerate(tables.instances)
    )
    said = f"{same} items share text and question with another and are 1 distinct question; each counts for"
    report = report_of(tables.model_copy(update={"instances": texts}))
    assert said in paragraphs(report, "templates")


def test_stored_readings_are_not_taken_for_what_the_model_wrote() -> None:
    said = "A response of gpt-4o-mini here is what MedCalc-Bench's script kept of it."
    report = report_of(medcalc(failed=0))
    for section in ("taxonomy", "examples"):
        assert said in paragraphs(report, section)
        assert "script kept" not in paragraphs(report_of(elsewhere("medcalc")), section)
    first = paragraphs(report, "accuracy")
    assert first.startswith("Accuracy is the share of generations whose stored reading is right (lenient).")
    other = paragraphs(report_of(elsewhere("medcalc")), "accuracy")
    for untrue in ("marked as one in the text", "wider automatic reading", "reads, is wrong"):
        assert untrue in other
        assert untrue not in first
    assert "not judged" not in first


def test_errors_are_not_unread_answers_and_what_they_would_cost_is_said() -> None:
    tables = medcalc(failed=3)
    report = report_of(tables)
    right = f"{sum(one.lenient for one in tables.scores)} of 24"
    (gap,) = [gap for one in report.sections for gap in one.gaps if gap.what.startswith("3 of 24")]
    assert gap.why.startswith("an error in place of an answer (status error): left out of our accuracy")
    assert f"with errors counted as wrong, accuracy would be {right} (" in gap.why
    said = paragraphs(report, "accuracy")
    assert "errors of that script in place of an answer" in said
    assert "scorer reads, counted as wrong" not in paragraphs(report, "methods")
    assert "scorer reads, counted as wrong" in paragraphs(report_of(elsewhere("choice")), "methods")
    assert "in no figure" not in render_markdown(report)


def test_a_form_that_an_imported_question_names_is_not_denied() -> None:
    report = report_of(elsewhere("medcalc"))
    assert "no form was asked" not in render_markdown(report)
    note = table_of(report, "signatures").note
    assert "variants left out, for which a prompt of clinicnum's asked for the form" in note


def test_when_an_adjudicator_is_needed_is_said_alike_everywhere() -> None:
    when = "where item, response or primary class differs or, of severity, levels are 2 or more apart"
    report = report_of(overturned_study())
    for section in ("taxonomy", "methods"):
        assert when in paragraphs(report, section)
    assert "because " + when.removeprefix("where ") in paragraphs(report, "settlement")
    assert "Severity is by a rule of its own" in paragraphs(report, "taxonomy")
    assert "decision where one is needed" in table_of(report, "consensus_settled").note


def test_each_column_of_failures_has_its_own_n() -> None:
    report = report_of(overturned_study())
    severity = table_of(report, "severity")
    n = sum(int(str(severity.cell(row, "beside"))) for row in severity.rows)
    assert f"those that are failures by majority (n = {n}), by the same median" in severity.note
    assert "share of the model's failures" in table_of(report, "failure_shares").note
    assert "A dash: not settled; of severity also: no failure" in table_of(report, "consensus_differs").note


def test_labels_take_questions_out_of_figures_other_than_accuracy() -> None:
    tables = study(simulated=False)
    doubts = tuple(one.model_copy(update={"item_judgement": "ambiguous"}) for one in tables.annotations)
    said = paragraphs(report_of(tables.model_copy(update={"annotations": doubts})), "contests")
    assert "Labels alone take no instance out of accuracy: " in said


def test_first_and_last_judgements_are_compared_on_the_response_only() -> None:
    section = next(one for one in report_of(study()).sections if one.id == "blind")
    assert section.title == "Do first and last judgements of the response differ?"
    assert "agreement on the item, codes and severity" in section.paragraphs[0]
    assert "Only the response is compared here." in section.paragraphs[0]


def test_answers_of_which_points_are_sought_need_mark_nothing_and_what_was_cut_off_is_said() -> None:
    tables = elsewhere("points")
    cut = tuple(
        one.model_copy(update={"status": "truncated", "lenient": False, "flexible": False})
        for one in tables.scores
    )
    every = tuple(one.model_copy(update={"probability": 1.0}) for one in tables.inclusions)
    whole = tables.model_copy(update={"scores": cut, "inclusions": every})
    report = report_of(whole)
    said = paragraphs(report, "accuracy")
    assert said.startswith("Accuracy is the share of generations that are right (lenient). An answer counted")
    assert "marks an answer" not in said
    note = table_of(report, "models").note
    assert "were cut off before all points were found, and count as wrong." in note
    assert "takes no answer" not in note
    assert "all of these taken, in " in grras(whole, 7)
    assert "drawn by " in grras(tables, 7)
