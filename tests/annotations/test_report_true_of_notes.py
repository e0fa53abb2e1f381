"""Notes of a report that say what they rest on: which judgements, contests, decisions, bounds and chances."""

from clinicnum.annotations.exports.data_files import csv_files
from clinicnum.annotations.report.answer_parsing_notes import NO_VALUE
from clinicnum.annotations.report.markdown import render_markdown
from clinicnum.annotations.report.study_tables import StudyTables
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_counts import claim, contested
from tests.annotations.test_report_true_of_imports import grras, medcalc


def with_open(tables: StudyTables) -> tuple[StudyTables, str]:
    """The study with the judgements of one generation made with suggestions open, and that generation."""
    one = tables.annotations[0].generation_id
    shown = tuple(
        row.model_copy(update={"suggestion_shown": row.generation_id == one}) for row in tables.annotations
    )
    return tables.model_copy(update={"annotations": shown}), one


def likelier(tables: StudyTables) -> StudyTables:
    """The study with every second generation less likely to be drawn."""
    drawn = tuple(
        one.model_copy(update={"probability": (0.5, 0.1)[place % 2]})
        for place, one in enumerate(tables.inclusions)
    )
    return tables.model_copy(update={"inclusions": drawn})


def test_contests_raised_again_are_counted_and_the_one_listed_is_named() -> None:
    tables = study(simulated=False)
    first = claim(0, tables, status="rejected", decided_by="J1")
    again = first.model_copy(update={"contest_id": "again"})
    twice = contested(tables, first, again)
    report = report_of(twice)
    counts = {row[0]: row[1] for row in table_of(report, "counts").rows}
    assert counts["contests, of every round"] == 2
    assert counts["contests, without those made again in a repeat round"] == 1
    assert "settled 1 contest (without those made again in a repeat round); " in grras(twice, 8)
    said = paragraphs(report, "contests")
    assert "1 more says the same as one of these" in said
    assert "listed is the one that took instances out, else a decided one" in said


def test_contests_of_judgements_with_suggestions_open_are_told_apart() -> None:
    tables, one = with_open(study(simulated=False))
    doubted = tuple(
        row.model_copy(update={"item_judgement": "ambiguous"}) if row.generation_id == one else row
        for row in tables.annotations
    )
    tables = tables.model_copy(update={"annotations": doubted})
    report = report_of(contested(tables, claim(0, tables, generation_id=one)))
    note = table_of(report, "contests").note
    assert "1 from a judgement with suggestions open" in note
    assert "revised since" not in note


def test_what_is_withheld_of_a_decision_is_what_its_note_names() -> None:
    tables = overturned_study()
    one = min(row.generation_id for row in tables.adjudications if row.stands)
    shown = tuple(
        row.model_copy(update={"suggestion_shown": row.generation_id == one}) for row in tables.annotations
    )
    table = table_of(report_of(tables.model_copy(update={"annotations": shown})), "adjudicated")
    row = next(row for row in table.rows if row[0] == one)
    assert [table.cell(row, name) for name in ("why", "item", "response", "primary", "severity")] == [
        None
    ] * 5
    assert "with dashes for what they differed on and what the rule comes to" in table.note
    assert "what they settle" not in table.note


def test_drift_says_what_its_first_and_last_are() -> None:
    tables, _ = with_open(study(simulated=False))
    report = report_of(tables)
    assert "from an annotator's first judgement that counts to the last" in paragraphs(report, "annotators")
    drift = table_of(report, "annotators_drift")
    assert "those with suggestions open are left out, and the others follow each other" in drift.note
    assert "With the others: over those of them on which the others agree" in drift.note
    assert "not corrected for their number" in drift.note
    assert "suggestions open" not in table_of(report_of(study(simulated=False)), "annotators_drift").note


def test_repeats_name_the_item_of_their_notes() -> None:
    tables = study(simulated=False)
    again = tuple(row.model_copy(update={"round": "repeat"}) for row in tables.annotations)
    report = report_of(tables.model_copy(update={"annotations": (*tables.annotations, *again)}))
    assert "An item in the notes is such a pair" in table_of(report, "annotators_repeats").note


def test_response_agreement_is_said_to_stand_on_both_judgements_and_grras_names_both() -> None:
    tables = study(simulated=False)
    assert "with those on last ones beside them" in paragraphs(report_of(tables), "blind")
    said = grras(tables, 10)
    assert "last complete revision" in said
    assert "for what the scorer is compared with: each annotator's first saved" in said


def test_weighted_figures_do_not_speak_of_all_that_was_judged() -> None:
    tables = likelier(with_open(study(simulated=False))[0])
    note = table_of(report_of(tables), "agreement_weighted").note
    assert "the generations with judgements that count" in note
    assert "that were judged" not in note
    dictionary = csv_files(tables)["data_dictionary.md"]
    assert "one generation with a judgement that counts" in dictionary.lower()
    assert "blank if no judgement of the generation counts" in dictionary


def test_a_generation_is_drawn_once_with_a_chance_of_its_own() -> None:
    said = paragraphs(report_of(likelier(study(simulated=False))), "scorer")
    assert "some generations were more likely to be drawn than others" in said
    assert "more often" not in said


def test_errors_of_the_script_of_medcalc_bench_do_not_tell_whether_the_model_answered() -> None:
    report = report_of(medcalc(failed=3))
    said = paragraphs(report, "accuracy")
    assert "say nothing of the model" not in said
    assert (
        "of that script in place of an answer (known by their text, a message of Python: scores.csv, reason)"
        in said
    )
    assert "in no accuracy" not in render_markdown(report)
    assert "found no value" not in said
    tables = medcalc(failed=3)
    failed = [one.generation_id for one in tables.scores if one.status == "error"]
    generations = tuple(
        one.model_copy(update={"error": NO_VALUE}) if one.generation_id in failed[:2] else one
        for one in tables.generations
    )
    said = paragraphs(report_of(tables.model_copy(update={"generations": generations})), "accuracy")
    assert "; 2 of them (name 'N' is not defined) say that it found no value in the answer" in said


def test_generations_without_a_response_are_missing_by_one_rule_only() -> None:
    tables = overturned_study()
    last = tables.annotations[-1]
    differs = last.model_copy(
        update={"item_judgement": "valid", "response_judgement": "acceptable", "labels": (), "severity": None}
    )
    report = report_of(tables.model_copy(update={"annotations": (*tables.annotations[:-1], differs)}))
    shares = table_of(report, "failure_shares")
    assert "Not counted: of 1 of the " in shares.note
    assert "in no row" not in shares.note


def test_footers_name_the_study_where_no_file_holds_a_figure() -> None:
    report = report_of(elsewhere("medcalc"))
    counts, items = table_of(report, "counts"), table_of(report, "grras")
    assert "flags and how many annotators are asked: as the study keeps them" in counts.trace
    assert "design, questions and decisions as the study keeps them" in items.trace
    assert "under most the files and columns" in paragraphs(report, "provenance")


def test_failures_of_a_sample_are_not_taken_for_a_rate_of_the_run() -> None:
    tables = likelier(overturned_study())
    last = tables.annotations[-1]
    differs = last.model_copy(
        update={"item_judgement": "valid", "response_judgement": "acceptable", "labels": (), "severity": None}
    )
    tables = tables.model_copy(update={"annotations": (*tables.annotations[:-1], differs)})
    n = len(tables.inclusions)
    (figure,) = [one for one in report_of(tables).key_figures if one.label == "Failures"]
    assert f"; of 1 of the {n} the response is not settled" in figure.note
    assert "drawn with unequal chances: not a share of all answers" in figure.note
    (equal,) = [one for one in report_of(study()).key_figures if one.label.endswith("Failures")]
    assert "unequal" not in equal.note


def test_failures_that_one_person_gave_are_not_reported_as_none() -> None:
    tables = study(simulated=False)
    one = tables.annotations[0].annotator_id
    alone = tuple(given for given in tables.annotations if given.annotator_id == one)
    report = report_of(tables.model_copy(update={"annotations": alone, "overlap": 1}))
    (figure,) = [one for one in report.key_figures if one.label == "Failures"]
    assert figure.value == "not counted"
    assert "no answer has more than one judgement that counts, and a result takes two" in figure.note
    (both,) = [one for one in report_of(tables).key_figures if one.label == "Failures"]
    assert both.value.isdigit()


def test_signatures_that_are_open_are_not_said_to_be_quiet() -> None:
    report = report_of(elsewhere("medcalc"))
    table = table_of(report, "signatures")
    verdicts = [str(row[-2]) for row in table.rows if table.cell(row, "share") is not None]
    n = sum(one.startswith("open") for one in verdicts)
    said = paragraphs(report, "signatures")
    are = "is" if n == 1 else "are"
    lacking = f"{len(table.rows) - len(verdicts)} of {len(table.rows)} could not be measured"
    assert f"No signature fires; {lacking}; {n} of the other {len(verdicts)} {are} open, so not" in said


def test_nobody_is_said_to_have_judged_the_corrections() -> None:
    said = render_markdown(report_of(elsewhere("medec")))
    assert "its correction does not count" in said
    assert "left to people" not in said


def test_health_says_that_its_contests_are_contests() -> None:
    note = table_of(report_of(study()), "template_health").note
    assert "Open contests, upheld: contests, of which a question may have several" in note


def test_labels_that_doubt_a_question_name_decisions_on_judgements_left_out() -> None:
    tables = overturned_study()
    one = min(row.generation_id for row in tables.adjudications if row.stands)
    doubted = tuple(
        row.model_copy(update={"judgement": row.judgement.model_copy(update={"item_judgement": "ambiguous"})})
        if row.generation_id == one
        else row
        for row in tables.adjudications
    )
    shown = tuple(
        row.model_copy(update={"suggestion_shown": row.generation_id == one}) for row in tables.annotations
    )
    changed = {"adjudications": doubted, "annotations": shown}
    contest = claim(0, tables, generation_id=one)
    report = report_of(contested(tables.model_copy(update=changed), contest))
    said = paragraphs(report, "contests")
    assert "1 of them by a decision on judgements with suggestions open" in said
    assert "upheld contests took 0 of the 1 out" in said


def test_beside_the_failures_stands_on_how_many_answers_scorer_and_people_differ() -> None:
    tables = study(simulated=False)
    sound, *failures = sorted({one.generation_id for one in tables.annotations})
    fine = {"item_judgement": "valid", "response_judgement": "acceptable", "labels": (), "severity": None}
    wrong = {"item_judgement": "valid", "response_judgement": "failure"}
    annotations = tuple(
        one.model_copy(update=fine if one.generation_id == sound else wrong) for one in tables.annotations
    )

    def note(*right: str) -> str:
        scores = tuple(
            one.model_copy(update={"lenient": one.generation_id in right}) for one in tables.scores
        )
        report = report_of(tables.model_copy(update={"scores": scores, "annotations": annotations}))
        return next(one.note for one in report.key_figures if one.label == "Failures")

    assert "the automatic score differs" not in note(sound)
    differs = (
        "; the automatic score differs on 3 (2 of these failures scored right, 1 of the others scored wrong)"
    )
    assert differs in note(*failures[:2])
