"""What reports say where two items may ask one question in other words, and of texts read more widely."""

from datetime import timedelta

import pytest

from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from tests.annotations.report_example import study
from tests.annotations.report_example_whole import whole_study
from tests.annotations.report_parts import paragraphs, report_of, table_of
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_imports import grras


def worded_twice() -> StudyTables:
    """Each question asked in two ways, without a text beside it, and judged in the order of the items."""
    tables = elsewhere("choice")
    worded = tuple(
        one.model_copy(
            update={
                "context": "",
                "question": f"case {n}",
                "answer": "1",
                "options": (str(n // 2), "1"),
                "group_id": f"group {n}",
            }
        )
        for n, one in enumerate(tables.instances)
    )
    order = {one.instance_id: n for n, one in enumerate(worded)}
    asked = {one.generation_id: order[one.instance_id] for one in tables.generations}
    start = min(one.created_at for one in tables.annotations)
    judged = tuple(
        one.model_copy(update={"created_at": start + timedelta(minutes=asked[one.generation_id])})
        for one in tables.annotations
    )
    return tables.model_copy(update={"instances": worded, "annotations": judged})


def followed(tables: StudyTables) -> int:
    """First judgements on the second wording by one who judged the other."""
    order = {one.instance_id: n for n, one in enumerate(tables.instances)}
    asked = {one.generation_id: order[one.instance_id] for one in tables.generations}
    by = {(one.annotator_id, asked[one.generation_id]) for one in tables.annotations}
    return sum(place % 2 and (who, place - 1) in by for who, place in by)


def test_judgements_that_followed_the_gold_in_other_words_are_counted() -> None:
    tables = worded_twice()
    n = followed(tables)
    assert n > 1
    report = report_of(tables)
    said = (
        f"{n} first judgements that count as made before the gold was shown followed the gold of another item"
    )
    for section in ("methods", "scorer", "agreement"):
        assert said in paragraphs(report, section)
    assert said in table_of(report, "blind_changes").note
    assert f"At {n} of the first judgements they had been shown that of another item" in paragraphs(
        report, "methods"
    )
    assert f" ({n} of them after the gold of another item that may tell it)" in paragraphs(report, "taxonomy")
    assert "score of an answer stay hidden until the first judgement of it is locked" in grras(tables, 8)
    assert f"; {n} first judgements that count as blind followed the gold of another item" in grras(
        tables, 11
    )


def test_judgements_before_the_gold_in_other_words_and_those_of_scripts_are_not_counted() -> None:
    tables = worded_twice()
    at_once = tuple(
        one.model_copy(update={"created_at": tables.annotations[0].created_at}) for one in tables.annotations
    )
    scripts = tuple(one.model_copy(update={"annotator_kind": "simulated"}) for one in tables.annotations)
    for judged in (at_once, scripts):
        report = report_of(tables.model_copy(update={"annotations": judged}))
        assert "followed the gold of another item" not in paragraphs(report, "agreement")


def test_gold_seen_with_another_item_is_said_where_it_is_said_to_be_hidden() -> None:
    tables = study(simulated=False)
    known = tuple(
        one.model_copy(update={"reference_known": n < 2}) for n, one in enumerate(tables.annotations)
    )
    said = paragraphs(report_of(tables.model_copy(update={"annotations": known})), "methods")
    assert "nor gold and score of an answer until their first judgement of it was saved" in said
    assert "At 2 of the first judgements the annotator had been shown the gold of the same question" in said
    assert (
        "their first judgements count neither in the agreement on the response among annotators nor" in said
    )


def judged_in_order(tables: StudyTables, **of_each: object) -> StudyTables:
    """The study without options, each item under a group id of its own, judged in the order of the items."""
    items = tuple(
        one.model_copy(update={"group_id": f"group {n}", "options": (), **of_each})
        for n, one in enumerate(worded_twice().instances)
    )
    return tables.model_copy(update={"instances": items, "annotations": worded_twice().annotations})


@pytest.mark.parametrize(
    ("scoring", "shared", "said"),
    [
        ("medcalc", {"question": "Q?"}, "the gold of another item with the same text and question."),
        ("medec", {"subject_id": "p1"}, "another note under the same subject id, which may be the same case"),
    ],
)
def test_gold_that_another_item_tells_is_said_to_be_known(
    scoring: str, shared: dict[str, str], said: str
) -> None:
    tables = judged_in_order(elsewhere(scoring), scoring=scoring, **shared)
    first = min(one.created_at for one in tables.annotations)
    n = sum(one.created_at > first for one in tables.annotations)
    report = report_of(tables)
    assert f"{n} first judgements that count as made before the gold was shown followed the gold" in (
        paragraphs(report, "scorer")
    )
    assert said in paragraphs(report, "methods")
    assert f"; at {n} of {len(tables.annotations)} first judgements it was or may have been known" in grras(
        tables, 8
    )
    alone = judged_in_order(elsewhere(scoring), scoring=scoring)
    apart = tuple(
        one.model_copy(update={"subject_id": f"p{n}", "question": f"{n}?"})
        for n, one in enumerate(alone.instances)
    )
    assert "followed the gold" not in paragraphs(
        report_of(alone.model_copy(update={"instances": apart})), "scorer"
    )


def test_agreement_on_labels_given_with_the_gold_in_sight_says_so() -> None:
    for tables, said in ((study(simulated=False), True), (study(), False)):
        report = report_of(tables)
        figure = next(one for one in report.key_figures if one.label.endswith("Agreement"))
        text = next(one.text for one in report.findings if one.topic == "Agreement")
        assert ("with gold and score in sight" in figure.note) is said
        assert ("answers, with gold and score in sight; 1 is" in text) is said


def test_items_in_other_words_share_options_and_gold_but_no_text_where_there_is_none() -> None:
    said = paragraphs(report_of(worded_twice()), "templates")
    assert (
        "24 items have the options and gold of another (no text stands beside the question), 12 sets" in said
    )


def test_an_item_in_other_words_is_said_to_stay_where_the_contested_one_is_taken_out() -> None:
    plain = whole_study()
    note = table_of(report_of(plain), "invalidated").note
    assert "in other words" not in note
    gone = {one.instance_id for one in plain.invalidations}
    stays = next(one.instance_id for one in plain.instances if one.instance_id not in gone)
    first = next(one.instance_id for one in plain.instances if one.instance_id in gone)
    alike = tuple(
        one.model_copy(
            update={
                "operation": "external",
                "context": "",
                "answer": "1",
                "options": ("1", "2"),
                "group_id": one.instance_id,
            }
        )
        if one.instance_id in (first, stays)
        else one
        for one in plain.instances
    )
    note = table_of(report_of(plain.model_copy(update={"instances": alike})), "invalidated").note
    assert (
        "1 item with the options and gold of one that was taken out, which may ask the same in other words, "
        f"stays: {stays}." in note
    )


def test_texts_that_only_the_wider_reading_has_right_are_counted_with_the_rule() -> None:
    tables = elsewhere("choice")
    wrong = [one.generation_id for one in tables.scores if not one.lenient][:2]
    scores = tuple(
        one.model_copy(update={"flexible": one.lenient or one.generation_id in wrong})
        for one in tables.scores
    )
    report = report_of(tables.model_copy(update={"scores": scores}))
    for section in ("methods", "accuracy"):
        said = paragraphs(report, section)
        assert "does not count) in a form that the scorer knows" in said
        assert "2 answers are right by the wider reading (flexible) and not by this: gpt-4o-mini 2." in said
    assert "wider reading (flexible) and not" not in paragraphs(report_of(elsewhere("choice")), "methods")


def test_questions_that_share_a_list_of_options_are_not_taken_for_rewordings() -> None:
    """Yes and no are options of every such question: neither they nor the gold tell one from another."""
    tables = worded_twice()
    listed = tuple(
        one.model_copy(update={"options": ("no", "yes"), "answer": "AB"[n // 2 % 2]})
        for n, one in enumerate(tables.instances)
    )
    report = report_of(tables.model_copy(update={"instances": listed}))
    for section in ("methods", "scorer", "agreement", "questions"):
        said = next((" ".join(one.paragraphs) for one in report.sections if one.id == section), "")
        assert "may ask the same" not in said
        assert "followed the gold of another item" not in said


def test_agreement_is_computed_where_every_first_judgement_followed_a_gold_that_may_tell_it() -> None:
    tables = worded_twice()
    after = StudyView(tables).after_rewording
    rounds = tuple(
        one
        if (one.generation_id, one.annotator_id) in after
        else one.model_copy(update={"round": "training"})
        for one in tables.annotations
    )
    report = report_of(tables.model_copy(update={"annotations": rounds}))
    assert "These are all first judgements that count, so that agreement without" in paragraphs(
        report, "agreement"
    )
