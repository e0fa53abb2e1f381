"""The engine on a tiny model whose memory runs out: the same texts as `generate`, in smaller batches."""

from typing import Any

import pytest

from clinicnum.inference.local.forward_pass import Stepper
from clinicnum.inference.local.kv_cache import SlotCache
from tests.clinicnum.test_inference_local_engine import DECODING, _plain, _prompt, _said
from tests.clinicnum.tiny_models import client, requests


@pytest.fixture(scope="module")
def plain() -> dict[str, tuple[str, str, int]]:
    return _plain("llama")


def scarce(monkeypatch: pytest.MonkeyPatch, model: Any, most: int, from_call: int = 0) -> list[int]:
    """Let the model's forward pass run out of memory above `most` rows; returns the sizes it saw."""
    import torch

    sizes: list[int] = []
    forward = model.forward

    def limited(**given: Any) -> Any:
        sizes.append(len(given["input_ids"]))
        if sizes[-1] > most and len(sizes) > from_call:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return forward(**given)

    limited.__signature__ = __import__("inspect").signature(forward)  # type: ignore[attr-defined]
    monkeypatch.setattr(model, "forward", limited)
    return sizes


@pytest.mark.parametrize("from_call", [0, 9], ids=["at the first prompt", "in the midst of writing"])
def test_out_of_memory_halves_the_batch_and_loses_nothing(
    plain: dict[str, Any], monkeypatch: pytest.MonkeyPatch, from_call: int
) -> None:
    made = client("llama")
    sizes = scarce(monkeypatch, made.model, 3, from_call)
    done = list(made.complete(requests(), decoding=DECODING))
    assert len(done) == len(plain)
    assert _said(done) == plain
    assert max(sizes) == 11
    assert made.describe()["batch_rows"] in (2, 3)


def test_what_was_written_before_memory_ran_out_is_not_written_again(
    plain: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = client("llama")
    scarce(monkeypatch, made.model, 3, from_call=9)
    counted = 0
    step = Stepper.step

    def counting(self: Stepper, cache: SlotCache, tokens: Any, starts: Any) -> Any:
        nonlocal counted
        logits = step(self, cache, tokens, starts)
        counted += len(tokens)
        return logits

    monkeypatch.setattr(Stepper, "step", counting)
    assert _said(made.complete(requests(), decoding=DECODING)) == plain
    assert counted < sum(length for _, _, length in plain.values())


def test_a_prompt_that_alone_does_not_fit_is_an_error_and_the_others_go_on(
    plain: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    made = client("llama", share=False)
    forward = made.model.forward

    def limited(**given: Any) -> Any:
        if given["input_ids"].shape[1] > 160:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return forward(**given)

    limited.__signature__ = __import__("inspect").signature(forward)  # type: ignore[attr-defined]
    monkeypatch.setattr(made.model, "forward", limited)
    done = {one.instance_id: one for one in made.complete(requests(), decoding=DECODING)}
    assert set(done) == set(plain)
    long = {one.instance_id for one in requests() if len(_prompt(one)) > 160}
    assert {name for name, one in done.items() if one.finish_reason == "error"} == long
    assert len(long) == 1
    assert "alone in the batch; shorten the context" in str(done[long.pop()].error)
    assert made.describe()["batch_rows"] > 1  # the others do not run one by one for its sake


def test_a_cache_that_does_not_fit_halves_its_own_rows_not_those_that_enter(
    plain: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few prompts are read at a time, and the cache is laid out for all that will come."""
    import torch

    from clinicnum.inference.local.kv_cache import Layer

    made = client("llama", share=False)
    made._bounds.prefill_tokens = 1  # one prompt at a time
    allocate, tried = Layer.lazy_initialization, []

    def limited(self: Layer, *states: Any) -> None:
        tried.append(self._owner.slots)
        if self._owner.slots > 5:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        allocate(self, *states)

    monkeypatch.setattr(Layer, "lazy_initialization", limited)
    assert _said(made.complete(requests(), decoding=DECODING)) == plain
    assert (max(tried), made.describe()["batch_rows"], made.counts) == (11, 5, {"out_of_memory": 1})
