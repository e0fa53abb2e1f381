"""What is judged after an answer was read is kept, and agreement counts what was judged before."""

from sqlalchemy import Engine

from clinicnum.annotations.agreement.annotation_selection import choose_annotations
from clinicnum.annotations.agreement.revision_selection import ANSWERED, counted_revisions
from clinicnum.annotations.types import Annotation
from clinicnum.db.engine import reading
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from tests.db.adjudicating import add_role
from tests.db.conversing import asked_and_answered, begin, read, submitted
from tests.db.examples import BLIND, FAILURE
from tests.db.test_annotate import FINE, save, submit
from tests.db.test_live_agreement import check_against_every_row
from tests.db.test_question_groups import next_of, opened


def annotations(engine: Engine) -> tuple[Annotation, ...]:
    with reading(engine) as session:
        return load_study_tables(session, "six").annotations


def test_a_judgement_revised_after_its_answer_was_read_counts_as_it_was_before(engine: Engine) -> None:
    people = begin(engine, wrong=1)
    item = asked_and_answered(engine, people)
    again = submit(engine, people["ann"], item, FAILURE.model_copy(update={"severity": "3"}))
    read(engine, people["ann"])
    submit(engine, people["ann"], again, FINE)
    for name in ("ben", "eve"):
        submitted(engine, people[name])
    mine = [one for one in annotations(engine) if one.revision > 1 or one.answer_read]
    assert [(one.revision, one.answer_read) for one in mine] == [(2, False), (3, True)]
    chosen = choose_annotations(annotations(engine))
    assert len(chosen.annotations) == 3, "nobody's judgement is lost"
    assert {one.severity for one in chosen.annotations} == {"2", "3"}
    assert not any(one.answer_read for one in chosen.annotations)
    assert chosen.rule.endswith("do not count")
    check_against_every_row(engine, "six")


def test_without_an_answer_read_nothing_is_said_of_it(engine: Engine) -> None:
    people = begin(engine, wrong=1)
    item = asked_and_answered(engine, people)
    submit(engine, people["ann"], item, FINE)  # the answer waits, and was not read
    assert not any(one.answer_read for one in annotations(engine))
    chosen = choose_annotations(annotations(engine))
    assert [one.response_judgement for one in chosen.annotations] == ["acceptable"]
    assert "answer" not in chosen.rule


def test_other_answers_to_the_question_are_not_judged_blind_after_it_but_other_questions_are(
    engine: Engine,
) -> None:
    people = {**opened(engine), "ada": add_role(engine, "ada")}
    who = people["p0"]
    asked_and_answered(engine, people, "p0")
    read(engine, who)
    while (item := next_of(engine, who)) is not None:
        submit(engine, who, save(engine, who, item, BLIND))
    with reading(engine) as session:
        tables = load_study_tables(session, "six")
    groups = {one.instance_id: one.group_id for one in tables.instances}
    of = {one.generation_id: groups[one.instance_id] for one in tables.generations}
    (asked,) = {one.generation_id for one in tables.annotations if one.revision == 1 and not one.missing()}
    same = {one.generation_id for one in tables.annotations if of[one.generation_id] == of[asked]}
    assert len(same) > 1
    marked = {one.generation_id for one in tables.annotations if one.answer_read}
    assert marked == same - {asked}
    found = counted_revisions(tables.annotations)
    assert {key[0] for key, why in found.left_out.items() if why == ANSWERED} == marked
    assert not {key[0] for key in found.first} & marked
    check_against_every_row(engine, "six")
