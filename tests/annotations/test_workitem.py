"""Blinding: what is stripped, what is masked."""

import pytest

from clinicnum.annotations.masked_model_names import MASK, mask_model
from clinicnum.annotations.work_item import InstanceView, view_instance
from clinicnum.types import Instance
from tests.db.examples import instance


@pytest.mark.parametrize(
    ("text", "model", "shown"),
    [
        ("I am SmolLM2.", "org/SmolLM2-135M-Instruct", "I am #######."),
        ("smollm says 95", "org/SmolLM2-135M-Instruct", "###### says 95"),
        ("SmolLM2-135M-Instruct: 95", "models/SmolLM2-135M-Instruct/", "#####################: 95"),
        ("by org/SmolLM2-135M-Instruct!", "org/SmolLM2-135M-Instruct", "by #########################!"),
        ("Qwen2.5 and qwen", "Qwen2.5-7B", "####### and ####"),
        ("a llama is an animal", "Llama-3", "a ##### is an animal"),
        ("the smaller value", "small-1", "the smaller value"),
        ("a small value of small-1 and small2", "small-1", "a small value of ####### and ######"),
        ("Ward sums", "ward-model", "Ward sums"),
        ("Ward-model sums", "acme/ward-model", "########## sums"),
        ("errors of mistral", "mistral-large", "errors of #######"),
        ("95.", "o1", "95."),
        ("I am SmolLM2.", None, "I am SmolLM2."),
        ("ü SmolLM2 ü", "SmolLM2", "ü ####### ü"),
    ],
)
def test_a_model_that_names_itself_is_masked_and_offsets_hold(
    text: str, model: str | None, shown: str
) -> None:
    found = mask_model(text, model)
    assert found == shown.replace("#", MASK)
    assert len(found) == len(text)


def test_the_view_has_no_field_that_could_tell() -> None:
    hidden = {
        "answer",
        "answer_exact",
        "worked",
        "points",
        "evidence",
        "distractors",
        "flags",
        "variant",
        "expected",
        "base_id",
        "lower",
        "upper",
        "instance_id",
    }
    assert hidden <= set(Instance.model_fields)
    assert not hidden & set(InstanceView.model_fields)


@pytest.mark.parametrize(
    ("operation", "shown"),
    [("retrieval", "number"), ("arithmetic", "number"), ("comparison", "datetime"), ("aggregation", "count")],
)
def test_an_unanswerable_question_looks_like_any_other(operation: str, shown: str) -> None:
    asked = instance(0).model_copy(
        update={"operation": operation, "answer": None, "answer_type": "unanswerable"}
    )
    assert view_instance(asked).answer_type == shown
