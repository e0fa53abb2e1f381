"""Loading: number types, GGUF files, quantising."""

from pathlib import Path
from typing import Any

import pytest

from clinicnum.errors import InputError
from clinicnum.inference.client_interface import Decoding
from clinicnum.inference.local import LocalClient, token_counts
from clinicnum.inference.local.loading import load, rotary_length_limit
from clinicnum.inference.model_folder import check_model_folder, model_fingerprint
from tests.clinicnum import tiny_models
from tests.clinicnum.tiny_models import client, request

SHORT = Decoding(max_new_tokens=6)


def _write_gguf(path: Path, model: Any) -> None:
    """A Qwen2 model as GGUF in Q8_0, with the tokens of the tiny tokenizer."""
    import gguf

    config, tokenizer = model.config, tiny_models.tokenizer()
    writer = gguf.GGUFWriter(path, "qwen2")
    writer.add_block_count(config.num_hidden_layers)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    by_id = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    tokens = [token for token, _ in by_id]
    tokens += ["ab", *(f"<unused{i}>" for i in range(len(by_id) + 1, config.vocab_size))]
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(tokens)
    writer.add_token_types([1] * 256 + [3, 1] + [3] * (config.vocab_size - 258))
    writer.add_token_merges(["a b"])
    writer.add_eos_token_id(256)
    writer.add_bos_token_id(256)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.QWEN2, config.num_hidden_layers)
    for name, tensor in model.state_dict().items():
        place = names.get_name(name, try_suffixes=(".weight", ".bias"))
        array = tensor.numpy()
        if array.ndim == 2:
            kind = gguf.GGMLQuantizationType.Q8_0
            writer.add_tensor(place, gguf.quants.quantize(array, kind), raw_dtype=kind)
        else:
            writer.add_tensor(place, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _qwen2() -> Any:
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    sizes = tiny_models.ARCHITECTURES["llama"] | {"num_hidden_layers": 2, "intermediate_size": 64}
    sizes |= {"hidden_size": 64, "head_dim": 16, "initializer_range": 0.1}
    torch.manual_seed(0)
    return AutoModelForCausalLM.from_config(AutoConfig.for_model("qwen2", **sizes)).eval()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_gguf_file_is_dequantised_and_run(tmp_path: Path) -> None:
    import torch

    original, path = _qwen2(), tmp_path / "tiny.gguf"
    _write_gguf(path, original)
    check_model_folder(path)
    assert model_fingerprint(path) != model_fingerprint(tmp_path / "..")
    made = LocalClient.load(path, dtype="float32", device="cpu")
    assert made.describe()["quantize"] == "gguf, dequantised"
    ids = torch.tensor([list(range(40, 80))])
    with torch.inference_mode():
        apart = (made.model(ids).logits - original(ids).logits).abs().max()
    assert 0 < apart < 0.1, "eight bits: near, and not the same"
    done = next(made.complete([request("q", "What is 2 + 2?")], decoding=SHORT))
    assert done.finish_reason in ("stop", "length")
    assert token_counts(tmp_path, [request("q", "abc")]) == [3]


def test_what_this_machine_cannot_quantise_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="--quantize 4bit: needs a GPU, and none is visible; leave it out"):
        load(tmp_path, quantize="4bit", device="cpu")
    with pytest.raises(InputError, match=r"device cuda:7: this machine shows . GPUs; name another device"):
        load(tmp_path, device="cuda:7")
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    with pytest.raises(InputError, match="a GGUF file is quantised already; leave --quantize out"):
        load(tmp_path / "m.gguf", quantize="8bit", device="cpu")
    with pytest.raises(InputError, match="transformers cannot load it"):
        load(tmp_path / "m.gguf", device="cpu")
    (tmp_path / "m.bin").write_bytes(b"")
    with pytest.raises(InputError, match=r"a file that does not end in \.gguf"):
        check_model_folder(tmp_path / "m.bin")


def test_what_was_chosen_is_said() -> None:
    said = client("llama").describe()
    assert (said["device"], said["dtype"], said["attention"], said["window"]) == (
        "cpu",
        "float32",
        "sdpa",
        512,
    )
    assert set(said) >= {"why_device", "why_dtype", "quantize", "batch_tokens", "engine"}


def test_rows_beyond_the_turn_of_rotary_positions_run_alone() -> None:
    """Two sets of positions: what one row's length decides must not decide for another."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    from clinicnum.inference.local.loading import LoadedModel

    factors = {"short_factor": [1.0] * 4, "long_factor": [4.0] * 4}
    rope = {"rope_type": "longrope", "rope_theta": 1e4, "factor": 4.0} | factors
    sizes = tiny_models.ARCHITECTURES["phi3"] | {"original_max_position_embeddings": 100}
    torch.manual_seed(0)
    config = AutoConfig.for_model("phi3", **sizes, rope_parameters=rope)
    model = AutoModelForCausalLM.from_config(config).eval()
    assert rotary_length_limit(model) == 100
    assert rotary_length_limit(tiny_models.model("llama")) is None
    made = LocalClient(LoadedModel(model, tiny_models.tokenizer(), "cpu", "", "float32", "", None))
    assert "rows beyond 100 tokens alone" in made.describe()["engine"]
    asked = [request("short", "x" * 30), request("long", "y" * 150), request("middle", "z" * 60)]
    together = {one.instance_id: one.text for one in made.complete(asked, decoding=SHORT)}
    alone = {one.instance_id: next(made.complete([one], decoding=SHORT)).text for one in asked}
    assert together == alone


class _Touches:
    """Unpickled, it makes a file: what somebody's weights could do to whoever loads them."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


def test_weights_that_are_pickled_are_refused_and_never_read(tmp_path: Path) -> None:
    import torch

    folder = tmp_path / "model"
    _qwen2().save_pretrained(folder)
    tiny_models.tokenizer().save_pretrained(folder)
    (folder / "model.safetensors").unlink()
    torch.save({"weight": _Touches(tmp_path / "ran")}, folder / "pytorch_model.bin")
    with pytest.raises(InputError, match=r"cannot load it .*no file named model\.safetensors"):
        load(folder)
    assert not (tmp_path / "ran").exists()
