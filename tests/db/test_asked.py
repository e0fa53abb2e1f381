"""What was asked reaches annotators and adjudicators from the database, and tells nothing that is hidden."""

import json
from dataclasses import replace
from typing import Any

from sqlalchemy import Engine

from clinicnum.annotations.reconstructed_prompt import NOT_ALIKE, NOT_OURS
from clinicnum.annotations.study_inputs import Material
from clinicnum.db.engine import reading, writing
from clinicnum.db.work.adjudication.adjudication_item import load_adjudication_item
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.prompt import messages_for
from clinicnum.types import Point
from clinicnum.ui.pages.annotate.view import assignment_view
from tests.db.adjudicating import add_role, decide_all, judge_all, next_of
from tests.db.examples import MODEL, add_users, as_our_run, instance, material, open_study
from tests.db.test_annotate import first, save, submit

THINKING = f"I am Llama-3-tiny of {MODEL}, so 2000."
HIDDEN = ("llama", "run-of", "makers", "checklist", "options.shuffle", "wrong_record", "incorrect", "100")


def reasoning_run() -> Material:
    return as_our_run(material(), thinking=THINKING, finish_reason="length", completion_tokens=64)


def test_an_item_has_the_whole_task_the_end_and_the_thinking_apart(engine: Engine) -> None:
    ann = add_users(engine)[0].user_id
    open_study(engine, reasoning_run())
    item = first(engine, ann)
    shown = assignment_view(item)
    said = [shown["context"].join(turn["parts"]) for turn in shown["asked"]["turns"]]
    assert said == [message["content"] for message in messages_for(instance(0))]
    assert shown["asked"]["form"].startswith("End with one line of JSON")
    assert shown["ended"].startswith("Cut off before its end")
    assert shown["thinking"] == THINKING.replace("Llama-3-tiny", "█" * 12).replace("makers/", "█" * 7)
    assert "thinking" not in shown["text"]


def test_a_study_without_our_meta_says_that_the_task_is_not_known(engine: Engine) -> None:
    ann = add_users(engine)[0].user_id
    open_study(engine)
    item = first(engine, ann)
    assert (item.asked.unknown, item.asked.turns, item.thinking) == (NOT_OURS, (), None)
    assert item.ended is None


def test_the_task_of_a_variant_tells_neither_gold_nor_model_nor_which_variant(engine: Engine) -> None:
    ann = add_users(engine)[0].user_id
    made = reasoning_run()
    asked = tuple(
        one.model_copy(
            update={
                "variant": "prompt.checklist+options.shuffle.2",
                "prompt_id": "checklist",
                "points": (Point(id="answer", text="Give the answer.", value=one.answer),),
                "question": f"{one.question} Answer as Llama-3-tiny would.",
            }
        )
        for one in made.instances
    )
    open_study(engine, as_our_run(replace(made, instances=asked), ["checklist", "default"]), variants=6)
    shown = assignment_view(first(engine, ann))
    assert [turn["role"] for turn in shown["asked"]["turns"]] == ["system", "user"]
    sent = json.dumps([shown["asked"], shown["ended"], shown["thinking"]]).lower()
    assert "1. give the answer." in sent
    for hidden in HIDDEN:
        assert hidden not in sent, hidden


def two_models() -> Material:
    """Answers of a model that was run here and, right in another form, of one that was run elsewhere."""
    ours, other = as_our_run(material(wrong=4)), material(wrong=4, run_id="elsewhere")
    (run,) = other.runs
    loose = [
        one.model_copy(update={"strict": False, "lenient": True}) for one in (*ours.scores, *other.scores)
    ]
    imported = replace(run, meta=run.meta | {"client": "import", "model": "other"})
    return replace(ours, runs=(*ours.runs, imported), scores=tuple(loose))


def without_question_and_answer(shown: dict[str, Any]) -> str:
    """What is left of a page's data without what belongs to the question, the text or the turn."""
    own = ("assignment_id", "item", "key", "progress", "question", "context", "table", "text", "gold")
    return json.dumps({name: value for name, value in shown.items() if name not in own}, default=str)


def test_nothing_that_a_blind_page_gets_tells_a_model_run_here_from_one_run_elsewhere(engine: Engine) -> None:
    ann = add_users(engine)[0].user_id
    open_study(engine, two_models(), size=6, include="all")
    seen, locked = set(), set()
    for _place in range(6):  # of four questions, so of both models
        item = first(engine, ann)
        seen.add(without_question_and_answer(assignment_view(item)))
        opened = save(engine, ann, item)
        shown = assignment_view(opened)
        reveal = shown["reveal"]
        locked.add(json.dumps([shown["asked"], shown["ended"], reveal["right"], reveal["contradictions"]]))
        submit(engine, ann, opened)
    assert len(seen) == 1, seen
    assert len(locked) == 1, locked
    assert NOT_ALIKE in seen.pop()


def test_an_adjudicator_sees_the_same_masked_until_the_models_are_shown(engine: Engine) -> None:
    people = {user.name: user.user_id for user in add_users(engine)}
    open_study(engine, as_our_run(material(wrong=2), thinking=THINKING))
    judge_all(engine, people, 2)
    ada = add_role(engine, "ada")
    item = next_of(engine, ada)
    assert item.asked.form is not None
    assert item.answers[0].shown.ended is None
    assert "llama" not in f"{item.asked.model_dump_json()} {item.answers}".lower()
    decide_all(engine, ada)
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="six")
    with reading(engine) as session:
        again = load_adjudication_item(session, user_id=ada, study_id=item.study_id, item=item.item)
    assert again.answers[0].shown.thinking == THINKING
