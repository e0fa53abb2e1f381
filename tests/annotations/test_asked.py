"""What a model was asked is shown to the letter where the run proves it, and called unknown elsewhere."""

from typing import Any

import pytest

from clinicnum.annotations.reconstructed_prompt import (
    CHANGED,
    NOT_ALIKE,
    NOT_OURS,
    Asked,
    asked_of,
    asked_of_all,
    ending_of,
)
from clinicnum.prompt import demanded_form, fold_system, messages_for, prompt_hash
from clinicnum.types import Generation, Instance, Point
from tests.clinicnum.answering import instance

POINTS = (Point(id="values", text="State each value.", value="4711"),)


def run_of(*prompt_ids: str, **more: Any) -> dict[str, Any]:
    return {"prompt_hash": prompt_hash(prompt_ids), "prompt_ids": sorted(prompt_ids), **more}


def texts(found: Asked, context: str) -> list[tuple[str, str]]:
    """The messages as the page puts them together."""
    return [(turn.role, context.join(turn.parts)) for turn in found.turns]


@pytest.mark.parametrize(
    "one",
    [
        instance(),
        instance(options=("110", "88", "50")),
        instance(variant="input.typo", context="haert rate 110 bpm\n{0} {context}"),
        instance(prompt_id="persona.nurse.terse"),
        instance(prompt_id="checklist", points=POINTS),
        instance(operation="external", scoring="medec", context="0 A note."),
        instance(operation="external", scoring="points", context=""),
        instance(context="1"),
    ],
    ids=[
        "plain",
        "options",
        "variant",
        "persona",
        "checklist",
        "medec",
        "no context",
        "context also elsewhere",
    ],
)
def test_the_messages_come_out_as_they_were_sent(one: Instance) -> None:
    own = one.prompt_id or {"medec": "medec", "points": "text"}.get(one.scoring, "default")
    found = asked_of(one, run_meta=run_of(own, "direct"), benchmark_meta={})
    assert texts(found, one.context) == [(said["role"], said["content"]) for said in messages_for(one)]
    assert (found.form, found.unknown) == (demanded_form(one), None)


def test_the_context_is_not_sent_twice() -> None:
    found = asked_of(instance(), run_meta=run_of("default"), benchmark_meta={})
    assert instance().context not in found.model_dump_json()
    assert [len(turn.parts) for turn in found.turns] == [1, 2]


def test_a_server_without_a_system_message_got_one_message() -> None:
    meta = run_of("default", sessions=[{"client": "openai", "system_folded": True}])
    found = asked_of(instance(), run_meta=meta, benchmark_meta={})
    (said,) = fold_system(messages_for(instance()))
    assert texts(found, instance().context) == [("user", said["content"])]


@pytest.mark.parametrize(
    ("run_meta", "why"),
    [
        ({}, NOT_OURS),
        ({"client": "import", "model": "m"}, NOT_OURS),
        ({"prompt_hash": "0" * 64}, CHANGED),
        (run_of("direct"), CHANGED),
        ({**run_of("default"), "prompt_ids": ["default", "no such prompt"]}, CHANGED),
        ({**run_of("default"), "prompt_ids": [["default"], 7]}, CHANGED),
    ],
    ids=["no meta", "imported", "older wordings", "another prompt", "a prompt that is none", "no ids at all"],
)
def test_a_prompt_that_is_not_proven_is_called_unknown_with_the_reason(
    run_meta: dict[str, Any], why: str
) -> None:
    found = asked_of(instance(), run_meta=run_meta, benchmark_meta={})
    assert found == Asked(form=None, turns=(), unknown=why)


def test_a_checklist_that_lost_its_points_is_called_unknown() -> None:
    one = instance(prompt_id="checklist")
    assert asked_of(one, run_meta=run_of("checklist"), benchmark_meta={}).unknown == CHANGED


@pytest.mark.parametrize("prompt_id", [None, "direct", "persona.nurse.terse"])
def test_a_run_that_does_not_name_its_prompts_had_those_of_its_benchmark(prompt_id: str | None) -> None:
    made = {"numeric.relevant+prompt.direct": 3, "prompt.persona.nurse.terse": 2, "input.typo": 1}
    recorded = {"prompt_hash": prompt_hash(["default", "direct", "persona.nurse.terse"])}
    one = instance(prompt_id=prompt_id)
    assert asked_of(one, run_meta=recorded, benchmark_meta={"variants": {"made": made}}).unknown is None
    assert asked_of(one, run_meta=recorded, benchmark_meta={}).unknown == CHANGED
    for odd in (None, [], {"made": None}, {"made": [1]}):
        assert asked_of(one, run_meta=recorded, benchmark_meta={"variants": odd}).unknown == CHANGED


def test_nothing_tells_an_unanswerable_question_nor_what_the_points_hold() -> None:
    for prompt_id in ("default", "checklist"):
        shown = instance(prompt_id=prompt_id, points=POINTS)
        without = shown.model_copy(
            update={"answer": None, "answer_type": "unanswerable", "decimals": None, "unit": None}
        )
        meta = run_of(prompt_id)
        found = asked_of(shown, run_meta=meta, benchmark_meta={})
        assert found == asked_of(without, run_meta=meta, benchmark_meta={})
        assert "4711" not in found.model_dump_json()


RUNS = {
    "ours": run_of("default", decoding={"max_new_tokens": 64}),
    "without a system message": run_of("default", sessions=[{"system_folded": True}]),
    "elsewhere": {"client": "import", "model": "m"},
    "direct": run_of("direct"),
}


@pytest.mark.parametrize(
    ("runs", "shown"),
    [
        (["ours", "ours"], True),
        (["ours", "without a system message"], True),
        (["ours", "elsewhere"], False),
        (["elsewhere", "direct"], False),
    ],
)
def test_who_must_not_know_the_model_sees_what_all_models_were_asked_and_nothing_else(
    runs: list[str], shown: bool
) -> None:
    found = asked_of_all(instance(), run_metas=[RUNS[name] for name in runs], benchmark_meta={})
    if shown:
        assert found == asked_of(instance(), run_meta=RUNS["ours"], benchmark_meta={})
    else:
        assert found == Asked(form=None, turns=(), unknown=NOT_ALIKE)


def test_where_no_prompt_is_known_that_is_said_of_all() -> None:
    metas = [RUNS["elsewhere"], {}]
    assert asked_of_all(instance(), run_metas=metas, benchmark_meta={}).unknown == NOT_OURS


@pytest.mark.parametrize(
    ("reason", "more", "said"),
    [
        ("stop", {}, None),
        ("stop", {"completion_tokens": 40}, None),
        ("length", {}, "Cut off before its end: the limit on its length was reached."),
        (
            "length",
            {"completion_tokens": 64, "thinking": "Hm."},
            "Cut off before its end: the limit on its length was reached.",
        ),
        ("error", {"error": "out of memory"}, "There is no answer: the request to the model failed."),
    ],
)
def test_of_how_a_text_ended_only_that_it_was_cut_off_is_said_alike_of_all_models(
    reason: Any, more: dict[str, Any], said: str | None
) -> None:
    given = Generation(generation_id="g", run_id="r", instance_id="i", text="", finish_reason=reason, **more)
    assert ending_of(given) == said
