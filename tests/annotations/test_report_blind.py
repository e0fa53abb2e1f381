"""First judgements, made before gold and score were shown: what rests on them, and what the gold changed."""

import csv
import io
from functools import cache

import pytest

from clinicnum.annotations.agreement.study_agreement import study_agreement
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.render_html_and_csv import report_csvs
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Annotation
from tests.annotations.report_example_whole import whole_study

Row = dict[str, str]


@cache
def tables() -> StudyTables:
    """Every judgement as a second revision; four of the first ones were otherwise.

    All three first call a failure what they accept in the end though it is scored wrong; one first accepts a
    failure that is scored wrong. No contest took anything out.
    """
    plain = whole_study()
    drawn = [one.generation_id for one in plain.inclusions]
    made = [one for judged in plain.annotations for one in (_first(judged, drawn), _second(judged))]
    return plain.model_copy(update={"annotations": tuple(made), "adjudications": (), "invalidations": ()})


def _first(one: Annotation, drawn: list[str]) -> Annotation:
    place = drawn.index(one.generation_id)
    said = one.response_judgement
    if place == 6:
        said = "failure"
    elif place == 1 and one.annotator_id == "annotator-1":
        said = "acceptable"
    changed = {"item_judgement": "valid", "response_judgement": said, "labels": (), "severity": None}
    return one.model_copy(update={"annotation_id": f"{one.annotation_id}-blind", **changed})


def _second(one: Annotation) -> Annotation:
    return one.model_copy(update={"revision": 2})


@cache
def csvs() -> dict[str, str]:
    return report_csvs(build_report(tables(), generated_by="test"))


def rows(table: str) -> list[Row]:
    return list(csv.DictReader(io.StringIO(csvs()[f"{table}.csv"])))


def test_the_score_is_held_against_first_judgements_with_the_last_ones_beside_them() -> None:
    found = {(row["scorer"], row["rate"]): row for row in rows("scorer_rates")}
    # First: 9 failures scored wrong (weight 1), 1 scored right (weight 4). Last: 8 and 1.
    assert float(found["lenient", "sensitivity"]["value"]) == pytest.approx(9 / 13)
    assert float(found["lenient", "sensitivity"]["after_gold"]) == pytest.approx(8 / 12)
    assert float(found["lenient", "specificity"]["value"]) == 1.0
    assert float(found["lenient", "specificity"]["after_gold"]) == pytest.approx(12 / 13)


def test_agreement_on_the_response_is_of_first_judgements_and_codes_are_not() -> None:
    view = StudyView(tables())
    layers = study_agreement(
        view.chosen,
        taxonomy_codes=[one.code for one in tables().taxonomy_codes],
        subjects=view.subjects,
    )
    blind, after = layers.layer("response_judgement").result, layers.layer("response_after_gold").result
    assert blind is not None
    assert after is not None
    # One of 39 judgements differs from the two others at first, none at last.
    assert blind.coefficient("percent_agreement").value == pytest.approx(1 - 2 / 39)
    assert after.coefficient("percent_agreement").value == 1.0
    assert "before gold and score were shown" in blind.population.rule
    assert "gold and score were in sight" in after.population.rule
    primary = layers.layer("primary").result
    assert primary is not None
    assert "gold and score were in sight" in primary.population.rule


def test_what_the_gold_changed_is_counted_by_where_it_went() -> None:
    changed = {row["what"]: row for row in rows("blind_changes")}
    assert {name: int(row["count"]) for name, row in changed.items()} == {
        "kept": 35,
        "changed, towards the score": 1,
        "changed, away from the score": 3,
        "changed, neither": 0,
    }
    assert float(changed["changed, away from the score"]["share"]) == pytest.approx(3 / 39)
    moved = {(row["first"], row["last"]): int(row["n"]) for row in rows("blind_transitions")}
    assert (moved["failure", "acceptable"], moved["acceptable", "failure"]) == (3, 1)
    assert sum(moved.values()) == 39


def test_the_report_says_that_codes_were_given_with_the_gold_in_sight() -> None:
    report = build_report(tables(), generated_by="test")
    taxonomy = next(one for one in report.sections if one.id == "taxonomy")
    assert "with gold and score in sight" in " ".join(taxonomy.paragraphs)
    methods = next(one for one in report.sections if one.id == "methods")
    assert "first judgements, made before gold and score were shown" in " ".join(methods.paragraphs)


def test_first_judgements_that_followed_the_reference_are_no_reference_and_counted_everywhere() -> None:
    """Two of three knew the reference of a failure that is scored right: so it has no blind consensus."""
    (missed,) = {one.generation_id for one in tables().annotations if one.response_judgement == "failure"} & {
        one.generation_id for one in tables().scores if one.lenient
    }
    knew = ("annotator-1", "annotator-2")
    marked = tuple(
        one.model_copy(update={"reference_known": True})
        if one.generation_id == missed and one.annotator_id in knew
        else one
        for one in tables().annotations
    )
    report = build_report(tables().model_copy(update={"annotations": marked}), generated_by="test")
    read = {
        (row["scorer"], row["rate"]): row
        for row in csv.DictReader(io.StringIO(report_csvs(report)["scorer_rates.csv"]))
    }
    # The one failure scored right has a single blind judgement, so the 9 scored wrong are left.
    assert float(read["lenient", "sensitivity"]["value"]) == 1.0
    assert float(read["lenient", "sensitivity"]["after_gold"]) == pytest.approx(8 / 12)
    sections = {one.id: one for one in report.sections}
    told = {key: " ".join(sections[key].paragraphs) for key in ("scorer", "methods")}
    assert (
        "2 first judgements that followed the reference of the same question (group_id) are left out"
        in told["scorer"]
    )
    assert "2 judgements began after the annotator had seen the reference" in told["methods"]
    grras = " ".join(str(cell) for row in sections["grras"].tables[0].rows for cell in row)
    assert "; 2 first judgements followed the reference of the same question (group_id); " in grras
    assert "Without 2 that followed the reference" in str(sections["blind"].tables[0].note)
    blind = StudyView(tables().model_copy(update={"annotations": marked})).agreement.layer(
        "response_judgement"
    )
    assert blind.result is not None
    assert [(one.n, one.what) for one in blind.result.population.left_out if "same question" in one.why] == [
        (2, "labels")
    ]
