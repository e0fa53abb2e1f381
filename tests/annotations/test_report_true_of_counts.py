"""What a report says it counts: rounds, questions, texts, contradictions, time, words for figures."""

from datetime import timedelta

import pytest

from clinicnum.annotations.agreement.verbal_strength import landis_koch
from clinicnum.annotations.report.render_html_and_csv import report_csvs
from clinicnum.annotations.report.report_warnings import report_warnings
from clinicnum.annotations.report.sections.agreement_details import detail_tables
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Contest
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_imports import grras


def contested(tables: StudyTables, *contests: Contest) -> StudyTables:
    return tables.model_copy(update={"contests": contests})


def claim(at: int, tables: StudyTables, **changes: object) -> Contest:
    one = Contest(
        contest_id=f"c{at}",
        generation_id=tables.inclusions[at].generation_id,
        annotator_id="annotator-1",
        kind="ambiguous",
    )
    return one.model_copy(update=changes)


def test_contests_say_from_which_rounds_they_come() -> None:
    tables = study(simulated=False)
    keys = [one.generation_id for one in tables.inclusions[:2]]
    doubted = tuple(
        one.model_copy(update={"item_judgement": "ambiguous"})
        if (one.generation_id, one.annotator_id) == (keys[0], "annotator-1")
        else one
        for one in tables.annotations
    )
    repeat = next(one for one in tables.annotations if one.generation_id == keys[1])
    again = repeat.model_copy(
        update={"round": "repeat", "annotation_id": "again", "item_judgement": "ambiguous"}
    )
    tables = tables.model_copy(update={"annotations": (*doubted, again)})
    report = report_of(contested(tables, claim(0, tables), claim(1, tables)))
    said = "of every round: 1 from a judgement that counts, 1 from the repeat round"
    assert said in table_of(report, "contests").note
    assert "2 contests from all rounds: 0 upheld" in paragraphs(report, "contests")
    assert "round" in table_of(report, "contests").trace


def test_the_footers_of_agreement_name_the_layers_in_the_table() -> None:
    tables = study(simulated=False, patients=60)
    layers = StudyView(tables).agreement.layers
    for one in detail_tables([layers[0]], "templates"):
        assert "item_judgement" in one.trace
        for absent in ("severity", "labels", "primary", "response_judgement"):
            assert absent not in one.trace
    pairs = next(one for one in detail_tables(layers, "templates") if one.id == "agreement_pairs")
    assert "severity" in pairs.trace


def test_agreement_counts_generations_and_says_on_how_many_questions() -> None:
    report = report_of(study(simulated=False))
    n = len(study().inclusions)
    assert f"{n} generations on" in paragraphs(report, "agreement")
    for name in ("agreement_summary", "agreement_primary", "agreement_pairs", "agreement_strength"):
        assert "Generations" in [one.label for one in table_of(report, name).columns]
        assert "Items" not in [one.label for one in table_of(report, name).columns]
    assert f"n = {n} generations, 3 annotators" in table_of(report, "agreement_primary").note
    (headline,) = [one for one in report.key_figures if one.label == "Agreement"]
    assert "items" not in headline.note
    assert "Unit: generations, on " in table_of(report, "consensus_settled").note
    assert "An item here is an instance, however many answers were judged" in paragraphs(report, "templates")
    imported = paragraphs(report_of(elsewhere("choice")), "methods")
    assert "answered 24 items, each one question, of multiple-choice questions" in imported


def test_what_a_subject_is_of_imported_questions_is_said_where_it_first_counts() -> None:
    tables = elsewhere("choice")
    texts = tuple(
        one.model_copy(update={"context": f"text {n // 3}"}) for n, one in enumerate(tables.instances)
    )
    report = report_of(tables.model_copy(update={"instances": texts}))
    said = paragraphs(report, "accuracy")
    assert "A subject here is what shares a subject id: 12 ids on 8 texts" in said
    assert "4 ids have several texts" in said
    assert "8 texts stand word for word under several ids (nearly equal texts are not looked for)" in said
    counts = {str(row[0]): row[1] for row in table_of(report, "counts").rows}
    assert (counts["subject ids"], counts["texts beside questions"]) == (12, 8)
    assert "subjects" not in counts
    assert "subject ids (" in paragraphs(report, "methods")
    assert "A subject here" not in paragraphs(report_of(study()), "accuracy")


def test_contests_and_labels_that_contradict_each_other_are_told() -> None:
    tables = overturned_study()
    first = tables.adjudications[0]
    wrong = first.model_copy(
        update={
            "judgement": first.judgement.model_copy(
                update={"item_judgement": "gold_wrong", "proposed_gold": "1"}
            )
        }
    )
    tables = tables.model_copy(update={"adjudications": (wrong, *tables.adjudications[1:])})
    decided = {"status": "rejected", "decided_by": "J1", "adjudicator_kind": "human", "comment": "no"}
    report = report_of(
        contested(
            tables,
            claim(0, tables, **decided, kind="gold_wrong"),
            claim(1, tables, **{**decided, "status": "upheld"}),
            claim(2, tables, **decided),
            claim(3, tables),
        )
    )
    said = paragraphs(report, "contests")
    assert "2 decided contests on 2 instances contradict the label of at least one answer" in said
    table = table_of(report, "contest_conflicts")
    assert [table.cell(row, "contest_id") for row in table.rows] == ["c0", "c1"]
    assert [table.cell(row, "status") for row in table.rows] == ["rejected", "upheld"]
    assert [table.cell(row, "item") for row in table.rows] == ["gold wrong", "valid"]
    assert [table.cell(row, "by") for row in table.rows] == ["decision of J1", "decision of J1"]
    assert "contest_conflicts.csv" in report_csvs(report)


def test_contests_that_contradict_nothing_bring_no_table() -> None:
    tables = overturned_study()
    report = report_of(contested(tables, claim(0, tables, status="rejected", decided_by="J1")))
    assert "contradict" not in paragraphs(report, "contests")
    assert "contest_conflicts.csv" not in report_csvs(report)


def test_the_rule_of_three_is_not_said_to_be_of_experts() -> None:
    report = report_of(overturned_study())
    text = " ".join(
        [one.note for one in report.key_figures]
        + [paragraphs(report, section.id) for section in report.sections]
        + [f"{table.caption} {table.note}" for section in report.sections for table in section.tables]
    )
    assert "three experts" not in text
    assert "by agreement or adjudication" in text
    said = paragraphs(report, "taxonomy")
    assert "Agreement or adjudication (three_expert)" in said
    assert "Nothing is known here of the annotators' profession, training or experience" in said


def slow(tables: StudyTables, *, seconds: int) -> StudyTables:
    """Every judgement took a minute, and each is saved so long after the one before."""
    return tables.model_copy(
        update={
            "annotations": tuple(
                one.model_copy(
                    update={
                        "active_ms": 60_000,
                        "created_at": one.created_at + timedelta(seconds=seconds * n),
                    }
                )
                for n, one in enumerate(tables.annotations)
            )
        }
    )


def test_active_time_that_no_clock_could_hold_is_not_summed_up() -> None:
    report = report_of(slow(study(simulated=False), seconds=1))
    table = table_of(report, "annotators_time")
    for row in table.rows:
        assert table.cell(row, "mean_s") is None
        assert table.cell(row, "mean_ci95") is None
        assert table.cell(row, "median_s") is None
        said = (
            "900 s of active time on the judgements after the first, but between the first save and the last"
        )
        assert f"{said} lie 45 s" in str(row[-1])
    assert "median active time" not in grras(study_slow := slow(study(simulated=False), seconds=1), 8)
    assert "longer than the time between" in grras(study_slow, 8)
    drift = table_of(report, "annotators_drift")
    assert {drift.cell(row, "time") for row in drift.rows} == {None}


def test_active_time_that_fits_is_summed_up() -> None:
    tables = slow(study(simulated=False), seconds=120)
    table = table_of(report_of(tables), "annotators_time")
    assert {table.cell(row, "median_s") for row in table.rows} == {60}
    assert "median active time 60 s" in grras(tables, 8)


@pytest.mark.parametrize(
    ("value", "step"),
    [
        (0.6011, "moderate"),
        (0.6049, "moderate"),
        (0.606, "substantial"),
        (0.404, "fair"),
        (0.8049, "substantial"),
    ],
)
def test_words_go_by_two_decimals_as_the_steps_do(value: float, step: str) -> None:
    assert landis_koch(value) == step


def test_the_rule_for_words_is_said() -> None:
    note = table_of(report_of(study(simulated=False)), "agreement_strength").note
    assert "rounded to two decimals, as their steps are" in note


def test_open_contests_may_change_accuracy_too() -> None:
    tables = overturned_study().model_copy(update={"status": "closed"})
    (said,) = report_warnings(StudyView(contested(tables, claim(0, tables))))
    assert "and accuracy without contested questions" in said
    (said,) = report_warnings(StudyView(contested(tables)))
    assert "accuracy" not in said


def test_withheld_intervals_name_the_simulations() -> None:
    report = report_of(study(simulated=False))
    notes = " ".join(
        str(cell)
        for section in report.sections
        for table in section.tables
        for row in table.rows
        for cell in row
    )
    assert "half of such intervals missed the truth" in notes
    assert "two annotators and two labels" in notes
    assert "docs/agreement-evidence.md" in notes
    assert "that other tables get none either is a choice" in notes


def test_the_scorer_counts_a_generation_as_left_out_for_one_reason() -> None:
    tables = overturned_study()
    last = tables.inclusions[-1].generation_id
    doubts = tuple(
        one.model_copy(update={"item_judgement": "ambiguous"})
        if one.generation_id == last and one.annotator_id == "annotator-1"
        else one
        for one in tables.annotations
    )
    cannot = tuple(
        one.model_copy(
            update={
                "item_judgement": "valid",
                "response_judgement": "cannot_judge",
                "labels": (),
                "severity": None,
            }
        )
        if one.generation_id == last
        else one
        for one in doubts
    )
    note = table_of(report_of(tables.model_copy(update={"annotations": cannot})), "scorer_rates").note
    assert "; left out: 1 that cannot be judged" in note
    assert "validity" not in note
