"""What reports say of decisions, repeats and intervals, where two rules stand side by side."""

from clinicnum.annotations.report.markdown import render_markdown
from clinicnum.annotations.study_design import Design
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_example_whole import whole_study
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_data import paragraphs, report_of, table_of


def test_an_example_whose_class_an_adjudicator_chose_shows_the_decision() -> None:
    report = report_of(overturned_study())
    examples = next(one for one in report.sections if one.id == "examples").examples
    decided = next(one for one in examples if one.title == "Hallucination")
    assert ("Decided by J1", "Failure; item: valid; Hallucination; severity 3") in decided.facts
    plain = next(one for one in report_of(study()).sections if one.id == "examples").examples
    assert not [fact for one in plain for fact in one.facts if fact[0].startswith("Decided")]


def test_repeats_that_are_in_no_pair_are_said() -> None:
    tables = whole_study().model_copy(update={"design": Design(repeat_share=0.1)})
    again = tuple(one.model_copy(update={"round": "repeat"}) for one in tables.annotations)
    shown = tuple(
        one.model_copy(update={"suggestion_shown": one.generation_id == again[0].generation_id})
        for one in (*tables.annotations, *again)
    )
    n = sum(one.suggestion_shown for one in shown) // 2
    note = table_of(report_of(tables.model_copy(update={"annotations": shown})), "annotators_repeats").note
    assert f"{n} repeats are in no pair, as suggestions were open" in note
    hidden = table_of(
        report_of(tables.model_copy(update={"annotations": (*tables.annotations, *again)})),
        "annotators_repeats",
    )
    assert "in no pair" not in hidden.note


def test_methods_name_the_limits_of_weighted_shares_and_what_response_agreement_rests_on() -> None:
    said = paragraphs(report_of(study(simulated=False)), "methods")
    assert "1 / inclusion probability, brought to the shares" in said
    assert said.index("Jeffreys") < said.index("Other shares have Wilson's interval")
    assert "agreement on the response among annotators rests on first judgements" in said
    assert "drift, consensus and the plan for a next study on last ones" in said


def test_severity_is_said_to_be_decided_where_it_is() -> None:
    said = paragraphs(report_of(overturned_study()), "settlement")
    assert "or the adjudicator's where levels are 2 or more apart" in said
    assert "or the adjudicator's where" not in paragraphs(report_of(study()), "settlement")


def test_limits_of_accuracy_are_of_generations() -> None:
    assert "under 5 subjects or 10 generations" in render_markdown(report_of(elsewhere("choice")))


def test_one_item_is_not_said_in_the_plural() -> None:
    tables = study(simulated=False)
    first = tables.annotations[0]
    again = (first.model_copy(update={"round": "repeat"}),)
    report = report_of(tables.model_copy(update={"annotations": (*tables.annotations, *again)}))
    said = "; ".join(str(row[-1]) for row in table_of(report, "annotators_repeats").rows)
    assert "100 % agreement on 1 item, " in said
