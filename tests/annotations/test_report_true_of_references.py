"""Sentences on what the score, the examples and pooled figures of a report were compared with or rest on."""

from dataclasses import replace

from clinicnum.annotations.consensus import DawidSkeneResult, dawid_skene
from clinicnum.annotations.consensus.dawid_skene import OtherMaximum
from clinicnum.annotations.judgement import Label
from clinicnum.annotations.report.markdown import render_markdown
from clinicnum.annotations.report.sections.annotator_table_helpers import asked
from clinicnum.annotations.report.sections.consensus_protocols import unless_beaten
from clinicnum.annotations.report.sections.dawid_skene import model_tables
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.taxonomy_codes import UNDETERMINED
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_example_models import eight_models
from tests.annotations.report_example_whole import whole_study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_figures import finding


def with_gold(tables: StudyTables, answers: tuple[str, ...]) -> StudyTables:
    given = [answers[place % len(answers)] for place in range(len(tables.instances))]
    changed = (
        one.model_copy(update={"answer": answer}) for one, answer in zip(tables.instances, given, strict=True)
    )
    return tables.model_copy(update={"instances": tuple(changed)})


def test_the_reference_of_the_score_is_not_called_the_consensus_of_the_results() -> None:
    said = paragraphs(report_of(overturned_study()), "methods")
    assert "The reference for the automatic score was what more than half of at least two first" in said
    assert "Severity was the median level of those who call the response a failure" in said
    assert "was the consensus of the annotators' first judgements" not in said


def test_the_finding_on_the_score_says_that_its_judgements_are_blind_and_which_are_left_out() -> None:
    report = report_of(eight_models())
    assert "as annotators judge them before the gold is shown" in finding(report, "To be doubted").text
    out = sum(one.response.label is None for one in StudyView(eight_models()).settlements)
    assert ("are left out" in finding(report, "To be doubted").text) == bool(out)


def test_a_class_that_says_that_none_can_be_told_is_not_the_commonest() -> None:
    tables = study(simulated=False)
    some = sorted({one.generation_id for one in tables.annotations})[::2]
    untold = (Label(code=UNDETERMINED, primary=True),)
    unknown = tuple(
        one.model_copy(update={"labels": untold}) if one.labels and one.generation_id in some else one
        for one in tables.annotations
    )
    name = "Undetermined"
    code = tables.taxonomy_codes[0].model_copy(update={"code": UNDETERMINED, "name": name})
    changed = {"annotations": unknown, "taxonomy_codes": (*tables.taxonomy_codes, code)}
    text = finding(report_of(tables.model_copy(update=changed)), "Failures").text
    before, said, named = text.partition(f"of failure, {name} apart: ")
    assert said
    assert name not in before + named.partition(". Shares of all failures")[0]
    assert f"the class cannot be told ({name})" in text


def test_what_always_giving_the_commonest_gold_would_score_is_said_of_imported_items() -> None:
    tables = with_gold(elsewhere("medec"), ("CORRECT", "2 He was given 50 mg.", "CORRECT"))
    n, of = sum(one.answer == "CORRECT" for one in tables.instances), len(tables.instances)
    said = f"The commonest gold, “CORRECT”, is that of {n} of {of} items ({100 * n / of:.1f} %)"
    report = report_of(tables)
    assert said in paragraphs(report, "accuracy")
    assert "the correction does not count" in table_of(report, "models").note
    assert "commonest gold" not in paragraphs(report_of(study()), "accuracy")


def test_a_failure_is_doubted_by_what_was_settled_on_another_answer_to_its_item() -> None:
    tables = eight_models()
    view = StudyView(tables)
    failed = [one.generation_id for one in view.settlements if one.response.label == "failure"]
    question = next(
        key
        for key in map(view.question, failed)
        if sum(view.question(one.generation_id) == key for one in view.settlements) > 1
    )
    of_it = [one.generation_id for one in view.settlements if view.question(one.generation_id) == question]
    doubted = tuple(
        one.model_copy(update={"item_judgement": "ambiguous"}) if one.generation_id == of_it[0] else one
        for one in tables.annotations
    )
    n = sum(one in of_it for one in failed)
    note = table_of(report_of(tables.model_copy(update={"annotations": doubted})), "harm").note
    assert f"; {n} of them on items that are ambiguous" in note


def test_an_example_says_that_its_question_was_contested() -> None:
    report = report_of(whole_study())
    contested = {StudyView(whole_study()).question(one.generation_id) for one in whole_study().contests}
    examples = [one for section in report.sections for one in section.examples]
    told = [one for one in examples if "Contested" in dict(one.facts)]
    view = StudyView(whole_study())
    assert {one.generation_id for one in told} == {
        one.generation_id for one in examples if view.question(one.generation_id) in contested
    }
    assert bool(told) == ("Contested" in render_markdown(report))


def test_a_fit_that_another_start_beats_with_other_labels_is_withheld() -> None:
    fit = dawid_skene([(item, who, "x") for item in "123" for who in "abc"], categories=("x", "y")).model
    assert fit is not None
    for items, kept in ((0, True), (2, False)):
        result = unless_beaten(DawidSkeneResult(replace(fit, rival=OtherMaximum(-1.0, items))))
        assert (result.model is not None) == kept
    assert str(result.undefined).endswith("fits the labels better, and gives 2 generations another label")


def test_where_nothing_was_fitted_no_table_speaks_of_a_fit() -> None:
    view = StudyView(whole_study())
    questions = asked(view)
    refused = DawidSkeneResult(None, "too few labels")
    made = {one.id for one in model_tables(view, questions, {one.name: refused for one in questions})}
    assert made == {"dawid_skene_checks", "dawid_skene_shares"}
