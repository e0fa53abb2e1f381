"""Sentences that readers of imported studies found untrue: what is compared, and of how many."""

from clinicnum.annotations.adjudication import Adjudication
from clinicnum.annotations.agreement import Rating, agreement
from clinicnum.annotations.exports.data_files import csv_files
from clinicnum.annotations.report.failure_class_shares import run_failures
from clinicnum.annotations.report.model_run import in_a_sentence
from clinicnum.annotations.report.scorer_check import LEFT_OUT, blind_check
from clinicnum.annotations.report.sections.control_items import followed
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_kind import RESPONSE_JUDGEMENTS
from clinicnum.annotations.types import Invalidation
from tests.annotations.overturned import overturned_study
from tests.annotations.report_example import study
from tests.annotations.report_example_models import eight_models
from tests.annotations.report_example_whole import whole_study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_choice import with_rounds
from tests.annotations.test_report_true_of_imports import grras
from tests.annotations.test_report_true_of_rewordings import worded_twice


def external(tables: StudyTables, **changes: object) -> StudyTables:
    """The study with items made elsewhere."""
    items = tuple(
        one.model_copy(update={"operation": "external", **changes, "flags": ()}) for one in tables.instances
    )
    return tables.model_copy(update={"instances": items})


def test_the_commonest_gold_is_told_of_the_items_that_each_model_answered() -> None:
    tables = external(eight_models())
    golds = tuple(
        one.model_copy(update={"answer": "A" if n % 2 else "B"}) for n, one in enumerate(tables.instances)
    )
    left_out = {one.instance_id for one in golds[1::4]}
    first = tables.generations[0].run_id
    answered = tuple(
        one for one in tables.generations if one.run_id != first or one.instance_id not in left_out
    )
    kept = {one.generation_id for one in answered}
    tables = tables.model_copy(
        update={
            "instances": golds,
            "generations": answered,
            "scores": tuple(one for one in tables.scores if one.generation_id in kept),
            "inclusions": tuple(one for one in tables.inclusions if one.generation_id in kept),
            "annotations": tuple(one for one in tables.annotations if one.generation_id in kept),
        }
    )
    said = paragraphs(report_of(tables), "accuracy")
    assert "Meridian 70B, greedy “B”, 24 of 36 (66.7 %)" in said
    assert "Tern 3 mini “A” or “B”, 24 of 48 (50.0 %)" in said
    assert "The commonest gold" not in said


def test_unread_texts_of_models_that_are_not_named_are_counted() -> None:
    tables = external(eight_models())
    several = tables.generations[-1].run_id
    of = {one.generation_id: one.run_id for one in tables.generations}
    read = tuple(
        one.model_copy(
            update={
                "status": "unparsable" if n % 48 < 3 else "incorrect",
                "lenient": False,
                "flexible": False,
            }
        )
        if of[one.generation_id] != several
        else one.model_copy(update={"status": "unparsable", "lenient": False, "flexible": False})
        for n, one in enumerate(tables.scores)
    )
    note = table_of(report_of(tables.model_copy(update={"scores": read})), "models").note
    assert "The scorer takes no answer from 48 of 48 texts of SmolLM2 135M, and counts that as wrong" in note
    assert "It takes none from 21 texts of the other runs either." in note
    few = tuple(
        one.model_copy(update={"status": "incorrect", "lenient": False, "flexible": False}) for one in read
    )
    quiet = table_of(report_of(tables.model_copy(update={"scores": few})), "models").note
    assert "takes no answer" not in quiet


def test_the_check_of_the_score_leaves_out_what_an_upheld_contest_took_out() -> None:
    tables = study(simulated=False)
    view = StudyView(tables)
    found, before = view.once(blind_check)
    assert LEFT_OUT[4] not in before
    out = view.question(tables.inclusions[0].generation_id)
    taken = Invalidation(instance_id=out, contest_id="c", rule="by hand: instance", reason="wrong")
    changed = tables.model_copy(update={"invalidations": (taken,)})
    fewer, left_out = StudyView(changed).once(blind_check)
    n = sum(view.question(one.generation_id) == out for one in view.settlements)
    assert left_out[LEFT_OUT[4]] == n == len(found.subjects) - len(fewer.subjects)
    note = table_of(report_of(changed), "scorer_rates").note
    assert f"{n} on other items that an upheld contest took out" in note
    without = (
        "by its own rule for the response and for the item, as settled on this answer, and without items"
    )
    assert without in " ".join(note.split())
    assert without not in " ".join(table_of(report_of(tables), "scorer_rates").note.split())


def test_rows_before_and_after_the_gold_say_whether_they_are_of_the_same_judgements() -> None:
    tables = study(simulated=False)
    n = len(StudyView(tables).chosen.annotations)
    said = f"Rows before and after the gold are of the same {n} judgements"
    assert said in table_of(report_of(tables), "agreement_summary").note
    known = tuple(
        one.model_copy(update={"reference_known": place == 0}) for place, one in enumerate(tables.annotations)
    )
    note = table_of(report_of(tables.model_copy(update={"annotations": known})), "agreement_summary").note
    assert f"Rows before the gold are of {n - 1} judgements, those after it of {n}: their" in note
    assert "Rows before" not in table_of(report_of(study()), "agreement_summary").note


def test_drift_sets_failures_beside_the_consensus_on_the_same_generations() -> None:
    tables = overturned_study()
    open_ = tables.inclusions[-1].generation_id
    judged = tuple(
        one.model_copy(update={"response_judgement": "acceptable", "labels": (), "severity": None})
        if (one.generation_id, one.annotator_id) == (open_, tables.annotations[0].annotator_id)
        else one
        for one in tables.annotations
    )
    tables = tables.model_copy(update={"annotations": judged})
    labels = {one.generation_id: one.response.label for one in StudyView(tables).settlements}
    assert [key for key, label in labels.items() if label is None] == [open_]
    note = table_of(report_of(tables), "annotators_drift").note
    told = note.partition("change by (points) ")[2].split("; ")
    assert told
    for one in told:
        assert " and " in one
        counted, of = one.partition("(")[2].partition(" judgements)")[0].split(" of ")
        assert int(counted) == int(of) - 1
    # all that each judged on what is settled are failures, so that of their own nothing changes
    assert all(one.split()[1] == "+0.0" for one in told)


def test_agreement_is_told_without_judgements_that_followed_a_gold_that_may_tell_theirs() -> None:
    tables = worded_twice()
    view = StudyView(tables)
    rest = [
        Rating(item=item, annotator=who, label=one.response_judgement)
        for (item, who), one in view.chosen.first.items()
        if (item, who) not in view.after_rewording
    ]
    said = paragraphs(report_of(tables), "agreement")
    alone = agreement(rest, scale="nominal", categories=RESPONSE_JUDGEMENTS)
    percent = alone.coefficient("percent_agreement")
    assert f"before the gold is {100 * (percent.value or 0):.1f} %, alpha " in said
    assert f"({percent.n_items} generations with at least two), with them" in said
    assert "Without these judgements" not in paragraphs(report_of(elsewhere("choice")), "agreement")


def test_control_items_that_ask_what_another_asked_are_counted() -> None:
    tables = with_rounds(elsewhere("choice"), "control", "control")
    known = tuple(
        one.model_copy(update={"reference_known": one.round == "control" and one.revision == 1})
        if n == len(tables.annotations) - 1
        else one
        for n, one in enumerate(tables.annotations)
    )
    changed = tables.model_copy(update={"annotations": known})
    assert "; on control items it was known before 1 of 2" in grras(changed, 8)
    assert "on control items" not in grras(tables, 8)
    assert followed(StudyView(changed)).startswith(
        " Before 1 of the 2 first judgements on them the annotator"
    )
    assert followed(StudyView(tables)) == ""


def decided(tables: StudyTables, item_judgements: tuple[str, ...]) -> StudyTables:
    """One decision of one adjudicator on each of the first generations."""
    first = overturned_study().adjudications[0]
    made: tuple[Adjudication, ...] = tuple(
        first.model_copy(
            update={
                "adjudication_id": f"d{n}",
                "generation_id": one.generation_id,
                "judgement": first.judgement.model_copy(update={"item_judgement": said}),
            }
        )
        for n, (one, said) in enumerate(zip(tables.inclusions, item_judgements, strict=False))
    )
    return tables.model_copy(update={"adjudications": made})


def test_copies_of_a_question_that_one_adjudicator_decided_differently_are_counted() -> None:
    tables = external(study(simulated=False), context="", question="Q?", answer="1", options=("1", "2"))
    for given, n in ((("valid", "ambiguous"), "1"), (("valid", "valid"), "none")):
        said = paragraphs(report_of(decided(tables, given)), "adjudication")
        assert "1 question was decided by one adjudicator more than once" in said
        assert f"on {n} of them these decisions differ on the item" in said
    plain = external(study(simulated=False))
    asked = tuple(one.model_copy(update={"question": f"{n}?"}) for n, one in enumerate(plain.instances))
    apart = plain.model_copy(update={"instances": asked})
    assert "more than once" not in paragraphs(report_of(decided(apart, ("valid", "valid"))), "adjudication")


def test_the_dictionary_says_when_a_field_is_blank_where_it_stands() -> None:
    said = csv_files(elsewhere("medec"))["data_dictionary.md"]
    assert "blank unless response_judgement is failure, or if" not in said
    assert "locked before the reference is shown in it; blank without a consensus" not in said
    assert "| `flexible` | boolean | As lenient, also where only a wider automatic reading finds it" in said
    assert "| `subject_id` | text | The patient" not in said


def test_a_share_that_is_not_measured_is_not_called_open() -> None:
    rows = table_of(report_of(elsewhere("medcalc")), "signatures")
    verdicts = {str(rows.cell(row, "verdict")) for row in rows.rows if rows.cell(row, "share") is None}
    assert verdicts
    assert all(one.startswith("not measured: ") for one in verdicts)


def test_what_is_settled_is_not_called_judged_and_a_rate_that_is_not_made_counts_no_answers() -> None:
    report = report_of(eight_models())
    harm = table_of(report, "harm")
    without = [row for row in harm.rows if harm.cell(row, "harm") is None]
    assert without
    assert {harm.cell(row, "judged") for row in without} == {None}
    assert "the harm of each is estimated from those settled" in harm.note
    assert "0: no failure of that class is settled;" in table_of(report, "classes_by_model").note


def test_what_is_told_of_the_draw_and_of_seeing_the_gold_holds_of_each_answer() -> None:
    report = report_of(study(simulated=False))
    assert "spread over questions as far as these allow." in paragraphs(report, "methods")
    assert "before they see gold and score of this answer" in paragraphs(report, "blind")
    health = table_of(report, "template_health").note
    assert "all models, so that each weighs by its number of answers on unflagged items" in health


def test_the_columns_that_say_what_a_contest_took_out_stand_under_what_rests_on_them() -> None:
    for tables, named in ((whole_study(), True), (study(simulated=False), False)):
        report = report_of(tables)
        for name in ("harm", "failure_shares", "scorer_rates"):
            assert ("; invalidations.csv: instance_id" in table_of(report, name).trace) is named


def test_the_commonest_classes_are_told_with_the_failures_of_each_model() -> None:
    tables = eight_models()
    view = StudyView(tables)
    said = next(one.text for one in report_of(tables).findings if one.text.startswith("The commonest class"))
    counts = {name: sum(code is not None for code in one.classes) for name, one in run_failures(view).items()}
    most = max(counts, key=lambda name: (counts[name], name))
    assert f"({counts[most]} of them of {most})" in said
    assert f"{sum(counts.values())} settled" in said


def test_it_is_said_of_which_models_the_check_of_the_score_speaks() -> None:
    view = StudyView(eight_models())
    found, _out = blind_check(view)
    note = table_of(report_of(eight_models()), "scorer_rates").note
    counts = [sum(one.generation.generation_id in found.keys for one in run.answers) for run in view.ranked]
    assert sum(counts) == len(found.subjects)
    assert 0 in counts
    for run, count in zip(view.ranked, counts, strict=True):
        assert f"{in_a_sentence(run.name)} {count}" in note


def test_an_example_of_disagreement_says_that_an_upheld_contest_took_it_out() -> None:
    tables = eight_models()
    (section,) = [one for one in report_of(tables).sections if one.id == "discordant"]
    shown = section.side_by_side[0].instance_id
    out = Invalidation(contest_id="c1", instance_id=shown, rule="V2.tie", reason="r")
    (section,) = [
        one
        for one in report_of(tables.model_copy(update={"invalidations": (out,)})).sections
        if one.id == "discordant"
    ]
    assert [dict(one.facts).get("Contested") is not None for one in section.side_by_side if one.facts] == [
        one.instance_id == shown for one in section.side_by_side
    ]


def test_answers_without_a_confidence_are_told_where_others_have_one() -> None:
    tables = study(simulated=False)
    sure = tuple(one.model_copy(update={"answer_confidence": 0.9}) for one in tables.generations)
    some = (sure[0].model_copy(update={"answer_confidence": None}), *sure[1:])
    notes = [
        table_of(report_of(tables.model_copy(update={"generations": given})), "severe_errors").note
        for given in (sure, some)
    ]
    assert "taken to be like those with one" not in notes[0]
    assert "are taken to be like those with one (" in notes[1]
    assert f" 1 of {len(some)} without)" in notes[1]
    (first, *rest) = tables.scores
    unread = first.model_copy(
        update={"status": "truncated", "lenient": False, "strict": False, "parsed": None}
    )
    cut = tables.model_copy(update={"generations": some, "scores": (unread, *rest)})
    note = table_of(report_of(cut), "severe_errors").note
    assert f" 1 of {len(some)} without, all of them truncated)" in note
