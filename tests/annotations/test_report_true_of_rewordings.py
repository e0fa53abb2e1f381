"""What reports say where two items may ask one question in other words, and of texts read more widely."""

from datetime import timedelta

from clinicnum.annotations.report.study_tables import StudyTables
from tests.annotations.report_example import study
from tests.annotations.report_example_whole import whole_study
from tests.annotations.test_report_elsewhere import elsewhere
from tests.annotations.test_report_true_of_data import paragraphs, report_of, table_of
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
    assert f" ({n} of them after the gold of an item in other words)" in paragraphs(report, "taxonomy")
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
        assert "the right option, and no other, as its answer in a form that the scorer knows" in said
        assert "2 answers are right by the wider reading (flexible) and not by this: gpt-4o-mini 2." in said
    assert "wider reading (flexible) and not" not in paragraphs(report_of(elsewhere("choice")), "methods")
