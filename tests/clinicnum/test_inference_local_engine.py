"""The engine on tiny models of several architectures: the same as `generate`, whatever happens on the way."""

import math
from collections.abc import Iterator
from typing import Any

import pytest

from clinicnum.inference.client_interface import Completion, Decoding, Request
from clinicnum.inference.local import LocalClient
from clinicnum.inference.local.forward_pass import Stepper
from clinicnum.inference.local.kv_cache import SlotCache
from tests.clinicnum import tiny_models
from tests.clinicnum.tiny_models import ARCHITECTURES, client, request, requests

DECODING = Decoding(max_new_tokens=20)
OWN = [name for name in ARCHITECTURES if name != "mamba"]


def _generated(architecture: str, one: Request) -> list[int]:
    """What plain `generate` writes, alone, in token ids."""
    import torch
    from transformers import GenerationConfig

    ids = torch.tensor([_prompt(one)])
    config = GenerationConfig(max_new_tokens=20, do_sample=False, eos_token_id=[256], pad_token_id=256)
    model = tiny_models.model(architecture)
    with torch.inference_mode():
        out = model.generate(input_ids=ids, attention_mask=torch.ones_like(ids), generation_config=config)
    written: list[int] = out[0, ids.shape[1] :].tolist()
    return written


def _prompt(one: Request) -> list[int]:
    ids: list[int] = tiny_models.tokenizer()(one.messages[0]["content"] + "\n")["input_ids"]
    return ids


def _plain(architecture: str) -> dict[str, tuple[str, str, int]]:
    said = {}
    for one in requests():
        ids = _generated(architecture, one)
        stopped = ids[-1] == 256
        text = tiny_models.tokenizer().decode(ids[:-1] if stopped else ids, skip_special_tokens=True)
        said[one.instance_id] = (text, "stop" if stopped else "length", len(ids))
    return said


def _said(completions: Iterator[Completion] | list[Completion]) -> dict[str, tuple[str, str, int | None]]:
    return {c.instance_id: (c.text, c.finish_reason, c.completion_tokens) for c in completions}


@pytest.fixture(scope="module")
def plain() -> dict[str, tuple[str, str, int]]:
    return _plain("llama")


@pytest.mark.parametrize(
    "architecture", ["llama", "qwen3", "gemma3_text", "gemma2", "mistral", "phi3", "gpt2"]
)
def test_texts_equal_plain_generate(architecture: str) -> None:
    """Two contexts and a lone question; all together, and four rows at a time, which come and go."""
    expected = _plain(architecture)
    together = client(architecture)
    assert together.describe()["engine"].startswith("own loop")
    assert _said(together.complete(requests(), decoding=DECODING)) == expected
    few = client(architecture, batch_tokens=700)
    assert _said(few.complete(requests(), decoding=DECODING)) == expected


def test_a_recurrent_model_goes_through_generate_and_says_so(plain: object) -> None:
    mamba = client("mamba")
    assert (
        mamba.describe()["engine"]
        == "transformers generate, because of a recurrent state instead of keys and values"
    )
    done = list(mamba.complete(requests()[:4], decoding=DECODING))
    expected = _plain("mamba")
    assert _said(done) == {one.instance_id: expected[one.instance_id] for one in requests()[:4]}
    assert all(len(one.tokens or ()) == one.completion_tokens for one in done)


def test_a_model_that_fails_the_trial_goes_through_generate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that takes no notice of masks gives other logits in a padded batch."""
    model = tiny_models.model("llama")
    forward = model.forward

    def heedless(**given: Any) -> Any:
        return forward(**{key: value for key, value in given.items() if key != "attention_mask"})

    heedless.__signature__ = __import__("inspect").signature(forward)  # type: ignore[attr-defined]
    monkeypatch.setattr(model, "forward", heedless)
    engine = client("llama").describe()["engine"]
    assert engine.startswith("transformers generate, because of logits differ by")


def test_sharing_prefixes_changes_no_text_and_saves_prefill(
    plain: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    read = {True: 0, False: 0}
    original = Stepper.read
    for share in read:

        def counting(self: Stepper, cache: SlotCache, tokens: Any, *rest: Any, **more: Any) -> Any:
            read[share] += sum(map(len, tokens))  # noqa: B023  used within the loop's turn
            return original(self, cache, tokens, *rest, **more)

        made = client("llama", share=share)
        monkeypatch.setattr(Stepper, "read", counting)
        assert _said(made.complete(requests(), decoding=DECODING)) == plain
        monkeypatch.setattr(Stepper, "read", original)
    assert read[False] == sum(len(_prompt(one)) for one in requests())
    assert read[True] < 0.5 * read[False]


def test_finished_rows_leave_and_waiting_ones_enter(
    plain: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every step is taken for rows that still write: as many row-steps as tokens after the first of each."""
    rows: list[int] = []
    step = Stepper.step

    def counting(self: Stepper, cache: SlotCache, tokens: Any, starts: Any) -> Any:
        rows.append(len(tokens))
        return step(self, cache, tokens, starts)

    few = client("llama", batch_tokens=700)
    monkeypatch.setattr(Stepper, "step", counting)
    done = list(few.complete(requests(), decoding=DECODING))
    assert _said(done) == plain
    assert sum(rows) == sum(length - 1 for _, _, length in plain.values())
    assert len({length for _, _, length in plain.values()}) > 1, "rows of unlike length, or nothing is shown"
    assert max(rows) < len(plain)


def test_an_error_that_is_not_about_memory_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    made = client("llama")

    def broken(**_: Any) -> Any:
        raise RuntimeError("shapes do not match")

    monkeypatch.setattr(made.model, "forward", broken)
    with pytest.raises(RuntimeError, match="shapes do not match"):
        list(made.complete(requests(), decoding=DECODING))


@pytest.mark.parametrize("architecture", ["llama", "gemma3_text", "mamba"])
def test_logprobs_are_those_of_a_full_forward_pass(architecture: str) -> None:
    import torch

    asked = requests()[:3]
    done = {one.instance_id: one for one in client(architecture).complete(asked, decoding=DECODING)}
    for one in asked:
        prompt, written = _prompt(one), _generated(architecture, one)
        with torch.inference_mode():
            logits = tiny_models.model(architecture)(torch.tensor([prompt + written])).logits[0]
        scores = logits[len(prompt) - 1 : -1].log_softmax(dim=-1)
        expected = [float(scores[i, token]) for i, token in enumerate(written)]
        tokens = done[one.instance_id].tokens or ()
        assert [token.logprob for token in tokens] == pytest.approx(expected, abs=1e-3)
        assert all(token.logprob <= 0 and math.isfinite(token.logprob) for token in tokens)


def test_offsets_of_characters_that_take_several_tokens() -> None:
    """°, ä and an emoji are 2, 2 and 4 bytes, each a token of its own; the last one is cut in half."""
    from clinicnum.inference.local.detokenize import decode_with_ends

    tokenizer = tiny_models.tokenizer()
    ids = tokenizer("a°ä😀b")["input_ids"]
    assert decode_with_ends(tokenizer, ids) == ("a°ä😀b", [1, 1, 2, 2, 3, 3, 3, 3, 4, 5])
    assert decode_with_ends(tokenizer, ids[:2]) == ("a\ufffd", [1, 2])
    assert decode_with_ends(tokenizer, []) == ("", [])


def test_a_window_that_ends_soon_cuts_the_text_there_and_a_longer_prompt_is_an_error() -> None:
    made = client("llama")
    near = request("near", "x" * (512 - 5 - 1))
    full = request("full", "x" * 511)
    over = request("over", "x" * 600)
    done = {one.instance_id: one for one in made.complete([near, full, over], decoding=DECODING)}
    assert done["near"].finish_reason in ("length", "stop")
    assert (done["near"].completion_tokens or 9) <= 5
    for name, length in (("full", 512), ("over", 601)):
        assert done[name].finish_reason == "error"
        assert done[name].error == (
            f"a prompt of {length} tokens does not fit the model's window of 512 with an answer; shorten the "
            "context (--scope stay) or take a model with a larger window"
        )


def test_each_is_given_as_soon_as_it_is_finished() -> None:
    """The first completion comes before the last row is even read."""
    few = client("llama", batch_tokens=300)
    given = few.complete(requests(), decoding=DECODING)
    first = next(given)
    rest = list(given)
    assert len(rest) == 10
    assert (first.latency_s or 0) <= sum(one.latency_s or 0 for one in rest)


def test_a_bigger_benchmark_in_little_room_is_whole(plain: dict[str, Any]) -> None:
    """Forty rows, most of them copies, through a batch of about five: each once, each right."""
    many = [Request(f"{one.instance_id}/{i}", one.messages) for i in range(4) for one in requests()]
    made: LocalClient = client("llama", batch_tokens=800)
    done = list(made.complete(many, decoding=DECODING))
    assert sorted(one.instance_id for one in done) == sorted(one.instance_id for one in many)
    assert all(
        (one.text, one.finish_reason, one.completion_tokens) == plain[one.instance_id.split("/")[0]]
        for one in done
    )


def test_caches_go_as_soon_as_nothing_uses_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the garbage collector, which may not come by for gigabytes: none is left at the end."""
    import gc
    import weakref

    made: list[weakref.ref[SlotCache]] = []
    begin = SlotCache.__init__

    def noted(self: SlotCache, *args: Any, **options: Any) -> None:
        begin(self, *args, **options)
        made.append(weakref.ref(self))

    monkeypatch.setattr(SlotCache, "__init__", noted)
    running = client("llama", batch_tokens=700)
    gc.disable()
    try:
        done = list(running.complete(requests(), decoding=DECODING))
        left = [cache for cache in made if cache() is not None]
    finally:
        gc.enable()
    assert len(done) == len(requests())
    assert len(made) > 2, "several caches came and went"
    assert not left
