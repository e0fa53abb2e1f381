"""Models compared over studies: accuracy by benchmark, failures per 100 answers, and their classes."""

import pytest

from clinicnum.annotations.exports.report_folder import folder_hash, reports_folder
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.failure_class_shares import failures_of, pooled
from clinicnum.annotations.report.leaderboard import build_leaderboard
from clinicnum.annotations.report.report_content import Cell, Report, Table
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.worker_jobs import ReportArguments
from clinicnum.errors import InputError
from tests.annotations.report_example import study
from tests.annotations.report_example_models import eight_models, of_slice
from tests.annotations.report_example_whole import whole_study

ASKED = ReportArguments(studies=("whole", "example"))


@pytest.fixture(scope="module")
def whole() -> StudyTables:
    return whole_study()


@pytest.fixture(scope="module")
def other() -> StudyTables:
    """A study on another benchmark."""
    return study().model_copy(update={"benchmark": {"benchmark_id": "other"}})


@pytest.fixture(scope="module")
def report(whole: StudyTables, other: StudyTables) -> Report:
    again = whole.model_copy(update={"study_name": "again"})
    return build_leaderboard([whole, again, other], generated_by="test")


def _table(report: Report, name: str) -> Table:
    return next(table for section in report.sections for table in section.tables if table.id == name)


def _cells(table: Table, *keys: str) -> list[tuple[Cell, ...]]:
    return [tuple(table.cell(row, key) for key in keys) for row in table.rows]


def test_benchmarks_stand_apart_and_a_run_in_two_studies_is_ranked_once(report: Report) -> None:
    first, second = _table(report, "leaderboard_1"), _table(report, "leaderboard_2")
    assert [one.caption[-12:] for one in (first, second)] == ["chmark bench", "chmark other"]
    assert _cells(first, "model") == [("model-a",), ("model-b",)]
    ((right, n),) = _cells(second, "accuracy", "n")
    assert (right, n) == (8 / 22, 22)
    assert "put 2 benchmarks together" in report.sections[1].paragraphs[0]


def test_the_rate_of_failures_counts_what_was_not_judged_by_its_weights(
    whole: StudyTables, report: Report
) -> None:
    view = StudyView(whole)
    model = next(run for run in view.runs if run.name == "model-a")
    failures = failures_of(view, model, view.settlements)
    failed = [one is not None for one in failures.classes]
    parts = []
    for wrong in (True, False):
        mine = [at for at in range(len(failed)) if bool(failures.wrong[at]) is wrong]
        whole_weight = sum(failures.weights[at] for at in mine)
        parts.append(sum(failures.weights[at] for at in mine if failed[at]) / whole_weight)
    answers = [one for one in model.answers if not one.failed and one.instance.variant is None]
    part = sum(not one.right for one in answers) / len(answers)
    expected = 100 * (part * parts[0] + (1 - part) * parts[1])
    rates = {row[:2]: row[2] for row in _cells(_table(report, "failure_rates"), "model", "study", "rate")}
    assert rates["model-a", "whole"] == pytest.approx(expected)
    assert rates["model-a", "all"] == pytest.approx(expected), "twice the same study is the same rate"
    assert rates["model-b", "whole"] is None


def test_the_harm_is_that_of_the_report_of_the_study_and_says_what_was_not_judged(
    whole: StudyTables, other: StudyTables, report: Report
) -> None:
    table = _table(report, "failure_rates")
    for tables in (whole, other):
        harm = _table(build_report(tables, generated_by="test"), "harm")
        for row in harm.rows:
            mine = next(one for one in table.rows if one[:2] == (row[0], tables.study_name))
            for key in ("harm", "harm_ci95"):
                assert table.cell(mine, key) == pytest.approx(harm.cell(row, key))
    row = next(one for one in table.rows if one[0] == "SmolLM2-135M-Instruct")
    assert table.cell(row, "rate") == pytest.approx(100 * 16 / 24)
    assert str(table.cell(row, "remark")).startswith("no answer that is scored right is settled")


def test_the_same_patient_on_two_benchmarks_is_two_subjects(whole: StudyTables) -> None:
    view = StudyView(whole)
    one = failures_of(view, view.runs[0], view.settlements)
    same, apart = pooled([("a", one), ("a", one)]), pooled([("a", one), ("b", one)])
    assert len(same.subjects.names) == len(one.subjects.names)
    assert len(apart.subjects.names) == 2 * len(one.subjects.names)
    assert len(same.all_wrong) == len(same.of_all) == 2 * len(one.all_wrong)


def test_classes_have_a_share_an_n_and_an_interval_for_each_study_and_over_all(report: Report) -> None:
    rows = _cells(_table(report, "classes_by_model"), "model", "study", "class", "count", "share_n")
    assert ("model-a", "whole", "Omission", 3, 9) in rows
    assert ("model-a", "all", "Omission", 6, 18) in rows
    assert ("SmolLM2-135M-Instruct", "example", "Omission", 8, 16) in rows


def test_a_study_is_named_once_and_there_is_something_to_compare(whole: StudyTables) -> None:
    with pytest.raises(InputError, match="named twice"):
        build_leaderboard([whole, whole], generated_by="test")
    with pytest.raises(InputError, match="no scored run"):
        build_leaderboard([], generated_by="test")


def test_a_report_of_two_studies_has_both_reports_beside_and_one_hash(
    whole: StudyTables, other: StudyTables
) -> None:
    top, files = reports_folder([whole, other], ASKED, generated_by="test")
    assert top.title == "Models compared: whole, example"
    assert {"report.html", "1-whole/report.html", "2-example/report.html", "2-example/scores.csv"} <= set(
        files
    )
    again = reports_folder([whole, other], ASKED, generated_by="test")[1]
    assert folder_hash(again) == folder_hash(files)
    assert folder_hash(files | {"more": b""}) != folder_hash(files)
    assert folder_hash({"a": b"x"}) == "4a4b874a1e9776a52e38fd82a053825f309f46187a803a0fc0c6670c6670e768"


def test_a_study_of_a_slice_speaks_of_the_slice_and_is_put_together_with_no_other() -> None:
    words = "operation = arithmetic"
    part = of_slice(words, "arithmetic")
    twice = part.model_copy(update={"study_name": "the same once more"})
    report = build_leaderboard([eight_models(), part, twice], generated_by="test")
    table = _table(report, "failure_rates")
    mine = [row for row in _cells(table, "model", "study", "questions") if row[0] == "Fjord 7B"]
    assert [row[1:] for row in mine] == [
        ("eight models", "all questions"),
        (words, words),
        ("the same once more", words),
        ("all", words),
    ]
    harm = _table(build_report(part, generated_by="test"), "harm")
    for row in harm.rows:
        leaderboard = next(one for one in table.rows if one[:2] == (row[0], words))
        for key in ("harm", "harm_ci95"):
            assert table.cell(leaderboard, key) == pytest.approx(harm.cell(row, key))
    rates = {row[:2]: row[2] for row in _cells(table, "model", "study", "harm")}
    assert rates["Fjord 7B", words] != pytest.approx(rates["Fjord 7B", "eight models"])
    assert rates["Fjord 7B", "all"] == pytest.approx(rates["Fjord 7B", words])
    classes = _cells(_table(report, "classes_by_model"), "study", "questions")
    assert {of for name, of in classes if name in ("all", words)} == {words}
    assert f"Drawn from a part of the answers only: {words} ({words}); the same" in _said(report)
    assert "Drawn from a part" not in _said(build_leaderboard([eight_models()], generated_by="test"))


def _said(report: Report) -> str:
    return " ".join(next(one for one in report.sections if one.id == "models").paragraphs)
