"""Sentences that a reader found untrue in the report of a multiple-choice study, against its data."""

from dataclasses import replace
from datetime import timedelta

import pytest

from clinicnum.annotations.bundle.bundle_file_paths import README
from clinicnum.annotations.consensus import settle
from clinicnum.annotations.report.markdown import render_markdown
from clinicnum.annotations.report.sections.confidence_calibration import calibration_section
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Annotation
from tests.annotations.bundle_example import MAKER, bundle_files, material
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_example_whole import whole_study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_imports import grras
from tests.annotations.test_report_true_of_units import with_variants


def with_rounds(tables: StudyTables, *names: str) -> StudyTables:
    """The study with a judgement of each round on a generation that was not drawn."""
    drawn = {one.generation_id for one in tables.inclusions}
    others = [one.generation_id for one in tables.generations if one.generation_id not in drawn]
    more = tuple(
        tables.annotations[0].model_copy(
            update={"generation_id": key, "round": name, "annotation_id": f"{name}-{key}"}
        )
        for key, name in zip(others, names, strict=False)
    )
    return tables.model_copy(update={"annotations": (*tables.annotations, *more)})


def test_training_and_control_items_could_not_be_drawn() -> None:
    tables = with_rounds(elsewhere("choice"), "training", "control", "control")
    said = "24 generations (3 were training or control items and could not be drawn)"
    assert said in paragraphs(report_of(tables), "methods")
    assert said in grras(tables, 7)
    assert "could not be drawn" not in render_markdown(report_of(elsewhere("choice")))


def test_subject_ids_are_not_called_subjects_or_texts() -> None:
    tables = elsewhere("choice")
    several = tuple(
        one.model_copy(update={"context": f"text {n // 3}"}) for n, one in enumerate(tables.instances)
    )
    tables = tables.model_copy(update={"instances": several})
    report = report_of(tables)
    said = paragraphs(report, "methods")
    assert "under 12 subject ids and on 8 texts" in said
    assert "questions under one subject id are not independent" in said
    assert "subjects or texts" not in render_markdown(report)
    assert "subject ids and on" in grras(tables, 3)
    assert "about 12 subjects, records from synthetic" in grras(study(), 3)


def test_figures_on_last_responses_say_so() -> None:
    names = ("annotators_against_others", "annotators_drift", "consensus_protocols", "planner")
    people, scripts = report_of(study(simulated=False)), report_of(study())
    for name in names:
        assert "those of last judgements, made with gold and score in sight." in table_of(people, name).note
        assert "Responses are those of last judgements." in table_of(scripts, name).note


def test_weights_that_make_up_for_what_is_not_settled_are_told() -> None:
    said = (
        "1 / inclusion probability, brought to the shares scored right and scored wrong of all drawn, "
        "each counted 1 / its inclusion probability"
    )
    report = report_of(study(simulated=False))
    assert said in table_of(report, "failure_shares").note
    assert said in table_of(report, "signatures").note
    assert said in paragraphs(report, "methods")


def half_failures(tables: StudyTables) -> tuple[Annotation, ...]:
    """Of each generation one judgement is a failure, one is none, one cannot judge."""
    kinds = ("failure", "acceptable", "cannot_judge")
    return tuple(
        one
        if kinds[n % 3] == "failure"
        else one.model_copy(
            update={
                "item_judgement": "valid",
                "response_judgement": kinds[n % 3],
                "labels": (),
                "severity": None,
            }
        )
        for n, one in enumerate(tables.annotations)
    )


@pytest.mark.parametrize("protocol", ["majority", "three_expert"])
def test_what_is_not_agreed_to_be_a_failure_has_no_severity(protocol: str) -> None:
    tables = study()
    given = half_failures(tables)
    chosen = {
        key: [one for one in given if one.generation_id == key]
        for key in {one.generation_id for one in given}
    }
    settled = settle(chosen, protocol)  # type: ignore[arg-type]
    assert {one.response.label for one in settled} == {None}
    assert {one.severity for one in settled} == {None}


def test_the_graver_of_two_middle_severities_is_said_to_count() -> None:
    report = report_of(overturned_study())
    said = "(of two middle levels the graver)"
    assert said in table_of(report, "severity").note
    assert said in table_of(report, "adjudicated").note
    assert said in paragraphs(report, "settlement")


def test_a_decision_shows_its_own_severity_beside_the_settled_one() -> None:
    report = report_of(overturned_study())
    table = table_of(report, "adjudicated")
    assert "settles a generation whole" not in table.note
    own = {(table.cell(row, "severity"), table.cell(row, "decided_severity")) for row in table.rows}
    assert ("1", "3") in own


def test_notes_on_two_intervals_name_the_method_of_each() -> None:
    report = report_of(study(simulated=False))
    assert "The note of a row is on alpha and its interval" in table_of(report, "agreement_summary").note
    tables = study(simulated=False, patients=60)
    later = timedelta(days=1)
    again = tuple(
        one.model_copy(
            update={
                "round": "repeat",
                "annotation_id": f"r{one.annotation_id}",
                "created_at": one.created_at + later,
                "labels": tables.annotations[n - (n % 3 == 0)].labels,
            }
        )
        for n, one in enumerate(tables.annotations)
    )
    table = table_of(
        report_of(tables.model_copy(update={"annotations": (*tables.annotations, *again)})),
        "annotators_repeats",
    )
    both = [str(row[-1]) for row in table.rows if row[4] is not None and row[6] is not None and row[7]]
    assert both
    for how in both:
        assert "agree: " in how
        assert "ends on the logit; kappa: " in how
        assert how.endswith("ends on Fisher's z")


def test_items_of_agreement_are_called_generations() -> None:
    report = report_of(study())
    assert "An item of agreement is a generation" in paragraphs(report, "agreement")


def test_a_bundle_counts_generations_of_every_round() -> None:
    tables = with_rounds(study(), "training", "control")
    readme = bundle_files(replace(material(), tables=tables), generated_by=MAKER, given={})[README]
    n = len(tables.inclusions) + 2
    assert f"{len(tables.annotations)} annotation revisions on {n} of 24 generations" in readme.decode()


def test_a_slope_below_one_is_not_called_too_sure_where_confidences_are_under_one_half() -> None:
    (said,) = calibration_section(StudyView(whole_study())).paragraphs
    assert "A slope below 1 says that confidences are too extreme, an intercept below 0" in said


def test_pairs_are_told_of_only_where_there_are_any() -> None:
    orders_alone = paragraphs(report_of(with_variants(elsewhere("choice"))), "robustness")
    assert orders_alone == "An answer that cannot be read is wrong."
    assert "Each variant stands beside the question it rewrites" in paragraphs(
        report_of(whole_study()), "robustness"
    )


def test_variants_among_the_rated_are_named() -> None:
    tables = with_variants(elsewhere("choice"))
    assert "in whole or in part, and on variants of these questions" in grras(tables, 3)
    assert "variants" not in grras(elsewhere("choice"), 3)
    examples = next(one for one in report_of(tables).sections if one.id == "examples").examples
    variants = {one.instance_id for one in tables.instances if one.variant}
    asked = {one.generation_id: one.instance_id for one in tables.generations}
    told = [dict(one.facts).get("Variant") for one in examples]
    assert told == ["options.shuffle.1" if asked[one.generation_id] in variants else None for one in examples]
