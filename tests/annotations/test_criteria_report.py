"""Criteria in report and export, of a study whose ticks are made by a rule, so that each figure is known."""

from typing import Any

import pytest

from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.exports.criteria_table import criteria_table
from clinicnum.annotations.exports.data_files import study_tables
from clinicnum.annotations.judgement import CriterionVerdict
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.render_html_and_csv import render_html
from clinicnum.annotations.report.report_content import Section, Table
from clinicnum.annotations.report.sections.criteria import criteria_section
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Annotation
from clinicnum.types import Point
from tests.annotations.report_example import STRANGE, study

CRITERIA = (
    Criterion(id="time", text=f"Names the time. {STRANGE}", weight=3),
    Criterion(id="unit", text="Names the unit.", weight=1, must_have=True),
    Criterion(id="pads", text="Repeats the record.", weight=-2),
    Criterion(id="time", text="Names the time of the record.", weight=3, version=2),
    Criterion(item="i01-structured", id="1", text="Says that it is the second patient.", weight=4),
)


def ticks(one: Annotation) -> dict[str, CriterionVerdict]:
    """`time` is always met, of the third annotator in its first version; `unit` by the first annotator alone;
    `pads` never.
    """
    unit: CriterionVerdict = "met" if one.annotator_id.endswith("1") else "not_met"
    time = "time@1" if one.annotator_id.endswith("3") else "time@2"
    own: dict[str, CriterionVerdict] = (
        {"1@1": "not_applicable"} if "i01-structured" in one.generation_id else {}
    )
    return {time: "met", "unit@1": unit, "pads@1": "not_met"} | own


def ticked(*, source: str = "synthetic") -> StudyTables:
    tables = study(simulated=False, source=source)
    return tables.model_copy(
        update={
            "criteria": CRITERIA,
            "annotations": tuple(
                one.model_copy(update={"criteria": ticks(one)}) for one in tables.annotations
            ),
        }
    )


def section(tables: StudyTables) -> Section:
    return next(one for one in build_report(tables, generated_by="test").sections if one.id == "criteria")


def table(tables: StudyTables, name: str) -> Table:
    return next(one for one in section(tables).tables if one.id == name)


def cells(found: Table, **where: str) -> dict[str, Any]:
    """The one row that has these values, by column."""
    rows = [dict(zip(found.keys, row, strict=True)) for row in found.rows]
    (row,) = [one for one in rows if all(one[key] == value for key, value in where.items())]
    return row


def test_scores_by_model_are_those_of_the_rule() -> None:
    tables = ticked()
    row = cells(table(tables, "criteria_scores"), model="SmolLM2-135M-Instruct")
    answers = {one.generation_id for one in tables.annotations}
    assert row["answers"] == row["weighted_n"] == len(answers)
    # Of 4 points the first annotator gives 4 and the two others 3, who also omit one of 2 wanted criteria.
    assert row["weighted"] == pytest.approx(2.5 / 3)
    assert row["macro_recall"] == pytest.approx(2 / 3)
    assert row["omission"] == pytest.approx(1 / 3)
    assert row["must_have"] == pytest.approx(2 / 3)


def test_two_runs_of_one_model_are_scored_apart_and_the_report_begins_with_the_scores() -> None:
    tables = ticked()
    half = {one.generation_id for one in tables.generations[::2]}
    runs = tables.runs | {"again": {**tables.runs["run1"]}}
    split = tables.model_copy(
        update={
            "runs": runs,
            "generations": tuple(
                one.model_copy(update={"run_id": "again"}) if one.generation_id in half else one
                for one in tables.generations
            ),
        }
    )
    rows = table(split, "criteria_scores").rows
    judged = {one.generation_id for one in tables.annotations}
    assert len(rows) == 2
    assert sorted(row[1] for row in rows) == sorted((len(judged & half), len(judged - half)))  # type: ignore[type-var]
    assert all("(run " in str(row[0]) for row in rows)
    first = build_report(split, generated_by="test").key_figures[0]
    assert (first.label, first.table) == ("Weighted score by criteria, 2 runs", "criteria_scores")
    told = build_report(split, generated_by="test").findings[0]
    assert told.topic == "Criteria"
    assert told.text.startswith(f"Weighted score by criteria: {rows[0][0]} ") or str(rows[1][0]) in told.text
    assert "; these intervals do not compare runs. Annotators' agreement on ticks is" in told.text


def test_ticks_by_who_had_seen_the_gold_with_another_answer_are_said_to_be_left_out_of_agreement() -> None:
    tables = ticked()
    known = tuple(
        one.model_copy(update={"reference_known": n == 0}) for n, one in enumerate(tables.annotations)
    )
    note = table(tables.model_copy(update={"annotations": known}), "criteria_agreement").note
    assert "; the ticks of 1 judgement are left out, as the gold of the question had been seen" in note
    assert "left out" not in table(tables, "criteria_agreement").note


def test_criteria_that_are_the_whole_gold_are_said_to_be_in_sight() -> None:
    tables = ticked()
    said = "In 1 of"
    paragraph = " ".join(criteria_section(StudyView(tables)).paragraphs)
    assert "say part of what a right answer holds" in paragraph
    assert said not in paragraph
    item = next(one.item for one in tables.criteria if one.item and one.weight > 0)
    points = tuple(
        Point(id=str(n), text=one.text)
        for n, one in enumerate(one for one in tables.criteria if one.item == item and one.weight > 0)
    )
    whole = tuple(
        one.model_copy(update={"points": points}) if one.instance_id == item else one
        for one in tables.instances
    )
    told = " ".join(criteria_section(StudyView(tables.model_copy(update={"instances": whole}))).paragraphs)
    assert said in told
    assert "the criteria with a weight above 0 are the points that a right answer must hold" in told


def test_criteria_of_no_use_are_flagged_and_agreement_is_by_criterion() -> None:
    tables = ticked()
    flagged = table(tables, "criteria_flagged")
    assert {row[1]: row[-1] for row in flagged.rows} == {
        "time": "always met",
        "unit": "splits the annotators",
        "pads": "never met",
    }
    agreement = table(tables, "criteria_agreement")
    unit = cells(agreement, criterion="unit")
    assert unit["percent_agreement"] == pytest.approx(1 / 3)
    assert cells(agreement, criterion="time")["percent_agreement"] == 1.0
    alone = cells(agreement, criterion="1")
    assert (alone["item"], alone["n"]) == ("i01-structured", 1)
    assert cells(table(tables, "criteria_use"), criterion="unit")["weight"] == 1


def test_labels_that_predate_a_changed_text_are_counted_and_said() -> None:
    tables = ticked()
    n = len({one.generation_id for one in tables.annotations})
    row = cells(table(tables, "criteria_versions"), criterion="time")
    assert (row["version"], row["on_it"], row["earlier"]) == (2, 2 * n, n)
    (said,) = [one for one in section(tables).paragraphs if "predate" in one]
    assert f"{n} of {3 * n} ticks" in said


def test_a_study_without_criteria_has_neither_section_nor_table() -> None:
    plain = study()
    assert all(one.id != "criteria" for one in build_report(plain, generated_by="test").sections)
    assert all(one.name != "criteria" for one in study_tables(plain))


def test_the_export_has_a_row_for_each_annotator_answer_and_criterion() -> None:
    tables = ticked()
    found = criteria_table(StudyView(tables))
    at = {one.name: place for place, one in enumerate(found.fields)}
    keys = [
        (row[at["generation_id"]], row[at["annotator_id"]], row[at["criterion_id"]]) for row in found.rows
    ]
    assert len(set(keys)) == len(keys) == sum(len(one.criteria) for one in tables.annotations)
    old = next(row for row in found.rows if not row[at["in_force"]])
    assert (old[at["version"]], old[at["text"]], old[at["annotator_id"]]) == (
        1,
        CRITERIA[0].text,
        "annotator-3",
    )
    assert {row[at["first_verdict"]] for row in found.rows} == {"met", "not_met", "not_applicable"}
    assert "criteria" in {one.name for one in study_tables(tables)}


def test_texts_are_shown_as_text_and_on_credentialed_records_not_at_all() -> None:
    html = render_html(build_report(ticked(), generated_by="test"))
    assert "<script>alert(1)" not in html
    secret = ticked(source="mimic-iv-ed")
    assert all(row[2] == "" for row in table(secret, "criteria_use").rows)
    found = criteria_table(StudyView(secret))
    place = [one.name for one in found.fields].index("text")
    assert {row[place] for row in found.rows} == {None}
