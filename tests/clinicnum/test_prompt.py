"""What the model is asked."""

import pytest

from clinicnum.errors import InputError
from clinicnum.prompt import fold_system, messages_for, prompt_hash
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


def test_options_are_lettered() -> None:
    assert "A. 88\nB. 110\n" in messages_for(instance(options=("88", "110")))[1]["content"]


def test_fold_keeps_both_texts_in_one_user_message() -> None:
    system, user = messages_for(instance())
    assert fold_system([system, user]) == (
        {"role": "user", "content": f"{system['content']}\n\n{user['content']}"},
    )


def test_hash_depends_on_the_wordings_used_and_on_nothing_else() -> None:
    assert prompt_hash([None, "default", None]) == prompt_hash(["default"])
    assert prompt_hash([]) != prompt_hash(["default"])


def test_an_unknown_prompt_is_refused_with_those_that_exist() -> None:
    with pytest.raises(InputError, match="no prompt is called 'persona'; expected one of: default"):
        messages_for(instance(prompt_id="persona"))
