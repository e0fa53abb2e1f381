"""Tiny language models of several architectures, with seeded random weights, and a byte-level tokenizer."""

from copy import deepcopy
from functools import lru_cache
from typing import Any

from clinicnum.inference.client_interface import Request
from clinicnum.inference.local import LocalClient
from clinicnum.prompt import Message

VOCABULARY = 300
"""256 bytes, the end token, and ids that mean nothing."""
_SIZES: dict[str, Any] = {
    "vocab_size": VOCABULARY,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "max_position_embeddings": 512,
    "initializer_range": 0.4,
    "bos_token_id": 256,
    "eos_token_id": 256,
    "pad_token_id": 256,
}
_STATE = {"hidden_size": 32, "state_size": 8, "num_hidden_layers": 2, "vocab_size": VOCABULARY}
ARCHITECTURES: dict[str, dict[str, Any]] = {
    "llama": _SIZES,
    "qwen3": _SIZES,
    "gemma3_text": _SIZES | {"sliding_window": 16, "sliding_window_pattern": 2},
    "gemma2": _SIZES | {"sliding_window": 16},
    "mistral": _SIZES | {"sliding_window": 16},
    "phi3": _SIZES,
    "gpt2": {
        "vocab_size": VOCABULARY,
        "n_embd": 32,
        "n_layer": 3,
        "n_head": 4,
        "n_positions": 512,
        "initializer_range": 0.4,
        "bos_token_id": 256,
        "eos_token_id": 256,
        "pad_token_id": 256,
    },
    "mamba": _STATE
    | {"initializer_range": 0.4, "eos_token_id": 256, "bos_token_id": 256, "pad_token_id": 256},
}


@lru_cache
def model(architecture: str) -> Any:
    """A model in float32 whose weights follow from its architecture."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    torch.manual_seed(0)
    config = AutoConfig.for_model(architecture, **ARCHITECTURES[architecture])
    return AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()


@lru_cache
def tokenizer() -> Any:
    """The tokenizer of all tiny models."""
    return new_tokenizer()


def new_tokenizer() -> Any:
    """One token per byte, so that most characters beyond ASCII take several; no chat template."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    backend = Tokenizer(models.BPE(vocab={piece: i for i, piece in enumerate(alphabet)}, merges=[]))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(tokenizer_object=backend, eos_token="<end>", pad_token="<end>")
    assert made.eos_token_id == 256
    return made


def client(architecture: str, *, share: bool = True, batch_tokens: int | None = None) -> LocalClient:
    """The local client over a tiny model of its own: it may change how layers multiply."""
    from clinicnum.inference.local.loading import LoadedModel

    loaded = LoadedModel(deepcopy(model(architecture)), tokenizer(), "cpu", "", "float32", "", None)
    return LocalClient(loaded, batch_tokens=batch_tokens, share=share)


def request(name: str, text: str) -> Request:
    """One user message."""
    return Request(name, (Message(role="user", content=text),))


def requests() -> list[Request]:
    """Questions over two contexts and one over its own, of unlike lengths."""
    contexts = ["09:00 heart rate 88, blood pressure 120/80. " * 3, "SpO2 97 %, Temperatur 36,6 °C. " * 2]
    asked = [
        "Is it high?",
        "What was the heart rate at 09:00? Answer in words.",
        "Mean?",
        "Why?",
        "When, then?",
    ]
    made = [request(f"{i}.{j}", c + q) for i, c in enumerate(contexts) for j, q in enumerate(asked)]
    return [*made[::2], request("own", "A question that stands alone."), *made[1::2]]
