"""What a server reports on the weights of a model, so that other weights under its name are noticed."""

from collections.abc import Mapping
from typing import Any

_FIELDS = ("root", "parent", "max_model_len", "quantization")
"""Keys in `/models`: vLLM and SGLang name the folder or hub id that was loaded."""
_META = ("n_params", "size", "n_vocab", "n_embd", "n_ctx_train")
"""Keys in its `meta`: llama.cpp on the file."""
_LONGEST = 300


def weights_facts(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The plain values of a model's entry that follow from its weights, not from when they were loaded."""
    meta = entry.get("meta")
    found = {key: entry.get(key) for key in _FIELDS}
    found |= {f"meta.{key}": meta.get(key) for key in _META} if isinstance(meta, Mapping) else {}
    return {key: _short(value) for key, value in found.items() if isinstance(value, str | int | float)}


def _short(value: str | int | float) -> str | int | float:
    return value[:_LONGEST] if isinstance(value, str) else value
