"""What reports say where suggestions open with the reference, and judgements count as locked before it."""

from collections.abc import Callable
from datetime import timedelta

from clinicnum.annotations.report.markdown import render_markdown
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.types import Annotation
from clinicnum.stats.jackknife import few_subjects
from tests.annotations.report_example import study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_true_of_imports import grras


def in_two_steps(
    tables: StudyTables, suggested: Callable[[Annotation], bool], *, classified: bool = True
) -> StudyTables:
    """The study judged in two steps; where `suggested`, suggestions open with the reference."""
    none = {} if classified else {"labels": (), "severity": None}
    locked = {"item_judgement": None, "proposed_gold": None, "revision": 1} | none
    both = [
        step
        for one in tables.annotations
        for step in (
            one.model_copy(update=locked | {"annotation_id": f"{one.annotation_id}-locked"}),
            one.model_copy(
                update={
                    "revision": 2,
                    "suggestion_shown": suggested(one),
                    "created_at": one.created_at + timedelta(minutes=1),
                }
            ),
        )
    ]
    design = Design(suggestions="after_judgement", training=1, controls=1)
    return tables.model_copy(update={"annotations": tuple(both), "design": design, "status": "closed"})


def half(tables: StudyTables) -> Callable[[Annotation], bool]:
    keys = sorted({one.generation_id for one in tables.annotations})
    return lambda one: one.generation_id in keys[::2]


def test_codes_are_not_said_to_be_given_with_the_gold_in_sight_where_they_were_locked_before() -> None:
    tables = study(simulated=False)
    report = report_of(in_two_steps(tables, half(tables)))
    for section in ("taxonomy", "methods"):
        said = paragraphs(report, section)
        assert "odes and severity are those of last judgements, with gold and score in sight, but for" in said
        assert "24 of 48, whose response and labels are as first saved, before suggestions were shown" in said
        assert "of the 48 judgements with codes, 48 had codes before these were in sight" in said
    assert "given with" not in paragraphs(report, "taxonomy")
    later = report_of(in_two_steps(tables, lambda one: False, classified=False))
    assert "last judgements, with gold and score in sight. " in paragraphs(later, "taxonomy")


def test_figures_on_last_judgements_say_which_of_them_are_first_ones() -> None:
    tables = study(simulated=False)
    report = report_of(in_two_steps(tables, half(tables)))
    for name in ("annotators_against_others", "annotators_drift", "planner", "scorer_against_consensus"):
        assert (
            "suggestions came into sight after the first judgement, they are" in table_of(report, name).note
        )
    for section in ("methods", "blind"):
        assert "next study on last ones (but for 24 of 48, whose" in paragraphs(report, section)
    assert (
        "24 more, whose last one was made with suggestions in sight" in table_of(report, "blind_changes").note
    )
    assert "As they count elsewhere by majority" in [
        f"{one.group} {one.label}" for one in table_of(report, "scorer_rates").columns
    ]
    assert "after the gold" not in paragraphs(report, "scorer")
    assert "up to the first save where suggestions came" in table_of(report, "annotators_time").note
    assert "none after revision 1 (24 of 48) that row" in paragraphs(report, "provenance")
    assert "the interval of record of the judgements that count" in table_of(report, "suggestions_alpha").note


def test_a_study_without_such_judgements_says_nothing_of_them() -> None:
    plain = render_markdown(report_of(in_two_steps(study(simulated=False), lambda one: False)))
    assert "as first saved" not in plain
    assert "came into sight" not in plain
    assert "(48 of 48) the row" not in plain


def test_judgements_whose_labels_were_left_for_later_are_not_said_to_be_judged_with_suggestions_hidden() -> (
    None
):
    tables = study(simulated=False)
    made = in_two_steps(tables, half(tables))
    late = in_two_steps(tables, half(tables), classified=False)
    one = min(row.generation_id for row in tables.annotations)
    mixed = tuple(
        second if second.generation_id == one else first
        for first, second in zip(made.annotations, late.annotations, strict=True)
    )
    said = paragraphs(report_of(made.model_copy(update={"annotations": mixed})), "taxonomy")
    assert "15 generations were judged without a suggestion in sight when labels were given" in said


def test_the_last_judgement_is_not_said_to_be_missing_where_a_suggestion_was_in_sight() -> None:
    report = report_of(in_two_steps(study(simulated=False), lambda one: True))
    said = render_markdown(report)
    assert "after the gold: every label was left out: made with a suggestion in sight" in said
    assert "after the gold: no judgement yet" not in said


def test_the_item_is_said_to_be_judged_with_the_reference() -> None:
    tables = in_two_steps(study(simulated=False), lambda one: False)
    said = paragraphs(report_of(tables), "methods")
    assert "judged the response and, with gold and score in sight, the item" in said
    assert "each judged 1 training item with feedback" in said
    assert "1 control item with a reference judgement was hidden" in said
    assert "the item is judged with gold and score in sight; 1 training item with" in grras(tables, 8)


def test_one_subject_is_not_said_in_the_plural() -> None:
    assert few_subjects(1) == "only 1 subject: read the interval with care"
    assert few_subjects(2) == "only 2 subjects: read the interval with care"
