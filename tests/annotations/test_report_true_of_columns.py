"""What reports of files with columns of their own say of these, and of what their intervals allow for."""

from dataclasses import replace

import numpy as np
import pytest

from clinicnum.annotations.report.failure_class_shares import UNSEEN, run_failures
from clinicnum.annotations.report.question_summary import source_of
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.partial_verification import share_limits
from tests.annotations.report_example import study
from tests.annotations.report_example_whole import whole_study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere


def with_origins() -> StudyTables:
    """Imported questions that differ in the dimension `origin`."""
    tables = elsewhere("choice")
    instances = tuple(
        one.model_copy(update={"dimensions": {"origin": "ab"[n % 2]}})
        for n, one in enumerate(tables.instances)
    )
    return tables.model_copy(update={"instances": instances})


def test_a_dimension_names_the_column_that_its_values_are_from_where_the_import_knows_it() -> None:
    tables = with_origins()
    name = "accuracy_by_dimension_origin"
    assert "which the import took or derived from the source," in table_of(report_of(tables), name).note
    meta = {**tables.benchmark, "columns": {"dimension.origin": "Herkunft"}}
    note = table_of(report_of(tables.model_copy(update={"benchmark": meta})), name).note
    assert "which the import took from the column “Herkunft”, with" in note


def test_questions_whose_answers_became_their_options_are_not_called_multiple_choice() -> None:
    meta = {"source_format": "csv-choice", "source": "s.csv", "columns": {"answer": "Urteil"}}
    said = (
        "questions to which the import gave the values of the column of gold answers as options, made "
        "elsewhere"
    )
    assert source_of(meta) == f"{said} (file s.csv)"
    own = {**meta, "columns": {"answer": "key", "option_a": "A"}}
    assert source_of(own) == "multiple-choice questions, made elsewhere (file s.csv)"


def test_a_kind_of_items_is_called_by_a_calculator_only_if_all_its_items_ask_for_it() -> None:
    tables = elsewhere("medcalc")
    contested = table_of(report_of(tables), "template_health")
    kind = next(row[0] for row in contested.rows if any(row[at] for at in range(-4, -1)))

    def called(*names: str) -> str:
        instances = tuple(
            one.model_copy(update={"dimensions": {"calculator": names[n % len(names)]}, "template_id": kind})
            for n, one in enumerate(tables.instances)
        )
        return paragraphs(report_of(tables.model_copy(update={"instances": instances})), "templates")

    assert f"(how many in brackets): Anion Gap, {kind} (" in called("Anion Gap")
    assert f"(how many in brackets): {kind} (" in called("Anion Gap", "LDL")


def test_an_interval_of_a_share_of_failures_allows_for_unseen_ones_only_where_some_are_unseen() -> None:
    tables = whole_study()
    assert f"; {UNSEEN}." in table_of(report_of(tables), "failure_shares").note
    (only_wrong,) = run_failures(StudyView(study())).values()
    assert only_wrong.wrong.all()
    assert len(only_wrong.wrong) < len(only_wrong.all_wrong)
    both = only_wrong.wrong.copy()
    both[:4] = False
    part, whole = (
        replace(only_wrong, wrong=both, scored_wrong=0.75, all_wrong=one)
        for one in (only_wrong.all_wrong, both)
    )
    for failures, allows in ((only_wrong, False), (whole, False), (part, True)):
        code = next(one for one in failures.classes if one is not None)
        failed = np.array([one is not None for one in failures.classes])
        hits = np.array([one == code for one in failures.classes])[failed].astype(float)
        plain = share_limits(failures.subjects[failed], hits, failures.weights[failed])
        found = failures.share(code).interval
        assert found.low is not None
        assert found.high is not None
        width = found.high - found.low
        assert (width > 1.01 * (plain.high - plain.low)) is allows
        assert allows or (found.low, found.high) == pytest.approx((plain.low, plain.high))


def test_the_other_interval_of_severe_errors_is_told_by_its_condition() -> None:
    note = table_of(report_of(study()), "severe_errors").note
    assert "; where n is all answers of the model: Wilson" in note
    assert "is judged: Wilson" not in note


@pytest.mark.parametrize(("n", "are"), [(1, "is"), (2, "are")])
def test_failures_without_a_settled_severity_are_counted_in_one_sentence(n: int, are: str) -> None:
    tables = study(simulated=False)
    failed = sorted({one.generation_id for one in tables.annotations if one.severity is not None})[:n]
    levels = iter("024" * len(tables.annotations))
    apart = tuple(
        one.model_copy(update={"severity": next(levels)})
        if one.generation_id in failed and one.severity is not None
        else one
        for one in tables.annotations
    )
    report = report_of(tables.model_copy(update={"annotations": apart}))
    said = f"; {n} with none settled {are} in no rate"
    assert said in next(one.text for one in report.findings if one.topic == "Severity")
