"""A prompt of one's own: what it asks, what identifies it, and what a change of prompt does."""

from dataclasses import replace
from typing import Any

import pytest

from clinicnum.annotations.reconstructed_prompt import asked_of
from clinicnum.errors import InputError
from clinicnum.inference.client_interface import Decoding
from clinicnum.inference.model_metadata import asks_form
from clinicnum.inference.runner import request_for, run_identity
from clinicnum.prompt import messages_for
from clinicnum.prompt_file import PromptFile, prompt_of
from clinicnum.robustness.prompt_comparison import compare_prompts
from clinicnum.robustness.run_answers_and_pairs import join
from clinicnum.scoring import score
from clinicnum.types import Generation, Instance
from tests.clinicnum.answering import instance

WORDING = "{context}\n\nFrage: {question}\n{options}"
GIVEN: dict[str, Any] = {"name": "brief", "version": 2, "system": "Be brief.", "wording": WORDING}
EXAMPLE = {"context": "At 08:00: pulse 70.", "question": "What was the pulse?", "answer": '{"answer": 70}'}


def prompt(**changes: Any) -> PromptFile:
    return prompt_of(GIVEN | changes)


def test_system_examples_and_question_are_turns_in_this_order() -> None:
    turns = prompt(examples=[EXAMPLE]).messages(instance(context="{question} {x}"))
    assert [one["role"] for one in turns] == ["system", "user", "assistant", "user"]
    assert turns[0]["content"] == "Be brief."
    assert turns[1]["content"].startswith("At 08:00: pulse 70.\n\nFrage: What was the pulse?")
    assert turns[2]["content"] == '{"answer": 70}'
    assert turns[3]["content"].startswith("{question} {x}\n\nFrage: ")
    assert 'End with one line of JSON: {"answer": ...}' in turns[3]["content"]
    assert [one["role"] for one in prompt(system="").messages(instance())] == ["user"]


def test_the_form_stands_where_the_wording_has_a_place_for_it_else_at_the_end() -> None:
    own = prompt(form="Answer in one word.")
    assert own.messages(instance())[-1]["content"].endswith("\n\nAnswer in one word.")
    placed = prompt(wording="{form}\n" + WORDING, form="Answer in one word.")
    assert placed.messages(instance())[-1]["content"].startswith("Answer in one word.\n")
    lettered = prompt().messages(instance(options=("88", "110")))[-1]["content"]
    assert "A. 88\nB. 110\n" in lettered
    assert "the letter of the right option" in lettered


def test_form_is_judged_only_where_clinicnums_own_was_asked() -> None:
    meta = {"client": "local", "prompt": prompt().model_dump(mode="json")}
    assert asks_form(meta)
    assert not asks_form(meta | {"prompt": prompt(form="In one word.").model_dump(mode="json")})


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"wording": "{context} {options}"}, "it has no place {question}"),
        ({"wording": "{context}{question}{question}{options}"}, "stands in it twice"),
        ({"version": 0}, "version: "),
        ({"tone": "kind"}, "tone: "),
        ({"examples": [{"question": "x"}]}, "examples.0.answer: "),
        ({"name": ""}, "name: "),
    ],
)
def test_what_is_wrong_in_a_prompt_is_named(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError) as refused:
        prompt(**changes)
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)
    with pytest.raises(InputError, match="has the fields name, version"):
        prompt_of(["x"])


def test_a_run_is_identified_by_every_word_of_its_prompt() -> None:
    def run_id(one: PromptFile | None) -> str:
        made = run_identity(
            model_fingerprint="m", prompt_ids=[None], decoding=Decoding(), benchmark_sha256="b", prompt=one
        )
        return str(made["run_id"])

    others = [
        prompt(version=3),
        prompt(system="Be very brief."),
        prompt(wording=f"{WORDING} "),
        prompt(form="In one word."),
        prompt(examples=[EXAMPLE]),
    ]
    assert len({run_id(one) for one in (None, prompt(), *others)}) == 7
    assert run_id(prompt()) == run_id(prompt())


def test_annotators_see_what_a_prompt_of_ones_own_asked() -> None:
    one, own = instance(), prompt(examples=[EXAMPLE], form="In one word.")
    meta = {"prompt_hash": own.hash, "prompt_ids": [own.title], "prompt": own.model_dump(mode="json")}
    found = asked_of(one, run_meta=meta, benchmark_meta={})
    assert (found.form, found.unknown) == ("In one word.", None)
    assert [turn.role for turn in found.turns] == ["system", "user", "assistant", "user"]
    changed = meta | {"prompt": prompt().model_dump(mode="json")}
    assert asked_of(one, run_meta=changed, benchmark_meta={}).unknown is not None


def test_a_request_without_a_prompt_of_ones_own_is_what_it_was() -> None:
    assert request_for(instance()).messages == messages_for(instance())
    assert request_for(instance(), prompt()).messages == prompt().messages(instance())


def test_an_example_that_is_a_question_of_the_benchmark_is_noticed() -> None:
    own = prompt(examples=[EXAMPLE])
    assert own.gives_away(instance(context="At 08:00:  pulse 70.", question="What was the pulse? "))
    assert not own.gives_away(instance(context="At 09:00: pulse 70.", question="What was the pulse?"))


QUESTIONS: dict[str, Instance] = {
    f"i{n}": instance(instance_id=f"i{n}", group_id=f"i{n}", subject_id=f"s{n}") for n in range(40)
}


def answered(name: str, *, right: range, prose: range = range(0)) -> Any:
    """A run that gives the gold in JSON on `right`, in prose on `prose`, and 1 everywhere else."""
    made = []
    for n, key in enumerate(QUESTIONS):
        gold = QUESTIONS[key].answer
        text = f'{{"answer": {gold if n in right else 1}}}' if n not in prose else f"The answer is {gold}."
        made.append(
            Generation(
                generation_id=f"{name}{n}", run_id=name, instance_id=key, text=text, finish_reason="stop"
            )
        )
    scores = [score(instance=QUESTIONS[one.instance_id], generation=one) for one in made]
    return join("model", QUESTIONS, made, scores)


def test_planted_differences_are_found_with_their_signs() -> None:
    first = answered("a", right=range(30))
    second = answered("b", right=range(20), prose=range(20, 24))
    failed = [*(f"a{n}" for n in range(30, 32)), *(f"b{n}" for n in range(24, 36))]
    suggested = {name: {"omission"} for name in failed}
    found = compare_prompts(first, second, suggested=suggested, form_judged=True)
    told = {one.outcome: one for one in found.outcomes}
    assert found.n_common == 40
    # 30 of 40 against 24 of 40; 2 of 40 against 12 of 40; 0 against 4 of 40.
    for outcome, one, other in (
        ("right", 0.75, 0.6),
        ("omission suggested", 0.05, 0.3),
        ("hallucination suggested", 0.0, 0.0),
        ("form missed", 0.0, 0.1),
        ("no answer read", 0.0, 0.0),
    ):
        row = told[outcome]
        assert (row.first, row.second) == (one, other), outcome
        assert row.difference.difference == pytest.approx(one - other)
    right = told["right"].difference
    assert (right.only_first, right.only_second) == (6, 0)
    assert right.p == pytest.approx(2 * 0.5**6)  # McNemar, exact: 6 to 0
    assert right.interval.low is not None
    assert right.interval.high is not None
    assert right.interval.low < 0.15 < right.interval.high
    # Of the five outcomes three can win: 12 or 10, 6 and no fewer than 6 subjects differ.
    omission = told["omission suggested"].difference
    assert omission.p is not None
    assert omission.p_corrected == pytest.approx(min(1.0, 2 * omission.p))


def test_form_is_left_out_where_a_prompt_asked_for_another() -> None:
    first, second = answered("a", right=range(30)), answered("b", right=range(20))
    found = compare_prompts(first, second, suggested={}, form_judged=False)
    assert "form missed" not in {one.outcome for one in found.outcomes}


def test_questions_that_one_run_answered_are_counted_and_left_out() -> None:
    first = answered("a", right=range(30))
    fewer = replace(first, answers={key: one for key, one in first.answers.items() if key != "i3"})
    found = compare_prompts(fewer, first, suggested={}, form_judged=True)
    assert (found.n_common, found.n_first_only, found.n_second_only) == (39, 0, 1)
    assert all(one.difference.difference == 0 for one in found.outcomes)
