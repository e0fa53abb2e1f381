"""What the model is asked."""

import pytest

from clinicnum.errors import InputError
from clinicnum.prompt import (
    EXTERNAL_WORDINGS,
    ROLES,
    STYLES,
    WORDINGS,
    demanded_form,
    fold_system,
    messages_for,
    prompt_hash,
)
from clinicnum.types import Point
from tests.clinicnum.answering import instance


def test_system_then_user_with_context_and_question() -> None:
    one = instance()
    system, user = messages_for(one)
    assert (system["role"], user["role"]) == ("system", "user")
    assert '{"answer": ...}' in system["content"]
    assert user["content"].index(one.context) < user["content"].index(one.question)


def test_nothing_tells_an_unanswerable_question_from_another() -> None:
    without = instance(answer=None, answer_exact=None, answer_type="unanswerable", decimals=None)
    assert messages_for(without) == messages_for(instance())


def test_braces_in_a_context_are_left_alone() -> None:
    assert "{0} {context}" in messages_for(instance(context="{0} {context}"))[1]["content"]


def test_options_are_lettered_and_a_letter_is_asked_for() -> None:
    without, shown = (
        messages_for(instance(options=options))[1]["content"] for options in ((), ("88", "110"))
    )
    assert "A. 88\nB. 110\n" in shown
    assert "write the letter of the right option" in shown
    assert "write a number with the decimals asked" not in shown
    assert "letter" not in without


@pytest.mark.parametrize("prompt_id", sorted(WORDINGS))
def test_every_prompt_shows_context_and_question_and_asks_for_the_line_of_json(prompt_id: str) -> None:
    points = (Point(id="values", text="State each value.", value="88"),)
    one = instance(prompt_id=prompt_id, points=points)
    system, user = messages_for(one)
    assert one.context in user["content"]
    assert f"Question: {one.question}\n" in user["content"]
    assert 'End with one line of JSON: {"answer": ...}' in system["content"]
    assert 'or "not documented" if the records do not say' in user["content"]
    assert ("1. State each value.\n" in user["content"]) == (prompt_id == "checklist")


def test_a_persona_is_told_who_and_how() -> None:
    for role, who in ROLES.items():
        for style, how in STYLES.items():
            system = messages_for(instance(prompt_id=f"persona.{role}.{style}"))[0]["content"]
            assert system.startswith(f"You are {who}. ")
            assert how in system


def test_prompts_ask_for_working_or_for_none() -> None:
    users = {
        name: messages_for(instance(prompt_id=name))[1]["content"] for name in ("direct", "step_by_step")
    }
    assert "without any reasoning" in users["direct"]
    assert "Think step by step" in users["step_by_step"]


def test_a_checklist_never_shows_the_points_values_and_needs_a_point() -> None:
    points = (Point(id="answer", text="Give the answer.", value="secret"),)
    assert "secret" not in messages_for(instance(prompt_id="checklist", points=points))[1]["content"]
    with pytest.raises(InputError, match="i0: prompt_id is 'checklist' but there are no points"):
        messages_for(instance(prompt_id="checklist"))


@pytest.mark.parametrize("prompt_id", sorted(WORDINGS | EXTERNAL_WORDINGS))
def test_the_demanded_form_is_one_line_of_the_sentences_that_the_messages_say(prompt_id: str) -> None:
    points = (Point(id="values", text="State each value.", value="secret"),)
    one = instance(prompt_id=prompt_id, points=points)
    form = demanded_form(one)
    said = " ".join(" ".join(message["content"] for message in messages_for(one)).split())
    assert "\n" not in form
    assert form.endswith((".", "!"))
    for sentence in form.replace('{"answer": ...} ', '{"answer": ...}. ').split(". "):
        assert sentence in said
    assert one.question not in form
    assert "secret" not in form


def test_the_demanded_form_tells_a_letter_from_a_value_and_reasoning_from_none() -> None:
    assert demanded_form(instance()) == (
        'End with one line of JSON: {"answer": ...} You may reason briefly first. In the JSON write a number '
        'with the decimals asked and no unit, a time as "YYYY-MM-DD HH:MM:SS", or "not documented" if the '
        "records do not say."
    )
    assert "the letter of the right option" in demanded_form(instance(options=("88", "110")))
    assert "without any reasoning" in demanded_form(instance(prompt_id="direct"))
    assert "Write tersely" in demanded_form(instance(prompt_id="persona.nurse.terse"))
    assert "the word CORRECT" in demanded_form(instance(prompt_id="medec"))
    without = instance(answer=None, answer_exact=None, answer_type="unanswerable", decimals=None, unit=None)
    assert demanded_form(without) == demanded_form(instance())


def test_fold_keeps_both_texts_in_one_user_message() -> None:
    system, user = messages_for(instance())
    assert fold_system([system, user]) == (
        {"role": "user", "content": f"{system['content']}\n\n{user['content']}"},
    )


def test_hash_depends_on_the_wordings_used_and_on_nothing_else() -> None:
    assert prompt_hash([None, "default", None]) == prompt_hash(["default"])
    assert prompt_hash([]) != prompt_hash(["default"])
    assert len({prompt_hash([name]) for name in WORDINGS}) == len(WORDINGS)
    assert prompt_hash(["direct", None]) == prompt_hash(["default", "direct"])


def test_runs_of_earlier_versions_can_be_continued_as_their_wordings_hash_to_the_same() -> None:
    assert prompt_hash(["default"]) == ("88c0cb5b8111d2d47e5af6359b4e9121959dc2bba6c45310c74d0d75922863da")
    earlier = [
        name for name in WORDINGS if not set(name.split(".")) & {"accountant", "teacher", "bold", "cautious"}
    ]
    assert prompt_hash([*earlier, *EXTERNAL_WORDINGS]) == (
        "828ccbb0209cf16a15f4a04a9255de13dc5709cb9946b13b490bc89d321137d6"
    )


def test_an_unknown_prompt_is_refused_with_those_that_exist() -> None:
    with pytest.raises(
        InputError, match="no prompt is called 'persona'; expected one of: checklist, choice, "
    ):
        messages_for(instance(prompt_id="persona"))
