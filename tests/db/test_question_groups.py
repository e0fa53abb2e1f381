"""Items that ask one question share its gold: they go to different annotators; what could not is marked."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, select, update
from sqlmodel import col

from clinicnum.annotations.draw_study_items import draw_items
from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_inputs import Material, same_questions
from clinicnum.annotations.study_preview import preview_study
from clinicnum.annotations.types import Annotation
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AnnotationRow, AssignmentRow, StudyItemRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.audit.compare_tables_with_log import compare_with_log
from clinicnum.db.work.studies import load_whole_study
from tests.db.examples import FAILURE, add_users, material, open_study
from tests.db.test_annotate import FINE, save, submit
from tests.db.test_next_assignment import check_places, next_of

ITEMS, QUESTIONS = 48, 16


def repeated_questions(items: int = ITEMS, questions: int = QUESTIONS) -> Material:
    """Failures on items of which several ask the same question."""
    made = material(wrong=items)
    grouped = [
        one.model_copy(update={"group_id": f"q{place % questions}"})
        for place, one in enumerate(made.instances)
    ]
    return replace(made, instances=tuple(grouped))


def copied_questions(items: int, questions: int) -> Material:
    """Items made elsewhere of which several have the same text and question, each under a group id of its
    own.
    """
    made = material(wrong=items)
    copied = [
        one.model_copy(update={"operation": "external", "question": f"Question {place % questions}?"})
        for place, one in enumerate(made.instances)
    ]
    return replace(made, instances=tuple(copied))


def opened(engine: Engine, people: int = 3, made: Material | None = None, **design: Any) -> dict[str, str]:
    names = [f"p{number}" for number in range(people)]
    people_of = {user.name: user.user_id for user in add_users(engine, names)}
    open_study(engine, made or repeated_questions(), annotators=names, include="all", **design)
    return people_of


def judge_in_turns(engine: Engine, people: dict[str, str]) -> None:
    """Everyone submits one item after the other, in turns, until all is done."""
    waiting = list(people.values())
    while waiting:
        for who in tuple(waiting):
            item = next_of(engine, who)
            if item is None:
                waiting.remove(who)
            else:
                submit(engine, who, item, FINE)


def firsts(engine: Engine) -> list[tuple[str, str, bool]]:
    """(annotator, generation, whether marked) of each first judgement, in the order they were saved."""
    statement = (
        select(AnnotationRow, col(AssignmentRow.user_id), col(AssignmentRow.generation))
        .join(AssignmentRow, col(AssignmentRow.id) == col(AnnotationRow.assignment_id))
        .where(col(AnnotationRow.revision) == 1, col(AssignmentRow.round) != "repeat")
        .order_by(col(AnnotationRow.created_at), col(AnnotationRow.id))
    )
    with reading(engine) as session:
        return [(who, of, row.payload["reference_known"]) for row, who, of in session.execute(statement)]


def following(engine: Engine, questions: dict[str, str]) -> list[bool]:
    """Whether each first judgement followed one by the same annotator on the same question."""
    seen: set[tuple[str, str]] = set()
    found = []
    for who, of, _ in firsts(engine):
        found.append((who, questions[of]) in seen)
        seen.add((who, questions[of]))
    return found


def groups(engine: Engine) -> dict[str, str]:
    with reading(engine) as session:
        return {row.generation: row.group_id for row in session.scalars(select(StudyItemRow))}


@pytest.mark.parametrize(("overlap", "least"), [(1, 0), (2, 48), (3, 96)])
def test_48_items_of_16_questions_are_judged_blind_as_often_as_three_annotators_can(
    engine: Engine, overlap: int, least: int
) -> None:
    people = opened(engine, overlap=overlap)
    asked = groups(engine)
    assert Counter(asked.values()) == {f"q{number}": 3 for number in range(QUESTIONS)}
    judge_in_turns(engine, people)
    check_places(engine)
    marks = [marked for *_, marked in firsts(engine)]
    assert marks == following(engine, asked)
    assert len(marks) == ITEMS * overlap
    assert sum(marks) == least
    preview = preview_study(
        repeated_questions(),
        draw_items(
            repeated_questions(), {}, design=Design(overlap=overlap, include="all"), annotators=3, seed=0
        ),
        design=Design(overlap=overlap, include="all"),
        annotators=3,
    )
    assert (preview.following.following, preview.following.exact) == (least, overlap == 3)
    if overlap == 3:
        blind = Counter(of for _, of, marked in firsts(engine) if not marked)
        assert sorted(blind.values()) == [3] * QUESTIONS, "all judge the same item of a question blind"


def test_an_order_that_does_not_know_the_questions_lets_more_follow(engine: Engine) -> None:
    people = opened(engine, overlap=1)
    asked = groups(engine)
    with writing(engine) as session:
        session.execute(update(StudyItemRow).values(group_id=col(StudyItemRow.generation)))
    judge_in_turns(engine, people)
    assert sum(following(engine, asked)) >= 6, "13 of 48 on average over seeds"


def test_many_who_ask_at_once_fill_every_place_and_every_mark_is_true(engine: Engine) -> None:
    people = opened(engine, 6, overlap=3)

    def work(who: str) -> None:
        while (item := next_of(engine, who)) is not None:
            submit(engine, who, item, FINE)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, people.values()))
    check_places(engine)
    marks = [marked for *_, marked in firsts(engine)]
    assert len(marks) == ITEMS * 3
    assert marks == following(engine, groups(engine))
    # 9 places on each question, 6 annotators: 3 must follow.
    assert sum(marks) >= QUESTIONS * 3


def test_one_who_works_alone_gets_what_was_left_to_others_in_the_end(engine: Engine) -> None:
    people = opened(engine, 3, overlap=1)
    marks = []
    while (item := next_of(engine, people["p0"])) is not None:
        submit(engine, people["p0"], item, FINE)
        marks.append(firsts(engine)[-1][2])
    assert marks == [False] * QUESTIONS + [True] * (ITEMS - QUESTIONS)
    check_places(engine)


def test_items_are_not_left_to_an_account_that_is_switched_off(engine: Engine) -> None:
    people = opened(engine, 2, repeated_questions(items=4, questions=2), overlap=1)
    with writing(engine) as session:
        users.set_active(session, name="p1", active=False)
    asked = groups(engine)
    order = []
    while (item := next_of(engine, people["p0"])) is not None:
        submit(engine, people["p0"], item, FINE)
        order.append(asked[firsts(engine)[-1][1]])
    assert len(order) == 4
    assert {*order[:2]} == {"q0", "q1"}


def test_a_mark_stays_with_all_revisions_and_repeats_have_none(engine: Engine) -> None:
    people = opened(engine, 1, repeated_questions(items=60, questions=30), overlap=1, repeat_share=0.5)
    while (item := next_of(engine, people["p0"])) is not None:
        submit(engine, people["p0"], save(engine, people["p0"], item), FAILURE)
    with reading(engine) as session:
        payloads = [row.payload for row in session.scalars(select(AnnotationRow))]
        assert compare_with_log(session) == ()
    by_round = Counter((one["round"], one["revision"], one["reference_known"]) for one in payloads)
    assert {key: n for key, n in by_round.items() if key[0] == "main"} == {
        ("main", revision, known): 30 for revision in (1, 2) for known in (False, True)
    }
    assert {known for which, _, known in by_round if which == "repeat"} == {False}
    assert sum(n for (which, *_), n in by_round.items() if which == "repeat") > 0


def test_the_reference_of_a_question_is_known_from_a_copy_under_another_group_id(engine: Engine) -> None:
    made = copied_questions(items=12, questions=6)
    train = made.generations()[0].generation_id
    people = opened(engine, made=made, references={train: FAILURE}, training=1)
    judge_in_turns(engine, people)
    with reading(engine) as session:
        tables = load_whole_study.load_study_tables(session, "six")
    asked = {one.instance_id: one.question for one in tables.instances}
    of = {one.generation_id: asked[one.instance_id] for one in tables.generations}
    main = [one for one in tables.annotations if one.round == "main"]
    shown = [one.reference_known for one in main if of[one.generation_id] == of[train]]
    assert shown == [True] * 3, "the copy of the training item"
    assert sum(one.reference_known for one in main) == 3 + 5 * 3, "one of each pair for each annotator"


def test_copies_of_copies_are_one_question_and_ours_are_told_by_their_group() -> None:
    first, second, third, fourth = copied_questions(items=4, questions=4).instances
    second = second.model_copy(update={"group_id": first.group_id, "question": third.question})
    third = third.model_copy(update={"context": second.context})
    assert same_questions([first, second, third, fourth]) == {
        one.group_id: first.group_id for one in (first, third)
    }
    ours = repeated_questions(items=4, questions=4).instances
    assert same_questions(ours) == {}


def test_marked_judgements_are_counted_out_of_agreement_before_the_gold_and_stay_after_it(
    engine: Engine,
) -> None:
    people = opened(engine)
    judge_in_turns(engine, people)
    with reading(engine) as session:
        tables = load_whole_study.load_study_tables(session, "six")
        agreement = load_whole_study.load_study_agreement(session, "six").agreement
    assert sum(one.reference_known for one in tables.annotations) == 96
    before, after = (agreement.layer(name).result for name in ("response_judgement", "response_after_gold"))
    assert before is not None
    assert after is not None
    assert (before.population.items, before.population.labels) == (16, 48)
    assert (after.population.items, after.population.labels) == (48, 144)
    assert [(one.n, one.why) for one in before.population.left_out] == [
        (96, "the annotator had seen the reference of the same question (group_id) beside another answer")
    ]
    read = [Annotation.model_validate_json(one.model_dump_json()) for one in tables.annotations]
    assert read == list(tables.annotations)


def test_a_control_item_and_a_training_item_tell_the_reference_as_well(engine: Engine) -> None:
    made = repeated_questions(items=12, questions=4)
    references = {f"run-of-llama-g{number}": FAILURE for number in (0, 1)}
    people = opened(engine, 2, made, overlap=2, references=references, training=1, controls=1)
    judge_in_turns(engine, people)
    with reading(engine) as session:
        training = session.scalars(select(StudyItemRow).where(col(StudyItemRow.round) == "training")).one()
    asked = groups(engine)
    marks = [(of, marked) for _, of, marked in firsts(engine)]
    assert all(marked for of, marked in marks if asked[of] == training.group_id and of != training.generation)
    # 2 items of the training item's question by two, and one of each other question blind for each of two.
    assert sum(marked for _, marked in marks) == 2 * 2 + 3 * (3 * 2 - 2)
    chosen = Design(overlap=2, include="all", training=1, controls=1)
    sample = draw_items(made, references, design=chosen, annotators=2, seed=0)
    assert preview_study(made, sample, design=chosen, annotators=2).following.following == 16


def test_an_assignment_of_another_study_tells_nothing(engine: Engine) -> None:
    people = opened(engine, 2, overlap=2)
    open_study(engine, repeated_questions(), name="other", annotators=["p0"], overlap=1, include="all")
    who = people["p0"]
    with reading(engine) as session:
        ids = {row.study_id for row in session.scalars(select(StudyItemRow))}
    for study_id in sorted(ids):
        with writing(engine) as session:
            item = annotate.next_assignment(session, user_id=who, study_id=study_id)
        assert item is not None
        submit(engine, who, item, FINE)
    assert [marked for *_, marked in firsts(engine)] == [False, False]
