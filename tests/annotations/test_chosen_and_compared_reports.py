"""Sections of a report are chosen, its folder is the same byte for byte, and two reports are compared."""

import pytest

from clinicnum.annotations.exports.report_files import read_report
from clinicnum.annotations.exports.report_folder import folder_names, report_folder
from clinicnum.annotations.report.build import OTHER_KINDS, SECTIONS, build_report
from clinicnum.annotations.report.chosen_sections import SECTION_TITLES, with_sections
from clinicnum.annotations.report.compare_reports import compare_reports
from clinicnum.annotations.report.report_content import Column, KeyFigure, Report, Section, Table
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.worker_jobs import ReportArguments
from clinicnum.errors import InputError
from tests.annotations.report_example_whole import whole_study


@pytest.fixture(scope="module")
def tables() -> StudyTables:
    return whole_study()


@pytest.fixture(scope="module")
def report(tables: StudyTables) -> Report:
    return build_report(tables, generated_by="test")


def test_every_section_but_the_source_of_figures_can_be_chosen_under_its_title(tables: StudyTables) -> None:
    view = StudyView(tables)
    made = [section(view) for section in SECTIONS]
    assert list(SECTION_TITLES) == [*OTHER_KINDS, *(one.id for one in made if one.id != "provenance")]
    for one in made:
        assert one.id == "provenance" or not one.title or str(SECTION_TITLES[one.id]) == one.title


def test_only_the_chosen_sections_stay_with_their_key_figures_and_what_is_missing(report: Report) -> None:
    kept = with_sections(report, ("accuracy",))
    assert [one.id for one in kept.sections] == ["accuracy", "unsaid", "provenance"]
    tables = {table.id for one in kept.sections for table in one.tables}
    assert kept.key_figures
    assert {one.table for one in (*kept.key_figures, *kept.findings)} <= tables
    assert with_sections(report, ()) == report
    with pytest.raises(InputError, match="Section 'acuracy' does not exist; expected some of pairwise, "):
        with_sections(report, ("acuracy",))


def test_the_folder_is_the_same_byte_for_byte_and_holds_what_was_asked_for(tables: StudyTables) -> None:
    asked = ReportArguments(studies=("example",), sections=("taxonomy",), consensus="majority")
    made, files = report_folder(tables, asked, generated_by="test")
    assert report_folder(tables, asked, generated_by="test")[1] == files
    assert read_report(files["report.json"], "report.json") == made
    assert {"report.html", "report.md", "report.xlsx", "tables.tex", "severity.csv", "scores.csv"} <= set(
        files
    )
    assert "accuracy_main.csv" not in files
    small = asked.model_copy(update={"suppress_below": 5})
    _, fewer = report_folder(tables, small, generated_by="test")
    assert not {"scores.csv", "annotations.csv", "annotations.jsonl"} & set(fewer)


def test_studies_whose_names_differ_in_signs_alone_have_folders_of_their_own() -> None:
    assert folder_names(["a/b", "a b", "../..", "ä"]) == ("1-a-b", "2-a-b", "3", "4")


def _report(rows: tuple[tuple[object, ...], ...], *, value: str = "1", table: str = "t") -> Report:
    columns = (
        Column(key="class", label="Class"),
        Column(key="n", label="Failures", kind="count", group="All"),
        Column(key="ci", label="Interval", kind="share_interval"),
    )
    one = Table(id=table, caption="What", note="n", trace="rows", columns=columns, rows=rows)  # type: ignore[arg-type]
    return Report(
        title="x",
        study="x",
        annotator_kind="human",
        warnings=(),
        key_figures=(KeyFigure(label="Failures", value=value, note="of 9"),),
        sections=(Section(id="s", title="Section", tables=(one,)),),
        generated_by="test",
    )


def test_a_comparison_names_each_cell_that_changed_and_by_how_much() -> None:
    before = _report((("omission", 2, (0.1, 0.5)), ("gone", 1, None)))
    after = _report((("new", 1, None), ("omission", 3, (0.1, 0.5 + 1e-12))), value="2")
    found = compare_reports(before, after)
    (table,) = found.tables
    assert [(one.row, one.column, one.before, one.after, one.difference) for one in table.cells] == [
        ("new", "", None, "there", None),
        ("omission", "All: Failures", 2, 3, 1),
        ("gone", "", "there", None, None),
    ]
    (card,) = found.key_figures
    assert (card.name, card.before, card.after) == ("Failures", "1 (of 9)", "2 (of 9)")
    assert compare_reports(after, after).same
    other = compare_reports(before, _report((), table="u"))
    assert [(one.table, one.change) for one in other.tables] == [("u", "added"), ("t", "removed")]


def test_another_consensus_changes_tables_plots_and_texts_of_a_whole_report(
    tables: StudyTables, report: Report
) -> None:
    changed = tables.model_copy(update={"annotations": tables.annotations[:-3]})
    found = compare_reports(report, build_report(changed, generated_by="test"))
    assert "failure_shares" in {one.table for one in found.tables}
    assert found.texts
    assert all(one.cells for one in found.tables if one.change == "changed")
    assert compare_reports(report, build_report(tables, generated_by="test")).same
