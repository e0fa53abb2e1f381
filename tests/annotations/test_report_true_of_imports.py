"""Sentences that readers found untrue in reports of MedCalc-Bench, MEDEC and multiple-choice studies."""

import re

import numpy as np
import pytest

from clinicnum.annotations.agreement.annotation_selection import OPEN, choose_annotations
from clinicnum.annotations.agreement.study_agreement import study_agreement
from clinicnum.annotations.exports.data_files import csv_files
from clinicnum.annotations.report.markdown import render_markdown
from clinicnum.annotations.report.render_html_and_csv import report_csvs
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.study_design import Design
from clinicnum.scripts.commands.text.accuracy import accuracy_text
from clinicnum.stats.accuracy import accuracy_table
from clinicnum.stats.clustered_intervals import Subjects, share_interval
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_parts import paragraphs, report_of, scripted, table_of
from tests.annotations.test_report_elsewhere import FORMATS, elsewhere


def by_script(tables: StudyTables) -> StudyTables:
    """All that was decided, decided by a scripted stand-in."""
    decided = tuple(one.model_copy(update={"adjudicator_kind": "simulated"}) for one in tables.adjudications)
    return tables.model_copy(update={"adjudications": decided})


def grras(tables: StudyTables, item: int) -> str:
    lines = report_csvs(report_of(tables))["grras.csv"].splitlines()
    return next(line for line in lines if line.startswith(f"{item},"))


def test_that_the_adjudicator_is_a_script_is_said() -> None:
    people = overturned_study()
    said = render_markdown(report_of(people))
    assert "scripted" not in said
    report = report_of(by_script(people))
    assert report.warnings[0].startswith("simulated: 1 of 1 adjudicators is a scripted stand-in")
    assert "1 scripted adjudicator made" in paragraphs(report, "adjudication")
    assert "scripted adjudicators made" in grras(by_script(people), 8)
    assert paragraphs(report, "methods").startswith("Refused: at least one annotator or adjudicator")
    heads, first, *_ = csv_files(by_script(people))["adjudications.csv"].splitlines()
    assert dict(zip(heads.split(","), first.split(","), strict=True))["adjudicator_kind"] == "simulated"
    both = report_of(scripted(by_script(people))).warnings[0]
    assert both.startswith("simulated: 3 of 3 annotators and 1 of 1 adjudicators are scripted stand-ins")


def test_a_contest_that_a_repeat_raises_again_is_one_contest() -> None:
    tables = study(simulated=False)
    again = tables.contests[0].model_copy(update={"contest_id": "c2", "proposed_gold": "-12.50"})
    other = tables.contests[0].model_copy(update={"contest_id": "c3", "annotator_id": "annotator-2"})
    twice = tables.model_copy(update={"contests": (*tables.contests, again, other)})
    report = report_of(twice)
    assert " 2 contests from all rounds: 0 upheld, 0 rejected, 2 open." in paragraphs(report, "contests")
    assert "1 more says the same as one of these" in paragraphs(report, "contests")
    assert len(table_of(report, "contests").rows) == 2
    health = table_of(report, "template_health")
    assert sum(int(str(health.cell(row, "open"))) for row in health.rows) == 2
    assert ("contests, of every round", 3) in [row[:2] for row in table_of(report, "counts").rows]
    assert "the same as one of these" not in paragraphs(report_of(tables), "contests")


def test_no_tie_is_spoken_of_where_the_protocol_knows_none() -> None:
    said = paragraphs(report_of(overturned_study()), "taxonomy")
    assert "tie" not in re.findall(r"\w+", said)
    assert "judgements count, and no decision stands, there is “no consensus”" in said
    said = paragraphs(report_of(study(simulated=False)), "taxonomy")
    assert "where no class has more than half of the judgements, there is “no consensus”" in said


@pytest.mark.parametrize(
    ("name", "ends"),
    [
        ("percent_agreement", ", ends on the logit"),
        ("fleiss_kappa", ", ends on Fisher's z"),
        ("icc(1,k)", ""),
        ("icc(1,1)", ", ends on Fisher's z"),
    ],
)
def test_an_interval_names_the_scale_on_which_it_was_made(name: str, ends: str) -> None:
    tables = study()
    layers = study_agreement(
        choose_annotations(tables.annotations),
        taxonomy_codes=[one.code for one in tables.taxonomy_codes],
        subjects={one.generation_id: one.instance_id.split("-")[0] for one in tables.generations}
        | {f"g-{one.instance_id}": one.subject_id for one in tables.instances},
    )
    layer = layers.layer("severity_if_failure" if name.startswith("icc") else "primary")
    assert layer.result is not None
    method = layer.result.coefficient(name).ci_method
    assert method == f"delete-one-subject jackknife, t(subjects - 1){ends}"


def test_the_note_on_other_intervals_names_what_is_in_the_table() -> None:
    note = table_of(report_of(study()), "agreement_other_intervals").note
    assert "Fisher" not in note
    assert "cluster bootstrap" in note


def test_each_reference_of_the_scorer_leaves_out_by_its_own_protocol() -> None:
    tables = overturned_study()
    first = tables.adjudications[0].generation_id
    doubts = tuple(
        one.model_copy(update={"item_judgement": "ambiguous"})
        if one.generation_id == tables.annotations[-1].generation_id and one.annotator_id == "annotator-1"
        else one
        for one in tables.annotations
    )
    wrong = tuple(
        one.model_copy(update={"judgement": one.judgement.model_copy(update={"item_judgement": "ambiguous"})})
        if one.generation_id == first
        else one
        for one in tables.adjudications
    )
    report = report_of(tables.model_copy(update={"annotations": doubts, "adjudications": wrong}))
    note = table_of(report, "scorer_rates").note
    assert "not agreed to be valid" not in note
    assert "left out, in this order, each counted once: 1 on items" in note
    n = len(tables.inclusions)
    assert f"generations with a consensus of first judgements by majority, n = {n - 2}" in note
    assert "1 on items that are ambiguous or have a wrong gold by agreement or adjudication" in note
    assert "1 on items whose validity is not settled by agreement or adjudication" in note
    assert f"After the gold by agreement or adjudication, n = {n - 2}" in note
    assert f"by majority, n = {n}" in note
    said = paragraphs(report, "scorer")
    assert "the consensus, by majority, of the annotators' first judgements" in said


def test_accuracy_of_all_that_count_is_not_called_one_of_all_items() -> None:
    said = render_markdown(report_of(elsewhere("medcalc")))
    assert "all items |" not in said
    assert "| Accuracy |" in said


def test_a_share_without_variation_speaks_of_its_own_unit() -> None:
    people = Subjects.of(f"s{n}" for n in range(12))
    totals = people.totals(np.full((12, 1), 3.0))
    warning = share_interval(totals[:, 0], totals[:, 0], 36).warning
    assert warning == "no variation: each of 12 subjects counts once"


def test_the_dictionary_says_who_judged_before_the_gold_was_shown() -> None:
    text = csv_files(scripted(study()))["data_dictionary.md"]
    assert "made before the gold was shown" not in text
    assert "scripts have gold and score in sight from the start" in text
    assert "main, training, control or repeat" in text
    assert "if there were any" in re.findall(r"`suggestion_shown`.*", text)[0]


def medcalc(*, failed: int) -> StudyTables:
    """A study of stored answers of MedCalc-Bench, so many of them errors of its own script."""
    tables = elsewhere("medcalc")
    drawn = {one.generation_id for one in tables.inclusions}
    some = [one.generation_id for one in tables.scores if one.generation_id not in drawn][:failed]
    none = {"status": "error", "lenient": False, "strict": False, "parsed": None, "form": None}
    runs = {"run1": {"model": "gpt-4o-mini", "client": "import", "source_format": "medcalc"}}
    scores = tuple(one.model_copy(update=none) if one.generation_id in some else one for one in tables.scores)
    return tables.model_copy(update={"scores": scores, "runs": runs})


def test_errors_of_the_benchmark_are_not_put_down_to_the_model() -> None:
    tables = medcalc(failed=3)
    right = sum(one.lenient for one in tables.scores)
    report = report_of(tables)
    said = paragraphs(report, "accuracy")
    assert (
        "MedCalc-Bench keeps the value that its own script read or calculated out of an answer, not the"
        in said
    )
    assert "3 of the 24 are errors of that script" in said
    assert f"counts them as wrong, which makes {right} of 24 ({100 * right / 24:.1f} %)" in said
    assert "samples" not in render_markdown(report)
    assert "errors of that script" not in paragraphs(report_of(elsewhere("choice")), "accuracy")
    answers = [(one, score) for one, score in zip(tables.instances, tables.scores, strict=True)]
    assert "before the model could answer" not in accuracy_text(accuracy_table(answers))


def test_a_boundary_solution_of_the_model_is_called_one() -> None:
    tables = study(simulated=False, patients=30)
    drawn = sorted({one.generation_id for one in tables.annotations})

    def said(n: int, annotator: str) -> str:
        return "ambiguous" if n % 5 == 0 or (n % 7 == 1 and annotator == "annotator-3") else "valid"

    annotations = tuple(
        one.model_copy(update={"item_judgement": said(drawn.index(one.generation_id), one.annotator_id)})
        for one in tables.annotations
    )
    checks = table_of(report_of(tables.model_copy(update={"annotations": annotations})), "dawid_skene_checks")
    remark = str(checks.cell(checks.rows[0], "remark"))
    assert remark.startswith(
        "a boundary solution: 5 probabilities estimated as 0, annotator-1 and annotator-2 as never wrong"
    )


def test_no_policy_is_named_for_suggestions_that_there_were_not() -> None:
    tables = study().model_copy(update={"design": Design(suggestions="hidden")})
    assert "suggestions: there were none" in grras(tables, 8)
    assert "suggestions: hidden" not in grras(tables, 8)


def test_two_intervals_of_one_accuracy_are_told_apart() -> None:
    tables = study(simulated=False)
    kinds = tuple(
        one.model_copy(update={"template_id": f"t{n % 6}"}) for n, one in enumerate(tables.instances)
    )
    note = table_of(report_of(tables.model_copy(update={"instances": kinds})), "accuracy_after_contests").note
    assert (
        "for other subjects and these templates; that of the first section also holds for other templates"
        in note
    )
    note = table_of(report_of(tables), "accuracy_after_contests").note
    assert "that of the first section" not in note


def test_the_planner_says_how_exact_it_is_and_what_it_draws() -> None:
    table = table_of(report_of(study(patients=30)), "planner")
    assert "the numbers that follow from it less exactly" in table.note
    assert "over 300 subjects" in table.note
    assert "scores.csv: subject_id" in table.trace


@pytest.mark.parametrize("status", ["open", "paused"])
def test_that_a_study_goes_on_is_said(status: str) -> None:
    tables = study(simulated=False).model_copy(update={"status": status})
    warning = report_of(tables).warnings[0]
    assert warning.startswith(f"The study is {status}: ")
    assert "may still change" in warning
    assert ("study", "status", status) in table_of(report_of(tables), "provenance").rows
    assert not report_of(study(simulated=False)).warnings


def test_that_a_closed_study_is_not_decided_to_the_end_is_said() -> None:
    tables = overturned_study().model_copy(update={"status": "closed"})
    warning = report_of(tables).warnings[0]
    assert warning.startswith("The study is closed, but not settled: 1 decision due, 1 open contest. What ")


def test_repeats_and_suggestions_are_counted_each_for_themselves() -> None:
    tables = study()
    shown = {one.generation_id for one in tables.inclusions[:4]}
    main = tuple(
        one.model_copy(update={"suggestion_shown": one.generation_id in shown}) for one in tables.annotations
    )
    again = tuple(
        one.model_copy(update={"round": "repeat", "annotation_id": f"r{one.annotation_id}"})
        for one in main[:6]
    )
    left = {one.why: one.n for one in choose_annotations((*main, *again)).left_out}
    assert left == {OPEN: 12, "repeat round": 6}


def test_methods_say_what_nobody_decided_and_no_gatekeeper_where_there_is_one_row() -> None:
    tables = overturned_study()
    said = paragraphs(report_of(tables), "methods")
    assert "1 of the generations that need one had no decision: of these there is no consensus" in said
    assert "on the item of 0, the response of 0, and the primary class of 1" in said
    assert "gatekeeper" not in paragraphs(report_of(elsewhere("choice")), "methods")


@pytest.mark.parametrize("kind", sorted(FORMATS))
def test_items_made_elsewhere_are_not_split_by_what_they_do_not_have(kind: str) -> None:
    report = report_of(elsewhere(kind))
    ids = {table.id for section in report.sections for table in section.tables}
    assert "taxonomy_by_operation_consensus" in ids
    assert "taxonomy_by_representation_consensus" not in ids
    table = table_of(report, "taxonomy_by_operation_consensus")
    assert "external" not in [column.label for column in table.columns]
    assert table.caption == "Primary class: consensus"
    assert "by operation" not in render_markdown(report)


def test_a_key_figure_of_failures_says_what_is_not_settled() -> None:
    tables = overturned_study()
    report = report_of(tables.model_copy(update={"adjudications": tables.adjudications[1:]}))
    figure = next(one for one in report.key_figures if one.label == "Failures")
    unsettled = sum(
        int(str(row[2]))
        for row in table_of(report, "consensus_settled").rows
        if row[:2] == ("response", "no consensus")
    )
    assert ("the response is not settled" in figure.note) == bool(unsettled)


def test_a_plot_of_two_models_names_them_in_words() -> None:
    tables = study(simulated=False)
    runs = {"run1": {"model": "one"}, "run2": {"model": "two"}}
    generations = tuple(
        one.model_copy(update={"run_id": "run2"}) if n % 2 else one
        for n, one in enumerate(tables.generations)
    )
    report = report_of(tables.model_copy(update={"runs": runs, "generations": generations}))
    plot = next(one for section in report.sections for one in section.plots if one.id == "failure_shares")
    assert re.search(r": one, Omission \d+ %; .*; two, ", plot.alt)
