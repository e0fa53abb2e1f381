"""Sentences of a report and the figures they name: what is counted, where it stands, what was not read."""

import pytest

from clinicnum.annotations.report import model_ranking
from clinicnum.annotations.report.chosen_sections import with_sections
from clinicnum.annotations.report.markdown import render_markdown
from clinicnum.annotations.report.report_content import Finding, Report
from clinicnum.annotations.report.sections.paired_differences import _row
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.stats.paired_tests import compare
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_example_models import eight_models
from tests.annotations.report_example_whole import whole_study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_asides import with_controls
from tests.annotations.test_report_true_of_imports import medcalc


def finding(report: Report, topic: str) -> Finding:
    return next(one for one in report.findings if one.topic == topic)


def with_one_that_cannot_be_judged() -> StudyTables:
    tables = study(simulated=False)
    first = tables.annotations[0].generation_id
    changed = {"response_judgement": "cannot_judge", "labels": (), "severity": None}
    given = tuple(
        one.model_copy(update=changed) if one.generation_id == first else one for one in tables.annotations
    )
    return tables.model_copy(update={"annotations": given})


def test_answers_that_could_not_be_judged_are_said_not_to_be_counted() -> None:
    tables = with_one_that_cannot_be_judged()
    report, n = report_of(tables), len(StudyView(tables).settlements)
    settled = [one.response.label for one in StudyView(tables).settlements]
    assert settled.count("cannot_judge") == 1
    left = settled.count(None) + 1
    said = f"1 of the {n} is settled as “cannot judge”"
    for name in ("harm", "failure_shares"):
        assert said in table_of(report, name).note
    assert said in next(one.note for one in report.key_figures if one.label == "Failures")
    harm = table_of(report, "harm")
    assert next(one for one in harm.columns if one.key == "judged").label == "Answers counted"
    lacking = sum(int(str(harm.cell(row, "not_settled"))) for row in harm.rows)
    assert sum(int(str(harm.cell(row, "judged"))) for row in harm.rows) == n - left - lacking
    assert "cannot judge" not in table_of(report_of(study()), "harm").note


def test_the_table_of_a_finding_holds_its_shares_over_all_models() -> None:
    report = report_of(eight_models())
    found, table = finding(report, "Failures"), table_of(report, "failure_shares")
    assert found.table == table.id
    rows = [row for row in table.rows if table.cell(row, "model") == "all"]
    most = max(rows, key=lambda row: float(str(table.cell(row, "share"))))
    assert f"{100 * float(str(table.cell(most, 'share'))):.1f} %" in found.text
    assert "“All”: failures over " in table.note
    plot = next(one for section in report.sections for one in section.plots if one.id == "failure_shares")
    assert "all" not in {dot.series for dot in plot.dots}
    single = table_of(report_of(study()), "failure_shares")
    assert "all" not in {single.cell(row, "model") for row in single.rows}


def test_classes_as_common_as_the_last_named_one_are_named_and_no_order_is_claimed() -> None:
    report = report_of(eight_models())
    text = finding(report, "Failures").text
    table = table_of(report, "failure_shares")
    rows = [row for row in table.rows if table.cell(row, "model") == "all"]
    counts = {str(table.cell(row, "class")): int(str(table.cell(row, "count"))) for row in rows}
    named = {name: n for name, n in counts.items() if f"{name} " in text}
    assert all(
        name in named or n < min(named.values()) for name, n in counts.items() if name != "no agreed class"
    )
    assert "; their order is not tested. Shares" in text


def test_severities_that_do_not_apply_have_no_level() -> None:
    tables = overturned_study()
    first = tables.adjudications[0].generation_id
    given = tuple(
        one.model_copy(update={"severity": "not_applicable"}) if one.generation_id == first else one
        for one in tables.annotations
    )
    tables = tables.model_copy(update={"annotations": given})
    report = report_of(tables)
    levels = [one.severity for one in StudyView(tables).settlements if one.response.label == "failure"]
    other = levels.count("not_applicable")
    graded = len(levels) - other - levels.count(None)
    assert other == 1
    said = f"of {graded} failures with a settled severity are of severity 3 or 4; of 1 more it is not"
    assert said in finding(report, "Severity").text


@pytest.mark.parametrize(("grave", "verb"), [(0, "are"), (1, "is"), (2, "are")])
def test_one_grave_failure_is_told_in_the_singular(grave: int, verb: str) -> None:
    tables = study(simulated=False)
    failures = [one.generation_id for one in StudyView(tables).settlements if one.response.label == "failure"]
    levels = {one: "3" if place < grave else "2" for place, one in enumerate(failures)}
    given = tuple(
        one
        if one.severity is None
        else one.model_copy(update={"severity": levels.get(one.generation_id, "2")})
        for one in tables.annotations
    )
    text = finding(report_of(tables.model_copy(update={"annotations": given})), "Severity").text
    assert f" {grave} of {len(failures)} failures with a settled severity {verb} of severity 3 or 4" in text


def test_a_decision_in_an_example_says_which_severity_counts() -> None:
    facts = [
        value
        for section in report_of(overturned_study()).sections
        for one in section.examples
        for name, value in one.facts
        if name.startswith("Decided by")
    ]
    assert facts
    assert any("severity 3 (counted: 1, by the rule for severity)" in one for one in facts)
    table = table_of(report_of(overturned_study()), "adjudicated")
    heads = {one.key: one.label for one in table.columns}
    assert heads["severity"] == "Severity that counts"
    assert heads["decided_severity"] == "Severity in the decision"
    assert "the median level of those who call the response a failure" in table.note


def test_control_items_are_judged_with_the_gold_in_sight() -> None:
    note = table_of(report_of(with_controls()), "annotators_controls").note
    assert "Responses are those of last judgements, made with gold and score in sight." in note


def test_pairs_of_models_that_were_not_tested_are_said_to_share_letters() -> None:
    tables = eight_models()
    untested = 28 - model_ranking.tested_pairs(StudyView(tables))
    assert untested
    said = paragraphs(report_of(tables), "models")
    assert f" {untested} of 28 pairs could not be tested, and share letters too." in said
    assert "share letters too" not in paragraphs(report_of(whole_study()), "models")


def test_the_rule_for_signatures_is_the_one_that_gives_the_verdict() -> None:
    note = table_of(report_of(study()), "signatures").note
    assert "the unweighted share would stay there if every failure whose class is undetermined or not" in note


def test_rows_before_and_after_the_gold_are_not_compared_and_cannot_judge_says_nothing() -> None:
    report = report_of(study(simulated=False))
    assert "are of the same" in table_of(report, "agreement_summary").note
    assert "“cannot judge” never says what the score says" in table_of(report, "blind_changes").note


def test_a_kind_of_item_with_errors_alone_is_named() -> None:
    plain = medcalc(failed=3)
    errors = {one.generation_id for one in plain.scores if one.status == "error"}
    of = {one.instance_id for one in plain.generations if one.generation_id in errors}
    items = tuple(
        one.model_copy(update={"template_id": "lost" if one.instance_id in of else "kept"})
        for one in plain.instances
    )
    said = paragraphs(report_of(plain.model_copy(update={"instances": items})), "accuracy")
    assert (
        "; all its answers of lost (3) are errors of this script, so its accuracy says nothing of these."
        in said
    )
    named = tuple(
        one.model_copy(update={"dimensions": {"calculator": f"HOMA, {one.template_id}"}}) for one in items
    )
    said = paragraphs(report_of(plain.model_copy(update={"instances": named})), "accuracy")
    assert "; all its answers of “HOMA, lost” (3) are errors of this script" in said
    assert "all its answers of" not in paragraphs(report_of(plain), "accuracy")


def test_models_of_which_nothing_was_judged_are_in_no_range_of_harm() -> None:
    tables = eight_models()
    said = "weighted by their harm, range over the 7 of 8 runs with such a rate from"
    assert said in finding(report_of(tables), "Severity").text
    run_of = {one.generation_id: one.run_id for one in tables.generations}
    drawn = {run_of[one.generation_id] for one in tables.inclusions}
    answered = tables.model_copy(
        update={
            "generations": tuple(one for one in tables.generations if one.run_id in drawn),
            "scores": tuple(one for one in tables.scores if run_of[one.generation_id] in drawn),
        }
    )
    assert "weighted by their harm, range from" in finding(report_of(answered), "Severity").text


def test_items_that_may_be_shortened_are_counted() -> None:
    tables = elsewhere("choice")
    cut = tuple(
        one.model_copy(update={"question": "A man ... Which?"}) if n < 2 else one
        for n, one in enumerate(tables.instances)
    )
    said = paragraphs(report_of(tables.model_copy(update={"instances": cut})), "templates")
    assert (
        f" 2 of {len(cut)} items hold “...” or “…” and may be shortened: annotators judged by what stands"
        in said
    )
    assert "shortened" not in paragraphs(report_of(tables), "templates")


def test_what_is_doubted_names_the_tables_of_its_figures() -> None:
    report = report_of(whole_study())
    found = finding(report, "To be doubted")
    tables = {table.id for section in report.sections for table in section.tables}
    named = {found.table, *found.more_tables}
    assert named <= tables
    assert "invalidated" in named
    assert "invalidated.csv" in render_markdown(report)
    assert finding(with_sections(report, ["accuracy"]), "To be doubted").more_tables == ()


def test_the_score_is_doubted_by_both_of_its_errors() -> None:
    report = report_of(eight_models())
    rates = table_of(report, "scorer_rates")
    values = {row[1]: f"{100 * float(str(rates.cell(row, 'value'))):.0f} %" for row in rates.rows[:2]}
    text = finding(report, "To be doubted").text
    assert f"finds {values['sensitivity']} (95 % interval" in text
    assert f"scores right {values['specificity']} (95 % interval" in text


def test_texts_that_were_cut_off_hold_no_answer_either() -> None:
    tables = elsewhere("medec")
    wrong = {"lenient": False, "strict": False, "flexible": False, "parsed": None}
    status = ("unparsable", "truncated", "truncated")
    scores = tuple(
        one.model_copy(update={**wrong, "status": status[n % 3]} if n < 12 else {})
        for n, one in enumerate(tables.scores)
    )
    n, cut = (sum(one.status in of for one in scores) for of in (status, status[1:]))
    report = report_of(tables.model_copy(update={"scores": scores}))
    doubted = finding(report, "To be doubted")
    assert "takes no answer" in doubted.text
    assert "models" in (doubted.table, *doubted.more_tables)  # score_statuses counts variants, too
    note = table_of(report, "accuracy_main").note
    assert f"The scorer takes no answer from {n} of {len(scores)} texts of gpt-4o-mini, and counts" in note
    assert f"that as wrong ({cut} of them cut off): look whether they hold one." in note


def test_what_only_the_wider_reading_finds_is_not_put_down_to_a_missing_mark() -> None:
    report = report_of(elsewhere("choice"))
    said = paragraphs(report, "accuracy")
    assert "Flexible also counts what a wider automatic reading, which may err, has right." in said
    table = table_of(report, "verdicts")
    assert next(one for one in table.columns if one.key == "unmarked").label == "Right by flexible alone"
    assert "mark costs" not in said
    assert "Mark missed" not in table.note


def test_scores_that_the_source_calls_decimal_are_not_said_to_be_rounded() -> None:
    said = paragraphs(report_of(elsewhere("medcalc")), "accuracy")
    assert "what else it calls an integer after rounding to a whole number" in said
    assert "scores of rules" not in said


@pytest.mark.parametrize("apart", [True, False])
def test_accuracy_is_said_to_have_the_interval_that_was_used(apart: bool) -> None:
    tables = elsewhere("choice")
    if apart:
        own = tuple(one.model_copy(update={"subject_id": f"s{n}"}) for n, one in enumerate(tables.instances))
        tables = tables.model_copy(update={"instances": own})
    said = paragraphs(report_of(tables), "methods")
    assert "and shares for which no other method is named, have Wilson's interval with the effective" in said
    assert "and quantiles of t(effective subjects - 1)" in said
    assert ("here each question is a subject of its own" in said) is apart
    assert ("questions under one subject id are not independent" in said) is not apart


def test_drawn_sign_patterns_are_said_to_be_drawn() -> None:
    items = [(f"s{n % 60}", n * n % 7 < 3, n * n % 5 < 2) for n in range(600)]
    items = [(s, one, other or n % 13 == 0) for n, (s, one, other) in enumerate(items)]
    assert "interval from 9,999 drawn sign patterns" in str(_row(compare("a", "b", items))[-1])
    assert "drawn" not in str(_row(compare("a", "b", items[:60]))[-1])


def test_operations_are_not_said_to_be_corrected_where_there_are_none() -> None:
    def holm(tables: StudyTables) -> bool:
        return "by Holm within their pair" in table_of(report_of(tables), "model_differences").note

    assert holm(eight_models())
    whole = eight_models()
    external = tuple(one.model_copy(update={"operation": "external"}) for one in whole.instances)
    assert not holm(whole.model_copy(update={"instances": external}))
