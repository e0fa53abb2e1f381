"""Hidden states of contexts: what is pooled, that batches change nothing, that files appear whole or not."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clinicnum.errors import InputError
from clinicnum.inference.hidden_states import Context, contexts_of, rows_path, write_hidden_states
from clinicnum.inference.local.loading import LoadedModel
from clinicnum.io.jsonl import read_meta, write_jsonl
from clinicnum.scripts.cli import run_command
from tests.clinicnum import tiny_models
from tests.clinicnum.answering import instance

TEXTS = ("HR 88.", "Temperatur 36,6 °C um 09:00, Puls 91. " * 4, "x", "SpO2 97 %, then 94 %. " * 2)
CONTEXTS = [Context(text, (f"i{i}",)) for i, text in enumerate(TEXTS)]


def _loaded(architecture: str) -> LoadedModel:
    model, tokenizer = tiny_models.model(architecture), tiny_models.tokenizer()
    return LoadedModel(model, tokenizer, "cpu", "", "float32", "", None)


def _alone(architecture: str, text: str) -> Any:
    """The definition, one text at a time: mean of the last layer's output over the text's tokens."""
    import torch

    ids = tiny_models.tokenizer()(text, return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        out = tiny_models.model(architecture)(ids, output_hidden_states=True)
    return out.hidden_states[-1][0].mean(dim=0).numpy()


@pytest.mark.parametrize("architecture", ["llama", "gemma3_text", "gpt2"])
def test_a_batch_of_unlike_lengths_equals_each_alone(architecture: str, tmp_path: Path) -> None:
    out = tmp_path / "states.npy"
    assert write_hidden_states(CONTEXTS, _loaded(architecture), out, meta={}) == (4, 0)
    states = np.load(out, mmap_mode="r")
    assert states.shape == (4, 32)
    assert states.dtype == np.float32
    for row, text in enumerate(TEXTS):
        np.testing.assert_allclose(states[row], _alone(architecture, text), atol=1e-4)


def test_special_tokens_are_read_but_not_pooled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch
    from tokenizers.processors import TemplateProcessing

    loaded = _loaded("llama")
    tokenizer = tiny_models.new_tokenizer()
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single="<end> $A", special_tokens=[("<end>", 256)]
    )
    out = tmp_path / "s.npy"
    loaded = LoadedModel(loaded.model, tokenizer, "cpu", "", "float32", "", None)
    write_hidden_states(CONTEXTS[:1], loaded, out, meta={})
    ids = torch.tensor([[256, *tiny_models.tokenizer()(TEXTS[0])["input_ids"]]])
    with torch.inference_mode():
        expected = loaded.model.base_model(ids).last_hidden_state[0, 1:].mean(dim=0)
    np.testing.assert_allclose(np.load(out)[0], expected.numpy(), atol=1e-4)


def test_rows_say_which_context_they_are_and_why_one_is_missing(tmp_path: Path) -> None:
    out = tmp_path / "s.npy"
    contexts = [*CONTEXTS[:1], Context("long " * 200, ("far",)), Context("", ("none",)), *CONTEXTS[1:]]
    assert write_hidden_states(contexts, _loaded("llama"), out, meta={"model": "m"}) == (4, 2)
    rows = [json.loads(line) for line in rows_path(out).read_text().splitlines()]
    assert [row["row"] for row in rows] == [0, None, None, 1, 2, 3]
    assert rows[1]["reason"] == "the context has 1000 tokens, the model's window 512"
    assert rows[2]["reason"] == "the context is empty"
    assert rows[0] == {
        "row": 0,
        "context_sha256": CONTEXTS[0].sha256,
        "tokens": 6,
        "instance_ids": ["i0"],
        "reason": None,
    }
    meta = read_meta(out) or {}
    assert (meta["model"], meta["n_rows"], meta["pooling"]) == ("m", 4, "mean")


def test_instances_about_one_context_share_a_row() -> None:
    instances = [instance(i) for i in range(3)]
    contexts = contexts_of([*instances, instances[0].model_copy(update={"context": "other"})])
    assert [context.instance_ids for context in contexts] == [("i0", "i1", "i2"), ("i0",)]


def test_out_of_memory_halves_the_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    loaded = _loaded("llama")
    sizes: list[int] = []
    forward = loaded.model.base_model.forward

    def scarce(input_ids: Any, **more: Any) -> Any:
        sizes.append(len(input_ids))
        if len(input_ids) > 1:
            raise torch.OutOfMemoryError("not that much")
        return forward(input_ids=input_ids, **more)

    monkeypatch.setattr(loaded.model.base_model, "forward", scarce)
    write_hidden_states(CONTEXTS, loaded, tmp_path / "s.npy", meta={})
    assert sizes == [4, 2, 1, 1, 1, 1]


def test_nothing_is_left_where_no_context_can_be_represented(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none of the 1 contexts can be represented: the context is empty"):
        write_hidden_states([Context("", ("i",))], _loaded("llama"), tmp_path / "s.npy", meta={})
    assert list(tmp_path.iterdir()) == []


def test_a_failure_half_way_leaves_no_file(tmp_path: Path) -> None:
    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_hidden_states(CONTEXTS, _loaded("llama"), tmp_path / "s.npy", meta={}, progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_them_for_the_small_model(
    small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench, out = tmp_path / "b.jsonl", tmp_path / "s.npy"
    write_jsonl(bench, [instance(0), instance(1)], {"credentialed": True})
    command = ["hidden-states", "--benchmark", str(bench), "--model", str(small_model)]
    assert run_command([*command, "--out", str(out), "--dtype", "float32"]) == 0
    told = capsys.readouterr().err
    assert np.load(out).shape == (1, 576)
    assert np.isfinite(np.load(out)).all()
    assert "1 contexts; which is which stands in s.npy.rows.jsonl" in told
    assert "warning: data not known to be open: " in told
    assert (read_meta(out) or {})["credentialed"] is True
    assert run_command([*command, "--out", str(tmp_path / "s.txt")]) == 2
    assert capsys.readouterr().err.startswith("error: ")
