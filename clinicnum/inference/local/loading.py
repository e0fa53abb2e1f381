"""Load a model and its tokenizer, with device, number type and quantisation; and read from them what
generation needs: the token ids that end a turn, the context length and the limit of rotary positions.
"""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from clinicnum.errors import InputError
from clinicnum.inference.local.devices import DtypeName, compute_device, resolve_dtype, why_device
from clinicnum.inference.local.out_of_memory import out_of_memory_errors
from clinicnum.inference.model_folder import gguf_file
from clinicnum.inference.model_metadata import checkpoint_dtype

Quantize = Literal["4bit", "8bit"]
_REFUSALS = (OSError, ValueError, KeyError, ImportError, RuntimeError, IndexError, TypeError, struct.error)
"""How transformers refuses files, whole ones of another kind and broken ones."""
_ORIGINAL = "original_max_position_embeddings"
_HARMLESS = {
    *("bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id"),
    *("transformers_version", "use_cache", "cache_implementation", "_from_model_config"),
    *("output_attentions", "output_hidden_states", "return_dict_in_generate", "max_length", "max_new_tokens"),
}
"""Generation settings without effect on which token comes next."""


@dataclass(frozen=True)
class LoadedModel:
    """A loaded model, and how it was loaded."""

    model: Any
    tokenizer: Any
    device: str
    why_device: str
    dtype: str
    why_dtype: str
    quantize: str | None


def load(
    folder: Path, *, dtype: DtypeName = "auto", quantize: Quantize | None = None, device: str | None = None
) -> LoadedModel:
    """Load a model folder, or a GGUF file with dequantised weights.

    Raises InputError if transformers cannot read it, or if this machine cannot quantise or has no such
    device.
    """
    import torch
    from transformers import AutoModelForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    where = device or compute_device()
    _check_device(where)
    name, why = resolve_dtype(dtype, checkpoint_dtype(folder))
    options: dict[str, Any] = {"dtype": getattr(torch, name), "device_map": where}
    if quantize:
        options["quantization_config"] = _quantization(folder, quantize, where, name)
    tokenizer = load_tokenizer(folder)
    with _refusals(folder):
        model = AutoModelForCausalLM.from_pretrained(**_files(folder), **_weights(folder), **options)
    kind = quantize or ("gguf, dequantised" if gguf_file(folder) else None)
    return LoadedModel(model.eval(), tokenizer, where, why_device(where), name, why, kind)


def load_tokenizer(folder: Path) -> Any:
    """The tokenizer of a model folder or GGUF file. Raises InputError if transformers cannot read it."""
    from transformers import AutoTokenizer

    with _refusals(folder):
        tokenizer = AutoTokenizer.from_pretrained(**_files(folder), padding_side="left")
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def end_ids(settings: Any, tokenizer: Any) -> list[int]:
    """All token ids that end a turn: those of the model's generation settings and of the tokenizer."""
    own = settings.eos_token_id
    ids = own if isinstance(own, list) else [own]
    return sorted({i for i in [*ids, tokenizer.eos_token_id] if i is not None})


def ends_and_window(folder: Path, tokenizer: Any) -> tuple[list[int], int]:
    """The ids that end a turn and the tokens that the model can hold, without loading any weights.

    Raises InputError if transformers cannot read the folder or GGUF file.
    """
    from transformers import AutoConfig, GenerationConfig

    with _refusals(folder):
        config = AutoConfig.from_pretrained(**_files(folder))
        settings = (
            GenerationConfig.from_pretrained(folder, local_files_only=True)
            if (folder / "generation_config.json").is_file()
            else config.get_text_config(decoder=True)
        )
    return end_ids(settings, tokenizer), _context_length(config)


def set_greedy(model: Any) -> dict[str, Any]:
    """Replace the model's own generation settings by defaults; return those that would have changed greedy
    text.

    transformers fills a configuration that is given to `generate` with the model's own settings, so that a
    repetition penalty stored with the weights would change texts and probabilities alike.
    """
    from transformers import GenerationConfig

    own = model.generation_config.to_diff_dict()
    model.generation_config = GenerationConfig()
    return {key: own[key] for key in sorted(own) if key not in _HARMLESS}


def context_length(model: Any) -> int:
    """Number of tokens the model can hold, prompt and answer together."""
    return _context_length(model.config)


def _context_length(config: Any) -> int:
    own = config.get_text_config(decoder=True)
    return int(getattr(own, "max_position_embeddings", None) or 2**31)


def rotary_length_limit(model: Any) -> int | None:
    """Number of tokens beyond which the model's rotary positions depend on the longest row of a batch; None
    if they never do.

    Rows that may pass it run alone: together they would change each other's results.
    """
    config = model.config.get_text_config(decoder=True)
    rope = getattr(config, "rope_parameters", None) or {}
    kinds = [rope] if "rope_type" in rope else [each for each in rope.values() if isinstance(each, dict)]
    if not any(kind.get("rope_type") in ("longrope", "dynamic") for kind in kinds):
        return None
    places = [*kinds, {_ORIGINAL: getattr(config, _ORIGINAL, None)}]
    known = [int(place[_ORIGINAL]) for place in places if place.get(_ORIGINAL)]
    return min(known, default=context_length(model))


def _files(folder: Path) -> dict[str, Any]:
    """Arguments of `from_pretrained`: nothing is downloaded, and no code of a model is run."""
    gguf = gguf_file(folder)
    only: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    if gguf is None:
        return only | {"pretrained_model_name_or_path": folder}
    return only | {"pretrained_model_name_or_path": gguf.parent, "gguf_file": gguf.name}


def _weights(folder: Path) -> dict[str, Any]:
    """Arguments of `from_pretrained` for the weights: unless they are GGUF, only safetensors are loaded,
    since other formats can execute code.
    """
    return {} if gguf_file(folder) else {"use_safetensors": True}


@contextmanager
def _refusals(folder: Path) -> Iterator[None]:
    """Turn what transformers raises about a folder into a one-line error."""
    try:
        with out_of_memory_errors(folder):
            yield
    except _REFUSALS as error:
        problem = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise InputError(
            f"{folder}: transformers cannot load it ({problem}); name another model folder"
        ) from error


def _check_device(device: str) -> None:
    import torch

    gpus = torch.cuda.device_count()
    named = device.partition(":")[2]
    if device.startswith("cuda") and (gpus == 0 or (named and int(named) >= gpus)):
        raise InputError(f"device {device}: this machine shows {gpus} GPUs; name another device")


def _quantization(folder: Path, quantize: Quantize, device: str, dtype: str) -> Any:
    """The configuration of bitsandbytes. Raises InputError if this machine cannot use it."""
    import torch

    if gguf_file(folder):
        raise InputError(f"{folder}: a GGUF file is quantised already; leave --quantize out")
    if device == "cpu":
        raise InputError(f"--quantize {quantize}: needs a GPU, and none is visible; leave it out")
    if find_spec("bitsandbytes") is None:
        raise InputError(
            f"--quantize {quantize}: needs the package bitsandbytes, which is not installed; "
            "pip install bitsandbytes, or leave it out"
        )
    from transformers import BitsAndBytesConfig

    if quantize == "8bit":
        return BitsAndBytesConfig(load_in_8bit=True)
    kind = getattr(torch, dtype)
    return BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=kind)
