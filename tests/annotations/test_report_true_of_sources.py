"""Sentences of a report that claimed more of guideline, order, texts and weights than a study holds."""

import pytest

from clinicnum.annotations.assignment import BLOCK, REPEAT_GAP
from clinicnum.annotations.bundle.bundle_file_paths import GUIDELINE, README
from clinicnum.annotations.exports.data_files import csv_files
from clinicnum.annotations.report.failure_class_shares import failures_of
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_design import Design
from tests.annotations.bundle_example import MAKER, bundle_files, material
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_example_whole import whole_study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_imports import grras
from tests.annotations.test_report_true_of_notes import with_open


def test_codes_and_classes_of_judgements_with_suggestions_open_are_not_denied() -> None:
    report = report_of(with_open(study(simulated=False))[0])
    codes, classes = (table_of(report, f"taxonomy_{one}") for one in ("codes", "by_operation_annotators"))
    assert codes.caption == "Codes in the judgements that count"
    assert "judgements without a suggestion in sight. Codes that none of these holds" in codes.note
    assert "one per judgement without a suggestion in sight;" in classes.note
    assert "suggestions" not in table_of(report_of(study()), "taxonomy_codes").note


def test_a_guideline_is_a_version_of_which_the_report_knows_no_text() -> None:
    said = grras(study(), 2)
    assert "guideline version 1" in said
    assert "in part" in said
    assert "what the guideline says beside the taxonomy, if anything" in said
    files = bundle_files(material(), generated_by=MAKER, given={})
    assert "worked by" not in files[README].decode()
    assert files[GUIDELINE].decode().startswith("# The taxonomy's rules (guideline version 1)\n")


def test_a_guideline_shows_answers_of_the_runs_where_its_text_does() -> None:
    default = study().model_copy(update={"guideline_version": "0"})
    shows, not_known = "; it shows answers of these runs as examples", "; it may show answers of these runs"
    assert shows in grras(default.model_copy(update={"guideline_examples": True}), 2)
    assert "examples" not in grras(default.model_copy(update={"guideline_examples": False}), 2)
    assert not_known in grras(default, 2)
    assert "examples" not in grras(study(), 2)


def test_repeats_and_blocks_are_handed_out_as_told() -> None:
    tables = study(simulated=False).model_copy(update={"design": Design(repeat_share=0.08)})
    assert f"a blind repeat of one given more than {REPEAT_GAP} before, if any is left" in grras(tables, 8)
    said = paragraphs(report_of(tables), "methods")
    assert f"a blind repeat of one that the annotator had been given more than {REPEAT_GAP} items" in said
    assert f"from blocks of {BLOCK} in one order for all, within a block in an order of each" in said
    assert "before new" not in said


def test_what_is_told_where_nothing_was_told_is_said() -> None:
    assert (
        "stored as ended by itself (finish_reason stop); what the source marks, or its import reads, as"
        in paragraphs(report_of(elsewhere("medec")), "provenance")
    )
    note = table_of(report_of(whole_study()), "invalidated").note
    assert "“By hand”: no such rule applies, or none found a fault" in note
    note = table_of(report_of(overturned_study()), "signatures").note
    assert "The verdict by majority rests on an interval of its own, not shown; what rests on scores" in note
    assert "of its own" not in table_of(report_of(study()), "signatures").note


def test_active_time_of_which_only_a_sum_is_shown_has_no_median() -> None:
    tables = study(simulated=False)
    long = tuple(one.model_copy(update={"active_ms": 10**8}) for one in tables.annotations)
    tables = tables.model_copy(update={"annotations": long})
    assert StudyView(tables).overruns
    assert "no median of active time is given, as that of 3 annotators is longer" in grras(tables, 8)


def test_a_severity_by_majority_that_is_blank_is_explained() -> None:
    dictionary = csv_files(study())["data_dictionary.md"]
    (line,) = [one for one in dictionary.splitlines() if "`majority_severity`" in one]
    assert "blank where levels are 2 or more apart" in line


def test_shares_of_failures_are_brought_to_the_scores_of_the_drawn() -> None:
    tables = study(simulated=False)
    view = StudyView(tables)
    (run,) = view.runs
    drawn = {one.generation_id: 1 / one.probability for one in tables.inclusions}
    wrong = sum(weight for key, weight in drawn.items() if not view.score(key).lenient)
    assert failures_of(view, run, view.settlements).scored_wrong == pytest.approx(wrong / sum(drawn.values()))
    assert (
        "of all drawn, each counted 1 / its inclusion probability"
        in table_of(report_of(tables), "failure_shares").note
    )
