"""What reports say of decisions, repeats and intervals, where two rules stand side by side."""

from collections import Counter

from clinicnum.annotations.judgement import Label
from clinicnum.annotations.report.markdown import render_markdown
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.study_design import Design
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_example_whole import whole_study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere


def test_an_example_whose_class_an_adjudicator_chose_shows_the_decision() -> None:
    report = report_of(overturned_study())
    examples = next(one for one in report.sections if one.id == "examples").examples
    decided = next(one for one in examples if one.title == "Hallucination")
    said = "Failure; item: valid; Hallucination; severity 3 (counted: 1, by the rule for severity)"
    assert ("Decided by J1", said) in decided.facts
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


def skipped_study() -> tuple[StudyTables, str, str]:
    """A closed study in which one annotator skipped two undecided generations: on the first the two others
    agree, on the second they differ. The others have three judgements and a decision.
    """
    tables = overturned_study()
    alike, apart = sorted({one.generation_id for one in tables.annotations})[:2]
    kept, given = [], Counter[str]()
    for one in tables.annotations:
        key = one.generation_id
        given[key] += 1
        if key == alike:
            one = one.model_copy(update={"labels": (Label(code="hallucination", primary=True),)})
        if key not in (alike, apart) or given[key] > 1:
            kept.append(one)
    decided = tuple(one for one in tables.adjudications if one.generation_id not in (alike, apart))
    changed = {"annotations": tuple(kept), "adjudications": decided, "contests": (), "status": "closed"}
    return tables.model_copy(update=changed), alike, apart


def test_what_no_adjudicator_can_decide_is_not_counted_as_an_open_decision() -> None:
    tables, _, _ = skipped_study()
    warning = report_of(tables).warnings[0]
    # the last generation of `overturned_study` has three classes and no decision
    assert warning.startswith(
        "The study is closed, but not settled: 1 decision due, 2 items not judged by all their annotators "
        "(no adjudicator decides on these before). Such an item is one answer to a question. What "
    )
    filled = tables.model_copy(update={"overlap": 2})
    assert "not settled: 2 decisions due. " in report_of(filled).warnings[0]


def test_too_few_judgements_are_not_called_a_disagreement() -> None:
    tables, alike, _ = skipped_study()
    report = report_of(tables)
    n = len({one.generation_id for one in tables.annotations})
    missing = "fewer than three judgements count, and no decision stands, there is “no consensus”"
    assert f"where annotators differ, or {missing}" in paragraphs(report, "taxonomy")
    assert (
        "Consensus: what at least three judgements all say, or the"
        in table_of(report, "consensus_settled").note
    )
    assert f"of 2 of the {n} the response is not settled, as fewer than three" in report.key_figures[2].note
    said = paragraphs(report, "methods")
    assert "2 of the generations that need one had no decision and 1 more had fewer than three" in said
    assert "of these there is no consensus on the item of 2, the response of 2, and the primary" in said
    assert "annotators were asked per generation; fewer count on 2 of the generations)" in said
    assert alike in {one.generation_id for one in tables.annotations}


def test_methods_name_the_limits_of_weighted_shares_and_what_response_agreement_rests_on() -> None:
    said = paragraphs(report_of(study(simulated=False)), "methods")
    assert "1 / inclusion probability, brought to the shares" in said
    assert said.index("Jeffreys") < said.index("for which no other method is named")
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
    assert "100 % agreement on 1 item; " in said
