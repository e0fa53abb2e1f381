"""Sentences of a report that were once true of other data only: of people, of our items, of other files."""

import re

import pytest

from clinicnum.annotations.consensus import settle
from clinicnum.annotations.exports.data_files import csv_files
from clinicnum.annotations.report.markdown import render_markdown
from clinicnum.annotations.report.render_html_and_csv import grid_of, report_csvs
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.study_design import Design
from clinicnum.stats.jackknife import how_many, why_no_interval
from clinicnum.types import Suggestion
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_example_whole import whole_study
from tests.annotations.report_parts import named_columns, paragraphs, report_of, scripted, table_of
from tests.annotations.test_report_elsewhere import FORMATS, elsewhere


@pytest.mark.parametrize(
    "tables", [study(), overturned_study(), whole_study(), *(elsewhere(kind) for kind in sorted(FORMATS))]
)
def test_footers_name_columns_that_are_in_the_files(tables: StudyTables) -> None:
    report = report_of(tables)
    heads = {
        name: text.splitlines()[0].split(",")
        for name, text in {**report_csvs(report), **csv_files(tables)}.items()
        if name.endswith(".csv")
    }
    named = [
        (table.id, *found)
        for section in report.sections
        for table in section.tables
        for found in named_columns(table.trace)
    ]
    assert named
    assert [one for one in named if one[2] not in heads[one[1]]] == []


def test_footers_of_models_and_labels_name_what_tells_them_apart() -> None:
    traces = {table.id: table.trace for one in report_of(whole_study()).sections for table in one.tables}
    for name in ("accuracy_main", "accuracy", "verdicts", "score_statuses", "model_differences"):
        assert {("scores.csv", "run_id"), ("scores.csv", "status")} <= set(named_columns(traces[name]))
    assert ("annotations.csv", "severity") in named_columns(traces["agreement_severity_if_failure"])
    assert ("scores.csv", "lenient") in named_columns(traces["failure_shares"])


@pytest.mark.parametrize("kind", sorted(FORMATS))
def test_nothing_is_called_blind_that_a_script_judged(kind: str) -> None:
    tables = elsewhere(kind)
    said = render_markdown(report_of(scripted(tables)))
    for untrue in ("before the gold", "before gold and score", "first saved judgement on", "stay hidden"):
        assert untrue not in said.lower()
    assert "scripted annotators had gold and score" in said
    assert "not known to be independent" in said
    people = render_markdown(report_of(tables))
    assert "before gold and score were shown" in people
    assert "scripted annotators" not in people


def test_items_made_elsewhere_are_of_kinds_and_not_from_templates() -> None:
    said = render_markdown(report_of(elsewhere("medcalc")))
    for untrue in (
        "these templates",
        "other templates",
        "same templates",
        "template version",
        "with its record",
    ):
        assert untrue not in said
    assert "these kinds of items" in said
    assert "these templates" in render_markdown(report_of(study(simulated=False)))


def test_of_a_sample_without_an_answer_no_more_is_said_than_that() -> None:
    tables = study(simulated=False)
    drawn = {one.generation_id for one in tables.inclusions}
    failed = {"status": "error", "lenient": False, "strict": False, "parsed": None, "form": None}
    first = next(one for one in tables.scores if one.generation_id not in drawn)
    scores = tuple(one.model_copy(update=failed) if one is first else one for one in tables.scores)
    said = render_markdown(report_of(tables.model_copy(update={"scores": scores})))
    assert "failed before" not in said
    assert "counts, annotated or not, but the one that holds an error in place of an answer" in said
    assert "24 generations (1 of them holds an error in place of an answer and could not be drawn)" in said


def test_decisions_on_what_does_not_count_are_not_decisions_that_are_needed() -> None:
    tables = overturned_study()
    decided = {one.generation_id for one in tables.adjudications if one.stands}
    one = min(decided)
    shown = tuple(
        row.model_copy(update={"suggestion_shown": True}) if row.generation_id == one else row
        for row in tables.annotations
    )
    report = report_of(tables.model_copy(update={"annotations": shown}))
    needed = int(re.findall(r"stand, (\d+) of them on", paragraphs(report, "adjudication"))[0])
    assert needed <= len(decided) - 1
    assert "judged only where suggestions were open" in render_markdown(report)


def test_a_suggestion_that_was_not_there_is_not_said_to_have_been_in_sight() -> None:
    tables = study()
    half = {one.generation_id for one in tables.inclusions[::2]}
    shown = tuple(
        one.model_copy(update={"suggestion_shown": one.generation_id in half}) for one in tables.annotations
    )
    having = min(half)
    there = Suggestion(generation_id=having, code="omission", rule="test", rank=1, sentence="test")
    report = report_of(
        tables.model_copy(
            update={"annotations": shown, "suggestions": (there,), "design": Design(suggestions="randomised")}
        )
    )
    none = sum(one.generation_id in half - {having} for one in shown)
    assert f"; {none} on items that had none to show" in paragraphs(report, "suggestions")
    assert "with a suggestion in sight" not in render_markdown(report)
    assert "take no notice of a suggestion" in paragraphs(report, "suggestions")


def test_what_no_contest_and_no_signature_says_is_said_plainly() -> None:
    tables = study()
    assert "Signatures that fire: none" not in render_markdown(report_of(tables))
    decided = tuple(one.model_copy(update={"status": "rejected"}) for one in tables.contests)
    said = paragraphs(report_of(tables.model_copy(update={"contests": decided})), "contests")
    assert "As no contest is open, the last column repeats the one before." in said
    assert "in every representation" in paragraphs(report_of(tables), "contests")
    assert "in every representation" not in paragraphs(report_of(elsewhere("choice")), "contests")


def test_methods_name_the_intervals_that_were_computed() -> None:
    apart = paragraphs(report_of(study(simulated=False)), "methods")
    assert "and shares for which no other method is named, have Wilson's interval with the effective" in apart
    assert "of other subjects and these templates; effective subjects are the squared number" in apart
    assert "one of 1 adjudicators" not in paragraphs(report_of(overturned_study()), "methods")
    one_each = study(simulated=False)
    alone = tuple(one.model_copy(update={"subject_id": f"s{n}"}) for n, one in enumerate(one_each.instances))
    said = paragraphs(report_of(one_each.model_copy(update={"instances": alone})), "methods")
    assert "with intervals by the method that is named with each;" in said
    assert "with intervals by the method that is named with each (the delete-one-subject" in apart


def test_methods_count_the_judgements_that_are_left_out() -> None:
    tables = study(simulated=False)
    one = tables.annotations[0].generation_id
    shown = tuple(
        row.model_copy(update={"suggestion_shown": row.generation_id == one}) for row in tables.annotations
    )
    said = paragraphs(report_of(tables.model_copy(update={"annotations": shown})), "methods")
    assert "not among these: 3 (suggestions were open to the annotator" in said
    assert "not among these" not in paragraphs(report_of(tables), "methods")


@pytest.mark.parametrize(("n", "said"), [(1, "1 subject; an interval"), (2, "2 subjects; an interval")])
def test_one_is_not_said_in_the_plural(n: int, said: str) -> None:
    assert str(why_no_interval(n, 0, 20)).startswith(said)


def test_rows_without_a_value_are_named_whole() -> None:
    tables = study()
    agreed = tuple(one.model_copy(update={"item_judgement": "valid"}) for one in tables.annotations)
    report = report_of(tables.model_copy(update={"annotations": agreed}))
    pairs = next(one for section in report.sections for one in section.tables if one.id == "agreement_pairs")
    names = ", ".join(name for name, _ in grid_of(pairs).undefined)
    assert "Judgement of the item simulated-1 simulated-2 cohen_kappa" in names


def test_what_was_judged_with_suggestions_open_is_not_passed_over_in_silence() -> None:
    tables = study()
    one = tables.annotations[0].generation_id
    shown = tuple(
        row.model_copy(update={"suggestion_shown": row.generation_id == one}) for row in tables.annotations
    )
    report = report_of(tables.model_copy(update={"annotations": shown}))
    judged = len({row.generation_id for row in tables.annotations})
    for section in ("taxonomy", "settlement"):
        said = f"{judged - 1} generations were judged without a suggestion in sight"
        assert said in paragraphs(report, section)
    grras = report_csvs(report)["grras.csv"]
    assert "judgements without a suggestion in sight, and 3 with suggestions open; 0 repeats" in grras
    assert "judged without a suggestion in sight" not in render_markdown(report_of(tables))


def test_items_are_doubted_also_by_who_had_suggestions_open() -> None:
    tables = study()
    one = tables.annotations[0].generation_id
    said = {"suggestion_shown": True, "item_judgement": "ambiguous"}
    annotations = tuple(
        row.model_copy(update=said if row.generation_id == one else {"item_judgement": "valid"})
        for row in tables.annotations
    )
    report = report_of(tables.model_copy(update={"annotations": annotations, "contests": ()}))
    health = table_of(report, "template_health")
    assert sum(int(str(health.cell(row, "ambiguous"))) for row in health.rows) == 1
    assert "1 of " in paragraphs(report, "templates")
    assert "with suggestions open or without" in health.note


def test_decisions_on_labels_and_contests_are_told_apart() -> None:
    tables = overturned_study()
    report = report_of(tables)
    made = f"made {how_many(len(tables.adjudications), 'decision')} on labels"
    assert made in paragraphs(report, "adjudication")
    assert f"{made} and settled" in report_csvs(report)["grras.csv"]


@pytest.mark.parametrize("word", ["blind repeats", "independent judgements"])
def test_a_script_repeats_without_being_blind_and_judges_alone_by_its_rule(word: str) -> None:
    tables = whole_study().model_copy(update={"design": Design(repeat_share=0.1)})
    again = tuple(one.model_copy(update={"round": "repeat"}) for one in tables.annotations)
    tables = tables.model_copy(update={"annotations": (*tables.annotations, *again)})
    people = tuple(one.model_copy(update={"annotator_kind": "human"}) for one in tables.annotations)
    assert word not in render_markdown(report_of(scripted(tables)))
    assert word in render_markdown(report_of(tables.model_copy(update={"annotations": people})))


def test_every_figure_of_the_scorer_stands_under_its_own_protocol() -> None:
    rates = table_of(report_of(overturned_study()), "scorer_rates")
    assert not [column.key for column in rates.columns if column.under]
    assert [label for label, *_ in grid_of(rates).heads][-3:-1] == [
        "by agreement or adjudication",
        "by majority",
    ]


def test_evidence_that_nobody_marked_is_not_said_to_be_highlighted() -> None:
    tables = study()

    def said_with(*spans: tuple[int, int]) -> bool:
        marked = tuple(
            one.model_copy(
                update={"labels": tuple(label.model_copy(update={"spans": spans}) for label in one.labels)}
            )
            for one in tables.annotations
        )
        report = report_of(tables.model_copy(update={"annotations": marked}))
        return "marked as evidence is highlighted" in paragraphs(report, "examples")

    assert said_with((0, 1))
    assert not said_with()


def test_limits_hold_also_for_whole_numbers_that_are_no_scores_of_rules() -> None:
    said = paragraphs(report_of(elsewhere("medcalc")), "accuracy")
    assert "what else it calls an integer after rounding to a whole number" in said
    assert "gold; whole numbers after rounding" not in said


def test_items_made_elsewhere_have_no_empty_columns_of_operations() -> None:
    report = report_of(elsewhere("choice"))
    for name in ("accuracy_main", "accuracy", "verdicts", "score_statuses", "adjudication_due"):
        table = table_of(report, name)
        heads = [label for label, *_ in grid_of(table).heads]
        assert not {"Operation", "Written as"} & set(heads) or not table.rows
    assert len(table_of(report, "accuracy").rows) == 1
    assert "external external" not in render_markdown(report)
    ours = table_of(report_of(study(simulated=False)), "accuracy")
    assert {"Operation", "Written as"} <= {label for label, *_ in grid_of(ours).heads}


def test_a_response_that_is_called_no_failure_has_no_severity() -> None:
    tables = study()
    first = tables.annotations[0].generation_id
    group = [one for one in tables.annotations if one.generation_id == first]
    failure = group[0].model_copy(
        update={"item_judgement": "valid", "response_judgement": "failure", "severity": "2"}
    )
    fine = {"item_judgement": "valid", "response_judgement": "acceptable", "labels": (), "severity": None}
    (settled,) = settle({first: (failure, *(one.model_copy(update=fine) for one in group[1:]))})
    assert settled.response.label == "acceptable"
    assert settled.severity is None
