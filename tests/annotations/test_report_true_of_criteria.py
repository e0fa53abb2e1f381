"""What reports of studies with criteria say of ticks: agreement, decisions, and what annotators had seen."""

from datetime import UTC, datetime

import pytest

from clinicnum.annotations.adjudication import Adjudication
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.study_design import Design
from tests.annotations.report_example import study
from tests.annotations.report_parts import paragraphs, report_of, scripted, table_of
from tests.annotations.test_criteria_report import cells, ticked


def decided(undecided: int) -> tuple[StudyTables, list[str]]:
    """A study with a decision on the disputed tick `unit` of every judged answer but the first `undecided`;
    and these.
    """
    tables = ticked()
    keys = sorted({one.generation_id for one in tables.annotations})
    decisions = tuple(
        Adjudication(
            adjudication_id=f"d{key}",
            study_id="example",
            generation_id=key,
            adjudicator_id="J1",
            judgement=Judgement(
                item_judgement="valid",
                response_judgement="failure",
                labels=(Label(code="hallucination", primary=True),),
                severity="3",
                criteria={"unit@1": "met"},
            ),
            taken_over=False,
            cites=tuple(one.annotation_id for one in tables.annotations if one.generation_id == key),
            stands=True,
            taxonomy_version="1",
            created_at=datetime(2026, 1, 2, tzinfo=UTC),
        )
        for key in keys[undecided:]
    )
    changed = {"adjudications": decisions, "design": Design(adjudicated=True)}
    return tables.model_copy(update=changed), keys[:undecided]


def test_page_one_tells_how_far_annotators_agree_on_ticks() -> None:
    report = report_of(scripted(ticked()))
    every = cells(table_of(report, "criteria_agreement"), criterion="all")
    alpha, (low, high) = every["krippendorff_alpha_nominal"], every["krippendorff_alpha_nominal_ci95"]
    card = next(one for one in report.key_figures if "on ticks" in one.label)
    assert (card.label, card.value) == ("simulated: Agreement on ticks", f"{alpha:.2f}")
    assert card.note == f"alpha, n = {every['n']} criteria of answers, 95 % {low:.2f} to {high:.2f}"
    told = next(one.text for one in report.findings if one.topic == "Criteria")
    said = f"agreement on ticks is Krippendorff's alpha {alpha:.2f} (95 % interval {low:.2f} to {high:.2f})"
    assert said in told
    assert not [one for one in report_of(study()).key_figures if "on ticks" in one.label]


def test_tables_of_criteria_name_their_intervals_and_say_where_there_is_none() -> None:
    tables = ticked()
    keys = sorted({one.generation_id for one in tables.annotations})
    varied = tuple(
        one.model_copy(update={"criteria": {**one.criteria, "unit@1": "met"}})
        if one.generation_id in keys[::3]
        else one
        for one in tables.annotations
    )
    report = report_of(tables.model_copy(update={"annotations": varied}))
    note = table_of(report, "criteria_scores").note
    assert "Weighted score: delete-one-subject jackknife" in note
    assert "Macro-recall, Omission rate, Fails a must-have: Wilson with the effective sample size" in note
    agreement = table_of(report, "criteria_agreement")
    assert "Alpha: delete-one-subject jackknife, t(subjects - 1), ends on Fisher's z" in agreement.note
    for row in agreement.rows:
        figures = ("percent_agreement", "gwet_ac1", "krippendorff_alpha_nominal")
        lacks = [one for one in figures if agreement.cell(row, f"{one}_ci95") is None]
        assert not lacks or agreement.cell(row, "remark"), row


@pytest.mark.parametrize("by_script", [True, False])
def test_criteria_are_said_to_stand_before_the_gold_only_of_people(by_script: bool) -> None:
    report = report_of(scripted(ticked()) if by_script else ticked())
    said, note = paragraphs(report, "criteria"), table_of(report, "criteria_agreement").note
    assert ("; scripted annotators had gold and score from the start" in said) is by_script
    assert ("; scripted annotators had gold and score before it" in note) is by_script
    assert ("before the gold" in said) is not by_script
    assert ("before the gold" in note) is not by_script


def test_answers_without_a_decision_on_ticks_are_named_and_labels_told_apart_from_ticks() -> None:
    tables, left = decided(2)
    report = report_of(tables)
    n = len({one.generation_id for one in tables.annotations})
    unsaid = {str(row[0]): str(row[1]) for row in table_of(report, "unsaid").rows}
    said = f"no decision stands on 2 of the {n} answers: {', '.join(left)}"
    assert unsaid["All of “What decisions change”"] == said
    assert "an adjudicator for labels, because" in paragraphs(report, "settlement")
    whole = table_of(report_of(decided(0)[0]), "unsaid")
    assert not [row for row in whole.rows if "What decisions change" in str(row[0])]
    assert "adjudicator for labels" not in paragraphs(report_of(ticked()), "settlement")


def test_sources_of_decided_ticks_tell_runs_apart_and_name_the_ticks() -> None:
    report = report_of(decided(1)[0])
    assert "scores.csv: run_id; scores.csv: subject_id" not in table_of(report, "decided_shares").trace
    assert "scores.csv: run_id, subject_id" in table_of(report, "decided_shares").trace
    assert "verdict" in table_of(report, "decided_questions").trace
    for name in ("criteria_scores", "criteria_agreement", "criteria_flagged", "criteria_use"):
        assert "scores.csv: model" not in table_of(report, name).trace
    assert "annotations.csv: reference_known" in table_of(report, "criteria_agreement").trace
